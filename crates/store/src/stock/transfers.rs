//! Transfers as rows.

use std::collections::HashMap;

use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use inventory::{
    WarehouseId,
    transfer::{
        Arrival, ArrivalId, Transfer, TransferFilter, TransferId, TransferLine, TransferQuery,
        TransferStatus,
    },
};
use kernel::{AccountId, Measure, Page, Timestamp};

use super::ledger::{sku, variant_column};
use crate::{
    db::{Db, first_locked},
    listing::{self, newest_first},
    rows::{decimals, micros, read, read_name},
    schema::{transfer_arrivals as arrivals, transfer_lines as lines, transfers as table},
    statement::{Bound, Statement, columns},
    stored::{from_text, to_text},
};

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = table, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct TransferRow {
    account_id: String,
    id: String,
    status: String,
    from_id: String,
    to_id: String,
    quarantine_id: Option<String>,
    reference: Option<String>,
    note: Option<String>,
    created_at: i64,
    updated_at: i64,
    dispatched_at: Option<i64>,
    received_at: Option<i64>,
    cancelled_at: Option<i64>,
    version: i64,
}

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = lines, primary_key(account_id, transfer_id, line))]
struct LineRow {
    account_id: String,
    transfer_id: String,
    line: i64,
    product_id: String,
    variant_id: String,
    to_id: String,
    quantity: i64,
    received: i64,
    damaged: i64,
    lost: i64,
    found: i64,
    returned: i64,
    in_transit: i64,
    quantity_decimals: i64,
}

impl TransferRow {
    fn of(account: AccountId, transfer: &Transfer) -> Self {
        Self {
            account_id: account.to_string(),
            id: transfer.id.to_string(),
            status: transfer.status.name().to_owned(),
            from_id: transfer.from.to_string(),
            to_id: transfer.to.to_string(),
            quarantine_id: transfer.quarantine.map(|id| id.to_string()),
            reference: transfer.reference.clone(),
            note: transfer.note.clone(),
            created_at: transfer.created_at.micros(),
            updated_at: transfer.updated_at.micros(),
            dispatched_at: micros(transfer.dispatched_at),
            received_at: micros(transfer.received_at),
            cancelled_at: micros(transfer.cancelled_at),
            version: transfer.version,
        }
    }

    fn transfer(self, lines: Vec<TransferLine>) -> QueryResult<Transfer> {
        let warehouse = |id: String| read(&id, WarehouseId::parse);
        let moment = |at: Option<i64>| at.map(Timestamp::from_micros);
        Ok(Transfer {
            id: read(&self.id, TransferId::parse)?,
            status: read_name(&self.status, TransferStatus::EVERY, TransferStatus::name)?,
            from: warehouse(self.from_id)?,
            to: warehouse(self.to_id)?,
            quarantine: self.quarantine_id.map(warehouse).transpose()?,
            reference: self.reference,
            note: self.note,
            lines,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            dispatched_at: moment(self.dispatched_at),
            received_at: moment(self.received_at),
            cancelled_at: moment(self.cancelled_at),
            version: self.version,
        })
    }
}

impl LineRow {
    fn of(account: AccountId, transfer: &Transfer, number: usize, line: &TransferLine) -> Self {
        let kept = |measure: Measure| measure.quantity(line.sku.decimals);
        Self {
            account_id: account.to_string(),
            transfer_id: transfer.id.to_string(),
            line: number as i64,
            product_id: line.sku.product.to_string(),
            variant_id: variant_column(line.sku),
            to_id: transfer.to.to_string(),
            quantity: kept(line.quantity),
            received: kept(line.received),
            damaged: kept(line.damaged),
            lost: kept(line.lost),
            found: kept(line.found),
            returned: kept(line.returned),
            in_transit: kept(line.in_transit),
            quantity_decimals: line.sku.decimals.count().into(),
        }
    }

    fn line(self) -> QueryResult<TransferLine> {
        let sku = sku(&self.product_id, &self.variant_id)?;
        let sku = sku.with_decimals(decimals(self.quantity_decimals)?);
        Ok(TransferLine {
            sku,
            quantity: sku.measure(self.quantity),
            received: sku.measure(self.received),
            damaged: sku.measure(self.damaged),
            lost: sku.measure(self.lost),
            found: sku.measure(self.found),
            returned: sku.measure(self.returned),
            in_transit: sku.measure(self.in_transit),
        })
    }
}

/// One transfer.
pub(crate) fn one(
    db: &mut Db,
    account: AccountId,
    id: TransferId,
) -> QueryResult<Option<Transfer>> {
    let row = table::table
        .find((account.to_string(), id.to_string()))
        .select(TransferRow::as_select())
        .first::<TransferRow>(db)
        .optional()?;
    with_lines(db, account, row)
}

/// The same, locked until the end of the transaction.
pub(super) fn locked(
    db: &mut Db,
    account: AccountId,
    id: TransferId,
) -> QueryResult<Option<Transfer>> {
    let this = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::id.eq(id.to_string()));
    let row = first_locked!(db, TransferRow, this)?;
    with_lines(db, account, row)
}

fn with_lines(
    db: &mut Db,
    account: AccountId,
    row: Option<TransferRow>,
) -> QueryResult<Option<Transfer>> {
    let Some(row) = row else { return Ok(None) };
    let mut lines = lines_of(db, account, [row.id.clone()])?;
    let own = lines.remove(&row.id).unwrap_or_default();
    row.transfer(own).map(Some)
}

/// The lines of transfers, by transfer and in their order.
fn lines_of(
    db: &mut Db,
    account: AccountId,
    ids: impl IntoIterator<Item = String>,
) -> QueryResult<HashMap<String, Vec<TransferLine>>> {
    let rows: Vec<LineRow> = lines::table
        .filter(lines::account_id.eq(account.to_string()))
        .filter(lines::transfer_id.eq_any(ids))
        .order((lines::transfer_id, lines::line))
        .select(LineRow::as_select())
        .load(db)?;
    let mut all: HashMap<String, Vec<TransferLine>> = HashMap::new();
    for row in rows {
        all.entry(row.transfer_id.clone()).or_default().push(row.line()?);
    }
    Ok(all)
}

/// A page of transfers, newest first.
pub(super) fn all(
    db: &mut Db,
    account: AccountId,
    query: &TransferQuery,
) -> QueryResult<Page<Transfer>> {
    let TransferFilter { status, warehouse } = query.filter;
    let all = || {
        let mut all = table::table.filter(table::account_id.eq(account.to_string())).into_boxed();
        if let Some(status) = status {
            all = all.filter(table::status.eq(status.name()));
        }
        if let Some(warehouse) = warehouse.map(|id| id.to_string()) {
            all = all.filter(table::from_id.eq(warehouse.clone()).or(table::to_id.eq(warehouse)));
        }
        all
    };
    let total = listing::total(&query.page, || all().count().get_result(db))?;
    let rows = newest_first!(db, TransferRow, table::id, &query.page, all())?;
    let mut lines = lines_of(db, account, rows.iter().map(|row| row.id.clone()))?;
    let key = |row: &TransferRow| (account.to_string(), row.id.clone());
    let rows = rows.into_iter().map(|row| {
        let own = lines.remove(&row.id).unwrap_or_default();
        (row, own)
    });
    let rows = rows.collect();
    listing::newest_page(
        rows,
        &query.page,
        total,
        "transfer",
        |(row, _)| key(row),
        |(row, own): (TransferRow, Vec<TransferLine>)| row.transfer(own),
    )
}

/// Records a new transfer.
pub(super) fn insert(db: &mut Db, account: AccountId, transfer: &Transfer) -> QueryResult<()> {
    diesel::insert_into(table::table).values(&TransferRow::of(account, transfer)).execute(db)?;
    save_lines(db, account, transfer)
}

/// Saves a transfer that is [locked].
pub(super) fn save(db: &mut Db, account: AccountId, transfer: &Transfer) -> QueryResult<()> {
    let this = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::id.eq(transfer.id.to_string()));
    diesel::update(this).set(&TransferRow::of(account, transfer)).execute(db)?;
    save_lines(db, account, transfer)
}

/// The same of one whose lines may be others than before.
pub(super) fn replace(db: &mut Db, account: AccountId, transfer: &Transfer) -> QueryResult<()> {
    let before = lines::table
        .filter(lines::account_id.eq(account.to_string()))
        .filter(lines::transfer_id.eq(transfer.id.to_string()));
    diesel::delete(before).execute(db)?;
    save(db, account, transfer)
}

const SAVE_LINES: &str = "INSERT INTO transfer_lines (account_id, transfer_id, line, product_id, variant_id, to_id, quantity, received, \
    damaged, lost, found, returned, in_transit, quantity_decimals) SELECT * FROM ? AS w \
    ON CONFLICT (account_id, transfer_id, line) DO UPDATE SET received = excluded.received, damaged = excluded.damaged, \
    lost = excluded.lost, found = excluded.found, returned = excluded.returned, in_transit = excluded.in_transit";

fn save_lines(db: &mut Db, account: AccountId, transfer: &Transfer) -> QueryResult<()> {
    let lines = transfer.lines.iter().enumerate();
    let rows: Vec<LineRow> =
        lines.map(|(number, line)| LineRow::of(account, transfer, number, line)).collect();
    match db {
        Db::Postgres(conn) => {
            let rows = columns!(
                rows, Texts account_id, Texts transfer_id, Numbers line, Texts product_id, Texts variant_id, Texts to_id,
                Numbers quantity, Numbers received, Numbers damaged, Numbers lost, Numbers found, Numbers returned,
                Numbers in_transit, Numbers quantity_decimals,
            );
            Statement::<()>::new(SAVE_LINES, [Bound::from(rows)]).execute(conn).map(drop)
        }
        Db::Sqlite(conn) => {
            for row in &rows {
                diesel::insert_into(lines::table)
                    .values(row)
                    .on_conflict((lines::account_id, lines::transfer_id, lines::line))
                    .do_update()
                    .set(row)
                    .execute(conn)?;
            }
            Ok(())
        }
    }
}

/// Whether goods may still come or go because of a transfer from or to a warehouse.
pub(super) fn is_awaited(
    db: &mut Db,
    account: AccountId,
    warehouse: WarehouseId,
) -> QueryResult<bool> {
    let id = warehouse.to_string();
    let names = table::from_id.eq(id.clone()).or(table::to_id.eq(id.clone()));
    let open = table::table
        .filter(table::account_id.eq(account.to_string()))
        // As the index of open ones says it.
        .filter(sql::<Bool>("status IN ('draft', 'in_transit')"))
        .filter(names.or(table::quarantine_id.assume_not_null().eq(id)));
    Ok(open.select(table::id).first::<String>(db).optional()?.is_some())
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = arrivals)]
struct ArrivalRow {
    account_id: String,
    transfer_id: String,
    id: String,
    is_final: bool,
    lines: String,
    created_at: i64,
}

/// Records what was received of a transfer at once.
pub(super) fn add_arrival(
    db: &mut Db,
    account: AccountId,
    transfer: TransferId,
    arrival: &Arrival,
) -> QueryResult<()> {
    let row = ArrivalRow {
        account_id: account.to_string(),
        transfer_id: transfer.to_string(),
        id: arrival.id.to_string(),
        is_final: arrival.is_final,
        lines: to_text(&arrival.lines)?,
        created_at: arrival.created_at.micros(),
    };
    diesel::insert_into(arrivals::table).values(&row).execute(db).map(drop)
}

/// In how many parts a transfer has arrived.
pub(super) fn arrival_count(
    db: &mut Db,
    account: AccountId,
    transfer: TransferId,
) -> QueryResult<usize> {
    let count: i64 = arrivals::table
        .filter(arrivals::account_id.eq(account.to_string()))
        .filter(arrivals::transfer_id.eq(transfer.to_string()))
        .count()
        .get_result(db)?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// What was received of a transfer, the oldest first; `None` when the account has no such transfer.
pub(super) fn arrivals_of(
    db: &mut Db,
    account: AccountId,
    transfer: TransferId,
) -> QueryResult<Option<Vec<Arrival>>> {
    let (account, transfer) = (account.to_string(), transfer.to_string());
    let known: i64 = table::table.find((&account, &transfer)).count().get_result(db)?;
    if known == 0 {
        return Ok(None);
    }
    let rows: Vec<ArrivalRow> = arrivals::table
        .filter(arrivals::account_id.eq(account))
        .filter(arrivals::transfer_id.eq(transfer))
        .order(arrivals::id)
        .select(ArrivalRow::as_select())
        .load(db)?;
    let arrival = |row: ArrivalRow| {
        Ok(Arrival {
            id: read(&row.id, ArrivalId::parse)?,
            lines: from_text(&row.lines)?,
            is_final: row.is_final,
            created_at: Timestamp::from_micros(row.created_at),
        })
    };
    rows.into_iter().map(arrival).collect::<QueryResult<_>>().map(Some)
}
