//! The engine of tasks against a queue in memory and work that does as it is told.

mod queue;

use std::{
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

use ::tasks::{Claim, ClaimId, End, Pause, Progress, Standing, Task, TaskKind, TaskState};
use dispatch::{Hold, Performed, Performing, TaskEngine, TaskSettings, Work};
use kernel::AccountId;

use queue::{MemoryQueue, START, TestClock};

const KIND: TaskKind = TaskKind {
    name: "tests.work",
    version: 1,
    at_once: 8,
    at_once_per_account: 4,
    is_cancellable: true,
};
const PATIENCE: Duration = Duration::from_secs(20);

type Act = dyn Fn(Task, Hold) -> Performing + Send + Sync;

/// Work that does what a test tells it.
struct Told {
    act: Box<Act>,
}

impl Work for Told {
    fn kind(&self) -> &'static TaskKind {
        &KIND
    }

    fn attempt_time(&self) -> Duration {
        Duration::from_secs(30)
    }

    fn perform(&self, task: Task, hold: Hold) -> Performing {
        (self.act)(task, hold)
    }
}

struct World {
    queue: Arc<MemoryQueue>,
    clock: Arc<TestClock>,
}

impl World {
    fn new() -> Self {
        Self { queue: Arc::default(), clock: Arc::default() }
    }

    fn engine(&self, act: impl Fn(Task, Hold) -> Performing + Send + Sync + 'static) -> TaskEngine {
        self.engine_with(Duration::from_millis(5), act)
    }

    fn engine_with(
        &self,
        sweep_interval: Duration,
        act: impl Fn(Task, Hold) -> Performing + Send + Sync + 'static,
    ) -> TaskEngine {
        let settings = TaskSettings { sweep_interval };
        let works: Vec<Arc<dyn Work>> = vec![Arc::new(Told { act: Box::new(act) })];
        TaskEngine::start(settings, self.queue.clone(), works, self.clock.clone()).unwrap()
    }

    /// Waits until all tasks have ended.
    #[track_caller]
    fn wait_until_ended(&self) {
        self.queue
            .wait_until(PATIENCE, |tasks| tasks.iter().all(|task| task.state != TaskState::Open));
    }
}

fn done() -> Performing {
    Box::pin(async { Performed::Ended(End::Succeeded("{}".to_owned())) })
}

#[test]
fn what_is_announced_is_done_without_waiting_for_a_sweep() {
    let world = World::new();
    let engine = world.engine_with(Duration::from_secs(3_600), |_, _| done());
    std::thread::sleep(Duration::from_millis(50));
    world.queue.open(1, &KIND, 1);
    world.wait_until_ended();
    engine.stop();
    assert_eq!(world.queue.tasks()[0].attempts, 1);
}

#[test]
fn what_is_postponed_is_done_again_after_its_pause() {
    let world = World::new();
    world.queue.open(1, &KIND, 1);
    let engine = world.engine(|task, _| {
        let pause = Pause { seconds: 60, is_doubtful: true, reason: "not now".to_owned() };
        match task.attempts {
            0 => Box::pin(async move { Performed::Postponed(pause) }),
            _ => done(),
        }
    });
    world.queue.wait_until(PATIENCE, |tasks| tasks[0].attempts == 1);
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(world.queue.tasks()[0].attempts, 1);
    world.clock.advance(60);
    world.wait_until_ended();
    drop(engine);
    let task = world.queue.tasks().remove(0);
    assert_eq!((task.attempts, task.is_doubtful), (2, true));
}

#[test]
fn a_task_whose_worker_is_gone_is_taken_over_in_doubt() {
    let world = World::new();
    world.queue.open(1, &KIND, 1);
    let claim = Claim { id: ClaimId::from_u128(9), until: START.plus_seconds(40) };
    world.queue.change(|task| *task = task.clone().claimed(claim));
    let (tell, told) = mpsc::channel();
    let engine = world.engine(move |task, _| {
        tell.send(task.is_doubtful).unwrap();
        done()
    });
    std::thread::sleep(Duration::from_millis(50));
    assert!(told.try_recv().is_err(), "the claim still stood");
    world.clock.advance(40);
    assert!(told.recv_timeout(PATIENCE).unwrap());
    world.wait_until_ended();
    drop(engine);
}

#[test]
fn an_account_whose_work_hangs_keeps_no_other_waiting() {
    let world = World::new();
    for _ in 0..100 {
        world.queue.open(1, &KIND, 1);
    }
    world.queue.open(2, &KIND, 1);
    let busiest = Arc::new(Mutex::new((0_usize, 0_usize)));
    let counted = Arc::clone(&busiest);
    let engine = world.engine(move |task, _| {
        if task.account == AccountId::from_u128(2) {
            return done();
        }
        let counted = Arc::clone(&counted);
        Box::pin(async move {
            {
                let mut counted = counted.lock().unwrap();
                counted.0 += 1;
                counted.1 = counted.1.max(counted.0);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
            counted.lock().unwrap().0 -= 1;
            Performed::Ended(End::Succeeded("{}".to_owned()))
        })
    });
    world.queue.wait_until(PATIENCE, |tasks| {
        tasks.iter().any(|task| {
            task.account == AccountId::from_u128(2) && task.state == TaskState::Succeeded
        })
    });
    assert!(world.queue.tasks().iter().any(|task| task.state == TaskState::Open));
    world.wait_until_ended();
    drop(engine);
    assert_eq!(busiest.lock().unwrap().1, KIND.at_once_per_account);
}

#[test]
fn a_long_task_says_how_far_it_has_come_and_stops_when_it_is_cancelled() {
    let world = World::new();
    world.queue.open(1, &KIND, 1);
    let engine = world.engine(|_, hold| {
        Box::pin(async move {
            for part in 1.. {
                let progress = Progress { done: part, total: None, message: None };
                if hold.progress(progress).await.unwrap() == Standing::HeldToStop {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            Performed::Ended(End::Cancelled("stopped".to_owned()))
        })
    });
    world.queue.wait_until(PATIENCE, |tasks| tasks[0].progress.done > 2);
    world.queue.change(|task| *task = task.clone().cancelled(true, START).unwrap());
    world.wait_until_ended();
    drop(engine);
    assert_eq!(world.queue.tasks()[0].state, TaskState::Cancelled);
}

#[test]
fn what_a_newer_release_has_written_is_left_to_it() {
    let world = World::new();
    world.queue.open(1, &KIND, 2);
    world.queue.open(1, &KIND, 1);
    let engine = world.engine(|_, _| done());
    world.queue.wait_until(PATIENCE, |tasks| tasks[1].state == TaskState::Succeeded);
    engine.stop();
    let newer = world.queue.tasks().remove(0);
    assert_eq!((newer.state, newer.claim), (TaskState::Open, None));
}

#[test]
fn a_stop_waits_for_what_is_under_way_and_takes_nothing_new() {
    let world = World::new();
    world.queue.open(1, &KIND, 1);
    let (tell, told) = mpsc::channel();
    let engine = world.engine(move |_, _| {
        tell.send(()).unwrap();
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            Performed::Ended(End::Succeeded("{}".to_owned()))
        })
    });
    told.recv_timeout(PATIENCE).unwrap();
    engine.stop();
    assert_eq!(world.queue.tasks()[0].state, TaskState::Succeeded);
    world.queue.open(1, &KIND, 1);
    let served =
        engine.serve(&KIND, AccountId::from_u128(1), async { Ok::<_, kernel::Refused<()>>(1) });
    assert!(matches!(served.wait(), Some(Err(kernel::Refused::Fault(_)))));
    assert_eq!(world.queue.tasks()[1].state, TaskState::Open);
}

#[test]
fn callers_beyond_the_share_of_their_account_wait_in_line() {
    let world = World::new();
    let engine = world.engine(|_, _| done());
    let work = || async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        Ok::<_, kernel::Refused<()>>(())
    };
    let account = AccountId::from_u128(1);
    let served: Vec<_> = (0..160).map(|_| engine.serve(&KIND, account, work())).collect();
    let other = engine.serve(&KIND, AccountId::from_u128(2), work());
    let answers: Vec<_> = served.into_iter().map(|pending| pending.wait().unwrap()).collect();
    let (done, sent_away): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert!(done.len() >= 128, "as long as a line may be: {}", done.len());
    assert!(sent_away.iter().all(|answer| *answer == Err(kernel::Refused::Busy)));
    assert!(other.wait().unwrap().is_ok());
}
