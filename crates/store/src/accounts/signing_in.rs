//! Signing in: what is right, and what is only said to be wrong.

use std::sync::Arc;

use ::accounts::{
    OpenedSession, Password, PeopleError, Session, SessionId, SignIn, TokenDigest, User, Visit,
    audit::Action,
};
use diesel::prelude::*;
use engine::{Engine, Vault};
use kernel::{Done, FieldFault, Refused, Written};

use super::{
    failures, sessions, totp,
    users::{self, UserRow},
};
use crate::{error::Failure, hashing::waited, readers::Cost, schema::users::dsl, tx::Tx};

const WRONG: Refused<PeopleError> = Refused::Rule(PeopleError::WrongCredentials);

/// What a command comes to that must be committed though it refuses: a failure is counted.
pub(super) type Counted<T> = Written<Option<T>, PeopleError>;

/// What was asked for, or that it is wrong.
pub(super) fn granted<T>(outcome: Counted<T>) -> Written<T, PeopleError> {
    let Done { value, replayed } = outcome?;
    Ok(Done { value: value.ok_or(WRONG)?, replayed })
}

pub(super) fn sign_in(
    engine: &Engine,
    vault: Arc<Vault>,
    sign_in: &SignIn,
    visit: Visit,
) -> Written<OpenedSession, PeopleError> {
    // What is no address is that of nobody.
    let email = ::accounts::user::email(&sign_in.email).unwrap_or_else(|_| "-".to_owned());
    let (known, until) = known(engine, &email, &visit)?;
    if let Some(until) = until {
        return Err(failures::refusal(until));
    }
    let is_right = sign_in.password.matches(known.as_ref().map(|row| row.password.as_str()));
    granted(waited(engine.command::<_, PeopleError, _>(None, move |tx| {
        let Some(known) = &known else {
            failures::count(tx, &email, None, &visit)?;
            return Ok(Done::now(None));
        };
        let row = users::locked(tx, known.id()?)?;
        // Another password meanwhile is another secret.
        if !is_right || row.password != known.password {
            failures::count(tx, &email, Some(row.id()?), &visit)?;
            return Ok(Done::now(None));
        }
        // A session that owes its code is no success yet: who knows the password might try all codes.
        if row.totp_since.is_none() {
            failures::forget(tx, row.id()?, &email, &visit)?;
        }
        sessions::sign_in(tx, &vault, row, &visit).map(Some).map(Done::now)
    }))?)
}

type Known = (Option<UserRow>, Option<kernel::Timestamp>);

/// The user of an address, and until when nobody may try.
fn known(engine: &Engine, email: &str, visit: &Visit) -> Result<Known, Refused<PeopleError>> {
    let (email, visit) = (email.to_owned(), visit.clone());
    let read = engine.read(Cost::Small, move |db| {
        let row = users::by_email(db, &email)?;
        let user = row.as_ref().map(UserRow::id).transpose()?;
        let until = failures::until(db, &email, user, &visit)?;
        Ok((row, until))
    });
    Ok(waited(read)??)
}

pub(super) fn give_code(
    engine: &Engine,
    vault: Arc<Vault>,
    token: TokenDigest,
    code: String,
    visit: Visit,
) -> Written<OpenedSession, PeopleError> {
    granted(waited(engine.command::<_, PeopleError, _>(None, move |tx| {
        // Users are locked before their sessions.
        let seen = sessions::signed_in(tx.db, &token, visit.now)?.ok_or(Refused::NotFound)?;
        let row = users::locked(tx, seen.user.id)?;
        let session = sessions::locked(tx, &token, visit.now)?;
        if !session.owes_code {
            return Err(Refused::NotFound.into());
        }
        if let Some(until) = failures::until(tx.db, &row.email, Some(session.user), &visit)? {
            return Err(failures::refusal(until).into());
        }
        if !totp::accepts(tx, &vault, &row, &code, &visit)? {
            failures::count(tx, &row.email, Some(session.user), &visit)?;
            return Ok(Done::now(None));
        }
        failures::forget(tx, session.user, &row.email, &visit)?;
        sessions::paid(tx, &vault, &session, row, &visit).map(Some).map(Done::now)
    }))?)
}

/// A session with its user.
type Own = (Session, UserRow);

/// The session that is to be given a password, its user, and that the password is right; counted as a failure otherwise.
fn proven(
    engine: &Engine,
    id: SessionId,
    password: &Password,
    visit: &Visit,
) -> Result<(Own, bool), Refused<PeopleError>> {
    let (now, asking) = (visit.now, visit.clone());
    let read = engine.read(Cost::Small, move |db| {
        let Some(session) = sessions::by_id(db, id, now)? else { return Ok(None) };
        let Some(row) = users::by_id(db, session.user)? else { return Ok(None) };
        let until = failures::until(db, &row.email, Some(session.user), &asking)?;
        Ok(Some((session, row, until)))
    });
    let (session, row, until) = waited(read)??.ok_or(Refused::NotFound)?;
    if let Some(until) = until {
        return Err(failures::refusal(until));
    }
    let is_right = password.matches(Some(&row.password));
    Ok(((session, row), is_right))
}

pub(super) fn reauthenticate(
    engine: &Engine,
    vault: Arc<Vault>,
    id: SessionId,
    password: &Password,
    code: Option<String>,
    visit: Visit,
) -> Written<Session, PeopleError> {
    let ((session, known), is_right) = proven(engine, id, password, &visit)?;
    granted(waited(engine.command::<_, PeopleError, _>(None, move |tx| {
        let row = users::locked(tx, session.user)?;
        let is_right = is_right
            && row.password == known.password
            && (row.totp_since.is_none()
                || totp::accepts(tx, &vault, &row, code.as_deref().unwrap_or_default(), &visit)?);
        if !is_right {
            failures::count(tx, &row.email, Some(session.user), &visit)?;
            return Ok(Done::now(None));
        }
        failures::forget(tx, session.user, &row.email, &visit)?;
        Ok(Done::now(Some(sessions::authenticated(tx, session.clone(), visit.now)?)))
    }))?)
}

pub(super) fn change_password(
    engine: &Engine,
    vault: &Vault,
    id: SessionId,
    present: &Password,
    new: &Password,
    visit: Visit,
) -> Written<User, PeopleError> {
    let ((session, known), is_right) = proven(engine, id, present, &visit)?;
    if let Some(problem) = new.problem(&known.email, &known.name) {
        return Err(Refused::Invalid(vec![FieldFault::new("password", problem)]));
    }
    let hash = if is_right { users::hash(vault, new)? } else { String::new() };
    granted(waited(engine.command::<_, PeopleError, _>(None, move |tx| {
        let row = users::locked(tx, session.user)?;
        if !is_right || row.password != known.password {
            failures::count(tx, &row.email, Some(session.user), &visit)?;
            return Ok(Done::now(None));
        }
        let row = set_password(tx, row, &hash, &visit)?;
        sessions::end_others(tx, session.user, Some(session.id), visit.now)?;
        sessions::authenticated(tx, session.clone(), visit.now)?;
        Ok(Done::now(Some(row.user(tx.db)?)))
    }))?)
}

/// Sets the hash of another password.
pub(super) fn set_password(
    tx: &mut Tx<'_>,
    row: UserRow,
    hash: &str,
    visit: &Visit,
) -> Result<UserRow, Failure<PeopleError>> {
    let id = row.id()?;
    let changed_at = visit.now.micros();
    diesel::update(users::this(id))
        .set((dsl::password.eq(hash), dsl::password_changed_at.eq(changed_at)))
        .execute(tx.db)?;
    users::told(tx, id, visit, Action::UserPasswordChanged)?;
    Ok(UserRow { password: hash.to_owned(), password_changed_at: changed_at, ..row })
}
