//! Mail on record, its text sealed.

use ::accounts::{Mail, MailId, MailQueue, NewMail, PeopleError, mail::MAIL_SECONDS};
use ::tasks::{NewTask, Payload, kind::MAIL};
use diesel::prelude::*;
use engine::{Vault, cleanup::RowsByAge};
use kernel::{
    AccountId, Ctx, Done, Fault, Page, PageRequest, Pending, Refused, Timestamp, Written,
};

use super::team;
use crate::{
    answers,
    db::Db,
    error::Failure,
    listing::{self, newest_first},
    lookups::Key,
    readers::Cost,
    rows::{moment, read},
    schema::{mails as table, mails::dsl},
    secrets,
    store::Store,
    tasks,
    tx::Tx,
};

/// Mail whose time is over.
pub(crate) const EXPIRED: RowsByAge = RowsByAge {
    find: "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM mails m \
           WHERE m.account_id = a.id AND m.created_at < ?) THEN 'yes' ELSE 'no' END \
           FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?",
    remove: "DELETE FROM mails WHERE account_id = ? AND id IN \
             (SELECT m.id FROM mails m WHERE m.account_id = ? \
             AND m.created_at < ? ORDER BY m.created_at LIMIT ?)",
    retention_micros: MAIL_SECONDS * 1_000_000,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct MailRow {
    account_id: String,
    id: String,
    recipient: String,
    subject: String,
    text: Option<String>,
    created_at: i64,
    sent_at: Option<i64>,
    failure: Option<String>,
}

impl MailRow {
    fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    fn without_text(self) -> QueryResult<Mail> {
        Ok(Mail {
            id: read(&self.id, MailId::parse)?,
            account: read(&self.account_id, AccountId::parse)?,
            recipient: self.recipient,
            subject: self.subject,
            text: None,
            created_at: Timestamp::from_micros(self.created_at),
            sent_at: moment(self.sent_at),
            failure: self.failure,
        })
    }

    fn opened(mut self, vault: &Vault) -> QueryResult<Mail> {
        let place = place(&self.account_id, &self.id);
        let text = self.text.take().map(|sealed| vault.open(&place, &sealed)).transpose()?;
        Ok(Mail { text, ..self.without_text()? })
    }
}

/// Where the text of a mail is kept, as its seal has it.
fn place(account: &str, id: &str) -> String {
    format!("mail {account} {id}")
}

fn keep(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    mail: &NewMail,
    is_server: bool,
) -> Result<MailId, Failure<PeopleError>> {
    let faults = mail.faults();
    if !faults.is_empty() {
        return Err(Refused::Invalid(faults).into());
    }
    let live = team::live(tx.db, ctx.account)?;
    let id = MailId::from_u128(tx.ids.next());
    let (account, key) = (live.to_string(), id.to_string());
    let row = MailRow {
        text: Some(vault.seal(&place(&account, &key), &mail.text)?),
        account_id: account,
        id: key,
        recipient: mail.recipient.trim().to_owned(),
        subject: mail.subject.trim().to_owned(),
        created_at: ctx.now.micros(),
        sent_at: None,
        failure: None,
    };
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    if is_server {
        let new = NewTask {
            kind: MAIL.name,
            subject: id.to_string(),
            exclusive_key: None,
            payload: Payload::none(),
            due_at: ctx.now,
            claim: None,
        };
        tasks::open(tx, live, new, ctx.now)?;
    }
    Ok(id)
}

fn by_id(db: &mut Db, live: AccountId, id: MailId) -> QueryResult<Option<MailRow>> {
    let this = table::table.find((live.to_string(), id.to_string()));
    this.select(MailRow::as_select()).first(db).optional()
}

fn list(db: &mut Db, account: AccountId, page: &PageRequest) -> QueryResult<Page<Mail>> {
    let own = || table::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    let total = listing::total(page, || own().count().get_result(db))?;
    let rows = newest_first!(db, MailRow, dsl::id, page, own())?;
    listing::newest_page(rows, page, total, "mail", MailRow::key, MailRow::without_text)
}

impl MailQueue for Store {
    fn keep(
        &self,
        ctx: Ctx,
        mail: NewMail,
        is_server: bool,
    ) -> Pending<Written<Mail, PeopleError>> {
        let vault = self.engine.vault();
        self.engine.command(Some(ctx.account), move |tx| {
            let Done { value, replayed } =
                answers::once(tx, &ctx, |tx| keep(tx, &vault, &ctx, &mail, is_server))?;
            let id: MailId = value;
            let live = team::live(tx.db, ctx.account)?;
            let row = by_id(tx.db, live, id)?.ok_or(Refused::NotFound)?;
            Ok(Done { value: row.without_text()?, replayed })
        })
    }

    fn mails(&self, account: AccountId, page: PageRequest) -> Pending<Result<Page<Mail>, Fault>> {
        self.engine.read_of(account, Cost::Small, move |db| {
            let live = super::by_id(db, account)?.and_then(|own| own.test_of);
            list(db, live.unwrap_or(account), &page)
        })
    }

    fn mail(&self, account: AccountId, id: MailId) -> Pending<Result<Option<Mail>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read(Cost::Small, move |db| {
            let live = super::by_id(db, account)?.and_then(|own| own.test_of).unwrap_or(account);
            let row = by_id(db, live, id)?;
            row.map(|row| row.opened(&vault)).transpose()
        })
    }

    fn forget(&self, ctx: Ctx, id: MailId) -> Pending<Written<MailId, PeopleError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let live = team::live(tx.db, ctx.account)?;
            let this = table::table.find((live.to_string(), id.to_string()));
            match diesel::delete(this).execute(tx.db)? {
                0 => Err(Refused::NotFound.into()),
                _ => Ok(Done::now(id)),
            }
        })
    }

    fn handed_over(
        &self,
        account: AccountId,
        id: MailId,
        outcome: Result<(), String>,
        now: Timestamp,
    ) -> Pending<Written<(), PeopleError>> {
        self.engine.command(Some(account), move |tx| {
            let this = table::table.find((account.to_string(), id.to_string()));
            match &outcome {
                Ok(()) => diesel::update(this)
                    .set((
                        dsl::sent_at.eq(Some(now.micros())),
                        dsl::text.eq(None::<String>),
                        dsl::failure.eq(None::<String>),
                    ))
                    .execute(tx.db)?,
                Err(reason) => {
                    diesel::update(this).set(dsl::failure.eq(Some(reason))).execute(tx.db)?
                }
            };
            Ok(Done::now(()))
        })
    }
}

/// Every sealed text with its place and how to replace it; those that are current are left where they are.
pub(crate) fn secrets(db: &mut Db, current: Option<&str>) -> QueryResult<Vec<secrets::Secret>> {
    let current = current.map_or_else(String::new, |start| format!("{start}%"));
    let older = table::table.filter(dsl::text.is_not_null()).filter(dsl::text.not_like(current));
    let rows: Vec<(String, String, Option<String>)> =
        older.select((dsl::account_id, dsl::id, dsl::text)).load(db)?;
    let secret = |(account, id, sealed): (String, String, Option<String>)| {
        let place = place(&account, &id);
        let replace: secrets::Replace = Box::new(move |db, before, after| {
            let this = table::table.find((account, id)).filter(dsl::text.eq(before));
            diesel::update(this).set(dsl::text.eq(after)).execute(db)
        });
        sealed.map(|sealed| secrets::Secret { place, sealed, replace })
    };
    Ok(rows.into_iter().filter_map(secret).collect())
}
