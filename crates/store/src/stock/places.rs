//! Warehouses as rows, and which of them orders take from.

use diesel::{prelude::*, result::Error as DieselError};
use inventory::{
    Address, Allocation, Kind, StockSettings, Warehouse, WarehouseId,
    warehouse::{by_priority, first_of, untouched_first},
};
use kernel::{AccountId, ScaleCode, Timestamp};

use crate::{
    db::Db,
    rows::{corrupt, read, read_name},
    schema::{accounts, warehouses},
    stored::{from_text, to_text},
    tx::{Hold, Tx},
};

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = warehouses, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
pub(super) struct WarehouseRow {
    account_id: String,
    id: String,
    name: String,
    address: Option<String>,
    kind: String,
    priority: i64,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl WarehouseRow {
    pub(super) fn of(account: AccountId, warehouse: &Warehouse) -> QueryResult<Self> {
        Ok(Self {
            account_id: account.to_string(),
            id: warehouse.id.to_string(),
            name: warehouse.name.clone(),
            address: warehouse.address.as_ref().map(to_text::<Address>).transpose()?,
            kind: warehouse.kind.name().to_owned(),
            priority: warehouse.priority,
            created_at: warehouse.created_at.micros(),
            updated_at: warehouse.updated_at.micros(),
            version: warehouse.version,
        })
    }

    fn warehouse(self) -> QueryResult<Warehouse> {
        Ok(Warehouse {
            id: read(&self.id, WarehouseId::parse)?,
            name: self.name,
            address: self.address.as_deref().map(from_text).transpose()?,
            kind: read_name(&self.kind, Kind::EVERY, Kind::name)?,
            priority: self.priority,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// The identifier of an account's first warehouse as a column; both share a number.
pub(crate) fn first_warehouse(account: &str) -> String {
    account.replacen("acc_", "whs_", 1)
}

/// Every warehouse of an account, the newest first; the place between them is none.
pub(crate) fn all(db: &mut Db, account: AccountId) -> QueryResult<Vec<Warehouse>> {
    let rows: Vec<WarehouseRow> = warehouses::table
        .filter(warehouses::account_id.eq(account.to_string()))
        .filter(warehouses::kind.ne("transit"))
        .order(warehouses::id.desc())
        .select(WarehouseRow::as_select())
        .load(db)?;
    let mut all: Vec<Warehouse> =
        rows.into_iter().map(WarehouseRow::warehouse).collect::<QueryResult<_>>()?;
    if all.iter().all(|warehouse| warehouse.id != first_of(account)) {
        let opened = accounts::table.find(account.to_string()).select(accounts::created_at);
        if let Some(opened) = opened.first::<i64>(db).optional()? {
            all.push(untouched_first(account, Timestamp::from_micros(opened)));
            all.sort_by_key(|warehouse| std::cmp::Reverse(warehouse.id));
        }
    }
    Ok(all)
}

/// The stock settings of an account.
pub(crate) fn settings(db: &mut Db, account: AccountId) -> QueryResult<StockSettings> {
    let columns = (
        accounts::allocation,
        accounts::default_warehouse_id,
        accounts::scale_codes,
        accounts::stock_version,
    );
    let (allocation, default, scale_codes, version): (String, Option<String>, Option<String>, i64) =
        accounts::table.find(account.to_string()).select(columns).first(db)?;
    let default = default.map(|id| read(&id, WarehouseId::parse)).transpose()?;
    Ok(StockSettings {
        allocation: read_name(&allocation, Allocation::EVERY, Allocation::name)?,
        default_warehouse: default.unwrap_or_else(|| first_of(account)),
        scale_codes: read_scale_codes(scale_codes.as_deref())?,
        version,
    })
}

/// How the scales of an account write their labels.
pub(crate) fn scale_codes(db: &mut Db, account: &str) -> QueryResult<Vec<ScaleCode>> {
    let column = accounts::table.find(account).select(accounts::scale_codes);
    read_scale_codes(column.first::<Option<String>>(db)?.as_deref())
}

/// The patterns of a column, between which there are blanks.
fn read_scale_codes(column: Option<&str>) -> QueryResult<Vec<ScaleCode>> {
    let patterns = column.unwrap_or_default().split_whitespace();
    patterns.map(|text| read(text, |text| ScaleCode::parse(text).ok())).collect()
}

/// Where stock of the whole account is taken from: the default warehouse, then the others that goods are sold from by
/// their priority.
pub(crate) fn taken_from(db: &mut Db, account: AccountId) -> QueryResult<Vec<WarehouseId>> {
    let default = settings(db, account)?.default_warehouse;
    let mut sellable = all(db, account)?;
    sellable.retain(|warehouse| warehouse.kind.is_sellable());
    by_priority(&mut sellable);
    sellable.sort_by_key(|warehouse| warehouse.id != default);
    Ok(sellable.into_iter().map(|warehouse| warehouse.id).collect())
}

/// The same for who puts something into the first of them, which stays until the end of the transaction then.
pub(crate) fn put_into(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<Vec<WarehouseId>> {
    let places = taken_from(tx.db, account)?;
    if matches!(tx.db, Db::Sqlite(_)) || places.first() == Some(&first_of(account)) {
        return Ok(places);
    }
    keep(tx, account)?;
    taken_from(tx.db, account)
}

/// Whether goods that lie in a place are sold from it.
pub(super) fn is_sellable(db: &mut Db, account: &str, place: &str) -> QueryResult<bool> {
    if place == first_warehouse(account) {
        return Ok(true);
    }
    let kind: Option<String> =
        warehouses::table.find((account, place)).select(warehouses::kind).first(db).optional()?;
    Ok(kind.is_some_and(|kind| kind == Kind::Store.name()))
}

/// One warehouse of an account.
pub(crate) fn one(
    db: &mut Db,
    account: AccountId,
    id: WarehouseId,
) -> QueryResult<Option<Warehouse>> {
    Ok(all(db, account)?.into_iter().find(|warehouse| warehouse.id == id))
}

/// Whether orders of an account commit their stock: no node of the last release serves it any more.
pub(crate) fn commits(db: &mut Db, account: AccountId) -> QueryResult<bool> {
    let this = accounts::table.find(account.to_string());
    this.select(accounts::commits_stock).first(db)
}

/// Locks the settings and the warehouses of an account until the end of the transaction. A command that [keeps](keep) them
/// does that afterwards.
///
/// # Errors
/// Those of the database, and where a command before it in the same transaction keeps them: another node may do so, too,
/// and each would wait for the other. Then the commands run one by one. A command that locks what it keeps itself is a defect.
pub(crate) fn lock(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<()> {
    let Db::Postgres(conn) = &mut *tx.db else { return Ok(()) };
    match tx.held.get(&account) {
        Some(Hold::Kept) => return Err(DieselError::RollbackTransaction),
        Some(Hold::Keeping) => {
            return Err(corrupt("a command that locks the account that it keeps"));
        }
        Some(Hold::Locked) | None => {}
    }
    let this = accounts::table.filter(accounts::id.eq(account.to_string()));
    let locked: Option<String> =
        this.select(accounts::id).for_no_key_update().first(conn).optional()?;
    drop(locked);
    tx.held.insert(account, Hold::Locked);
    Ok(())
}

/// Keeps the default warehouse of an account from being removed until the end of the transaction, and says whether it is the
/// first one, which nobody removes. Who locks stock to put something there does this before, as who removes a warehouse does.
pub(crate) fn keep_default(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<bool> {
    let is_first = settings(tx.db, account)?.default_warehouse == first_of(account);
    if !is_first {
        keep(tx, account)?;
    }
    Ok(is_first)
}

/// Keeps the warehouses of an account from being removed until the end of the transaction; what locks stock comes after it.
pub(crate) fn keep(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<()> {
    let Db::Postgres(conn) = &mut *tx.db else { return Ok(()) };
    let this = accounts::table.filter(accounts::id.eq(account.to_string()));
    let kept: Option<String> = this.select(accounts::id).for_share().first(conn).optional()?;
    drop(kept);
    tx.held.entry(account).or_insert(Hold::Keeping);
    Ok(())
}
