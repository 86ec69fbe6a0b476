//! What receipts of payments take off what is owed of invoices.

use std::collections::{BTreeMap, BTreeSet};

use ::invoices::{Debts, Invoice, InvoiceError, InvoiceId, PaidInvoice, Status};
use diesel::QueryResult;
use kernel::{AccountId, Amount, Refused, Timestamp};

use super::{relations, rows};
use crate::{db::Db, error::Failure, tx::Tx};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

/// What is paid of each own invoice, and by how many payments.
type Paid = BTreeMap<InvoiceId, (Amount, u32)>;

fn paid(receipt: &Invoice) -> Paid {
    let mut sums = Paid::new();
    add(&mut sums, receipt);
    sums
}

fn add(sums: &mut Paid, receipt: &Invoice) {
    for payment in &receipt.draft.payments {
        for document in &payment.documents {
            if let PaidInvoice::Own(id) = &document.invoice {
                let (sum, count) = sums.entry(*id).or_default();
                *sum = cfdi::decimal::sum([*sum, document.amount]);
                *count += 1;
            }
        }
    }
}

/// What the living receipts whose place a receipt takes have paid: it goes over to the new one.
fn carried(db: &mut Db, account: AccountId, receipt: &Invoice) -> QueryResult<Paid> {
    let replaced: Vec<String> = receipt.draft.replaces().map(str::to_owned).collect();
    carried_from(db, account, &replaced)
}

fn carried_from(db: &mut Db, account: AccountId, replaced: &[String]) -> QueryResult<Paid> {
    let mut sums = Paid::new();
    for uuid in replaced {
        let own = rows::by_uuid(db, account, uuid)?;
        if let Some(receipt) = own.filter(|own| own.status == Status::Stamped) {
            add(&mut sums, &receipt);
        }
    }
    Ok(sums)
}

/// What is owed as a receipt sees it that takes the place of others: without what those have paid.
pub(super) fn carry_over(
    db: &mut Db,
    account: AccountId,
    replaced: &[String],
    debts: &mut Debts,
) -> QueryResult<()> {
    for (id, (sum, count)) in carried_from(db, account, replaced)? {
        if let Some(owed) = debts.get_mut(&id) {
            owed.balance = cfdi::decimal::sum([owed.balance, sum]);
            owed.installments = owed.installments.saturating_sub(count);
        }
    }
    Ok(())
}

/// Takes what a receipt pays off what is owed, if that is still what the receipt says.
pub(super) fn pay(
    tx: &mut Tx<'_>,
    account: AccountId,
    receipt: &Invoice,
    debts: &Debts,
    now: Timestamp,
) -> Outcome<()> {
    let (paid, carried) = (paid(receipt), carried(tx.db, account, receipt)?);
    for id in paid.keys().chain(carried.keys()).copied().collect::<BTreeSet<_>>() {
        let mut invoice = rows::locked::<InvoiceError>(tx, account, id, None)?;
        // Until another receipt is stamped nobody knows what is owed after it.
        if relations::is_being_receipted(tx.db, account, &invoice, receipt.id)? {
            return Err(Refused::Rule(InvoiceError::UnderWay).into());
        }
        let (back, fewer) = carried.get(&id).copied().unwrap_or_default();
        let balance = invoice.balance.map(|balance| cfdi::decimal::sum([balance, back]));
        let installments = invoice.installments.saturating_sub(fewer);
        let (sum, count) = paid.get(&id).copied().unwrap_or_default();
        let seen = debts.get(&id);
        let is_same = count == 0
            || seen.is_some_and(|seen| {
                Some(seen.balance) == balance && seen.installments == installments
            });
        if !is_same {
            return Err(Refused::Stale.into());
        }
        invoice.balance = balance.map(|balance| cfdi::decimal::less(balance, sum));
        invoice.installments = installments + count;
        rows::save(tx, account, &mut invoice, now)?;
    }
    Ok(())
}

/// Gives back what a receipt took off that was not stamped, or is cancelled; what it carried over from living
/// receipts goes back to those.
pub(super) fn unpay(
    tx: &mut Tx<'_>,
    account: AccountId,
    receipt: &Invoice,
    now: Timestamp,
) -> Outcome<()> {
    let (paid, carried) = (paid(receipt), carried(tx.db, account, receipt)?);
    for id in paid.keys().chain(carried.keys()).copied().collect::<BTreeSet<_>>() {
        let mut invoice = rows::locked::<InvoiceError>(tx, account, id, None)?;
        let (sum, count) = paid.get(&id).copied().unwrap_or_default();
        let (back, fewer) = carried.get(&id).copied().unwrap_or_default();
        let balance = invoice.balance.map(|balance| cfdi::decimal::sum([balance, sum]));
        invoice.balance = balance.map(|balance| cfdi::decimal::less(balance, back));
        // The numbers of later receipts stay taken.
        if last_installment(receipt, &invoice) == Some(invoice.installments) {
            invoice.installments = invoice.installments.saturating_sub(count) + fewer;
        }
        rows::save(tx, account, &mut invoice, now)?;
    }
    Ok(())
}

/// The same of a cancelled receipt, unless another living one has taken its place and what it paid with it.
pub(super) fn unpay_cancelled(
    tx: &mut Tx<'_>,
    account: AccountId,
    receipt: &Invoice,
    now: Timestamp,
) -> Outcome<()> {
    let Some(uuid) = receipt.uuid() else { return Ok(()) };
    let replaced = !relations::to(tx.db, account, uuid)?.replacing.is_empty();
    if replaced { Ok(()) } else { unpay(tx, account, receipt, now) }
}

/// The last number that a receipt gives a payment of an invoice.
fn last_installment(receipt: &Invoice, invoice: &Invoice) -> Option<u32> {
    let documents = receipt.document.payments.iter().flat_map(|payment| &payment.documents);
    let own = documents.filter(|paid| invoice.uuid() == Some(paid.uuid.as_str()));
    own.map(|paid| paid.installment).max()
}
