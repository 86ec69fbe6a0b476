//! Examples of products for the documentation.

/// A body that creates a product.
pub(super) const CREATE: &str = r#"{
    "name": "Taza de barro",
    "sku": "TAZA-01",
    "price": 19.99,
    "inventory": 100,
    "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16}],
    "variants": [{"name": "Azul", "sku": "TAZA-01-A", "inventory": 20}]
}"#;

/// A body that changes price and stock.
pub(super) const UPDATE: &str = r#"{"price": 21.50, "inventoryDelta": 20}"#;

/// A body that adds a variant.
pub(super) const ADD_VARIANT: &str = r#"{"name": "Roja", "sku": "TAZA-01-R", "inventory": 10}"#;

/// A body that changes a variant.
pub(super) const CHANGE_VARIANT: &str = r#"{"price": 23.00, "inventoryDelta": -2}"#;

/// A variant.
pub(super) const VARIANT: &str = r#"{
    "id": "var_01KG8VZ3D1F5H7K9M0N2P4Q6R9",
    "name": "Azul",
    "sku": "TAZA-01-A",
    "ean": null,
    "price": null,
    "inventory": 20
}"#;

/// The answer to the deletion of a variant.
pub(super) const DELETED_VARIANT: &str =
    r#"{"id": "var_01KG8VZ3D1F5H7K9M0N2P4Q6R9", "deleted": true}"#;

macro_rules! product {
    () => {
        r#"{
    "id": "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8",
    "externalId": null,
    "name": "Taza de barro",
    "sku": "TAZA-01",
    "description": null,
    "ean": null,
    "price": 19.99,
    "currency": "MXN",
    "unit": null,
    "quantityDecimals": 0,
    "inventory": 100,
    "status": "active",
    "lowStockThreshold": null,
    "taxIncluded": true,
    "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false}],
    "satProductKey": null,
    "satUnitKey": null,
    "categoryIds": ["cat_01KGC4D6F8H0K2N4Q6S8V0X2Z4"],
    "brand": "Talavera de Puebla",
    "compareAtPrice": 24.90,
    "cost": 8.25,
    "images": ["https://example.com/taza.jpg"],
    "weight": 0.35,
    "dimensions": {"length": 12, "width": 8.5, "height": 10},
    "variants": [
        {
            "id": "var_01KG8VZ3D1F5H7K9M0N2P4Q6R9",
            "name": "Azul",
            "sku": "TAZA-01-A",
            "ean": null,
            "price": null,
            "inventory": 20
        }
    ],
    "metadata": {},
    "createdAt": "2026-01-31T17:59:12.004Z",
    "updatedAt": "2026-01-31T17:59:12.004Z"
}"#
    };
}

/// A product.
pub(super) const PRODUCT: &str = product!();

/// A page with that product.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    product!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// What its barcode number names.
pub(super) const MATCHES: &str = concat!(
    r#"{"matches": [{"by": "ean", "variantId": null, "product": "#,
    product!(),
    r#", "quantity": null, "amount": null}]}"#
);

/// The answer to its deletion.
pub(super) const DELETED: &str = r#"{"id": "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8", "deleted": true}"#;
