//! Price lists as rows.

mod items;
mod removing;

use ::accounts::{
    Act, Action,
    audit::{Fields, present},
};
use catalog::{
    CustomerGroupId, ListItem, ListItemQuery, NewPriceList, PriceList, PriceListError, PriceListId,
    PriceLists, SetPrices, UpdatePriceList, price_list,
};
use diesel::prelude::*;
use kernel::{AccountId, Ctx, Fault, FieldFault, Page, Pending, Refused, Timestamp, Written};

use crate::{
    audit,
    db::{Db, on},
    error::{Failure, refuse_stale, with_faults},
    groups,
    readers::{Cost, snapshot},
    rows::{currency, read},
    schema::{accounts, price_lists as table},
    stock::places,
    store::Store,
    tx::Tx,
};

pub(crate) use items::forget;
pub(crate) use removing::DeletedLists;

type Outcome<T> = Result<T, Failure<PriceListError>>;

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = table, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct ListRow {
    account_id: String,
    id: String,
    name: String,
    currency: String,
    group_id: Option<String>,
    priority: i64,
    valid_from: Option<i64>,
    valid_until: Option<i64>,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl ListRow {
    fn of(account: AccountId, list: &PriceList) -> Self {
        Self {
            account_id: account.to_string(),
            id: list.id.to_string(),
            name: list.name.clone(),
            currency: list.currency.to_string(),
            group_id: list.group.map(|id| id.to_string()),
            priority: list.priority,
            valid_from: list.valid_from.map(Timestamp::micros),
            valid_until: list.valid_until.map(Timestamp::micros),
            created_at: list.created_at.micros(),
            updated_at: list.updated_at.micros(),
            version: list.version,
        }
    }

    fn list(self) -> QueryResult<PriceList> {
        Ok(PriceList {
            id: read(&self.id, PriceListId::parse)?,
            name: self.name,
            currency: currency(&self.currency)?,
            group: self
                .group_id
                .map(|id| read(&id, catalog::CustomerGroupId::parse))
                .transpose()?,
            priority: self.priority,
            valid_from: self.valid_from.map(Timestamp::from_micros),
            valid_until: self.valid_until.map(Timestamp::from_micros),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// All price lists of an account, the newest first.
pub(crate) fn all(db: &mut Db, account: AccountId) -> QueryResult<Vec<PriceList>> {
    let rows: Vec<ListRow> = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::deleted_at.is_null())
        .order(table::id.desc())
        .select(ListRow::as_select())
        .load(db)?;
    rows.into_iter().map(ListRow::list).collect()
}

/// A price list; nothing of one that was deleted, whose prices may still be there.
pub(crate) fn one(
    db: &mut Db,
    account: AccountId,
    id: PriceListId,
) -> QueryResult<Option<PriceList>> {
    let row: Option<ListRow> = table::table
        .find((account.to_string(), id.to_string()))
        .filter(table::deleted_at.is_null())
        .select(ListRow::as_select())
        .first(db)
        .optional()?;
    row.map(ListRow::list).transpose()
}

impl PriceLists for Store {
    fn get(
        &self,
        account: AccountId,
        id: PriceListId,
    ) -> Pending<Result<Option<PriceList>, Fault>> {
        self.engine.read(Cost::Small, move |db| one(db, account, id))
    }

    fn all(&self, account: AccountId) -> Pending<Result<Vec<PriceList>, Fault>> {
        self.engine.read_of(account, Cost::Small, move |db| all(db, account))
    }

    fn create(
        &self,
        ctx: Ctx,
        command: NewPriceList,
    ) -> Pending<Written<PriceList, PriceListError>> {
        self.write(ctx, move |tx, ctx| {
            let known = locked(tx, ctx.account)?;
            let id = PriceListId::from_u128(tx.ids.next());
            let unknown = group_faults(tx, ctx.account, command.group)?;
            let made = price_list::create(command.clone(), &known, id, ctx.now);
            let made = with_faults(unknown, made.map_err(Failure::Refused))?;
            save(tx, ctx.account, &made)?;
            count(tx, ctx.account, known.len() + 1)?;
            let act = Act::new(Action::PriceListCreated, &made.id);
            audit::record(tx, ctx, &act.with_all(&Fields::new(), &told(&made)))?;
            Ok(made)
        })
    }

    fn update(
        &self,
        ctx: Ctx,
        command: UpdatePriceList,
    ) -> Pending<Written<PriceList, PriceListError>> {
        self.write(ctx, move |tx, ctx| {
            let known = locked(tx, ctx.account)?;
            let before = one_of(&known, command.id)?;
            refuse_stale(command.version, before.version)?;
            let unknown = group_faults(tx, ctx.account, command.changes.group.flatten())?;
            let after = price_list::update(&known, command.id, command.changes.clone(), ctx.now);
            let after = with_faults(unknown, after.map_err(Failure::Refused))?;
            if after.version != before.version {
                save(tx, ctx.account, &after)?;
                let act = Act::new(Action::PriceListChanged, &after.id);
                audit::record(tx, ctx, &act.with_all(&told(before), &told(&after)))?;
            }
            Ok(after)
        })
    }

    fn delete(
        &self,
        ctx: Ctx,
        id: PriceListId,
        version: Option<i64>,
    ) -> Pending<Written<PriceListId, PriceListError>> {
        self.write(ctx, move |tx, ctx| {
            let known = locked(tx, ctx.account)?;
            let list = one_of(&known, id)?;
            refuse_stale(version, list.version)?;
            // Its prices may be many: housekeeping removes them with its row.
            let this = table::table
                .filter(table::account_id.eq(ctx.account.to_string()))
                .filter(table::id.eq(id.to_string()));
            let gone = (table::deleted_at.eq(ctx.now.micros()), table::group_id.eq(None::<String>));
            diesel::update(this).set(gone).execute(tx.db)?;
            count(tx, ctx.account, known.len() - 1)?;
            let act = Act::new(Action::PriceListDeleted, &id);
            audit::record(tx, ctx, &act.with_all(&told(list), &Fields::new()))?;
            Ok(id)
        })
    }

    fn items(
        &self,
        account: AccountId,
        id: PriceListId,
        query: ListItemQuery,
    ) -> Pending<Result<Option<Page<ListItem>>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| {
                let list = one(db, account, id)?;
                list.map(|list| items::page(db, account, list.id, &query)).transpose()
            })
        })
    }

    fn set_prices(
        &self,
        ctx: Ctx,
        command: SetPrices,
    ) -> Pending<Written<PriceList, PriceListError>> {
        self.write(ctx, move |tx, ctx| {
            let known = locked(tx, ctx.account)?;
            let list = known.into_iter().find(|list| list.id == command.list);
            let list = list.ok_or(Refused::NotFound)?;
            refuse_stale(command.version, list.version)?;
            items::set(tx, ctx.account, &command)?;
            let after = PriceList { version: list.version + 1, updated_at: ctx.now, ..list };
            save(tx, ctx.account, &after)?;
            Ok(after)
        })
    }
}

/// All lists, which nobody else changes until the end of the transaction.
fn locked(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<Vec<PriceList>> {
    places::lock(tx, account)?;
    all(tx.db, account)
}

fn one_of(known: &[PriceList], id: PriceListId) -> Outcome<&PriceList> {
    Ok(known.iter().find(|list| list.id == id).ok_or(Refused::NotFound)?)
}

/// A price list as the audit log tells it: every part by the name that the API gives it. Its prices may be many.
fn told(list: &PriceList) -> Fields {
    let moment = |moment: Option<Timestamp>| moment.map(|moment| moment.to_string());
    let parts = [
        ("name", Some(list.name.clone())),
        ("currency", Some(list.currency.to_string())),
        ("customerGroupId", list.group.map(|id| id.to_string())),
        ("priority", Some(list.priority.to_string())),
        ("validFrom", moment(list.valid_from)),
        ("validUntil", moment(list.valid_until)),
    ];
    present(parts)
}

/// What is wrong with the group that a list is to be for, which is kept until the end of the transaction.
fn group_faults(
    tx: &mut Tx<'_>,
    account: AccountId,
    group: Option<CustomerGroupId>,
) -> Outcome<Vec<FieldFault>> {
    let Some(group) = group else { return Ok(Vec::new()) };
    let kept = groups::keep(tx, account, &group.to_string(), "customerGroupId")?;
    Ok(kept.err().unwrap_or_default())
}

/// Says how many lists an account has: orders look for prices where there are any.
fn count(tx: &mut Tx<'_>, account: AccountId, lists: usize) -> QueryResult<()> {
    let lists = i64::try_from(lists).unwrap_or(i64::MAX);
    diesel::update(accounts::table.find(account.to_string()))
        .set(accounts::price_lists.eq(lists))
        .execute(tx.db)
        .map(drop)
}

fn save(tx: &mut Tx<'_>, account: AccountId, list: &PriceList) -> QueryResult<()> {
    let row = ListRow::of(account, list);
    on!(tx.db, |conn| diesel::insert_into(table::table)
        .values(&row)
        .on_conflict((table::account_id, table::id))
        .do_update()
        .set(&row)
        .execute(conn))
    .map(drop)
}
