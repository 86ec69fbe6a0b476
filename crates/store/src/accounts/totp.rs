//! Authenticators and recovery codes.

use ::accounts::{
    PeopleError, RecoveryCode, TotpSecret, TotpSetUp, User, UserId, Visit, audit::Action,
    recovery::RECOVERY_CODES,
};
use diesel::prelude::*;
use engine::{Vault, secrets};
use kernel::Refused;

use super::users::{self, UserRow};
use crate::{
    db::Db,
    error::Failure,
    rows::corrupt,
    schema::{user_recovery_codes as codes, users as table, users::dsl},
    tx::Tx,
};

/// Where the secret of a user's authenticator is kept, as its seal has it.
fn place(user: &str) -> String {
    format!("authenticator {user}")
}

fn secret_of(vault: &Vault, row: &UserRow) -> QueryResult<Option<TotpSecret>> {
    let Some(sealed) = &row.totp_secret else { return Ok(None) };
    let place = place(&row.id);
    let text = vault.open(&place, sealed)?;
    let secret = TotpSecret::parse(&text);
    secret.map(Some).ok_or_else(|| corrupt(format!("no secret in {place}")))
}

/// Makes a secret, which waits for its first code; one that waited is forgotten.
pub(super) fn begin(
    tx: &mut Tx<'_>,
    vault: &Vault,
    user: UserId,
    issuer: &str,
) -> Result<TotpSetUp, Failure<PeopleError>> {
    let row = users::locked(tx, user)?;
    if row.totp_since.is_some() {
        return Err(Refused::Rule(PeopleError::HasTotp).into());
    }
    let secret = TotpSecret::from_random(vault.random()?);
    let sealed = vault.seal(&place(&row.id), &secret.to_base32())?;
    diesel::update(users::this(user))
        .set((dsl::totp_secret.eq(Some(sealed)), dsl::totp_step.eq(None::<i64>)))
        .execute(tx.db)?;
    let uri = secret.to_uri(issuer, &row.email);
    Ok(TotpSetUp { secret, uri })
}

/// Takes the first code, from which on one is asked for.
pub(super) fn confirm(
    tx: &mut Tx<'_>,
    vault: &Vault,
    user: UserId,
    code: &str,
    visit: &Visit,
) -> Result<Vec<RecoveryCode>, Failure<PeopleError>> {
    let row = users::locked(tx, user)?;
    if row.totp_since.is_some() {
        return Err(Refused::Rule(PeopleError::HasTotp).into());
    }
    let secret = secret_of(vault, &row)?.ok_or(Refused::Rule(PeopleError::NoTotp))?;
    let step = secret.step_of(code, visit.now, row.totp_step);
    let step = step.ok_or(Refused::Rule(PeopleError::WrongCredentials))?;
    diesel::update(users::this(user))
        .set((dsl::totp_since.eq(Some(visit.now.micros())), dsl::totp_step.eq(Some(step))))
        .execute(tx.db)?;
    users::told(tx, user, visit, Action::UserTotpEnabled)?;
    Ok(new_codes(tx, vault, user)?)
}

/// Whether a code is one of the authenticator or a recovery code that may be used now; then it is used up.
pub(super) fn accepts(
    tx: &mut Tx<'_>,
    vault: &Vault,
    row: &UserRow,
    code: &str,
    visit: &Visit,
) -> QueryResult<bool> {
    let id = row.id()?;
    if let Some(code) = RecoveryCode::parse(code) {
        let own = codes::table.find((id.to_string(), code.digest().as_hex().to_owned()));
        let is_right = diesel::delete(own).execute(tx.db)? > 0;
        if is_right {
            users::told(tx, id, visit, Action::UserRecoveryCodeUsed)?;
        }
        return Ok(is_right);
    }
    let Some(secret) = secret_of(vault, row)? else { return Ok(false) };
    let Some(step) = secret.step_of(code, visit.now, row.totp_step) else { return Ok(false) };
    diesel::update(users::this(id)).set(dsl::totp_step.eq(Some(step))).execute(tx.db)?;
    Ok(true)
}

pub(super) fn disable(
    tx: &mut Tx<'_>,
    user: UserId,
    visit: &Visit,
) -> Result<User, Failure<PeopleError>> {
    let row = users::locked(tx, user)?;
    if row.totp_since.is_none() {
        return Err(Refused::Rule(PeopleError::NoTotp).into());
    }
    let none = (
        dsl::totp_secret.eq(None::<String>),
        dsl::totp_since.eq(None::<i64>),
        dsl::totp_step.eq(None::<i64>),
    );
    diesel::update(users::this(user)).set(none).execute(tx.db)?;
    forget_codes(tx, user)?;
    users::told(tx, user, visit, Action::UserTotpDisabled)?;
    let row = UserRow { totp_secret: None, totp_since: None, totp_step: None, ..row };
    Ok(row.user(tx.db)?)
}

pub(super) fn renew_codes(
    tx: &mut Tx<'_>,
    vault: &Vault,
    user: UserId,
    visit: &Visit,
) -> Result<Vec<RecoveryCode>, Failure<PeopleError>> {
    if users::locked(tx, user)?.totp_since.is_none() {
        return Err(Refused::Rule(PeopleError::NoTotp).into());
    }
    users::told(tx, user, visit, Action::UserRecoveryCodesRenewed)?;
    Ok(new_codes(tx, vault, user)?)
}

fn forget_codes(tx: &mut Tx<'_>, user: UserId) -> QueryResult<()> {
    let own = codes::table.filter(codes::user_id.eq(user.to_string()));
    diesel::delete(own).execute(tx.db).map(drop)
}

fn new_codes(tx: &mut Tx<'_>, vault: &Vault, user: UserId) -> QueryResult<Vec<RecoveryCode>> {
    forget_codes(tx, user)?;
    let mut made = Vec::with_capacity(RECOVERY_CODES);
    for _ in 0..RECOVERY_CODES {
        let code = RecoveryCode::from_random(vault.random()?);
        let row = (
            codes::user_id.eq(user.to_string()),
            codes::digest.eq(code.digest().as_hex().to_owned()),
        );
        diesel::insert_into(codes::table).values(row).execute(tx.db)?;
        made.push(code);
    }
    Ok(made)
}

/// Every sealed secret with its place and how to replace it.
pub(crate) fn secrets(db: &mut Db, _: Option<&str>) -> QueryResult<Vec<secrets::Secret>> {
    let rows: Vec<(String, Option<String>)> = table::table
        .filter(dsl::totp_secret.is_not_null())
        .select((dsl::id, dsl::totp_secret))
        .load(db)?;
    let secret = |(id, sealed): (String, Option<String>)| {
        let place = place(&id);
        let replace: secrets::Replace = Box::new(move |db, before, after| {
            let this = table::table.filter(dsl::id.eq(id)).filter(dsl::totp_secret.eq(before));
            diesel::update(this).set(dsl::totp_secret.eq(after)).execute(db)
        });
        sealed.map(|sealed| secrets::Secret { place, sealed, replace })
    };
    Ok(rows.into_iter().filter_map(secret).collect())
}
