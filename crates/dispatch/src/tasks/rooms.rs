//! How much is worked on at once, of each kind and for each account.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use kernel::AccountId;
use tasks::{TaskKind, Want};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The room that each kind has.
pub(super) struct Rooms(Vec<Room>);

struct Room {
    kind: TaskKind,
    /// Callers wait for a slot; what is taken up in the background never does.
    slots: Arc<Semaphore>,
    places: Arc<Mutex<Places>>,
}

/// Places taken, by account.
type Places = HashMap<AccountId, usize>;

/// A place taken; dropping it gives it back.
pub(super) struct Place {
    places: Arc<Mutex<Places>>,
    account: AccountId,
    slots: Arc<Semaphore>,
    slot: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Rooms {
    pub(super) fn of(kinds: impl Iterator<Item = TaskKind>) -> Self {
        let room = |kind: TaskKind| Room {
            slots: Arc::new(Semaphore::new(kind.at_once)),
            places: Arc::default(),
            kind,
        };
        Self(kinds.map(room).collect())
    }

    /// Tasks and callers under way.
    pub(super) fn in_flight(&self) -> usize {
        self.0.iter().map(|room| locked(&room.places).values().sum::<usize>()).sum()
    }

    /// What there is room for.
    pub(super) fn wants(&self) -> Vec<Want> {
        let wants = self.0.iter().map(|room| {
            let busy = locked(&room.places).clone();
            Want {
                kind: room.kind.name,
                version: room.kind.version,
                room: room.slots.available_permits(),
                room_per_account: room.kind.at_once_per_account,
                busy,
            }
        });
        wants.filter(|want| want.room > 0).collect()
    }

    /// A place for a task that was claimed because there was room.
    pub(super) fn place(&self, kind: &TaskKind, account: AccountId) -> Option<Place> {
        let room = self.room(kind)?;
        *locked(&room.places).entry(account).or_default() += 1;
        let slot = Arc::clone(&room.slots).try_acquire_owned().ok();
        Some(Place::of(room, account, slot))
    }

    /// A place for a caller, unless the account has its share already.
    pub(super) fn place_for_caller(&self, kind: &TaskKind, account: AccountId) -> Option<Place> {
        let room = self.room(kind)?;
        let mut places = locked(&room.places);
        let own = places.entry(account).or_default();
        if *own >= room.kind.at_once_per_account {
            return None;
        }
        *own += 1;
        drop(places);
        Some(Place::of(room, account, None))
    }

    /// Waits until a place has a slot; false when there will be none.
    pub(super) async fn admitted(&self, place: &Place) -> bool {
        match Arc::clone(&place.slots).acquire_owned().await {
            Ok(slot) => {
                *place.slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(slot);
                true
            }
            Err(_) => false,
        }
    }

    fn room(&self, kind: &TaskKind) -> Option<&Room> {
        self.0.iter().find(|room| room.kind.name == kind.name)
    }
}

impl Place {
    fn of(room: &Room, account: AccountId, slot: Option<OwnedSemaphorePermit>) -> Self {
        let (places, slots) = (Arc::clone(&room.places), Arc::clone(&room.slots));
        Self { places, account, slots, slot: Mutex::new(slot) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut places = locked(&self.places);
        if let Some(own) = places.get_mut(&self.account) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                places.remove(&self.account);
            }
        }
    }
}

fn locked(places: &Mutex<Places>) -> MutexGuard<'_, Places> {
    places.lock().unwrap_or_else(PoisonError::into_inner)
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

    #[test]
    fn an_account_has_its_share_and_gives_it_back() {
        let rooms = Rooms::of([KIND].into_iter());
        let (one, other) = (AccountId::from_u128(1), AccountId::from_u128(2));
        let first = rooms.place_for_caller(&KIND, one).unwrap();
        let second = rooms.place_for_caller(&KIND, one).unwrap();
        assert!(rooms.place_for_caller(&KIND, one).is_none());
        let third = rooms.place_for_caller(&KIND, other).unwrap();
        assert_eq!(rooms.in_flight(), 3);
        drop(first);
        assert!(rooms.place_for_caller(&KIND, one).is_some());
        drop((second, third));
        assert_eq!(rooms.in_flight(), 0);
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
        drop((places, last));
        assert_eq!(rooms.wants()[0].room, 4);
    }
}
