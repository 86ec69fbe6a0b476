//! Examples of issuers and certificates for the documentation; the files in them are cut short.

/// A body that sets the issuer.
pub(super) const WANTED: &str = r#"{
    "rfc": "EKU9003173C9",
    "legalName": "ESCUELA KEMPER URGATE",
    "taxRegime": "601",
    "taxZip": "42501"
}"#;

/// An issuer.
pub(super) const ISSUER: &str = r#"{
    "rfc": "EKU9003173C9",
    "legalName": "ESCUELA KEMPER URGATE",
    "taxRegime": "601",
    "taxZip": "42501",
    "series": {"income": "F", "credit": "NC", "payment": "P", "transfer": "T"},
    "defaultTaxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false}],
    "hasLogo": false,
    "createdAt": "2026-01-31T17:35:20.114Z",
    "updatedAt": "2026-01-31T17:35:20.114Z"
}"#;

/// A body that sets the logo.
pub(super) const LOGO: &str = r#"{"image": "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC"}"#;

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

/// The answer to the deletion of the logo.
pub(super) const DELETED_LOGO: &str = r#"{"id": "logo", "deleted": true}"#;
