//! Turns at what costs much: the requests of one account wait for each other, not those of others for them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    thread,
    time::{Duration, Instant},
};

use actix_web::http::header::RETRY_AFTER;
use kernel::{AccountId, message};
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::sleep,
};

use crate::{
    error::{ApiError, Code},
    neighbours::Neighbours,
};

/// Turns that one account has at once, where there are few processors.
const MUCH_MIN: usize = 4;
/// Pages of lists that one account is answered at once, where there are few processors.
const PAGES_MIN: usize = 2;
/// Pages that are on their way to one account at once, where there are few processors.
const ON_THE_WAY_MIN: usize = 4;
/// Pages that are on their way at once, of all accounts: each long one keeps a thread until it is taken.
const ON_THE_WAY: usize = 32;
/// Those of one account, however many processors there are.
const ON_THE_WAY_OWN: usize = ON_THE_WAY / 4;
/// Files that are made for one account at once.
const FILES: usize = 2;
/// Accounts from which on those without turns are forgotten.
const ACCOUNTS_USUAL: usize = 1_024;
/// Work that takes no longer needs no turn.
const WORK_QUICK: Duration = Duration::from_millis(20);
/// How long it is remembered what the work of an account has taken.
const LATELY: Duration = Duration::from_secs(60);
/// No account rests longer: who asks for one long report may soon ask for the next.
const REST_MAX: Duration = Duration::from_millis(500);

/// The turns of all accounts at one kind of work.
pub(crate) struct Turns {
    /// How many one account has at once.
    own: usize,
    /// How many all have at once, if there is a limit.
    all: Option<Arc<Semaphore>>,
    accounts: Mutex<HashMap<AccountId, Weak<Semaphore>>>,
}

/// A turn, for as long as it is held.
#[derive(Debug)]
pub(crate) struct Turn {
    _own: OwnedSemaphorePermit,
    _of_all: Option<OwnedSemaphorePermit>,
}

impl Turn {
    /// Gives it back after this time. Where nothing can wait for that, it is given back now.
    fn rest(self, long: Duration) {
        let Ok(runtime) = Handle::try_current() else { return };
        runtime.spawn(async move {
            sleep(long).await;
            drop(self);
        });
    }
}

impl Turns {
    /// Turns at what takes much memory, held for as long as it does: whoever sends or reads slowly keeps a few at once.
    pub(crate) fn at_much() -> Self {
        Self::new(processors().max(MUCH_MIN), None)
    }

    /// Turns at pages of lists, held until they are taken, or until nobody takes them for a while.
    pub(crate) fn at_pages() -> Self {
        Self::new(processors().max(PAGES_MIN), None)
    }

    /// Places of pages that are on their way, held until they are taken: what waits for slow readers is bounded by them.
    pub(crate) fn on_the_way() -> Self {
        Self::new(processors().clamp(ON_THE_WAY_MIN, ON_THE_WAY_OWN), Some(ON_THE_WAY))
    }

    /// Places of pages that are on their way and hold much, besides those of all, of which they leave half to others.
    pub(crate) fn of_heavy_pages() -> Self {
        Self::new(half_of_processors().min(ON_THE_WAY_OWN / 2), None)
    }

    /// Turns at writing long pages, held while they are written and given back while nobody takes them.
    pub(crate) fn at_writing() -> Self {
        Self::new(half_of_processors().min(ON_THE_WAY_OWN), None)
    }

    /// Turns at files that are made while they are sent: a few for each account, apart from its lists, which a long
    /// download must not keep waiting.
    pub(crate) fn at_files() -> Self {
        Self::new(FILES, None)
    }

    /// Turns at computing, one for each account. Half of the processors compute at once; the others are left to
    /// everybody.
    pub(crate) fn at_computing() -> Self {
        Self::new(1, Some(half_of_processors()))
    }

    /// Turns at reading large bodies, off the threads that answer.
    pub(crate) fn at_reading() -> Self {
        Self::new(half_of_processors(), None)
    }

    fn new(own: usize, all: Option<usize>) -> Self {
        let all = all.map(|all| Arc::new(Semaphore::new(all)));
        Self { own, all, accounts: Mutex::default() }
    }

    /// Waits for a turn. An account that waits keeps one place at most among the others.
    pub(crate) async fn take(&self, account: AccountId) -> Option<Turn> {
        // Semaphores are never closed, and serve in the order in which they were asked.
        let own = self.of(account).acquire_owned().await.ok()?;
        let of_all = match &self.all {
            Some(all) => Some(Arc::clone(all).acquire_owned().await.ok()?),
            None => None,
        };
        Some(Turn { _own: own, _of_all: of_all })
    }

    /// A turn, if nobody has to be waited for.
    pub(crate) fn take_now(&self, account: AccountId) -> Option<Turn> {
        let own = self.of(account).try_acquire_owned().ok()?;
        let of_all = match &self.all {
            Some(all) => Some(Arc::clone(all).try_acquire_owned().ok()?),
            None => None,
        };
        Some(Turn { _own: own, _of_all: of_all })
    }

    /// Waits for a turn that can be given back for a while.
    pub(crate) async fn begin(self: &Arc<Self>, account: AccountId) -> Shift {
        Shift { turns: Arc::clone(self), account, turn: self.take(account).await, page: None }
    }

    fn of(&self, account: AccountId) -> Arc<Semaphore> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = accounts.get(&account).and_then(Weak::upgrade) {
            return own;
        }
        if accounts.len() >= ACCOUNTS_USUAL {
            accounts.retain(|_, own| own.strong_count() > 0);
        }
        let own = Arc::new(Semaphore::new(self.own));
        accounts.insert(account, Arc::downgrade(&own));
        own
    }
}

/// Work that is interrupted, with the turn that it takes.
pub(crate) struct Shift {
    turns: Arc<Turns>,
    account: AccountId,
    turn: Option<Turn>,
    /// One at pages, until it is interrupted.
    page: Option<Turn>,
}

impl Shift {
    /// With the turn at pages, which is given back for good when it is interrupted.
    pub(crate) fn of_page(self, page: Option<Turn>) -> Self {
        Self { page, ..self }
    }

    /// Gives the turn back.
    pub(crate) fn rest(&mut self) {
        self.turn = None;
        self.page = None;
    }

    /// Waits for the turn again, on a thread that may.
    pub(crate) fn go_on(&mut self) {
        if self.turn.is_none() {
            self.turn = Handle::current().block_on(self.turns.take(self.account));
        }
    }
}

/// Turns at what an account has worked on: pages, and what bodies ask for. Whatever its kind, one account has half of the
/// processors with it, so that the others are left to everybody.
///
/// Most work takes a few milliseconds and no turn. Only accounts whose work has lately taken long wait for themselves,
/// and whoever sends what is large, or beside others what is not light.
///
/// While other accounts are at work, too, a turn is given back only after a rest as long as the work, though the answer does
/// not wait for that: the database knows no low priority, and on a machine of two processors it would keep one of them busy for
/// the account without a pause. An account that is alone, or has turns left, waits for nothing.
pub(crate) struct WorkTurns {
    turns: Turns,
    /// How long the work of an account takes at worst, where that is worth remembering.
    lately: Mutex<HashMap<AccountId, Lately>>,
    /// Who else is at work, where that matters.
    neighbours: Option<Arc<Neighbours>>,
}

#[derive(Clone, Copy)]
struct Lately {
    /// The longest lately. What is quicker makes it be forgiven little by little.
    worst: Duration,
    at: Instant,
}

/// A turn at work, until it is done. How long it has taken is remembered.
#[must_use = "it lasts for as long as it is held"]
pub(crate) struct WorkTurn<'a> {
    of: &'a WorkTurns,
    account: AccountId,
    began: Instant,
    turn: Option<Turn>,
}

impl WorkTurns {
    /// Turns at what keeps the processors busy, with rests beside others.
    pub(crate) fn beside(neighbours: Arc<Neighbours>) -> Self {
        Self { neighbours: Some(neighbours), ..Self::without_rests() }
    }

    /// Turns at what mostly waits for somebody else.
    pub(crate) fn without_rests() -> Self {
        let turns = Turns::new(half_of_processors(), None);
        Self { turns, lately: Mutex::default(), neighbours: None }
    }

    /// Waits for a turn at work, if it `is_large` or what the account has lately asked for has taken long.
    pub(crate) async fn take(&self, account: AccountId, is_large: bool) -> Option<WorkTurn<'_>> {
        let turn = match is_large || self.is_slow(account) {
            true => Some(self.turns.take(account).await?),
            false => None,
        };
        Some(WorkTurn { of: self, account, began: Instant::now(), turn })
    }

    /// The same of work that is large, on a thread that may wait.
    pub(crate) fn wait(&self, account: AccountId) -> Option<WorkTurn<'_>> {
        Handle::current().block_on(self.take(account, true))
    }

    /// Whether other accounts are at work, where that matters.
    pub(crate) fn have_neighbours(&self) -> bool {
        self.neighbours.as_ref().is_some_and(|others| others.are_there(Instant::now()))
    }

    fn is_slow(&self, account: AccountId) -> bool {
        let lately = self.lately.lock().unwrap_or_else(PoisonError::into_inner);
        lately.get(&account).is_some_and(|lately| lately.counts() && lately.worst > WORK_QUICK)
    }

    /// Remembers how long a work of an account has taken.
    fn took(&self, account: AccountId, long: Duration) {
        let mut lately = self.lately.lock().unwrap_or_else(PoisonError::into_inner);
        let before = lately.get(&account).filter(|lately| lately.counts());
        let before = before.map_or(Duration::ZERO, |lately| lately.worst);
        let worst = long.max((before * 7 + long) / 8);
        if worst < WORK_QUICK {
            lately.remove(&account);
            return;
        }
        if lately.len() >= ACCOUNTS_USUAL {
            lately.retain(|_, lately| lately.counts());
        }
        lately.insert(account, Lately { worst, at: Instant::now() });
    }
}

impl Lately {
    fn counts(&self) -> bool {
        self.at.elapsed() < LATELY
    }
}

impl Drop for WorkTurn<'_> {
    fn drop(&mut self) {
        let long = self.began.elapsed();
        self.of.took(self.account, long);
        if let Some(turn) = self.turn.take()
            && self.of.have_neighbours()
        {
            turn.rest(long.min(REST_MAX));
        }
    }
}

/// The turn that a request waited for has not come.
pub(crate) fn busy() -> ApiError {
    let message = message!(
        "other lists, exports, large bodies or computations of this account are still under way; wait for them, and send \
         fewer at once",
        "aún están en curso otras listas, exportaciones, cuerpos grandes o cálculos de esta cuenta; espere a que terminen \
         y envíe menos a la vez"
    );
    ApiError::new(Code::RateLimited, message).with(RETRY_AFTER, 1.into())
}

pub(crate) fn half_of_processors() -> usize {
    (processors() / 2).max(1)
}

fn processors() -> usize {
    thread::available_parallelism().map_or(2, usize::from)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn account(number: u128) -> AccountId {
        AccountId::from_u128(number)
    }

    fn now(turns: &Turns, number: u128) -> Option<Turn> {
        turns.take(account(number)).now_or_never().flatten()
    }

    #[test]
    fn an_account_waits_for_itself_and_no_other_for_it() {
        let turns = Turns::new(2, None);
        let (first, second) = (now(&turns, 1), now(&turns, 1));
        assert!(first.is_some() && second.is_some());
        assert!(now(&turns, 1).is_none());
        assert!(now(&turns, 2).is_some());
        drop(first);
        assert!(now(&turns, 1).is_some());
    }

    #[test]
    fn who_waits_for_itself_keeps_nobody_from_what_all_share() {
        let turns = Turns::new(1, Some(2));
        let first = now(&turns, 1).unwrap();
        let mut waiting: Vec<_> = (0..9).map(|_| Box::pin(turns.take(account(1)))).collect();
        assert!(waiting.iter_mut().all(|it| it.now_or_never().is_none()));
        let second = now(&turns, 2).unwrap();
        assert!(now(&turns, 3).is_none());
        drop(first);
        assert!(now(&turns, 3).is_some());
        drop(second);
    }

    #[test]
    fn one_account_leaves_places_on_the_way_to_others() {
        let turns = Turns::on_the_way();
        let held: Vec<_> = (0..ON_THE_WAY).map_while(|_| turns.take_now(account(1))).collect();
        assert!((ON_THE_WAY_MIN..=ON_THE_WAY_OWN).contains(&held.len()));
        assert!(now(&turns, 2).is_some() && turns.take_now(account(2)).is_some());
        drop(held);
        assert!(turns.take_now(account(1)).is_some());
    }

    #[actix_web::test]
    async fn the_turn_at_pages_is_given_back_for_good() {
        let (pages, turns) = (Turns::new(1, None), Arc::new(Turns::new(1, None)));
        let mut shift = turns.begin(account(1)).await.of_page(now(&pages, 1));
        assert!(turns.take_now(account(1)).is_none() && pages.take_now(account(1)).is_none());
        shift.rest();
        let page = pages.take_now(account(1));
        assert!(page.is_some());
        let going_on = tokio::task::spawn_blocking(move || {
            shift.go_on();
            shift
        });
        let shift = going_on.await.unwrap();
        assert!(turns.take_now(account(1)).is_none(), "the other is taken again");
        drop((shift, page));
    }

    #[actix_web::test]
    async fn who_rests_gives_the_turn_to_the_next_and_takes_it_again() {
        let turns = Arc::new(Turns::new(1, None));
        let mut shift = turns.begin(account(1)).await;
        assert!(turns.take_now(account(1)).is_none());
        shift.rest();
        let other = turns.take_now(account(1));
        assert!(other.is_some());
        let resting = tokio::task::spawn_blocking(move || {
            shift.go_on();
            shift
        });
        drop(other);
        let shift = resting.await.unwrap();
        assert!(turns.take_now(account(1)).is_none(), "it is taken again");
        drop(shift);
        assert!(turns.take_now(account(1)).is_some());
    }

    fn one_turn(neighbours: Option<Arc<Neighbours>>) -> WorkTurns {
        WorkTurns { turns: Turns::new(1, None), lately: Mutex::default(), neighbours }
    }

    fn works(work: &WorkTurns, number: u128, is_large: bool) -> Option<WorkTurn<'_>> {
        work.take(account(number), is_large).now_or_never().flatten()
    }

    #[test]
    fn quick_work_needs_no_turn_and_slow_work_does() {
        let work = one_turn(None);
        let quick: Vec<_> = (0..9).map(|_| works(&work, 1, false)).collect();
        assert!(quick.iter().all(Option::is_some));
        drop(quick);
        assert!(work.lately.lock().unwrap().is_empty(), "what is quick is not remembered");

        work.took(account(1), WORK_QUICK * 9);
        let slow = works(&work, 1, false);
        assert!(slow.is_some() && works(&work, 1, false).is_none());
        assert!(works(&work, 2, false).is_some(), "another account does not wait");
        drop(slow);
        assert!(works(&work, 1, false).is_some());

        (0..9).for_each(|_| work.took(account(1), Duration::ZERO));
        let one = works(&work, 1, false);
        assert!(one.is_some() && works(&work, 1, false).is_none(), "a few quick ones prove little");
        drop(one);
        (0..9).for_each(|_| work.took(account(1), Duration::ZERO));
        let quick: Vec<_> = (0..9).map(|_| works(&work, 1, false)).collect();
        assert!(quick.iter().all(Option::is_some), "what was slow once is forgiven");
    }

    #[test]
    fn large_work_waits_for_slow_work_of_another_kind() {
        let work = one_turn(None);
        work.took(account(1), WORK_QUICK * 9);
        let page = works(&work, 1, false);
        assert!(page.is_some() && works(&work, 1, true).is_none());
        drop(page);
        let body = works(&work, 1, true);
        assert!(body.is_some() && works(&work, 1, true).is_none());
    }

    #[actix_web::test]
    async fn who_has_worked_beside_others_rests_before_it_works_again() {
        let neighbours = Arc::new(Neighbours::new());
        let work = one_turn(Some(Arc::clone(&neighbours)));
        drop(works(&work, 1, true));
        assert!(works(&work, 1, true).is_some(), "it is alone");
        for number in [1, 2] {
            neighbours.asks(account(number), Instant::now());
        }
        let mut long = works(&work, 1, true).unwrap();
        long.began = Instant::now().checked_sub(REST_MAX).unwrap();
        drop(long);
        assert!(works(&work, 1, true).is_none(), "it rests");
        assert!(works(&work, 2, true).is_some(), "others do not wait for that");
        assert!(work.take(account(1), true).await.is_some(), "the rest has an end");
    }

    #[actix_web::test]
    async fn who_may_wait_takes_the_same_turn() {
        let work = Arc::new(one_turn(None));
        let held = work.take(account(1), true).await;
        let other = Arc::clone(&work);
        let waiting = tokio::task::spawn_blocking(move || other.wait(account(1)).is_some());
        assert!(works(&work, 1, true).is_none());
        drop(held);
        assert!(waiting.await.unwrap());
        assert!(works(&work, 1, true).is_some());
    }

    #[test]
    fn accounts_without_turns_are_forgotten() {
        let turns = Turns::new(1, None);
        let held = now(&turns, 0).unwrap();
        (1..3_000).for_each(|number| drop(now(&turns, number)));
        assert!(turns.accounts.lock().unwrap().len() <= ACCOUNTS_USUAL);
        assert!(now(&turns, 0).is_none(), "a turn that is held is known");
        drop(held);
    }
}
