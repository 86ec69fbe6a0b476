//! Drafts: made, changed, deleted, copied.

use ::invoices::{
    CopyInvoice, Fields, Invoice, InvoiceError, InvoiceId, Issuer, Known, NewInvoice,
    UpdateInvoice,
    credits::demand,
    drafting::{self, Changed, Created},
    stamping,
};
use diesel::prelude::*;
use kernel::{Ctx, Refused};

use super::{certificates, credits, facts, holders, known, papers, rows};
use crate::{
    error::{Failure, with_faults},
    events::append,
    schema::{invoice_facts, invoices},
    tx::Tx,
};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

pub(crate) fn create(tx: &mut Tx<'_>, ctx: &Ctx, command: &NewInvoice) -> Outcome<Invoice> {
    let (known, created) = drafted(tx, ctx, command)?;
    if command.is_to_stamp {
        known.provider.ok_or(Refused::Rule(InvoiceError::NoProvider))?;
        ready(tx, ctx, &created.invoice, &known.issuer)?;
    }
    record(tx, ctx, created)
}

/// The draft that is asked for, not recorded yet. Where its issuer is unknown or not that of its branch, what else is
/// wrong is told as well, as it would be of one that names no issuer.
fn drafted(tx: &mut Tx<'_>, ctx: &Ctx, command: &NewInvoice) -> Outcome<(Known, Created)> {
    match known::load(tx, ctx.account, (command.kind, &command.fields), None) {
        Ok(known) => {
            let id = InvoiceId::from_u128(tx.ids.next());
            let created = drafting::create(command, id, &known, ctx.now)?;
            Ok((known, created))
        }
        Err(Failure::Refused(Refused::Invalid(faults))) if command.fields.issuer.is_some() => {
            let fields = Fields { issuer: None, ..command.fields.clone() };
            with_faults(faults, drafted(tx, ctx, &NewInvoice { fields, ..*command }))
        }
        Err(failure) => Err(failure),
    }
}

/// Refuses what could not be stamped, before there is a draft of it.
fn ready(tx: &mut Tx<'_>, ctx: &Ctx, invoice: &Invoice, issuer: &Issuer) -> Outcome<()> {
    let certificate = certificates::sealing(tx.db, ctx.account, &issuer.rfc)?;
    let certificate = certificate.ok_or(Refused::Rule(InvoiceError::NoCertificate))?;
    let debts = known::debts(tx.db, ctx.account, &invoice.draft)?;
    stamping::checked(invoice, issuer, &certificate, &debts, ctx.now)?;
    demand(credits::balance(tx.db, ctx.account)?)?;
    Ok(())
}

pub(super) fn copy(tx: &mut Tx<'_>, ctx: &Ctx, command: &CopyInvoice) -> Outcome<Invoice> {
    let original = rows::by_id(tx.db, ctx.account, command.id)?.ok_or(Refused::NotFound)?;
    let nothing = (original.draft.kind, &Fields::default());
    let known = known::load(tx, ctx.account, nothing, Some(&original))?;
    let id = InvoiceId::from_u128(tx.ids.next());
    let created = drafting::copy(&original, command.replaces, id, &known, ctx.now)?;
    record(tx, ctx, created)
}

pub(super) fn record(tx: &mut Tx<'_>, ctx: &Ctx, created: Created) -> Outcome<Invoice> {
    let Created { invoice, orders, events } = created;
    holders::apply(tx, ctx.account, &orders)?;
    rows::insert(tx, ctx.account, &invoice)?;
    facts::keep(tx, ctx.account, &invoice)?;
    append(tx, ctx.account, ctx.now, events)?;
    Ok(invoice)
}

pub(super) fn update(tx: &mut Tx<'_>, ctx: &Ctx, command: &UpdateInvoice) -> Outcome<Invoice> {
    let before = rows::locked(tx, ctx.account, command.id, command.version)?;
    let fields = (before.draft.kind, &command.fields);
    let known = known::load(tx, ctx.account, fields, Some(&before))?;
    let Changed { invoice, orders } = drafting::change(&before, &command.fields, &known, ctx.now)?;
    holders::apply(tx, ctx.account, &orders)?;
    rows::save(tx, ctx.account, &invoice)?;
    rows::mark_redrafted(tx, ctx.account, &invoice)?;
    papers::require_room(tx, ctx.account, Some(&before), &invoice)?;
    facts::keep(tx, ctx.account, &invoice)?;
    Ok(invoice)
}

pub(super) fn delete(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: InvoiceId,
    version: Option<i64>,
) -> Outcome<InvoiceId> {
    let invoice = rows::locked(tx, ctx.account, id, version)?;
    let holders = holders::load(tx, ctx.account, invoice.draft.orders.iter().copied())?;
    let freed = drafting::delete(&invoice, &holders)?;
    holders::apply(tx, ctx.account, &freed)?;
    papers::count(tx, ctx.account, Some(&invoice), None)?;
    papers::gone(tx, ctx.account, &invoice, ctx.now)?;
    let (account, this) = (ctx.account.to_string(), id.to_string());
    diesel::delete(invoices::table.find((&account, &this))).execute(tx.db)?;
    diesel::delete(invoice_facts::table.find((&account, &this))).execute(tx.db)?;
    Ok(id)
}
