//! An address in one line.

use cfdi::complements::Address;
use kernel::Language;

use crate::{text::facts, texts};

/// The address as the document states it.
pub(super) fn line(address: &Address, language: Language) -> String {
    let number = |label: texts::Label, number: &Option<String>| {
        number.as_ref().map(|number| label.with(language, &[number]))
    };
    let parts = [
        address.street.clone(),
        number(texts::EXTERIOR_NUMBER, &address.exterior_number),
        number(texts::INTERIOR_NUMBER, &address.interior_number),
        number(texts::NEIGHBORHOOD, &address.neighborhood),
        number(texts::LOCALITY, &address.locality),
        number(texts::MUNICIPALITY, &address.municipality),
        Some(address.state.clone()),
        Some(address.country.clone()),
        Some(texts::ZIP.with(language, &[&address.zip])),
        address.reference.clone(),
    ];
    facts(&parts.into_iter().flatten().collect::<Vec<_>>())
}
