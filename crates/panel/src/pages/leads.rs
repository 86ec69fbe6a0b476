//! Leads: listed, one with those that may be the same, converted and merged.

mod acts;
mod edit;

use accounts::{Right, Scope};
use askama::Template;
use crm::{Duplicate, Lead, LeadFilter, LeadId, LeadQuery, LeadStatus, Likeness};

use super::{
    activities::{self, Subject},
    shop::words,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    form::Values,
    format::{moment, money},
    layout::Sheet,
    list,
    markup::Markup,
    page::{Group, Page},
    parts::{Empty, Filters, Link, Moment, Pager, Pill, Tone},
    reply::{answered, found},
    sort::{self, Column, SortHead, Sorted},
    texts::Say,
};

const READ: Right = Right::read(Scope::Leads);
const PATH: &str = "leads";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show).listed(Group::Sell, "user-plus", Say::leads).key("l").list(),
        Page::get("leads/{id}", READ, detail),
        Page::get("leads.csv", READ, table),
    ];
    [own, edit::pages(), acts::pages()].into_iter().flatten().collect()
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
struct Listed {
    say: Say,
    filters: Filters,
    by_date: SortHead,
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
    at: Moment,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let filter = filter(&call.query);
    let is_filtered = filter.search.is_some() || filter.status.is_some();
    let sorted = Sorted::asked(&call.query, sort::RECORDS);
    let query = LeadQuery { filter, sort: sorted.sorting, page: sorted.page(&call.query) };
    let listed = answered(call.services().leads.list(call.account(), query)).await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let line = |lead: Lead| Line {
        href: format!("{}/{}", call.href(PATH), lead.id),
        status: status_pill(say, lead.status),
        at: moment(lead.created_at, zone, call.language),
        value: lead.estimated_value.map(|value| money(value, lead.currency)).unwrap_or_default(),
        company: lead.company.unwrap_or_default(),
        email: lead.email.unwrap_or_default(),
        source: lead.source.unwrap_or_default(),
        name: lead.name,
    };
    let total = list::counted(say, listed.total);
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::unmatched(say, call.href(PATH)),
        false if call.may(acts::WRITE) => {
            Empty::new(say.no_leads()).action(say.new_lead(), call.href("leads/new"))
        }
        false => Empty::new(say.no_leads()),
    });
    let statuses: Vec<_> =
        LeadStatus::EVERY.iter().map(|one| (one.name(), status_name(say, *one))).collect();
    let filters = Filters::new(say, call.href(PATH), &call.query, total).choice(
        &call.query,
        ("status", say.state()),
        &statuses,
    );
    let body = Listed {
        say,
        filters,
        by_date: {
            let by_date = Column::moments("createdAt", say.date());
            sorted.head(&call.href(PATH), &call.query, &by_date)
        },
        lines,
        empty,
        pager,
    };
    let sheet = Sheet::new(say.leads(), &body);
    Ok(call.page(match call.may(acts::WRITE) {
        true => sheet.action(say.new_lead(), call.href("leads/new")),
        false => sheet,
    }))
}

/// Which leads a query asks for. What cannot be read of it is left out.
fn filter(query: &Values) -> LeadFilter {
    let status = list::named(query, "status", LeadStatus::EVERY, LeadStatus::name);
    // Those that are part of another are found there.
    LeadFilter { search: words(query), status, without_merged: true, ..LeadFilter::default() }
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let filter = filter(&call.query);
    let sort = Sorted::asked(&call.query, sort::RECORDS).sorting;
    let table = Table::new(move |services, account, page| {
        services.leads.list(account, LeadQuery { filter: filter.clone(), sort, page })
    })
    .column(say.identifier(), |lead: &Lead| lead.id.to_string())
    .column(say.name(), |lead| lead.name.clone())
    .optional(say.company(), |lead| lead.company.clone())
    .optional(say.email(), |lead| lead.email.clone())
    .optional(say.phone(), |lead| lead.phone.clone())
    .optional(say.lead_source(), |lead| lead.source.clone())
    .column(say.state(), move |lead| status_name(say, lead.status).to_owned())
    .money(say.lead_value(), |lead| lead.currency, |lead| lead.estimated_value)
    .column(say.currency(), |lead| lead.currency.to_string())
    .optional(say.lead_owner(), |lead| lead.owner.clone())
    .column(say.tags(), |lead| lead.tags.join(", "))
    .optional(csv::id_of(say.deal()), |lead| lead.deal)
    .optional(csv::id_of(say.customer()), |lead| lead.customer)
    .optional(say.external_id(), |lead| lead.external_id.clone())
    .optional(say.notes(), |lead| lead.notes.clone())
    .moment(say.date(), zone, |lead| lead.created_at);
    csv::sent(&call, "leads.csv", table)
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
    activities: Markup,
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
    let zone = call.zone();
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
    let about = Subject { lead: Some(lead.id), ..Subject::default() };
    let body = Detail {
        say,
        asked: moment(lead.created_at, zone, call.language),
        facts: facts.into_iter().filter_map(|(label, text)| Some((label, text?))).collect(),
        ways: ways(&call, &lead),
        notes: lead.notes.clone(),
        duplicates: duplicates.into_iter().map(duplicate).collect(),
        activities: activities::part(&call, about, zone).await?,
    };
    let sheet = Sheet::new(lead.name.clone(), &body).pill(status_pill(say, lead.status));
    let sheet = match acts::may_convert(&call, &lead) {
        true => sheet.action(say.convert(), format!("{place}/convert")),
        false => sheet,
    };
    let sheet = match call.may(acts::WRITE) {
        true => sheet
            .action(say.edit(), format!("{place}/edit"))
            .grave(say.delete_lead(), format!("{place}/delete")),
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
