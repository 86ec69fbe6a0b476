//! Orders as rows: one of `orders`, one of `order_items` for each item.

use std::collections::{BTreeSet, HashMap};

use ::orders::{
    CustomerId, FulfillmentStatus, Item, ItemSku, Order, OrderId, OrderStatus,
    order::{ItemProductId, ItemVariantId},
};
use diesel::{connection::DefaultLoadingMode, prelude::*, result::Error as DieselError};
use engine::by_keys::ByKeys;
use kernel::{Amount, Timestamp};

use crate::{
    db::{Db, on},
    lookups::Key,
    rows::{currency, micros, moment, read, read_name},
    schema::{
        order_items,
        orders::{self, dsl},
    },
    search,
    statement::update,
    stored::{ItemTerms, OrderTerms, from_text, to_text},
};

/// Orders whose items are read at once to begin with: as many as a page usually has.
const ORDERS_AT_FIRST: usize = 20;
/// The same where orders have lately had many lines.
const ORDERS_AT_FIRST_LONG: usize = 8;
/// Items that are read at once from then on, about, or a portion has; a page may have 50,000.
const ITEMS_AT_ONCE: usize = 4_000;

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = orders, treat_none_as_default_value = false)]
pub(crate) struct OrderRow {
    pub(crate) account_id: String,
    pub(crate) id: String,
    pub(crate) external_id: Option<String>,
    pub(crate) number: i64,
    pub(crate) status: String,
    pub(crate) fulfillment_status: String,
    pub(crate) customer_id: String,
    pub(crate) total: i64,
    pub(crate) currency: String,
    pub(crate) refund_due: i64,
    carrier: Option<String>,
    tracking_number: Option<String>,
    cancel_reason: Option<String>,
    pub(crate) notes: Option<String>,
    pub(crate) metadata: String,
    pub(crate) search_text: String,
    pub(crate) search_version: i64,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
    paid_at: Option<i64>,
    shipped_at: Option<i64>,
    delivered_at: Option<i64>,
    cancelled_at: Option<i64>,
    pub(crate) version: i64,
    pub(crate) tax_total: Option<i64>,
    pub(crate) terms: Option<String>,
    amount_paid: Option<i64>,
    amount_refunded: i64,
    returned_total: i64,
    amount_withheld: Option<i64>,
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = order_items, treat_none_as_default_value = false)]
pub(crate) struct ItemRow {
    pub(crate) account_id: String,
    pub(crate) order_id: String,
    pub(crate) line: i64,
    pub(crate) product_id: String,
    pub(crate) variant_id: String,
    pub(crate) name: String,
    pub(crate) sku: String,
    pub(crate) quantity: i64,
    pub(crate) unit_price: i64,
    pub(crate) terms: Option<String>,
    returned: i64,
}

impl OrderRow {
    /// Saves it over the row that there is.
    pub(crate) fn save(self, db: &mut Db) -> QueryResult<()> {
        let row = self;
        let update = update!(
            "orders", row as OrderRow,
            set external_id, number, status, fulfillment_status, customer_id, total, currency, refund_due, carrier,
                tracking_number, cancel_reason, notes, metadata, search_text, search_version, created_at, updated_at,
                paid_at, shipped_at, delivered_at, cancelled_at, version, tax_total, terms, amount_paid,
                amount_refunded, returned_total, amount_withheld;
            key account_id, id
        );
        on!(db, |conn| update.execute(conn)).map(drop)
    }

    /// The row of an order whose customer is found under these terms.
    pub(crate) fn of(account: &str, order: &Order, customer: &str) -> Result<Self, DieselError> {
        Ok(Self {
            account_id: account.to_owned(),
            id: order.id.to_string(),
            external_id: order.external_id.clone(),
            number: order.number,
            status: order.status.name().to_owned(),
            fulfillment_status: order.fulfillment_status.name().to_owned(),
            customer_id: order.customer.to_string(),
            total: order.total.micros(),
            currency: order.currency.to_string(),
            refund_due: order.refund_due.micros(),
            carrier: order.carrier.clone(),
            tracking_number: order.tracking_number.clone(),
            cancel_reason: order.cancel_reason.clone(),
            notes: order.notes.clone(),
            metadata: to_text(&order.metadata)?,
            search_text: order.terms(customer).joined(),
            search_version: search::VERSION,
            created_at: order.created_at.micros(),
            updated_at: order.updated_at.micros(),
            paid_at: micros(order.paid_at),
            shipped_at: micros(order.shipped_at),
            delivered_at: micros(order.delivered_at),
            cancelled_at: micros(order.cancelled_at),
            version: order.version,
            tax_total: order.tax_total.map(Amount::micros),
            terms: OrderTerms::of(order).map(|terms| to_text(&terms)).transpose()?,
            amount_paid: order.amount_paid.map(Amount::micros),
            amount_refunded: order.amount_refunded.micros(),
            returned_total: order.returned_total.micros(),
            amount_withheld: order.amount_withheld.map(Amount::micros),
        })
    }

    fn order(self, mut items: Vec<Item>) -> Result<Order, DieselError> {
        if self.tax_total.is_none() {
            items.iter_mut().for_each(|item| item.taxes = None);
        }
        let terms: OrderTerms =
            self.terms.as_deref().map(from_text).transpose()?.unwrap_or_default();
        Ok(Order {
            id: read(&self.id, OrderId::parse)?,
            external_id: self.external_id,
            number: self.number,
            status: read_name(&self.status, OrderStatus::EVERY, OrderStatus::name)?,
            fulfillment_status: read_name(
                &self.fulfillment_status,
                FulfillmentStatus::EVERY,
                FulfillmentStatus::name,
            )?,
            customer: read(&self.customer_id, CustomerId::parse)?,
            items,
            subtotal: terms.subtotal,
            discount: terms.discount,
            shipping: terms.shipping,
            tax_total: self.tax_total.map(Amount::from_micros),
            total: Amount::from_micros(self.total),
            currency: currency(&self.currency)?,
            amount_paid: self.amount_paid.map(Amount::from_micros),
            amount_withheld: self.amount_withheld.map(Amount::from_micros),
            withheld_stated: terms.withheld_stated,
            amount_refunded: Amount::from_micros(self.amount_refunded),
            returned_total: Amount::from_micros(self.returned_total),
            refund_due: Amount::from_micros(self.refund_due),
            carrier: self.carrier,
            tracking_number: self.tracking_number,
            cancel_reason: self.cancel_reason,
            credit_note: terms.credit_note,
            shipping_address: terms.shipping_address,
            channel: terms.channel,
            notes: self.notes,
            metadata: from_text(&self.metadata)?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            paid_at: moment(self.paid_at),
            shipped_at: moment(self.shipped_at),
            delivered_at: moment(self.delivered_at),
            cancelled_at: moment(self.cancelled_at),
            version: self.version,
        })
    }
}

impl ItemRow {
    /// The items of an order, in its order.
    pub(crate) fn all_of<'a>(
        account: &'a str,
        order: &'a Order,
    ) -> impl Iterator<Item = Result<Self, DieselError>> + 'a {
        order.items.iter().zip(0..).map(move |(item, line)| {
            Ok(Self {
                account_id: account.to_owned(),
                order_id: order.id.to_string(),
                line,
                product_id: item.sold.product.to_string(),
                variant_id: variant_column(item.sold),
                name: item.name.clone(),
                sku: item.sku.clone(),
                quantity: item.quantity,
                unit_price: item.unit_price.micros(),
                terms: ItemTerms::of(item).map(|terms| to_text(&terms)).transpose()?,
                returned: item.returned,
            })
        })
    }

    fn item(self) -> Result<Item, DieselError> {
        let terms: ItemTerms =
            self.terms.as_deref().map(from_text).transpose()?.unwrap_or_default();
        Ok(Item {
            sold: sold(&self.product_id, &self.variant_id)?,
            name: self.name,
            sku: self.sku,
            quantity: self.quantity,
            unit_price: Amount::from_micros(self.unit_price),
            price_list: terms.price_list,
            tax_included: terms.tax_included,
            taxes: Some(terms.taxes),
            discount: terms.discount,
            order_discount: terms.order_discount,
            note: terms.note,
            returned: self.returned,
            decimals: terms.decimals,
        })
    }
}

/// What is sold, from its two columns.
pub(crate) fn sold(product: &str, variant: &str) -> Result<ItemSku, DieselError> {
    let variant = (!variant.is_empty()).then(|| read(variant, ItemVariantId::parse)).transpose()?;
    Ok(ItemSku { product: read(product, ItemProductId::parse)?, variant })
}

/// The variant's identifier as a column, empty when none is named.
pub(crate) fn variant_column(sold: ItemSku) -> String {
    sold.variant.map(|id| id.to_string()).unwrap_or_default()
}

pub(crate) fn order_by_id(db: &mut Db, account: &str, id: &str) -> QueryResult<Option<Order>> {
    let row = on!(db, |conn| dsl::orders
        .filter(dsl::account_id.eq(account))
        .filter(dsl::id.eq(id))
        .select(OrderRow::as_select())
        .first::<OrderRow>(conn))
    .optional()?;
    row.map(|row| with_items(db, row)).transpose()
}

/// An order row with its items.
pub(crate) fn with_items(db: &mut Db, row: OrderRow) -> QueryResult<Order> {
    let items: Vec<ItemRow> = on!(db, |conn| order_items::table
        .filter(order_items::account_id.eq(&row.account_id))
        .filter(order_items::order_id.eq(&row.id))
        .order(order_items::line)
        .select(ItemRow::as_select())
        .load(conn))?;
    row.order(items.into_iter().map(ItemRow::item).collect::<Result<_, _>>()?)
}

/// The orders of several keys.
pub(crate) fn orders_by_key(
    db: &mut Db,
    keys: &[Key],
) -> QueryResult<HashMap<Key, QueryResult<Order>>> {
    let rows: Vec<OrderRow> = if let Db::Postgres(conn) = db {
        let these = keys.iter().map(|(account, id)| [account.clone(), id.clone()]);
        dsl::orders
            .filter(ByKeys::of_rows("orders", these))
            .select(OrderRow::as_select())
            .load(conn)?
    } else {
        let (accounts, ids): (Vec<&String>, Vec<&String>) =
            keys.iter().map(|(account, id)| (account, id)).unzip();
        dsl::orders
            .filter(dsl::account_id.eq_any(accounts))
            .filter(dsl::id.eq_any(ids))
            .select(OrderRow::as_select())
            .load(db)?
    };
    Ok(all_with_items(db, rows)?.into_iter().collect())
}

/// What was read of each row, under its key.
pub(crate) type Orders = Vec<(Key, QueryResult<Order>)>;

/// How much of some order rows is read at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of them, however many lines they have.
    Whole,
    /// The first of them: no more once they have some thousands of lines among them.
    Portion {
        /// Whether they probably have many.
        is_long: bool,
    },
}

impl Extent {
    const fn orders_at_first(self) -> usize {
        match self {
            Self::Portion { is_long: true } => ORDERS_AT_FIRST_LONG,
            Self::Portion { is_long: false } | Self::Whole => ORDERS_AT_FIRST,
        }
    }
}

/// Order rows with their items, in the same order.
pub(crate) fn all_with_items(db: &mut Db, rows: Vec<OrderRow>) -> QueryResult<Orders> {
    Ok(with_items_of(db, rows, Extent::Whole)?.0)
}

/// Order rows with their items, in the same order, and the rows behind them that are left.
pub(crate) fn with_items_of(
    db: &mut Db,
    rows: Vec<OrderRow>,
    extent: Extent,
) -> QueryResult<(Orders, Vec<OrderRow>)> {
    in_slices(rows, extent, |slice| {
        if let Db::Postgres(conn) = db {
            let these = slice.iter().map(|row| [row.account_id.clone(), row.id.clone()]);
            return order_items::table
                .filter(ByKeys::new("order_items", ["account_id", "order_id"], these))
                .order((order_items::order_id, order_items::line))
                .select(ItemRow::as_select())
                .load_iter::<ItemRow, DefaultLoadingMode>(conn)
                .and_then(by_order);
        }
        let accounts: BTreeSet<&String> = slice.iter().map(|row| &row.account_id).collect();
        let ids: Vec<&String> = slice.iter().map(|row| &row.id).collect();
        let items = order_items::table
            .filter(order_items::account_id.eq_any(accounts))
            .filter(order_items::order_id.eq_any(ids))
            .order((order_items::order_id, order_items::line))
            .select(ItemRow::as_select())
            .load_iter::<ItemRow, DefaultLoadingMode>(db)?;
        by_order(items)
    })
}

/// The same of rows of one account that lie next to each other, the newest first. The text of the query is always the same, so
/// that SQLite prepares it once.
pub(crate) fn adjacent_with_items_of(
    db: &mut Db,
    rows: Vec<OrderRow>,
    extent: Extent,
) -> QueryResult<(Orders, Vec<OrderRow>)> {
    in_slices(rows, extent, |slice| {
        let (Some(newest), Some(oldest)) = (slice.first(), slice.last()) else {
            return Ok(ByOrder::new());
        };
        on!(db, |conn| order_items::table
            .filter(order_items::account_id.eq(&newest.account_id))
            .filter(order_items::order_id.between(&oldest.id, &newest.id))
            .order((order_items::order_id, order_items::line))
            .select(ItemRow::as_select())
            .load_iter::<ItemRow, DefaultLoadingMode>(conn)
            .and_then(by_order))
    })
}

/// Orders with their items, read of a few orders at a time where these have many, since libpq holds a result whole; and the
/// rows that are left.
fn in_slices(
    mut rows: Vec<OrderRow>,
    extent: Extent,
    mut read: impl FnMut(&[OrderRow]) -> QueryResult<ByOrder>,
) -> QueryResult<(Orders, Vec<OrderRow>)> {
    let (mut orders, mut lines, mut at_once) = (Orders::new(), 0, extent.orders_at_first());
    while !rows.is_empty() && (extent == Extent::Whole || lines < ITEMS_AT_ONCE) {
        let rest = rows.split_off(at_once.min(rows.len()));
        let slice = std::mem::replace(&mut rows, rest);
        let found = read(&slice)?;
        let many: usize = found.values().flatten().map(Vec::len).sum();
        at_once = (slice.len() * ITEMS_AT_ONCE / many.max(1)).max(1);
        lines += many;
        orders.extend(joined(slice, found));
    }
    Ok((orders, rows))
}

/// The items of each order, or why one of them cannot be read. Rows take several times the room of what is read of
/// them, and a page may have 50,000: each is gone before the next one comes.
type ByOrder = HashMap<String, QueryResult<Vec<Item>>>;

fn by_order(found: impl Iterator<Item = QueryResult<ItemRow>>) -> QueryResult<ByOrder> {
    let mut orders = ByOrder::new();
    for row in found {
        let mut row = row?;
        let order =
            orders.entry(std::mem::take(&mut row.order_id)).or_insert_with(|| Ok(Vec::new()));
        match (&mut *order, row.item()) {
            (Ok(items), Ok(item)) => items.push(item),
            (Ok(_), Err(error)) => *order = Err(error),
            (Err(_), _) => {}
        }
    }
    Ok(orders)
}

fn joined(
    rows: Vec<OrderRow>,
    mut items: ByOrder,
) -> impl Iterator<Item = (Key, QueryResult<Order>)> {
    rows.into_iter().map(move |row| {
        let key = (row.account_id.clone(), row.id.clone());
        let items = items.remove(&row.id).unwrap_or_else(|| Ok(Vec::new()));
        (key, items.and_then(|items| row.order(items)))
    })
}
