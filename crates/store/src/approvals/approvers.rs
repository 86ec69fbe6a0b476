//! Whether those who are to decide may.

use std::collections::HashMap;

use ::approvals::{ApprovalError, EntityType, Level, Person};
use accounts::Scopes;
use diesel::prelude::*;
use kernel::{AccountId, FieldFault, Refused, Timestamp, message};

use crate::{
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

/// Refuses approvers that are no keys of the account, or may not approve such things.
pub(super) fn refuse_others(
    db: &mut Db,
    account: AccountId,
    (entity, levels): (EntityType, &[Level]),
    now: Timestamp,
) -> Result<(), Failure<ApprovalError>> {
    let known = named(db, account, levels, now)?;
    let mut faults = Vec::new();
    for (index, level) in levels.iter().enumerate() {
        for (place, person) in level.approvers.iter().enumerate() {
            let problem = match known.get(&person.to_string()) {
                Some(key) if key.is_live && key.may_approve && covers(&key.scopes, entity) => {
                    continue;
                }
                Some(_) => {
                    let scope = entity.scope();
                    message!(
                        "names an API key that may not approve this: it must be live, have the scope \"{scope}\" and be made with --approve",
                        "indica una clave de API que no puede aprobar esto: debe estar vigente, tener el permiso (scope) \"{scope}\" y haberse creado con --approve"
                    )
                }
                None => message!(
                    "names no API key of this account",
                    "no corresponde a ninguna clave de API de esta cuenta"
                ),
            };
            let field = format!("levels[{index}].approvers[{place}].id");
            faults.push(FieldFault::new(field, problem));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Refused::Invalid(faults).into()) }
}

fn covers(scopes: &Scopes, entity: EntityType) -> bool {
    let scope = accounts::Scope::EVERY.iter().find(|scope| scope.name() == entity.scope());
    scope.is_some_and(|scope| scopes.allow(*scope))
}

fn named(
    db: &mut Db,
    account: AccountId,
    levels: &[Level],
    now: Timestamp,
) -> QueryResult<HashMap<String, Approver>> {
    let ids = levels.iter().flat_map(|level| &level.approvers).map(Person::to_string);
    let rows: Vec<KeyColumns> = api_keys::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq_any(ids.collect::<Vec<_>>()))
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
