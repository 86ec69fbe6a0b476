//! The audit log: who did what.

mod fields;

use std::collections::BTreeMap;

use accounts::{Access, Action, Area, AuditEntry, AuditQuery, Right};
use askama::Template;
use kernel::Actor;

use super::linked::Ways;
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    form::Values,
    format::moment,
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{Empty, Filters, Moment, Pager},
    reply::answered,
    texts::{Say, action_name},
};

const READ: Right = Right::of(Area::Audit, Access::Read);
const PATH: &str = "settings/audit";
/// What a field held before there was one, or after.
const NOTHING: &str = "—";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show)
            .listed(Group::Settings, "scroll-text", Say::audit)
            .key("7")
            .list(),
        Page::get("settings/audit.csv", READ, table),
    ]
}

#[derive(Template)]
#[template(path = "settings/audit.html", whitespace = "minimize")]
struct Log {
    say: Say,
    filters: Filters,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    at: Moment,
    actor: String,
    action: String,
    code: Option<String>,
    resource: String,
    /// Where what it was done to is shown.
    place: Option<String>,
    changes: Vec<Change>,
    note: Option<String>,
    from: String,
}

struct Change {
    field: String,
    before: String,
    after: String,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let query = asked(&call.query);
    let entries = answered(call.services().audit.entries(call.account(), query)).await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(PATH), &call.query, &entries);
    let ways = Ways::of(&call);
    let line = |entry: AuditEntry| {
        let called = called(say, &entry.action).map(str::to_owned);
        Line {
            at: moment(entry.created_at, zone, call.language),
            actor: who(say, &entry),
            changes: in_words(say, changes(&entry.before, &entry.after)),
            note: entry.note,
            from: entry.address.map(|address| address.to_string()).unwrap_or_default(),
            code: called.is_some().then(|| entry.action.clone()),
            action: called.unwrap_or(entry.action),
            place: ways.page_of(&entry.resource),
            resource: entry.resource,
        }
    };
    let (query, total) = (&call.query, list::counted(say, entries.total));
    let lines: Vec<_> = entries.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| Empty::new(say.no_audit()));
    let actions: Vec<_> =
        Action::EVERY.iter().map(|one| (one.name(), action_name(say, *one))).collect();
    let about = query.filled("resource").map(|id| format!("{}: {id}", say.resource()));
    let filters = Filters::without_words(say, call.href(PATH), query, total)
        .choice(query, ("action", say.action()), &actions)
        .typed(query, ("actor", say.actor()))
        .chip(about, query, "resource");
    let body = Log { say, filters, lines, empty, pager };
    Ok(call.page(Sheet::new(say.audit(), &body)))
}

/// What something that was done is called, if it is known here.
fn called(say: Say, action: &str) -> Option<&'static str> {
    Action::named(action).map(|action| action_name(say, action))
}

/// Who has done it.
fn who(say: Say, entry: &AuditEntry) -> String {
    entry.actor_name.clone().unwrap_or_else(|| kind_name(say, &entry.actor).to_owned())
}

/// Who has done something, where nobody has a name.
const fn kind_name(say: Say, actor: &Actor) -> &'static str {
    match actor {
        Actor::System => say.by_system(),
        Actor::Public => say.by_public(),
        Actor::Key(_) => say.by_key(),
        Actor::User(_) => say.by_user(),
        Actor::Operator(_) => say.by_operator(),
    }
}

/// Which entries a query asks for.
fn asked(query: &Values) -> AuditQuery {
    let filled = |name: &str| query.filled(name).map(str::to_owned);
    AuditQuery {
        page: list::asked(query),
        actor: filled("actor"),
        action: filled("action"),
        resource: filled("resource"),
        ..AuditQuery::default()
    }
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let query = asked(&call.query);
    let table = Table::new(move |services, account, page| {
        services.audit.entries(account, AuditQuery { page, ..query.clone() })
    })
    .column("id", |entry: &AuditEntry| entry.id.to_string())
    .moment(say.when(), zone, |entry| entry.created_at)
    .column("actorId", |entry| entry.actor.to_string())
    .column(say.actor(), move |entry| who(say, entry))
    .column(say.action(), move |entry| {
        called(say, &entry.action).unwrap_or(&entry.action).to_owned()
    })
    .column(say.resource(), |entry| entry.resource.clone())
    .column(say.changes(), move |entry| changed(say, entry))
    .optional(say.note(), |entry| entry.note.clone())
    .optional(say.network(), |entry| entry.address)
    .optional("requestId", |entry| entry.request_id.clone())
    .column("actionCode", |entry| entry.action.clone());
    csv::sent(&call, "audit.csv", table)
}

/// What an entry has changed, in a line.
fn changed(say: Say, entry: &AuditEntry) -> String {
    let changes = in_words(say, changes(&entry.before, &entry.after)).into_iter();
    let told = changes.map(|one| format!("{}: {} → {}", one.field, one.before, one.after));
    told.collect::<Vec<_>>().join("; ")
}

/// Fields and what they held, as people call them.
fn in_words(say: Say, changes: Vec<Change>) -> Vec<Change> {
    let value = |field: &str, held: String| match held == NOTHING {
        true => held,
        false => fields::value(say, field, &held),
    };
    let told = |one: Change| Change {
        before: value(&one.field, one.before),
        after: value(&one.field, one.after),
        field: fields::name(say, &one.field).map_or(one.field, str::to_owned),
    };
    changes.into_iter().map(told).collect()
}

/// What was changed, field by field.
fn changes(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<Change> {
    let mut fields: Vec<_> = before.keys().chain(after.keys()).collect();
    fields.sort_unstable();
    fields.dedup();
    let told = |values: &BTreeMap<String, String>, field: &String| {
        values.get(field).cloned().unwrap_or_else(|| NOTHING.to_owned())
    };
    let change = |field: &String| Change {
        field: field.clone(),
        before: told(before, field),
        after: told(after, field),
    };
    fields.into_iter().map(change).collect()
}
