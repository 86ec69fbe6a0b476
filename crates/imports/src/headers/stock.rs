//! The names that columns of tables of stock have, among them those of Shopify's inventory export.

use crate::Column;

pub(super) const NAMES: &[(Column, &[&str])] = &[
    (
        Column::Sku,
        &[
            "sku",
            "clave",
            "codigo",
            "codigointerno",
            "modelo",
            "claveinterna",
            "code",
            "variantsku",
        ],
    ),
    (Column::Ean, &["ean", "ean13", "gtin", "upc", "codigodebarras", "codigobarras", "barcode"]),
    (
        Column::Warehouse,
        &[
            "warehouse",
            "almacen",
            "bodega",
            "sucursal",
            "tienda",
            "location",
            "ubicacion",
            "warehouseid",
        ],
    ),
    (
        Column::OnHand,
        &[
            "onhand",
            "onhandnew",
            "counted",
            "countedquantity",
            "contado",
            "conteo",
            "conteofisico",
            "existencia",
            "existencias",
            "existenciafisica",
            "stock",
            "cantidad",
            "quantity",
            "inventario",
            "inventory",
        ],
    ),
    (
        Column::Delta,
        &["delta", "ajuste", "diferencia", "movimiento", "adjustment", "difference", "change"],
    ),
];
