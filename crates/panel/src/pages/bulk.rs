//! Bulk actions: how far each is, and what came of each row.

pub(super) mod asking;
mod reasons;

use ::bulk::{Bulk, Outcome, Row, RowQuery, Selection, Stopped, Tally, Wanted, is_bulk};
use accounts::{Right, Scope};
use askama::Template;
use tasks::{Status, TaskId, TaskState};

use self::reasons::told;
use super::jobs;
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    form::Values,
    format::grouped,
    layout::Sheet,
    list,
    page::Page,
    parts::{Link, Pager, Pill, Progress, Stat, Tone},
    reply::{answered, found},
    texts::Say,
};

/// Every role may look at orders; what else an action is about is looked at when it is known.
const READ: Right = Right::read(Scope::Orders);
/// Where they lie.
pub(super) const PATH: &str = "bulk";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("bulk/{id}", READ, show),
        Page::get("bulk/{id}/rows.csv", READ, table),
        Page::post("bulk/{id}/cancel", READ, cancel),
    ]
}

#[derive(Template)]
#[template(path = "jobs/bulk.html", whitespace = "minimize")]
struct Shown {
    say: Say,
    progress: Progress,
    remark: Option<String>,
    stats: Vec<Stat>,
    head: &'static str,
    lines: Vec<Line>,
    pager: Option<Pager>,
}

struct Line {
    label: String,
    href: Option<String>,
    state: Pill,
    reason: Option<String>,
    made: Option<Link>,
}

/// The action that a page is about, if the member may look at what it is about.
async fn bulk(call: &Call<Member>) -> Result<Bulk, Failure> {
    let id = TaskId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let bulk = found(call.services().bulk.bulk(call.account(), id)).await?;
    let may_look = is_bulk(&bulk.task.kind) && jobs::may_look(call, &bulk.task.kind);
    if may_look { Ok(bulk) } else { Err(Failure::Nothing) }
}

/// Which rows a query asks for.
fn outcome(query: &Values) -> Option<Outcome> {
    list::named(query, "outcome", Outcome::EVERY, Outcome::name)
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let Bulk { task, wanted, tally } = bulk(&call).await?;
    let query = RowQuery { outcome: outcome(&call.query), page: list::asked(&call.query) };
    let rows = answered(call.services().bulk.rows(call.account(), task.id, query)).await?;
    let place = format!("{}/{}", call.href(PATH), task.id);
    let status = task.status(call.now());
    let is_open = !matches!(status, Status::Ended(_));
    let pager = (!rows.items.is_empty()).then(|| list::pager(say, &place, &call.query, &rows));
    let body = Shown {
        say,
        progress: progress(say, &tally, is_open),
        remark: remark(&call, status, task.outcome.as_deref()),
        stats: stats(say, &tally, &place),
        head: head(say, &wanted.selection),
        lines: rows.items.into_iter().map(|row| line(&call, &wanted, row)).collect(),
        pager,
    };
    let name = jobs::action_name(say, wanted.action.name());
    let sheet = Sheet::new(name, &body).pill(jobs::status_pill(say, status));
    let sheet = match tally.refused {
        0 => sheet,
        _ => sheet.action(say.refused_csv(), format!("{place}/rows.csv?outcome=refused")),
    };
    let sheet = sheet.quiet(say.export_csv(), format!("{place}/rows.csv"));
    let may_cancel = is_open && !task.is_cancel_requested;
    let may_cancel = may_cancel && wanted.action.rights().iter().all(|right| call.may(*right));
    let sheet = match may_cancel {
        true => sheet.act(&call.button(format!("{place}/cancel"), say.job_cancel())),
        false => sheet,
    };
    let sheet = if is_open { sheet.again(Progress::SECONDS) } else { sheet };
    Ok(call.page(sheet.back(say.jobs(), call.href("jobs"))))
}

/// How far it is, once it is known what it is about.
fn progress(say: Say, tally: &Tally, is_open: bool) -> Progress {
    let (done, all) = (tally.acted(), tally.total);
    let told = match tally.is_collected {
        true => say.bulk_progress(&grouped(done), &grouped(all)),
        false => say.bulk_counting().to_owned(),
    };
    let total = tally.is_collected.then(|| all.max(1));
    Progress::new(say.job_progress(), (done, total), told, is_open)
}

/// Why it does not go on.
fn remark(call: &Call<Member>, status: Status, outcome: Option<&str>) -> Option<String> {
    let say = call.say();
    match status {
        Status::Ended(TaskState::Succeeded) | Status::Running => None,
        Status::Ended(_) => {
            let why = outcome.and_then(Stopped::of_outcome).map(Stopped::reason);
            let why = why.map(|why| format!(" {}", why.message.in_language(call.language)));
            Some(format!("{}{}", say.bulk_stopped(), why.unwrap_or_default()))
        }
        // What it pauses for is told where jobs are listed, in the words of whatever was away.
        Status::Queued => outcome.map(|_| say.bulk_pauses().to_owned()),
    }
}

fn stats(say: Say, tally: &Tally, place: &str) -> Vec<Stat> {
    let of = |outcome: Outcome, [one, many]: [&'static str; 2]| Stat {
        label: (if tally.of(outcome) == 1 { one } else { many }).to_owned(),
        figure: grouped(tally.of(outcome)),
        href: Some(format!("{place}?outcome={}", outcome.name())),
    };
    let left = tally.total.saturating_sub(tally.acted());
    vec![
        of(Outcome::Done, [say.outcome_done(), say.rows_done_well()]),
        of(Outcome::Refused, [say.outcome_refused(), say.rows_rejected()]),
        of(Outcome::Skipped, [say.outcome_skipped(), say.rows_skipped()]),
        Stat {
            label: say.rows_left().to_owned(),
            figure: grouped(left),
            href: Some(place.to_owned()),
        },
    ]
}

/// What is acted on.
const fn head(say: Say, selection: &Selection) -> &'static str {
    match selection {
        Selection::Orders(_) => say.order(),
        Selection::Invoices(_) => say.invoice(),
        Selection::Deliveries(_) => say.delivery(),
    }
}

fn line(call: &Call<Member>, wanted: &Wanted, row: Row) -> Line {
    let (say, selection) = (call.say(), &wanted.selection);
    let href = shown(call, selection, &row.subject).map(|link| link.href);
    let reason = told(say, &wanted.action, &row);
    let Some(result) = row.result else {
        let state = Pill::new(Tone::Plain, outcome_name(say, None));
        return Line { label: row.label, href, state, reason: None, made: None };
    };
    let tone = match result.outcome {
        Outcome::Done => Tone::Good,
        Outcome::Refused => Tone::Bad,
        Outcome::Skipped => Tone::Plain,
    };
    let state = Pill::new(tone, outcome_name(say, Some(result.outcome)));
    let made = result.made.and_then(|id| shown(call, selection, &id));
    Line { label: row.label, href, state, reason, made }
}

/// What came of a row, if anything yet.
const fn outcome_name(say: Say, outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => say.outcome_waits(),
        Some(Outcome::Done) => say.outcome_done(),
        Some(Outcome::Refused) => say.outcome_refused(),
        Some(Outcome::Skipped) => say.outcome_skipped(),
    }
}

/// What an identifier names: what people call that, and where it is shown.
fn shown(call: &Call<Member>, selection: &Selection, id: &str) -> Option<Link> {
    let say = call.say();
    let (prefix, _) = id.split_once('_')?;
    if let Selection::Deliveries(chosen) = selection {
        let path = format!("webhooks/{}/deliveries/{id}", chosen.subscription);
        return Some(Link::new(say.delivery(), call.href(&path)));
    }
    let (called, path) = match prefix {
        "ord" => (say.order(), "orders"),
        "inv" => (say.invoice(), "invoices"),
        "pay" => (say.payment(), "payments"),
        "apr" => (say.approval(), "approvals"),
        _ => return None,
    };
    Some(Link::new(called, format!("{}/{id}", call.href(path))))
}

async fn cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let Bulk { task, wanted, .. } = bulk(&call).await?;
    if !wanted.action.rights().iter().all(|right| call.may(*right)) {
        return Err(Failure::NotAllowed);
    }
    jobs::cancelled(&call, task.id, &format!("{PATH}/{}", task.id)).await
}

/// Rows as a table.
async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let Bulk { task, wanted, .. } = bulk(&call).await?;
    let (id, outcome) = (task.id, outcome(&call.query));
    let table = Table::new(move |services, account, page| {
        services.bulk.rows(account, id, RowQuery { outcome, page })
    })
    .column(head(say, &wanted.selection), |row: &Row| row.label.clone())
    .column(say.identifier(), |row| row.subject.clone())
    .column(say.outcome(), move |row| {
        outcome_name(say, row.result.as_ref().map(|result| result.outcome)).to_owned()
    })
    .optional(say.code(), |row| Some(reason(row)?.code.clone()))
    .optional(say.reason(), move |row| told(say, &wanted.action, row))
    .optional(say.led_to(), |row| row.result.as_ref()?.made.clone());
    csv::sent(&call, "bulk-action.csv", table)
}

fn reason(row: &Row) -> Option<&::bulk::Reason> {
    row.result.as_ref()?.reason.as_ref()
}
