//! The issuers of an account: one by default, and which of them issues a draft.

use cfdi::{catalogs::regimes, document::is_generic, tax::TaxRate};
use kernel::{AccountId, FieldFault, Refused, Timestamp, message};

use super::{ISSUERS_MAX, Issuer, IssuerFields, IssuerId};
use crate::{Branch, Fields, Invoice, InvoiceError, series::used};

/// An issuer to be added. The first of an account issues by default.
///
/// # Errors
/// [`InvoiceError::TooManyIssuers`]; [`InvoiceError::KnownIssuer`] when another has its RFC and tax regime,
/// [`InvoiceError::SharedSeries`] when one of its RFC has a series of the same name; [`Refused::Invalid`] when the first is
/// not to be the default, its RFC is a generic one, or its kind of person cannot be in its tax regime.
pub fn added(
    known: &[Issuer],
    account: AccountId,
    fresh: u128,
    fields: IssuerFields,
    now: Timestamp,
) -> Result<Issuer, Refused<InvoiceError>> {
    if known.len() >= ISSUERS_MAX {
        return Err(Refused::Rule(InvoiceError::TooManyIssuers));
    }
    refuse_generic(&fields)?;
    refuse_strange_regime(&fields)?;
    let is_first = known.is_empty();
    let id = if is_first { IssuerId::first_of(account) } else { IssuerId::from_u128(fresh) };
    refuse_known(known, id, &fields)?;
    if is_first && fields.is_default == Some(false) {
        return Err(always_one());
    }
    let is_default = is_first || fields.is_default == Some(true);
    let before = Kept {
        id,
        shipping_taxes: None,
        stamps_receipts: false,
        stamps_credit_notes: false,
        has_logo: false,
        is_default,
        created_at: now,
        version: 0,
    };
    let issuer = with(fields, before, now);
    refuse_shared_series(known, &issuer)?;
    Ok(issuer)
}

/// An issuer that another takes the place of as the default one.
#[must_use]
pub fn no_longer_default(issuer: Issuer, now: Timestamp) -> Issuer {
    Issuer { is_default: false, updated_at: now, version: issuer.version + 1, ..issuer }
}

/// An issuer with other fields. Its logo stays.
///
/// # Errors
/// [`Refused::Invalid`] when the default one is not to be it any more, its RFC is a generic one, or its kind of person cannot be
/// in its tax regime;
/// [`InvoiceError::KnownIssuer`] when another has its RFC and tax regime, [`InvoiceError::SharedSeries`] when one of its
/// RFC has a series of the same name.
pub fn changed(
    known: &[Issuer],
    before: &Issuer,
    fields: IssuerFields,
    now: Timestamp,
) -> Result<Issuer, Refused<InvoiceError>> {
    let is_to_be = fields.is_default.unwrap_or(before.is_default);
    if before.is_default && !is_to_be {
        return Err(always_one());
    }
    refuse_generic(&fields)?;
    refuse_strange_regime(&fields)?;
    refuse_known(known, before.id, &fields)?;
    let Issuer { id, stamps_receipts, stamps_credit_notes, has_logo, created_at, version, .. } =
        *before;
    let shipping_taxes = before.shipping_taxes.clone();
    let is_default = is_to_be;
    let kept = Kept {
        id,
        shipping_taxes,
        stamps_receipts,
        stamps_credit_notes,
        has_logo,
        is_default,
        created_at,
        version,
    };
    let after = with(fields, kept, now);
    if (&after.rfc, &after.series) != (&before.rfc, &before.series) {
        refuse_shared_series(known, &after)?;
    }
    Ok(after)
}

fn always_one() -> Refused<InvoiceError> {
    let problem = message!(
        "cannot be false of the default issuer: set it to true on another one instead",
        "no puede ser false en el emisor predeterminado: indicarlo como true en otro emisor"
    );
    Refused::Invalid(vec![FieldFault::new("isDefault", problem)])
}

/// Generic RFCs stand for whom documents are made out to: nobody has a certificate to seal as one.
fn refuse_generic(fields: &IssuerFields) -> Result<(), Refused<InvoiceError>> {
    if !is_generic(&fields.rfc) {
        return Ok(());
    }
    let problem = message!(
        "is {rfc}, a generic RFC, which only receivers have: use the RFC of whoever issues the invoices",
        "es {rfc}, un RFC genérico, que solo tienen los receptores: usar el RFC de quien emite las facturas",
        rfc = fields.rfc
    );
    Err(Refused::Invalid(vec![FieldFault::new("rfc", problem)]))
}

/// In a regime of the other kind of person everything that it issues would be refused (CFDI40141).
fn refuse_strange_regime(fields: &IssuerFields) -> Result<(), Refused<InvoiceError>> {
    let rfc = &fields.rfc;
    let strange = regimes::find(&fields.tax_regime).filter(|regime| !regime.suits(rfc));
    let Some(&regimes::Regime { code, legal, .. }) = strange else { return Ok(()) };
    let problem = match legal {
        true => message!(
            "is {code}, which only applies to legal entities, but RFC {rfc} belongs to a natural person: use the regime \
             stated in the Constancia de Situación Fiscal, see GET /invoices/cfdi/regimenes-fiscales",
            "es {code}, que es de personas morales, pero el RFC {rfc} es de una persona física: usar el régimen que aparece \
             en la Constancia de Situación Fiscal, consulte GET /invoices/cfdi/regimenes-fiscales"
        ),
        false => message!(
            "is {code}, which only applies to natural persons, but RFC {rfc} belongs to a legal entity: use the regime \
             stated in the Constancia de Situación Fiscal, see GET /invoices/cfdi/regimenes-fiscales",
            "es {code}, que es de personas físicas, pero el RFC {rfc} es de una persona moral: usar el régimen que aparece \
             en la Constancia de Situación Fiscal, consulte GET /invoices/cfdi/regimenes-fiscales"
        ),
    };
    Err(Refused::Invalid(vec![FieldFault::new("taxRegime", problem)]))
}

/// Each issuer counts the folios of its series: two of one RFC would both issue the first of it.
fn refuse_shared_series(known: &[Issuer], issuer: &Issuer) -> Result<(), Refused<InvoiceError>> {
    let others = known.iter().filter(|other| other.id != issuer.id && other.rfc == issuer.rfc);
    for other in others {
        let shared = used(issuer, None).find(|one| used(other, None).any(|theirs| theirs == *one));
        if let Some(series) = shared {
            let (id, series) = (other.id, series.to_owned());
            return Err(Refused::Rule(InvoiceError::SharedSeries { id, series }));
        }
    }
    Ok(())
}

/// What fields do not tell of an issuer.
#[derive(Clone)]
struct Kept {
    id: IssuerId,
    shipping_taxes: Option<Vec<TaxRate>>,
    stamps_receipts: bool,
    stamps_credit_notes: bool,
    has_logo: bool,
    is_default: bool,
    created_at: Timestamp,
    version: i64,
}

fn with(fields: IssuerFields, kept: Kept, now: Timestamp) -> Issuer {
    let IssuerFields { rfc, legal_name, tax_regime, tax_zip, series, default_taxes, .. } = fields;
    let Kept { id, has_logo, is_default, created_at, version, .. } = kept;
    Issuer {
        id,
        rfc,
        legal_name,
        tax_regime,
        tax_zip,
        series: series.unwrap_or_default(),
        default_taxes: default_taxes.unwrap_or_else(|| vec![TaxRate::iva(160_000)]),
        shipping_taxes: fields.shipping_taxes.unwrap_or(kept.shipping_taxes),
        stamps_receipts: fields.stamps_receipts.unwrap_or(kept.stamps_receipts),
        stamps_credit_notes: fields.stamps_credit_notes.unwrap_or(kept.stamps_credit_notes),
        has_logo,
        is_default,
        created_at,
        updated_at: now,
        version: version + 1,
    }
}

/// A taxpayer invoices under several tax regimes as several issuers, and under one as one.
fn refuse_known(
    known: &[Issuer],
    id: IssuerId,
    fields: &IssuerFields,
) -> Result<(), Refused<InvoiceError>> {
    let is_same = |other: &&Issuer| {
        other.id != id && other.rfc == fields.rfc && other.tax_regime == fields.tax_regime
    };
    match known.iter().find(is_same) {
        Some(same) => Err(Refused::Rule(InvoiceError::KnownIssuer { id: same.id })),
        None => Ok(()),
    }
}

/// Refuses to delete the default issuer, and one that drafts or branches name.
///
/// # Errors
/// [`InvoiceError::DefaultIssuer`], [`InvoiceError::IssuerInUse`].
pub fn deletable(issuer: &Issuer, is_named: bool) -> Result<(), Refused<InvoiceError>> {
    if issuer.is_default {
        return Err(Refused::Rule(InvoiceError::DefaultIssuer));
    }
    if is_named { Err(Refused::Rule(InvoiceError::IssuerInUse)) } else { Ok(()) }
}

/// The issuer of that identifier, or the default one.
#[must_use]
pub fn named(issuers: &[Issuer], id: Option<IssuerId>) -> Option<&Issuer> {
    issuers.iter().find(|issuer| match id {
        Some(id) => issuer.id == id,
        None => issuer.is_default,
    })
}

/// Refuses an identifier that no issuer of the account has.
#[must_use]
pub fn unknown() -> Refused<InvoiceError> {
    let problem = message!(
        "names no issuer of this account, see GET /invoices/cfdi/issuers",
        "no corresponde a ningún emisor de esta cuenta, véase GET /invoices/cfdi/issuers"
    );
    Refused::Invalid(vec![FieldFault::new("issuerId", problem)])
}

/// Who issues a draft with these fields: the issuer that they name, or else that of the branch that they move it to, the
/// draft's own, that of the first own invoice they refer to, the default one. `before` is the draft as it is, or what a
/// copy is made of.
///
/// # Errors
/// [`InvoiceError::NoIssuer`] for an account without any; [`Refused::Invalid`] for one that it does not have, or that the
/// branch is not of.
pub fn of_draft<'a>(
    issuers: &[Issuer],
    fields: &Fields,
    (before, branch): (Option<&Invoice>, Option<&Branch>),
    mut referred: impl Iterator<Item = &'a Invoice>,
) -> Result<Issuer, Refused<InvoiceError>> {
    let default = named(issuers, None).ok_or(Refused::Rule(InvoiceError::NoIssuer))?;
    let draft = before.map(|before| &before.draft);
    // Whose a branch is counts when a draft comes to it, and no more when it stays.
    let is_new = |branch: &&Branch| draft.is_none_or(|draft| draft.branch != Some(branch.id));
    if let Some(id) = fields.issuer {
        let issuer = named(issuers, Some(id)).ok_or_else(unknown)?;
        let stays = draft.is_some_and(|draft| draft.issuer == Some(id));
        let judged = branch.filter(|branch| !stays || is_new(branch));
        if let Some(branch) = judged.filter(|branch| branch.issuer.is_some_and(|its| its != id)) {
            let name = &branch.name;
            let problem = message!(
                "names the branch {name:?}, which is of another issuer",
                "corresponde a la sucursal {name:?}, que es de otro emisor"
            );
            return Err(Refused::Invalid(vec![FieldFault::new("branchId", problem)]));
        }
        return Ok(issuer.clone());
    }
    if let Some(id) = branch.filter(is_new).and_then(|branch| branch.issuer) {
        return Ok(named(issuers, Some(id)).unwrap_or(default).clone());
    }
    let nearest = before.or_else(|| referred.next());
    Ok(nearest.and_then(|invoice| who_issued(issuers, invoice)).unwrap_or(default).clone())
}

/// The issuer of an invoice, or another of the same RFC where it has been deleted.
fn who_issued<'a>(issuers: &'a [Issuer], invoice: &Invoice) -> Option<&'a Issuer> {
    let own = invoice.draft.issuer.and_then(|id| named(issuers, Some(id)));
    let rfc = &invoice.document.issuer.rfc;
    own.or_else(|| issuers.iter().find(|issuer| issuer.rfc == *rfc))
}
