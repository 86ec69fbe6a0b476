//! The audit log: who did what.

mod fields;

use std::collections::BTreeMap;

use accounts::{Access, Action, Area, AuditEntry, AuditQuery, Right, Whose};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use kernel::{Actor, Mode, PageRequest};

use super::{linked::Ways, requests::names_of_keys};
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
    parts::{Empty, Field, Filters, Moment, Pager},
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
    /// Where the rest is of what was done in a test account.
    hint: Option<&'static str>,
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
    let is_filtered =
        AuditQuery { page: PageRequest::default(), ..query.clone() } != AuditQuery::default();
    let entries = answered(call.services().audit.entries(call.account(), query)).await?;
    let actors = actors(&call).await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(PATH), &call.query, &entries);
    let ways = Ways::of(&call);
    let line = |entry: AuditEntry| {
        let called = called(say, &entry.action).map(str::to_owned);
        Line {
            at: moment(entry.created_at, zone, call.language),
            actor: who(say, &entry),
            changes: in_words(say, zone, &entry),
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
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::unmatched(say, call.href(PATH)),
        false => Empty::new(say.no_audit()),
    });
    let actions: Vec<_> =
        Action::EVERY.iter().map(|one| (one.name(), action_name(say, *one))).collect();
    let about = query.filled("resource").map(|id| format!("{}: {id}", say.resource()));
    let filters = Filters::without_words(say, call.href(PATH), query, total)
        .choice(query, ("action", say.action()), &actions)
        .add(say.actor(), query, vec![("actor", chosen(say, query, &actors))], |_, value| {
            Whose::parse(value).ok()?;
            let known = actors.iter().find(|(actor, _)| actor == value);
            Some(format!("{}: {}", say.actor(), known.map_or(value, |(_, called)| called.as_str())))
        })
        .chip(about, query, "resource");
    let hint = (call.who.entry.account.mode() == Mode::Test).then(|| say.audit_of_live());
    let body = Log { say, hint, filters, lines, empty, pager };
    Ok(call.page(Sheet::new(say.audit(), &body)))
}

/// Whose entries can be looked for, with what they are called: kinds of actors, the account's members, and its keys.
async fn actors(call: &Call<Member>) -> Result<Vec<(String, String)>, Failure> {
    let say = call.say();
    let kind = |kind: &&str| ((*kind).to_owned(), kind_name(say, kind).to_owned());
    let kinds = Actor::KINDS.iter().map(kind);
    let members = answered(call.services().team.members(call.account())).await?.into_iter();
    let members = members.map(|member| (member.user.id.to_string(), member.user.email));
    let keys = names_of_keys(call).await?.into_iter();
    let keys = keys.map(|(key, name)| (key.to_string(), name));
    Ok(kinds.chain(members).chain(keys).collect())
}

/// The choice of one of them. One that a link names is kept, such as somebody who is no member any more.
fn chosen(say: Say, query: &Values, actors: &[(String, String)]) -> Field {
    let other = query.filled("actor").filter(|actor| Whose::parse(actor).is_ok());
    let other = other.filter(|actor| !actors.iter().any(|(known, _)| known == actor));
    let other = other.map(|actor| (actor.to_owned(), actor.to_owned()));
    let every = (String::new(), say.every().to_owned());
    let choices = [every].into_iter().chain(actors.iter().cloned()).chain(other);
    Field::select("actor", say.actor(), choices.collect(), query)
}

/// What something that was done is called, if it is known here.
fn called(say: Say, action: &str) -> Option<&'static str> {
    Action::named(action).map(|action| action_name(say, action))
}

/// Who has done it.
fn who(say: Say, entry: &AuditEntry) -> String {
    entry.actor_name.clone().unwrap_or_else(|| kind_name(say, entry.actor.kind()).to_owned())
}

/// What actors of a kind are called, where they have no name.
fn kind_name(say: Say, kind: &str) -> &'static str {
    match kind {
        "public" => say.by_public(),
        "key" => say.by_key(),
        "user" => say.by_user(),
        "operator" => say.by_operator(),
        _ => say.by_system(),
    }
}

/// Which entries a query asks for. What cannot be read of it is left out.
fn asked(query: &Values) -> AuditQuery {
    AuditQuery {
        page: list::asked(query),
        actor: query.read("actor", |actor| Whose::parse(actor).ok()),
        action: query.read("action", Action::named),
        resource: query.filled("resource").map(str::to_owned),
        ..AuditQuery::default()
    }
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let query = asked(&call.query);
    let table = Table::new(move |services, account, page| {
        services.audit.entries(account, AuditQuery { page, ..query.clone() })
    })
    .column(say.identifier(), |entry: &AuditEntry| entry.id.to_string())
    .moment(say.when(), zone, |entry| entry.created_at)
    .column(csv::id_of(say.actor()), |entry| entry.actor.to_string())
    .column(say.actor(), move |entry| who(say, entry))
    .column(say.action(), move |entry| {
        called(say, &entry.action).unwrap_or(&entry.action).to_owned()
    })
    .column(say.resource(), |entry| entry.resource.clone())
    .column(say.changes(), move |entry| changed(say, zone, entry))
    .optional(say.note(), |entry| entry.note.clone())
    .optional(say.network(), |entry| entry.address)
    .optional(csv::id_of(say.request()), |entry| entry.request_id.clone())
    .column(format!("{} ({})", say.action(), say.code()), |entry| entry.action.clone());
    csv::sent(&call, "audit.csv", table)
}

/// What an entry has changed, in a line.
fn changed(say: Say, zone: Zone, entry: &AuditEntry) -> String {
    let changes = in_words(say, zone, entry).into_iter();
    let told = changes.map(|one| format!("{}: {} → {}", one.field, one.before, one.after));
    told.collect::<Vec<_>>().join("; ")
}

/// What an entry has changed, as people call it.
fn in_words(say: Say, zone: Zone, entry: &AuditEntry) -> Vec<Change> {
    let value = |field: &str, held: String| match held == NOTHING {
        true => held,
        false => fields::value(say, zone, field, &held),
    };
    let told = |one: Change| Change {
        before: value(&one.field, one.before),
        after: value(&one.field, one.after),
        field: fields::name(say, &entry.action, &one.field).map_or(one.field, str::to_owned),
    };
    changes(&entry.before, &entry.after).into_iter().map(told).collect()
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
