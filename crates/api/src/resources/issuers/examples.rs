//! Examples of issuers for the documentation.

/// A body that sets the issuer.
pub(super) const WANTED: &str = r#"{
    "rfc": "EKU9003173C9",
    "legalName": "ESCUELA KEMPER URGATE",
    "taxRegime": "601",
    "taxZip": "42501"
}"#;

/// A body that sets another issuer than the default one.
pub(super) const SET: &str = r#"{
    "rfc": "URE180429TM6",
    "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA",
    "taxRegime": "601",
    "taxZip": "86991"
}"#;

/// A body that adds an issuer.
pub(super) const ADD: &str = r#"{
    "rfc": "CACX7605101P8",
    "legalName": "XOCHILT CASAS CHAVEZ",
    "taxRegime": "612",
    "taxZip": "36257",
    "series": {"income": "X"}
}"#;

macro_rules! issuer {
    () => {
        r#"{
    "id": "iss_01KG8VXT0N9B4C6D8E0F2G4H6J",
    "rfc": "EKU9003173C9",
    "legalName": "ESCUELA KEMPER URGATE",
    "taxRegime": "601",
    "taxZip": "42501",
    "series": {"income": "F", "credit": "NC", "payment": "P", "transfer": "T"},
    "defaultTaxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false}],
    "shippingTaxes": null,
    "autoReceipts": false,
    "autoCreditNotes": false,
    "hasLogo": false,
    "isDefault": true,
    "createdAt": "2026-01-31T17:35:20.114Z",
    "updatedAt": "2026-01-31T17:35:20.114Z"
}"#
    };
}

/// An issuer.
pub(super) const ISSUER: &str = issuer!();

/// A page with that issuer.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    issuer!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// The answer to the deletion of an issuer.
pub(super) const DELETED: &str = r#"{"id": "iss_01KG8Y0A1B2C3D4E5F6G7H8J9K", "deleted": true}"#;

/// A body that sets the logo.
pub(super) const LOGO: &str = r#"{"image": "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC"}"#;

/// The answer to the deletion of the logo.
pub(super) const DELETED_LOGO: &str = r#"{"id": "logo", "deleted": true}"#;
