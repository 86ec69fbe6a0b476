//! What has happened to an order, put together from what is on record of it and of what belongs to it.

use std::collections::{HashMap, HashSet};

use ::orders::{
    OrderId, Shipment,
    timeline::{Delivered, ENTRIES_MAX, Entry, Told, in_order},
};
use diesel::prelude::*;
use kernel::{AccountId, Amount, Currency, Timestamp, id::EventId};

use super::{order_by_id, shipments};
use crate::{
    db::Db,
    payments,
    rows::{moment, read},
    schema::{
        approvals, deliveries, events, invoice_orders, invoices, order_returns, payment_links,
        refunds, subscriptions,
    },
};

/// How long after an event its deliveries are made, in one transaction with it.
const DELIVERED_WITHIN_MICROS: i64 = 1_000_000;

/// The timeline of an order; `None` when the account has no such order.
pub(super) fn timeline(
    db: &mut Db,
    account: AccountId,
    id: OrderId,
) -> QueryResult<Option<Vec<Entry>>> {
    let key = account.to_string();
    let Some(order) = order_by_id(db, &key, &id.to_string())? else { return Ok(None) };
    let mut begun = Beginnings::default();
    begun.add(
        "order.created",
        id.to_string(),
        order.created_at,
        Some((order.total, order.currency)),
    );
    let of_order = ::payments::OrderId::from_u128(id.to_u128());
    for payment in payments::of_order(db, account, of_order)? {
        let money = Some((payment.amount, payment.currency));
        begun.add("payment.created", payment.id.to_string(), payment.created_at, money);
        begun.subjects.extend(payment.receipt.map(|receipt| receipt.to_string()));
    }
    refunds_of(db, &key, id, &mut begun)?;
    for (link, at) in links_of(db, &key, id)? {
        begun.add("payment_link.created", link, at, None);
    }
    let shipments = shipments::of_order(db, account, id)?;
    begun.subjects.extend(shipments.iter().map(|shipment| shipment.id.to_string()));
    // These tell of their own beginning.
    let told = returns_of(db, &key, id)?.into_iter().chain(invoices_of(db, &key, id)?);
    begun.subjects.extend(told);
    let approvals = approvals_of(db, &key, &begun.subjects)?;
    begun.subjects.extend(approvals);
    let documents = documents_of(db, &key, &begun.subjects)?;
    let mut entries = begun.entries;
    entries.extend(told_of(db, account, &begun.subjects)?);
    untold(&shipments, &mut entries);
    for entry in &mut entries {
        entry.document = documents.get(&entry.subject).cloned();
    }
    Ok(Some(in_order(entries)))
}

/// Adds what became of shipments where no event tells of it, or not any more.
fn untold(shipments: &[Shipment], entries: &mut Vec<Entry>) {
    let told = entries.iter().map(|entry| (entry.name.clone(), entry.subject.clone()));
    let told: HashSet<(String, String)> = told.collect();
    for shipment in shipments {
        for (name, at) in [
            ("shipment.created", Some(shipment.created_at)),
            ("shipment.delivered", shipment.delivered_at),
            ("shipment.cancelled", shipment.cancelled_at),
        ] {
            let (name, subject) = (name.to_owned(), shipment.id.to_string());
            let Some(at) = at else { continue };
            if !told.contains(&(name.clone(), subject.clone())) {
                let (document, money, event) = (None, None, None);
                entries.push(Entry { at, name, subject, document, money, event });
            }
        }
    }
}

/// What belongs to an order, and when it began.
#[derive(Default)]
struct Beginnings {
    subjects: Vec<String>,
    entries: Vec<Entry>,
}

impl Beginnings {
    fn add(
        &mut self,
        name: &str,
        subject: String,
        at: Timestamp,
        money: Option<(Amount, Currency)>,
    ) {
        self.subjects.push(subject.clone());
        let name = name.to_owned();
        self.entries.push(Entry { at, name, subject, document: None, money, event: None });
    }
}

type RefundColumns = (String, i64, String, i64, Option<String>);

/// The refunds of an order, with their credit notes.
fn refunds_of(
    db: &mut Db,
    account: &str,
    order: OrderId,
    begun: &mut Beginnings,
) -> QueryResult<()> {
    let rows: Vec<RefundColumns> = refunds::table
        .filter(refunds::account_id.eq(account))
        .filter(refunds::order_id.eq(order.to_string()))
        .select((
            refunds::id,
            refunds::amount,
            refunds::currency,
            refunds::created_at,
            refunds::credit_note_id,
        ))
        .load(db)?;
    for (id, amount, currency, at, note) in rows {
        let money = (Amount::from_micros(amount), crate::rows::currency(&currency)?);
        begun.add("refund.created", id, Timestamp::from_micros(at), Some(money));
        begun.subjects.extend(note);
    }
    Ok(())
}

fn links_of(db: &mut Db, account: &str, order: OrderId) -> QueryResult<Vec<(String, Timestamp)>> {
    let rows: Vec<(String, i64)> = payment_links::table
        .filter(payment_links::account_id.eq(account))
        .filter(payment_links::order_id.eq(order.to_string()))
        .select((payment_links::id, payment_links::created_at))
        .load(db)?;
    Ok(rows.into_iter().map(|(id, at)| (id, Timestamp::from_micros(at))).collect())
}

fn returns_of(db: &mut Db, account: &str, order: OrderId) -> QueryResult<Vec<String>> {
    order_returns::table
        .filter(order_returns::account_id.eq(account))
        .filter(order_returns::order_id.eq(order.to_string()))
        .select(order_returns::id)
        .load(db)
}

/// The invoice of an order, while it has one.
fn invoices_of(db: &mut Db, account: &str, order: OrderId) -> QueryResult<Vec<String>> {
    invoice_orders::table
        .filter(invoice_orders::account_id.eq(account))
        .filter(invoice_orders::order_id.eq(order.to_string()))
        .select(invoice_orders::invoice_id)
        .load(db)
}

/// The types of those of these that are invoices.
fn documents_of(
    db: &mut Db,
    account: &str,
    subjects: &[String],
) -> QueryResult<HashMap<String, String>> {
    let prefix = format!("{}_", ::invoices::InvoiceId::PREFIX);
    let ids = subjects.iter().filter(|id| id.starts_with(&prefix));
    let rows: Vec<(String, String)> = invoices::table
        .filter(invoices::account_id.eq(account))
        .filter(invoices::id.eq_any(ids))
        .select((invoices::id, invoices::kind))
        .load(db)?;
    Ok(rows.into_iter().collect())
}

/// Requests for approval of what is done with any of these.
fn approvals_of(db: &mut Db, account: &str, subjects: &[String]) -> QueryResult<Vec<String>> {
    approvals::table
        .filter(approvals::account_id.eq(account))
        .filter(approvals::entity_id.eq_any(subjects))
        .select(approvals::id)
        .load(db)
}

type EventColumns = (String, String, String, String, i64);

/// Every event of these, with its deliveries.
fn told_of(db: &mut Db, account: AccountId, subjects: &[String]) -> QueryResult<Vec<Entry>> {
    let account = account.to_string();
    let rows: Vec<EventColumns> = events::table
        .filter(events::account_id.eq(&account))
        .filter(events::entity_id.eq_any(subjects))
        // As the index has it: the order itself says when it was placed.
        .filter(events::name.ne("order.created"))
        .order(events::id)
        .limit(i64::try_from(ENTRIES_MAX).unwrap_or(i64::MAX))
        .select((events::id, events::name, events::entity_id, events::body, events::created_at))
        .load(db)?;
    let webhooks: Vec<String> = subscriptions::table
        .filter(subscriptions::account_id.eq(&account))
        .select(subscriptions::id)
        .load(db)?;
    let mut sent = HashMap::new();
    for (id, ..) in &rows {
        sent.insert(id.clone(), sent_of(db, &account, &webhooks, read(id, EventId::parse)?)?);
    }
    let entry = |(id, name, subject, body, at): EventColumns| {
        let deliveries = sent.remove(&id).unwrap_or_default();
        let event = Some(Told { id: read(&id, EventId::parse)?, body, deliveries });
        let at = Timestamp::from_micros(at);
        Ok(Entry { at, name, subject, document: None, money: None, event })
    };
    rows.into_iter().map(entry).collect()
}

type DeliveryColumns = (String, String, String, i64, Option<i64>);

/// The deliveries of an event. They are made right after it, and their identifiers say so.
fn sent_of(
    db: &mut Db,
    account: &str,
    webhooks: &[String],
    event: EventId,
) -> QueryResult<Vec<Delivered>> {
    use deliveries::dsl;
    let made = kernel::id::moment_of(event.to_u128());
    let last = Timestamp::from_micros(made.micros().saturating_add(DELIVERED_WITHIN_MICROS));
    let bound =
        |moment| ::webhooks::DeliveryId::from_u128(kernel::id::least_at(moment)).to_string();
    let rows: Vec<DeliveryColumns> = dsl::deliveries
        .filter(dsl::account_id.eq(account))
        .filter(dsl::subscription_id.eq_any(webhooks))
        .filter(dsl::id.ge(bound(made)))
        .filter(dsl::id.lt(bound(last)))
        .filter(dsl::event_id.eq(event.to_string()))
        .order(dsl::id)
        .select((dsl::id, dsl::subscription_id, dsl::state, dsl::attempts, dsl::finished_at))
        .load(db)?;
    let delivered = |(id, webhook, state, attempts, finished_at): DeliveryColumns| Delivered {
        id,
        webhook,
        state,
        attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
        finished_at: moment(finished_at),
    };
    Ok(rows.into_iter().map(delivered).collect())
}
