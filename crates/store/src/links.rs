//! Links and their sealed tokens.

use std::collections::HashMap;

use ::links::{Link, LinkError, LinkKind, Links, RANDOM_BYTES, Target, Token, TokenDigest};
use diesel::prelude::*;
use engine::cleanup::RowsByAge;
use kernel::{AccountId, Ctx, Done, Fault, Pending, Refused, Timestamp, Written};

use crate::{
    answers,
    db::{Db, first_locked},
    error::{Failure, refuse_stale},
    readers::Cost,
    rows::{corrupt, read, read_name},
    schema::{customers, invoices, links, links::dsl},
    secrets,
    store::Store,
    stored::KeptLink,
    tx::Tx,
    vault::Vault,
};

/// Links whose time is over.
pub(crate) const EXPIRED: RowsByAge = RowsByAge {
    find: "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM links l \
           WHERE l.account_id = a.id AND l.expires_at < ?) THEN 'yes' ELSE 'no' END \
           FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?",
    remove: "DELETE FROM links WHERE account_id = ? AND (kind, subject) IN \
             (SELECT l.kind, l.subject FROM links l WHERE l.account_id = ? \
             AND l.expires_at < ? ORDER BY l.expires_at LIMIT ?)",
    retention_micros: 0,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = links)]
struct LinkRow {
    account_id: String,
    kind: String,
    subject: String,
    digest: String,
    token: String,
    created_at: i64,
    expires_at: i64,
}

impl LinkRow {
    fn target(&self) -> QueryResult<Target> {
        let kind = read_name(&self.kind, LinkKind::EVERY, LinkKind::name)?;
        Ok(Target { kind, subject: self.subject.clone() })
    }

    fn kept(self) -> QueryResult<KeptLink> {
        Ok(KeptLink {
            target: self.target()?,
            sealed: self.token,
            created_at: Timestamp::from_micros(self.created_at),
            expires_at: Timestamp::from_micros(self.expires_at),
        })
    }
}

impl KeptLink {
    fn opened(self, vault: &Vault, account: AccountId) -> QueryResult<Link> {
        let Self { target, sealed, created_at, expires_at } = self;
        let place = place(&account.to_string(), target.kind.name(), &target.subject);
        let token = vault.open(&place, &sealed)?;
        let token = Token::parse(&token).ok_or_else(|| corrupt(format!("no token in {place}")))?;
        Ok(Link { target, token, created_at, expires_at })
    }
}

/// Where a token is kept, as its seal has it.
fn place(account: &str, kind: &str, subject: &str) -> String {
    format!("link {account} {kind} {subject}")
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: String, kind: &'static str, subject: String) -> _ {
    links::table
        .filter(dsl::account_id.eq(account))
        .filter(dsl::kind.eq(kind))
        .filter(dsl::subject.eq(subject))
}

impl Links for Store {
    fn open(&self, ctx: Ctx, target: Target, days: u32) -> Pending<Written<Link, LinkError>> {
        let vault = self.engine.vault();
        self.engine.command(Some(ctx.account), move |tx| {
            let Done { value, replayed } =
                answers::once(tx, &ctx, |tx| open(tx, &ctx, &vault, &target, days))?;
            let value: KeptLink = value;
            Ok(Done { value: value.opened(&vault, ctx.account)?, replayed })
        })
    }

    fn get(
        &self,
        account: AccountId,
        target: Target,
        now: Timestamp,
    ) -> Pending<Result<Option<Link>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read(Cost::Small, move |db| {
            let link = find(db, &vault, account, &target)?;
            Ok(link.filter(|link| !link.is_expired(now)))
        })
    }

    fn close(
        &self,
        ctx: Ctx,
        target: Target,
        made: Option<Timestamp>,
    ) -> Pending<Written<String, LinkError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let account = ctx.account.to_string();
            let row = first_locked!(
                tx.db,
                LinkRow,
                this(account.clone(), target.kind.name(), target.subject.clone())
            )?;
            let created_at = row.ok_or(Refused::NotFound)?.created_at;
            refuse_stale(made.map(Timestamp::micros), created_at)?;
            match forget(tx.db, &account, target.kind, &target.subject)? {
                0 => Err(Refused::NotFound.into()),
                _ => Ok(Done::now(target.subject.clone())),
            }
        })
    }

    fn follow(
        &self,
        digest: TokenDigest,
        now: Timestamp,
    ) -> Pending<Result<Option<(AccountId, Target)>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            let row: Option<LinkRow> = links::table
                .filter(dsl::digest.eq(digest.as_hex()))
                .filter(dsl::expires_at.gt(now.micros()))
                .select(LinkRow::as_select())
                .first(db)
                .optional()?;
            let found =
                |row: LinkRow| Ok((read(&row.account_id, AccountId::parse)?, row.target()?));
            row.map(found).transpose()
        })
    }
}

/// The tokens of these subjects.
pub(crate) fn tokens(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    kind: LinkKind,
    subjects: &[&str],
) -> QueryResult<HashMap<String, Token>> {
    let rows: Vec<LinkRow> = links::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::kind.eq(kind.name()))
        .filter(dsl::subject.eq_any(subjects))
        .select(LinkRow::as_select())
        .load(db)?;
    let opened = |row: LinkRow| {
        let subject = row.subject.clone();
        Ok((subject, row.kept()?.opened(vault, account)?.token))
    };
    rows.into_iter().map(opened).collect()
}

fn open(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    vault: &Vault,
    target: &Target,
    days: u32,
) -> Result<KeptLink, Failure<LinkError>> {
    let account = ctx.account.to_string();
    let can_be_shown = has_something(tx.db, &account, target)?.ok_or(Refused::NotFound)?;
    if !can_be_shown {
        return Err(Refused::Rule(LinkError::NotStamped).into());
    }
    let token = token(vault)?;
    let link = Link::lasting(target.clone(), token, days, ctx.now);
    Ok(add(tx, vault, ctx.account, &link)?)
}

/// A token that nobody can guess.
pub(crate) fn token(vault: &Vault) -> QueryResult<Token> {
    Ok(Token::from_random(vault.random::<RANDOM_BYTES>()?))
}

/// Keeps a link, in the place of one of the same target.
pub(crate) fn add(
    tx: &mut Tx<'_>,
    vault: &Vault,
    account: AccountId,
    link: &Link,
) -> QueryResult<KeptLink> {
    let (account, target) = (account.to_string(), &link.target);
    let kind = target.kind.name();
    let sealed = vault.seal(&place(&account, kind, &target.subject), link.token.reveal())?;
    forget(tx.db, &account, target.kind, &target.subject)?;
    let row = LinkRow {
        account_id: account,
        kind: kind.to_owned(),
        subject: target.subject.clone(),
        digest: link.token.digest().as_hex().to_owned(),
        token: sealed,
        created_at: link.created_at.micros(),
        expires_at: link.expires_at.micros(),
    };
    diesel::insert_into(links::table).values(&row).execute(tx.db)?;
    row.kept()
}

/// The link of a target, whether or not its time is over.
pub(crate) fn find(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    target: &Target,
) -> QueryResult<Option<Link>> {
    let row: Option<LinkRow> =
        this(account.to_string(), target.kind.name(), target.subject.clone())
            .select(LinkRow::as_select())
            .first(db)
            .optional()?;
    row.map(|row| row.kept()?.opened(vault, account)).transpose()
}

/// Whether what a link is of can be shown, if the account has it.
fn has_something(db: &mut Db, account: &str, target: &Target) -> QueryResult<Option<bool>> {
    let subject = target.subject.as_str();
    match target.kind {
        LinkKind::TaxData => {
            let own = customers::table.find((account, subject)).select(customers::id);
            Ok(own.first::<String>(db).optional()?.map(|_| true))
        }
        LinkKind::Invoice => {
            let own = invoices::table.find((account, subject)).select(invoices::uuid);
            Ok(own.first::<Option<String>>(db).optional()?.map(|uuid| uuid.is_some()))
        }
        // They are made with what they lead to.
        LinkKind::Payment | LinkKind::Attempt | LinkKind::Quote => Ok(None),
    }
}

/// Removes the link of a target, if there is one; says how many.
pub(crate) fn forget(
    db: &mut Db,
    account: &str,
    kind: LinkKind,
    subject: &str,
) -> QueryResult<usize> {
    let this = this(account.to_owned(), kind.name(), subject.to_owned());
    diesel::delete(this).execute(db)
}

/// Every sealed token with its place and how to replace it.
///
/// There may be as many as invoices, so those that are current are left where they are.
pub(crate) fn secrets(db: &mut Db, current: Option<&str>) -> QueryResult<Vec<secrets::Secret>> {
    let current = current.map_or_else(String::new, |start| format!("{start}%"));
    let older = links::table.filter(dsl::token.not_like(current));
    let rows: Vec<LinkRow> = older.select(LinkRow::as_select()).load(db)?;
    let secret = |row: LinkRow| secrets::Secret {
        place: place(&row.account_id, &row.kind, &row.subject),
        sealed: row.token,
        replace: Box::new(move |db, before, after| {
            let this =
                links::table.filter(dsl::digest.eq(row.digest)).filter(dsl::token.eq(before));
            diesel::update(this).set(dsl::token.eq(after)).execute(db)
        }),
    };
    Ok(rows.into_iter().map(secret).collect())
}
