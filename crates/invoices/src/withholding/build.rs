//! From a draft to the document that follows from it.

use cfdi::{
    catalogs::postal_codes,
    decimal,
    document::Issuer as DocumentIssuer,
    withholding::{
        Beneficiary, Complements, Foreign, ForeignPayment, National, NonBeneficiary, Receiver,
        ShareSale, Totals, TrustLease, Withholding,
    },
};
use kernel::{Amount, FieldFault, Timestamp, message, text::collapsed};

use super::Draft;
use crate::{Issuer, build::TOO_LARGE};

/// The document that a draft is at `now`. White space in its texts is collapsed, as SAT's schema does with it.
///
/// # Errors
/// What keeps it from being one: an unknown place of issue, sums beyond what the service can hold.
pub fn build(
    draft: &Draft,
    issuer: &Issuer,
    now: Timestamp,
) -> Result<Withholding, Vec<FieldFault>> {
    let place = draft.place_of_issue.as_ref().unwrap_or(&issuer.tax_zip);
    let Some(postal_code) = postal_codes::find(place) else {
        let problem = message!(
            "must be a postal code of SAT's catalog",
            "debe ser un código postal del catálogo del SAT"
        );
        return Err(vec![FieldFault::new("placeOfIssue", problem)]);
    };
    Ok(Withholding {
        folio: draft.folio.clone(),
        issued_at: postal_code.zone().local(draft.issued_at.unwrap_or(now)),
        place_of_issue: place.clone(),
        code: draft.code.clone(),
        description: draft.description.as_deref().map(collapsed),
        related: draft.related.clone(),
        issuer: DocumentIssuer {
            rfc: issuer.rfc.clone(),
            legal_name: collapsed(&issuer.legal_name),
            tax_regime: issuer.tax_regime.clone(),
        },
        receiver: receiver(&draft.receiver),
        period: draft.period,
        totals: totals(draft)?,
        taxes: draft.taxes.clone(),
        complements: complements(&draft.complements),
    })
}

/// The sums, none beyond what the service can hold: they could be reckoned, and never be read again.
fn totals(draft: &Draft) -> Result<Totals, Vec<FieldFault>> {
    let given = draft.totals;
    let paid = decimal::sum([given.taxed, given.exempt]);
    let totals = Totals {
        operation: given.operation.unwrap_or(paid),
        taxed: given.taxed,
        exempt: given.exempt,
        withheld: decimal::sum(draft.taxes.iter().map(|tax| tax.amount)),
        bimonthly_profit: given.bimonthly_profit,
        bimonthly_isr: given.bimonthly_isr,
    };
    let sums = [("totals", totals.operation), ("taxes", totals.withheld)];
    let too_large = sums.into_iter().filter(|(_, sum)| *sum > Amount::MAX);
    let faults: Vec<_> = too_large.map(|(field, _)| FieldFault::new(field, TOO_LARGE)).collect();
    if faults.is_empty() { Ok(totals) } else { Err(faults) }
}

fn receiver(given: &Receiver) -> Receiver {
    match given {
        Receiver::National(receiver) => Receiver::National(National {
            legal_name: collapsed(&receiver.legal_name),
            ..receiver.clone()
        }),
        Receiver::Foreign(receiver) => Receiver::Foreign(Foreign {
            legal_name: collapsed(&receiver.legal_name),
            ..receiver.clone()
        }),
    }
}

/// The complements, whose free texts are those of payments abroad, leases and shares.
fn complements(given: &Complements) -> Complements {
    Complements {
        foreign_payment: given.foreign_payment.as_ref().map(foreign_payment),
        trust_lease: given.trust_lease.as_ref().map(|lease| TrustLease {
            other_description: lease.other_description.as_deref().map(collapsed),
            ..lease.clone()
        }),
        share_sale: given
            .share_sale
            .as_ref()
            .map(|sale| ShareSale { contract: collapsed(&sale.contract), ..sale.clone() }),
        ..given.clone()
    }
}

fn foreign_payment(given: &ForeignPayment) -> ForeignPayment {
    match given {
        ForeignPayment::Beneficiary(payment) => ForeignPayment::Beneficiary(Beneficiary {
            legal_name: collapsed(&payment.legal_name),
            description: collapsed(&payment.description),
            ..payment.clone()
        }),
        ForeignPayment::NonBeneficiary(payment) => ForeignPayment::NonBeneficiary(NonBeneficiary {
            description: collapsed(&payment.description),
            ..payment.clone()
        }),
    }
}
