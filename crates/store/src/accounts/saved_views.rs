//! Filters of lists that users keep under names.

use ::accounts::{
    NewSavedView, SavedView, SavedViewError, SavedViewId, SavedViews, UserId,
    saved_views::{VIEW_NAME_CHARS_MAX, VIEWS_MAX},
};
use diesel::prelude::*;
use kernel::{
    AccountId, Actor, Ctx, Done, Fault, FieldFault, Pending, Refused, Timestamp, Written, text,
};

use super::team;
use crate::{
    db::Db,
    error::Failure,
    readers::Cost,
    rows::read,
    schema::{
        accounts,
        saved_views::{self as table, dsl},
    },
    store::Store,
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table)]
struct ViewRow {
    account_id: String,
    user_id: String,
    id: String,
    list: String,
    name: String,
    query: String,
    created_at: i64,
    updated_at: i64,
}

impl ViewRow {
    fn view(self) -> QueryResult<SavedView> {
        Ok(SavedView {
            id: read(&self.id, SavedViewId::parse)?,
            account: read(&self.account_id, AccountId::parse)?,
            user: read(&self.user_id, UserId::parse)?,
            list: self.list,
            name: self.name,
            query: self.query,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
        })
    }
}

fn refused<T>(error: SavedViewError) -> Result<T, Failure<SavedViewError>> {
    Err(Refused::Rule(error).into())
}

/// The member who acts, whose membership is locked: their commands take turns, also where they leave meanwhile.
fn owner(tx: &mut Tx<'_>, ctx: &Ctx) -> Result<UserId, Failure<SavedViewError>> {
    let Actor::User(user) = ctx.actor else { return refused(SavedViewError::Forbidden) };
    let live = team::live_of(tx.db, ctx.account)?.ok_or(Refused::NotFound)?;
    match team::is_member_locked(tx, live, user)? {
        true => Ok(user),
        false => refused(SavedViewError::Forbidden),
    }
}

#[diesel::dsl::auto_type(no_type_alias)]
fn of_list(account: AccountId, user: UserId, list: &str) -> _ {
    let (account, user): (String, String) = (account.to_string(), user.to_string());
    let list: String = list.to_owned();
    table::table
        .filter(dsl::account_id.eq(account))
        .filter(dsl::user_id.eq(user))
        .filter(dsl::list.eq(list))
}

fn by_id(
    db: &mut Db,
    (account, user): (AccountId, UserId),
    id: SavedViewId,
) -> QueryResult<Option<ViewRow>> {
    let key = (account.to_string(), user.to_string(), id.to_string());
    table::table.find(key).select(ViewRow::as_select()).first(db).optional()
}

fn by_name(
    db: &mut Db,
    (account, user): (AccountId, UserId),
    (list, name): (&str, &str),
) -> QueryResult<Option<ViewRow>> {
    let named = of_list(account, user, list).filter(dsl::name.eq(name.to_owned()));
    named.select(ViewRow::as_select()).first(db).optional()
}

fn save(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    new: &NewSavedView,
) -> Result<SavedViewId, Failure<SavedViewError>> {
    let faults = new.faults();
    if !faults.is_empty() {
        return Err(Refused::Invalid(faults).into());
    }
    let user = owner(tx, ctx)?;
    let name = new.name.trim();
    if let Some(row) = by_name(tx.db, (ctx.account, user), (new.list.as_str(), name))? {
        let id = read(&row.id, SavedViewId::parse)?;
        let this = table::table.find((row.account_id, row.user_id, row.id));
        diesel::update(this)
            .set((dsl::query.eq(&new.query), dsl::updated_at.eq(ctx.now.micros())))
            .execute(tx.db)?;
        return Ok(id);
    }
    let known: i64 = of_list(ctx.account, user, &new.list).count().get_result(tx.db)?;
    if known >= i64::from(VIEWS_MAX) {
        return refused(SavedViewError::TooMany { max: VIEWS_MAX });
    }
    let id = SavedViewId::from_u128(tx.ids.next());
    let row = ViewRow {
        account_id: ctx.account.to_string(),
        user_id: user.to_string(),
        id: id.to_string(),
        list: new.list.clone(),
        name: name.to_owned(),
        query: new.query.clone(),
        created_at: ctx.now.micros(),
        updated_at: ctx.now.micros(),
    };
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    Ok(id)
}

fn rename(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: SavedViewId,
    name: &str,
) -> Result<SavedView, Failure<SavedViewError>> {
    let name = text::line(name, VIEW_NAME_CHARS_MAX)
        .map_err(|problem| Refused::Invalid(vec![FieldFault::new("name", problem)]))?;
    let user = owner(tx, ctx)?;
    let row = by_id(tx.db, (ctx.account, user), id)?.ok_or(Refused::NotFound)?;
    let other = by_name(tx.db, (ctx.account, user), (row.list.as_str(), name.as_str()))?;
    if other.is_some_and(|other| other.id != row.id) {
        return refused(SavedViewError::NameTaken);
    }
    let key = (row.account_id.clone(), row.user_id.clone(), row.id.clone());
    diesel::update(table::table.find(key))
        .set((dsl::name.eq(&name), dsl::updated_at.eq(ctx.now.micros())))
        .execute(tx.db)?;
    Ok(ViewRow { name, updated_at: ctx.now.micros(), ..row }.view()?)
}

/// Removes what somebody who leaves a live account has kept there and in its test account.
pub(super) fn forget(tx: &mut Tx<'_>, live: AccountId, user: UserId) -> QueryResult<()> {
    let both = accounts::id.eq(live.to_string()).or(accounts::test_of.eq(live.to_string()));
    let ids: Vec<String> = accounts::table.filter(both).select(accounts::id).load(tx.db)?;
    for account in ids {
        let own = table::table
            .filter(dsl::account_id.eq(account))
            .filter(dsl::user_id.eq(user.to_string()));
        diesel::delete(own).execute(tx.db)?;
    }
    Ok(())
}

impl SavedViews for Store {
    fn of_list(
        &self,
        account: AccountId,
        user: UserId,
        list: String,
    ) -> Pending<Result<Vec<SavedView>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            let rows: Vec<ViewRow> = of_list(account, user, &list)
                .order(dsl::name)
                .select(ViewRow::as_select())
                .load(db)?;
            rows.into_iter().map(ViewRow::view).collect()
        })
    }

    fn view(
        &self,
        account: AccountId,
        user: UserId,
        id: SavedViewId,
    ) -> Pending<Result<Option<SavedView>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            by_id(db, (account, user), id)?.map(ViewRow::view).transpose()
        })
    }

    fn save(&self, ctx: Ctx, new: NewSavedView) -> Pending<Written<SavedViewId, SavedViewError>> {
        self.write(ctx, move |tx, ctx| save(tx, ctx, &new))
    }

    fn rename(
        &self,
        ctx: Ctx,
        id: SavedViewId,
        name: String,
    ) -> Pending<Written<SavedView, SavedViewError>> {
        self.engine.command(Some(ctx.account), move |tx| rename(tx, &ctx, id, &name).map(Done::now))
    }

    fn remove(&self, ctx: Ctx, id: SavedViewId) -> Pending<Written<(), SavedViewError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let user = owner(tx, &ctx)?;
            let key = (ctx.account.to_string(), user.to_string(), id.to_string());
            diesel::delete(table::table.find(key)).execute(tx.db)?;
            Ok(Done::now(()))
        })
    }
}
