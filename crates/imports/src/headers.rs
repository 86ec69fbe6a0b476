//! The names that columns of products have in the files that people have, in English and Spanish, and in what shops and tills
//! export.

mod customers;
mod shops;
mod stock;

use kernel::text::letters_and_digits;

use crate::{Column, ImportKind, REPORT};

/// Whose columns a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Anybody's.
    Plain,
    /// Those of an export of Shopify: a product's rows share its handle.
    Shopify,
    /// Those of a product export of WooCommerce: a variation names its parent.
    WooCommerce,
    /// Those of a product export of Tiendanube: a product's rows share the end of its address.
    Tiendanube,
    /// Those of an export of Loyverse: a product's rows share its handle, and prices and stock are of a store.
    Loyverse,
}

/// Names that mean the same in every table.
const NAMES: &[(Column, &[&str])] = &[
    (Column::ExternalId, &["externalid", "idexterno"]),
    (
        Column::Sku,
        &[
            "sku",
            "clave",
            "codigo",
            "codigointerno",
            "modelo",
            "variantsku",
            "claveinterna",
            "code",
            "referenciainterna",
            "internalreference",
            "cveart",
        ],
    ),
    (
        Column::Ean,
        &[
            "ean",
            "ean13",
            "gtin",
            "upc",
            "codigodebarras",
            "codigobarras",
            "variantbarcode",
            "barcode",
            "gtinupceanorisbn",
            "gtinupceanoisbn",
        ],
    ),
    (
        Column::Name,
        &[
            "name",
            "nombre",
            "producto",
            "articulo",
            "title",
            "titulo",
            "product",
            "nombredelproducto",
            "itemname",
        ],
    ),
    (Column::Description, &["description", "descripcion", "descr", "bodyhtml"]),
    (
        Column::Price,
        &[
            "price",
            "precio",
            "pventa",
            "preciopublico",
            "variantprice",
            "precioventa",
            "preciodeventa",
            "preciounitario",
            "unitprice",
            "precioalpublico",
            "salesprice",
            "precioconiva",
            "precio1",
        ],
    ),
    (Column::Currency, &["currency", "moneda"]),
    (
        Column::Inventory,
        &[
            "inventory",
            "existencia",
            "existencias",
            "stock",
            "cantidad",
            "variantinventoryqty",
            "inventoryquantity",
            "inventario",
            "cantidadalamano",
            "quantityonhand",
            "exist",
        ],
    ),
    (
        Column::LowStockThreshold,
        &[
            "lowstockthreshold",
            "minimo",
            "invminimo",
            "stockminimo",
            "lowstockamount",
            "existenciaminima",
            "stockmin",
            "cantidaddebajoinventario",
            "inventariominimo",
        ],
    ),
    (Column::ParentSku, &["parentsku", "skupadre"]),
    (Column::VariantName, &["variantname", "variante", "variant"]),
    (Column::Option(1), &["talla", "option1value", "attribute1values", "valoresdelatributo1"]),
    (Column::Option(2), &["color", "option2value", "attribute2values", "valoresdelatributo2"]),
    (Column::Option(3), &["option3value", "attribute3values", "valoresdelatributo3"]),
    (Column::Status, &["status", "estado", "activo", "active", "estatus"]),
    (Column::TaxIncluded, &["taxincluded", "ivaincluido", "impuestosincluidos"]),
    (Column::Taxes, &["taxes", "impuestos", "tasaiva", "tasadeiva", "porcentajedeiva"]),
    (
        Column::SatProductKey,
        &[
            "satproductkey",
            "clavesat",
            "claveprodserv",
            "claveproductosat",
            "clavedeproductosat",
            "cveprodserv",
        ],
    ),
    (
        Column::SatUnitKey,
        &[
            "satunitkey",
            "claveunidad",
            "claveunidadsat",
            "clavedeunidad",
            "clavedeunidadsat",
            "cveunidad",
        ],
    ),
    (Column::Unit, &["unit", "unidad", "unidaddemedida", "um", "unimed"]),
    (
        Column::QuantityDecimals,
        &["quantitydecimals", "decimales", "decimalesdecantidad", "decimalescantidad"],
    ),
    (
        Column::CompareAtPrice,
        &["compareatprice", "precioanterior", "preciocomparacion", "variantcompareatprice"],
    ),
    (Column::SoldBy, &["tipodeventa", "soldbyweight"]),
    (
        Column::Cost,
        &[
            "cost",
            "costo",
            "pcosto",
            "costounitario",
            "costperitem",
            "costofgoods",
            "defaultunitcost",
        ],
    ),
    (Column::Brand, &["brand", "brands", "marca", "marcas", "vendor"]),
    (
        Column::Categories,
        &[
            "categories",
            "category",
            "categoria",
            "categorias",
            "departamento",
            "linea",
            "categoriadelproducto",
            "linprod",
        ],
    ),
    (
        Column::Images,
        &["images", "image", "imagenes", "imagen", "fotos", "foto", "imagesrc", "productimageurl"],
    ),
    (Column::Weight, &["weight", "peso", "pesokg", "weightkg"]),
    (Column::Grams, &["grams", "gramos", "pesog", "weightg", "variantgrams", "weightvaluegrams"]),
];

/// Names of two columns that both tell a category, of which the second is left alone: tills have a department or a line
/// beside it.
const SAID_TWICE: &[(&str, &str)] = &[
    ("categoria", "departamento"),
    ("categorias", "departamento"),
    ("category", "departamento"),
    ("categories", "departamento"),
    ("categoria", "linea"),
    ("categorias", "linea"),
    ("category", "linea"),
    ("categories", "linea"),
    ("departamento", "linea"),
];

impl Dialect {
    /// Whose columns these are, folded.
    pub(crate) fn of(kind: ImportKind, folded: &[String]) -> Self {
        let has = |names: &[&str]| folded.iter().any(|name| names.contains(&name.as_str()));
        if kind == ImportKind::Customers && has(&["firstname"]) && has(shops::MARKETING) {
            return Self::Shopify;
        }
        if kind != ImportKind::Products {
            return Self::Plain;
        }
        if has(&["handle", "urlhandle"]) && has(&["title", "titulo"]) {
            Self::Shopify
        } else if has(&["regularprice", "precionormal"]) && has(&["type", "tipo"]) {
            Self::WooCommerce
        } else if has(&["identificadordeurl"]) && has(&["nombre"]) {
            Self::Tiendanube
        } else if has(&["handle"]) && has(&["soldbyweight"]) {
            Self::Loyverse
        } else {
            Self::Plain
        }
    }

    /// Whether another column of the table says what the one of that name says, and says it better. `folded` are the names of
    /// those that a request says nothing of.
    pub(crate) fn is_said_twice(self, kind: ImportKind, name: &str, folded: &[String]) -> bool {
        let own = match self {
            Self::WooCommerce => shops::WOO_COMMERCE_SAID_TWICE,
            Self::Plain | Self::Shopify | Self::Tiendanube | Self::Loyverse => &[],
        };
        let said = match kind {
            ImportKind::Products => SAID_TWICE,
            ImportKind::Customers => customers::SAID_TWICE,
            ImportKind::Stock => &[],
        };
        let name = letters_and_digits(name);
        let mut all = own.iter().chain(said);
        all.any(|(better, other)| *other == name && folded.iter().any(|one| one == better))
    }

    /// Whether the rows of a product and its variants share a handle, and the first of them is of the product.
    #[must_use]
    pub const fn shares_handles(self) -> bool {
        matches!(self, Self::Shopify | Self::Tiendanube | Self::Loyverse)
    }

    /// What a column of that name holds in such a table.
    pub(crate) fn column(self, kind: ImportKind, name: &str) -> Option<Column> {
        if REPORT.contains(&name.trim()) {
            return Some(Column::Report);
        }
        // Other programs have a `Variant ID`, which is none of ours.
        if kind == ImportKind::Products && name.trim() == Column::VariantId.name() {
            return Some(Column::VariantId);
        }
        let is_of_store = self == Self::Loyverse;
        let folded =
            letters_and_digits(if is_of_store { shops::without_store(name) } else { name });
        let own: &[(Column, &[&str])] = match self {
            _ if kind != ImportKind::Products => &[],
            Self::Plain => &[],
            Self::Shopify => shops::SHOPIFY,
            Self::WooCommerce => shops::WOO_COMMERCE,
            Self::Tiendanube => shops::TIENDANUBE,
            Self::Loyverse => shops::LOYVERSE,
        };
        let names = match kind {
            ImportKind::Products => NAMES,
            ImportKind::Customers => customers::NAMES,
            ImportKind::Stock => stock::NAMES,
        };
        let mut all = own.iter().chain(names);
        let found = all.find(|(_, names)| names.contains(&folded.as_str()));
        found.map(|(column, _)| *column)
    }
}

/// Whether it is a name that this crate has a use for.
#[must_use]
pub fn is_known(kind: ImportKind, name: &str) -> bool {
    let dialects: &[Dialect] = match kind {
        ImportKind::Products => {
            &[Dialect::Shopify, Dialect::WooCommerce, Dialect::Tiendanube, Dialect::Loyverse]
        }
        ImportKind::Customers | ImportKind::Stock => &[Dialect::Plain],
    };
    dialects.iter().any(|of| of.column(kind, name).is_some())
}
