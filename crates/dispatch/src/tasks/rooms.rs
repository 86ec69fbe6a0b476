//! How much is worked on at once, of each kind and for each account.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use kernel::AccountId;
use tasks::{TaskKind, Want};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// How many callers of one account may wait in line for a kind.
const WAITING_MAX: usize = 128;
/// How many slots of a kind are kept from callers, if it has so many.
const RESERVE_MAX: usize = 4;

/// The room that each kind has.
pub(super) struct Rooms(Vec<Room>);

struct Room {
    kind: TaskKind,
    /// Callers wait for a slot; what is taken up in the background never does.
    slots: Arc<Semaphore>,
    /// Slots that callers cannot take: however many wait, what was begun is finished.
    reserve: Arc<Semaphore>,
    accounts: Arc<Mutex<Accounts>>,
}

/// What accounts have of a room, of those that have any.
type Accounts = HashMap<AccountId, Share>;

/// What one account has of a room.
struct Share {
    /// Its callers wait here until it has less under way than it may.
    slots: Arc<Semaphore>,
    /// Tasks and callers under way.
    under_way: usize,
    /// Callers in line.
    waiting: usize,
}

/// A place in a room, or in the line before it; dropping it gives it back.
pub(super) struct Place {
    accounts: Arc<Mutex<Accounts>>,
    account: AccountId,
    slots: Arc<Semaphore>,
    held: Mutex<Held>,
}

/// What a place has taken.
#[derive(Default)]
struct Held {
    is_under_way: bool,
    _permits: Vec<OwnedSemaphorePermit>,
}

impl Rooms {
    pub(super) fn of(kinds: impl Iterator<Item = TaskKind>) -> Self {
        let room = |kind: TaskKind| {
            let reserve = (kind.at_once / 8).min(RESERVE_MAX);
            Room {
                slots: Arc::new(Semaphore::new(kind.at_once - reserve)),
                reserve: Arc::new(Semaphore::new(reserve)),
                accounts: Arc::default(),
                kind,
            }
        };
        Self(kinds.map(room).collect())
    }

    /// Tasks and callers under way or in line.
    pub(super) fn in_flight(&self) -> usize {
        let sum = |room: &Room| -> usize {
            locked(&room.accounts).values().map(|share| share.under_way + share.waiting).sum()
        };
        self.0.iter().map(sum).sum()
    }

    /// What there is room for.
    pub(super) fn wants(&self) -> Vec<Want> {
        self.0.iter().map(Room::want).filter(|want| want.room > 0).collect()
    }

    /// The same of one kind, also if there is no room for it.
    pub(super) fn want(&self, kind: &str) -> Option<Want> {
        self.0.iter().find(|room| room.kind.name == kind).map(Room::want)
    }

    /// A place for a task that was claimed because there was room.
    pub(super) fn place(&self, kind: &TaskKind, account: AccountId) -> Option<Place> {
        let room = self.room(kind)?;
        let own = {
            let mut accounts = locked(&room.accounts);
            let share = room.share(&mut accounts, account);
            share.under_way += 1;
            Arc::clone(&share.slots)
        };
        let taken = |slots: Arc<Semaphore>| slots.try_acquire_owned().ok();
        let slot = taken(Arc::clone(&room.reserve)).or_else(|| taken(Arc::clone(&room.slots)));
        let permits = taken(own).into_iter().chain(slot).collect();
        Some(Place::of(room, account, Held { is_under_way: true, _permits: permits }))
    }

    /// A place in line for a caller, unless the account's line is as long as it may be.
    pub(super) fn line_up(&self, kind: &TaskKind, account: AccountId) -> Option<Place> {
        let room = self.room(kind)?;
        let mut accounts = locked(&room.accounts);
        let share = room.share(&mut accounts, account);
        if share.waiting >= WAITING_MAX {
            return None;
        }
        share.waiting += 1;
        drop(accounts);
        Some(Place::of(room, account, Held::default()))
    }

    fn room(&self, kind: &TaskKind) -> Option<&Room> {
        self.0.iter().find(|room| room.kind.name == kind.name)
    }
}

impl Room {
    fn want(&self) -> Want {
        let accounts = locked(&self.accounts);
        let busy = accounts.iter().map(|(account, share)| (*account, share.under_way));
        Want {
            kind: self.kind.name,
            version: self.kind.version,
            room: self.slots.available_permits() + self.reserve.available_permits(),
            room_per_account: self.kind.at_once_per_account,
            busy: busy.filter(|(_, under_way)| *under_way > 0).collect(),
        }
    }

    fn share<'a>(&self, accounts: &'a mut Accounts, account: AccountId) -> &'a mut Share {
        accounts.entry(account).or_insert_with(|| Share {
            slots: Arc::new(Semaphore::new(self.kind.at_once_per_account)),
            under_way: 0,
            waiting: 0,
        })
    }
}

impl Place {
    fn of(room: &Room, account: AccountId, held: Held) -> Self {
        let (accounts, slots) = (Arc::clone(&room.accounts), Arc::clone(&room.slots));
        Self { accounts, account, slots, held: Mutex::new(held) }
    }

    /// Waits in line, first for the account's share and then for the room; false when it takes longer than that.
    pub(super) async fn admitted(&self, patience: Duration) -> bool {
        let own = {
            let accounts = locked(&self.accounts);
            accounts.get(&self.account).map(|share| Arc::clone(&share.slots))
        };
        let Some(own) = own else { return false };
        let both = async {
            let own = own.acquire_owned().await.ok()?;
            Some(vec![own, Arc::clone(&self.slots).acquire_owned().await.ok()?])
        };
        let Ok(Some(permits)) = timeout(patience, both).await else { return false };
        let mut accounts = locked(&self.accounts);
        if let Some(share) = accounts.get_mut(&self.account) {
            share.waiting = share.waiting.saturating_sub(1);
            share.under_way += 1;
        }
        *locked(&self.held) = Held { is_under_way: true, _permits: permits };
        true
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut accounts = locked(&self.accounts);
        let held = std::mem::take(&mut *locked(&self.held));
        if let Some(share) = accounts.get_mut(&self.account) {
            let count = if held.is_under_way { &mut share.under_way } else { &mut share.waiting };
            *count = count.saturating_sub(1);
            if share.under_way + share.waiting == 0 {
                accounts.remove(&self.account);
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: TaskKind = TaskKind {
        name: "a.b",
        version: 1,
        at_once: 4,
        at_once_per_account: 2,
        is_cancellable: true,
    };

    const NOW: Duration = Duration::ZERO;

    #[tokio::test]
    async fn an_account_has_its_share_and_gives_it_back() {
        let rooms = Rooms::of([KIND].into_iter());
        let (one, other) = (AccountId::from_u128(1), AccountId::from_u128(2));
        let line_up = |account| rooms.line_up(&KIND, account).unwrap();
        let (first, second, third) = (line_up(one), line_up(one), line_up(one));
        assert!(first.admitted(NOW).await && second.admitted(NOW).await);
        assert!(!third.admitted(NOW).await, "two of an account at once");
        let foreign = line_up(other);
        assert!(foreign.admitted(NOW).await, "its line keeps nobody else waiting");
        assert_eq!(rooms.in_flight(), 4);
        drop(first);
        assert!(third.admitted(NOW).await);
        drop((second, third, foreign));
        assert_eq!(rooms.in_flight(), 0);
    }

    #[tokio::test]
    async fn callers_wait_in_line_and_not_for_ever() {
        let rooms = Rooms::of([KIND].into_iter());
        let account = AccountId::from_u128(1);
        let line_up = || rooms.line_up(&KIND, account).unwrap();
        let busy = [line_up(), line_up()];
        for place in &busy {
            assert!(place.admitted(NOW).await);
        }
        let (late, next) = (line_up(), line_up());
        assert!(!late.admitted(NOW).await);
        let freed = async { drop(busy) };
        let (is_admitted, ()) = tokio::join!(next.admitted(Duration::from_secs(60)), freed);
        assert!(is_admitted);
    }

    #[tokio::test]
    async fn callers_leave_room_for_what_was_begun() {
        let kind = TaskKind { at_once: 16, at_once_per_account: 8, ..KIND };
        let rooms = Rooms::of([kind].into_iter());
        let places: Vec<Place> = (0..20)
            .map(|number| rooms.line_up(&kind, AccountId::from_u128(number % 4)).unwrap())
            .collect();
        let mut admitted = 0;
        for place in &places {
            admitted += usize::from(place.admitted(NOW).await);
        }
        assert_eq!((admitted, rooms.wants()[0].room), (14, 2));
        let _resumed = rooms.place(&kind, AccountId::from_u128(9)).unwrap();
        assert_eq!(rooms.wants()[0].room, 1);
    }

    #[test]
    fn a_line_has_an_end() {
        let rooms = Rooms::of([KIND].into_iter());
        let account = AccountId::from_u128(1);
        let places: Vec<Place> =
            (0..WAITING_MAX).map(|_| rooms.line_up(&KIND, account).unwrap()).collect();
        assert!(rooms.line_up(&KIND, account).is_none());
        assert_eq!(rooms.wants()[0].busy.len(), 0, "who waits is not under way");
        drop(places);
        assert!(rooms.line_up(&KIND, account).is_some());
    }

    #[test]
    fn what_is_under_way_is_not_wanted_again() {
        let rooms = Rooms::of([KIND].into_iter());
        let account = AccountId::from_u128(1);
        let places: Vec<Place> = (0..3).map(|_| rooms.place(&KIND, account).unwrap()).collect();
        let wants = rooms.wants();
        assert_eq!((wants[0].room, wants[0].busy[&account]), (1, 3));
        let last = rooms.place(&KIND, account).unwrap();
        assert_eq!(rooms.wants(), []);
        assert_eq!(
            rooms.want(KIND.name).map(|want| (want.room, want.busy[&account])),
            Some((0, 4))
        );
        drop((places, last));
        assert_eq!(rooms.wants()[0].room, 4);
    }
}
