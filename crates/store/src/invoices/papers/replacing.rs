//! What becomes of payments and papers when an invoice takes the place of another.

use ::invoices::{Invoice, InvoiceId, Status, credit_notes, papers};
use ::tasks::Task;
use cfdi::document::DocumentType;
use diesel::QueryResult;
use kernel::{AccountId, Ctx, Refused, Timestamp};

use super::{Outcome, paper_locked, rows, write};
use crate::{
    db::Db,
    invoices::{around, relations},
    orders, payments,
    tx::Tx,
};

/// The living documents that take the place of another, the one that its cancellation names first: a sale may be replaced by
/// several.
pub(in crate::invoices) fn successors(
    db: &mut Db,
    account: AccountId,
    document: &Invoice,
) -> QueryResult<Vec<Invoice>> {
    let Some(uuid) = document.uuid() else { return Ok(Vec::new()) };
    let asked = document.cancellation.as_ref();
    let named = asked.and_then(|asked| asked.replacement_uuid.as_deref());
    let is_named = |other: &Invoice| {
        named.zip(other.uuid()).is_some_and(|(named, own)| named.eq_ignore_ascii_case(own))
    };
    let referrers = relations::with_successors(db, account, uuid)?.into_iter();
    let living = referrers.filter(|other| other.is_active() && other.replaces());
    let mut living: Vec<Invoice> = living.map(|other| other.invoice).collect();
    living.sort_by_key(|other| !is_named(other));
    Ok(living)
}

/// Has the payments of a cancelled sale pay the one that has taken its place: whichever of the two was stamped or cancelled
/// last.
pub(super) fn hand_over(
    tx: &mut Tx<'_>,
    account: AccountId,
    (cancelled, successor): (&Invoice, &Invoice),
    now: Timestamp,
) -> QueryResult<()> {
    let is_over = cancelled.status == Status::Cancelled && successor.status == Status::Stamped;
    if !is_over || !is_sale(cancelled) || !is_sale(successor) {
        return Ok(());
    }
    payments::papers::handed_over(tx, account, (cancelled, successor), now)?;
    payments::settle_invoice(tx, account, successor, None, now)?;
    payments::papers::note_receipt_due(tx, account, successor)
}

/// Has the papers made of the sales that a cancelled one had taken the place of and that are still there, unless another takes
/// it.
pub(super) fn taken_up_again(
    tx: &mut Tx<'_>,
    account: AccountId,
    cancelled: &Invoice,
    now: Timestamp,
) -> QueryResult<()> {
    for standing in around::standing(tx.db, account, &cancelled.draft)? {
        if is_sale(&standing) {
            payments::papers::replacement_cancelled(tx, account, &standing, now)?;
        }
    }
    Ok(())
}

/// Has it told no longer what papers wait for, now that one of two sales is cancelled: their tasks, which are open, look again.
pub(super) fn wait_no_more(
    tx: &mut Tx<'_>,
    account: AccountId,
    cancelled: &Invoice,
    now: Timestamp,
) -> QueryResult<()> {
    let mut others = successors(tx.db, account, cancelled)?;
    others.extend(around::standing(tx.db, account, &cancelled.draft)?);
    others.retain(is_sale);
    if others.is_empty() {
        return Ok(());
    }
    others.push(cancelled.clone());
    for invoice in &others {
        payments::papers::wait_no_more(tx, account, invoice, now)?;
        let billed: Vec<String> = invoice.draft.orders.iter().map(ToString::to_string).collect();
        orders::returns_wait_no_more(tx, account, &billed)?;
    }
    Ok(())
}

/// To which task the paper of an invoice is left.
pub(super) enum LeftTo {
    /// To that of its own invoice.
    Own,
    /// To the one that it gets once one of two invoices is cancelled of which one has taken the place of the other. It is made of the
    /// one that stays, whichever that is, with those that are made anew and in their order.
    Later(Waiting),
}

/// That a paper waits for one of two invoices to be cancelled.
pub(super) struct Waiting {
    /// What is told until then.
    pub(super) told: String,
    /// Of which others than its own it may be made then.
    pub(super) others: Vec<Invoice>,
}

/// Whether the paper of an invoice, which is locked, is left to another task.
pub(super) fn left_to_other(
    tx: &mut Tx<'_>,
    task: &Task,
    invoice: Option<&Invoice>,
    now: Timestamp,
) -> Outcome<Option<LeftTo>> {
    let Some(invoice) = invoice else { return Ok(None) };
    if payments::papers::left_to_own(tx, task, invoice, now)? {
        return Ok(Some(LeftTo::Own));
    }
    let beside = Beside::load(tx.db, task.account, invoice)?;
    if beside.is_being_replaced() {
        // Nobody knows yet whether it takes the place.
        return Err(Refused::Busy.into());
    }
    Ok(beside.waits(invoice).map(|told| LeftTo::Later(Waiting { told, others: beside.others() })))
}

/// What a paper that is gone waits for, to be made anew.
pub(super) fn waits_anew(
    db: &mut Db,
    account: AccountId,
    paper: &Invoice,
) -> QueryResult<Option<String>> {
    for invoice in named(db, account, paper)? {
        let beside = Beside::load(db, account, &invoice)?;
        if invoice.status == Status::Stamped && !beside.is_being_replaced() {
            return Ok(beside.waits(&invoice));
        }
    }
    Ok(None)
}

/// The sales beside another, of which one is to be cancelled.
struct Beside {
    /// Those whose place it has taken, which are stamped.
    replaced: Vec<Invoice>,
    /// Those that take its place.
    replacements: Vec<Invoice>,
}

impl Beside {
    fn load(db: &mut Db, account: AccountId, invoice: &Invoice) -> QueryResult<Self> {
        if !is_sale(invoice) {
            return Ok(Self { replaced: Vec::new(), replacements: Vec::new() });
        }
        let mut replacements = successors(db, account, invoice)?;
        replacements.retain(is_sale);
        let mut replaced = around::standing(db, account, &invoice.draft)?;
        replaced.retain(is_sale);
        Ok(Self { replaced, replacements })
    }

    fn is_being_replaced(&self) -> bool {
        self.replacements.iter().any(|other| other.status == Status::Stamping)
    }

    fn others(self) -> Vec<Invoice> {
        self.replaced.into_iter().chain(self.replacements).collect()
    }

    /// What the papers of the sale that these are beside wait for: of several pairs, the first to be seen to.
    fn waits(&self, invoice: &Invoice) -> Option<String> {
        match (self.replaced.first(), self.replacements.first()) {
            (Some(replaced), _) => Some(papers::waits(replaced, invoice)),
            (None, Some(replacement)) => Some(papers::waits(invoice, replacement)),
            (None, None) => None,
        }
    }
}

fn is_sale(invoice: &Invoice) -> bool {
    invoice.draft.kind == DocumentType::Income
}

/// Deletes the draft of a paper that refers to a cancelled invoice: it is made anew for the one that has taken its place.
pub(super) fn delete_outdated(
    tx: &mut Tx<'_>,
    account: AccountId,
    paper: Option<::payments::InvoiceId>,
    now: Timestamp,
) -> Outcome<()> {
    let Some(id) = paper.map(|id| InvoiceId::from_u128(id.to_u128())) else { return Ok(()) };
    let paper = rows::by_id(tx.db, account, id)?;
    let Some(paper) = paper.filter(|paper| paper.status == Status::Draft) else { return Ok(()) };
    let named = named(tx.db, account, &paper)?;
    if !named.iter().any(|invoice| invoice.status == Status::Cancelled) {
        return Ok(());
    }
    // Its stamping may have begun since it was read.
    let paper = paper_locked(tx, account, id)?;
    if paper.is_some_and(|paper| paper.status == Status::Draft) {
        write::delete(tx, &Ctx::system(account, now), id, None)?;
    }
    Ok(())
}

/// The own invoices that a receipt pays, or that a credit note lowers.
fn named(db: &mut Db, account: AccountId, paper: &Invoice) -> QueryResult<Vec<Invoice>> {
    let mut named = Vec::new();
    for paid in paper.draft.paid_invoices() {
        named.extend(rows::by_id(db, account, paid)?);
    }
    for uuid in credit_notes::lowered(&paper.draft) {
        named.extend(rows::by_uuid(db, account, uuid)?);
    }
    Ok(named)
}
