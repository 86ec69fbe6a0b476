//! Activities: calls, meetings, tasks and notes, listed for all and at what they are about.

mod acts;

use accounts::{Right, Scope};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use crm::{
    Activity, ActivityFilter, ActivityKind, ActivityQuery, ActivitySort, CustomerId, DealId, LeadId,
};
use kernel::{
    PageRequest, Timestamp,
    page::{Count, Sorting},
};

use super::linked::nothing_yet;
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    form::Values,
    format::moment,
    layout::Sheet,
    list,
    markup::Markup,
    page::{Group, Page},
    parts::{ButtonForm, Empty, Filters, Link, Moment, Pager, Pill, Tone},
    reply::answered,
    texts::Say,
};

/// Activities are a part of deals.
const READ: Right = Right::read(Scope::Deals);
const WRITE: Right = Right::write(Scope::Deals);
const PATH: &str = "activities";
/// As many as are shown at what they are about.
const SHOWN_MAX: u32 = 20;

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show)
            .listed(Group::Sell, "list-checks", Say::activities)
            .key("y")
            .list(),
        Page::get("activities.csv", READ, table),
    ];
    [own, acts::pages()].into_iter().flatten().collect()
}

const fn kind_name(say: Say, kind: ActivityKind) -> &'static str {
    match kind {
        ActivityKind::Call => say.activity_call(),
        ActivityKind::Meeting => say.activity_meeting(),
        ActivityKind::Task => say.activity_task(),
        ActivityKind::Note => say.activity_note(),
    }
}

/// What activities are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) deal: Option<DealId>,
    pub(super) lead: Option<LeadId>,
    pub(super) customer: Option<CustomerId>,
}

impl Subject {
    fn of(activity: &Activity) -> Self {
        let Activity { deal, lead, customer, .. } = *activity;
        Self { deal, lead, customer }
    }

    /// What a query or a form names.
    fn named(values: &Values) -> Self {
        Self {
            deal: values.read("deal", DealId::parse),
            lead: values.read("lead", LeadId::parse),
            customer: values.read("customer", CustomerId::parse),
        }
    }

    /// As a query names it.
    fn query(self) -> String {
        let parts = [
            self.deal.map(|id| format!("deal={id}")),
            self.lead.map(|id| format!("lead={id}")),
            self.customer.map(|id| format!("customer={id}")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("&")
    }

    /// To it, as far as the member may look at that.
    fn ways(self, call: &Call<Member>) -> Vec<Link> {
        let say = call.say();
        let may = |scope| call.may(Right::read(scope));
        let place = |path: &str, id: String| format!("{}/{id}", call.href(path));
        let deal = self.deal.map(|id| Link::new(say.deal(), place("deals", id.to_string())));
        let lead = self.lead.filter(|_| may(Scope::Leads));
        let lead = lead.map(|id| Link::new(say.lead(), place("leads", id.to_string())));
        let customer = self.customer.filter(|_| may(Scope::Customers));
        let customer =
            customer.map(|id| Link::new(say.customer(), place("customers", id.to_string())));
        deal.into_iter().chain(lead).chain(customer).collect()
    }
}

struct Line {
    kind: &'static str,
    subject: String,
    /// Where it is changed and deleted, by who may.
    place: Option<String>,
    notes: Option<String>,
    due: Option<Moment>,
    assignee: String,
    state: Option<Pill>,
    ways: Vec<Link>,
    /// Says that it is done, or not after all.
    turn: Option<ButtonForm>,
}

fn line(call: &Call<Member>, activity: Activity, zone: Zone, is_listed: bool) -> Line {
    let say = call.say();
    let place = format!("{}/{}", call.href(PATH), activity.id);
    let may_write = call.may(WRITE);
    let is_note = activity.kind == ActivityKind::Note;
    let (act, label) = match activity.done_at {
        None => ("done", say.activity_done()),
        Some(_) => ("undone", say.activity_undone()),
    };
    let back = if is_listed { "?list=true" } else { "" };
    let turn = call.button(format!("{place}/{act}{back}"), label).class("link");
    Line {
        kind: kind_name(say, activity.kind),
        place: may_write.then_some(place),
        due: activity.due_at.map(|at| moment(at, zone, call.language)),
        state: state(say, &activity, call.now()),
        ways: if is_listed { Subject::of(&activity).ways(call) } else { Vec::new() },
        turn: (may_write && !is_note).then_some(turn),
        assignee: activity.assignee.unwrap_or_default(),
        notes: activity.notes,
        subject: activity.subject,
    }
}

/// Where an activity stands; a note stands nowhere.
fn state(say: Say, activity: &Activity, now: Timestamp) -> Option<Pill> {
    let is_late = activity.due_at.is_some_and(|due| due < now);
    match (activity.kind, activity.done_at) {
        (ActivityKind::Note, _) => None,
        (_, Some(_)) => Some(Pill::new(Tone::Good, say.activity_is_done())),
        (_, None) if is_late => Some(Pill::new(Tone::Bad, say.activity_overdue())),
        (_, None) => Some(Pill::new(Tone::Waiting, say.activity_open())),
    }
}

#[derive(Template)]
#[template(path = "activities/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    filters: Filters,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let (filter, sort) = asked(&call.query, call.now());
    let is_filtered = filter != ActivityFilter::default();
    let query = ActivityQuery { filter, sort, page: list::asked(&call.query) };
    let listed = answered(call.services().activities.list(call.account(), query)).await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let (query, total) = (&call.query, list::counted(say, listed.total));
    let lines: Vec<_> =
        listed.items.into_iter().map(|activity| line(&call, activity, zone, true)).collect();
    let new = call.href("activities/new");
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::unmatched(say, call.href(PATH)),
        false => nothing_yet(&call, say.no_activities(), (say.new_activity(), "activities/new")),
    });
    let kinds: Vec<_> =
        ActivityKind::EVERY.iter().map(|one| (one.name(), kind_name(say, *one))).collect();
    let states = [
        ("open", say.activity_open()),
        ("overdue", say.activity_overdue()),
        ("done", say.activity_is_done()),
    ];
    let about = |name: &str, label: &'static str| query.filled(name).map(|_| label.to_owned());
    let filters = Filters::without_words(say, call.href(PATH), query, total)
        .choice(query, ("kind", say.activity_kind()), &kinds)
        .choice(query, ("state", say.state()), &states)
        .typed(query, ("assignee", say.activity_assignee()))
        .chip(about("deal", say.deal()), query, "deal")
        .chip(about("lead", say.lead()), query, "lead")
        .chip(about("customer", say.customer()), query, "customer");
    let body = Listed { say, filters, lines, empty, pager };
    let sheet = Sheet::new(say.activities(), &body);
    Ok(call.page(if call.may(WRITE) { sheet.action(say.new_activity(), new) } else { sheet }))
}

/// Which activities a query asks for at a moment, and in which order. What cannot be read of it is left out.
fn asked(query: &Values, now: Timestamp) -> (ActivityFilter, Sorting<ActivitySort>) {
    let state = list::named(query, "state", &["open", "overdue", "done"], |one| one);
    let Subject { deal, lead, customer } = Subject::named(query);
    let filter = ActivityFilter {
        kind: list::named(query, "kind", ActivityKind::EVERY, ActivityKind::name),
        is_done: match state {
            Some("open" | "overdue") => Some(false),
            Some("done") => Some(true),
            _ => None,
        },
        assignee: query.filled("assignee").map(str::to_owned),
        deal,
        lead,
        customer,
        due_to: (state == Some("overdue")).then_some(now),
        ..ActivityFilter::default()
    };
    // What is overdue longest comes first.
    let sort = match state {
        Some("overdue") => Sorting { by: ActivitySort::DueAt, ascending: true },
        _ => Sorting::default(),
    };
    (filter, sort)
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let (filter, sort) = asked(&call.query, call.now());
    let table = Table::new(move |services, account, page| {
        services.activities.list(account, ActivityQuery { filter: filter.clone(), sort, page })
    })
    .column(say.identifier(), |activity: &Activity| activity.id.to_string())
    .column(say.activity_kind(), move |activity| kind_name(say, activity.kind).to_owned())
    .column(say.subject(), |activity| activity.subject.clone())
    .moment(say.activity_due(), zone, |activity| activity.due_at)
    .moment(say.activity_is_done(), zone, |activity| activity.done_at)
    .optional(say.activity_assignee(), |activity| activity.assignee.clone())
    .optional(csv::id_of(say.deal()), |activity| activity.deal)
    .optional(csv::id_of(say.lead()), |activity| activity.lead)
    .optional(csv::id_of(say.customer()), |activity| activity.customer)
    .optional(say.notes(), |activity| activity.notes.clone())
    .moment(say.date(), zone, |activity| activity.created_at);
    csv::sent(&call, "activities.csv", table)
}

#[derive(Template)]
#[template(path = "activities/part.html", whitespace = "minimize")]
struct Part {
    say: Say,
    lines: Vec<Line>,
    /// To all of them, where there are more.
    more: Option<String>,
    new: Option<String>,
}

/// The newest activities about something, as a part of its page; nothing for who may not look at them.
pub(super) async fn part(
    call: &Call<Member>,
    subject: Subject,
    zone: Zone,
) -> Result<Markup, Failure> {
    if !call.may(READ) {
        return Ok(Markup::default());
    }
    let Subject { deal, lead, customer } = subject;
    let filter = ActivityFilter { deal, lead, customer, ..ActivityFilter::default() };
    let page = PageRequest { limit: SHOWN_MAX, count: Count::Nothing, ..PageRequest::default() };
    let query = ActivityQuery { filter, page, ..ActivityQuery::default() };
    let listed = answered(call.services().activities.list(call.account(), query)).await?;
    let named = subject.query();
    let more = listed.next.is_some().then(|| format!("{}?{named}", call.href(PATH)));
    let lines = listed.items.into_iter().map(|activity| line(call, activity, zone, false));
    let new = call.may(WRITE).then(|| format!("{}?{named}", call.href("activities/new")));
    Ok(Markup::of(&Part { say: call.say(), lines: lines.collect(), more, new }))
}
