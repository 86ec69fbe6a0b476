//! What documents of some trades state beside their items.

use cfdi::{
    complements::{Complements, Donation, Legend},
    document::DocumentType,
};
use kernel::{FieldFault, message, text::collapsed};

use crate::Draft;

/// The most prescribed sentences of a document.
pub const LEGENDS_MAX: usize = 20;
/// The most states and districts of an expense (`maxOccurs` of ine11.xsd).
pub const ENTITIES_MAX: usize = 76;
/// The most accounts of a state or district. SAT knows no limit.
pub const ACCOUNTS_MAX: usize = 100;

/// The complements as the document states them: white space in texts is collapsed, as SAT's schemas do with it.
pub(crate) fn built(given: &Complements) -> Complements {
    let line = |text: &Option<String>| text.as_deref().map(collapsed);
    let legend = |legend: &Legend| Legend {
        law: line(&legend.law),
        rule: line(&legend.rule),
        text: collapsed(&legend.text),
    };
    let donation = |donation: &Donation| Donation {
        authorization_number: collapsed(&donation.authorization_number),
        authorized_on: donation.authorized_on,
        legend: collapsed(&donation.legend),
    };
    Complements {
        legends: given.legends.iter().map(legend).collect(),
        donation: given.donation.as_ref().map(donation),
        electoral: given.electoral.clone(),
    }
}

/// What is given although a document of that type has no place for it.
pub(crate) fn faults(draft: &Draft) -> Vec<FieldFault> {
    let Complements { legends: _, donation, electoral } = &draft.complements;
    let is_sale = matches!(draft.kind, DocumentType::Income | DocumentType::Credit);
    if is_sale && draft.global.is_none() {
        return Vec::new();
    }
    let misplaced = [
        ("complements.donation", donation.is_some()),
        ("complements.electoral", electoral.is_some()),
    ];
    let fault = |(field, is_given): (&'static str, bool)| {
        let problem = message!(
            "must be omitted: only income invoices and credit notes (types I and E) to a named receiver have it",
            "debe omitirse: solo las facturas de ingreso y las notas de crédito (tipos I y E) a un receptor con nombre lo llevan"
        );
        is_given.then(|| FieldFault::new(field, problem))
    };
    misplaced.into_iter().filter_map(fault).collect()
}
