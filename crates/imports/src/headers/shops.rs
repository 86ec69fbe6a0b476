//! The names that columns have in what shops and tills export: those that Shopify and WooCommerce document in 2026 (Shopify has
//! renamed its own, both are known), and those that exports of Tiendanube and Loyverse have.

use crate::Column;

/// Names by which an export of customers of Shopify is told.
pub(super) const MARKETING: &[&str] = &["acceptsemailmarketing", "acceptsmarketing"];

/// Names that mean something in an export of Shopify alone.
pub(super) const SHOPIFY: &[(Column, &[&str])] = &[
    (Column::Handle, &["handle", "urlhandle"]),
    (Column::Categories, &["productcategory"]),
    (Column::Type, &["type"]),
];

/// Names that mean something in an export of WooCommerce alone, in English and as its Spanish has them.
pub(super) const WOO_COMMERCE: &[(Column, &[&str])] = &[
    (Column::Id, &["id"]),
    (Column::Type, &["type", "tipo"]),
    (Column::SalePrice, &["saleprice", "preciorebajado", "preciodeoferta"]),
    (Column::RegularPrice, &["regularprice", "precionormal"]),
    (Column::Status, &["published", "publicado"]),
    (Column::ParentSku, &["parent", "superior", "padre", "principal"]),
];

/// Names of two columns of WooCommerce in Spanish, of which the second is left alone: it asks `¿Existencias?` beside how many there are.
pub(super) const WOO_COMMERCE_SAID_TWICE: &[(&str, &str)] =
    &[("inventario", "existencias"), ("stock", "existencias")];

/// Names that mean something in an export of Tiendanube alone.
pub(super) const TIENDANUBE: &[(Column, &[&str])] = &[
    (Column::Handle, &["identificadordeurl"]),
    (Column::Option(1), &["valordepropiedad1"]),
    (Column::Option(2), &["valordepropiedad2"]),
    (Column::Option(3), &["valordepropiedad3"]),
    (Column::SalePrice, &["preciopromocional"]),
    (Column::RegularPrice, &["precio"]),
    (Column::Status, &["mostrarentienda", "mostrarenmitiendaenlinea"]),
];

/// Names that mean something in an export of Loyverse alone, without the store behind them.
pub(super) const LOYVERSE: &[(Column, &[&str])] = &[
    (Column::Handle, &["handle"]),
    (Column::Inventory, &["instock"]),
    (Column::LowStockThreshold, &["lowstock"]),
    (Column::Status, &["availableforsale"]),
];

/// The name of a column of Loyverse without its store: `Price [Centro]`.
pub(super) fn without_store(name: &str) -> &str {
    let of_store = name.trim().strip_suffix(']').and_then(|name| name.split_once('['));
    of_store.map_or(name, |(name, _)| name)
}
