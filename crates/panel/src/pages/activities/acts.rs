//! An activity is added, changed, done and deleted.

use cfdi::catalogs::zones::Zone;
use crm::{
    Activity, ActivityChanges, ActivityError, ActivityId, ActivityKind, CustomerId, DealId, LeadId,
    NewActivity, UpdateActivity,
    activity::{NOTES_CHARS_MAX, SUBJECT_CHARS_MAX},
    lead::LINE_CHARS_MAX,
};
use intake::{
    Fields, Form,
    checks::{flag, id, line, one_of, paragraph, text, whole_from},
    noun,
};
use kernel::{Day, FieldFault, Message, Timestamp, message};
use time::{PrimitiveDateTime, Time};

use super::{PATH, Subject, WRITE, kind_name};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::money::{asking, refused},
    parts::{Field, Link},
    reply::{carried_out, found},
};

/// What a form says of an activity.
struct Filled {
    kind: ActivityKind,
    subject: String,
    notes: Option<String>,
    /// By the clocks of the account.
    due: Option<PrimitiveDateTime>,
    is_done: bool,
    assignee: Option<String>,
    about: Subject,
    /// The version that the form was filled in on.
    version: Option<i64>,
}

const FORM: Form<Filled> = Form::body("Activity", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let kind = fields.required("kind", one_of(ActivityKind::EVERY, ActivityKind::name));
    let subject = fields.required("subject", line(SUBJECT_CHARS_MAX));
    let notes = fields.optional("notes", paragraph(NOTES_CHARS_MAX));
    let due = fields.optional("dueAt", text(on_the_clock));
    let is_done = fields.optional("done", flag()).unwrap_or_default();
    let assignee = fields.optional("assigneeId", line(LINE_CHARS_MAX));
    let deal = id(noun("a deal", "una oportunidad"), DealId::PREFIX, DealId::parse);
    let lead = id(noun("a lead", "un prospecto"), LeadId::PREFIX, LeadId::parse);
    let customer = id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse);
    let about = Subject {
        deal: fields.optional("deal", deal),
        lead: fields.optional("lead", lead),
        customer: fields.optional("customer", customer),
    };
    let version = fields.optional("version", whole_from(1));
    Some(Filled { kind: kind?, subject: subject?, notes, due, is_done, assignee, about, version })
}

/// `2026-12-01T17:00`, as browsers send it, with seconds or without.
fn on_the_clock(text: &str) -> Result<PrimitiveDateTime, Message> {
    let parsed = || {
        let (day, clock) = text.split_once(['T', ' '])?;
        let mut parts = clock.split(':').map(|part| part.parse::<u8>().ok());
        let (hour, minute) = (parts.next()??, parts.next()??);
        let second = parts.next().unwrap_or(Some(0))?;
        let clock = Time::from_hms(hour, minute, second).ok()?;
        parts.next().is_none().then_some(())?;
        Some(PrimitiveDateTime::new(Day::parse(day)?.date(), clock))
    };
    parsed().ok_or_else(|| {
        message!(
            "must be a day and a time: 2026-12-01T17:00",
            "debe ser fecha y hora: 2026-12-01T17:00"
        )
    })
}

/// A moment as [`on_the_clock`] reads it, to the minute.
fn written(at: Timestamp, zone: Zone) -> String {
    let local = zone.local(at);
    format!("{}T{:02}:{:02}", Day::of(local.date()), local.hour(), local.minute())
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("activities/new", WRITE, ask_new),
        Page::post("activities/new", WRITE, add),
        Page::get("activities/{id}/edit", WRITE, ask_edit),
        Page::post("activities/{id}/edit", WRITE, edit),
        Page::post("activities/{id}/done", WRITE, set_done),
        Page::post("activities/{id}/undone", WRITE, set_undone),
        Page::get("activities/{id}/delete", WRITE, ask_delete),
        Page::post("activities/{id}/delete", WRITE, delete),
    ]
}

/// The activity of the path.
async fn activity(call: &Call<Member>) -> Result<Activity, Failure> {
    let id = ActivityId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().activities.get(call.account(), id)).await
}

/// Where what an activity is about is shown: its deal first.
fn home(about: Subject) -> String {
    match (about.deal, about.lead, about.customer) {
        (Some(deal), ..) => format!("deals/{deal}"),
        (None, Some(lead), _) => format!("leads/{lead}"),
        (None, None, Some(customer)) => format!("customers/{customer}"),
        (None, None, None) => PATH.to_owned(),
    }
}

fn back(call: &Call<Member>, about: Subject) -> Link {
    let nearest = about.ways(call).into_iter().next();
    nearest.unwrap_or_else(|| Link::new(call.say().activities(), call.href(PATH)))
}

/// The fields that an activity has whether it is new or not.
fn fields(call: &Call<Member>, values: &Values, kind: Option<Field>) -> Vec<Field> {
    let say = call.say();
    let fields = vec![
        Field::text("subject", say.subject(), values),
        Field::input("datetime-local", "dueAt", say.activity_due(), values)
            .hint(say.activity_due_hint()),
        Field::text("assigneeId", say.activity_assignee(), values),
        Field::area("notes", say.notes(), 4, values),
        Field::tick("done", say.activity_is_done(), values),
    ];
    kind.into_iter().chain(fields).collect()
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    Ok(adding(&call, &call.query, &[]))
}

fn adding(call: &Call<Member>, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let about = Subject::named(values);
    let kinds = ActivityKind::EVERY.iter();
    let kinds = kinds.map(|kind| (kind.name().to_owned(), kind_name(say, *kind).to_owned()));
    let kind = Field::select("kind", say.activity_kind(), kinds.collect(), values);
    let fields = fields(call, values, Some(kind));
    let form = call.form(call.href("activities/new"), fields, say.save(), faults);
    let named = [
        ("deal", about.deal.map(|id| id.to_string())),
        ("lead", about.lead.map(|id| id.to_string())),
        ("customer", about.customer.map(|id| id.to_string())),
    ];
    let form = named.into_iter().fold(form, |form, (name, id)| match id {
        Some(id) => form.hidden(name, id),
        None => form,
    });
    let told = (say.new_activity().to_owned(), say.new_activity_intro().to_owned());
    asking(call, told, &form, faults, back(call, about))
}

async fn add(call: Call<Member>) -> Result<Answer, Failure> {
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(adding(&call, call.sent.values(), &faults)),
    };
    let zone = call.zone();
    let about = filled.about;
    let new = NewActivity {
        kind: filled.kind,
        subject: filled.subject,
        notes: filled.notes,
        due_at: filled.due.map(|due| zone.utc(due)),
        is_done: filled.is_done,
        assignee: filled.assignee,
        deal: about.deal,
        lead: about.lead,
        customer: about.customer,
    };
    let adding_it = call.services().activities.create(call.ctx(), new);
    Ok(match carried_out(adding_it, never).await? {
        Ok(_) => call.done_at(&home(about), "activity.added"),
        Err(faults) => adding(&call, call.sent.values(), &faults),
    })
}

/// Nothing is refused but fields.
fn never(error: ActivityError) -> FieldFault {
    match error {}
}

/// An activity as the form has it.
fn values_of(activity: &Activity, zone: Zone) -> Values {
    let due = activity.due_at.map(|at| written(at, zone)).unwrap_or_default();
    let version = activity.version.to_string();
    let mut values = vec![
        ("subject", activity.subject.as_str()),
        ("dueAt", due.as_str()),
        ("assigneeId", activity.assignee.as_deref().unwrap_or_default()),
        ("notes", activity.notes.as_deref().unwrap_or_default()),
        ("version", version.as_str()),
    ];
    if activity.done_at.is_some() {
        values.push(("done", "true"));
    }
    Values::with(&values)
}

async fn ask_edit(call: Call<Member>) -> Result<Answer, Failure> {
    let activity = activity(&call).await?;
    let now = values_of(&activity, call.zone());
    Ok(editing(&call, (&activity, &now), &now, &[]))
}

fn editing(
    call: &Call<Member>,
    (activity, now): (&Activity, &Values),
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let action = format!("{}/{}/edit", call.href(PATH), activity.id);
    let form = call.form(action, fields(call, values, None), say.save(), faults);
    let form = form.hidden("kind", activity.kind.name());
    let form = call.over(form, now);
    let title = format!("{}: {}", kind_name(say, activity.kind), activity.subject);
    let told = (title, say.new_activity_intro().to_owned());
    asking(call, told, &form, faults, back(call, Subject::of(activity)))
}

async fn edit(call: Call<Member>) -> Result<Answer, Failure> {
    let (activity, zone) = (activity(&call).await?, call.zone());
    let now = values_of(&activity, zone);
    let again =
        |faults: &[FieldFault]| editing(&call, (&activity, &now), call.sent.values(), faults);
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(again(&faults)),
    };
    let due = filled.due.map(|due| zone.utc(due));
    // A form shows minutes; what it leaves as it was stays to the second.
    let as_shown = |at: Option<Timestamp>| at.map(|at| written(at, zone));
    let is_same = as_shown(due) == as_shown(activity.due_at);
    let changes = ActivityChanges {
        subject: Some(filled.subject),
        notes: Some(filled.notes),
        due_at: (!is_same).then_some(due),
        is_done: Some(filled.is_done),
        assignee: Some(filled.assignee),
        ..ActivityChanges::default()
    };
    let command = UpdateActivity { id: activity.id, version: filled.version, changes };
    let editing_it = call.services().activities.update(call.ctx(), command);
    Ok(match carried_out(editing_it, never).await? {
        Ok(_) => call.done_at(&home(Subject::of(&activity)), "activity.changed"),
        Err(faults) => again(&faults),
    })
}

async fn set_done(call: Call<Member>) -> Result<Answer, Failure> {
    turned(call, true).await
}

async fn set_undone(call: Call<Member>) -> Result<Answer, Failure> {
    turned(call, false).await
}

async fn turned(call: Call<Member>, is_done: bool) -> Result<Answer, Failure> {
    let activity = activity(&call).await?;
    let changes = ActivityChanges { is_done: Some(is_done), ..ActivityChanges::default() };
    let command = UpdateActivity { id: activity.id, version: None, changes };
    let turning = call.services().activities.update(call.ctx(), command);
    let place = match call.query.has("list") {
        true => PATH.to_owned(),
        false => home(Subject::of(&activity)),
    };
    match carried_out(turning, never).await? {
        Ok(_) => Ok(call.done_at(&place, "activity.changed")),
        Err(faults) => Err(refused(&faults)),
    }
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let activity = activity(&call).await?;
    Ok(deleting(&call, &activity, &[]))
}

fn deleting(call: &Call<Member>, activity: &Activity, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let action = format!("{}/{}/delete", call.href(PATH), activity.id);
    let form = call.form(action, Vec::new(), say.delete_activity(), faults).dangerous();
    let told = (say.delete_activity().to_owned(), say.delete_activity_intro(&activity.subject));
    asking(call, told, &form, faults, back(call, Subject::of(activity)))
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let activity = activity(&call).await?;
    let deleting_it = call.services().activities.delete(call.ctx(), activity.id, None);
    Ok(match carried_out(deleting_it, never).await? {
        Ok(_) => call.done_at(&home(Subject::of(&activity)), "activity.deleted"),
        Err(faults) => deleting(&call, &activity, &faults),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_as_it_is_written() {
        for text in ["2026-12-01T17:00", "2026-07-01T00:05"] {
            for zone in [Zone::Central, Zone::Northwest] {
                let at = zone.utc(on_the_clock(text).unwrap());
                assert_eq!(written(at, zone), text);
            }
        }
        let with_seconds = on_the_clock("2026-12-01T17:00:30").unwrap();
        assert_eq!(with_seconds.second(), 30);
        for text in
            ["2026-12-01", "2026-12-01T17", "2026-12-01T24:00", "2026-13-01T10:00", "mañana"]
        {
            assert!(on_the_clock(text).is_err(), "{text}");
        }
    }
}
