//! Examples of customers for the documentation.

/// A body that creates a customer.
pub(super) const CREATE: &str = r#"{
    "name": "Ana Flores",
    "email": "ana@example.com",
    "phone": "+525512345678",
    "addresses": [{"label": "shipping", "street": "Av. Juárez 10", "city": "Ciudad de México", "zip": "06050"}]
}"#;

/// A body that adds what an invoice needs.
pub(super) const UPDATE: &str = r#"{
    "rfc": "FOAA900101AB1",
    "legalName": "ANA FLORES AGUILAR",
    "taxRegime": "612",
    "taxZip": "06050",
    "cfdiUse": "G03"
}"#;

/// A customer, to be put into larger examples.
macro_rules! customer {
    () => {
        r#"{
    "id": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C",
    "externalId": null,
    "name": "Ana Flores",
    "email": "ana@example.com",
    "phone": "+525512345678",
    "rfc": null,
    "legalName": null,
    "taxRegime": null,
    "taxZip": null,
    "cfdiUse": null,
    "taxResidence": null,
    "foreignTaxId": null,
    "groupId": null,
    "taxStatus": "missing",
    "addresses": [
        {
            "label": "shipping",
            "street": "Av. Juárez 10",
            "neighborhood": null,
            "city": "Ciudad de México",
            "state": null,
            "zip": "06050",
            "country": "MX"
        }
    ],
    "metadata": {},
    "createdAt": "2026-01-31T17:58:40.550Z",
    "updatedAt": "2026-01-31T17:58:40.550Z"
}"#
    };
}
pub(in crate::resources) use customer;

/// A customer.
pub(super) const CUSTOMER: &str = customer!();

/// A page with that customer.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    customer!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// The answer to its deletion.
pub(super) const DELETED: &str = r#"{"id": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C", "deleted": true}"#;
