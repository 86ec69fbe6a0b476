//! Whether those who are to decide may.

use std::collections::HashMap;

use ::accounts::{Right, Role, Scope, Scopes};
use ::approvals::{ApprovalError, EntityType, Level, Person, Rule};
use diesel::prelude::*;
use kernel::{AccountId, FieldFault, Message, Refused, Timestamp, UserId, message};

use crate::{
    accounts::members_of,
    db::Db,
    error::Failure,
    rows::read,
    schema::api_keys::{self, dsl},
    unreadable::readable,
};

/// A key, as far as approvals go.
struct Approver {
    scopes: Scopes,
    may_approve: bool,
    is_live: bool,
}

type KeyColumns = (String, String, bool, Option<i64>, Option<i64>);

/// Who may decide in an account, as far as levels name them.
struct Known {
    keys: HashMap<String, Approver>,
    members: Vec<(UserId, Role)>,
}

impl Known {
    fn of<'a>(
        db: &mut Db,
        account: AccountId,
        levels: impl Iterator<Item = &'a Level>,
        now: Timestamp,
    ) -> QueryResult<Self> {
        let people: Vec<Person> = levels.flat_map(|level| &level.approvers).copied().collect();
        let keys = people.iter().filter(|person| matches!(person, Person::Key(_)));
        let keys: Vec<String> = keys.map(Person::to_string).collect();
        let keys = if keys.is_empty() { HashMap::new() } else { named(db, account, keys, now)? };
        Ok(Self { keys, members: members_of(db, account)? })
    }

    /// Whether somebody may decide about such things, if it is somebody of the account.
    fn may(&self, person: Person, entity: EntityType) -> Option<bool> {
        let scope = scope(entity)?;
        match person {
            Person::Key(_) => {
                let key = self.keys.get(&person.to_string())?;
                Some(key.is_live && key.may_approve && key.scopes.allow(scope))
            }
            Person::User(id) => {
                let (_, role) = self.members.iter().find(|(user, _)| *user == id)?;
                Some(role.allows(Right::approve(scope)))
            }
        }
    }

    fn owners(&self) -> Vec<Person> {
        let owners = self.members.iter().filter(|(_, role)| *role == Role::Owner);
        owners.map(|(user, _)| Person::User(*user)).collect()
    }
}

/// Refuses approvers that are nobody of the account, or may not approve such things.
pub(super) fn refuse_others(
    db: &mut Db,
    account: AccountId,
    (entity, levels): (EntityType, &[Level]),
    now: Timestamp,
) -> Result<(), Failure<ApprovalError>> {
    let known = Known::of(db, account, levels.iter(), now)?;
    let mut faults = Vec::new();
    for (index, level) in levels.iter().enumerate() {
        for (place, person) in level.approvers.iter().enumerate() {
            if let Some(problem) = problem(*person, known.may(*person, entity), entity.scope()) {
                let field = format!("levels[{index}].approvers[{place}].id");
                faults.push(FieldFault::new(field, problem));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Refused::Invalid(faults).into()) }
}

/// Why somebody does not decide who may, may not, or is nobody of the account.
fn problem(person: Person, may: Option<bool>, scope: &str) -> Option<Message> {
    Some(match (may, person) {
        (Some(true), _) => return None,
        (Some(false), Person::Key(_)) => message!(
            "names an API key that may not approve this: it must be live and have the scope \"{scope}\" and \"mayApprove\": true",
            "indica una clave de API que no puede aprobar esto: debe estar vigente y tener el permiso (scope) \"{scope}\" y \"mayApprove\": true"
        ),
        (None, Person::Key(_)) => message!(
            "names no API key of this account",
            "no corresponde a ninguna clave de API de esta cuenta"
        ),
        (Some(false), Person::User(_)) => message!(
            "names a user whose role does not approve this: owners and administrators do, and accountants what the scopes invoices and payments cover",
            "indica un usuario cuyo rol no aprueba esto: aprueban propietarios y administradores, y los contadores lo que cubren los permisos (scopes) invoices y payments"
        ),
        (None, Person::User(_)) => message!(
            "names no user of this account",
            "no corresponde a ningún usuario de esta cuenta"
        ),
    })
}

/// Rules as they are asked by somebody now: owners stand in for approvers who are gone.
pub(super) fn staffed(
    db: &mut Db,
    account: AccountId,
    rules: &[&Rule],
    (by, now): (Person, Timestamp),
) -> QueryResult<Vec<Rule>> {
    let known = Known::of(db, account, rules.iter().flat_map(|rule| &rule.levels), now)?;
    let owners = known.owners();
    let staffed = |rule: &&Rule| {
        rule.staffed(|person| known.may(person, rule.entity) == Some(true), &owners, by)
    };
    Ok(rules.iter().map(staffed).collect())
}

fn scope(entity: EntityType) -> Option<Scope> {
    Scope::EVERY.iter().copied().find(|scope| scope.name() == entity.scope())
}

fn named(
    db: &mut Db,
    account: AccountId,
    ids: Vec<String>,
    now: Timestamp,
) -> QueryResult<HashMap<String, Approver>> {
    let rows: Vec<KeyColumns> = api_keys::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq_any(ids))
        .select((dsl::id, dsl::scopes, dsl::may_approve, dsl::expires_at, dsl::revoked_at))
        .load(db)?;
    let keys = rows.into_iter().map(|(id, scopes, may_approve, expires_at, revoked_at)| {
        let is_live = revoked_at.is_none() && expires_at.is_none_or(|at| now.micros() < at);
        let scopes = read(&scopes, |scopes| Scopes::parse(scopes).ok());
        let key = scopes.map(|scopes| (id.clone(), Approver { scopes, may_approve, is_live }));
        ((account.to_string(), id), key)
    });
    Ok(readable("api key", keys)?.into_iter().collect())
}
