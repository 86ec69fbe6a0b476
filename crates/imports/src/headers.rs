//! The names that columns of products have in the files that people have, in English and Spanish, and in what Shopify and
//! WooCommerce export (their documented columns of 2026; Shopify has renamed its own, both are known).

mod customers;
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
        ],
    ),
    (Column::Description, &["description", "descripcion", "bodyhtml"]),
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
    (
        Column::SatProductKey,
        &["satproductkey", "clavesat", "claveprodserv", "claveproductosat", "clavedeproductosat"],
    ),
    (
        Column::SatUnitKey,
        &["satunitkey", "claveunidad", "claveunidadsat", "clavedeunidad", "clavedeunidadsat"],
    ),
    (Column::Unit, &["unit", "unidad", "unidaddemedida", "um"]),
    (
        Column::QuantityDecimals,
        &["quantitydecimals", "decimales", "decimalesdecantidad", "decimalescantidad"],
    ),
    (
        Column::CompareAtPrice,
        &["compareatprice", "precioanterior", "preciocomparacion", "variantcompareatprice"],
    ),
    (Column::Cost, &["cost", "costo", "pcosto", "costounitario", "costperitem", "costofgoods"]),
    (Column::Brand, &["brand", "brands", "marca", "marcas", "vendor"]),
    (
        Column::Categories,
        &["categories", "category", "categoria", "categorias", "departamento", "linea"],
    ),
    (
        Column::Images,
        &["images", "image", "imagenes", "imagen", "fotos", "foto", "imagesrc", "productimageurl"],
    ),
    (Column::Weight, &["weight", "peso", "pesokg", "weightkg"]),
    (Column::Grams, &["grams", "gramos", "pesog", "weightg", "variantgrams", "weightvaluegrams"]),
];

/// Names by which an export of customers of Shopify is told.
const MARKETING: &[&str] = &["acceptsemailmarketing", "acceptsmarketing"];

/// Names that mean something in an export of Shopify alone.
const SHOPIFY: &[(Column, &[&str])] = &[
    (Column::Handle, &["handle", "urlhandle"]),
    (Column::Categories, &["productcategory"]),
    (Column::Type, &["type"]),
];

/// Names that mean something in an export of WooCommerce alone, in English and as its Spanish has them.
const WOO_COMMERCE: &[(Column, &[&str])] = &[
    (Column::Id, &["id"]),
    (Column::Type, &["type", "tipo"]),
    (Column::SalePrice, &["saleprice", "preciorebajado", "preciodeoferta"]),
    (Column::RegularPrice, &["regularprice", "precionormal"]),
    (Column::Status, &["published", "publicado"]),
    (Column::ParentSku, &["parent", "superior", "padre", "principal"]),
];

/// The same of an export of WooCommerce in Spanish, which asks `¿Existencias?` beside how many there are.
const WOO_COMMERCE_SAID_TWICE: &[(&str, &str)] =
    &[("inventario", "existencias"), ("stock", "existencias")];

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
        if kind == ImportKind::Customers && has(&["firstname"]) && has(MARKETING) {
            return Self::Shopify;
        }
        if kind != ImportKind::Products {
            return Self::Plain;
        }
        if has(&["handle", "urlhandle"]) && has(&["title", "titulo"]) {
            Self::Shopify
        } else if has(&["regularprice", "precionormal"]) && has(&["type", "tipo"]) {
            Self::WooCommerce
        } else {
            Self::Plain
        }
    }

    /// Whether another column of the table says what the one of that name says, and says it better. `folded` are the names of
    /// those that a request says nothing of.
    pub(crate) fn is_said_twice(self, kind: ImportKind, name: &str, folded: &[String]) -> bool {
        let own = match self {
            Self::WooCommerce => WOO_COMMERCE_SAID_TWICE,
            Self::Plain | Self::Shopify => &[],
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

    /// What a column of that name holds in such a table.
    pub(crate) fn column(self, kind: ImportKind, name: &str) -> Option<Column> {
        if REPORT.contains(&name.trim()) {
            return Some(Column::Report);
        }
        // Other programs have a `Variant ID`, which is none of ours.
        if kind == ImportKind::Products && name.trim() == Column::VariantId.name() {
            return Some(Column::VariantId);
        }
        let folded = letters_and_digits(name);
        let own: &[(Column, &[&str])] = match self {
            _ if kind != ImportKind::Products => &[],
            Self::Plain => &[],
            Self::Shopify => SHOPIFY,
            Self::WooCommerce => WOO_COMMERCE,
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
        ImportKind::Products => &[Dialect::Shopify, Dialect::WooCommerce],
        ImportKind::Customers | ImportKind::Stock => &[Dialect::Plain],
    };
    dialects.iter().any(|of| of.column(kind, name).is_some())
}
