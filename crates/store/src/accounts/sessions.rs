//! Sessions.

use ::accounts::{
    OpenedSession, PeopleError, Session, SessionId, SignedIn, Token, TokenDigest, UserId, Visit,
    audit::Action,
    session::{ENDED_SESSION_SECONDS, SESSION_IDLE_SECONDS_MAX, SESSION_SECONDS_MAX},
};
use diesel::{dsl::sql, prelude::*, sql_types::BigInt};
use engine::{Vault, cleanup::RowsByAge};
use kernel::{Actor, Refused, Timestamp};

use super::users::{self, UserRow};
use crate::{
    db::{Db, first_locked, on},
    error::Failure,
    rows::read,
    schema::{user_sessions as table, user_sessions::dsl, users as all_users},
    tx::Tx,
};

/// The figure of sign-ins.
pub(super) const SIGN_INS: &str = "sign-ins";
/// The most sessions of a user: whoever opens another loses the one that was last seen the longest ago.
const SESSIONS_MAX: usize = 50;
/// The same of those that owe their code.
const OWING_MAX: usize = 3;
/// The most of those that have run out.
const ENDED_MAX: usize = 50;

/// How many recovery codes are left of a user, read with the user: every page looks one up.
const CODES_LEFT: &str = "CASE WHEN users.totp_since IS NULL THEN 0 \
    ELSE (SELECT COUNT(*) FROM user_recovery_codes c WHERE c.user_id = users.id) END";

/// Sessions that nobody has used for as long as one lives, and is known when it has run out; here a place is a user.
pub(crate) const EXPIRED: RowsByAge = RowsByAge {
    find: "SELECT u.id, CASE WHEN EXISTS (SELECT 1 FROM user_sessions s \
           WHERE s.user_id = u.id AND s.last_seen_at < ?) THEN 'yes' ELSE 'no' END \
           FROM users u WHERE u.id > ? ORDER BY u.id LIMIT ?",
    remove: "DELETE FROM user_sessions WHERE user_id = ? AND id IN \
             (SELECT s.id FROM user_sessions s WHERE s.user_id = ? \
             AND s.last_seen_at < ? ORDER BY s.id LIMIT ?)",
    retention_micros: (SESSION_IDLE_SECONDS_MAX + ENDED_SESSION_SECONDS) * 1_000_000,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table)]
struct SessionRow {
    user_id: String,
    id: String,
    digest: String,
    created_at: i64,
    last_seen_at: i64,
    network: String,
    user_agent: String,
    authenticated_at: i64,
    owes_code: bool,
}

impl SessionRow {
    fn of(session: &Session, token: &Token) -> Self {
        Self {
            user_id: session.user.to_string(),
            id: session.id.to_string(),
            digest: token.digest().as_hex().to_owned(),
            created_at: session.created_at.micros(),
            last_seen_at: session.last_seen_at.micros(),
            network: session.network.clone(),
            user_agent: session.user_agent.clone(),
            authenticated_at: session.authenticated_at.micros(),
            owes_code: session.owes_code,
        }
    }

    fn session(self) -> QueryResult<Session> {
        Ok(Session {
            id: read(&self.id, SessionId::parse)?,
            user: read(&self.user_id, UserId::parse)?,
            created_at: Timestamp::from_micros(self.created_at),
            last_seen_at: Timestamp::from_micros(self.last_seen_at),
            network: self.network,
            user_agent: self.user_agent,
            authenticated_at: Timestamp::from_micros(self.authenticated_at),
            owes_code: self.owes_code,
        })
    }
}

/// Opens a session of a user.
fn open(
    tx: &mut Tx<'_>,
    vault: &Vault,
    user: UserId,
    visit: &Visit,
    owes_code: bool,
) -> QueryResult<(Token, Session)> {
    forget_old(tx, user, visit)?;
    let token = Token::from_random(vault.random()?);
    let session = Session {
        id: SessionId::from_u128(tx.ids.next()),
        user,
        created_at: visit.now,
        last_seen_at: visit.now,
        network: visit.network(),
        user_agent: visit.kept_user_agent(),
        authenticated_at: visit.now,
        owes_code,
    };
    let row = SessionRow::of(&session, &token);
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    Ok((token, session))
}

/// Leaves room for one more. Sessions that owe their code have a room of their own: who knows the password alone ends no
/// session of the user, and is told of.
fn forget_old(tx: &mut Tx<'_>, user: UserId, visit: &Visit) -> QueryResult<()> {
    let now = visit.now;
    let rows: Vec<SessionRow> = table::table
        .filter(dsl::user_id.eq(user.to_string()))
        .order((dsl::last_seen_at.desc(), dsl::id.desc()))
        .select(SessionRow::as_select())
        .load(tx.db)?;
    let (mut live, mut ended, mut owing, mut live_owing) = (0, 0, 0, 0);
    for row in rows {
        let session = row.session()?;
        let is_live = session.is_live(now);
        if session.owes_code {
            owing += 1;
            live_owing += usize::from(is_live);
            if !is_live || live_owing >= OWING_MAX {
                end(tx, user, session.id)?;
            }
        } else if is_live {
            live += 1;
            if live >= SESSIONS_MAX {
                end(tx, user, session.id)?;
            }
        } else {
            ended += 1;
            if ended >= ENDED_MAX || !session.is_known_ended(now) {
                end(tx, user, session.id)?;
            }
        }
    }
    if owing == 1 || (owing > 0 && live_owing == 0) {
        users::told_by(tx, user, &Actor::Public, visit, Action::UserCodeNotGiven)?;
    }
    Ok(())
}

/// Signs a user in whose password is known to be right, or who needs none: the session owes a code if the user has an
/// authenticator.
pub(super) fn sign_in(
    tx: &mut Tx<'_>,
    vault: &Vault,
    row: UserRow,
    visit: &Visit,
) -> Result<OpenedSession, Failure<PeopleError>> {
    let owes_code = row.totp_since.is_some();
    let (token, session) = open(tx, vault, row.id()?, visit, owes_code)?;
    if !owes_code {
        users::told(tx, session.user, visit, Action::UserSignedIn)?;
        tx.effects.count(SIGN_INS, 1);
    }
    Ok(OpenedSession { token, session, user: row.user(tx.db)? })
}

/// Gives a session that owed its code a new token, and has it owe nothing.
pub(super) fn paid(
    tx: &mut Tx<'_>,
    vault: &Vault,
    session: &Session,
    row: UserRow,
    visit: &Visit,
) -> Result<OpenedSession, Failure<PeopleError>> {
    end(tx, session.user, session.id)?;
    let (token, session) = open(tx, vault, session.user, visit, false)?;
    users::told(tx, session.user, visit, Action::UserSignedIn)?;
    tx.effects.count(SIGN_INS, 1);
    Ok(OpenedSession { token, session, user: row.user(tx.db)? })
}

/// The session of a token, whether it has ended or not.
fn of_token(db: &mut Db, token: &TokenDigest) -> QueryResult<Option<Session>> {
    let row: Option<SessionRow> = table::table
        .filter(dsl::digest.eq(token.as_hex()))
        .select(SessionRow::as_select())
        .first(db)
        .optional()?;
    row.map(SessionRow::session).transpose()
}

pub(super) fn signed_in(
    db: &mut Db,
    token: &TokenDigest,
    now: Timestamp,
) -> QueryResult<Option<SignedIn>> {
    let found: Option<(SessionRow, UserRow, i64)> = on!(db, |conn| table::table
        .inner_join(all_users::table.on(all_users::id.eq(dsl::user_id)))
        .filter(dsl::digest.eq(token.as_hex()))
        .select((SessionRow::as_select(), UserRow::as_select(), sql::<BigInt>(CODES_LEFT)))
        .first::<(SessionRow, UserRow, i64)>(conn)
        .optional())?;
    let Some((session, user, codes_left)) = found else { return Ok(None) };
    let session = session.session()?;
    if !session.is_live(now) {
        return Ok(None);
    }
    Ok(Some(SignedIn { session, user: user.with_codes(codes_left)? }))
}

/// Whose session a token was of that has run out lately.
pub(super) fn ended(
    db: &mut Db,
    token: &TokenDigest,
    now: Timestamp,
) -> QueryResult<Option<UserId>> {
    let session = of_token(db, token)?;
    Ok(session.filter(|session| session.is_known_ended(now)).map(|session| session.user))
}

/// The live session of a token, locked until the end of the transaction.
pub(super) fn locked(
    tx: &mut Tx<'_>,
    token: &TokenDigest,
    now: Timestamp,
) -> Result<Session, Failure<PeopleError>> {
    let digest = token.as_hex().to_owned();
    let row = first_locked!(tx.db, SessionRow, table::table.filter(dsl::digest.eq(digest)))?;
    let session = row.ok_or(Refused::NotFound)?.session()?;
    if !session.is_live(now) {
        return Err(Refused::NotFound.into());
    }
    Ok(session)
}

/// A live session by its identifier.
pub(super) fn by_id(db: &mut Db, id: SessionId, now: Timestamp) -> QueryResult<Option<Session>> {
    let row: Option<SessionRow> =
        table::table.find(id.to_string()).select(SessionRow::as_select()).first(db).optional()?;
    let session = row.map(SessionRow::session).transpose()?;
    Ok(session.filter(|session| session.is_live(now) && !session.owes_code))
}

/// Notes that the user has given the password again.
pub(super) fn authenticated(
    tx: &mut Tx<'_>,
    session: Session,
    now: Timestamp,
) -> QueryResult<Session> {
    let this = table::table.find(session.id.to_string());
    let moments = (dsl::authenticated_at.eq(now.micros()), dsl::last_seen_at.eq(now.micros()));
    diesel::update(this).set(moments).execute(tx.db)?;
    Ok(Session { authenticated_at: now, last_seen_at: now, ..session })
}

pub(super) fn seen(
    tx: &mut Tx<'_>,
    user: UserId,
    id: SessionId,
    now: Timestamp,
) -> QueryResult<()> {
    let this = table::table
        .filter(dsl::user_id.eq(user.to_string()))
        .filter(dsl::id.eq(id.to_string()))
        .filter(dsl::last_seen_at.lt(now.micros()))
        // One that has ended stays so.
        .filter(dsl::last_seen_at.gt(now.plus_seconds(-SESSION_IDLE_SECONDS_MAX).micros()));
    diesel::update(this).set(dsl::last_seen_at.eq(now.micros())).execute(tx.db).map(drop)
}

/// Live sessions of a user, the last seen first.
pub(super) fn of_user(db: &mut Db, user: UserId, now: Timestamp) -> QueryResult<Vec<Session>> {
    let rows: Vec<SessionRow> = table::table
        .filter(dsl::user_id.eq(user.to_string()))
        .filter(dsl::owes_code.eq(false))
        .filter(dsl::created_at.gt(now.plus_seconds(-SESSION_SECONDS_MAX).micros()))
        .order((dsl::last_seen_at.desc(), dsl::id.desc()))
        .select(SessionRow::as_select())
        .load(db)?;
    let sessions: QueryResult<Vec<Session>> = rows.into_iter().map(SessionRow::session).collect();
    Ok(sessions?.into_iter().filter(|session| session.is_live(now)).collect())
}

/// Ends a session. Nothing is known of it any more: somebody else may have had it.
pub(super) fn end(tx: &mut Tx<'_>, user: UserId, id: SessionId) -> QueryResult<()> {
    let this =
        table::table.filter(dsl::user_id.eq(user.to_string())).filter(dsl::id.eq(id.to_string()));
    diesel::delete(this).execute(tx.db).map(drop)
}

/// Ends all sessions of a user but one; says how many.
pub(super) fn end_others(
    tx: &mut Tx<'_>,
    user: UserId,
    kept: Option<SessionId>,
    now: Timestamp,
) -> QueryResult<u32> {
    let kept = kept.map(|id| id.to_string()).unwrap_or_default();
    let others = || {
        let own = table::table.filter(dsl::user_id.eq(user.to_string()));
        own.filter(dsl::id.ne(kept.clone()))
    };
    // Those that have run out are gone with the others, but were ended by nobody.
    let over = others().filter(
        dsl::last_seen_at
            .le(now.plus_seconds(-SESSION_IDLE_SECONDS_MAX).micros())
            .or(dsl::created_at.le(now.plus_seconds(-SESSION_SECONDS_MAX).micros())),
    );
    diesel::delete(over).execute(tx.db)?;
    let ended = diesel::delete(others()).execute(tx.db)?;
    Ok(u32::try_from(ended).unwrap_or(u32::MAX))
}
