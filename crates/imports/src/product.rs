//! What a row of a table of products says.

use std::collections::BTreeMap;

use catalog::{Ean, ProductChanges, ProductStatus, VariantChanges, product, stock::checked_count};
use kernel::{Amount, Currency, Message, spreadsheet::is_sheet_error, text};

use crate::{
    Cell, Code, Column, DecimalMark, Dialect, EmptyCells, Layout, Problem, code,
    markup::text_of_html, number,
};

/// By what a product is found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// By its SKU, or that of a variant.
    Sku(String),
    /// By the caller's own identifier.
    ExternalId(String),
}

/// What a row wants.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The product that it is about.
    pub key: Key,
    /// What it says of the product, its SKU and external identifier among it; `None` if it only names it.
    pub product: Option<Box<ProductChanges>>,
    /// What it says of a variant.
    pub variant: Option<VariantChanges>,
    /// What was made of the row that its author may want to know.
    pub warnings: Vec<Problem>,
}

impl Wanted {
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

/// Reads the rows of a table of products.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductReader {
    layout: Layout,
    /// The mark of each column that holds numbers.
    marks: Vec<(Column, DecimalMark)>,
    empty: EmptyCells,
}

/// What a cell says of a field: nothing, that it is to be cleared, or a value.
type Said<T> = Option<Option<T>>;

/// A row while it is read.
struct Reading<'r, 'a> {
    reader: &'r ProductReader,
    row: &'r [Cell<'a>],
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
}

impl ProductReader {
    /// Of tables with these columns, whose numbers have these marks.
    #[must_use]
    pub const fn new(layout: Layout, marks: Vec<(Column, DecimalMark)>, empty: EmptyCells) -> Self {
        Self { layout, marks, empty }
    }

    /// Which column holds what.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What a row wants; `parent_of` says which SKU a parent of WooCommerce has that is named by its number.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn read(
        &self,
        row: &[Cell<'_>],
        parent_of: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Wanted, Vec<Problem>> {
        let mut reading = Reading { reader: self, row, problems: Vec::new(), warnings: Vec::new() };
        let wanted = reading.wanted(parent_of);
        let Reading { problems, warnings, .. } = reading;
        match wanted {
            Some(wanted) if problems.is_empty() => Ok(Wanted { warnings, ..wanted }),
            _ if problems.is_empty() => Err(vec![Problem::of_row(Code::Required)]),
            _ => Err(problems),
        }
    }

    /// What tells the row from the others of its file: its own SKU, or what stands for it.
    #[must_use]
    pub fn own_key(&self, row: &[Cell<'_>]) -> Option<Key> {
        let text = |column| {
            let cell = self.layout.cell(row, column).filter(|cell| !cell.is_blank())?;
            code::code(cell).ok()
        };
        text(Column::Sku).map(Key::Sku).or_else(|| text(Column::ExternalId).map(Key::ExternalId))
    }

    /// The SKU of the product that a variant in the row belongs to, or `id:` and its number.
    #[must_use]
    pub fn parent(&self, row: &[Cell<'_>]) -> Option<String> {
        let cell = self.layout.cell(row, Column::ParentSku)?;
        code::code(cell).ok().filter(|text| !text.is_empty())
    }

    /// What WooCommerce numbers a product by, and its SKU.
    #[must_use]
    pub fn numbered(&self, row: &[Cell<'_>]) -> Option<(String, String)> {
        let id = self.layout.cell(row, Column::Id).filter(|id| !id.is_blank())?;
        let sku = self.layout.cell(row, Column::Sku).filter(|sku| !sku.is_blank())?;
        Some((id.text().trim().to_owned(), code::code(sku).ok()?))
    }
}

impl<'a> Reading<'_, 'a> {
    fn wanted(&mut self, parent_of: &dyn Fn(&str) -> Option<String>) -> Option<Wanted> {
        if self.reader.layout.dialect == Dialect::Shopify {
            return self.wanted_of_shopify();
        }
        let sku = self.sku(Column::Sku);
        let external_id = self.external_id();
        let parent = self.parent(parent_of);
        let product = self.product();
        if let Some(parent) = parent {
            let changes =
                VariantChanges { name: self.variant_name(), ..self.variant(&product, sku) };
            let key = Key::Sku(parent);
            return Some(Wanted {
                key,
                product: None,
                variant: Some(changes),
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
        let product = Box::new(ProductChanges { sku, external_id, ..product });
        Some(Wanted { key, product: Some(product), variant: None, warnings: Vec::new() })
    }

    /// The first row of a handle has what is said of the product, and its first variant; those that follow have a variant
    /// each, or an image alone.
    fn wanted_of_shopify(&mut self) -> Option<Wanted> {
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
            let of_product = ProductChanges { price, ean: None, inventory: None, ..all };
            let product = ProductChanges { sku: Some(handle.clone()), ..of_product };
            let product = is_first.then(|| Box::new(product));
            return Some(Wanted {
                key: Key::Sku(handle),
                product,
                variant: Some(variant),
                warnings,
            });
        }
        if !is_first && sku.is_none() && all.price.is_none() {
            return Some(Wanted { key: Key::Sku(handle), product: None, variant: None, warnings });
        }
        let sku = sku.unwrap_or(handle);
        let product = Box::new(ProductChanges { sku: Some(sku.clone()), ..all });
        Some(Wanted { key: Key::Sku(sku), product: Some(product), variant: None, warnings })
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

    /// The cell of a column that says something that can be read.
    fn cell(&mut self, column: Column) -> Said<Cell<'a>> {
        let cell = self.reader.layout.cell(self.row, column)?;
        if cell.is_blank() {
            return (self.reader.empty == EmptyCells::Clear).then_some(None);
        }
        let text = cell.text();
        if matches!(cell, Cell::Nested(_)) {
            self.refuse(column, Code::NestedValue, text);
            return None;
        }
        if matches!(cell, Cell::Text(_)) && is_sheet_error(text) {
            self.refuse(column, Code::SpreadsheetError, text);
            return None;
        }
        Some(Some(cell))
    }

    /// A field's value, or nothing and a problem.
    fn said<T>(
        &mut self,
        column: Column,
        read: impl FnOnce(&mut Self, Cell<'a>) -> Result<T, Code>,
    ) -> Said<T> {
        let Some(cell) = self.cell(column)? else { return Some(None) };
        match read(self, cell) {
            Ok(value) => Some(Some(value)),
            Err(code) => {
                self.refuse(column, code, cell.text());
                None
            }
        }
    }

    fn refuse(&mut self, column: Column, code: Code, value: &str) {
        self.problems.push(Problem::of(column, code, value));
    }

    fn line(&mut self, column: Column, chars_max: usize) -> Said<String> {
        self.said(column, |_, cell| line(cell.plain(), chars_max))
    }

    fn sku(&mut self, column: Column) -> Option<String> {
        self.said(column, |_, cell| line(&code::code(cell)?, product::SKU_CHARS_MAX)).flatten()
    }

    fn external_id(&mut self) -> Said<String> {
        let chars_max = text::EXTERNAL_ID_CHARS_MAX;
        self.said(Column::ExternalId, |_, cell| line(&code::code(cell)?, chars_max))
    }

    fn ean(&mut self) -> Said<Ean> {
        self.said(Column::Ean, |reading, cell| {
            let (ean, is_padded) = code::ean(cell)?;
            if is_padded {
                let warning = Problem::of(Column::Ean, Code::EanZerosAdded, cell.text());
                reading.warnings.push(warning);
            }
            Ok(ean)
        })
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

    fn number(&self, column: Column, cell: Cell<'_>) -> Result<Amount, Code> {
        let marks = &self.reader.marks;
        let mark = marks
            .iter()
            .find(|(of, _)| *of == column)
            .map_or(DecimalMark::Point, |(_, mark)| *mark);
        let plain = number::plain(cell, mark)?;
        Amount::parse(&plain).map_err(|_| fault_of_number(&plain))
    }

    fn count(&mut self, column: Column) -> Said<i64> {
        // A variation of WooCommerce may share the stock of its parent.
        let cell = self.reader.layout.cell(self.row, column)?;
        if self.reader.layout.dialect == Dialect::WooCommerce && cell.text().trim() == "parent" {
            return None;
        }
        self.said(column, |reading, cell| {
            let amount = reading.number(column, cell)?;
            if !amount.fits(0) {
                return Err(Code::NotWhole);
            }
            let count = amount.micros() / 1_000_000;
            checked_count(count).map_err(|_| Code::OutOfRange)
        })
    }

    fn word<T>(
        &mut self,
        column: Column,
        fault: Code,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        self.said(column, |_, cell| read(cell.text().trim()).ok_or(fault)).flatten()
    }

    fn checked(
        &mut self,
        column: Column,
        fault: Code,
        check: impl FnOnce(&str) -> Result<String, Message>,
    ) -> Said<String> {
        self.said(column, |_, cell| check(&code::code(cell)?).map_err(|_| fault))
    }

    fn parent(&mut self, parent_of: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        let found = self.said(Column::ParentSku, |_, cell| {
            let text = code::code(cell)?;
            match text.strip_prefix("id:") {
                Some(id) => parent_of(id.trim()).ok_or(Code::ParentNotFound),
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

fn line(text: &str, chars_max: usize) -> Result<String, Code> {
    text::line(text, chars_max).map_err(|_| fault_of_text(text, chars_max))
}

fn fault_of_text(text: &str, chars_max: usize) -> Code {
    if text.chars().count() > chars_max { Code::TooLong } else { Code::BadText }
}

fn fault_of_number(plain: &str) -> Code {
    let fraction = plain.split_once('.').map_or("", |(_, fraction)| fraction);
    let is_too_fine = fraction.trim_end_matches('0').len() > 6;
    if is_too_fine { Code::TooManyDecimals } else { Code::OutOfRange }
}

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
