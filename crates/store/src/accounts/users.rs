//! Users: their rows, what they change of themselves, and what operators do about them.

use std::collections::BTreeMap;

use ::accounts::{
    Density, IssuedUserLink, NewUser, PeopleError, Purpose, Role, Theme, User, UserChanges, UserId,
    UserOffice,
    audit::{Act, Action},
    people::Memberships,
    user::language,
};
use diesel::prelude::*;
use engine::Vault;
use kernel::{AccountId, Actor, Ctx, Done, Fault, Pending, Refused, Timestamp, Written};

use super::{
    audit,
    team::{self, Joining},
    user_links,
};
use crate::{
    db::{Db, first_locked},
    error::Failure,
    hashing::waited,
    readers::Cost,
    rows::{moment, read, read_optional},
    schema::{memberships, user_recovery_codes as codes, users, users::dsl},
    store::Store,
    tx::Tx,
};

#[derive(Clone, Insertable, Queryable, Selectable)]
#[diesel(table_name = users, treat_none_as_default_value = false)]
pub(super) struct UserRow {
    pub(super) id: String,
    pub(super) email: String,
    pub(super) name: String,
    pub(super) language: Option<String>,
    pub(super) theme: String,
    pub(super) density: String,
    pub(super) shortcuts: bool,
    pub(super) password: String,
    pub(super) password_changed_at: i64,
    pub(super) totp_secret: Option<String>,
    pub(super) totp_since: Option<i64>,
    pub(super) totp_step: Option<i64>,
    pub(super) created_at: i64,
}

impl UserRow {
    /// A new user with the hash of a password.
    pub(super) fn new(id: UserId, user: &NewUser, email: &str, hash: &str, now: Timestamp) -> Self {
        Self {
            id: id.to_string(),
            email: email.to_owned(),
            name: kernel::text::collapsed(&user.name),
            language: user.language.map(|language| language.tag().to_owned()),
            theme: Theme::default().name().to_owned(),
            density: Density::default().name().to_owned(),
            shortcuts: true,
            password: hash.to_owned(),
            password_changed_at: now.micros(),
            totp_secret: None,
            totp_since: None,
            totp_step: None,
            created_at: now.micros(),
        }
    }

    pub(super) fn id(&self) -> QueryResult<UserId> {
        read(&self.id, UserId::parse)
    }

    /// What is shown of it.
    pub(super) fn user(self, db: &mut Db) -> QueryResult<User> {
        let left: i64 = match self.totp_since {
            Some(_) => codes::table.filter(codes::user_id.eq(&self.id)).count().get_result(db)?,
            None => 0,
        };
        self.with_codes(left)
    }

    /// The same with so many recovery codes that are left.
    pub(super) fn with_codes(self, left: i64) -> QueryResult<User> {
        Ok(User {
            id: self.id()?,
            email: self.email,
            name: self.name,
            language: read_optional(self.language, language)?,
            theme: read(&self.theme, Theme::parse)?,
            density: read(&self.density, Density::parse)?,
            shortcuts: self.shortcuts,
            totp_since: moment(self.totp_since),
            recovery_codes_left: u32::try_from(left).unwrap_or(u32::MAX),
            password_changed_at: Timestamp::from_micros(self.password_changed_at),
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// What is shown of many.
pub(super) fn all(db: &mut Db, rows: Vec<UserRow>) -> QueryResult<Vec<User>> {
    let with_codes = rows.iter().filter(|row| row.totp_since.is_some());
    let ids: Vec<String> = with_codes.map(|row| row.id.clone()).collect();
    let mut left: BTreeMap<String, i64> = BTreeMap::new();
    if !ids.is_empty() {
        let holders: Vec<String> =
            codes::table.filter(codes::user_id.eq_any(ids)).select(codes::user_id).load(db)?;
        for holder in holders {
            *left.entry(holder).or_default() += 1;
        }
    }
    let user = |row: UserRow| {
        let left = left.get(&row.id).copied().unwrap_or_default();
        row.with_codes(left)
    };
    rows.into_iter().map(user).collect()
}

#[diesel::dsl::auto_type(no_type_alias)]
pub(super) fn this(id: UserId) -> _ {
    let id: String = id.to_string();
    users::table.filter(dsl::id.eq(id))
}

pub(super) fn by_id(db: &mut Db, id: UserId) -> QueryResult<Option<UserRow>> {
    this(id).select(UserRow::as_select()).first(db).optional()
}

/// The user of an address in the form in which it is kept.
pub(super) fn by_email(db: &mut Db, email: &str) -> QueryResult<Option<UserRow>> {
    users::table.filter(dsl::email.eq(email)).select(UserRow::as_select()).first(db).optional()
}

/// Whether there is any user.
pub(super) fn any(db: &mut Db) -> QueryResult<bool> {
    Ok(users::table.select(dsl::id).first::<String>(db).optional()?.is_some())
}

/// A user, locked until the end of the transaction.
pub(super) fn locked(tx: &mut Tx<'_>, id: UserId) -> Result<UserRow, Failure<PeopleError>> {
    let row = first_locked!(tx.db, UserRow, this(id))?;
    Ok(row.ok_or(Refused::NotFound)?)
}

/// Puts a user on record, unless there is one of the address.
pub(super) fn add(
    tx: &mut Tx<'_>,
    user: &NewUser,
    email: &str,
    hash: &str,
    now: Timestamp,
) -> Result<UserRow, Failure<PeopleError>> {
    if by_email(tx.db, email)?.is_some() {
        return Err(Refused::Rule(PeopleError::UserExists).into());
    }
    let row = UserRow::new(UserId::from_u128(tx.ids.next()), user, email, hash, now);
    diesel::insert_into(users::table).values(&row).execute(tx.db)?;
    Ok(row)
}

/// The hash of a new password, or the faults of the new user.
pub(super) fn hashed(vault: &Vault, user: &NewUser) -> Result<String, Refused<PeopleError>> {
    let faults = ::accounts::people::faults(user);
    if !faults.is_empty() {
        return Err(Refused::Invalid(faults));
    }
    hash(vault, &user.password)
}

/// The hash of a password, whatever it is.
pub(super) fn hash(
    vault: &Vault,
    password: &::accounts::Password,
) -> Result<String, Refused<PeopleError>> {
    let told = |why: String| Refused::Fault(Fault::Internal(why));
    let salt = vault.random().map_err(|error| told(error.to_string()))?;
    password.hash(salt).map_err(told)
}

pub(super) fn change(
    tx: &mut Tx<'_>,
    id: UserId,
    changes: &UserChanges,
) -> Result<User, Failure<PeopleError>> {
    let user = locked(tx, id)?.user(tx.db)?;
    let changed = changes.of(&user);
    let name = kernel::text::line(&changed.name, ::accounts::user::USER_NAME_CHARS_MAX)
        .map_err(|problem| Refused::Invalid(vec![kernel::FieldFault::new("name", problem)]))?;
    let changed = User { name, ..changed };
    diesel::update(this(id))
        .set((
            dsl::name.eq(&changed.name),
            dsl::language.eq(changed.language.map(|language| language.tag())),
            dsl::theme.eq(changed.theme.name()),
            dsl::density.eq(changed.density.name()),
            dsl::shortcuts.eq(changed.shortcuts),
        ))
        .execute(tx.db)?;
    Ok(changed)
}

impl UserOffice for Store {
    fn users(&self) -> Pending<Result<Vec<(User, Memberships)>, Fault>> {
        self.engine.read(Cost::Large, |db| {
            let rows: Vec<UserRow> =
                users::table.order(dsl::id).select(UserRow::as_select()).load(db)?;
            let held: Vec<(String, String, String)> = memberships::table
                .order((memberships::user_id, memberships::account_id))
                .select((memberships::user_id, memberships::account_id, memberships::role))
                .load(db)?;
            let mut by_user: BTreeMap<String, Memberships> = BTreeMap::new();
            for (user, account, role) in held {
                let membership = (read(&account, AccountId::parse)?, read(&role, Role::parse)?);
                by_user.entry(user).or_default().push(membership);
            }
            let with_accounts = |user: User| {
                let held = by_user.remove(&user.id.to_string()).unwrap_or_default();
                (user, held)
            };
            Ok(all(db, rows)?.into_iter().map(with_accounts).collect())
        })
    }

    fn user_of(&self, email: String) -> Pending<Result<Option<User>, Fault>> {
        let email = email.to_ascii_lowercase();
        self.engine.read(Cost::Small, move |db| {
            let row = by_email(db, &email)?;
            row.map(|row| row.user(db)).transpose()
        })
    }

    fn add_user(&self, ctx: Ctx, user: NewUser, role: Role) -> Pending<Written<User, PeopleError>> {
        let vault = self.engine.vault();
        self.passwords.run(&self.engine, move |engine| {
            let hash = hashed(&vault, &user)?;
            let email = ::accounts::user::email(&user.email).map_err(|problem| {
                Refused::Invalid(vec![kernel::FieldFault::new("email", problem)])
            })?;
            let command = engine.command::<_, PeopleError, _>(Some(ctx.account), move |tx| {
                if !super::is_there(tx.db, ctx.account)? {
                    return Err(Refused::NotFound.into());
                }
                let row = add(tx, &user, &email, &hash, ctx.now)?;
                let joining = Joining { user: row.id()?, email: &email, role };
                team::join(tx, &ctx, &joining)?;
                Ok(Done::now(row.user(tx.db)?))
            });
            waited(command)?
        })
    }

    fn add_member(
        &self,
        ctx: Ctx,
        user: UserId,
        role: Role,
    ) -> Pending<Written<User, PeopleError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let row = locked(tx, user)?;
            let joining = Joining { user, email: &row.email, role };
            team::join(tx, &ctx, &joining)?;
            Ok(Done::now(row.user(tx.db)?))
        })
    }

    fn issue_link(
        &self,
        purpose: Purpose,
        now: Timestamp,
    ) -> Pending<Written<IssuedUserLink, PeopleError>> {
        let vault = self.engine.vault();
        self.engine
            .command(None, move |tx| user_links::issue(tx, &vault, purpose, now).map(Done::now))
    }
}

/// Records that a user has changed something of how they sign in, in all their accounts.
pub(super) fn told(
    tx: &mut Tx<'_>,
    user: UserId,
    visit: &::accounts::Visit,
    action: Action,
) -> QueryResult<()> {
    told_by(tx, user, &Actor::User(user), visit, action)
}

/// The same of what somebody else does about a user.
pub(super) fn told_by(
    tx: &mut Tx<'_>,
    user: UserId,
    actor: &Actor,
    visit: &::accounts::Visit,
    action: Action,
) -> QueryResult<()> {
    audit::record_of_user(tx, user, actor, visit, &Act::new(action, &user))
}
