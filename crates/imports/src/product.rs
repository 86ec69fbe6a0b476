//! What a row of a table of products says.

use std::collections::BTreeMap;

use catalog::{
    ProductChanges, ProductStatus, VariantChanges, VariantId, product, stock::checked_count,
};
use kernel::{Amount, Currency, text};

use crate::{
    Cell, Code, Column, Dialect, Others, Problem, RowKey, RowReader, code,
    markup::text_of_html,
    reader::{Reading, Said, fault_of_text, line, whole},
};

/// The most bytes of the number that WooCommerce gives a product.
const NUMBER_BYTES_MAX: usize = 20;

/// By what a product is found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// By its SKU, or that of a variant.
    Sku(String),
    /// By the caller's own identifier.
    ExternalId(String),
}

/// What a row of a table of products wants.
#[derive(Clone, Debug)]
pub struct WantedProduct {
    /// The product that it is about.
    pub key: Key,
    /// What it says of the product, its SKU and external identifier among it; `None` if it only names it.
    pub product: Option<Box<ProductChanges>>,
    /// What it says of a variant.
    pub variant: Option<VariantChanges>,
    /// What the row of a variant says of the product besides, which that has to be already.
    pub of_product: Option<Box<ProductChanges>>,
    /// What tells that variant from others of its name.
    pub told_apart: ToldApart,
    /// What the product costs if it is new and the row does not say.
    pub price_if_new: Option<Amount>,
    /// What was made of the row that its author may want to know.
    pub warnings: Vec<Problem>,
}

/// What tells a variant without a SKU from others of its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToldApart {
    /// Its identifier.
    pub id: Option<VariantId>,
    /// Whether an earlier row of the file is about a variant of that name, too.
    pub has_twin: bool,
}

impl WantedProduct {
    /// What it says, by field: as a dry run shows it.
    #[must_use]
    pub fn shown(&self) -> BTreeMap<String, String> {
        let mut shown = BTreeMap::new();
        let mut show = |column: Column, text: Option<String>| {
            if let Some(text) = text {
                shown.insert(column.name().to_owned(), text);
            }
        };
        let variant = self.variant.as_ref();
        if let (Key::Sku(parent), Some(_)) = (&self.key, variant) {
            show(Column::ParentSku, Some(parent.clone()));
        }
        if let Some(product) = &self.product {
            show(Column::Sku, product.sku.clone());
            show(Column::ExternalId, product.external_id.clone().flatten());
            show(Column::Name, product.name.clone());
            show(Column::Description, product.description.clone().flatten());
            show(Column::Ean, product.ean.clone().flatten().map(|ean| ean.to_string()));
            show(Column::Price, product.price.map(|price| price.to_string()));
            show(Column::Currency, product.currency.map(|currency| currency.to_string()));
            show(Column::Inventory, product.inventory.map(|count| count.to_string()));
            let threshold = product.low_stock_threshold.flatten();
            show(Column::LowStockThreshold, threshold.map(|count| count.to_string()));
            show(Column::Status, product.status.map(|status| status.name().to_owned()));
            show(Column::TaxIncluded, product.tax_included.map(|is_in| is_in.to_string()));
            show(Column::SatProductKey, product.sat_product_key.clone().flatten());
            show(Column::SatUnitKey, product.sat_unit_key.clone().flatten());
        }
        if let Some(variant) = variant {
            show(Column::VariantName, variant.name.clone());
            show(Column::VariantId, self.told_apart.id.map(|id| id.to_string()));
            show(Column::Sku, variant.sku.clone().flatten());
            show(Column::Ean, variant.ean.clone().flatten().map(|ean| ean.to_string()));
            show(Column::Price, variant.price.flatten().map(|price| price.to_string()));
            show(Column::Inventory, variant.inventory.map(|count| count.to_string()));
        }
        shown
    }

    /// By what products are found that it may be about.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        let variant = self.variant.iter().filter_map(|variant| variant.sku.clone().flatten());
        let product = self.product.iter();
        let own = product.clone().filter_map(|product| product.sku.clone()).map(Key::Sku);
        let external = product.filter_map(|product| product.external_id.clone().flatten());
        std::iter::once(self.key.clone())
            .chain(variant.map(Key::Sku))
            .chain(own)
            .chain(external.map(Key::ExternalId))
    }
}

impl RowReader {
    /// What a variation of WooCommerce costs, and the SKU of its product.
    #[must_use]
    pub fn variation_price(
        &self,
        row: &[Cell<'_>],
        sku_of: &dyn Fn(&str) -> Option<String>,
    ) -> Option<(String, Amount)> {
        let parent = self.parent(row)?;
        let sku = match self.number_in(&parent) {
            Some(id) => sku_of(id)?,
            None => parent,
        };
        Some((sku, self.reading(row).price()?))
    }

    /// The SKU of the product that a variant in the row belongs to, or `id:` and its number.
    #[must_use]
    pub fn parent(&self, row: &[Cell<'_>]) -> Option<String> {
        let cell = self.layout.cell(row, Column::ParentSku)?;
        code::code(cell).ok().filter(|text| !text.is_empty())
    }

    /// The number by which what stands for a parent names it, as WooCommerce does where that has no SKU.
    #[must_use]
    pub fn number_in<'t>(&self, parent: &'t str) -> Option<&'t str> {
        parent.strip_prefix("id:").filter(|_| self.layout.has(Column::Id)).map(str::trim)
    }

    /// What rows of variants without a SKU have in common that are of one name.
    #[must_use]
    pub fn twin_key(&self, row: &[Cell<'_>]) -> Option<RowKey> {
        let parent = self.parent(row)?;
        if self.layout.cell(row, Column::Sku).is_some_and(|sku| !sku.is_blank()) {
            return None;
        }
        let text = self.reading(row).variant_name()?;
        Some(RowKey { column: Column::VariantName, text, place: Some(parent) })
    }

    /// What WooCommerce numbers a product by, and its SKU.
    #[must_use]
    pub fn numbered(&self, row: &[Cell<'_>]) -> Option<(String, String)> {
        let id = self.layout.cell(row, Column::Id).filter(|id| !id.is_blank())?;
        let sku = self.layout.cell(row, Column::Sku).filter(|sku| !sku.is_blank())?;
        let (id, sku) = (id.text().trim(), code::code(sku).ok()?);
        let is_small =
            id.len() <= NUMBER_BYTES_MAX && sku.chars().count() <= product::SKU_CHARS_MAX;
        is_small.then(|| (id.to_owned(), sku))
    }
}

impl Reading<'_, '_> {
    pub(crate) fn product_row(&mut self, others: &Others<'_>) -> Option<WantedProduct> {
        let id = self.variant_id();
        let wanted = self.catalog_row(others)?;
        if id.is_some() && wanted.variant.is_none() {
            self.refuse(Column::ParentSku, Code::Required, "");
        }
        Some(WantedProduct { told_apart: ToldApart { id, has_twin: false }, ..wanted })
    }

    fn variant_id(&mut self) -> Option<VariantId> {
        self.word(Column::VariantId, Code::BadVariantId, VariantId::parse)
    }

    fn catalog_row(&mut self, others: &Others<'_>) -> Option<WantedProduct> {
        if self.reader.layout.dialect == Dialect::Shopify {
            return self.shopify_row();
        }
        let sku = self.sku(Column::Sku);
        let external_id = self.external_id();
        let parent = self.parent(others.sku_of);
        let product = self.product();
        if let Some(parent) = parent {
            let changes =
                VariantChanges { name: self.variant_name(), ..self.variant(&product, sku) };
            let key = Key::Sku(parent);
            let of_product = Some(self.beside(ProductChanges { external_id, ..product }));
            return Some(WantedProduct {
                key,
                product: None,
                variant: Some(changes),
                of_product,
                told_apart: ToldApart::default(),
                price_if_new: None,
                warnings: Vec::new(),
            });
        }
        let (sku, external_id) = (sku.filter(|sku| !sku.is_empty()), external_id);
        let key = match (&sku, external_id.clone().flatten()) {
            (Some(sku), _) => Key::Sku(sku.clone()),
            (None, Some(id)) => Key::ExternalId(id),
            (None, None) => {
                let is_told = |problem: &Problem| {
                    matches!(problem.column, Some(Column::Sku | Column::ExternalId))
                };
                if self.problems.iter().any(is_told) {
                    return None;
                }
                let column = [Column::Sku, Column::ExternalId];
                let column = column.into_iter().find(|column| self.reader.layout.has(*column));
                self.problems.push(Problem { column, ..Problem::of_row(Code::Required) });
                return None;
            }
        };
        let has_no_price = product.price.is_none();
        let price_if_new =
            sku.as_deref().filter(|_| has_no_price).and_then(|sku| (others.least_price)(sku));
        let product = Some(Box::new(ProductChanges { sku, external_id, ..product }));
        Some(WantedProduct {
            key,
            product,
            variant: None,
            told_apart: ToldApart::default(),
            of_product: None,
            price_if_new,
            warnings: Vec::new(),
        })
    }

    /// The first row of a handle has what is said of the product, and its first variant; those that follow have a variant
    /// each, or an image alone.
    fn shopify_row(&mut self) -> Option<WantedProduct> {
        let handle = self.sku(Column::Handle);
        let sku = self.sku(Column::Sku);
        let Some(handle) = handle else {
            self.problems.push(Problem::of(Column::Handle, Code::Required, ""));
            return None;
        };
        let all = self.product();
        let name = self.option_values();
        let is_variant = name.as_deref().is_some_and(|name| name != DEFAULT_TITLE);
        let is_first = all.name.is_some();
        let warnings = Vec::new();
        if is_variant {
            let variant = VariantChanges { name, ..self.variant(&all, sku) };
            let price = all.price;
            let (product, of_product) = match is_first {
                true => {
                    let own = ProductChanges { price, ean: None, inventory: None, ..all };
                    let own = ProductChanges { sku: Some(handle.clone()), ..own };
                    (Some(Box::new(own)), None)
                }
                false => (None, Some(self.beside(all))),
            };
            return Some(WantedProduct {
                key: Key::Sku(handle),
                product,
                variant: Some(variant),
                of_product,
                told_apart: ToldApart::default(),
                price_if_new: None,
                warnings,
            });
        }
        if !is_first && sku.is_none() && all.price.is_none() {
            return Some(WantedProduct {
                key: Key::Sku(handle),
                product: None,
                variant: None,
                of_product: None,
                told_apart: ToldApart::default(),
                price_if_new: None,
                warnings,
            });
        }
        let sku = sku.unwrap_or(handle);
        let product = Box::new(ProductChanges { sku: Some(sku.clone()), ..all });
        Some(WantedProduct {
            key: Key::Sku(sku),
            product: Some(product),
            variant: None,
            of_product: None,
            told_apart: ToldApart::default(),
            price_if_new: None,
            warnings,
        })
    }

    /// What the row of a variant says of its product, without what the variant has of its own. WooCommerce names and describes
    /// variations by itself, and each of them has a threshold and is published for itself: that one is not is told, for it
    /// is sold here.
    fn beside(&self, said: ProductChanges) -> Box<ProductChanges> {
        let rest = ProductChanges { ean: None, price: None, inventory: None, ..said };
        Box::new(match self.reader.layout.dialect {
            Dialect::WooCommerce => ProductChanges {
                name: None,
                description: None,
                low_stock_threshold: None,
                status: rest.status.filter(|status| *status == ProductStatus::Archived),
                ..rest
            },
            Dialect::Plain | Dialect::Shopify => rest,
        })
    }

    /// What a row says of a variant, of what it says of a product.
    fn variant(&self, product: &ProductChanges, sku: Option<String>) -> VariantChanges {
        VariantChanges {
            name: None,
            sku: sku.map(Some),
            ean: product.ean.clone(),
            price: product.price.map(Some),
            inventory: product.inventory,
            inventory_delta: None,
        }
    }

    fn product(&mut self) -> ProductChanges {
        ProductChanges {
            name: self.line(Column::Name, product::NAME_CHARS_MAX).flatten(),
            description: self.description(),
            ean: self.ean(),
            price: self.price(),
            currency: self.word(Column::Currency, Code::BadCurrency, |text| {
                Currency::parse(&text.to_uppercase()).ok()
            }),
            inventory: self.count(Column::Inventory).flatten(),
            low_stock_threshold: self.count(Column::LowStockThreshold),
            status: self.word(Column::Status, Code::BadStatus, status),
            tax_included: self.word(Column::TaxIncluded, Code::BadBoolean, yes_or_no),
            sat_product_key: self.checked(Column::SatProductKey, Code::BadSatProductKey, |text| {
                product::checked_sat_product_key(text)
            }),
            sat_unit_key: self.checked(Column::SatUnitKey, Code::BadSatUnitKey, |text| {
                product::checked_sat_unit_key(&text.to_uppercase())
            }),
            ..ProductChanges::default()
        }
    }

    fn description(&mut self) -> Said<String> {
        let dialect = self.reader.layout.dialect;
        self.said(Column::Description, |_, cell| {
            let text = cell.plain();
            let plain = match dialect {
                Dialect::Plain => text.to_owned(),
                Dialect::Shopify => text_of_html(text),
                Dialect::WooCommerce => text_of_html(&text.replace("\\n", "\n")),
            };
            text::paragraph(&plain, product::DESCRIPTION_CHARS_MAX)
                .map_err(|_| fault_of_text(&plain, product::DESCRIPTION_CHARS_MAX))
        })
    }

    /// The price: that of an offer comes first.
    fn price(&mut self) -> Option<Amount> {
        let columns = [Column::Price, Column::SalePrice, Column::RegularPrice];
        let blank = |cell: &Cell<'_>| !cell.is_blank();
        let column = columns.into_iter().find(|column| {
            self.reader.layout.cell(self.row, *column).is_some_and(|cell| blank(&cell))
        });
        self.said(column?, |reading, cell| reading.amount(column.unwrap_or(Column::Price), cell))
            .flatten()
    }

    fn amount(&self, column: Column, cell: Cell<'_>) -> Result<Amount, Code> {
        let amount = self.number(column, cell)?;
        product::checked_price(amount).map_err(|_| Code::OutOfRange)
    }

    fn count(&mut self, column: Column) -> Said<i64> {
        // A variation of WooCommerce may share the stock of its parent.
        let cell = self.reader.layout.cell(self.row, column)?;
        if self.reader.layout.dialect == Dialect::WooCommerce && cell.text().trim() == "parent" {
            return None;
        }
        self.said(column, |reading, cell| {
            let count = whole(reading.number(column, cell)?)?;
            checked_count(count).map_err(|_| Code::OutOfRange)
        })
    }

    fn parent(&mut self, sku_of: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        let reader = self.reader;
        let found = self.said(Column::ParentSku, |_, cell| {
            let text = code::code(cell)?;
            match reader.number_in(&text) {
                Some(id) => sku_of(id).ok_or(Code::ParentNotFound),
                None => line(&text, product::SKU_CHARS_MAX),
            }
        });
        found.flatten()
    }

    fn variant_name(&mut self) -> Option<String> {
        let named = self.line(Column::VariantName, product::NAME_CHARS_MAX).flatten();
        named.or_else(|| self.option_values())
    }

    /// The values of the options of a variant, in their order.
    fn option_values(&mut self) -> Option<String> {
        let values: Vec<String> = (1..=3)
            .filter_map(|number| {
                self.line(Column::Option(number), product::NAME_CHARS_MAX).flatten()
            })
            .collect();
        let name = values.join(" / ");
        if name.chars().count() > product::NAME_CHARS_MAX {
            self.refuse(Column::Option(1), Code::TooLong, &name);
        }
        (!name.is_empty()).then_some(name)
    }
}

/// What Shopify calls the only variant of a product that has no options.
const DEFAULT_TITLE: &str = "Default Title";

fn yes_or_no(text: &str) -> Option<bool> {
    match kernel::text::folded(text).as_str() {
        "true" | "yes" | "y" | "si" | "s" | "1" | "verdadero" | "x" => Some(true),
        "false" | "no" | "n" | "0" | "falso" => Some(false),
        _ => None,
    }
}

fn status(text: &str) -> Option<ProductStatus> {
    match kernel::text::folded(text).as_str() {
        "active" | "activo" | "activa" | "publicado" | "published" | "visible" => {
            Some(ProductStatus::Active)
        }
        "archived" | "archivado" | "inactivo" | "inactiva" | "inactive" | "draft" | "borrador"
        | "unlisted" | "-1" | "2" => Some(ProductStatus::Archived),
        other => yes_or_no(other).map(|is_active| match is_active {
            true => ProductStatus::Active,
            false => ProductStatus::Archived,
        }),
    }
}
