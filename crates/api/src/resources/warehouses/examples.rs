//! Examples of warehouses for the documentation.

/// A body that creates a warehouse.
pub(super) const CREATE: &str = r#"{
    "name": "Guadalajara",
    "address": {"street": "Av. Vallarta 1234", "neighborhood": "Americana", "city": "Guadalajara", "state": "Jalisco", "zip": "44160"},
    "priority": 20
}"#;

/// A body that changes a warehouse.
pub(super) const UPDATE: &str = r#"{"name": "Guadalajara Centro", "priority": 10}"#;

macro_rules! warehouse {
    () => {
        r#"{
    "id": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A",
    "name": "Guadalajara",
    "address": {
        "street": "Av. Vallarta 1234",
        "neighborhood": "Americana",
        "city": "Guadalajara",
        "state": "Jalisco",
        "zip": "44160",
        "country": "MX",
        "phone": null
    },
    "kind": "store",
    "priority": 20,
    "createdAt": "2026-01-31T18:05:00.000Z",
    "updatedAt": "2026-01-31T18:05:00.000Z"
}"#
    };
}

/// A warehouse.
pub(super) const WAREHOUSE: &str = warehouse!();

/// A page with that warehouse.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    warehouse!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// The answer to the deletion of a warehouse.
pub(super) const DELETED: &str = r#"{"id": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A", "deleted": true}"#;
