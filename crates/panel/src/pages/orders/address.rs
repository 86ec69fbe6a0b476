//! Where an order is sent to, as a form has it.

use crm::customer::checked_country;
use intake::{
    Fields,
    checks::{line, text},
};
use orders::{ShippingAddress, order::LINE_CHARS_MAX};

use crate::{
    form::Values,
    pages::reading::{phone, required},
    parts::Field,
    texts::Say,
};

/// Where the goods of most orders stay.
const COUNTRY: &str = "MX";

/// The address that a form gives, if it gives one.
pub(super) fn read(fields: &mut Fields<'_>) -> Option<ShippingAddress> {
    let mut short = |name: &'static str| fields.optional(name, line(LINE_CHARS_MAX));
    let recipient = short("address.recipient");
    let street = short("address.street");
    let neighborhood = short("address.neighborhood");
    let city = short("address.city");
    let state = short("address.state");
    let zip = short("address.zip");
    let phone = fields.optional("address.phone", phone());
    let country = fields.optional("address.country", text(checked_country));
    let others = [&recipient, &neighborhood, &city, &state, &zip, &phone];
    let is_given = others.into_iter().any(Option::is_some);
    match street {
        Some(street) => Some(ShippingAddress {
            recipient,
            phone,
            street,
            neighborhood,
            city,
            state,
            zip,
            country: country.unwrap_or_else(|| COUNTRY.to_owned()),
        }),
        None if is_given && !fields.gives("address.street") => {
            fields.refuse("address.street", required())
        }
        None => None,
    }
}

/// Its fields.
pub(super) fn inputs(say: Say, values: &Values) -> Vec<Field> {
    vec![
        Field::text("address.recipient", say.recipient(), values),
        Field::input("tel", "address.phone", say.phone(), values).hint(say.phone_hint()),
        Field::text("address.street", say.street(), values),
        Field::text("address.neighborhood", say.neighborhood(), values),
        Field::text("address.city", say.city(), values),
        Field::text("address.state", say.state_of_country(), values),
        Field::text("address.zip", say.zip(), values),
        Field::text("address.country", say.country(), values).hint(say.country_hint()),
    ]
}

/// An address as its fields show it.
pub(super) fn shown(address: &ShippingAddress) -> Vec<(&'static str, &str)> {
    let texts = [
        ("address.recipient", address.recipient.as_deref()),
        ("address.phone", address.phone.as_deref()),
        ("address.street", Some(address.street.as_str())),
        ("address.neighborhood", address.neighborhood.as_deref()),
        ("address.city", address.city.as_deref()),
        ("address.state", address.state.as_deref()),
        ("address.zip", address.zip.as_deref()),
        ("address.country", Some(address.country.as_str())),
    ];
    texts.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
}

/// The line below the street, as it is written on parcels: postal code and city, state, and the country where it is another.
pub(super) fn town(address: &ShippingAddress) -> Option<String> {
    let local: Vec<&str> =
        [&address.zip, &address.city].into_iter().flatten().map(String::as_str).collect();
    let local = Some(local.join(" ")).filter(|local| !local.is_empty());
    let country = Some(address.country.clone()).filter(|country| country != COUNTRY);
    let parts: Vec<String> =
        [local, address.state.clone(), country].into_iter().flatten().collect();
    Some(parts.join(", ")).filter(|line| !line.is_empty())
}

/// The name of the field of the form that the service calls so.
pub(super) fn field(name: &str) -> Option<String> {
    name.strip_prefix("shippingAddress.").map(|part| format!("address.{part}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_is_named_where_it_is_another() {
        let address = |zip: Option<&str>, state: Option<&str>, country: &str| ShippingAddress {
            recipient: None,
            phone: None,
            street: "Madero 1".to_owned(),
            neighborhood: None,
            city: zip.map(|_| "Washington".to_owned()),
            state: state.map(str::to_owned),
            zip: zip.map(str::to_owned),
            country: country.to_owned(),
        };
        let abroad = town(&address(Some("20500"), Some("DC"), "US"));
        assert_eq!(abroad.as_deref(), Some("20500 Washington, DC, US"));
        assert_eq!(town(&address(None, Some("Puebla"), "MX")).as_deref(), Some("Puebla"));
        assert_eq!(town(&address(None, None, "MX")), None);
    }
}
