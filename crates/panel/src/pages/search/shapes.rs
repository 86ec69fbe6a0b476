//! What a text can mean by its shape alone, before anything is looked up.

use catalog::Code;
use crm::tax;
use kernel::{id, text};

/// Where things lie whose identifiers begin so.
pub(in crate::pages) const PLACES: &[(&str, &str)] = &[
    ("ord", "orders"),
    ("cus", "customers"),
    ("lead", "leads"),
    ("deal", "deals"),
    ("quo", "quotes"),
    ("inv", "invoices"),
    ("pay", "payments"),
    ("plk", "links"),
    ("prd", "products"),
    ("trf", "transfers"),
    ("rcp", "receipts"),
    ("cnt", "counts"),
    ("whs", "warehouses"),
    ("whk", "webhooks"),
    ("evt", "events"),
    ("apr", "approvals"),
    ("iss", "settings/invoicing/issuers"),
    ("brn", "settings/invoicing/branches"),
];

/// The digits of a Mexican telephone number without its country code.
const NATIONAL_DIGITS: usize = 10;
const MEXICO: &str = "+52";
/// Where the hyphens of a UUID stand.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];
const UUID_CHARS: usize = 36;

/// What a text can name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The fiscal folio of an invoice.
    Uuid(String),
    /// A taxpayer.
    Rfc(String),
    /// Somebody's address.
    Email(String),
    /// Somebody's number.
    Phone(String),
    /// A SKU, or an article number in these ways of writing it.
    Code(String, Vec<String>),
}

/// The page of what an identifier of ours names, whether there is such a thing or not.
pub(in crate::pages) fn place(text: &str) -> Option<String> {
    let known = PLACES.iter().find(|(prefix, _)| id::parse(prefix, text).is_some());
    known.map(|(_, path)| format!("{path}/{text}"))
}

/// The likeliest of what a text can name; nothing where it is too long for any.
pub(super) fn of(given: &str) -> Option<Shape> {
    if is_uuid(given) {
        return Some(Shape::Uuid(given.to_ascii_uppercase()));
    }
    if let Ok(rfc) = tax::rfc(given) {
        return Some(Shape::Rfc(rfc));
    }
    if let Ok(email) = text::email(given) {
        return Some(Shape::Email(email));
    }
    if let Some(phone) = phone(given) {
        return Some(Shape::Phone(phone));
    }
    let code = Code::parse(given).ok()?;
    Some(Shape::Code(code.as_str().to_owned(), code.gtins()))
}

fn is_uuid(given: &str) -> bool {
    let is_right = |(place, byte): (usize, u8)| match HYPHENS.contains(&place) {
        true => byte == b'-',
        false => byte.is_ascii_hexdigit(),
    };
    given.len() == UUID_CHARS && given.bytes().enumerate().all(is_right)
}

/// A number in the international form, or one of ten digits, which is in Mexico.
fn phone(given: &str) -> Option<String> {
    if given.starts_with('+') {
        return text::phone(given).ok();
    }
    let plain: String = given.chars().filter(|c| !matches!(c, ' ' | '-' | '(' | ')')).collect();
    let is_national =
        plain.len() == NATIONAL_DIGITS && plain.bytes().all(|byte| byte.is_ascii_digit());
    is_national.then(|| format!("{MEXICO}{plain}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{page::Method, pages, router};

    #[test]
    fn identifiers_lead_to_pages_that_there_are() {
        let pages = pages::inside();
        for (prefix, path) in PLACES {
            let id = format!("{prefix}_01ARZ3NDEKTSV4RRFFQ69G5FAV");
            assert_eq!(place(&id), Some(format!("{path}/{id}")));
            let found = router::find(&pages, Method::Get, &format!("{path}/{id}"));
            assert!(matches!(found, router::Found::Page(..)), "{path}");
        }
        assert_eq!(place("taza"), None);
        assert_eq!(place("xyz_01ARZ3NDEKTSV4RRFFQ69G5FAV"), None);
    }

    #[test]
    fn a_text_is_known_by_its_shape() {
        let code = |sku: &str| Some(Shape::Code(sku.to_owned(), Vec::new()));
        let uuid = "6e1ce7a8-7e2f-4f5e-9b4e-1d2c3b4a5f60";
        let cases = [
            (uuid, Some(Shape::Uuid(uuid.to_uppercase()))),
            ("cacx7605101p8", Some(Shape::Rfc("CACX7605101P8".to_owned()))),
            ("Ana@Example.com", Some(Shape::Email("Ana@example.com".to_owned()))),
            ("55 1234-5678", Some(Shape::Phone("+525512345678".to_owned()))),
            ("+1 (212) 555 0100", Some(Shape::Phone("+12125550100".to_owned()))),
            ("TAZA-1", code("TAZA-1")),
            ("PLUMA AZUL", code("PLUMA AZUL")),
            ("ORD-000012", code("ORD-000012")),
            ("", None),
        ];
        for (text, shape) in cases {
            assert_eq!(of(text), shape, "{text}");
        }
        let Some(Shape::Code(_, gtins)) = of("7501031311309") else { panic!("no article number") };
        assert!(gtins.contains(&"7501031311309".to_owned()));
    }
}
