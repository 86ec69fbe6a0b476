//! Forms that were filled in and not sent with success, what is in them sealed.

use ::accounts::{
    ParkError, ParkForm, ParkedForm, ParkedForms, UserId,
    parked::{self, PARKED_MAX, PARKED_SECONDS},
};
use diesel::prelude::*;
use engine::{Vault, cleanup::RowsByAge};
use kernel::{AccountId, Done, Fault, Pending, Refused, Timestamp, Written};

use crate::{
    db::{Db, on},
    error::Failure,
    readers::Cost,
    rows::corrupt,
    schema::{parked_forms as table, parked_forms::dsl},
    secrets,
    store::Store,
    tx::Tx,
};

/// Forms whose time is over.
pub(crate) const EXPIRED: RowsByAge = RowsByAge {
    find: "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM parked_forms f \
           WHERE f.account_id = a.id AND f.updated_at < ?) THEN 'yes' ELSE 'no' END \
           FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?",
    remove: "DELETE FROM parked_forms WHERE account_id = ? AND (user_id, once) IN \
             (SELECT f.user_id, f.once FROM parked_forms f WHERE f.account_id = ? \
             AND f.updated_at < ? ORDER BY f.updated_at LIMIT ?)",
    retention_micros: PARKED_SECONDS * 1_000_000,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table)]
struct ParkedRow {
    account_id: String,
    user_id: String,
    once: String,
    page: String,
    action: String,
    /// The query of the page, and behind a line feed, which neither has, the fields.
    sealed: String,
    created_at: i64,
    updated_at: i64,
}

impl ParkedRow {
    fn opened(self, vault: &Vault) -> QueryResult<ParkedForm> {
        let place = place(&self.account_id, &self.user_id, &self.once);
        let text = vault.open(&place, &self.sealed)?;
        let parts = text.split_once('\n');
        let (query, fields) = parts.ok_or_else(|| corrupt(format!("no form in {place}")))?;
        Ok(ParkedForm {
            query: query.to_owned(),
            fields: fields.to_owned(),
            once: self.once,
            page: self.page,
            action: self.action,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
        })
    }
}

/// Where a form is kept, as its seal has it.
fn place(account: &str, user: &str, once: &str) -> String {
    format!("parked form {account} {user} {once}")
}

fn park(
    tx: &mut Tx<'_>,
    vault: &Vault,
    (account, user): (AccountId, UserId),
    form: &ParkForm,
    now: Timestamp,
) -> Result<(), Failure<ParkError>> {
    let (account, user) = (account.to_string(), user.to_string());
    let own = || {
        let of_account = table::table.filter(dsl::account_id.eq(account.clone()));
        of_account.filter(dsl::user_id.eq(user.clone()))
    };
    let kept: Vec<(String, String)> =
        own().order((dsl::updated_at, dsl::once)).select((dsl::once, dsl::action)).load(tx.db)?;
    let gone = parked::displaced(&kept, form).map_err(Refused::Rule)?;
    if !gone.is_empty() {
        diesel::delete(own().filter(dsl::once.eq_any(gone))).execute(tx.db)?;
    }
    let text = format!("{}\n{}", form.query.replace('\n', ""), form.fields);
    let row = ParkedRow {
        sealed: vault.seal(&place(&account, &user, &form.once), &text)?,
        account_id: account.clone(),
        user_id: user.clone(),
        once: form.once.clone(),
        page: form.page.clone(),
        action: form.action.clone(),
        created_at: now.micros(),
        updated_at: now.micros(),
    };
    on!(&mut *tx.db, |conn| diesel::insert_into(table::table)
        .values(&row)
        .on_conflict((dsl::account_id, dsl::user_id, dsl::once))
        .do_update()
        .set((
            dsl::page.eq(&row.page),
            dsl::action.eq(&row.action),
            dsl::sealed.eq(&row.sealed),
            dsl::updated_at.eq(row.updated_at),
        ))
        .execute(conn))?;
    Ok(())
}

/// Those of a page whose time is not over, the one last filled in first.
fn of_page(
    db: &mut Db,
    vault: &Vault,
    (account, user): (AccountId, UserId),
    page: &str,
    now: Timestamp,
) -> QueryResult<Vec<ParkedForm>> {
    let rows: Vec<ParkedRow> = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::user_id.eq(user.to_string()))
        .filter(dsl::page.eq(page))
        .filter(dsl::updated_at.ge(now.plus_seconds(-PARKED_SECONDS).micros()))
        .order((dsl::updated_at.desc(), dsl::once.desc()))
        .limit(i64::try_from(PARKED_MAX).unwrap_or(i64::MAX))
        .select(ParkedRow::as_select())
        .load(db)?;
    rows.into_iter().map(|row| row.opened(vault)).collect()
}

impl ParkedForms for Store {
    fn park(
        &self,
        account: AccountId,
        user: UserId,
        form: ParkForm,
        now: Timestamp,
    ) -> Pending<Written<(), ParkError>> {
        let vault = self.engine.vault();
        self.engine.command(Some(account), move |tx| {
            park(tx, &vault, (account, user), &form, now).map(Done::now)
        })
    }

    fn parked(
        &self,
        account: AccountId,
        user: UserId,
        page: String,
        now: Timestamp,
    ) -> Pending<Result<Vec<ParkedForm>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read(Cost::Small, move |db| of_page(db, &vault, (account, user), &page, now))
    }

    fn is_parked(
        &self,
        account: AccountId,
        user: UserId,
        once: String,
    ) -> Pending<Result<bool, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            let this = table::table.find((account.to_string(), user.to_string(), once.clone()));
            let found: Option<i64> = this.select(dsl::updated_at).first(db).optional()?;
            Ok(found.is_some())
        })
    }

    fn unpark(
        &self,
        account: AccountId,
        user: UserId,
        once: String,
    ) -> Pending<Written<(), ParkError>> {
        self.engine.command(Some(account), move |tx| {
            let this = table::table.find((account.to_string(), user.to_string(), once.clone()));
            diesel::delete(this).execute(tx.db)?;
            Ok(Done::now(()))
        })
    }
}

/// Every sealed form with its place and how to replace it; those that are current are left where they are.
pub(crate) fn secrets(db: &mut Db, current: Option<&str>) -> QueryResult<Vec<secrets::Secret>> {
    let current = current.map_or_else(String::new, |start| format!("{start}%"));
    let older = table::table.filter(dsl::sealed.not_like(current));
    let rows: Vec<ParkedRow> = older.select(ParkedRow::as_select()).load(db)?;
    let secret = |row: ParkedRow| {
        let ParkedRow { account_id, user_id, once, sealed, .. } = row;
        let place = place(&account_id, &user_id, &once);
        let replace: secrets::Replace = Box::new(move |db, before, after| {
            let this = table::table.find((account_id, user_id, once));
            let this = this.filter(dsl::sealed.eq(before));
            diesel::update(this).set(dsl::sealed.eq(after)).execute(db)
        });
        secrets::Secret { place, sealed, replace }
    };
    Ok(rows.into_iter().map(secret).collect())
}
