//! Distinguished names: single attributes, and the whole in one line.

use der::{Tagged, asn1::ObjectIdentifier};
use x509_cert::{attr::AttributeTypeAndValue, name::Name};

pub(super) const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");
pub(super) const COUNTRY: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.6");
pub(super) const ORGANIZATION: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.10");
pub(super) const UNIT: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.11");
pub(super) const NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.41");
pub(super) const UNIQUE_IDENTIFIER: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.45");

/// The short names of attributes that SAT's certificates use, as common tools write them.
const SHORT_NAMES: [(ObjectIdentifier, &str); 14] = [
    (COMMON_NAME, "CN"),
    (ObjectIdentifier::new_unwrap("2.5.4.5"), "serialNumber"),
    (COUNTRY, "C"),
    (ObjectIdentifier::new_unwrap("2.5.4.7"), "L"),
    (ObjectIdentifier::new_unwrap("2.5.4.8"), "ST"),
    (ObjectIdentifier::new_unwrap("2.5.4.9"), "street"),
    (ORGANIZATION, "O"),
    (UNIT, "OU"),
    (ObjectIdentifier::new_unwrap("2.5.4.12"), "title"),
    (ObjectIdentifier::new_unwrap("2.5.4.17"), "postalCode"),
    (NAME, "name"),
    (UNIQUE_IDENTIFIER, "x500UniqueIdentifier"),
    (ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.1"), "emailAddress"),
    (ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.2"), "unstructuredName"),
];

/// The first attribute of that type with a text, without surrounding space.
pub(super) fn attribute(name: &Name, wanted: ObjectIdentifier) -> Option<String> {
    let attributes = name.0.iter().flat_map(|relative| relative.0.iter());
    attributes
        .filter(|attribute| attribute.oid == wanted)
        .map(|attribute| text(attribute).trim().to_owned())
        .find(|text| !text.is_empty())
}

/// The name as RFC 4514 writes it: the last attribute first, special characters escaped.
pub(super) fn in_one_line(name: &Name) -> String {
    let relatives = name.0.iter().rev().map(|relative| {
        let attributes = relative.0.iter().map(|attribute| {
            format!("{}={}", short_name(attribute.oid), escaped(&text(attribute)))
        });
        attributes.collect::<Vec<_>>().join("+")
    });
    relatives.collect::<Vec<_>>().join(",")
}

fn short_name(oid: ObjectIdentifier) -> String {
    let known = SHORT_NAMES.iter().find(|(known, _)| *known == oid);
    known.map_or_else(|| oid.to_string(), |(_, name)| (*name).to_owned())
}

/// The text of an attribute.
///
/// Old certificates hold Latin-1 in types of string that forbid it, such as a `PrintableString` with Ñ.
fn text(attribute: &AttributeTypeAndValue) -> String {
    let bytes = attribute.value.value();
    if attribute.value.tag() == der::Tag::BmpString {
        let (pairs, _) = bytes.as_chunks::<2>();
        let units = pairs.iter().map(|pair| u16::from_be_bytes(*pair));
        return char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
    }
    std::str::from_utf8(bytes)
        .map_or_else(|_| bytes.iter().copied().map(char::from).collect(), str::to_owned)
}

fn escaped(text: &str) -> String {
    let last = text.chars().count().saturating_sub(1);
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.chars().enumerate() {
        let special = matches!(c, '"' | '+' | ',' | ';' | '<' | '>' | '\\')
            || (at == 0 && matches!(c, ' ' | '#'))
            || (at == last && c == ' ');
        if special {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn escapes_what_rfc_4514_has_escaped() {
        for (plain, expected) in [
            ("responsable: ACDMA-SAT", "responsable: ACDMA-SAT"),
            ("Av. Hidalgo 77, Col. Guerrero", "Av. Hidalgo 77\\, Col. Guerrero"),
            ("# a=b ", "\\# a=b\\ "),
            (" ", "\\ "),
            ("", ""),
            ("Ñ\"\\", "Ñ\\\"\\\\"),
        ] {
            assert_eq!(escaped(plain), expected);
        }
    }
}
