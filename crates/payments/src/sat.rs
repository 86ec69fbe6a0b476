//! How the tax authority names ways to pay (`c_FormaPago` of CFDI 4.0).

use crate::{Funding, Method};

/// The payment form of a method, by the funding of the card where one was used. `None` where it must be named.
#[must_use]
pub const fn form(method: Method, funding: Option<Funding>) -> Option<&'static str> {
    match (method, funding) {
        (Method::Cash | Method::Oxxo, _) => Some("01"),
        (Method::Check, _) => Some("02"),
        (Method::Spei | Method::Transfer | Method::Codi, _) => Some("03"),
        (Method::Card, Some(Funding::Debit | Funding::Prepaid)) => Some("28"),
        (Method::Card, Some(Funding::Credit) | None) => Some("04"),
        (Method::Wallet, _) => Some("31"),
        (Method::Other, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_follow_methods() {
        for (method, funding, form_of) in [
            (Method::Cash, None, Some("01")),
            (Method::Oxxo, None, Some("01")),
            (Method::Check, None, Some("02")),
            (Method::Spei, None, Some("03")),
            (Method::Card, None, Some("04")),
            (Method::Card, Some(Funding::Credit), Some("04")),
            (Method::Card, Some(Funding::Debit), Some("28")),
            (Method::Card, Some(Funding::Prepaid), Some("28")),
            (Method::Wallet, None, Some("31")),
            (Method::Other, None, None),
        ] {
            assert_eq!(form(method, funding), form_of, "{method:?} {funding:?}");
        }
    }
}
