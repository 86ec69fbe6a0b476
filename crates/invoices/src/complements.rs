//! What documents of some trades state beside their items.

use cfdi::{
    complements::{Complements, Donation, Legend},
    document::DocumentType,
};
use kernel::{FieldFault, message, text::collapsed};

use crate::{Draft, InvoiceId};

/// The most prescribed sentences of a document.
pub const LEGENDS_MAX: usize = 20;
/// The most states and districts of an expense (`maxOccurs` of ine11.xsd).
pub const ENTITIES_MAX: usize = 76;
/// The most accounts of a state or district. SAT knows no limit.
pub const ACCOUNTS_MAX: usize = 100;

/// The complements as the document states them: white space in texts is collapsed, as SAT's schemas do with it.
pub(crate) fn built(given: &Complements, id: InvoiceId) -> Complements {
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
        foreign_trade: given.foreign_trade.clone(),
        carta_porte: given.carta_porte.clone().map(|mut carta| {
            carta.id = Some(uuid_of(id));
            carta
        }),
    }
}

/// The UUID that the folio of a Carta Porte is made of (RFC 4122, in the form of version 4): the invoice's own, so that
/// every attempt to stamp it states the same and no other invoice does.
fn uuid_of(id: InvoiceId) -> String {
    const VERSION: u128 = 0xf << 76;
    const VARIANT: u128 = 0b11 << 62;
    let number = (id.to_u128() & !VERSION & !VARIANT) | (0x4 << 76) | (0b10 << 62);
    let digits = format!("{number:032X}");
    let group = |range: std::ops::Range<usize>| digits.get(range).unwrap_or_default();
    let groups = [group(0..8), group(8..12), group(12..16), group(16..20), group(20..32)];
    groups.join("-")
}

/// What is given although a document of that type has no place for it.
pub(crate) fn faults(draft: &Draft) -> Vec<FieldFault> {
    let Complements { donation, electoral, .. } = &draft.complements;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_uuid_is_the_invoices_own_in_the_form_of_version_4() {
        let id = InvoiceId::from_u128(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef);
        assert_eq!(uuid_of(id), "01234567-89AB-4DEF-8123-456789ABCDEF");
        assert_ne!(uuid_of(InvoiceId::from_u128(1)), uuid_of(InvoiceId::from_u128(2)));
    }
}
