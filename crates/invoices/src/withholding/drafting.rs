//! Drafts: made, changed and shown.

use kernel::{Refused, Timestamp};

use super::{Fields, Refusal, Withholding, WithholdingId, build, fields};
use crate::{
    InvoiceError, Issuer, KnownCustomer, Status, issuer::named, issuer::unknown,
    provider::ProviderKind,
};

/// What the account has of the things that fields name.
#[derive(Clone, Debug)]
pub struct Known {
    /// [Who issues it](issuer_of).
    pub issuer: Issuer,
    /// The customer that the fields name.
    pub customer: Option<KnownCustomer>,
    /// Who is to stamp; none while a live account has chosen nobody.
    pub provider: Option<ProviderKind>,
}

/// Who issues a draft with these fields: the issuer that they name, or else that of the draft, or the default one.
///
/// # Errors
/// [`InvoiceError::NoIssuer`] for an account without any; [`Refused::Invalid`] for one that it does not have.
pub fn issuer_of(
    issuers: &[Issuer],
    fields: &Fields,
    before: Option<&Withholding>,
) -> Result<Issuer, Refused<InvoiceError>> {
    let default = named(issuers, None).ok_or(Refused::Rule(InvoiceError::NoIssuer))?;
    if let Some(id) = fields.issuer {
        return named(issuers, Some(id)).cloned().ok_or_else(unknown);
    }
    // Who issued it may have been deleted since.
    let own = before.and_then(|before| named(issuers, Some(before.draft.issuer)));
    Ok(own.unwrap_or(default).clone())
}

/// Makes a draft.
///
/// # Errors
/// [`Refused::Invalid`] for fields that are missing or name nothing.
pub fn create(
    fields: Fields,
    id: WithholdingId,
    known: &Known,
    now: Timestamp,
) -> Result<Withholding, Refused<InvoiceError>> {
    let draft = fields::create(fields, known).map_err(Refused::Invalid)?;
    let document = build(&draft, &known.issuer, now).map_err(Refused::Invalid)?;
    Ok(Withholding {
        id,
        status: Status::Draft,
        draft,
        document,
        stamp: None,
        cancellation: None,
        last_error: None,
        created_at: now,
        updated_at: now,
        version: 1,
    })
}

/// Changes a draft.
///
/// # Errors
/// [`Refusal::NotDraft`] for what is sealed already; otherwise as [`create`].
pub fn change(
    before: &Withholding,
    fields: Fields,
    known: &Known,
    now: Timestamp,
) -> Result<Withholding, Refused<InvoiceError>> {
    require_draft(before)?;
    let draft = fields::changed(&before.draft, fields, known).map_err(Refused::Invalid)?;
    let document = build(&draft, &known.issuer, now).map_err(Refused::Invalid)?;
    let mut after = Withholding { draft, document, ..before.clone() };
    after.touch(now);
    Ok(after)
}

/// A withholding as it is now: what follows from a draft changes with its issuer; what is sealed stays as it was sealed.
#[must_use]
pub fn refreshed(withholding: Withholding, issuer: &Issuer) -> Withholding {
    if withholding.status != Status::Draft {
        return withholding;
    }
    match build(&withholding.draft, issuer, withholding.updated_at) {
        Ok(document) => Withholding { document, ..withholding },
        Err(_) => withholding,
    }
}

/// Refuses what is no draft.
///
/// # Errors
/// [`Refusal::NotDraft`].
pub fn require_draft(withholding: &Withholding) -> Result<(), Refused<InvoiceError>> {
    match withholding.status {
        Status::Draft => Ok(()),
        status => Err(Refused::Rule(Refusal::NotDraft { status }.into())),
    }
}
