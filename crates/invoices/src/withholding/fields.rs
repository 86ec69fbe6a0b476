//! The fields by which a draft is made and changed: one rule for both.

use cfdi::{
    document::FOREIGNER,
    withholding::{Complements, Foreign, National, Period, Receiver, Related, WithheldTax},
};
use kernel::{FieldFault, Message, Metadata, Timestamp, message};

use super::{Draft, DraftTotals, drafting::Known};
use crate::{
    CustomerId, IssuerId, KnownCustomer,
    receivers::{NO_CUSTOMER, incomplete},
};

/// Fields of a draft; what is `None` stays as it is, or as is usual in a new one. `Some(None)` clears.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    /// Who issues it.
    pub issuer: Option<IssuerId>,
    /// From whom taxes are withheld; the receiver follows unless one is given.
    pub customer: Option<Option<CustomerId>>,
    /// The issuer's own number of it.
    pub folio: Option<Option<String>>,
    /// When it is issued.
    pub issued_at: Option<Option<Timestamp>>,
    /// Where it is issued.
    pub place_of_issue: Option<Option<String>>,
    /// What is withheld from, a code of c_CveRetenc.
    pub code: Option<String>,
    /// The same in words.
    pub description: Option<Option<String>>,
    /// The withholding that it refers to.
    pub related: Option<Option<Related>>,
    /// From whom taxes are withheld.
    pub receiver: Option<Receiver>,
    /// Of which months.
    pub period: Option<Period>,
    /// What was paid.
    pub totals: Option<DraftTotals>,
    /// What was withheld.
    pub taxes: Option<Vec<WithheldTax>>,
    /// What else it states.
    pub complements: Option<Complements>,
    /// The caller's own notes.
    pub metadata: Option<Metadata>,
}

const REQUIRED: Message = Message::fixed("is required", "es obligatorio");

/// A new draft with these fields.
///
/// # Errors
/// The fields that are missing or name nothing.
pub(super) fn create(fields: Fields, known: &Known) -> Result<Draft, Vec<FieldFault>> {
    let (mut faults, receiver) = (Vec::new(), receiver(&fields, None, known));
    let missing = [
        ("code", fields.code.is_none()),
        ("period", fields.period.is_none()),
        ("totals", fields.totals.is_none()),
    ];
    let missing = missing.into_iter().filter(|(_, is_missing)| *is_missing);
    faults.extend(missing.map(|(field, _)| FieldFault::new(field, REQUIRED)));
    match (receiver, fields.code, fields.period, fields.totals) {
        (Ok(Some(receiver)), Some(code), Some(period), Some(totals)) => Ok(Draft {
            issuer: known.issuer.id,
            customer: fields.customer.flatten(),
            folio: fields.folio.flatten(),
            issued_at: fields.issued_at.flatten(),
            place_of_issue: fields.place_of_issue.flatten(),
            code,
            description: fields.description.flatten(),
            related: fields.related.flatten(),
            receiver,
            period,
            totals,
            taxes: fields.taxes.unwrap_or_default(),
            complements: fields.complements.unwrap_or_default(),
            metadata: fields.metadata.unwrap_or_default(),
        }),
        (Ok(None), ..) => {
            let problem = message!(
                "must be given, or a customerId with tax data",
                "es obligatorio, o bien un customerId con datos fiscales"
            );
            faults.push(FieldFault::new("receiver", problem));
            Err(faults)
        }
        (receiver, ..) => {
            faults.extend(receiver.err());
            Err(faults)
        }
    }
}

/// A draft with some fields changed.
///
/// # Errors
/// The fields that name nothing.
pub(super) fn changed(
    draft: &Draft,
    fields: Fields,
    known: &Known,
) -> Result<Draft, Vec<FieldFault>> {
    let receiver = receiver(&fields, draft.customer, known).map_err(|fault| vec![fault])?;
    let Draft { metadata, complements, taxes, .. } = draft.clone();
    let kept = |text: &Option<String>| text.clone();
    Ok(Draft {
        issuer: known.issuer.id,
        customer: fields.customer.unwrap_or(draft.customer),
        folio: fields.folio.unwrap_or_else(|| kept(&draft.folio)),
        issued_at: fields.issued_at.unwrap_or(draft.issued_at),
        place_of_issue: fields.place_of_issue.unwrap_or_else(|| kept(&draft.place_of_issue)),
        code: fields.code.unwrap_or_else(|| draft.code.clone()),
        description: fields.description.unwrap_or_else(|| kept(&draft.description)),
        related: fields.related.unwrap_or_else(|| draft.related.clone()),
        receiver: receiver.unwrap_or_else(|| draft.receiver.clone()),
        period: fields.period.unwrap_or(draft.period),
        totals: fields.totals.unwrap_or(draft.totals),
        taxes: fields.taxes.unwrap_or(taxes),
        complements: fields.complements.unwrap_or(complements),
        metadata: fields.metadata.unwrap_or(metadata),
    })
}

/// The receiver that is given, or that the customer is whom the fields name; none where they name neither.
fn receiver(
    fields: &Fields,
    before: Option<CustomerId>,
    known: &Known,
) -> Result<Option<Receiver>, FieldFault> {
    let Some(Some(customer)) = fields.customer else { return Ok(fields.receiver.clone()) };
    match (&fields.receiver, &known.customer) {
        // One that was named before may have been deleted since.
        (Some(given), known) if known.is_some() || before == Some(customer) => {
            Ok(Some(given.clone()))
        }
        (_, None) => Err(FieldFault::new("customerId", NO_CUSTOMER)),
        (_, Some(known)) => receiver_of(known).map(Some),
    }
}

/// The receiver that a customer is. Who resides abroad is one without RFC and postal code.
fn receiver_of(customer: &KnownCustomer) -> Result<Receiver, FieldFault> {
    let KnownCustomer { rfc, legal_name, tax_zip, foreign_tax_id, .. } = customer;
    let is_foreign = rfc.as_deref() == Some(FOREIGNER);
    match (rfc, legal_name, tax_zip) {
        (_, Some(legal_name), _) if is_foreign => Ok(Receiver::Foreign(Foreign {
            foreign_tax_id: foreign_tax_id.clone(),
            legal_name: legal_name.clone(),
        })),
        (_, None, _) if is_foreign => Err(incomplete(&["legalName"])),
        (Some(rfc), Some(legal_name), Some(tax_zip)) => Ok(Receiver::National(National {
            rfc: rfc.clone(),
            legal_name: legal_name.clone(),
            curp: None,
            tax_zip: tax_zip.clone(),
        })),
        _ => {
            let parts = [("rfc", rfc), ("legalName", legal_name), ("taxZip", tax_zip)];
            let missing = parts.into_iter().filter(|(_, part)| part.is_none());
            Err(incomplete(&missing.map(|(name, _)| name).collect::<Vec<_>>()))
        }
    }
}
