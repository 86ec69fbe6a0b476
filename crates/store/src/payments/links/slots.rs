//! The slots of links, which change with the payments of each.

use ::payments::{
    InvoiceId, OrderId, PaymentId, PaymentLinkId,
    link::{self, SlotChange, Stage},
};
use diesel::prelude::*;
use kernel::{AccountId, Timestamp};

use super::{
    super::{money::call_off, rows},
    LinkRow, this,
};
use crate::{
    db::{Db, first_locked},
    rows::read,
    schema::{payment_links as table, payment_links::dsl},
    tx::Tx,
};

/// Counts that a payment of a link has moved, and closes the link once it was paid as often as it can be: whoever is
/// still paying then is called off.
pub(in crate::payments) fn moved(
    tx: &mut Tx<'_>,
    account: AccountId,
    (id, payment): (PaymentLinkId, PaymentId),
    change: SlotChange,
    now: Timestamp,
) -> QueryResult<()> {
    let own = this(account.to_string(), id.to_string());
    let Some(row) = first_locked!(tx.db, LinkRow, own)? else { return Ok(()) };
    let (taken, paid_count) = (row.taken + change.taken, row.paid_count + change.paid);
    let is_for_due = row.order_id.is_some() || row.invoice_id.is_some();
    let is_paid_up = link::is_paid_up(is_for_due, row.payments_max, paid_count);
    let is_completed = is_paid_up && row.stage == Stage::Active.name();
    let stage = if is_completed { Stage::Completed.name().to_owned() } else { row.stage };
    diesel::update(this(account.to_string(), id.to_string()))
        .set((
            dsl::taken.eq(taken),
            dsl::paid_count.eq(paid_count),
            dsl::stage.eq(stage),
            dsl::updated_at.eq(now.micros()),
            dsl::version.eq(row.version + 1),
        ))
        .execute(tx.db)?;
    if is_paid_up && change.paid > 0 && taken > 0 {
        for other in rows::open_of_link(tx.db, account, id)? {
            if other.id != payment {
                call_off(tx, account, &other, now)?;
            }
        }
    }
    Ok(())
}

type CountColumns = (Option<String>, Option<String>, Option<i64>, i64);

/// Whether a link was paid as often as it can be.
pub(in crate::payments) fn is_paid_up(
    db: &mut Db,
    account: AccountId,
    id: PaymentLinkId,
) -> QueryResult<bool> {
    let counts: Option<CountColumns> = this(account.to_string(), id.to_string())
        .select((dsl::order_id, dsl::invoice_id, dsl::payments_max, dsl::paid_count))
        .first(db)
        .optional()?;
    Ok(counts.is_some_and(|(order, invoice, max, paid)| {
        link::is_paid_up(order.is_some() || invoice.is_some(), max, paid)
    }))
}

/// Closes the links of an order for which nothing is due any more.
pub(in crate::payments) fn settle(
    tx: &mut Tx<'_>,
    account: AccountId,
    order: OrderId,
    is_cancelled: bool,
    now: Timestamp,
) -> QueryResult<()> {
    let stage = if is_cancelled { Stage::Inactive } else { Stage::Completed };
    let own = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::order_id.eq(order.to_string()))
        .filter(dsl::stage.eq(Stage::Active.name()));
    diesel::update(own)
        .set((
            dsl::stage.eq(stage.name()),
            dsl::updated_at.eq(now.micros()),
            dsl::version.eq(dsl::version + 1),
        ))
        .execute(tx.db)
        .map(drop)
}

/// Closes the links of an invoice of which nothing is due any more; which these are, closed before or not.
pub(in crate::payments) fn settle_invoice(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: InvoiceId,
    is_cancelled: bool,
    now: Timestamp,
) -> QueryResult<Vec<PaymentLinkId>> {
    let own = || {
        table::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::invoice_id.eq(invoice.to_string()))
    };
    let ids: Vec<String> = own().select(dsl::id).load(tx.db)?;
    if !ids.is_empty() {
        let stage = if is_cancelled { Stage::Inactive } else { Stage::Completed };
        diesel::update(own().filter(dsl::stage.eq(Stage::Active.name())))
            .set((
                dsl::stage.eq(stage.name()),
                dsl::updated_at.eq(now.micros()),
                dsl::version.eq(dsl::version + 1),
            ))
            .execute(tx.db)?;
    }
    ids.iter().map(|id| read(id, PaymentLinkId::parse)).collect()
}
