//! Stock counts as rows.

use std::collections::{BTreeSet, HashMap};

use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use inventory::{
    Level, Sku, WarehouseId,
    count::{
        Count, CountFilter, CountId, CountLine, CountLineId, CountLineQuery, CountQuery,
        CountStatus, Counted, Shelf, Uncounted,
    },
};
use kernel::{AccountId, Measure, Page, Timestamp};

use super::ledger::{sku, variant_column};
use crate::{
    db::{Db, first_locked},
    listing::{self, newest_first},
    rows::{decimals, micros, read, read_name},
    schema::{
        count_lines as lines, products, stock_counts as table, stock_levels as levels, variants,
    },
    statement::{Bound, Statement, columns},
};

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = table, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct CountRow {
    account_id: String,
    id: String,
    status: String,
    warehouse_id: String,
    uncounted: String,
    note: Option<String>,
    line_count: i64,
    counted_count: i64,
    posted_count: i64,
    left_out_count: i64,
    created_at: i64,
    updated_at: i64,
    posted_at: Option<i64>,
    cancelled_at: Option<i64>,
    version: i64,
}

impl CountRow {
    fn of(account: AccountId, count: &Count) -> Self {
        Self {
            account_id: account.to_string(),
            id: count.id.to_string(),
            status: count.status.name().to_owned(),
            warehouse_id: count.warehouse.to_string(),
            uncounted: count.uncounted.name().to_owned(),
            note: count.note.clone(),
            line_count: count.lines,
            counted_count: count.counted,
            posted_count: count.posted,
            left_out_count: count.left_out,
            created_at: count.created_at.micros(),
            updated_at: count.updated_at.micros(),
            posted_at: micros(count.posted_at),
            cancelled_at: micros(count.cancelled_at),
            version: count.version,
        }
    }

    fn count(self) -> QueryResult<Count> {
        Ok(Count {
            id: read(&self.id, CountId::parse)?,
            status: read_name(&self.status, CountStatus::EVERY, CountStatus::name)?,
            warehouse: read(&self.warehouse_id, WarehouseId::parse)?,
            uncounted: read_name(&self.uncounted, Uncounted::EVERY, Uncounted::name)?,
            note: self.note,
            lines: self.line_count,
            counted: self.counted_count,
            posted: self.posted_count,
            left_out: self.left_out_count,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            posted_at: self.posted_at.map(Timestamp::from_micros),
            cancelled_at: self.cancelled_at.map(Timestamp::from_micros),
            version: self.version,
        })
    }
}

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = lines, primary_key(account_id, count_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct LineRow {
    account_id: String,
    count_id: String,
    id: String,
    product_id: String,
    variant_id: String,
    snapshot: i64,
    counted: Option<i64>,
    on_hand_then: Option<i64>,
    changes_then: Option<i64>,
    corrections_then: Option<i64>,
    counted_by: Option<String>,
    counted_at: Option<i64>,
    posted: Option<i64>,
    quantity_decimals: i64,
}

impl LineRow {
    fn of(account: AccountId, count: CountId, line: &CountLine) -> Self {
        let counted = line.counted.as_ref();
        let kept = |measure: Measure| measure.quantity(line.sku.decimals);
        Self {
            account_id: account.to_string(),
            count_id: count.to_string(),
            id: line.id.to_string(),
            product_id: line.sku.product.to_string(),
            variant_id: variant_column(line.sku),
            snapshot: kept(line.snapshot),
            counted: counted.map(|counted| kept(counted.quantity)),
            on_hand_then: counted.map(|counted| kept(counted.on_hand_then)),
            changes_then: counted.map(|counted| counted.changes_then),
            corrections_then: counted.map(|counted| counted.corrections_then),
            counted_by: counted.and_then(|counted| counted.by.clone()),
            counted_at: counted.map(|counted| counted.at.micros()),
            posted: line.posted.map(kept),
            quantity_decimals: line.sku.decimals.count().into(),
        }
    }

    fn line(self) -> QueryResult<CountLine> {
        let sku = sku(&self.product_id, &self.variant_id)?;
        let sku = sku.with_decimals(decimals(self.quantity_decimals)?);
        let shelf = self.on_hand_then.zip(self.changes_then).zip(self.corrections_then);
        let counted = match (self.counted, shelf, self.counted_at) {
            (Some(quantity), Some(((on_hand_then, changes_then), corrections_then)), Some(at)) => {
                let (by, at) = (self.counted_by, Timestamp::from_micros(at));
                let [quantity, on_hand_then] =
                    [quantity, on_hand_then].map(|quantity| sku.measure(quantity));
                Some(Counted { quantity, on_hand_then, changes_then, corrections_then, by, at })
            }
            _ => None,
        };
        Ok(CountLine {
            id: read(&self.id, CountLineId::parse)?,
            sku,
            snapshot: sku.measure(self.snapshot),
            counted,
            posted: self.posted.map(|posted| sku.measure(posted)),
        })
    }
}

/// One count.
pub(super) fn one(db: &mut Db, account: AccountId, id: CountId) -> QueryResult<Option<Count>> {
    let row = table::table
        .find((account.to_string(), id.to_string()))
        .select(CountRow::as_select())
        .first::<CountRow>(db)
        .optional()?;
    row.map(CountRow::count).transpose()
}

/// The same, locked until the end of the transaction.
pub(super) fn locked(db: &mut Db, account: AccountId, id: CountId) -> QueryResult<Option<Count>> {
    let this = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::id.eq(id.to_string()));
    first_locked!(db, CountRow, this)?.map(CountRow::count).transpose()
}

/// A count that goes on in a warehouse, if any.
pub(super) fn open_in(
    db: &mut Db,
    account: AccountId,
    warehouse: WarehouseId,
) -> QueryResult<Option<CountId>> {
    let id: Option<String> = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::warehouse_id.eq(warehouse.to_string()))
        .filter(sql::<Bool>("status IN ('draft', 'counting')"))
        .order(table::id)
        .select(table::id)
        .first(db)
        .optional()?;
    id.map(|id| read(&id, CountId::parse)).transpose()
}

/// A page of counts, newest first.
pub(super) fn all(db: &mut Db, account: AccountId, query: &CountQuery) -> QueryResult<Page<Count>> {
    let CountFilter { status, warehouse } = query.filter;
    let all = || {
        let mut all = table::table.filter(table::account_id.eq(account.to_string())).into_boxed();
        if let Some(status) = status {
            all = all.filter(table::status.eq(status.name()));
        }
        if let Some(warehouse) = warehouse {
            all = all.filter(table::warehouse_id.eq(warehouse.to_string()));
        }
        all
    };
    let total = listing::total(&query.page, || all().count().get_result(db))?;
    let rows = newest_first!(db, CountRow, table::id, &query.page, all())?;
    let key = |row: &CountRow| (account.to_string(), row.id.clone());
    listing::newest_page(rows, &query.page, total, "stock_count", key, CountRow::count)
}

/// A page of the lines of a count, the last added first; `None` when the account has no such count.
pub(super) fn page_of_lines(
    db: &mut Db,
    account: AccountId,
    id: CountId,
    query: &CountLineQuery,
) -> QueryResult<Option<Page<CountLine>>> {
    if one(db, account, id)?.is_none() {
        return Ok(None);
    }
    let all = || {
        let own = lines::table
            .filter(lines::account_id.eq(account.to_string()))
            .filter(lines::count_id.eq(id.to_string()))
            .into_boxed();
        match query.counted {
            None => own,
            Some(true) => own.filter(lines::counted.is_not_null()),
            Some(false) => own.filter(lines::counted.is_null()),
        }
    };
    let total = listing::total(&query.page, || all().count().get_result(db))?;
    let rows = newest_first!(db, LineRow, lines::id, &query.page, all())?;
    let key = |row: &LineRow| (account.to_string(), row.id.clone());
    listing::newest_page(rows, &query.page, total, "count_line", key, LineRow::line).map(Some)
}

/// Records a new count and its lines.
pub(super) fn insert(
    db: &mut Db,
    account: AccountId,
    count: &Count,
    added: &[CountLine],
) -> QueryResult<()> {
    diesel::insert_into(table::table).values(&CountRow::of(account, count)).execute(db)?;
    save_lines(db, account, count.id, added)
}

/// Saves a count that is [locked].
pub(super) fn save(db: &mut Db, account: AccountId, count: &Count) -> QueryResult<()> {
    let this = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::id.eq(count.id.to_string()));
    diesel::update(this).set(&CountRow::of(account, count)).execute(db).map(drop)
}

/// What a line is written as: new ones as they are, others over what was counted of them.
const SAVE_LINES: &str = "INSERT INTO count_lines (account_id, count_id, id, product_id, variant_id, snapshot, counted, on_hand_then, \
    changes_then, corrections_then, counted_by, counted_at, posted, quantity_decimals) SELECT * FROM ? AS w \
    ON CONFLICT (account_id, count_id, id) DO UPDATE SET counted = excluded.counted, on_hand_then = excluded.on_hand_then, \
    changes_then = excluded.changes_then, corrections_then = excluded.corrections_then, counted_by = excluded.counted_by, \
    counted_at = excluded.counted_at, posted = excluded.posted";

/// Saves lines of a count, new ones as well, each named once.
pub(super) fn save_lines(
    db: &mut Db,
    account: AccountId,
    count: CountId,
    saved: &[CountLine],
) -> QueryResult<()> {
    let rows: Vec<LineRow> = saved.iter().map(|line| LineRow::of(account, count, line)).collect();
    match db {
        _ if rows.is_empty() => Ok(()),
        Db::Postgres(conn) => {
            let rows = columns!(
                rows, Texts account_id, Texts count_id, Texts id, Texts product_id, Texts variant_id, Numbers snapshot,
                OptionalNumbers counted, OptionalNumbers on_hand_then, OptionalNumbers changes_then,
                OptionalNumbers corrections_then, OptionalTexts counted_by, OptionalNumbers counted_at,
                OptionalNumbers posted, Numbers quantity_decimals,
            );
            Statement::<()>::new(SAVE_LINES, [Bound::from(rows)]).execute(conn).map(drop)
        }
        Db::Sqlite(conn) => {
            for row in &rows {
                diesel::insert_into(lines::table)
                    .values(row)
                    .on_conflict((lines::account_id, lines::count_id, lines::id))
                    .do_update()
                    .set(row)
                    .execute(conn)?;
            }
            Ok(())
        }
    }
}

/// The lines of a count that are of these, or all of them.
pub(super) fn lines_of(
    db: &mut Db,
    account: AccountId,
    count: CountId,
    skus: Option<&BTreeSet<Sku>>,
) -> QueryResult<Vec<CountLine>> {
    let mut all = lines::table
        .filter(lines::account_id.eq(account.to_string()))
        .filter(lines::count_id.eq(count.to_string()))
        .into_boxed();
    if let Some(skus) = skus {
        let products: BTreeSet<String> = skus.iter().map(|sku| sku.product.to_string()).collect();
        all = all.filter(lines::product_id.eq_any(products));
    }
    let rows: Vec<LineRow> = all.order(lines::id).select(LineRow::as_select()).load(db)?;
    let lines: Vec<CountLine> = rows.into_iter().map(LineRow::line).collect::<QueryResult<_>>()?;
    let is_meant = |line: &CountLine| skus.is_none_or(|skus| skus.contains(&line.sku));
    Ok(lines.into_iter().filter(is_meant).collect())
}

/// Product, variant, what is available and what is committed of it, and the decimals of its quantities.
type OnHandRow = (String, String, i64, i64, i64);

/// What lies in a warehouse of what is in the catalog, at most so many rows.
pub(super) fn on_hand(
    db: &mut Db,
    account: AccountId,
    warehouse: WarehouseId,
    most: usize,
) -> QueryResult<Vec<(Sku, Measure)>> {
    let is_of_variant = variants::account_id
        .eq(levels::account_id)
        .and(variants::product_id.eq(levels::product_id))
        .and(variants::id.eq(levels::variant_id));
    let rows: Vec<OnHandRow> = levels::table
        .inner_join(products::table.on(
            products::account_id.eq(levels::account_id).and(products::id.eq(levels::product_id)),
        ))
        .left_join(variants::table.on(is_of_variant))
        .filter(levels::account_id.eq(account.to_string()))
        .filter(levels::warehouse_id.eq(warehouse.to_string()))
        .filter(levels::quantity.gt(0).or(levels::committed.gt(0)))
        .filter(products::deleted_at.is_null())
        .filter(levels::variant_id.eq("").or(variants::id.nullable().is_not_null()))
        .order((levels::product_id, levels::variant_id))
        .limit(most as i64)
        .select((
            levels::product_id,
            levels::variant_id,
            levels::quantity,
            levels::committed,
            products::quantity_decimals,
        ))
        .load(db)?;
    let read = |(product, variant, available, committed, count): OnHandRow| {
        let sku = sku(&product, &variant)?.with_decimals(decimals(count)?);
        Ok((sku, sku.measure(available + committed)))
    };
    rows.into_iter().map(read).collect()
}

/// What is on the shelves of a warehouse by the record.
pub(super) fn shelves(
    db: &mut Db,
    account: AccountId,
    warehouse: WarehouseId,
    skus: &BTreeSet<Sku>,
) -> QueryResult<HashMap<Sku, Shelf>> {
    let products: BTreeSet<String> = skus.iter().map(|sku| sku.product.to_string()).collect();
    let rows: Vec<ShelfRow> = levels::table
        .filter(levels::account_id.eq(account.to_string()))
        .filter(levels::product_id.eq_any(products))
        .filter(levels::warehouse_id.eq(warehouse.to_string()))
        .select(ShelfRow::as_select())
        .load(db)?;
    let shelf = |row: ShelfRow| {
        let level = Level { available: row.quantity, committed: row.committed };
        let (changes, corrections) = (row.changes, row.corrections);
        Ok((sku(&row.product_id, &row.variant_id)?, Shelf { level, changes, corrections }))
    };
    rows.into_iter().map(shelf).collect()
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = levels)]
struct ShelfRow {
    product_id: String,
    variant_id: String,
    quantity: i64,
    committed: i64,
    changes: i64,
    corrections: i64,
}
