//! A queue of tasks in memory, by the rules of the domain.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use kernel::{AccountId, Clock, Done, Fault, Pending, Timestamp, Written};
use tasks::{
    Claim, ClaimId, End, NewTask, Pause, Payload, Progress, Standing, Task, TaskId, TaskKind,
    TaskQueue, TaskState, Want, Watcher, fair,
};

pub(super) const START: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

/// A clock that tests move.
#[derive(Default)]
pub(super) struct TestClock(AtomicI64);

impl TestClock {
    pub(super) fn advance(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        START.plus_seconds(self.0.load(Ordering::SeqCst))
    }
}

#[derive(Default)]
pub(super) struct MemoryQueue {
    tasks: Mutex<Vec<Task>>,
    watcher: Mutex<Option<Arc<dyn Watcher>>>,
    ids: AtomicI64,
}

impl MemoryQueue {
    pub(super) fn open(&self, account: u128, kind: &TaskKind, version: u32) {
        let new = NewTask {
            kind: kind.name,
            subject: String::new(),
            exclusive_key: None,
            payload: Payload { version, text: "{}".to_owned() },
            due_at: START,
            claim: None,
        };
        let id = TaskId::from_u128(self.next());
        self.tasks.lock().unwrap().push(Task::open(AccountId::from_u128(account), id, new, START));
        if let Some(watcher) = &*self.watcher.lock().unwrap() {
            watcher.tasks_due();
        }
    }

    pub(super) fn tasks(&self) -> Vec<Task> {
        self.tasks.lock().unwrap().clone()
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Task)) {
        change(&mut self.tasks.lock().unwrap()[0]);
    }

    #[track_caller]
    pub(super) fn wait_until(&self, patience: Duration, holds: impl Fn(&[Task]) -> bool) {
        let deadline = Instant::now() + patience;
        while !holds(&self.tasks()) {
            assert!(Instant::now() < deadline, "it never came to that: {:#?}", self.tasks());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn next(&self) -> u128 {
        u128::from(self.ids.fetch_add(1, Ordering::SeqCst).unsigned_abs()) + 1
    }

    fn under_claim(
        &self,
        task: &Task,
        change: impl FnOnce(Task) -> Task,
    ) -> Pending<Written<Standing, ()>> {
        let mut tasks = self.tasks.lock().unwrap();
        let own = tasks.iter_mut().find(|own| {
            own.id == task.id
                && own.claim.is_some()
                && own.claim.map(|claim| claim.id) == task.claim.map(|claim| claim.id)
        });
        let Some(own) = own else { return Pending::ready(Ok(Done::now(Standing::Lost))) };
        let is_unwanted = own.is_cancel_requested;
        *own = change(own.clone());
        let standing = if is_unwanted { Standing::HeldToStop } else { Standing::Held };
        Pending::ready(Ok(Done::now(standing)))
    }
}

impl TaskQueue for MemoryQueue {
    fn watch(&self, watcher: Arc<dyn Watcher>) {
        *self.watcher.lock().unwrap() = Some(watcher);
    }

    fn has_due(&self, kinds: Vec<&'static str>, now: Timestamp) -> Pending<Result<bool, Fault>> {
        let tasks = self.tasks.lock().unwrap();
        let mut known = tasks.iter().filter(|task| kinds.contains(&task.kind.as_str()));
        Pending::ready(Ok(known.any(|task| task.is_due(now))))
    }

    fn claim(
        &self,
        wants: Vec<Want>,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Vec<Task>, ()>> {
        let mut claimed = Vec::new();
        for want in wants {
            let due: Vec<Task> = self
                .tasks()
                .into_iter()
                .filter(|task| {
                    task.state == TaskState::Open
                        && task.is_due(now)
                        && task.kind == want.kind
                        && task.payload.version <= want.version
                })
                .collect();
            for task in fair(due, &want, |task| task.account) {
                let claim = Claim { id: ClaimId::from_u128(self.next()), until };
                let mut tasks = self.tasks.lock().unwrap();
                let own = tasks.iter_mut().find(|own| own.id == task.id).unwrap();
                *own = own.clone().claimed(claim);
                claimed.push(own.clone());
            }
        }
        Pending::ready(Ok(Done::now(claimed)))
    }

    fn find(&self, account: AccountId, id: TaskId) -> Pending<Result<Option<Task>, Fault>> {
        let mut tasks = self.tasks().into_iter();
        Pending::ready(Ok(tasks.find(|task| (task.account, task.id) == (account, id))))
    }

    fn progress(
        &self,
        task: &Task,
        progress: Progress,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Standing, ()>> {
        self.under_claim(task, |mut own| {
            own.claim = own.claim.map(|claim| Claim { until, ..claim });
            own.progressed(progress, now)
        })
    }

    fn postpone(
        &self,
        task: &Task,
        pause: Pause,
        now: Timestamp,
    ) -> Pending<Written<Standing, ()>> {
        self.under_claim(task, |own| own.postponed(&pause, now))
    }

    fn put_off(&self, task: &Task, pause: Pause, now: Timestamp) -> Pending<Written<Standing, ()>> {
        self.under_claim(task, |own| own.put_off(&pause, now))
    }

    fn others_wait(&self, task: &Task, want: Want, now: Timestamp) -> Pending<Result<bool, Fault>> {
        let tasks = self.tasks.lock().unwrap();
        let full = want.saturated();
        let mut others = tasks
            .iter()
            .filter(|other| other.kind == want.kind && other.payload.version <= want.version)
            .filter(|other| other.account != task.account && !full.contains(&other.account));
        Pending::ready(Ok(others.any(|other| other.is_due(now))))
    }

    fn end(&self, task: &Task, end: End, now: Timestamp) -> Pending<Written<Standing, ()>> {
        self.under_claim(task, |own| own.ended(end, now))
    }
}
