//! Groups of customers as rows.

use ::accounts::{Act, Action};
use crm::{
    CustomerGroup, CustomerGroupError, CustomerGroupId, CustomerGroups, NewCustomerGroup,
    UpdateCustomerGroup, group,
};
use diesel::prelude::*;
use kernel::{AccountId, Ctx, Fault, FieldFault, Pending, Refused, Timestamp, Written, message};

use crate::{
    audit,
    db::{Db, on},
    error::{Failure, refuse_stale},
    readers::Cost,
    rows::read,
    schema::{customer_groups as table, customers, price_lists},
    stock::places,
    store::Store,
    tx::Tx,
};

type Outcome<T> = Result<T, Failure<CustomerGroupError>>;

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = table, primary_key(account_id, id), treat_none_as_default_value = false)]
struct GroupRow {
    account_id: String,
    id: String,
    name: String,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl GroupRow {
    fn of(account: AccountId, group: &CustomerGroup) -> Self {
        Self {
            account_id: account.to_string(),
            id: group.id.to_string(),
            name: group.name.clone(),
            created_at: group.created_at.micros(),
            updated_at: group.updated_at.micros(),
            version: group.version,
        }
    }

    fn group(self) -> QueryResult<CustomerGroup> {
        Ok(CustomerGroup {
            id: read(&self.id, CustomerGroupId::parse)?,
            name: self.name,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// All groups of an account, the newest first.
fn all(db: &mut Db, account: AccountId) -> QueryResult<Vec<CustomerGroup>> {
    let rows: Vec<GroupRow> = table::table
        .filter(table::account_id.eq(account.to_string()))
        .order(table::id.desc())
        .select(GroupRow::as_select())
        .load(db)?;
    rows.into_iter().map(GroupRow::group).collect()
}

/// Keeps a group from being removed until the end of the transaction; of one that is not there, the fault of the field that
/// names it.
pub(crate) fn keep(
    tx: &mut Tx<'_>,
    account: AccountId,
    group: &str,
    field: &str,
) -> QueryResult<Result<(), Vec<FieldFault>>> {
    places::keep(tx, account)?;
    let found: i64 = table::table.find((account.to_string(), group)).count().get_result(tx.db)?;
    let problem = message!(
        "names no customer group of this account",
        "no corresponde a ningún grupo de clientes de esta cuenta"
    );
    Ok(if found > 0 { Ok(()) } else { Err(vec![FieldFault::new(field, problem)]) })
}

impl CustomerGroups for Store {
    fn get(
        &self,
        account: AccountId,
        id: CustomerGroupId,
    ) -> Pending<Result<Option<CustomerGroup>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            let row: Option<GroupRow> = table::table
                .find((account.to_string(), id.to_string()))
                .select(GroupRow::as_select())
                .first(db)
                .optional()?;
            row.map(GroupRow::group).transpose()
        })
    }

    fn all(&self, account: AccountId) -> Pending<Result<Vec<CustomerGroup>, Fault>> {
        self.engine.read_of(account, Cost::Small, move |db| all(db, account))
    }

    fn create(
        &self,
        ctx: Ctx,
        command: NewCustomerGroup,
    ) -> Pending<Written<CustomerGroup, CustomerGroupError>> {
        self.write(ctx, move |tx, ctx| {
            let known = locked(tx, ctx.account)?;
            let id = CustomerGroupId::from_u128(tx.ids.next());
            let made = group::create(command.clone(), &known, id, ctx.now)?;
            save(tx, ctx.account, &made)?;
            let act = told(Action::CustomerGroupCreated, id, (None, Some(&made)));
            audit::record(tx, ctx, &act)?;
            Ok(made)
        })
    }

    fn update(
        &self,
        ctx: Ctx,
        command: UpdateCustomerGroup,
    ) -> Pending<Written<CustomerGroup, CustomerGroupError>> {
        self.write(ctx, move |tx, ctx| {
            let known = locked(tx, ctx.account)?;
            let before = one_of(&known, command.id)?;
            refuse_stale(command.version, before.version)?;
            let after = group::update(&known, command.id, command.changes.clone(), ctx.now)?;
            if after.version != before.version {
                save(tx, ctx.account, &after)?;
                let both = (Some(before), Some(&after));
                audit::record(tx, ctx, &told(Action::CustomerGroupChanged, after.id, both))?;
            }
            Ok(after)
        })
    }

    fn delete(
        &self,
        ctx: Ctx,
        id: CustomerGroupId,
        version: Option<i64>,
    ) -> Pending<Written<CustomerGroupId, CustomerGroupError>> {
        self.write(ctx, move |tx, ctx| delete(tx, ctx, id, version))
    }
}

/// All groups, which nobody else changes or comes to name until the end of the transaction.
fn locked(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<Vec<CustomerGroup>> {
    places::lock(tx, account)?;
    all(tx.db, account)
}

fn one_of(known: &[CustomerGroup], id: CustomerGroupId) -> Outcome<&CustomerGroup> {
    Ok(known.iter().find(|group| group.id == id).ok_or(Refused::NotFound)?)
}

/// What was done to a group, as it was and as it is.
fn told(
    action: Action,
    id: CustomerGroupId,
    (before, after): (Option<&CustomerGroup>, Option<&CustomerGroup>),
) -> Act {
    let name = |of: Option<&CustomerGroup>| of.map(|group| group.name.clone());
    Act::new(action, &id).with("name", name(before), name(after))
}

fn delete(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: CustomerGroupId,
    version: Option<i64>,
) -> Outcome<CustomerGroupId> {
    let known = locked(tx, ctx.account)?;
    let group = one_of(&known, id)?;
    refuse_stale(version, group.version)?;
    let (account, key) = (ctx.account.to_string(), id.to_string());
    let member: Option<String> = customers::table
        .filter(customers::account_id.eq(&account))
        .filter(customers::group_id.eq(&key))
        .select(customers::id)
        .first(tx.db)
        .optional()?;
    if member.is_some() {
        return Err(Refused::Rule(CustomerGroupError::HasCustomers).into());
    }
    let lists: i64 = price_lists::table
        .filter(price_lists::account_id.eq(&account))
        .filter(price_lists::group_id.eq(&key))
        .count()
        .get_result(tx.db)?;
    if lists > 0 {
        return Err(Refused::Rule(CustomerGroupError::HasPriceLists).into());
    }
    let this = table::table.filter(table::account_id.eq(account)).filter(table::id.eq(key));
    diesel::delete(this).execute(tx.db)?;
    audit::record(tx, ctx, &told(Action::CustomerGroupDeleted, id, (Some(group), None)))?;
    Ok(id)
}

fn save(tx: &mut Tx<'_>, account: AccountId, group: &CustomerGroup) -> QueryResult<()> {
    let row = GroupRow::of(account, group);
    on!(tx.db, |conn| diesel::insert_into(table::table)
        .values(&row)
        .on_conflict((table::account_id, table::id))
        .do_update()
        .set(&row)
        .execute(conn))
    .map(drop)
}
