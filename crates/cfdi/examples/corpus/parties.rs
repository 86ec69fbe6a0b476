//! Who issues, receives and is sold for.

use cfdi::{
    catalogs::{Row as _, countries, postal_codes, regimes, uses},
    document::{FOREIGNER, GENERAL_PUBLIC, Issuer, Receiver, ThirdParty},
};

use crate::{DAY, rng::Rng, words};

/// The RFCs of the fixtures, with names and regimes that fit.
const COMPANY: (&str, &str, &[&str]) =
    ("EKU9003173C9", "ESCUELA KEMPER URGATE", &["601", "603", "626"]);
const PERSON: (&str, &str, &[&str]) =
    ("CACX7605101P8", "XOCHILT CASAS CHAVEZ", &["605", "606", "612", "621", "625", "626"]);

pub(crate) fn issuer(rng: &mut Rng) -> Issuer {
    let (rfc, name, regimes) = if rng.chance(60) { COMPANY } else { PERSON };
    issuer_in(rfc, name, rng.pick(regimes))
}

/// The only one that invoices two months together.
pub(crate) fn issuer_of_two_months() -> Issuer {
    issuer_in(PERSON.0, PERSON.1, "621")
}

fn issuer_in(rfc: &str, name: &str, regime: &str) -> Issuer {
    Issuer { rfc: rfc.to_owned(), legal_name: name.to_owned(), tax_regime: regime.to_owned() }
}

/// A postal code that SAT knows; one where the border's stimulus applies if `border`.
pub(crate) fn zip(rng: &mut Rng, border: bool) -> String {
    // Tijuana, Mexicali, Ciudad Juárez, Nuevo Laredo, Chetumal.
    const BORDER: [&str; 5] = ["22000", "21000", "32000", "88000", "77000"];
    loop {
        let zip = if border { rng.pick(&BORDER).to_owned() } else { rng.digits(5) };
        let found = postal_codes::find(&zip);
        if found.is_some_and(|place| !border || place.border.is_some()) {
            return zip;
        }
    }
}

/// A taxpayer's RFC, of a company or a person.
pub(crate) fn rfc(rng: &mut Rng, company: bool) -> String {
    let letters = rng.text("ABCDEFGHIJKLMNÑOPQRSTUVWXYZ&", if company { 3 } else { 4 });
    let (year, month, day) = (rng.between(0, 99), rng.between(1, 12), rng.between(1, 28));
    let key = rng.text("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789", 2);
    format!("{letters}{year:02}{month:02}{day:02}{key}{}", rng.text("0123456789A", 1))
}

/// A taxpayer, for a sale or a credit note.
pub(crate) fn receiver(rng: &mut Rng, credit: bool) -> Receiver {
    let company = rng.chance(60);
    let regime = loop {
        let regime = rng.pick(regimes::all());
        if regime.in_force(DAY) && if company { regime.legal } else { regime.natural } {
            break regime.code;
        }
    };
    Receiver {
        rfc: rfc(rng, company),
        legal_name: words::name(rng),
        tax_zip: zip(rng, false),
        tax_regime: regime.to_owned(),
        cfdi_use: cfdi_use(rng, (company, regime), credit).to_owned(),
        tax_residence: None,
        foreign_tax_id: None,
    }
}

fn cfdi_use(rng: &mut Rng, (company, regime): (bool, &str), credit: bool) -> &'static str {
    let fits = |row: &&uses::Use| {
        row.in_force(DAY)
            && !["CP01", "CN01"].contains(&row.code)
            && row.allows(regime)
            && if company { row.legal } else { row.natural }
    };
    let fitting: Vec<_> = uses::all().iter().filter(fits).map(|row| row.code).collect();
    if credit && fitting.contains(&"G02") { "G02" } else { rng.pick(&fitting) }
}

pub(crate) fn general_public(place: &str, name: &str) -> Receiver {
    generic(GENERAL_PUBLIC, place, name)
}

/// Somebody abroad; residence and tax identifier may be unknown.
pub(crate) fn foreigner(rng: &mut Rng, place: &str) -> Receiver {
    let name = words::name(rng);
    let mut receiver = generic(FOREIGNER, place, &name);
    if rng.chance(80) {
        let country = country_abroad(rng);
        receiver.tax_residence = Some(country.code.to_owned());
        receiver.foreign_tax_id = rng.sometimes(70, |rng| foreign_tax_id(rng, &country));
    }
    receiver
}

/// A country other than Mexico; often one of which the catalogs know more than its name.
pub(crate) fn country_abroad(rng: &mut Rng) -> countries::Country {
    let neighbor = countries::find(rng.pick(&["USA", "CAN"]));
    if let Some(country) = neighbor.filter(|_| rng.chance(20)) {
        return *country;
    }
    loop {
        let country = rng.pick(countries::all());
        if country.code != countries::MEXICO && country.in_force(DAY) {
            return country;
        }
    }
}

/// A tax identifier in the form of the country.
pub(crate) fn foreign_tax_id(rng: &mut Rng, country: &countries::Country) -> String {
    match country.tax_id_pattern {
        Some(_) => rng.digits(9),
        None => rng.text("ABC0123456789", 12),
    }
}

fn generic(rfc: &str, place: &str, name: &str) -> Receiver {
    Receiver {
        rfc: rfc.to_owned(),
        legal_name: name.to_owned(),
        tax_zip: place.to_owned(),
        tax_regime: "616".to_owned(),
        cfdi_use: "S01".to_owned(),
        tax_residence: None,
        foreign_tax_id: None,
    }
}

pub(crate) fn third_party(rng: &mut Rng) -> ThirdParty {
    let receiver = receiver(rng, false);
    ThirdParty {
        rfc: receiver.rfc,
        legal_name: receiver.legal_name,
        tax_regime: receiver.tax_regime,
        tax_zip: receiver.tax_zip,
    }
}
