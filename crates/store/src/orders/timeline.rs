//! What has happened to an order, put together from what is on record of it and of what belongs to it.

use std::collections::{HashMap, HashSet};

use ::invoices::Draft;
use ::orders::{
    Order, OrderId, Shipment,
    timeline::{self, Delivered, ENTRIES_MAX, Entry, OrderInvoice, Paper, Story, in_order},
};
use diesel::{
    prelude::*,
    result::Error as DieselError,
    sql_types::{BigInt, Nullable, Text},
};
use kernel::{AccountId, Amount, Currency, Timestamp, id::EventId};
use serde::Deserialize;

use super::{order_by_id, progress, shipments};
use crate::{
    db::{Db, on},
    rows::{moment, read},
    schema::{approvals, events},
    statement::{Bound, Column, Statement},
    stored::from_text,
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
    let shipments = shipments::heads_of_order(db, account, id)?;
    let Told { mut entries, .. } = told(db, account, &order, shipments)?;
    delivered(db, &key, &mut entries)?;
    Ok(Some(in_order(entries)))
}

/// An order with what its page shows of it; `None` when the account has no such order.
pub(super) fn story(db: &mut Db, account: AccountId, id: OrderId) -> QueryResult<Option<Story>> {
    let order = order_by_id(db, &account.to_string(), &id.to_string())?;
    let Some(order) = order else { return Ok(None) };
    let shipments = shipments::heads_of_order(db, account, id)?;
    let shipped = progress::shipped_of(db, account, &order)?;
    let Told { mut entries, shipments, invoice, papers } = told(db, account, &order, shipments)?;
    for entry in &mut entries {
        entry.money = entry.money.or_else(|| Some((returned(entry)?, order.currency)));
    }
    let entries = in_order(entries);
    Ok(Some(Story { order, shipments, shipped, entries, papers, invoice }))
}

/// What goods were worth that came back.
fn returned(entry: &Entry) -> Option<Amount> {
    #[derive(Deserialize)]
    struct Body {
        data: Data,
    }
    #[derive(Deserialize)]
    struct Data {
        amount: Amount,
    }
    let event = entry.event.as_ref().filter(|_| entry.name == "order.returned")?;
    let body: Body = serde_json::from_str(&event.body).ok()?;
    Some(body.data.amount)
}

/// What has happened, in no order.
struct Told {
    entries: Vec<Entry>,
    shipments: Vec<Shipment>,
    invoice: Option<OrderInvoice>,
    papers: HashMap<String, Paper>,
}

/// What is on record of an order, without the deliveries of its events.
fn told(
    db: &mut Db,
    account: AccountId,
    order: &Order,
    shipments: Vec<Shipment>,
) -> QueryResult<Told> {
    let key = account.to_string();
    let mut begun = Beginnings::default();
    let placed = Some((order.total, order.currency));
    begun.add("order.created", order.id.to_string(), order.created_at, placed);
    let invoice = belongings(db, &key, order, &mut begun)?;
    begun.subjects.extend(shipments.iter().map(|shipment| shipment.id.to_string()));
    if let Some(note) = order.credit_note.map(|note| note.to_string()) {
        begun.subjects.push(note.clone());
        begun.documents.insert(note, "E".to_owned());
    }
    let approvals = approvals_of(db, &key, &begun.subjects)?;
    begun.subjects.extend(approvals);
    let Beginnings { subjects, mut entries, documents, papers } = begun;
    entries.extend(events_of(db, &key, &subjects)?);
    untold(&shipments, &mut entries);
    for entry in &mut entries {
        entry.document = documents.get(&entry.subject).cloned();
    }
    Ok(Told { entries, shipments, invoice, papers })
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
    /// The types of those that are invoices.
    documents: HashMap<String, String>,
    /// What these are called.
    papers: HashMap<String, Paper>,
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

/// Payments with their receipts, refunds and returns with their credit notes, payment links and the invoices of an order, by one
/// look, with the type and the number of each document. Returns and invoices tell of their own beginning; an invoice that the
/// order has left names itself as its document. Behind them are the drafts of all cancelled documents that refer to one of these
/// invoices, or to one that they replace: what they were made of names them no longer. The last are the number of the credit note
/// of a cancelled order, and those of what its invoices replace. Takes the account and the order for each of them, then the
/// account and that credit note.
const BELONGINGS: &str = "WITH RECURSIVE billed (account_id, id) AS (\
    SELECT account_id, invoice_id FROM invoice_orders WHERE account_id = ? AND order_id = ? \
    UNION SELECT account_id, invoice_id FROM former_invoices WHERE account_id = ? AND order_id = ? \
    UNION SELECT r.account_id, i.id FROM billed b CROSS JOIN invoice_relations r CROSS JOIN invoices i \
    WHERE r.account_id = b.account_id AND r.invoice_id = b.id AND r.relation || '' = '04' \
    AND i.account_id = r.account_id AND i.uuid = r.uuid) \
    SELECT 'payment.created', p.id, p.amount, p.currency, p.created_at, p.receipt_id, i.series, i.folio, 'P', NULL \
    FROM payments p LEFT JOIN invoices i ON i.account_id = p.account_id AND i.id = p.receipt_id \
    WHERE p.account_id = ? AND p.order_id = ? \
    UNION ALL SELECT 'refund.created', r.id, r.amount, r.currency, r.created_at, r.credit_note_id, i.series, i.folio, 'E', NULL \
    FROM refunds r LEFT JOIN invoices i ON i.account_id = r.account_id AND i.id = r.credit_note_id \
    WHERE r.account_id = ? AND r.order_id = ? \
    UNION ALL SELECT 'payment_link.created', id, NULL, NULL, created_at, NULL, NULL, NULL, NULL, NULL FROM payment_links \
    WHERE account_id = ? AND order_id = ? \
    UNION ALL SELECT '', r.id, NULL, NULL, 0, r.credit_note_id, i.series, i.folio, 'E', NULL \
    FROM order_returns r LEFT JOIN invoices i ON i.account_id = r.account_id AND i.id = r.credit_note_id \
    WHERE r.account_id = ? AND r.order_id = ? \
    UNION ALL SELECT '', h.invoice_id, NULL, NULL, 0, NULL, i.series, i.folio, i.kind, NULL FROM invoice_orders h \
    JOIN invoices i ON i.account_id = h.account_id AND i.id = h.invoice_id \
    WHERE h.account_id = ? AND h.order_id = ? \
    UNION ALL SELECT '', i.id, NULL, NULL, 0, i.id, i.series, i.folio, i.kind, NULL FROM former_invoices f CROSS JOIN invoices i \
    WHERE f.account_id = ? AND f.order_id = ? AND i.account_id = f.account_id AND i.id = f.invoice_id \
    UNION ALL SELECT '', p.id, NULL, NULL, 0, NULL, p.series, p.folio, p.kind, p.draft FROM billed b \
    CROSS JOIN invoices i CROSS JOIN invoice_relations r CROSS JOIN invoices p \
    WHERE i.account_id = b.account_id AND i.id = b.id AND r.account_id = i.account_id AND r.uuid = i.uuid \
    AND p.account_id = r.account_id AND p.id = r.invoice_id AND p.status || '' = 'cancelled' \
    UNION ALL SELECT 'numbered', id, NULL, NULL, 0, NULL, series, folio, NULL, NULL FROM invoices \
    WHERE account_id = ? AND id = ? \
    UNION ALL SELECT 'replaces', r.invoice_id, NULL, NULL, 0, NULL, i.series, i.folio, NULL, NULL FROM billed b \
    CROSS JOIN invoice_relations r CROSS JOIN invoices i \
    WHERE r.account_id = b.account_id AND r.invoice_id = b.id AND r.relation || '' = '04' \
    AND i.account_id = r.account_id AND i.uuid = r.uuid";
/// How often it takes them.
const ASKED_FOR: usize = 8;

type BelongingColumns = (
    Text,
    Text,
    Nullable<BigInt>,
    Nullable<Text>,
    BigInt,
    Nullable<Text>,
    Nullable<Text>,
    Nullable<BigInt>,
    Nullable<Text>,
    Nullable<Text>,
);
type BelongingRow = (
    String,
    String,
    Option<i64>,
    Option<String>,
    i64,
    Option<String>,
    Option<String>,
    Option<i64>,
    Option<String>,
    Option<String>,
);

/// Adds what belongs to an order, and gives its invoice, while it has one.
fn belongings(
    db: &mut Db,
    account: &str,
    order: &Order,
    begun: &mut Beginnings,
) -> QueryResult<Option<OrderInvoice>> {
    let (own, id) = (account.to_owned(), order.id.to_string());
    let note = order.credit_note.map(|note| note.to_string()).unwrap_or_default();
    let asked_for = std::iter::repeat_n(id, ASKED_FOR).chain([note]);
    let values: Vec<Bound> =
        asked_for.flat_map(|id| [Bound::from(own.clone()), id.into()]).collect();
    let mut rows: Vec<BelongingRow> =
        on!(db, |conn| Statement::<BelongingColumns>::new(BELONGINGS, values)
            .load::<BelongingRow>(conn))?;
    rows.sort_unstable_by(|one, other| one.1.cmp(&other.1));
    let mut invoice = None;
    let mut cancelled = Vec::new();
    for (name, id, amount, currency, at, document, series, folio, kind, draft) in rows {
        let folio = folio.and_then(|folio| u64::try_from(folio).ok());
        let number = series.clone().zip(folio);
        if name == "replaces" {
            begun.papers.entry(id).or_default().replaces.extend(number);
            continue;
        }
        if number.is_some() {
            let paper = document.as_ref().unwrap_or(&id).clone();
            begun.papers.entry(paper).or_default().number = number;
        }
        if let Some(draft) = draft {
            cancelled.push((id, kind, from_text::<Draft>(&draft)?));
            continue;
        }
        match (name.as_str(), &document, series) {
            ("numbered", ..) => {}
            ("", None, Some(series)) => {
                begun.subjects.push(id.clone());
                begun.documents.extend(kind.map(|kind| (id.clone(), kind)));
                invoice = Some(OrderInvoice { id, series, folio });
            }
            ("", ..) => {
                begun.subjects.push(id);
                begun.documents.extend(document.clone().zip(kind));
            }
            (name, ..) => {
                let currency = currency.map(|code| crate::rows::currency(&code)).transpose()?;
                let money = amount.map(Amount::from_micros).zip(currency);
                begun.add(name, id, Timestamp::from_micros(at), money);
                begun.documents.extend(document.clone().zip(kind));
            }
        }
        begun.subjects.extend(document);
    }
    begun.papers.values_mut().for_each(|paper| paper.replaces.sort_unstable());
    // An invoice may be of many orders: of what refers to it, this one's is what was made of something of this one.
    for (id, kind, draft) in cancelled {
        if made_of(&draft).any(|what| begun.subjects.contains(&what)) {
            begun.documents.extend(kind.map(|kind| (id.clone(), kind)));
            begun.subjects.push(id);
        }
    }
    Ok(invoice)
}

/// What a receipt or a credit note was drafted of: its payment, refund, return or cancelled order.
fn made_of(draft: &Draft) -> impl Iterator<Item = String> {
    let of = [
        draft.payment.map(|id| id.to_string()),
        draft.refund.map(|id| id.to_string()),
        draft.goods.map(|id| id.to_string()),
        draft.cancelled_order.map(|id| id.to_string()),
    ];
    of.into_iter().flatten()
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

/// Every event of these.
fn events_of(db: &mut Db, account: &str, subjects: &[String]) -> QueryResult<Vec<Entry>> {
    let rows: Vec<EventColumns> = events::table
        .filter(events::account_id.eq(account))
        .filter(events::entity_id.eq_any(subjects))
        // As the index has it: the order itself says when it was placed.
        .filter(events::name.ne("order.created"))
        .order(events::id)
        .limit(i64::try_from(ENTRIES_MAX).unwrap_or(i64::MAX))
        .select((events::id, events::name, events::entity_id, events::body, events::created_at))
        .load(db)?;
    let entry = |(id, name, subject, body, at): EventColumns| {
        let id = read(&id, EventId::parse)?;
        let event = Some(timeline::Told { id, body, deliveries: Vec::new() });
        let at = Timestamp::from_micros(at);
        Ok(Entry { at, name, subject, document: None, money: None, event })
    };
    rows.into_iter().map(entry).collect()
}

/// Deliveries of events, each between two identifiers. Takes the events with these, and the account. They are looked for in the order
/// of their key, by event and webhook: neither database turns the joins round.
macro_rules! sent {
    ($events:literal, $deliveries:literal) => {
        concat!(
            "SELECT d.event_id, d.id, d.subscription_id, d.state, d.attempts, d.finished_at FROM ",
            $events,
            " CROSS JOIN subscriptions s CROSS JOIN ",
            $deliveries
        )
    };
}
const SENT_SQLITE: &str = sent!(
    "json_each(?) w",
    "deliveries d WHERE s.account_id = ? AND d.account_id = s.account_id AND d.subscription_id = s.id \
     AND d.id >= w.value ->> 1 AND d.id < w.value ->> 2 AND d.event_id = w.value ->> 0"
);
const SENT_POSTGRES: &str = sent!(
    "? AS w (event_id, least, beyond)",
    "LATERAL (SELECT r.event_id, r.id, r.subscription_id, r.state, r.attempts, r.finished_at FROM deliveries r \
     WHERE r.account_id = s.account_id AND r.subscription_id = s.id AND r.id >= w.least AND r.id < w.beyond \
     AND r.event_id = w.event_id OFFSET 0) d WHERE s.account_id = ?"
);

type DeliveryColumns = (Text, Text, Text, Text, BigInt, Nullable<BigInt>);
type DeliveryRow = (String, String, String, String, i64, Option<i64>);

/// Adds to events their deliveries. They are made right after the event, and their identifiers say so.
fn delivered(db: &mut Db, account: &str, entries: &mut [Entry]) -> QueryResult<()> {
    let bound = |moment| ::webhooks::DeliveryId::least_at(moment).to_string();
    let told = entries.iter().filter_map(|entry| entry.event.as_ref());
    let sought: Vec<[String; 3]> = told
        .map(|event| {
            let made = event.id.minted_at();
            let last = made.micros().saturating_add(DELIVERED_WITHIN_MICROS);
            [event.id.to_string(), bound(made), bound(Timestamp::from_micros(last))]
        })
        .collect();
    if sought.is_empty() {
        return Ok(());
    }
    let mut found: HashMap<String, Vec<Delivered>> = HashMap::new();
    for (event, id, webhook, state, attempts, finished_at) in sent(db, account, &sought)? {
        let attempts = u32::try_from(attempts).unwrap_or(u32::MAX);
        let finished_at = moment(finished_at);
        let delivered = Delivered { id, webhook, state, attempts, finished_at };
        found.entry(event).or_default().push(delivered);
    }
    for event in entries.iter_mut().filter_map(|entry| entry.event.as_mut()) {
        event.deliveries = found.remove(&event.id.to_string()).unwrap_or_default();
    }
    Ok(())
}

/// The deliveries of some events, in the order of their identifiers.
fn sent(db: &mut Db, account: &str, sought: &[[String; 3]]) -> QueryResult<Vec<DeliveryRow>> {
    let account = Bound::from(account.to_owned());
    let mut rows: Vec<DeliveryRow> = match db {
        Db::Postgres(conn) => {
            let column = |place: usize| {
                let values = sought.iter().filter_map(|keys| keys.get(place).cloned());
                Column::Texts(values.collect())
            };
            let events: Vec<Column> = (0..3).map(column).collect();
            Statement::<DeliveryColumns>::new(SENT_POSTGRES, [events.into(), account]).load(conn)?
        }
        Db::Sqlite(conn) => {
            let events = serde_json::to_string(sought)
                .map_err(|error| DieselError::SerializationError(Box::new(error)))?;
            Statement::<DeliveryColumns>::new(SENT_SQLITE, [events.into(), account]).load(conn)?
        }
    };
    rows.sort_unstable_by(|(_, one, ..), (_, other, ..)| one.cmp(other));
    Ok(rows)
}
