//! Examples of certificates for the documentation; the files in them are cut short.

/// A body that adds a certificate.
pub(super) const ADD: &str =
    r#"{"certificate": "MIIDjjCCAnag", "privateKey": "MIIFDjBABgkq", "password": "12345678a"}"#;

macro_rules! certificate {
    () => {
        r#"{
    "id": "csd_01KG8XW3Y5A7C9E1G3J5M7P9R1",
    "number": "30001000000500003416",
    "rfc": "EKU9003173C9",
    "legalName": "ESCUELA KEMPER URGATE SA DE CV",
    "validFrom": "2023-05-18T11:43:51.000Z",
    "validUntil": "2027-05-18T11:43:51.000Z",
    "isActive": true,
    "createdAt": "2026-01-31T17:36:02.551Z"
}"#
    };
}

/// A certificate.
pub(super) const CERTIFICATE: &str = certificate!();

/// A page with that certificate.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    certificate!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// The answer to the deletion of a certificate.
pub(super) const DELETED: &str = r#"{"id": "csd_01KG8XW3Y5A7C9E1G3J5M7P9R1", "deleted": true}"#;
