//! What the endpoints of activities read.

use crm::{
    ActivityId, ActivityKind, NewActivity,
    activity::{
        ActivityChanges, ActivityFilter, ActivityQuery, ActivitySort, NOTES_CHARS_MAX,
        SUBJECT_CHARS_MAX,
    },
    lead::LINE_CHARS_MAX,
};
use intake::{
    Check, Fields, Form,
    checks::{flag, line, moment, one_of, paragraph},
    noun,
};

use super::examples;
use crate::{
    filters,
    page::page_request_of,
    resources::deals::{customer, deal, lead},
};

pub(super) const LIST: Form<ActivityQuery> = Form::query(read_query);
pub(super) const CREATE: Form<NewActivity> = Form::body(
    "CreateActivity",
    noun("an activity", "una actividad"),
    read_activity,
    examples::CREATE,
);
pub(super) const UPDATE: Form<ActivityChanges> = Form::body(
    "UpdateActivity",
    noun("an activity", "una actividad"),
    read_changes,
    examples::UPDATE,
);

/// Sort orders, by value of `sort`.
const SORTS: &[(&str, ActivitySort)] = &[
    ("-createdAt", ActivitySort::CreatedAt),
    ("createdAt", ActivitySort::CreatedAt),
    ("dueAt", ActivitySort::DueAt),
    ("-dueAt", ActivitySort::DueAt),
];

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &["id", "doneAt", "createdAt", "updatedAt"];

const DUE: &str = "When it is to be done; not of a note.";

fn read_query(fields: &mut Fields<'_>) -> Option<ActivityQuery> {
    let filter = ActivityFilter {
        ids: filters::ids(
            fields,
            noun("an activity", "una actividad"),
            ActivityId::PREFIX,
            ActivityId::parse,
        ),
        kind: fields.change("kind", kind().about("Filter by kind.")),
        is_done: fields
            .change(
                "done",
                one_of(DONE, |done| done.0).about("Whether it is done; notes are neither."),
            )
            .map(|done| done.1),
        assignee: fields.change("assigneeId", line(LINE_CHARS_MAX).about("Filter by who does it.")),
        deal: fields.change("dealId", deal().about("Filter by deal.")),
        lead: fields.change("leadId", lead().about("Filter by lead.")),
        customer: fields.change("customerId", customer().about("Filter by customer.")),
        due_from: fields.change("dueFrom", moment().about("Only those due at or after this time.")),
        due_to: fields.change("dueTo", moment().about("Only those due before this time.")),
    };
    filters::refuse_backwards(fields, [("dueFrom", filter.due_from), ("dueTo", filter.due_to)]);
    let (sort, name) = filters::sort(fields, SORTS);
    Some(ActivityQuery { filter, sort, page: page_request_of(fields, name, ActivityId::PREFIX) })
}

/// The values of `done`.
const DONE: &[(&str, bool)] = &[("true", true), ("false", false)];

fn kind() -> impl Check<Value = ActivityKind> {
    one_of(ActivityKind::EVERY, ActivityKind::name)
}

fn read_activity(fields: &mut Fields<'_>) -> Option<NewActivity> {
    let (kind, subject) =
        (fields.required("kind", kind()), fields.required("subject", line(SUBJECT_CHARS_MAX)));
    let activity = NewActivity {
        kind: kind.unwrap_or(ActivityKind::Task),
        subject: subject.unwrap_or_default(),
        notes: fields.optional("notes", paragraph(NOTES_CHARS_MAX)),
        due_at: fields.optional("dueAt", moment().about(DUE)),
        is_done: fields
            .optional("done", flag().about("Whether it is done already."))
            .unwrap_or_default(),
        assignee: fields.optional("assigneeId", line(LINE_CHARS_MAX)),
        deal: fields.optional("dealId", deal()),
        lead: fields.optional("leadId", lead()),
        customer: fields.optional("customerId", customer()),
    };
    fields.read_only(READ_ONLY);
    Some(activity)
}

fn read_changes(fields: &mut Fields<'_>) -> Option<ActivityChanges> {
    let changes = ActivityChanges {
        subject: fields.change("subject", line(SUBJECT_CHARS_MAX)),
        notes: fields.patch("notes", paragraph(NOTES_CHARS_MAX)),
        due_at: fields.patch("dueAt", moment().about(DUE)),
        is_done: fields.change("done", flag()),
        assignee: fields.patch("assigneeId", line(LINE_CHARS_MAX)),
        deal: fields.patch("dealId", deal()),
        lead: fields.patch("leadId", lead()),
        customer: fields.patch("customerId", customer()),
    };
    fields.read_only(READ_ONLY);
    fields.read_only(&["kind"]);
    Some(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert!(CREATE.read_body(examples::CREATE.as_bytes()).is_ok());
        assert_eq!(UPDATE.read_body(examples::UPDATE.as_bytes()).unwrap().is_done, Some(true));
        assert!(UPDATE.read_body(examples::ACTIVITY.as_bytes()).is_ok());
    }
}
