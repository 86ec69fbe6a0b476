//! Examples of price lists for the documentation.

/// A body that creates a list.
pub(super) const CREATE: &str = r#"{
    "name": "Mayoreo",
    "currency": "MXN",
    "customerGroupId": "cgr_01KGC6B2D4F6H8K0M2P4R6T8V0",
    "priority": 50,
    "validFrom": "2026-02-01T06:00:00.000Z"
}"#;

/// A body that changes a list.
pub(super) const UPDATE: &str =
    r#"{"name": "Mayoreo 2026", "validUntil": "2027-01-01T06:00:00.000Z"}"#;

/// A body that sets prices.
pub(super) const SET: &str = r#"{
    "items": [
        {"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V", "price": 17.50},
        {"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V", "minQuantity": 12, "price": 15.90}
    ]
}"#;

macro_rules! list {
    () => {
        r#"{
    "id": "pls_01KGC7A3C5E7G9J1M3P5R7T9V1",
    "name": "Mayoreo",
    "currency": "MXN",
    "customerGroupId": "cgr_01KGC6B2D4F6H8K0M2P4R6T8V0",
    "priority": 50,
    "validFrom": "2026-02-01T06:00:00.000Z",
    "validUntil": null,
    "createdAt": "2026-01-31T18:05:00.000Z",
    "updatedAt": "2026-01-31T18:05:00.000Z"
}"#
    };
}

/// A list.
pub(super) const LIST: &str = list!();

/// A page with that list.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    list!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// A page of prices.
pub(super) const ITEMS: &str = r#"{"data": [
    {"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V", "variantId": null, "minQuantity": 1, "price": 17.50},
    {"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V", "variantId": null, "minQuantity": 12, "price": 15.90}
], "total": 2, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#;

/// The answer to the deletion of a list.
pub(super) const DELETED: &str = r#"{"id": "pls_01KGC7A3C5E7G9J1M3P5R7T9V1", "deleted": true}"#;
