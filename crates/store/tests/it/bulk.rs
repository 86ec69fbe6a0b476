//! What is on record of bulk actions, however they end.

use std::{collections::HashMap, sync::Arc};

use ::bulk::{
    Action, BulkActions, BulkQueue, Collected, OrderSelection, Selection, Stopped, Subject, Tally,
    Wanted,
};
use ::tasks::{End, Jobs, Standing, Task, TaskId, TaskQueue, Want, kind::BULK_ORDERS};
use accounts::{Accounts, AuditLog, AuditQuery};
use kernel::{AccountId, Actor, Ctx, Timestamp, UserId};
use store::Store;
use testkit::{Database, DatabaseKind, on_both};

on_both!(
    one_that_is_cancelled_while_its_rows_are_taken_down_is_told,
    one_that_is_cancelled_before_it_begins_is_told,
    one_that_stops_by_itself_is_told,
);

const NOW: Timestamp = Timestamp::from_micros(1_000_000_000);
const LATER: Timestamp = Timestamp::from_micros(1_060_000_000);

/// By whom, what, and with which fields.
type Entry = (String, String, Vec<(String, String)>);

struct Office {
    store: Arc<Store>,
    account: AccountId,
    database: Database,
}

impl Office {
    fn open(kind: DatabaseKind) -> Self {
        let database = Database::fresh(kind);
        let store = Store::open(&database.settings()).unwrap();
        let account = store.create_account("Shop".to_owned(), 5, NOW).wait().unwrap().unwrap();
        Self { store, account: account.value.id, database }
    }

    /// The circumstances of what one of several people does.
    fn by(&self, person: u128) -> Ctx {
        Ctx::system(self.account, NOW).by(Actor::User(UserId::from_u128(person)))
    }

    /// The first person has all orders shipped.
    fn begin(&self) -> Task {
        let selection = Selection::Orders(OrderSelection::default());
        let wanted = Wanted { action: Action::ShipOrders, selection };
        self.store.begin(self.by(1), wanted).wait().unwrap().unwrap().value
    }

    /// The same, with a worker at it.
    fn claimed(&self) -> Task {
        let begun = self.begin();
        let want = Want {
            kind: BULK_ORDERS.name,
            version: BULK_ORDERS.version,
            room: 1,
            room_per_account: 1,
            busy: HashMap::new(),
        };
        let mut claimed = self.store.claim(vec![want], NOW, LATER).wait().unwrap().unwrap().value;
        let claimed = claimed.pop().unwrap();
        assert_eq!(claimed.id, begun.id);
        claimed
    }

    /// The second person wants it to stop.
    fn cancel(&self, id: TaskId) {
        Jobs::cancel(&*self.store, self.by(2), id).wait().unwrap().unwrap();
    }

    fn collect(&self, task: &Task, from: u32, is_all: bool) -> Standing {
        let subject =
            Subject { id: format!("ord_{from}"), label: format!("ORD-{from}"), version: None };
        let rows = Collected { from, subjects: vec![subject], is_all };
        BulkQueue::collect(&*self.store, task, rows, NOW, LATER).wait().unwrap().unwrap().value
    }

    fn end(&self, task: &Task, end: End) {
        let ended = TaskQueue::end(&*self.store, task, end, NOW).wait().unwrap().unwrap();
        assert_ne!(ended.value, Standing::Lost);
    }

    /// What is on record of one, oldest first.
    fn told(&self, id: TaskId) -> Vec<Entry> {
        assert_eq!(self.database.violations(), [""; 0]);
        let query = AuditQuery { resource: Some(id.to_string()), ..AuditQuery::default() };
        let found = AuditLog::entries(&*self.store, self.account, query).wait().unwrap().unwrap();
        let entries = found.items.into_iter().rev();
        entries
            .map(|one| (one.actor.to_string(), one.action, one.after.into_iter().collect()))
            .collect()
    }
}

/// An entry by one of several people, or by the service.
fn entry(person: Option<u128>, action: &str, fields: &[(&str, &str)]) -> Entry {
    let actor = person.map_or(Actor::System, |person| Actor::User(UserId::from_u128(person)));
    let fields = std::iter::once(&("action", "orders.ship")).chain(fields);
    let mut fields: Vec<_> =
        fields.map(|(name, held)| ((*name).to_owned(), (*held).to_owned())).collect();
    fields.sort();
    (actor.to_string(), action.to_owned(), fields)
}

fn started() -> Entry {
    entry(Some(1), "bulk_action.started", &[])
}

fn one_that_is_cancelled_while_its_rows_are_taken_down_is_told(kind: DatabaseKind) {
    let office = Office::open(kind);
    let task = office.claimed();
    assert_eq!(office.collect(&task, 0, false), Standing::Held);
    office.cancel(task.id);
    office.cancel(task.id);
    assert_eq!(office.collect(&task, 1, false), Standing::HeldToStop);
    office.end(&task, End::Cancelled("cancelled".to_owned()));
    let wanted = [
        started(),
        entry(Some(2), "bulk_action.cancelled", &[]),
        entry(None, "bulk_action.ended", &[("status", "cancelled")]),
    ];
    assert_eq!(office.told(task.id), wanted);
}

fn one_that_is_cancelled_before_it_begins_is_told(kind: DatabaseKind) {
    let office = Office::open(kind);
    let task = office.begin();
    office.cancel(task.id);
    office.cancel(task.id);
    let wanted = [
        started(),
        entry(Some(2), "bulk_action.cancelled", &[]),
        entry(None, "bulk_action.ended", &[("status", "cancelled")]),
    ];
    assert_eq!(office.told(task.id), wanted);
}

fn one_that_stops_by_itself_is_told(kind: DatabaseKind) {
    let office = Office::open(kind);
    let task = office.claimed();
    assert_eq!(office.collect(&task, 0, false), Standing::Held);
    assert_eq!(office.collect(&task, 1, true), Standing::Held);
    let tally = Tally { is_collected: true, total: 2, done: 1, ..Tally::default() };
    let recorded = BulkQueue::record(&*office.store, &task, tally, Vec::new(), NOW, LATER);
    assert_eq!(recorded.wait().unwrap().unwrap().value, Standing::Held);
    office.end(&task, End::Failed(Stopped::RightsLost.outcome()));
    let figures = [
        ("status", "failed"),
        ("reason", "rights_lost"),
        ("rows", "2"),
        ("done", "1"),
        ("refused", "0"),
        ("skipped", "0"),
    ];
    assert_eq!(office.told(task.id), [started(), entry(None, "bulk_action.ended", &figures)]);
}
