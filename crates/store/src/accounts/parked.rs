//! Forms that were filled in and not sent with success, what is in them sealed.

use ::accounts::{
    ParkError, ParkForm, ParkedForm, ParkedForms, UserId,
    form_results::of_result,
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
    schema::{idempotency_answers as answers, parked_forms as table, parked_forms::dsl, users},
    secrets,
    store::Store,
    tx::Tx,
    unreadable::readable,
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
    operation: String,
    /// The query of the page, and behind a line feed, which neither has, the fields.
    sealed: String,
    created_at: i64,
    updated_at: i64,
    sure_until: i64,
}

impl ParkedRow {
    fn opened(self, vault: &Vault, now: Timestamp) -> QueryResult<ParkedForm> {
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
            is_sure: now.micros() < self.sure_until,
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
    if !sent(tx.db, &account, [(form.operation.as_str(), form.once.as_str())])?.is_empty() {
        return Err(Refused::Rule(ParkError::Sent).into());
    }
    take_turns(tx.db, &user)?;
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
        operation: form.operation.clone(),
        created_at: now.micros(),
        updated_at: now.micros(),
        sure_until: now.micros().saturating_add(tx.retention),
    };
    on!(&mut *tx.db, |conn| diesel::insert_into(table::table)
        .values(&row)
        .on_conflict((dsl::account_id, dsl::user_id, dsl::once))
        .do_update()
        .set((
            dsl::page.eq(&row.page),
            dsl::action.eq(&row.action),
            dsl::operation.eq(&row.operation),
            dsl::sealed.eq(&row.sealed),
            dsl::updated_at.eq(row.updated_at),
        ))
        .execute(conn))?;
    Ok(())
}

/// Which of forms of an account were carried out, by operation and once, as far as that is known still.
fn sent<'a>(
    db: &mut Db,
    account: &str,
    forms: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> QueryResult<Vec<String>> {
    let (mut operations, mut keys) = (Vec::new(), Vec::new());
    for (operation, once) in forms {
        operations.extend([operation.to_owned(), of_result(operation)]);
        keys.push(once.to_owned());
    }
    answers::table
        .filter(answers::account_id.eq(account))
        .filter(answers::operation.eq_any(operations))
        .filter(answers::key.eq_any(keys))
        .select(answers::key)
        .load(db)
}

/// Has a user keep one form after the other, on all nodes.
fn take_turns(db: &mut Db, user: &str) -> QueryResult<()> {
    match db {
        Db::Postgres(conn) => {
            let own = users::table.find(user).select(users::id).for_no_key_update();
            own.first::<String>(conn).optional().map(drop)
        }
        // Who writes is alone.
        Db::Sqlite(_) => Ok(()),
    }
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
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let forms = rows.iter().map(|row| (row.operation.as_str(), row.once.as_str()));
    let gone = sent(db, &account.to_string(), forms)?;
    let rows = rows.into_iter().filter(|row| !gone.contains(&row.once));
    let opened = rows.map(|row| {
        let key = (row.account_id.clone(), row.once.clone());
        (key, row.opened(vault, now))
    });
    readable("parked form", opened)
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
