//! The rules of approvals: what needs whose approval.

mod edit;
mod fields;

use std::collections::HashMap;

use accounts::{Access, ApiKey, ApiKeyQuery, Area, Right};
use approvals::{Condition, KeyId, Level, Person, Rule, Value};
use askama::Template;
use kernel::{
    PageRequest,
    page::{Count, LIMIT_MAX},
};

use super::{READ, comparison, covers, entity_name, field_name, told};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    layout::Sheet,
    page::Page,
    parts::Empty,
    reply::answered,
    texts::Say,
};

/// What may be done without anybody's leave is for who governs the account to say.
const WRITE: Right = Right::of(Area::Settings, Access::Write);
const PATH: &str = "approvals/rules";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![Page::get(PATH, READ, show)];
    [own, edit::pages()].into_iter().flatten().collect()
}

/// What a rule is called, by its identifier if it has no name.
fn rule_name(rule: &Rule) -> String {
    rule.name.clone().unwrap_or_else(|| rule.id.to_string())
}

#[derive(Template)]
#[template(path = "approvals/rules.html", whitespace = "minimize")]
struct Rules {
    say: Say,
    lines: Vec<Line>,
    empty: Option<Empty>,
}

struct Line {
    name: String,
    /// Where it is changed and deleted, by who may.
    href: Option<String>,
    what: &'static str,
    conditions: String,
    levels: Vec<String>,
    hours: u32,
}

/// Members and keys of the account by what they are called, if they are such ones.
async fn people(
    call: &Call<Member>,
    is_meant: impl Fn(&accounts::Member) -> bool,
    is_meant_key: impl Fn(&ApiKey) -> bool,
) -> Result<Vec<(Person, String)>, Failure> {
    let members = members(call).await?.into_iter().filter(is_meant).map(named);
    let members: Vec<_> = members.collect();
    let keys = keys(call).await?.into_iter().filter(is_meant_key);
    Ok(members.into_iter().chain(keys.map(|key| named_key(call, &key))).collect())
}

async fn members(call: &Call<Member>) -> Result<Vec<accounts::Member>, Failure> {
    answered(call.services().team.members(call.account())).await
}

fn named(member: accounts::Member) -> (Person, String) {
    (Person::User(member.user.id), member.user.name)
}

async fn keys(call: &Call<Member>) -> Result<Vec<ApiKey>, Failure> {
    let page = PageRequest { limit: LIMIT_MAX, count: Count::Nothing, ..PageRequest::default() };
    let query = ApiKeyQuery { page, active: Some(true), ..ApiKeyQuery::default() };
    let keys = call.services().api_keys.api_keys(call.account(), query, call.now());
    Ok(answered(keys).await?.items)
}

fn named_key(call: &Call<Member>, key: &ApiKey) -> (Person, String) {
    let name = call.say().approving_key(&key.name, &key.last4);
    (Person::Key(KeyId::from_u128(key.id.to_u128())), name)
}

/// What those are called who ask, decide or are named by rules, as far as they are known. Neither members nor keys are
/// read for who is none of them.
pub(super) async fn names(
    call: &Call<Member>,
    whose: &[Person],
) -> Result<HashMap<Person, String>, Failure> {
    let mut known = HashMap::new();
    if whose.iter().any(|person| matches!(person, Person::User(_))) {
        let members = answered(call.services().team.member_names(call.account())).await?;
        known.extend(members.into_iter().map(|(id, name)| (Person::User(id), name)));
    }
    if whose.iter().any(|person| matches!(person, Person::Key(_))) {
        known.extend(keys(call).await?.iter().map(|key| named_key(call, key)));
    }
    Ok(known)
}

/// Who must agree, and how many of them.
fn level(say: Say, names: &HashMap<Person, String>, level: &Level) -> String {
    let name = |person: &Person| match names.get(person) {
        Some(name) => name.clone(),
        None => say.gone_approver(&person.to_string()),
    };
    let people = level.approvers.iter().map(name).collect::<Vec<_>>().join(", ");
    match level.approvers.len() {
        1 => people,
        _ => say.so_many_of(level.min_approvals, &people),
    }
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let rules = answered(call.services().approval_rules.rules(call.account())).await?;
    let levels = rules.iter().flat_map(|rule| &rule.levels);
    let whose: Vec<_> = levels.flat_map(|level| level.approvers.iter().copied()).collect();
    let names = names(&call, &whose).await?;
    let may_write = call.may(WRITE);
    let line = |rule: Rule| Line {
        href: may_write.then(|| format!("{}/{}", call.href(PATH), rule.id)),
        what: entity_name(say, rule.entity),
        conditions: conditions(say, &rule),
        levels: rule.levels.iter().map(|one| level(say, &names, one)).collect(),
        hours: rule.expires_after_hours,
        name: rule_name(&rule),
    };
    let is_without = rules.is_empty();
    let covered = rules.into_iter().filter(|rule| covers(&call, rule.entity));
    let lines: Vec<_> = covered.map(line).collect();
    let url = call.public_url();
    let command =
        format!("curl -sS '{url}/api/v1/approval-rules' -H 'Authorization: Bearer <API_KEY>'");
    let new = call.href("approvals/rules/new");
    let empty = lines.is_empty().then(|| match is_without {
        true if may_write => {
            Empty::new(say.no_rules()).action(say.new_rule(), new.clone()).curl(command)
        }
        true => Empty::new(say.no_rules()).curl(command),
        false => Empty::new(say.not_allowed_text()),
    });
    let sheet = Sheet::new(say.approval_rules(), &Rules { say, lines, empty });
    let sheet = if may_write { sheet.action(say.new_rule(), new) } else { sheet };
    Ok(call.page(sheet.back(say.approvals(), call.href(super::PATH))))
}

/// What must be met, all of it.
fn conditions(say: Say, rule: &Rule) -> String {
    let condition = |Condition { field, op, values }: &Condition| {
        let value = |value: &Value| told(say, value, *field, rule.currency);
        let values = values.iter().map(value).collect::<Vec<_>>().join(", ");
        let comparison = comparison(say, *op);
        format!("{} {comparison} {values}", field_name(say, *field))
    };
    rule.conditions.iter().map(condition).collect::<Vec<_>>().join(" · ")
}
