//! Credit notes of goods that came back before they were paid.

use ::invoices::{
    Invoice, InvoiceId,
    papers::{self, Bought, CameBack, GivenBack, Step},
};
use ::orders::{Return, ReturnId};
use ::tasks::Task;
use cfdi::document::DocumentType;
use diesel::QueryResult;
use kernel::{AccountId, Amount, Ctx, Refused, Timestamp};

use super::{
    Outcome,
    given_back::{by_taxes, left_by_taxes, notes_of_order},
    is_to_be_stamped, known, known_paper, locked, made, over,
    replacing::{LeftTo, delete_outdated, left_to_other},
    rows, write,
};
use crate::{
    db::Db,
    orders::{note_return_credited, note_return_waits, order_of, return_by_id, returns_of},
    tx::Tx,
};

/// Has goods credited that came back and were never paid. Returns of one order are credited one after the other, since each
/// locks its invoice.
pub(super) fn goods_step(
    tx: &mut Tx<'_>,
    task: &Task,
    id: ReturnId,
    now: Timestamp,
) -> Outcome<Step> {
    let account = task.account;
    let order = found(tx, account, id)?.order;
    let billed = ::invoices::OrderId::from_u128(order.to_u128());
    let invoice = rows::of_order(tx.db, account, billed)?;
    let invoice = locked(tx, account, invoice)?;
    let waits = match left_to_other(tx, task, invoice.as_ref(), now)? {
        Some(LeftTo::Own) => return over(tx, task, now),
        Some(LeftTo::Later(waiting)) => Some(waiting.told),
        None => None,
    };
    if invoice.is_some() && waits.is_none() {
        let note = found(tx, account, id)?.credit_note;
        let note = note.map(|note| ::payments::InvoiceId::from_u128(note.to_u128()));
        delete_outdated(tx, account, note, now)?;
    }
    let record = found(tx, account, id)?;
    if let Some(waits) = waits {
        show_wait(tx, account, (&record, invoice), waits)?;
        return over(tx, task, now);
    }
    note_return_waits(tx, account, &record, None)?;
    if let Some(note) = record.credit_note {
        let id = InvoiceId::from_u128(note.to_u128());
        return known_paper(tx, task, id, |issuer| issuer.stamps_credit_notes, now);
    }
    let Some(invoice) = invoice.filter(|invoice| invoice.balance.is_some()) else {
        return over(tx, task, now);
    };
    let (given, notes) = due(tx.db, account, &record, &invoice)?;
    waived(
        tx,
        task,
        (&given, &invoice, &notes),
        |tx, note| note_return_credited(tx, account, id, Ok(Some(note))),
        now,
    )
}

/// What of goods that came back is to be credited of an invoice, which may be nothing, beside these other credit notes.
fn due(
    db: &mut Db,
    account: AccountId,
    record: &Return,
    invoice: &Invoice,
) -> Outcome<(GivenBack, Vec<Invoice>)> {
    // Read before their order, which is not locked: one that it does not know of yet would be thought away from it.
    let returns = returns_of(db, account, record.order)?;
    let order = order_of(db, account, record.order)?.ok_or(Refused::NotFound)?;
    let notes = notes_of_order(db, account, order.id, invoice)?;
    let later = returns.iter().filter(|other| other.id > record.id && other.credit_note.is_none());
    let after = order.without_returns(later);
    let before = after.without_returns([record]);
    let bought = match order.credit_note {
        // All that was left of it when it was cancelled is credited, and is asked for no longer.
        Some(_) => Bought { asked: Amount::ZERO, kept: Vec::new(), paid: order.amount_paid() },
        None => Bought {
            asked: after.amount_charged_net(),
            kept: left_by_taxes(&after),
            paid: order.amount_paid(),
        },
    };
    let worth = before.amount_charged_net().micros() - after.amount_charged_net().micros();
    let returned = by_taxes(&order, record);
    let goods = CameBack { worth: Amount::from_micros(worth), returned };
    let amount = papers::unpaid(invoice, &notes, &bought, &goods);
    let credited = ::invoices::ReturnId::from_u128(record.id.to_u128());
    let given = GivenBack::goods(credited, amount, order.currency, goods.returned, bought.kept);
    Ok((given, notes))
}

/// Shows of a return what its credit note waits for, if one is still to be made or stamped.
fn show_wait(
    tx: &mut Tx<'_>,
    account: AccountId,
    (record, invoice): (&Return, Option<Invoice>),
    waits: String,
) -> Outcome<()> {
    let invoice = invoice.filter(|invoice| invoice.balance.is_some());
    let is_awaited = match (record.credit_note, invoice) {
        (Some(note), _) => {
            let id = InvoiceId::from_u128(note.to_u128());
            is_to_be_stamped(tx.db, account, id, |issuer| issuer.stamps_credit_notes)?
        }
        (None, Some(invoice)) => due(tx.db, account, record, &invoice)?.0.amount > Amount::ZERO,
        (None, None) => false,
    };
    Ok(note_return_waits(tx, account, record, is_awaited.then_some(waits))?)
}

/// Has so much credited that was never paid, if it is anything, and the credit note taken down.
pub(super) fn waived(
    tx: &mut Tx<'_>,
    task: &Task,
    (given, invoice, notes): (&GivenBack, &Invoice, &[Invoice]),
    noted: impl FnOnce(&mut Tx<'_>, ::orders::InvoiceId) -> QueryResult<()>,
    now: Timestamp,
) -> Outcome<Step> {
    if given.amount <= Amount::ZERO {
        return over(tx, task, now);
    }
    let account = task.account;
    let fields = papers::credit_note_fields(given, invoice);
    let known = known::load(tx, account, (DocumentType::Credit, &fields), None)?;
    let new = InvoiceId::from_u128(tx.ids.next());
    let created = papers::credit_note(given, invoice, notes, new, &known, now)?;
    let ctx = Ctx::system(account, now);
    let note = write::record(tx, &ctx, created)?;
    noted(tx, ::orders::InvoiceId::from_u128(note.id.to_u128()))?;
    made(tx, task, &note, known.issuer.stamps_credit_notes, now)
}

fn found(tx: &mut Tx<'_>, account: AccountId, id: ReturnId) -> Outcome<Return> {
    Ok(return_by_id(tx.db, account, id)?.ok_or(Refused::NotFound)?)
}
