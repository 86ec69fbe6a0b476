//! Products as rows: one of `products`, one of `variants` for each variant, one of `stock_levels` for each
//! count.

use std::collections::{BTreeSet, HashMap};

use catalog::{
    CategoryId, Ean, Product, ProductDetails, ProductId, ProductStatus, Variant, VariantId,
};
use diesel::{
    dsl::exists, expression::functions::define_sql_function, prelude::*,
    result::Error as DieselError, sql_types::Text,
};
use engine::by_keys::ByKeys;
use kernel::{Amount, Measure, Quantity, Timestamp};

use crate::{
    db::{Db, on},
    lookups::Key,
    rows::{currency, decimals, read, read_name},
    schema::{
        products::{self, dsl},
        stock_levels, variants,
    },
    search,
    stock::places::first_warehouse,
    stored::{from_text, to_text},
};

define_sql_function! {
    /// A text with each occurrence of another replaced.
    fn replace(text: Text, from: Text, to: Text) -> Text;
}

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = products, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
pub(super) struct ProductRow {
    pub(super) account_id: String,
    pub(super) id: String,
    pub(super) external_id: Option<String>,
    pub(super) name: String,
    pub(super) sku: String,
    pub(super) description: Option<String>,
    pub(super) ean: Option<String>,
    pub(super) price: i64,
    pub(super) currency: String,
    pub(super) status: String,
    pub(super) low_stock_threshold: Option<i64>,
    pub(super) tax_included: bool,
    pub(super) taxes: String,
    pub(super) sat_product_key: Option<String>,
    pub(super) sat_unit_key: Option<String>,
    pub(super) brand: Option<String>,
    pub(super) compare_at_price: Option<i64>,
    pub(super) cost: Option<i64>,
    pub(super) weight: Option<i64>,
    pub(super) images: Option<String>,
    pub(super) dimensions: Option<String>,
    pub(super) category_ids: Option<String>,
    pub(super) unit: Option<String>,
    pub(super) quantity_decimals: i64,
    pub(super) metadata: String,
    pub(super) created_at: i64,
    pub(super) updated_at: i64,
    pub(super) version: i64,
}

/// The columns that only the database uses: for sorting and searching.
#[derive(Insertable, AsChangeset)]
#[diesel(table_name = products, treat_none_as_default_value = false)]
pub(super) struct SearchColumns {
    pub(super) sort_name: String,
    pub(super) search_text: String,
    pub(super) search_version: i64,
}

impl SearchColumns {
    pub(super) fn of(product: &Product) -> Self {
        Self {
            sort_name: sort_name(&product.name),
            search_text: product.terms().joined(),
            search_version: search::VERSION,
        }
    }
}

/// The form in which names are sorted: accents and case aside.
pub(super) fn sort_name(name: &str) -> String {
    kernel::text::folded(name)
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = variants, treat_none_as_default_value = false)]
pub(super) struct VariantRow {
    pub(super) account_id: String,
    pub(super) product_id: String,
    pub(super) id: String,
    pub(super) position: i64,
    pub(super) name: String,
    pub(super) sku: Option<String>,
    pub(super) ean: Option<String>,
    pub(super) price: Option<i64>,
}

impl VariantRow {
    pub(super) fn of(
        account: &str,
        product: ProductId,
        position: usize,
        variant: &Variant,
    ) -> Self {
        Self {
            account_id: account.to_owned(),
            product_id: product.to_string(),
            id: variant.id.to_string(),
            position: i64::try_from(position).unwrap_or(i64::MAX),
            name: variant.name.clone(),
            sku: variant.sku.clone(),
            ean: variant.ean.as_ref().map(ToString::to_string),
            price: variant.price.map(Amount::micros),
        }
    }

    fn variant(self, inventory: Measure) -> Result<Variant, DieselError> {
        Ok(Variant {
            id: read(&self.id, VariantId::parse)?,
            name: self.name,
            sku: self.sku,
            ean: self.ean.map(|ean| read(&ean, |ean| Ean::parse(ean).ok())).transpose()?,
            price: self.price.map(Amount::from_micros),
            inventory,
        })
    }
}

impl ProductRow {
    pub(super) fn of(account: &str, product: &Product) -> Result<Self, DieselError> {
        let details = &product.details;
        Ok(Self {
            account_id: account.to_owned(),
            id: product.id.to_string(),
            external_id: product.external_id.clone(),
            name: product.name.clone(),
            sku: product.sku.clone(),
            description: product.description.clone(),
            ean: product.ean.as_ref().map(ToString::to_string),
            price: product.price.micros(),
            currency: product.currency.to_string(),
            status: product.status.name().to_owned(),
            low_stock_threshold: product
                .low_stock_threshold
                .map(|threshold| threshold.quantity(product.quantity_decimals)),
            tax_included: product.tax_included,
            taxes: to_text(&product.taxes)?,
            sat_product_key: product.sat_product_key.clone(),
            sat_unit_key: product.sat_unit_key.clone(),
            brand: details.brand.clone(),
            compare_at_price: details.compare_at_price.map(Amount::micros),
            cost: details.cost.map(Amount::micros),
            weight: details.weight.map(Amount::micros),
            images: (!details.images.is_empty()).then(|| to_text(&details.images)).transpose()?,
            dimensions: details.dimensions.map(|it| to_text(&it)).transpose()?,
            category_ids: match product.category_ids.as_slice() {
                [] => None,
                ids => Some(ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")),
            },
            unit: details.unit.clone(),
            quantity_decimals: product.quantity_decimals.count().into(),
            metadata: to_text(&product.metadata)?,
            created_at: product.created_at.micros(),
            updated_at: product.updated_at.micros(),
            version: product.version,
        })
    }

    fn product(
        self,
        variants: Vec<VariantRow>,
        stock: &HashMap<String, Quantity>,
    ) -> Result<Product, DieselError> {
        let decimals = decimals(self.quantity_decimals)?;
        let counted =
            |variant: &str| Measure::of(stock.get(variant).copied().unwrap_or_default(), decimals);
        let variants = variants
            .into_iter()
            .map(|row| {
                let inventory = counted(&row.id);
                row.variant(inventory)
            })
            .collect::<Result<_, _>>()?;
        Ok(Product {
            id: read(&self.id, ProductId::parse)?,
            external_id: self.external_id,
            name: self.name,
            sku: self.sku,
            description: self.description,
            ean: self.ean.map(|ean| read(&ean, |ean| Ean::parse(ean).ok())).transpose()?,
            price: Amount::from_micros(self.price),
            currency: currency(&self.currency)?,
            quantity_decimals: decimals,
            inventory: counted(""),
            status: read_name(&self.status, ProductStatus::EVERY, ProductStatus::name)?,
            low_stock_threshold: self.low_stock_threshold.map(|it| Measure::of(it, decimals)),
            tax_included: self.tax_included,
            taxes: from_text(&self.taxes)?,
            sat_product_key: self.sat_product_key,
            sat_unit_key: self.sat_unit_key,
            details: ProductDetails {
                brand: self.brand,
                unit: self.unit,
                compare_at_price: self.compare_at_price.map(Amount::from_micros),
                cost: self.cost.map(Amount::from_micros),
                images: self.images.map(|text| from_text(&text)).transpose()?.unwrap_or_default(),
                weight: self.weight.map(Amount::from_micros),
                dimensions: self.dimensions.map(|text| from_text(&text)).transpose()?,
            },
            category_ids: self
                .category_ids
                .iter()
                .flat_map(|ids| ids.split(' '))
                .map(|id| read(id, CategoryId::parse))
                .collect::<Result<_, _>>()?,
            metadata: from_text(&self.metadata)?,
            variants,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// What a product without variants is made of, in one statement: its row, whether it has variants after all, and what can be
/// promised of it.
macro_rules! without_variants {
    () => {
        (
            ProductRow::as_select(),
            exists(
                variants::table
                    .filter(variants::account_id.eq(dsl::account_id))
                    .filter(variants::product_id.eq(dsl::id)),
            ),
            stock_levels::table
                .filter(stock_levels::account_id.eq(dsl::account_id))
                .filter(stock_levels::product_id.eq(dsl::id))
                .filter(stock_levels::variant_id.eq(""))
                .filter(stock_levels::warehouse_id.eq(replace(dsl::account_id, "acc_", "whs_")))
                .select(stock_levels::quantity + stock_levels::elsewhere)
                .single_value(),
        )
    };
}

/// A row read that way.
type Plain = (ProductRow, bool, Option<Quantity>);

/// A product of a row that has no variants.
fn plain(row: ProductRow, stock: Option<Quantity>) -> QueryResult<Product> {
    let stock = stock.map(|stock| (String::new(), stock));
    row.product(Vec::new(), &stock.into_iter().collect())
}

pub(super) fn product_by_id(db: &mut Db, account: &str, id: &str) -> QueryResult<Option<Product>> {
    let row = on!(db, |conn| dsl::products
        .filter(dsl::account_id.eq(account))
        .filter(dsl::id.eq(id))
        .filter(dsl::deleted_at.is_null())
        .select(ProductRow::as_select())
        .first::<ProductRow>(conn))
    .optional()?;
    row.map(|row| with_variants(db, row)).transpose()
}

/// A product row with its variants and stock.
pub(super) fn with_variants(db: &mut Db, row: ProductRow) -> QueryResult<Product> {
    let variants = on!(db, |conn| variants::table
        .filter(variants::account_id.eq(&row.account_id))
        .filter(variants::product_id.eq(&row.id))
        .order(variants::position)
        .select(VariantRow::as_select())
        .load(conn))?;
    let levels: Vec<(String, Quantity, Quantity)> = on!(db, |conn| stock_levels::table
        .filter(stock_levels::account_id.eq(&row.account_id))
        .filter(stock_levels::product_id.eq(&row.id))
        .filter(stock_levels::warehouse_id.eq(first_warehouse(&row.account_id)))
        .select((stock_levels::variant_id, stock_levels::quantity, stock_levels::elsewhere))
        .load(conn))?;
    let stock = levels.into_iter().map(|(variant, here, elsewhere)| (variant, here + elsewhere));
    row.product(variants, &stock.collect())
}

/// What was read of each row, under its key.
pub(super) type Products = Vec<(Key, QueryResult<Product>)>;

/// The products of several keys.
pub(crate) fn products_by_key(
    db: &mut Db,
    keys: &[Key],
) -> QueryResult<HashMap<Key, QueryResult<Product>>> {
    let found: Vec<Plain> = if let Db::Postgres(conn) = db {
        let these = keys.iter().map(|(account, id)| [account.clone(), id.clone()]);
        dsl::products
            .filter(ByKeys::of_rows("products", these))
            .filter(dsl::deleted_at.is_null())
            .select(without_variants!())
            .load(conn)?
    } else {
        let (accounts, ids): (Vec<&String>, Vec<&String>) =
            keys.iter().map(|(account, id)| (account, id)).unzip();
        dsl::products
            .filter(dsl::account_id.eq_any(accounts))
            .filter(dsl::id.eq_any(ids))
            .filter(dsl::deleted_at.is_null())
            .select(without_variants!())
            .load(db)?
    };
    let (mut products, mut with_variants) = (HashMap::new(), Vec::new());
    for (row, has_variants, stock) in found {
        if has_variants {
            with_variants.push(row);
        } else {
            products.insert((row.account_id.clone(), row.id.clone()), plain(row, stock));
        }
    }
    products.extend(all_with_variants(db, with_variants, Rows::Scattered)?);
    Ok(products)
}

/// How rows lie in their table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// All of one account, by identifier, next to each other: what belongs to them is a range.
    Adjacent,
    /// Anywhere.
    Scattered,
}

/// Product, variant, what its first warehouse has, and what the others have.
type StockRow = (String, String, Quantity, Quantity);

/// What can be promised in all warehouses, by product and variant; the variant is empty for the product itself.
pub(super) type Stock = HashMap<String, HashMap<String, Quantity>>;

/// Product rows with their variants and stock, in the same order.
pub(super) fn all_with_variants(
    db: &mut Db,
    rows: Vec<ProductRow>,
    lie: Rows,
) -> QueryResult<Products> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Ok(Vec::new()) };
    let (found, levels) = match lie {
        Rows::Adjacent => {
            range(db, &first.account_id, (&last.id).min(&first.id), (&first.id).max(&last.id))?
        }
        Rows::Scattered => (variants_of(db, &rows)?, levels_of(db, &rows)?),
    };
    let mut stock = Stock::new();
    for (product, variant, here, elsewhere) in levels {
        stock.entry(product).or_default().insert(variant, here + elsewhere);
    }
    Ok(put_together(rows, found, stock))
}

/// Product rows with their variants, and stock that is known, in the same order.
pub(super) fn put_together(
    rows: Vec<ProductRow>,
    found: Vec<VariantRow>,
    mut stock: Stock,
) -> Products {
    let mut variants: HashMap<String, Vec<VariantRow>> = HashMap::new();
    for variant in found {
        variants.entry(variant.product_id.clone()).or_default().push(variant);
    }
    let products = rows.into_iter().map(|row| {
        let variants = variants.remove(&row.id).unwrap_or_default();
        let stock = stock.remove(&row.id).unwrap_or_default();
        ((row.account_id.clone(), row.id.clone()), row.product(variants, &stock))
    });
    products.collect()
}

/// Variants and stock of the products from one identifier to another. The texts of these queries are always
/// the same, so that SQLite prepares them once.
fn range(
    db: &mut Db,
    account: &str,
    from: &str,
    to: &str,
) -> QueryResult<(Vec<VariantRow>, Vec<StockRow>)> {
    let found = on!(db, |conn| variants::table
        .filter(variants::account_id.eq(account))
        .filter(variants::product_id.between(from, to))
        .order(variants::position)
        .select(VariantRow::as_select())
        .load(conn))?;
    let levels = on!(db, |conn| stock_levels::table
        .filter(stock_levels::account_id.eq(account))
        .filter(stock_levels::product_id.between(from, to))
        .filter(stock_levels::warehouse_id.eq(first_warehouse(account)))
        .select((
            stock_levels::product_id,
            stock_levels::variant_id,
            stock_levels::quantity,
            stock_levels::elsewhere,
        ))
        .load(conn))?;
    Ok((found, levels))
}

/// The variants of just these products, each product's in their order.
pub(super) fn variants_of(db: &mut Db, rows: &[ProductRow]) -> QueryResult<Vec<VariantRow>> {
    if let Db::Postgres(conn) = db {
        let keys = rows.iter().map(|row| [row.account_id.clone(), row.id.clone()]);
        return variants::table
            .filter(ByKeys::new("variants", ["account_id", "product_id"], keys))
            .order(variants::position)
            .select(VariantRow::as_select())
            .load(conn);
    }
    let accounts: BTreeSet<&String> = rows.iter().map(|row| &row.account_id).collect();
    let ids: Vec<&String> = rows.iter().map(|row| &row.id).collect();
    variants::table
        .filter(variants::account_id.eq_any(accounts))
        .filter(variants::product_id.eq_any(ids))
        .order(variants::position)
        .select(VariantRow::as_select())
        .load(db)
}

/// The stock of just these products.
fn levels_of(db: &mut Db, rows: &[ProductRow]) -> QueryResult<Vec<StockRow>> {
    let columns = (
        stock_levels::product_id,
        stock_levels::variant_id,
        stock_levels::quantity,
        stock_levels::elsewhere,
    );
    if let Db::Postgres(conn) = db {
        let homes = rows.iter().map(|row| {
            let home = first_warehouse(&row.account_id);
            [row.account_id.clone(), row.id.clone(), home]
        });
        let names = ["account_id", "product_id", "warehouse_id"];
        return stock_levels::table
            .filter(ByKeys::new("stock_levels", names, homes))
            .select(columns)
            .load(conn);
    }
    let accounts: BTreeSet<&String> = rows.iter().map(|row| &row.account_id).collect();
    let ids: Vec<&String> = rows.iter().map(|row| &row.id).collect();
    let homes: Vec<String> = accounts.iter().map(|account| first_warehouse(account)).collect();
    stock_levels::table
        .filter(stock_levels::account_id.eq_any(accounts))
        .filter(stock_levels::product_id.eq_any(ids))
        .filter(stock_levels::warehouse_id.eq_any(homes))
        .select(columns)
        .load(db)
}
