//! How the cells of a row say it: in a plain table, and in those of shops and tills.

use catalog::{
    DetailsChanges, ProductChanges, ProductStatus, VariantChanges, VariantId,
    category::CATEGORY_NAME_CHARS_MAX,
    details::{BRAND_CHARS_MAX, UNIT_CHARS_MAX, checked_weight},
    product,
};
use kernel::{Amount, Currency, Decimals, Measure, text};

use super::{
    Key, SaidOfProduct, ToldApart, WantedProduct,
    words::{status, yes_or_no},
};
use crate::{
    CategoryPath, Cell, Code, Column, Dialect, Others, Problem, RowKey, RowReader, code, images,
    markup::text_of_html,
    number, paths,
    reader::{Reading, Said, fault_of_text, line, measure},
    taxes,
};

/// The most bytes of a number of WooCommerce, or of a handle, that a product is remembered by.
const ALIAS_BYTES_MAX: usize = 80;
/// What stands before the number by which WooCommerce names a product without a SKU.
const NUMBER: &str = "id:";

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
        code::sku(cell).ok().filter(|text| !text.is_empty())
    }

    /// The number by which what stands for a parent names it, as WooCommerce does where that has no SKU.
    #[must_use]
    pub fn number_in<'t>(&self, parent: &'t str) -> Option<&'t str> {
        parent.strip_prefix(NUMBER).filter(|_| self.layout.has(Column::Id)).map(str::trim)
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

    /// Whether rows name products by something else than their SKUs.
    #[must_use]
    pub fn has_aliases(&self) -> bool {
        self.layout.has(Column::Id) || self.layout.has(Column::Handle)
    }

    /// What WooCommerce numbers a product by, or the handle that Shopify gives one without variants, and its SKU.
    #[must_use]
    pub fn numbered(&self, row: &[Cell<'_>]) -> Option<(String, String)> {
        let said = |column| self.layout.cell(row, column).filter(|cell| !cell.is_blank());
        let id = said(Column::Id).or_else(|| {
            let option = said(Column::Option(1)).map_or(DEFAULT_TITLE, |cell| cell.text().trim());
            said(Column::Name).filter(|_| option == DEFAULT_TITLE)?;
            said(Column::Handle)
        })?;
        let sku = match said(Column::Sku) {
            Some(sku) => code::sku(sku).ok()?,
            None => self.stand_in(row)?,
        };
        let id = text::composed(id.text().trim());
        let is_small = id.len() <= ALIAS_BYTES_MAX && sku.chars().count() <= product::SKU_CHARS_MAX;
        is_small.then_some((id, sku))
    }

    /// What stands for the SKU of a product of WooCommerce that has none: its number, as its variations name it.
    pub(crate) fn stand_in(&self, row: &[Cell<'_>]) -> Option<String> {
        let is_blank = |column| self.layout.cell(row, column).is_none_or(|cell| cell.is_blank());
        let needs_one =
            [Column::Sku, Column::ExternalId, Column::ParentSku].into_iter().all(is_blank);
        let id = self.layout.cell(row, Column::Id).filter(|_| needs_one)?.text().trim();
        let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        (is_number && id.len() <= ALIAS_BYTES_MAX).then(|| named_by(id))
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
        if self.reader.layout.dialect.shares_handles() {
            return self.handle_row(others);
        }
        let sku = self.sku(Column::Sku);
        let external_id = self.external_id();
        let parent = self.parent(others.sku_of);
        let said = self.product();
        if let Some(parent) = parent {
            let changes =
                VariantChanges { name: self.variant_name(), ..self.variant(&said.changes, sku) };
            let of_product = self.beside(ProductChanges { external_id, ..said.changes });
            return Some(WantedProduct {
                variant: Some(changes),
                of_product: Some(of_product),
                categories: said.categories,
                ..WantedProduct::naming(Key::Sku(parent))
            });
        }
        let sku = sku.filter(|sku| !sku.is_empty()).or_else(|| self.reader.stand_in(self.row));
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
        let has_no_price = said.changes.price.is_none();
        let price_if_new =
            sku.as_deref().filter(|_| has_no_price).and_then(|sku| (others.least_price)(sku));
        let changes = ProductChanges { sku, external_id, ..said.changes };
        let wanted = WantedProduct::saying(key, SaidOfProduct { changes, ..said });
        Some(WantedProduct { price_if_new, ..wanted })
    }

    /// The first row of a handle has what is said of the product, and its first variant; those that follow have a variant
    /// each, or an image alone.
    fn handle_row(&mut self, others: &Others<'_>) -> Option<WantedProduct> {
        let handle = self.sku(Column::Handle);
        let sku = self.sku(Column::Sku);
        let Some(handle) = handle else {
            self.problems.push(Problem::of(Column::Handle, Code::Required, ""));
            return None;
        };
        let mut said = self.product();
        // Each row has one image of many.
        said.more_images = said.changes.details.images.take().unwrap_or_default();
        let name = self.option_values();
        let is_variant = name.as_deref().is_some_and(|name| name != DEFAULT_TITLE);
        let is_first = said.changes.name.is_some();
        if is_variant {
            let variant = Some(VariantChanges { name, ..self.variant(&said.changes, sku) });
            let key = Key::Sku(handle.clone());
            if !is_first {
                let of_product = Some(self.beside(said.changes));
                let SaidOfProduct { categories, more_images, .. } = said;
                let wanted = WantedProduct::naming(key);
                return Some(WantedProduct {
                    variant,
                    of_product,
                    categories,
                    more_images,
                    ..wanted
                });
            }
            let changes =
                ProductChanges { sku: Some(handle), ean: None, inventory: None, ..said.changes };
            let wanted = WantedProduct::saying(key, SaidOfProduct { changes, ..said });
            return Some(WantedProduct { variant, ..wanted });
        }
        if !is_first && sku.is_none() && said.changes.price.is_none() {
            let key = Key::Sku((others.sku_of)(&handle).unwrap_or(handle));
            let more_images = said.more_images;
            return Some(WantedProduct { more_images, ..WantedProduct::naming(key) });
        }
        let sku = sku.unwrap_or(handle);
        let changes = ProductChanges { sku: Some(sku.clone()), ..said.changes };
        Some(WantedProduct::saying(Key::Sku(sku), SaidOfProduct { changes, ..said }))
    }

    /// What the row of a variant says of its product, without what the variant has of its own. In shops each
    /// has a weight, a cost, a former price and an image. WooCommerce names and describes variations by itself, and each of
    /// them has a threshold and is published for itself, as in Loyverse: that one is not is told, for it is sold here.
    fn beside(&self, said: ProductChanges) -> Box<ProductChanges> {
        let rest = ProductChanges { ean: None, price: None, inventory: None, ..said };
        let dialect = self.reader.layout.dialect;
        if dialect == Dialect::Plain {
            return Box::new(rest);
        }
        let brand = rest.details.brand.clone();
        let details = DetailsChanges { brand, ..DetailsChanges::default() };
        let rest = ProductChanges { details, ..rest };
        Box::new(match dialect {
            Dialect::WooCommerce | Dialect::Loyverse => ProductChanges {
                name: None,
                description: None,
                quantity_decimals: None,
                low_stock_threshold: None,
                status: rest.status.filter(|status| *status == ProductStatus::Archived),
                ..rest
            },
            Dialect::Plain | Dialect::Shopify | Dialect::Tiendanube => rest,
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

    fn product(&mut self) -> SaidOfProduct {
        let changes = self.changes();
        SaidOfProduct { changes, categories: self.categories(), more_images: Vec::new() }
    }

    fn changes(&mut self) -> ProductChanges {
        ProductChanges {
            name: self.line(Column::Name, product::NAME_CHARS_MAX).flatten(),
            description: self.description(),
            ean: self.ean(),
            price: self.price(),
            currency: self.currency(),
            quantity_decimals: self.decimals(),
            inventory: self.count(Column::Inventory).flatten(),
            low_stock_threshold: self.count(Column::LowStockThreshold),
            status: self.word(Column::Status, Code::BadStatus, status),
            tax_included: self.word(Column::TaxIncluded, Code::BadBoolean, yes_or_no),
            taxes: self
                .said(Column::Taxes, |_, cell| taxes::taxes(cell.plain()))
                .map(Option::unwrap_or_default),
            sat_product_key: self.checked(Column::SatProductKey, Code::BadSatProductKey, |text| {
                product::checked_sat_product_key(text)
            }),
            sat_unit_key: self.checked(Column::SatUnitKey, Code::BadSatUnitKey, |text| {
                product::checked_sat_unit_key(&text.to_uppercase())
            }),
            details: self.details(),
            ..ProductChanges::default()
        }
    }

    /// The currency of the amounts of a row: the one that its column says, else the one that stands beside one of them.
    fn currency(&mut self) -> Option<Currency> {
        let mut currency = self.word(Column::Currency, Code::BadCurrency, |text| {
            Currency::parse(&text.to_uppercase()).ok()
        });
        for column in AMOUNTS {
            let cell = self.reader.layout.cell(self.row, column);
            let Some((cell, beside)) = cell.and_then(|it| Some((it, number::currency(it)?))) else {
                continue;
            };
            if *currency.get_or_insert(beside) != beside {
                self.refuse(column, Code::OtherCurrency, cell.text());
            }
        }
        currency
    }

    fn details(&mut self) -> DetailsChanges {
        DetailsChanges {
            brand: self.line(Column::Brand, BRAND_CHARS_MAX),
            unit: self.line(Column::Unit, UNIT_CHARS_MAX),
            compare_at_price: self.compare_at_price(),
            cost: self.said(Column::Cost, |reading, cell| reading.amount(Column::Cost, cell)),
            images: self.images(),
            weight: self.weight(),
            dimensions: None,
        }
    }

    /// Those that a product has room for.
    fn images(&mut self) -> Option<Vec<String>> {
        let images = self.said(Column::Images, |reading, cell| {
            let (images, left_out) = images::images(cell.plain())?;
            let told =
                left_out.iter().map(|url| Problem::of(Column::Images, Code::ImageLeftOut, url));
            reading.warnings.extend(told);
            Ok(images)
        });
        images.map(Option::unwrap_or_default)
    }

    /// What it was sold at before; while there is an offer, that is the regular price.
    fn compare_at_price(&mut self) -> Said<Amount> {
        let is_offered = self.is_said(Column::SalePrice);
        let column = match self.reader.layout.has(Column::CompareAtPrice) {
            true => Column::CompareAtPrice,
            false if is_offered => Column::RegularPrice,
            // An offer that is over.
            false if self.reader.layout.has(Column::SalePrice) => Column::SalePrice,
            false => return None,
        };
        self.said(column, |reading, cell| reading.amount(column, cell))
    }

    /// In kilograms. Nothing weighs nothing: shops write 0 where they do not know.
    fn weight(&mut self) -> Said<Amount> {
        let column = match self.is_said(Column::Grams) && !self.is_said(Column::Weight) {
            true => Column::Grams,
            false => Column::Weight,
        };
        let weight = self.said(column, |reading, cell| {
            let weight = reading.number(column, cell)?;
            let kilograms = match column {
                Column::Grams => {
                    Amount::from_micros((weight.micros() / 1_000 + 500) / 1_000 * 1_000)
                }
                _ => weight,
            };
            match weight {
                Amount::ZERO => Ok(None),
                _ => checked_weight(kilograms).map(Some).map_err(|_| Code::BadWeight),
            }
        });
        weight.filter(|weight| *weight != Some(None)).map(Option::flatten)
    }

    fn categories(&mut self) -> Option<Vec<CategoryPath>> {
        let dialect = self.reader.layout.dialect;
        let read = |cell: Cell<'_>| paths::paths(cell.plain(), dialect);
        let mut categories =
            self.said(Column::Categories, |_, cell| read(cell)).map(Option::unwrap_or_default);
        // Shopify has a word of the merchant's own besides.
        if dialect == Dialect::Shopify && self.is_said(Column::Type) {
            let own = self.line(Column::Type, CATEGORY_NAME_CHARS_MAX).flatten();
            categories.get_or_insert_default().extend(own.map(|name| vec![name]));
        }
        categories
    }

    /// Whether the row says something in a column.
    fn is_said(&self, column: Column) -> bool {
        let cell = self.reader.layout.cell(self.row, column);
        cell.is_some_and(|cell| !cell.is_blank())
    }

    fn description(&mut self) -> Said<String> {
        let dialect = self.reader.layout.dialect;
        self.said(Column::Description, |_, cell| {
            let text = cell.plain();
            let plain = match dialect {
                Dialect::Plain | Dialect::Loyverse => text.to_owned(),
                Dialect::Shopify | Dialect::Tiendanube => text_of_html(text),
                Dialect::WooCommerce => text_of_html(&text.replace("\\n", "\n")),
            };
            text::paragraph(&plain, product::DESCRIPTION_CHARS_MAX)
                .map_err(|_| fault_of_text(&plain, product::DESCRIPTION_CHARS_MAX))
        })
    }

    /// The price: that of an offer comes first.
    fn price(&mut self) -> Option<Amount> {
        let columns = [Column::Price, Column::SalePrice, Column::RegularPrice];
        let column = columns.into_iter().find(|column| self.is_said(*column));
        self.said(column?, |reading, cell| reading.amount(column.unwrap_or(Column::Price), cell))
            .flatten()
    }

    fn amount(&self, column: Column, cell: Cell<'_>) -> Result<Amount, Code> {
        let amount = self.number(column, cell)?;
        product::checked_price(amount).map_err(|_| Code::OutOfRange)
    }

    fn decimals(&mut self) -> Option<Decimals> {
        let decimals = self.said(Column::QuantityDecimals, |reading, cell| {
            let count = measure(reading.number(Column::QuantityDecimals, cell)?, 0);
            let known = |count: Measure| {
                let decimals = Decimals::of(count.quantity(Decimals::Zero))?;
                (Measure::whole(decimals.count().into()) == count).then_some(decimals)
            };
            count.ok().and_then(known).ok_or(Code::BadDecimals)
        });
        decimals.flatten().or_else(|| self.sold_by())
    }

    /// Tills say in words that something is sold by weight. Otherwise their columns of that name say nothing of it.
    fn sold_by(&self) -> Option<Decimals> {
        let said = self.reader.layout.cell(self.row, Column::SoldBy)?;
        let said = text::folded(said.text().trim());
        matches!(said.as_str(), "y" | "granel").then_some(Decimals::Three)
    }

    fn count(&mut self, column: Column) -> Said<Measure> {
        // A variation of WooCommerce may share the stock of its parent.
        let cell = self.reader.layout.cell(self.row, column)?;
        if self.reader.layout.dialect == Dialect::WooCommerce && cell.text().trim() == "parent" {
            return None;
        }
        self.said(column, |reading, cell| {
            let number = reading.number(column, cell)?;
            // Shops and tills go on selling what they have none of.
            if column == Column::Inventory && number < Amount::ZERO {
                reading.warnings.push(Problem::of(column, Code::NegativeStock, cell.text()));
                return Ok(Measure::ZERO);
            }
            measure(number, 0)
        })
    }

    fn parent(&mut self, sku_of: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        let reader = self.reader;
        let found = self.said(Column::ParentSku, |_, cell| {
            let text = code::sku(cell)?;
            match reader.number_in(&text) {
                // One that is not in the file may be in the catalog.
                Some(id) => sku_of(id).map_or_else(
                    || {
                        let named = line(&named_by(id), product::SKU_CHARS_MAX);
                        named.map_err(|_| Code::ParentNotFound)
                    },
                    Ok,
                ),
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

/// The columns of amounts.
const AMOUNTS: [Column; 5] =
    [Column::Price, Column::SalePrice, Column::RegularPrice, Column::CompareAtPrice, Column::Cost];

/// What Shopify calls the only variant of a product that has no options.
const DEFAULT_TITLE: &str = "Default Title";

/// How WooCommerce names a product that has no SKU.
fn named_by(id: &str) -> String {
    format!("{NUMBER}{id}")
}
