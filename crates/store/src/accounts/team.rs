//! Who belongs to an account.

use ::accounts::{
    Access, Account, Area, Entry, Invitation, InvitationId, IssuedInvitation, Member, NewUser,
    OpenedSession, PeopleError, Right, Role, SeenInvitation, Team, TokenDigest, UserId, Visit,
    account,
    audit::{Act, Action},
    team::{self, MEMBERS_MAX},
};
use diesel::{prelude::*, sql_types::Text};
use kernel::{
    AccountId, Actor, Ctx, Done, Fault, FieldFault, Pending, Refused, Timestamp, Written,
};

use super::{
    audit, invitations, saved_views, slugs,
    users::{self, UserRow},
};
use crate::{
    db::{Db, all_locked, first_locked, on},
    error::Failure,
    readers::Cost,
    rows::read,
    schema::{accounts, memberships, memberships::dsl, users as users_table},
    statement::{Bound, Statement},
    store::Store,
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = memberships)]
pub(super) struct MemberRow {
    account_id: String,
    user_id: String,
    role: String,
    created_at: i64,
}

impl MemberRow {
    fn role(&self) -> QueryResult<Role> {
        read(&self.role, Role::parse)
    }
}

/// Somebody who becomes a member.
pub(super) struct Joining<'a> {
    pub(super) user: UserId,
    pub(super) email: &'a str,
    pub(super) role: Role,
}

/// The live account of an account, which its members belong to.
pub(super) fn live(db: &mut Db, account: AccountId) -> Result<AccountId, Failure<PeopleError>> {
    Ok(live_of(db, account)?.ok_or(Refused::NotFound)?)
}

/// The same, if there is the account.
pub(super) fn live_of(db: &mut Db, account: AccountId) -> QueryResult<Option<AccountId>> {
    let row: Option<Option<String>> =
        accounts::table.find(account.to_string()).select(accounts::test_of).first(db).optional()?;
    let live = |live: Option<String>| match live {
        Some(live) => read(&live, AccountId::parse),
        None => Ok(account),
    };
    row.map(live).transpose()
}

/// The role of a user in a live account.
pub(super) fn role_of(db: &mut Db, live: AccountId, user: UserId) -> QueryResult<Option<Role>> {
    let role: Option<String> = memberships::table
        .find((live.to_string(), user.to_string()))
        .select(dsl::role)
        .first(db)
        .optional()?;
    role.map(|role| read(&role, Role::parse)).transpose()
}

/// The members of an account with their roles; of a test account, those of its live one.
pub(crate) fn members_of(db: &mut Db, account: AccountId) -> QueryResult<Vec<(UserId, Role)>> {
    let live: Option<Option<String>> =
        accounts::table.find(account.to_string()).select(accounts::test_of).first(db).optional()?;
    let live = live.flatten().unwrap_or_else(|| account.to_string());
    let rows: Vec<(String, String)> = memberships::table
        .filter(dsl::account_id.eq(live))
        .select((dsl::user_id, dsl::role))
        .load(db)?;
    let member = |(user, role): (String, String)| {
        Ok((read(&user, UserId::parse)?, read(&role, Role::parse)?))
    };
    rows.into_iter().map(member).collect()
}

/// The role by which the actor of a call acts; none for operators, who may do everything.
pub(super) fn acting(
    db: &mut Db,
    live: AccountId,
    actor: &Actor,
) -> Result<Option<Role>, Failure<PeopleError>> {
    match actor {
        Actor::System | Actor::Operator(_) => Ok(None),
        Actor::User(user) => match role_of(db, live, *user)? {
            Some(role) => Ok(Some(role)),
            None => Err(Refused::Rule(PeopleError::Forbidden).into()),
        },
        Actor::Key(_) | Actor::Public => Err(Refused::Rule(PeopleError::Forbidden).into()),
    }
}

/// Whether a user is a member of a live account; if so, the membership is locked until the end of the transaction.
pub(super) fn is_member_locked(
    tx: &mut Tx<'_>,
    live: AccountId,
    user: UserId,
) -> QueryResult<bool> {
    let (account, id) = (live.to_string(), user.to_string());
    let own = memberships::table.filter(dsl::account_id.eq(account)).filter(dsl::user_id.eq(id));
    Ok(first_locked!(tx.db, MemberRow, own)?.is_some())
}

/// How many members and open invitations an account has.
pub(super) fn refuse_too_many(
    db: &mut Db,
    live: AccountId,
    now: Timestamp,
) -> Result<(), Failure<PeopleError>> {
    let members: i64 =
        memberships::table.filter(dsl::account_id.eq(live.to_string())).count().get_result(db)?;
    let invited = invitations::open_count(db, live, now)?;
    if members + invited >= i64::from(MEMBERS_MAX) {
        return Err(Refused::Rule(PeopleError::TooMany { max: MEMBERS_MAX }).into());
    }
    Ok(())
}

/// Makes a user a member of the live account of the call.
pub(super) fn join(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    joining: &Joining<'_>,
) -> Result<(), Failure<PeopleError>> {
    let live = live(tx.db, ctx.account)?;
    if role_of(tx.db, live, joining.user)?.is_some() {
        return Err(Refused::Rule(PeopleError::AlreadyMember).into());
    }
    let row = MemberRow {
        account_id: live.to_string(),
        user_id: joining.user.to_string(),
        role: joining.role.name().to_owned(),
        created_at: ctx.now.micros(),
    };
    diesel::insert_into(memberships::table).values(&row).execute(tx.db)?;
    slugs::give(tx, live)?;
    let act = Act::new(Action::MemberAdded, &joining.user)
        .with("email", None, Some(joining.email.to_owned()))
        .with("role", None, Some(joining.role.name().to_owned()));
    let ctx = Ctx { account: live, ..ctx.clone() };
    Ok(audit::record(tx, &ctx, &act)?)
}

/// A member and all owners, locked until the end of the transaction, so that two who go at once do not both leave the
/// other as the last: the member's role, and how many owners there are.
fn locked(
    tx: &mut Tx<'_>,
    live: AccountId,
    user: UserId,
) -> Result<(MemberRow, usize), Failure<PeopleError>> {
    let (account, id) = (live.to_string(), user.to_string());
    let rows: Vec<MemberRow> = all_locked!(
        tx.db,
        MemberRow,
        memberships::table
            .filter(dsl::account_id.eq(account))
            .filter(dsl::role.eq(Role::Owner.name()).or(dsl::user_id.eq(id)))
            .order(dsl::user_id)
    )?;
    let owners = rows.iter().filter(|row| row.role == Role::Owner.name()).count();
    let id = user.to_string();
    let member = rows.into_iter().find(|row| row.user_id == id);
    Ok((member.ok_or(Refused::NotFound)?, owners))
}

fn change_role(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    user: UserId,
    role: Role,
) -> Result<Member, Failure<PeopleError>> {
    let live = live(tx.db, ctx.account)?;
    let (member, owners) = locked(tx, live, user)?;
    let by = acting(tx.db, live, &ctx.actor)?;
    let before = member.role()?;
    team::change(by, before, Some(role), owners)
        .map_err(|error| Refused::Rule(PeopleError::Team(error)))?;
    let row = users::by_id(tx.db, user)?.ok_or(Refused::NotFound)?;
    if role != before {
        let own = memberships::table.find((live.to_string(), user.to_string()));
        diesel::update(own).set(dsl::role.eq(role.name())).execute(tx.db)?;
        let name = |role: Role| Some(role.name().to_owned());
        let act = Act::new(Action::MemberRoleChanged, &user).with("role", name(before), name(role));
        audit::record(tx, &Ctx { account: live, ..ctx.clone() }, &act)?;
    }
    let created_at = Timestamp::from_micros(member.created_at);
    Ok(Member { account: live, user: row.user(tx.db)?, role, created_at })
}

fn remove(tx: &mut Tx<'_>, ctx: &Ctx, user: UserId) -> Result<(), Failure<PeopleError>> {
    let live = live(tx.db, ctx.account)?;
    let (member, owners) = locked(tx, live, user)?;
    let role = member.role()?;
    let ruled = if ctx.actor == Actor::User(user) {
        team::leave(role, owners)
    } else {
        team::change(acting(tx.db, live, &ctx.actor)?, role, None, owners)
    };
    ruled.map_err(|error| Refused::Rule(PeopleError::Team(error)))?;
    let email = users::by_id(tx.db, user)?.map(|row| row.email);
    let act = Act::new(Action::MemberRemoved, &user).with("email", email, None).with(
        "role",
        Some(role.name().to_owned()),
        None,
    );
    audit::record(tx, &Ctx { account: live, ..ctx.clone() }, &act)?;
    let own = memberships::table.find((live.to_string(), user.to_string()));
    diesel::delete(own).execute(tx.db)?;
    Ok(saved_views::forget(tx, live, user)?)
}

fn rename(tx: &mut Tx<'_>, ctx: &Ctx, name: &str) -> Result<Account, Failure<PeopleError>> {
    let live = live(tx.db, ctx.account)?;
    let may = acting(tx.db, live, &ctx.actor)?
        .is_none_or(|role| role.allows(Right::of(Area::Settings, Access::Write)));
    if !may {
        return Err(Refused::Rule(PeopleError::Forbidden).into());
    }
    let name = account::name(name)
        .map_err(|problem| Refused::Invalid(vec![FieldFault::new("name", problem)]))?;
    let before = super::by_id(tx.db, live)?.ok_or(Refused::NotFound)?;
    let both = accounts::id.eq(live.to_string()).or(accounts::test_of.eq(live.to_string()));
    diesel::update(accounts::table.filter(both)).set(accounts::name.eq(&name)).execute(tx.db)?;
    let act = Act::new(Action::AccountChanged, &live).with(
        "name",
        Some(before.name.clone()),
        Some(name.clone()),
    );
    audit::record(tx, &Ctx { account: live, ..ctx.clone() }, &act)?;
    Ok(Account { name, ..before })
}

/// The role of a user in an account, in a test account that which they have in its live one.
pub(crate) fn role_in(db: &mut Db, account: AccountId, user: UserId) -> QueryResult<Option<Role>> {
    match live_of(db, account)? {
        Some(live) => role_of(db, live, user),
        None => Ok(None),
    }
}

fn members(db: &mut Db, account: AccountId) -> QueryResult<Vec<Member>> {
    let live = live_of(db, account)?.unwrap_or(account);
    let rows: Vec<MemberRow> = memberships::table
        .filter(dsl::account_id.eq(live.to_string()))
        .order((dsl::created_at, dsl::user_id))
        .select(MemberRow::as_select())
        .load(db)?;
    let ids: Vec<String> = rows.iter().map(|row| row.user_id.clone()).collect();
    let found: Vec<UserRow> = users_table::table
        .filter(users_table::id.eq_any(ids))
        .select(UserRow::as_select())
        .load(db)?;
    let found = users::all(db, found)?;
    let mut members = Vec::with_capacity(rows.len());
    for row in rows {
        let user = found.iter().find(|user| user.id.to_string() == row.user_id);
        if let Some(user) = user {
            let created_at = Timestamp::from_micros(row.created_at);
            let (user, role) = (user.clone(), row.role()?);
            members.push(Member { account: live, user, role, created_at });
        }
    }
    Ok(members)
}

/// Of a test account those of its live one.
const MEMBER_NAMES: &str = "SELECT u.id, u.name FROM memberships m JOIN users u ON u.id = m.user_id \
    WHERE m.account_id = COALESCE((SELECT a.test_of FROM accounts a WHERE a.id = ?), ?)";

fn member_names(db: &mut Db, account: AccountId) -> QueryResult<Vec<(UserId, String)>> {
    let own = || Bound::from(account.to_string());
    let rows: Vec<(String, String)> =
        on!(db, |conn| Statement::<(Text, Text)>::new(MEMBER_NAMES, [own(), own()]).load(conn))?;
    rows.into_iter().map(|(id, name)| Ok((read(&id, UserId::parse)?, name))).collect()
}

impl Team for Store {
    fn entry(&self, user: UserId, slug: String) -> Pending<Result<Option<Entry>, Fault>> {
        self.engine.read(Cost::Small, move |db| slugs::entry(db, user, &slug))
    }

    fn entries(&self, user: UserId) -> Pending<Result<Vec<Entry>, Fault>> {
        self.engine.read(Cost::Small, move |db| slugs::entries(db, user))
    }

    fn rename_account(&self, ctx: Ctx, name: String) -> Pending<Written<Account, PeopleError>> {
        self.engine.command(Some(ctx.account), move |tx| rename(tx, &ctx, &name).map(Done::now))
    }

    fn members(&self, account: AccountId) -> Pending<Result<Vec<Member>, Fault>> {
        self.engine.read(Cost::Small, move |db| members(db, account))
    }

    fn member_names(&self, account: AccountId) -> Pending<Result<Vec<(UserId, String)>, Fault>> {
        self.engine.read(Cost::Small, move |db| member_names(db, account))
    }

    fn change_role(
        &self,
        ctx: Ctx,
        user: UserId,
        role: Role,
    ) -> Pending<Written<Member, PeopleError>> {
        self.engine
            .command(Some(ctx.account), move |tx| change_role(tx, &ctx, user, role).map(Done::now))
    }

    fn remove_member(&self, ctx: Ctx, user: UserId) -> Pending<Written<(), PeopleError>> {
        self.engine.command(Some(ctx.account), move |tx| remove(tx, &ctx, user).map(Done::now))
    }

    fn invitations(
        &self,
        account: AccountId,
        now: Timestamp,
    ) -> Pending<Result<Vec<Invitation>, Fault>> {
        self.engine.read(Cost::Small, move |db| invitations::open(db, account, now))
    }

    fn invite(
        &self,
        ctx: Ctx,
        email: String,
        role: Role,
    ) -> Pending<Written<IssuedInvitation, PeopleError>> {
        let vault = self.engine.vault();
        self.engine.command(Some(ctx.account), move |tx| {
            invitations::invite(tx, &vault, &ctx, &email, role)
        })
    }

    fn revoke_invitation(
        &self,
        ctx: Ctx,
        id: InvitationId,
    ) -> Pending<Written<Invitation, PeopleError>> {
        self.engine
            .command(Some(ctx.account), move |tx| invitations::revoke(tx, &ctx, id).map(Done::now))
    }

    fn invitation(&self, token: TokenDigest) -> Pending<Result<Option<SeenInvitation>, Fault>> {
        self.engine.read(Cost::Small, move |db| invitations::seen(db, &token))
    }

    fn join(
        &self,
        token: TokenDigest,
        user: NewUser,
        visit: Visit,
    ) -> Pending<Written<OpenedSession, PeopleError>> {
        let vault = self.engine.vault();
        self.passwords
            .run(&self.engine, move |engine| invitations::join(engine, vault, token, user, visit))
    }

    fn accept(
        &self,
        token: TokenDigest,
        user: UserId,
        visit: Visit,
    ) -> Pending<Written<Member, PeopleError>> {
        self.engine
            .command(None, move |tx| invitations::accept(tx, &token, user, &visit).map(Done::now))
    }
}
