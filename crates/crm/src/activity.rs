//! What people do about deals, leads and customers: calls, meetings, tasks and notes.

use kernel::{
    AccountId, Ctx, Fault, FieldFault, Page, PageRequest, Pending, Timestamp, Written, message,
    page::Sorting,
};

use crate::{CustomerId, DealId, LeadId, customer::set};

kernel::ids! {
    /// An activity's identifier.
    ActivityId = "act";
}

/// The most characters of a subject.
pub const SUBJECT_CHARS_MAX: usize = 200;
/// The most characters of notes.
pub const NOTES_CHARS_MAX: usize = 5_000;

/// What kind of thing is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum ActivityKind {
    Call,
    Meeting,
    Task,
    /// Something to remember: it is never to be done.
    Note,
}

impl ActivityKind {
    /// Every kind.
    pub const EVERY: &'static [Self] = &[Self::Call, Self::Meeting, Self::Task, Self::Note];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Meeting => "meeting",
            Self::Task => "task",
            Self::Note => "note",
        }
    }
}

/// An activity.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Activity {
    pub id: ActivityId,
    pub kind: ActivityKind,
    /// What it is about, in a few words.
    pub subject: String,
    pub notes: Option<String>,
    /// When it is to be done.
    pub due_at: Option<Timestamp>,
    /// When it was done.
    pub done_at: Option<Timestamp>,
    /// Who is to do it.
    pub assignee: Option<String>,
    pub deal: Option<DealId>,
    pub lead: Option<LeadId>,
    pub customer: Option<CustomerId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}

/// An activity to be added; its fields have been checked one by one.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewActivity {
    pub kind: ActivityKind,
    /// What it is about, in a few words.
    pub subject: String,
    pub notes: Option<String>,
    /// When it is to be done.
    pub due_at: Option<Timestamp>,
    /// Whether it is done already.
    pub is_done: bool,
    /// Who is to do it.
    pub assignee: Option<String>,
    pub deal: Option<DealId>,
    pub lead: Option<LeadId>,
    pub customer: Option<CustomerId>,
}

/// What to change of an activity; what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ActivityChanges {
    /// What it is about, in a few words.
    pub subject: Option<String>,
    pub notes: Option<Option<String>>,
    /// When it is to be done.
    pub due_at: Option<Option<Timestamp>>,
    pub is_done: Option<bool>,
    /// Who is to do it.
    pub assignee: Option<Option<String>>,
    pub deal: Option<Option<DealId>>,
    pub lead: Option<Option<LeadId>>,
    pub customer: Option<Option<CustomerId>>,
}

/// The order of a list of activities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ActivitySort {
    /// When they were added.
    #[default]
    CreatedAt,
    /// When they are due; those that are due at no moment come last, whatever the direction.
    DueAt,
}

/// Which activities are listed; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ActivityFilter {
    /// These alone.
    pub ids: Option<Vec<ActivityId>>,
    pub kind: Option<ActivityKind>,
    pub is_done: Option<bool>,
    pub assignee: Option<String>,
    pub deal: Option<DealId>,
    pub lead: Option<LeadId>,
    pub customer: Option<CustomerId>,
    /// Due at or after this moment.
    pub due_from: Option<Timestamp>,
    /// Due before this moment.
    pub due_to: Option<Timestamp>,
}

/// A wanted page of activities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ActivityQuery {
    pub filter: ActivityFilter,
    pub sort: Sorting<ActivitySort>,
    pub page: PageRequest,
}

/// A change of one activity.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct UpdateActivity {
    pub id: ActivityId,
    /// Expected version: the command is refused if the resource has a newer one.
    pub version: Option<i64>,
    pub changes: ActivityChanges,
}

/// Why a command about activities was refused: there is nothing but what is wrong with its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActivityError {}

/// Activities, each method one transaction.
pub trait Activities: Send + Sync {
    /// One activity; `None` when the account has no such activity.
    fn get(&self, account: AccountId, id: ActivityId) -> Pending<Result<Option<Activity>, Fault>>;

    /// A page of activities.
    fn list(
        &self,
        account: AccountId,
        query: ActivityQuery,
    ) -> Pending<Result<Page<Activity>, Fault>>;

    /// Adds an activity.
    fn create(&self, ctx: Ctx, command: NewActivity) -> Pending<Written<Activity, ActivityError>>;

    /// Changes an activity.
    fn update(
        &self,
        ctx: Ctx,
        command: UpdateActivity,
    ) -> Pending<Written<Activity, ActivityError>>;

    /// Removes an activity.
    fn delete(
        &self,
        ctx: Ctx,
        id: ActivityId,
        version: Option<i64>,
    ) -> Pending<Written<ActivityId, ActivityError>>;
}

/// Adds an activity.
///
/// # Errors
/// What is wrong with it: a note is neither due nor done.
pub fn create(
    command: NewActivity,
    id: ActivityId,
    now: Timestamp,
) -> Result<Activity, Vec<FieldFault>> {
    let NewActivity { kind, subject, notes, due_at, is_done, assignee, deal, lead, customer } =
        command;
    let activity = Activity {
        id,
        kind,
        subject,
        notes,
        due_at,
        done_at: is_done.then_some(now),
        assignee,
        deal,
        lead,
        customer,
        created_at: now,
        updated_at: now,
        version: 1,
    };
    checked(activity)
}

/// Changes an activity; only a real change makes a new version. What is done already stays done as it was.
///
/// # Errors
/// What is wrong with it: a note is neither due nor done.
pub fn update(
    before: &Activity,
    changes: ActivityChanges,
    now: Timestamp,
) -> Result<Activity, Vec<FieldFault>> {
    let mut after = before.clone();
    set(&mut after.subject, changes.subject);
    set(&mut after.notes, changes.notes);
    set(&mut after.due_at, changes.due_at);
    set(&mut after.assignee, changes.assignee);
    set(&mut after.deal, changes.deal);
    set(&mut after.lead, changes.lead);
    set(&mut after.customer, changes.customer);
    match changes.is_done {
        Some(true) => after.done_at = after.done_at.or(Some(now)),
        Some(false) => after.done_at = None,
        None => {}
    }
    if after != *before {
        after.updated_at = now;
        after.version += 1;
    }
    checked(after)
}

fn checked(activity: Activity) -> Result<Activity, Vec<FieldFault>> {
    if activity.kind != ActivityKind::Note {
        return Ok(activity);
    }
    let wrong = [("dueAt", activity.due_at.is_some()), ("done", activity.done_at.is_some())];
    let faults = wrong.into_iter().filter(|(_, is_there)| *is_there).map(|(field, _)| {
        let problem = message!(
            "is not for notes, which are never to be done: make it a task",
            "no es para notas, que nunca están por hacerse: convertirla en una tarea (task)"
        );
        FieldFault::new(field, problem)
    });
    let faults: Vec<FieldFault> = faults.collect();
    if faults.is_empty() { Ok(activity) } else { Err(faults) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds)
    }

    fn new(kind: ActivityKind) -> NewActivity {
        NewActivity {
            kind,
            subject: "Llamar".to_owned(),
            notes: None,
            due_at: None,
            is_done: false,
            assignee: None,
            deal: None,
            lead: None,
            customer: None,
        }
    }

    #[test]
    fn what_is_done_stays_done_as_it_was() {
        let made = create(new(ActivityKind::Task), ActivityId::from_u128(1), at(1)).unwrap();
        let done = |is_done| ActivityChanges { is_done: Some(is_done), ..Default::default() };
        let first = update(&made, done(true), at(2)).unwrap();
        assert_eq!((first.done_at, first.version), (Some(at(2)), 2));
        assert_eq!(update(&first, done(true), at(3)).unwrap(), first);
        assert_eq!(update(&first, done(false), at(3)).unwrap().done_at, None);
    }

    #[test]
    fn a_note_is_neither_due_nor_done() {
        let id = ActivityId::from_u128(1);
        let note = new(ActivityKind::Note);
        assert!(create(note.clone(), id, at(1)).is_ok());
        let wrong = NewActivity { due_at: Some(at(5)), is_done: true, ..note };
        let faults = create(wrong, id, at(1)).unwrap_err();
        let fields: Vec<_> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["dueAt", "done"]);
    }
}
