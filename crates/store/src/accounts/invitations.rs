//! Invitations to an account.

use std::sync::Arc;

use ::accounts::{
    Invitation, InvitationId, IssuedInvitation, Member, NewUser, OpenedSession, PeopleError, Role,
    SeenInvitation, TeamError, Token, TokenDigest, UserId, Visit,
    audit::{Act, Action},
    team::{INVITATION_SECONDS, INVITATIONS_PER_HOUR, SAME_ADDRESS_SECONDS},
};
use diesel::prelude::*;
use engine::{Engine, Vault, cleanup::RowsByAge};
use kernel::{AccountId, Actor, Ctx, Done, FieldFault, Refused, Timestamp, Written};

use super::{
    audit, sessions,
    team::{self, Joining},
    users,
};
use crate::{
    answers,
    db::{Db, all_locked, first_locked},
    error::Failure,
    hashing::waited,
    readers::Cost,
    rows::{corrupt, micros, moment, read, read_optional},
    schema::{accounts, invitations as table, invitations::dsl},
    stored::KeptInvitation,
    tx::Tx,
};

/// Invitations that ended a month ago.
pub(crate) const EXPIRED: RowsByAge = RowsByAge {
    find: "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM invitations i \
           WHERE i.account_id = a.id AND i.expires_at < ?) THEN 'yes' ELSE 'no' END \
           FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?",
    remove: "DELETE FROM invitations WHERE account_id = ? AND id IN \
             (SELECT i.id FROM invitations i WHERE i.account_id = ? \
             AND i.expires_at < ? ORDER BY i.id LIMIT ?)",
    retention_micros: 30 * 86_400 * 1_000_000,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct InvitationRow {
    account_id: String,
    id: String,
    email: String,
    role: String,
    digest: String,
    invited_by: Option<String>,
    created_at: i64,
    expires_at: i64,
    accepted_at: Option<i64>,
    revoked_at: Option<i64>,
}

impl InvitationRow {
    fn of(invitation: &Invitation, token: &Token) -> Self {
        Self {
            account_id: invitation.account.to_string(),
            id: invitation.id.to_string(),
            email: invitation.email.clone(),
            role: invitation.role.name().to_owned(),
            digest: token.digest().as_hex().to_owned(),
            invited_by: invitation.invited_by.map(|user| user.to_string()),
            created_at: invitation.created_at.micros(),
            expires_at: invitation.expires_at.micros(),
            accepted_at: micros(invitation.accepted_at),
            revoked_at: micros(invitation.revoked_at),
        }
    }

    fn invitation(self) -> QueryResult<Invitation> {
        Ok(Invitation {
            id: read(&self.id, InvitationId::parse)?,
            account: read(&self.account_id, AccountId::parse)?,
            email: self.email,
            role: read(&self.role, Role::parse)?,
            invited_by: read_optional(self.invited_by, UserId::parse)?,
            created_at: Timestamp::from_micros(self.created_at),
            expires_at: Timestamp::from_micros(self.expires_at),
            accepted_at: moment(self.accepted_at),
            revoked_at: moment(self.revoked_at),
        })
    }
}

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

/// Those of a live account that can still be accepted.
fn still_open(live: &str, now: Timestamp) -> Filtered {
    table::table
        .filter(dsl::account_id.eq(live.to_owned()))
        .filter(dsl::accepted_at.is_null())
        .filter(dsl::revoked_at.is_null())
        .filter(dsl::expires_at.gt(now.micros()))
        .into_boxed()
}

pub(super) fn open_count(db: &mut Db, live: AccountId, now: Timestamp) -> QueryResult<i64> {
    still_open(&live.to_string(), now).count().get_result(db)
}

/// Open invitations of an account, newest first; of a test account those of its live one.
pub(super) fn open(
    db: &mut Db,
    account: AccountId,
    now: Timestamp,
) -> QueryResult<Vec<Invitation>> {
    let live: Option<Option<String>> =
        accounts::table.find(account.to_string()).select(accounts::test_of).first(db).optional()?;
    let live = live.flatten().unwrap_or_else(|| account.to_string());
    let rows: Vec<InvitationRow> =
        still_open(&live, now).order(dsl::id.desc()).select(InvitationRow::as_select()).load(db)?;
    rows.into_iter().map(InvitationRow::invitation).collect()
}

/// Invites an address, once for every idempotency key.
pub(super) fn invite(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    email: &str,
    role: Role,
) -> Result<Done<IssuedInvitation>, Failure<PeopleError>> {
    let invite = |tx: &mut Tx<'_>| invited(tx, vault, ctx, (email, role));
    let Done { value, replayed } = answers::once(tx, ctx, invite)?;
    let KeptInvitation { account, id, sealed } = value;
    let text = vault.open(&place(account, id), &sealed)?;
    let token = Token::parse(&text).ok_or_else(|| corrupt(format!("no token of {id}")))?;
    let this = table::table.find((account.to_string(), id.to_string()));
    let row: Option<InvitationRow> =
        this.select(InvitationRow::as_select()).first(tx.db).optional()?;
    let invitation = row.ok_or(Refused::NotFound)?.invitation()?;
    Ok(Done { value: IssuedInvitation { invitation, token }, replayed })
}

/// Where the token of an invitation is kept for repeats of the request that made it, as its seal has it.
fn place(account: AccountId, id: InvitationId) -> String {
    format!("invitation {account} {id}")
}

fn invited(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    (email, role): (&str, Role),
) -> Result<KeptInvitation, Failure<PeopleError>> {
    let email = ::accounts::user::email(email)
        .map_err(|problem| Refused::Invalid(vec![FieldFault::new("email", problem)]))?;
    let live = team::live(tx.db, ctx.account)?;
    let by = team::acting(tx.db, live, &ctx.actor)?;
    if by.is_some_and(|by| !by.governs(role)) {
        return Err(Refused::Rule(PeopleError::Team(TeamError::OwnersOnly)).into());
    }
    if let Some(user) = users::by_email(tx.db, &email)?
        && team::role_of(tx.db, live, user.id()?)?.is_some()
    {
        return Err(Refused::Rule(PeopleError::AlreadyMember).into());
    }
    let live_ctx = Ctx { account: live, ..ctx.clone() };
    for other in open_of_address(tx, live, &email, ctx.now)? {
        if by.is_some_and(|by| !by.governs(other.role)) {
            return Err(Refused::Rule(PeopleError::Team(TeamError::OwnersOnly)).into());
        }
        take_back(tx, &live_ctx, &other)?;
    }
    refuse_too_many(tx.db, live, &email, ctx.now)?;
    team::refuse_too_many(tx.db, live, ctx.now)?;
    let invited_by = match ctx.actor {
        Actor::User(user) => Some(user),
        _ => None,
    };
    let invitation = Invitation {
        id: InvitationId::from_u128(tx.ids.next()),
        account: live,
        email,
        role,
        invited_by,
        created_at: ctx.now,
        expires_at: ctx.now.plus_seconds(INVITATION_SECONDS),
        accepted_at: None,
        revoked_at: None,
    };
    let token = Token::from_random(vault.random()?);
    let row = InvitationRow::of(&invitation, &token);
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    let act = Act::new(Action::InvitationCreated, &invitation.id)
        .with("email", None, Some(invitation.email.clone()))
        .with("role", None, Some(role.name().to_owned()));
    audit::record(tx, &live_ctx, &act)?;
    let sealed = vault.seal(&place(live, invitation.id), token.reveal())?;
    Ok(KeptInvitation { account: live, id: invitation.id, sealed })
}

/// Open invitations of an address, locked until the end of the transaction.
fn open_of_address(
    tx: &mut Tx<'_>,
    live: AccountId,
    email: &str,
    now: Timestamp,
) -> QueryResult<Vec<Invitation>> {
    let (account, now) = (live.to_string(), now.micros());
    let rows: Vec<InvitationRow> = all_locked!(
        tx.db,
        InvitationRow,
        table::table
            .filter(dsl::account_id.eq(account))
            .filter(dsl::email.eq(email))
            .filter(dsl::accepted_at.is_null())
            .filter(dsl::revoked_at.is_null())
            .filter(dsl::expires_at.gt(now))
            .order(dsl::id)
    )?;
    rows.into_iter().map(InvitationRow::invitation).collect()
}

/// Refuses to invite more than an account may in an hour, or the same address at once again.
fn refuse_too_many(
    db: &mut Db,
    live: AccountId,
    email: &str,
    now: Timestamp,
) -> Result<(), Failure<PeopleError>> {
    const HOUR_SECONDS: i64 = 3_600;
    let lately: Vec<(String, i64)> = table::table
        .filter(dsl::account_id.eq(live.to_string()))
        .filter(dsl::created_at.gt(now.plus_seconds(-HOUR_SECONDS).micros()))
        .order(dsl::created_at.desc())
        .select((dsl::email, dsl::created_at))
        .limit(i64::from(INVITATIONS_PER_HOUR))
        .load(db)?;
    let same = lately.iter().find(|(address, _)| address == email);
    let same = same.map(|(_, at)| Timestamp::from_micros(*at).plus_seconds(SAME_ADDRESS_SECONDS));
    let is_full = lately.len() >= usize::try_from(INVITATIONS_PER_HOUR).unwrap_or(usize::MAX);
    let first = lately.last().filter(|_| is_full);
    let first = first.map(|(_, at)| Timestamp::from_micros(*at).plus_seconds(HOUR_SECONDS));
    match same.max(first).filter(|until| now < *until) {
        Some(until) => Err(Refused::Rule(PeopleError::Throttled { until }).into()),
        None => Ok(()),
    }
}

/// Takes an open invitation back.
fn take_back(tx: &mut Tx<'_>, ctx: &Ctx, invitation: &Invitation) -> QueryResult<()> {
    let this = table::table.find((invitation.account.to_string(), invitation.id.to_string()));
    diesel::update(this).set(dsl::revoked_at.eq(ctx.now.micros())).execute(tx.db)?;
    let act = Act::new(Action::InvitationRevoked, &invitation.id).with(
        "email",
        Some(invitation.email.clone()),
        None,
    );
    audit::record(tx, ctx, &act)
}

pub(super) fn revoke(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: InvitationId,
) -> Result<Invitation, Failure<PeopleError>> {
    let live = team::live(tx.db, ctx.account)?;
    let this = || table::table.find((live.to_string(), id.to_string()));
    let row = first_locked!(tx.db, InvitationRow, this())?;
    let mut invitation = row.ok_or(Refused::NotFound)?.invitation()?;
    let by = team::acting(tx.db, live, &ctx.actor)?;
    if by.is_some_and(|by| !by.governs(invitation.role)) {
        return Err(Refused::Rule(PeopleError::Team(TeamError::OwnersOnly)).into());
    }
    if invitation.accepted_at.is_some() {
        return Err(Refused::Rule(PeopleError::LinkIsOver).into());
    }
    if invitation.revoked_at.is_none() {
        take_back(tx, &Ctx { account: live, ..ctx.clone() }, &invitation)?;
        invitation.revoked_at = Some(ctx.now);
    }
    Ok(invitation)
}

fn by_digest(db: &mut Db, token: &TokenDigest) -> QueryResult<Option<Invitation>> {
    let row: Option<InvitationRow> = table::table
        .filter(dsl::digest.eq(token.as_hex()))
        .select(InvitationRow::as_select())
        .first(db)
        .optional()?;
    row.map(InvitationRow::invitation).transpose()
}

pub(super) fn seen(db: &mut Db, token: &TokenDigest) -> QueryResult<Option<SeenInvitation>> {
    let Some(invitation) = by_digest(db, token)? else { return Ok(None) };
    let account_name =
        accounts::table.find(invitation.account.to_string()).select(accounts::name).first(db)?;
    let has_user = users::by_email(db, &invitation.email)?.is_some();
    Ok(Some(SeenInvitation { invitation, account_name, has_user }))
}

/// The invitation of a token, locked until the end of the transaction; refused when it is over.
fn locked(
    tx: &mut Tx<'_>,
    token: &TokenDigest,
    now: Timestamp,
) -> Result<Invitation, Failure<PeopleError>> {
    let digest = token.as_hex().to_owned();
    let row = first_locked!(tx.db, InvitationRow, table::table.filter(dsl::digest.eq(digest)))?;
    let invitation = row.ok_or(Refused::NotFound)?.invitation()?;
    if !invitation.is_open(now) {
        return Err(Refused::Rule(PeopleError::LinkIsOver).into());
    }
    Ok(invitation)
}

/// Makes a user a member by an invitation, which is over with it.
fn accepted(
    tx: &mut Tx<'_>,
    invitation: &Invitation,
    user: UserId,
    visit: &Visit,
) -> Result<(), Failure<PeopleError>> {
    let ctx = audit::of_visit(invitation.account, Actor::User(user), visit);
    let joining = Joining { user, email: &invitation.email, role: invitation.role };
    team::join(tx, &ctx, &joining)?;
    let this = table::table.find((invitation.account.to_string(), invitation.id.to_string()));
    diesel::update(this).set(dsl::accepted_at.eq(visit.now.micros())).execute(tx.db)?;
    Ok(())
}

pub(super) fn join(
    engine: &Engine,
    vault: Arc<Vault>,
    token: TokenDigest,
    user: NewUser,
    visit: Visit,
) -> Written<OpenedSession, PeopleError> {
    let wanted = token.clone();
    let invitation = waited(engine.read(Cost::Small, move |db| by_digest(db, &wanted)))??;
    let invitation = invitation.ok_or(Refused::NotFound)?;
    if !invitation.is_open(visit.now) {
        return Err(Refused::Rule(PeopleError::LinkIsOver));
    }
    let user = NewUser { email: invitation.email, ..user };
    let hash = users::hashed(&vault, &user)?;
    waited(engine.command(None, move |tx| {
        let invitation = locked(tx, &token, visit.now)?;
        let row = users::add(tx, &user, &invitation.email, &hash, visit.now)?;
        accepted(tx, &invitation, row.id()?, &visit)?;
        sessions::sign_in(tx, &vault, row, &visit).map(Done::now)
    }))?
}

pub(super) fn accept(
    tx: &mut Tx<'_>,
    token: &TokenDigest,
    user: UserId,
    visit: &Visit,
) -> Result<Member, Failure<PeopleError>> {
    let invitation = locked(tx, token, visit.now)?;
    let row = users::by_id(tx.db, user)?.ok_or(Refused::NotFound)?;
    if row.email != invitation.email {
        let email = invitation.email;
        return Err(Refused::Rule(PeopleError::OtherAddress { email }).into());
    }
    accepted(tx, &invitation, user, visit)?;
    let (account, role, created_at) = (invitation.account, invitation.role, visit.now);
    Ok(Member { account, user: row.user(tx.db)?, role, created_at })
}
