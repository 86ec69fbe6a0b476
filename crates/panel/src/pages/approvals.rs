//! Approvals: what waits to be decided, by whom, and what would happen; who is asked decides here.

mod acts;
mod rules;

use std::collections::HashMap;

use accounts::{Right, Scope};
use approvals::{
    Approval, ApprovalId, ApprovalQuery, Decision, Effect, EntityType, Field, FieldKind, Op,
    Person, Status, Value, Verdict,
};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use crm::CustomerId;
use inventory::{Cause, Reason};
use invoices::CancelReason;
use kernel::Currency;
use orders::OrderStatus;
use payments::Method;

use super::{invoices::reason_name, linked::page_of, money::method_name, shop, stock::cause_name};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    format::{moment, money},
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{ButtonForm, Empty, Filters, Happening, Moment, Pager, Pill, Timeline, Tone},
    reply::{answered, found},
    texts::Say,
};

/// Every role may look at orders; which approvals it sees is judged by what each is about.
const READ: Right = Right::read(Scope::Orders);
const PATH: &str = "approvals";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show)
            .listed(Group::Home, "circle-check", Say::approvals)
            .key("a")
            .list(),
        Page::get("approvals/{id}", READ, detail),
        Page::get("approvals.csv", READ, table),
    ];
    [own, rules::pages(), acts::pages()].into_iter().flatten().collect()
}

/// Whether the member may look at approvals of such things.
pub(super) fn covers(call: &Call<Member>, entity: EntityType) -> bool {
    scope(entity).is_some_and(|scope| call.may(Right::read(scope)))
}

/// Whether the member's role decides about such things, where they are named.
fn decides(call: &Call<Member>, entity: EntityType) -> bool {
    scope(entity).is_some_and(|scope| call.may(Right::approve(scope)))
}

fn scope(entity: EntityType) -> Option<Scope> {
    Scope::EVERY.iter().copied().find(|scope| scope.name() == entity.scope())
}

/// The member, as approvals name people.
fn myself(call: &Call<Member>) -> Person {
    Person::User(call.who.person.0.user.id)
}

pub(in crate::pages) const fn entity_name(say: Say, entity: EntityType) -> &'static str {
    match entity {
        EntityType::OrderDiscount => say.of_order_discount(),
        EntityType::OrderCancellation => say.of_order_cancellation(),
        EntityType::InvoiceCancellation => say.of_invoice_cancellation(),
        EntityType::Refund => say.of_refund(),
        EntityType::StockAdjustment => say.of_stock_adjustment(),
        EntityType::StockTransfer => say.of_stock_transfer(),
    }
}

const fn status_name(say: Say, status: Status) -> &'static str {
    match status {
        Status::Pending => say.approval_pending(),
        Status::Approved => say.approval_approved(),
        Status::Rejected => say.approval_rejected(),
        Status::Cancelled => say.approval_cancelled(),
        Status::Expired => say.approval_expired(),
        Status::Superseded => say.approval_superseded(),
    }
}

/// What a comparison is called.
pub(in crate::pages) const fn comparison(say: Say, op: Op) -> &'static str {
    match op {
        Op::Eq => say.compared_eq(),
        Op::Ne => say.compared_ne(),
        Op::Gt => say.compared_gt(),
        Op::Gte => say.compared_gte(),
        Op::Lt => say.compared_lt(),
        Op::Lte => say.compared_lte(),
        Op::In => say.compared_in(),
    }
}

fn status_pill(say: Say, status: Status) -> Pill {
    let tone = match status {
        Status::Pending => Tone::Waiting,
        Status::Approved => Tone::Good,
        Status::Rejected => Tone::Bad,
        Status::Cancelled | Status::Expired | Status::Superseded => Tone::Plain,
    };
    Pill::new(tone, status_name(say, status))
}

#[derive(Template)]
#[template(path = "approvals/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    filters: Filters,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    what: &'static str,
    href: String,
    asked: Moment,
    by: String,
    until: Moment,
    status: Pill,
    reason: String,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let query = asked(&call);
    let chosen = query.status;
    let listed = answered(call.services().approvals.list(call.account(), query)).await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let whose: Vec<_> = listed.items.iter().map(|approval| approval.requested_by).collect();
    let names = rules::names(&call, &whose).await?;
    let line = |approval: Approval| Line {
        what: entity_name(say, approval.entity),
        href: format!("{}/{}", call.href(PATH), approval.id),
        asked: moment(approval.created_at, zone, call.language),
        by: called_by(&names, approval.requested_by),
        until: moment(approval.expires_at, zone, call.language),
        status: status_pill(say, approval.status_at(call.now())),
        reason: approval.reason.unwrap_or_default(),
    };
    let total = list::counted(say, listed.total);
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| match chosen {
        Some(_) => Empty::unmatched(say, call.href(PATH)),
        None => Empty::new(say.no_approvals()),
    });
    let statuses: Vec<_> =
        Status::EVERY.iter().map(|one| (one.name(), status_name(say, *one))).collect();
    let filters = Filters::without_words(say, call.href(PATH), &call.query, total).choice(
        &call.query,
        ("status", say.state()),
        &statuses,
    );
    let body = Listed { say, filters, lines, empty, pager };
    let sheet = Sheet::new(say.approvals(), &body);
    Ok(call.page(sheet.action(say.approval_rules(), call.href("approvals/rules"))))
}

/// Which approvals are asked for, of those that the member may look at. What cannot be read of the query is left out.
fn asked(call: &Call<Member>) -> ApprovalQuery {
    let entities = EntityType::EVERY.iter().copied().filter(|entity| covers(call, *entity));
    ApprovalQuery {
        entities: entities.collect(),
        status: list::named(&call.query, "status", Status::EVERY, Status::name),
        now: call.now(),
        entity_id: None,
        page: list::asked(&call.query),
    }
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone, now) = (call.say(), call.zone(), call.now());
    let query = asked(&call);
    let table = Table::new(move |services, account, page| {
        services.approvals.list(account, ApprovalQuery { page, ..query.clone() })
    })
    .column(say.identifier(), |approval: &Approval| approval.id.to_string())
    .column(say.approval(), move |approval| entity_name(say, approval.entity).to_owned())
    .column(say.resource(), |approval| approval.entity_id.clone())
    .moment(say.date(), zone, |approval| approval.created_at)
    .optional(say.reason(), |approval| approval.reason.clone())
    .column(say.state(), move |approval| status_name(say, approval.status_at(now)).to_owned())
    .moment(say.expires(), zone, |approval| approval.expires_at);
    csv::sent(&call, "approvals.csv", table)
}

#[derive(Template)]
#[template(path = "approvals/detail.html", whitespace = "minimize")]
struct Detail {
    say: Say,
    asked: Moment,
    /// Who has asked.
    by: String,
    id: String,
    /// Where what it is about is shown, if that is there.
    href: Option<String>,
    reason: Option<String>,
    facts: Vec<(&'static str, String)>,
    effect: Option<String>,
    decisions: Timeline,
    is_mine: bool,
    /// Takes it back, for who has asked.
    take_back: Option<ButtonForm>,
}

/// The approval of the path, if the member covers what it is about, has asked for it or is asked to decide.
async fn approval(call: &Call<Member>) -> Result<Approval, Failure> {
    let id = ApprovalId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let approval = found(call.services().approvals.get(call.account(), id)).await?;
    let by = myself(call);
    let is_concerned = approval.requested_by == by || approval.names(by);
    match is_concerned || covers(call, approval.entity) {
        true => Ok(approval.at(call.now())),
        false => Err(Failure::Nothing),
    }
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let approval = approval(&call).await?;
    let zone = call.zone();
    let place = format!("{}/{}", call.href(PATH), approval.id);
    let buyer = buyer(&call, &approval).await?;
    let facts = approval.facts.known.iter();
    let facts = facts.map(|(field, value)| {
        let value = match &buyer {
            Some(name) if *field == Field::CustomerId => name.clone(),
            _ => told(say, value, *field, approval.facts.currency),
        };
        (field_name(say, *field), value)
    });
    let decided_by = approval.decisions.iter().map(|decision| decision.by);
    let whose: Vec<_> = std::iter::once(approval.requested_by).chain(decided_by).collect();
    let names = rules::names(&call, &whose).await?;
    // An order that is to be placed comes with the last decision.
    let is_there =
        approval.entity != EntityType::OrderDiscount || matches!(approval.effect, Effect::Applied);
    let decision = |decision: &Decision| decided(&call, &names, decision, zone);
    let body = Detail {
        say,
        asked: moment(approval.created_at, zone, call.language),
        by: called_by(&names, approval.requested_by),
        href: page_of(&call, &approval.entity_id).filter(|_| is_there),
        id: approval.entity_id.clone(),
        reason: approval.reason.clone(),
        facts: facts.collect(),
        effect: effect(&call, &approval),
        decisions: Timeline { entries: approval.decisions.iter().map(decision).collect() },
        is_mine: acts::may_decide(&call, &approval),
        take_back: acts::may_take_back(&call, &approval).then(|| {
            call.button(format!("{place}/cancel"), say.take_back()).version(approval.version)
        }),
    };
    let title = entity_name(say, approval.entity);
    let sheet = Sheet::new(title, &body).pill(status_pill(say, approval.status));
    let with_act = |sheet: Sheet, (label, path): (&'static str, &'static str)| {
        sheet.offered(label, &place, path)
    };
    let sheet = acts::offered(&call, &approval).into_iter().fold(sheet, with_act);
    Ok(call.page(sheet.back(say.approvals(), call.href(PATH))))
}

/// The name of the customer whom it is about, for who may look at that.
async fn buyer(call: &Call<Member>, approval: &Approval) -> Result<Option<String>, Failure> {
    let Some(Value::Text(id)) = approval.facts.known.get(&Field::CustomerId) else {
        return Ok(None);
    };
    let id = CustomerId::parse(id).filter(|_| call.may(Right::read(Scope::Customers)));
    let Some(id) = id else { return Ok(None) };
    let customer = answered(call.services().customers.get(call.account(), id)).await?;
    Ok(customer.map(|customer| customer.name))
}

fn told(say: Say, value: &Value, field: Field, currency: Option<Currency>) -> String {
    match (value, field.kind(), currency) {
        (Value::Number(number), FieldKind::Money, Some(currency)) => money(*number, currency),
        (Value::Number(number), _, _) => number.to_string(),
        (Value::Text(text), _, _) => called(say, text, field).unwrap_or(text).to_owned(),
    }
}

/// What the name is called that a field has, where that is one of ours.
pub(in crate::pages) fn called(say: Say, name: &str, field: Field) -> Option<&'static str> {
    match field {
        Field::Status => {
            let status = OrderStatus::EVERY.iter().copied().find(|one| one.name() == name);
            status.map(|status| shop::status_name(say, status))
        }
        Field::Method => {
            let method = Method::EVERY.iter().copied().find(|one| one.name() == name);
            method.map(|method| method_name(say, method))
        }
        Field::Motive => {
            let reason = CancelReason::EVERY.iter().copied().find(|one| one.code() == name);
            reason.map(|reason| reason_name(say, reason).0)
        }
        Field::Reason if name == Reason::Count.name() => Some(say.count()),
        Field::Reason => {
            let cause = Cause::EVERY.iter().copied().find(|one| one.name() == name);
            cause.map(|cause| cause_name(say, cause))
        }
        _ => None,
    }
}

pub(in crate::pages) const fn field_name(say: Say, field: Field) -> &'static str {
    match field {
        Field::DiscountPct => say.discount_percent(),
        Field::DiscountTotal => say.discount(),
        Field::BelowPricePct => say.below_price(),
        Field::Total => say.total(),
        Field::CustomerId => say.customer(),
        Field::Channel => say.channel(),
        Field::Status => say.state(),
        Field::Motive => say.sat_motive(),
        Field::AgeDays => say.days_since_stamp(),
        Field::Amount => say.amount(),
        Field::Share => say.share_of_paid(),
        Field::Method => say.method(),
        Field::DaysSincePaid => say.days_since_paid(),
        Field::Reason => say.reason(),
        Field::Items => say.goods(),
        Field::Units => say.units(),
        Field::Value => say.worth(),
    }
}

/// What has become of what was asked for.
fn effect(call: &Call<Member>, approval: &Approval) -> Option<String> {
    let say = call.say();
    match (&approval.effect, &approval.outcome) {
        (_, Some(approvals::Outcome::Refused(refusal))) => {
            Some(refusal.message.in_language(call.language).to_owned())
        }
        (Effect::None, _) => None,
        (Effect::Queued, _) => Some(say.effect_queued().to_owned()),
        (Effect::Applied, _) => Some(say.effect_applied().to_owned()),
        (Effect::Failed, _) => Some(say.effect_failed().to_owned()),
    }
}

/// What somebody is called; an identifier where they have left.
fn called_by(names: &HashMap<Person, String>, person: Person) -> String {
    names.get(&person).cloned().unwrap_or_else(|| person.to_string())
}

fn decided(
    call: &Call<Member>,
    names: &HashMap<Person, String>,
    decision: &Decision,
    zone: Zone,
) -> Happening {
    let say = call.say();
    let by = called_by(names, decision.by);
    let verdict = match decision.verdict {
        Verdict::Approve => say.approval_approved(),
        Verdict::Reject => say.approval_rejected(),
    };
    Happening {
        at: moment(decision.at, zone, call.language),
        title: verdict.to_owned(),
        href: None,
        note: Some(match &decision.comment {
            Some(comment) => format!("{by} · {comment}"),
            None => by,
        }),
    }
}
