//! Drafts: made, changed, deleted.

use ::invoices::{
    InvoiceError, Issuer,
    credits::demand,
    issuer::unknown,
    withholding::{
        Fields, NewWithholding, UpdateWithholding, Withholding, WithholdingId,
        drafting::{self, Known, issuer_of},
        stamping,
    },
};
use diesel::prelude::*;
use kernel::{Ctx, Refused};

use super::rows;
use crate::{
    error::{Failure, with_faults},
    invoices::{certificates, credits, issuers, known, provider},
    schema::withholdings,
    tx::Tx,
};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

pub(super) fn create(tx: &mut Tx<'_>, ctx: &Ctx, command: &NewWithholding) -> Outcome<Withholding> {
    let (known, withholding) = drafted(tx, ctx, &command.fields)?;
    if command.is_to_stamp {
        known.provider.ok_or(Refused::Rule(InvoiceError::NoProvider))?;
        ready(tx, ctx, &withholding, &known.issuer)?;
    }
    rows::insert(tx, ctx.account, &withholding)?;
    Ok(withholding)
}

/// The draft of these fields, which is not recorded yet. Where its issuer is unknown, what else is wrong is told as well,
/// as it would be of one of the default issuer.
fn drafted(tx: &mut Tx<'_>, ctx: &Ctx, fields: &Fields) -> Outcome<(Known, Withholding)> {
    match load(tx, ctx, fields, None) {
        Ok(known) => {
            let id = WithholdingId::from_u128(tx.ids.next());
            let withholding = drafting::create(fields.clone(), id, &known, ctx.now)?;
            Ok((known, withholding))
        }
        Err(Failure::Refused(Refused::Invalid(faults))) if fields.issuer.is_some() => {
            let fields = Fields { issuer: None, ..fields.clone() };
            with_faults(faults, drafted(tx, ctx, &fields))
        }
        Err(failure) => Err(failure),
    }
}

/// Refuses what could not be stamped, before there is a draft of it.
fn ready(tx: &mut Tx<'_>, ctx: &Ctx, withholding: &Withholding, issuer: &Issuer) -> Outcome<()> {
    let certificate = certificates::sealing(tx.db, ctx.account, &issuer.rfc)?;
    let certificate = certificate.ok_or(Refused::Rule(InvoiceError::NoCertificate))?;
    stamping::checked(withholding, issuer, &certificate, ctx.now)?;
    demand(credits::balance(tx.db, ctx.account)?)?;
    Ok(())
}

/// What the account has of the things that fields name, for a new draft or for one that is changed.
fn load(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    fields: &Fields,
    before: Option<&Withholding>,
) -> Outcome<Known> {
    let issuers = issuers::all(tx.db, ctx.account)?;
    let issuer = issuer_of(&issuers, fields, before)?;
    if !issuers::keep(tx, ctx.account, issuer.id)? {
        return Err(unknown().into());
    }
    let customer = match fields.customer.flatten() {
        Some(customer) => known::customer(tx, ctx.account, customer)?,
        None => None,
    };
    let provider = provider::choice(tx.db, ctx.account)?.kind;
    Ok(Known { issuer, customer, provider })
}

pub(super) fn update(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: &UpdateWithholding,
) -> Outcome<Withholding> {
    let before = rows::locked(tx, ctx.account, command.id, command.version)?;
    let known = load(tx, ctx, &command.fields, Some(&before))?;
    let after = drafting::change(&before, command.fields.clone(), &known, ctx.now)?;
    rows::save(tx, ctx.account, &after)?;
    rows::mark_redrafted(tx, ctx.account, &after)?;
    Ok(after)
}

pub(super) fn delete(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: WithholdingId,
    version: Option<i64>,
) -> Outcome<WithholdingId> {
    let withholding = rows::locked(tx, ctx.account, id, version)?;
    drafting::require_draft(&withholding)?;
    let this = (ctx.account.to_string(), id.to_string());
    diesel::delete(withholdings::table.find(this)).execute(tx.db)?;
    Ok(id)
}
