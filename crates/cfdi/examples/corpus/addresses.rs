//! Addresses, in Mexico and abroad.

use cfdi::{
    catalogs::{
        countries::{self, Country},
        postal_codes, states,
    },
    complements::Address,
};

use crate::{
    exports::{number, text},
    parties,
    rng::Rng,
};

/// An address in Mexico, with the codes of the postal code.
pub(crate) fn in_mexico(rng: &mut Rng) -> Address {
    let zip = parties::zip(rng, false);
    let place = postal_codes::find(&zip);
    let code = |code: Option<&str>| code.map(str::to_owned);
    // SAT's code for no municipality is in the catalog of postal codes alone.
    let named = place.filter(|place| place.municipality_name().is_some());
    Address {
        neighborhood: rng.sometimes(50, |rng| format!("{:04}", rng.between(1, 9_999))),
        locality: code(
            place.filter(|place| place.locality_name().is_some()).and_then(|p| p.locality),
        ),
        municipality: code(named.and_then(|place| place.municipality)),
        state: place.map_or("CMX", |place| place.state).to_owned(),
        country: countries::MEXICO.to_owned(),
        zip,
        ..anywhere(rng)
    }
}

/// An address in that country.
pub(crate) fn abroad(rng: &mut Rng, country: &Country) -> Address {
    let known: Vec<_> =
        states::all().iter().filter(|state| state.country == country.code).collect();
    let zip = match country.code {
        "USA" => rng.digits(5),
        "CAN" => "K1A 0B1".to_owned(),
        _ => rng.text("ABC0123456789-", 10),
    };
    Address {
        neighborhood: rng.sometimes(30, |rng| text(rng, 120)),
        locality: rng.sometimes(30, |rng| text(rng, 120)),
        municipality: rng.sometimes(30, |rng| text(rng, 120)),
        state: if known.is_empty() { text(rng, 30) } else { rng.pick(&known).code.to_owned() },
        country: country.code.to_owned(),
        zip,
        ..anywhere(rng)
    }
}

/// What addresses have everywhere.
fn anywhere(rng: &mut Rng) -> Address {
    Address {
        street: Some(text(rng, 100)),
        exterior_number: rng.sometimes(70, number),
        interior_number: rng.sometimes(30, number),
        neighborhood: None,
        locality: None,
        reference: rng.sometimes(30, |rng| text(rng, 250)),
        municipality: None,
        state: String::new(),
        country: String::new(),
        zip: String::new(),
    }
}
