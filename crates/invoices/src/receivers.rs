//! Whom an invoice is made out to, where that follows from something else.

use cfdi::{
    catalogs::uses,
    document::{DocumentType, GENERAL_PUBLIC, Receiver, is_generic},
};
use kernel::{FieldFault, Message, message};

use crate::{CustomerId, Draft, Issuer, Known};

/// The regime of those without obligations, foreigners and the general public among them.
const NO_OBLIGATIONS: &str = "616";
/// What is said of a customer that is not there.
pub(crate) const NO_CUSTOMER: Message = Message::fixed(
    "names no customer of this account",
    "no corresponde a ningún cliente de esta cuenta",
);

/// A receiver that nobody has named yet.
pub(crate) fn nobody() -> Receiver {
    Receiver {
        rfc: String::new(),
        legal_name: String::new(),
        tax_zip: String::new(),
        tax_regime: String::new(),
        cfdi_use: String::new(),
        tax_residence: None,
        foreign_tax_id: None,
    }
}

/// Where a draft is issued: its own place, or else that of the issuer.
pub(crate) fn place_of_issue<'a>(draft: &'a Draft, issuer: &'a Issuer) -> &'a str {
    draft.place_of_issue.as_ref().unwrap_or(&issuer.tax_zip)
}

/// Without fiscal effect: open to every regime.
const NO_EFFECT: &str = "S01";

/// What a receiver in that regime uses a document for, where nobody tells: what SAT's catalog lets it (c_UsoCFDI). Who
/// has a salary or a rent, as most private buyers, has no costs to deduct.
fn usual_use(kind: DocumentType, regime: &str) -> &'static str {
    let wanted = match kind {
        DocumentType::Payment => "CP01",
        DocumentType::Transfer => NO_EFFECT,
        _ if regime == NO_OBLIGATIONS => NO_EFFECT,
        // A return, discount or rebate (SAT's guide for credit notes).
        DocumentType::Credit => "G02",
        DocumentType::Income => "G03",
    };
    let is_open = uses::find(wanted).is_some_and(|wanted| wanted.allows(regime));
    if is_open { wanted } else { NO_EFFECT }
}

/// What that receiver uses a document for, where nobody tells. Who has no RFC of their own has no effects, whatever regime is
/// told.
pub(crate) fn use_of(receiver: &Receiver, kind: DocumentType) -> &'static str {
    let is_anybody = is_generic(&receiver.rfc);
    usual_use(kind, if is_anybody { NO_OBLIGATIONS } else { &receiver.tax_regime })
}

/// Whom a draft is made out to, as its fields say it.
pub(crate) struct Addressee {
    pub(crate) customer: Option<Option<CustomerId>>,
    pub(crate) receiver: Option<Receiver>,
    pub(crate) cfdi_use: Option<String>,
}

/// Makes a draft out to the receiver that is given, or else to its customer, or to whom the rest of it implies; what they use it for
/// follows unless it is given.
pub(crate) fn make_out(
    draft: &mut Draft,
    Addressee { customer, receiver, cfdi_use }: Addressee,
    known: &Known,
) -> Option<FieldFault> {
    let mut fault = None;
    if customer == Some(None) {
        draft.customer = None;
    }
    if let Some(Some(customer)) = customer {
        // One that was named before may have been deleted since.
        let is_new = draft.customer != Some(customer);
        draft.customer = Some(customer);
        match (&receiver, receiver_of(draft, customer, known)) {
            (None, Ok(receiver)) => draft.receiver = receiver,
            (None, Err(no_tax_data)) => fault = Some(no_tax_data),
            (Some(_), _) if is_new && !known.customers.contains_key(&customer) => {
                fault = Some(FieldFault::new("customerId", NO_CUSTOMER));
            }
            (Some(_), _) => {}
        }
    }
    let tells_use = receiver.as_ref().is_some_and(|given| !given.cfdi_use.is_empty());
    if let Some(receiver) = receiver {
        draft.receiver = completed(receiver, place_of_issue(draft, &known.issuer));
    }
    if draft.receiver.rfc.is_empty()
        && let Some((receiver, customer)) = implied_receiver(draft, known)
    {
        draft.receiver = receiver;
        draft.customer = draft.customer.or(customer);
    }
    if let Some(cfdi_use) = cfdi_use {
        draft.receiver.cfdi_use = cfdi_use;
    } else if draft.kind == DocumentType::Payment && !tells_use {
        "CP01".clone_into(&mut draft.receiver.cfdi_use);
    } else if draft.receiver.cfdi_use.is_empty() && !draft.receiver.rfc.is_empty() {
        use_of(&draft.receiver, draft.kind).clone_into(&mut draft.receiver.cfdi_use);
    }
    fault
}

/// The receiver, and the customer it is, that a draft implies where none was named: the public in a global invoice, or that of the
/// invoices it pays or refers to.
fn implied_receiver(draft: &Draft, known: &Known) -> Option<(Receiver, Option<CustomerId>)> {
    if draft.global.is_some() {
        let public = Receiver {
            rfc: GENERAL_PUBLIC.to_owned(),
            legal_name: "PUBLICO EN GENERAL".to_owned(),
            tax_zip: place_of_issue(draft, &known.issuer).to_owned(),
            tax_regime: NO_OBLIGATIONS.to_owned(),
            cfdi_use: NO_EFFECT.to_owned(),
            ..nobody()
        };
        return Some((public, None));
    }
    let paid = draft.paid_invoices().find_map(|id| known.paid.get(&id));
    let related = || {
        let mut uuids = draft.related.iter().flat_map(|relation| &relation.uuids);
        uuids.find_map(|uuid| known.related.get(uuid))
    };
    let invoice = paid.or_else(related)?;
    let mut receiver = invoice.document.receiver.clone();
    if is_generic(&receiver.rfc) {
        place_of_issue(draft, &known.issuer).clone_into(&mut receiver.tax_zip);
    }
    // A return, discount or rebate (SAT's guide for credit notes); generic receivers keep theirs.
    if draft.kind == DocumentType::Credit && receiver.tax_regime != NO_OBLIGATIONS {
        usual_use(draft.kind, &receiver.tax_regime).clone_into(&mut receiver.cfdi_use);
    }
    Some((receiver, invoice.draft.customer))
}

/// A receiver with what follows where it has no RFC of its own and nobody tells: the postal code of the place of issue, and no
/// obligations (Anexo 20).
pub(crate) fn completed(mut receiver: Receiver, place_of_issue: &str) -> Receiver {
    if is_generic(&receiver.rfc) {
        if receiver.tax_zip.is_empty() {
            place_of_issue.clone_into(&mut receiver.tax_zip);
        }
        if receiver.tax_regime.is_empty() {
            NO_OBLIGATIONS.clone_into(&mut receiver.tax_regime);
        }
    }
    receiver
}

/// The receiver that a customer is in a draft.
pub(crate) fn receiver_of(
    draft: &Draft,
    customer: CustomerId,
    known: &Known,
) -> Result<Receiver, FieldFault> {
    let nobody_known = || FieldFault::new("customerId", NO_CUSTOMER);
    let customer = known.customers.get(&customer).ok_or_else(nobody_known)?;
    match customer.missing().as_slice() {
        [] => Ok(completed(customer.receiver(), place_of_issue(draft, &known.issuer))),
        missing => Err(incomplete(missing)),
    }
}

/// What is said of a customer of whom these data are missing.
pub(crate) fn incomplete(missing: &[&str]) -> FieldFault {
    let missing = missing.join(", ");
    let problem = message!(
        "names a customer without {missing}: complete the customer, or give a receiver",
        "corresponde a un cliente sin {missing}: completar los datos del cliente o indicar un receptor"
    );
    FieldFault::new("customerId", problem)
}

#[cfg(test)]
mod tests {
    use cfdi::catalogs::regimes;

    use super::*;

    #[test]
    fn the_usual_use_is_one_that_sat_takes() {
        for kind in [
            DocumentType::Income,
            DocumentType::Credit,
            DocumentType::Transfer,
            DocumentType::Payment,
        ] {
            for regime in regimes::all() {
                let usual = uses::find(usual_use(kind, regime.code)).unwrap();
                assert!(usual.allows(regime.code), "{kind:?} {} {}", regime.code, usual.code);
                assert!(usual.legal || !regime.legal && usual.natural, "{kind:?} {}", regime.code);
            }
        }
        for (kind, regime, usual) in [
            (DocumentType::Income, "601", "G03"),
            (DocumentType::Credit, "626", "G02"),
            (DocumentType::Income, "605", "S01"),
            (DocumentType::Credit, "615", "S01"),
            (DocumentType::Credit, "616", "S01"),
        ] {
            assert_eq!(usual_use(kind, regime), usual, "{kind:?} {regime}");
        }
    }
}
