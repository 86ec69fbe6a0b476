//! The audit log: who did what.

use std::collections::BTreeMap;

use accounts::{Access, Action, Area, AuditEntry, AuditQuery, Right};
use askama::Template;

use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    format::moment,
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{Empty, Moment, Pager},
    reply::answered,
    texts::Say,
};

const READ: Right = Right::of(Area::Audit, Access::Read);
const PATH: &str = "settings/audit";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get(PATH, READ, show).listed(Group::Settings, "scroll-text", Say::audit).key("7")]
}

#[derive(Template)]
#[template(path = "settings/audit.html", whitespace = "minimize")]
struct Log<'a> {
    say: Say,
    path: String,
    actions: Vec<(&'static str, bool)>,
    actor: &'a str,
    is_filtered: bool,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    at: Moment,
    actor: String,
    action: String,
    resource: String,
    changes: Vec<Change>,
    from: String,
}

struct Change {
    field: String,
    before: String,
    after: String,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let filled = |name: &str| call.query.filled(name).map(str::to_owned);
    let query = AuditQuery {
        page: list::asked(&call.query),
        actor: filled("actor"),
        action: filled("action"),
        resource: filled("resource"),
        ..AuditQuery::default()
    };
    let is_filtered = query.actor.is_some() || query.action.is_some() || query.resource.is_some();
    let chosen = query.action.clone();
    let entries = answered(call.services().audit.entries(call.account(), query)).await?;
    let zone = call.zone().await?;
    let pager = list::pager(say, &call.href(PATH), &call.query, &entries);
    let line = |entry: AuditEntry| Line {
        at: moment(entry.created_at, zone, call.language),
        actor: entry.actor_name.unwrap_or_else(|| entry.actor.kind().to_owned()),
        changes: changes(&entry.before, &entry.after),
        from: entry.address.map(|address| address.to_string()).unwrap_or_default(),
        action: entry.action,
        resource: entry.resource,
    };
    let lines: Vec<_> = entries.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| Empty::new(say.no_audit()));
    let action = |action: &Action| (action.name(), chosen.as_deref() == Some(action.name()));
    let body = Log {
        say,
        path: call.href(PATH),
        actions: Action::EVERY.iter().map(action).collect(),
        actor: call.query.shown("actor"),
        is_filtered,
        lines,
        empty,
        pager,
    };
    Ok(call.page(Sheet::new(say.audit(), &body)))
}

/// What was changed, field by field.
fn changes(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<Change> {
    let mut fields: Vec<_> = before.keys().chain(after.keys()).collect();
    fields.sort_unstable();
    fields.dedup();
    let told = |values: &BTreeMap<String, String>, field: &String| {
        values.get(field).cloned().unwrap_or_else(|| "—".to_owned())
    };
    let change = |field: &String| Change {
        field: field.clone(),
        before: told(before, field),
        after: told(after, field),
    };
    fields.into_iter().map(change).collect()
}
