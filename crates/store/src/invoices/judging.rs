//! Drafts that are looked at before they are made or changed: nothing is written.

use ::invoices::{InvoiceError, InvoiceId, Judged, Proposed, drafting, stamping};
use diesel::QueryResult;
use kernel::{AccountId, Refused, Timestamp};

use super::{around, certificates, known};
use crate::{
    db::Db,
    error::{Failure, refuse_stale},
};

/// What a draft would be, or why it would not.
pub(super) fn judge(
    db: &mut Db,
    account: AccountId,
    proposed: &Proposed,
    now: Timestamp,
) -> QueryResult<Result<Judged, Refused<InvoiceError>>> {
    match judged(db, account, proposed, now) {
        Ok(judged) => Ok(Ok(judged)),
        Err(Failure::Refused(refused)) => Ok(Err(refused)),
        Err(Failure::Database(error)) => Err(error),
    }
}

fn judged(
    db: &mut Db,
    account: AccountId,
    proposed: &Proposed,
    now: Timestamp,
) -> Result<Judged, Failure<InvoiceError>> {
    let (invoice, known) = match proposed {
        Proposed::New(command) => {
            let known = known::seen(db, account, (command.kind, &command.fields), None)?;
            // The identifier of nothing: it gets one when it is made.
            let created = drafting::create(command, InvoiceId::from_u128(0), &known, now)?;
            (created.invoice, known)
        }
        Proposed::Change(before, command) => {
            refuse_stale(command.version, before.version)?;
            let fields = (before.draft.kind, &command.fields);
            let known = known::seen(db, account, fields, Some(before.as_ref()))?;
            let changed = drafting::change(before, &command.fields, &known, now)?;
            (changed.invoice, known)
        }
    };
    let certificate = certificates::sealing(db, account, &known.issuer.rfc)?;
    let seen = (&known.paid, &known.related);
    let debts = known::debts_beside(db, account, &invoice.draft, seen)?;
    let certificate = certificate.as_ref();
    let billed = around::billed(db, account, &invoice.draft)?;
    let (sources, is_withheld) = around::sources_seen(db, account, &invoice, billed, seen)?;
    let on = (&sources, is_withheld);
    let issuer = Some(&known.issuer);
    let validation = stamping::findings(&invoice, issuer, certificate, &debts, on, now);
    Ok(Judged { invoice, validation, provider: known.provider, issuers: known.issuers })
}
