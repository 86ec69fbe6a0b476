//! Links that work once.

use std::sync::Arc;

use ::accounts::{
    Action, IssuedUserLink, NewUser, OpenedSession, Password, PeopleError, Purpose, Role,
    SeenUserLink, Token, TokenDigest, UserId, UserLink, UserLinkId, Visit, account,
};
use diesel::{prelude::*, sql_types::Text};
use engine::{Engine, Vault};
use kernel::{AccountId, Actor, Done, FieldFault, Refused, Timestamp, Written};

use super::{
    audit, sessions, signing_in,
    team::{self, Joining},
    users,
};
use crate::{
    db::{Db, first_locked, on},
    error::Failure,
    hashing::waited,
    readers::Cost,
    rows::{corrupt, moment, read},
    schema::{accounts, user_links as table, user_links::dsl},
    statement::Statement,
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct LinkRow {
    id: String,
    purpose: String,
    account_id: Option<String>,
    user_id: Option<String>,
    digest: String,
    created_at: i64,
    expires_at: i64,
    used_at: Option<i64>,
}

impl LinkRow {
    fn of(link: &UserLink, token: &Token) -> Self {
        let (account, user) = match link.purpose {
            Purpose::SetUp => (None, None),
            Purpose::SetUpAccount(account) => (Some(account.to_string()), None),
            Purpose::ResetPassword(user) | Purpose::SignIn(user) => (None, Some(user.to_string())),
        };
        Self {
            id: link.id.to_string(),
            purpose: link.purpose.name().to_owned(),
            account_id: account,
            user_id: user,
            digest: token.digest().as_hex().to_owned(),
            created_at: link.created_at.micros(),
            expires_at: link.expires_at.micros(),
            used_at: link.used_at.map(Timestamp::micros),
        }
    }

    fn link(self) -> QueryResult<UserLink> {
        let account = || {
            let id = self.account_id.as_deref().unwrap_or_default();
            read(id, AccountId::parse)
        };
        let user = || read(self.user_id.as_deref().unwrap_or_default(), UserId::parse);
        let purpose = match self.purpose.as_str() {
            "set_up" => Purpose::SetUp,
            "set_up_account" => Purpose::SetUpAccount(account()?),
            "reset_password" => Purpose::ResetPassword(user()?),
            "sign_in" => Purpose::SignIn(user()?),
            other => return Err(corrupt(format!("a link for {other:?}"))),
        };
        Ok(UserLink {
            id: read(&self.id, UserLinkId::parse)?,
            purpose,
            created_at: Timestamp::from_micros(self.created_at),
            expires_at: Timestamp::from_micros(self.expires_at),
            used_at: moment(self.used_at),
        })
    }
}

/// The most links to set up at once.
const SET_UP_LINKS_MAX: usize = 5;

/// Makes a link. Of the same purpose no other works any more, nor is it kept, but for those to set up.
pub(super) fn issue(
    tx: &mut Tx<'_>,
    vault: &Vault,
    purpose: Purpose,
    now: Timestamp,
) -> Result<IssuedUserLink, Failure<PeopleError>> {
    match purpose {
        Purpose::SetUp => {
            if users::any(tx.db)? {
                return Err(Refused::Rule(PeopleError::UserExists).into());
            }
        }
        Purpose::SetUpAccount(account) => {
            team::live(tx.db, account)?;
        }
        Purpose::ResetPassword(user) | Purpose::SignIn(user) => {
            users::by_id(tx.db, user)?.ok_or(Refused::NotFound)?;
        }
    }
    let link = UserLink {
        id: UserLinkId::from_u128(tx.ids.next()),
        purpose,
        created_at: now,
        expires_at: now.plus_seconds(purpose.seconds()),
        used_at: None,
    };
    let token = Token::from_random(vault.random()?);
    let row = LinkRow::of(&link, &token);
    let others = table::table.filter(dsl::purpose.eq(purpose.name()));
    match (&row.account_id, &row.user_id) {
        (Some(account), _) => {
            diesel::delete(others.filter(dsl::account_id.eq(account))).execute(tx.db)?
        }
        (None, Some(user)) => {
            diesel::delete(others.filter(dsl::user_id.eq(user))).execute(tx.db)?
        }
        // Each start of a node makes one: those that somebody was sent stay good, until there is a user.
        (None, None) => {
            let kept: Vec<String> = others.order(dsl::id.desc()).select(dsl::id).load(tx.db)?;
            let old: Vec<String> = kept.into_iter().skip(SET_UP_LINKS_MAX - 1).collect();
            diesel::delete(table::table.filter(dsl::id.eq_any(old))).execute(tx.db)?
        }
    };
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    told(tx, purpose, now)?;
    Ok(IssuedUserLink { link, token })
}

/// Records that an operator has made a link.
fn told(tx: &mut Tx<'_>, purpose: Purpose, now: Timestamp) -> Result<(), Failure<PeopleError>> {
    let actor = Actor::Operator("".into());
    let visit = Visit { now, trace: Arc::default(), user_agent: String::new() };
    match purpose {
        Purpose::SetUp => {}
        Purpose::SetUpAccount(account) => {
            let ctx = audit::of_visit(team::live(tx.db, account)?, actor, &visit);
            audit::note(tx, &ctx, Action::SetUpLinkIssued, &account)?;
        }
        Purpose::ResetPassword(user) => {
            users::told_by(tx, user, &actor, &visit, Action::UserResetLinkIssued)?;
        }
        Purpose::SignIn(user) => {
            users::told_by(tx, user, &actor, &visit, Action::UserSignInLinkIssued)?;
        }
    }
    Ok(())
}

fn by_digest(db: &mut Db, token: &TokenDigest) -> QueryResult<Option<UserLink>> {
    let row: Option<LinkRow> = table::table
        .filter(dsl::digest.eq(token.as_hex()))
        .select(LinkRow::as_select())
        .first(db)
        .optional()?;
    row.map(LinkRow::link).transpose()
}

pub(super) fn seen(db: &mut Db, token: &TokenDigest) -> QueryResult<Option<SeenUserLink>> {
    let Some(link) = by_digest(db, token)? else { return Ok(None) };
    let (mut email, mut account_name, mut opens_account) = (None, None, false);
    match link.purpose {
        Purpose::SetUp => opens_account = unowned(db)?.is_empty(),
        Purpose::SetUpAccount(account) => {
            let this = accounts::table.find(account.to_string());
            account_name = this.select(accounts::name).first(db).optional()?;
        }
        Purpose::ResetPassword(user) | Purpose::SignIn(user) => {
            email = users::by_id(db, user)?.map(|row| row.email);
        }
    }
    Ok(Some(SeenUserLink { link, email, account_name, opens_account }))
}

const UNOWNED: &str = "SELECT a.id FROM accounts a WHERE a.test_of IS NULL \
    AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.account_id = a.id) ORDER BY a.id LIMIT 1000";

/// Live accounts that have no member, the oldest first.
fn unowned(db: &mut Db) -> QueryResult<Vec<AccountId>> {
    let rows: Vec<(String,)> =
        on!(db, |conn| Statement::<(Text,)>::new(UNOWNED, Vec::new()).load(conn))?;
    rows.iter().map(|(id,)| read(id, AccountId::parse)).collect()
}

/// A link that still works, locked until the end of the transaction and used up with it.
fn used(
    tx: &mut Tx<'_>,
    token: &TokenDigest,
    now: Timestamp,
) -> Result<Purpose, Failure<PeopleError>> {
    let digest = token.as_hex().to_owned();
    let row = first_locked!(tx.db, LinkRow, table::table.filter(dsl::digest.eq(digest)))?;
    let link = row.ok_or(Refused::NotFound)?.link()?;
    if !link.is_open(now) {
        return Err(Refused::Rule(PeopleError::LinkIsOver).into());
    }
    diesel::update(table::table.find(link.id.to_string()))
        .set(dsl::used_at.eq(Some(now.micros())))
        .execute(tx.db)?;
    Ok(link.purpose)
}

/// What a link is for, before the time that hashing takes is spent on it.
fn open(
    engine: &Engine,
    token: &TokenDigest,
    now: Timestamp,
) -> Result<Purpose, Refused<PeopleError>> {
    let token = token.clone();
    let link = waited(engine.read(Cost::Small, move |db| by_digest(db, &token)))??;
    let link = link.ok_or(Refused::NotFound)?;
    if link.is_open(now) { Ok(link.purpose) } else { Err(Refused::Rule(PeopleError::LinkIsOver)) }
}

pub(super) fn set_up(
    engine: &Engine,
    vault: Arc<Vault>,
    token: TokenDigest,
    user: NewUser,
    visit: Visit,
) -> Written<OpenedSession, PeopleError> {
    open(engine, &token, visit.now)?;
    let hash = users::hashed(&vault, &user)?;
    let email = ::accounts::user::email(&user.email)
        .map_err(|problem| Refused::Invalid(vec![FieldFault::new("email", problem)]))?;
    waited(engine.command(None, move |tx| {
        let owned = match used(tx, &token, visit.now)? {
            Purpose::SetUp if users::any(tx.db)? => {
                return Err(Refused::Rule(PeopleError::LinkIsOver).into());
            }
            Purpose::SetUp => {
                let unowned = unowned(tx.db)?;
                if unowned.is_empty() { vec![opened(tx, &user, visit.now)?] } else { unowned }
            }
            Purpose::SetUpAccount(account) => vec![account],
            Purpose::ResetPassword(_) | Purpose::SignIn(_) => {
                return Err(Refused::NotFound.into());
            }
        };
        let row = users::add(tx, &user, &email, &hash, visit.now)?;
        for account in owned {
            let ctx = audit::of_visit(account, Actor::User(row.id()?), &visit);
            let joining = Joining { user: row.id()?, email: &email, role: Role::Owner };
            team::join(tx, &ctx, &joining)?;
        }
        sessions::sign_in(tx, &vault, row, &visit).map(Done::now)
    }))?
}

/// Opens the account that the first user has named.
fn opened(
    tx: &mut Tx<'_>,
    user: &NewUser,
    now: Timestamp,
) -> Result<AccountId, Failure<PeopleError>> {
    let given = user.account_name.as_deref().unwrap_or_default();
    let invalid = |problem| Refused::Invalid(vec![FieldFault::new("accountName", problem)]);
    let name = account::name(given).map_err(invalid)?;
    Ok(super::open_account(tx, name, account::LOW_STOCK_THRESHOLD_DEFAULT, now)?.id)
}

pub(super) fn reset_password(
    engine: &Engine,
    vault: Arc<Vault>,
    token: TokenDigest,
    password: &Password,
    visit: Visit,
) -> Written<OpenedSession, PeopleError> {
    let Purpose::ResetPassword(user) = open(engine, &token, visit.now)? else {
        return Err(Refused::NotFound);
    };
    let row = waited(engine.read(Cost::Small, move |db| users::by_id(db, user)))??;
    let row = row.ok_or(Refused::NotFound)?;
    if let Some(problem) = password.problem(&row.email, &row.name) {
        return Err(Refused::Invalid(vec![FieldFault::new("password", problem)]));
    }
    let hash = users::hash(&vault, password)?;
    waited(engine.command(None, move |tx| {
        used(tx, &token, visit.now)?;
        let row = users::locked(tx, user)?;
        sessions::end_others(tx, user, None, visit.now)?;
        let row = signing_in::set_password(tx, row, &hash, &visit)?;
        sessions::sign_in(tx, &vault, row, &visit).map(Done::now)
    }))?
}

pub(super) fn sign_in(
    tx: &mut Tx<'_>,
    vault: &Vault,
    token: &TokenDigest,
    visit: &Visit,
) -> Result<OpenedSession, Failure<PeopleError>> {
    let Purpose::SignIn(user) = used(tx, token, visit.now)? else {
        return Err(Refused::NotFound.into());
    };
    let row = users::locked(tx, user)?;
    sessions::sign_in(tx, vault, row, visit)
}
