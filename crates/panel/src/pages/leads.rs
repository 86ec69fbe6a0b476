//! Leads: listed, one with those that may be the same, converted and merged.

mod acts;

use accounts::{Right, Scope};
use askama::Template;
use crm::{Duplicate, Lead, LeadFilter, LeadId, LeadQuery, LeadStatus, Likeness};

use super::shop::words;
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{moment, money},
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{Empty, Link, Moment, Pager, Pill, Tone},
    reply::{answered, found},
    texts::Say,
};

const READ: Right = Right::read(Scope::Leads);
const PATH: &str = "leads";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show).listed(Group::Sell, "user-plus", Say::leads).key("l"),
        Page::get("leads/{id}", READ, detail),
    ];
    [own, acts::pages()].into_iter().flatten().collect()
}

const fn status_name(say: Say, status: LeadStatus) -> &'static str {
    match status {
        LeadStatus::New => say.lead_new(),
        LeadStatus::Contacted => say.lead_contacted(),
        LeadStatus::Qualified => say.lead_qualified(),
        LeadStatus::Converted => say.lead_converted(),
        LeadStatus::Lost => say.lead_lost(),
    }
}

fn status_pill(say: Say, status: LeadStatus) -> Pill {
    let tone = match status {
        LeadStatus::New | LeadStatus::Contacted | LeadStatus::Qualified => Tone::Waiting,
        LeadStatus::Converted => Tone::Good,
        LeadStatus::Lost => Tone::Bad,
    };
    Pill::new(tone, status_name(say, status))
}

#[derive(Template)]
#[template(path = "leads/list.html", whitespace = "minimize")]
struct Listed<'a> {
    say: Say,
    path: String,
    query: &'a Values,
    statuses: Vec<(&'static str, &'static str, bool)>,
    is_filtered: bool,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    name: String,
    href: String,
    company: String,
    email: String,
    source: String,
    status: Pill,
    value: String,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let asked = call.query.filled("status");
    let chosen = LeadStatus::EVERY.iter().copied().find(|one| Some(one.name()) == asked);
    let filter = LeadFilter { search: words(&call.query), status: chosen, ..LeadFilter::default() };
    let is_filtered = filter != LeadFilter::default();
    let query = LeadQuery { filter, page: list::asked(&call.query), ..LeadQuery::default() };
    let listed = answered(call.services().leads.list(call.account(), query)).await?;
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let line = |lead: Lead| Line {
        href: format!("{}/{}", call.href(PATH), lead.id),
        status: status_pill(say, lead.status),
        value: lead.estimated_value.map(|value| money(value, lead.currency)).unwrap_or_default(),
        company: lead.company.unwrap_or_default(),
        email: lead.email.unwrap_or_default(),
        source: lead.source.unwrap_or_default(),
        name: lead.name,
    };
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::new(say.no_matches()).action(say.clear_filters(), call.href(PATH)),
        false => Empty::new(say.no_leads()),
    });
    let status =
        |status: &LeadStatus| (status.name(), status_name(say, *status), chosen == Some(*status));
    let body = Listed {
        say,
        path: call.href(PATH),
        query: &call.query,
        statuses: LeadStatus::EVERY.iter().map(status).collect(),
        is_filtered,
        lines,
        empty,
        pager,
    };
    Ok(call.page(Sheet::new(say.leads(), &body)))
}

#[derive(Template)]
#[template(path = "leads/detail.html", whitespace = "minimize")]
struct Detail {
    say: Say,
    asked: Moment,
    facts: Vec<(&'static str, String)>,
    ways: Vec<Link>,
    notes: Option<String>,
    duplicates: Vec<DuplicateLine>,
}

struct DuplicateLine {
    name: String,
    href: String,
    by: String,
    status: Pill,
    /// Where it is made a part of this one, for who may do that.
    merge: Option<String>,
}

/// The lead of the path.
async fn lead(call: &Call<Member>) -> Result<Lead, Failure> {
    let id = LeadId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().leads.get(call.account(), id)).await
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let lead = lead(&call).await?;
    let zone = call.zone().await?;
    let duplicates = found(call.services().leads.duplicates(call.account(), lead.id)).await?;
    let place = format!("{}/{}", call.href(PATH), lead.id);
    let may_merge = call.may(acts::WRITE) && lead.merged_into.is_none();
    let duplicate = |Duplicate { lead: other, by }: Duplicate| DuplicateLine {
        href: format!("{}/{}", call.href(PATH), other.id),
        by: by.iter().map(|by| likeness(say, *by)).collect::<Vec<_>>().join(", "),
        status: status_pill(say, other.status),
        merge: may_merge.then(|| format!("{place}/merge?from={}", other.id)),
        name: other.name,
    };
    let value = lead.estimated_value.map(|value| money(value, lead.currency));
    let tags = Some(lead.tags.join(", ")).filter(|tags| !tags.is_empty());
    let facts = [
        (say.company(), lead.company.clone()),
        (say.email(), lead.email.clone()),
        (say.phone(), lead.phone.clone()),
        (say.lead_source(), lead.source.clone()),
        (say.lead_value(), value),
        (say.lead_owner(), lead.owner.clone()),
        (say.tags(), tags),
    ];
    let body = Detail {
        say,
        asked: moment(lead.created_at, zone, call.language),
        facts: facts.into_iter().filter_map(|(label, text)| Some((label, text?))).collect(),
        ways: ways(&call, &lead),
        notes: lead.notes.clone(),
        duplicates: duplicates.into_iter().map(duplicate).collect(),
    };
    let sheet = Sheet::new(lead.name.clone(), &body).pill(status_pill(say, lead.status));
    let sheet = match acts::may_convert(&call, &lead) {
        true => sheet.action(say.convert(), format!("{place}/convert")),
        false => sheet,
    };
    Ok(call.page(sheet.back(say.leads(), call.href(PATH))))
}

const fn likeness(say: Say, by: Likeness) -> &'static str {
    match by {
        Likeness::Email => say.email(),
        Likeness::Phone => say.phone(),
    }
}

/// To what it has become, as far as the member may look at that.
fn ways(call: &Call<Member>, lead: &Lead) -> Vec<Link> {
    let say = call.say();
    let may = |scope| call.may(Right::read(scope));
    let deal = lead.deal.filter(|_| may(Scope::Deals));
    let deal = deal.map(|id| Link::new(say.deal(), format!("{}/{id}", call.href("deals"))));
    let customer = lead.customer.filter(|_| may(Scope::Customers));
    let customer =
        customer.map(|id| Link::new(say.customer(), format!("{}/{id}", call.href("customers"))));
    let merged = lead.merged_into;
    let merged = merged.map(|id| Link::new(say.merged_into(), format!("{}/{id}", call.href(PATH))));
    deal.into_iter().chain(customer).chain(merged).collect()
}
