//! Look-ups by key that wait together become one query.
//!
//! On PostgreSQL a round trip costs more than the row it brings. While one query is under way the look-ups
//! that come in gather, and the next query answers all of them; a lone one waits for nobody.

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use diesel::QueryResult;
use kernel::{Fault, Pending, pending::Answer};

use crate::{
    db::Db,
    error::fault,
    readers::{Cost, Readers},
};

/// Account and identifier, as the database writes them.
pub type Key = (String, String);

/// Reads the rows of several keys; what is not there is not in the map. One that cannot be read harms no other.
pub type Fetch<V> = fn(&mut Db, &[Key]) -> QueryResult<HashMap<Key, QueryResult<V>>>;

/// Keys that one query looks up at most.
const BATCH_MAX: usize = 128;

type Found<V> = Result<Option<V>, Fault>;

/// The look-ups of one kind of thing.
pub struct Lookups<V> {
    queue: Arc<Mutex<Queue<V>>>,
    fetch: Fetch<V>,
}

struct Queue<V> {
    waiting: Vec<(Key, Answer<Found<V>>)>,
    /// Whether a query is under way, which will take what waits when it is done.
    busy: bool,
}

impl<V: Clone + Send + 'static> Lookups<V> {
    /// Look-ups answered by `fetch`.
    pub fn new(fetch: Fetch<V>) -> Self {
        Self { queue: Arc::new(Mutex::new(Queue { waiting: Vec::new(), busy: false })), fetch }
    }

    /// Looks up one thing.
    pub fn find(&self, readers: &Readers, key: Key) -> Pending<Found<V>> {
        let (answer, pending) = Pending::channel();
        let mut queue = locked(&self.queue);
        queue.waiting.push((key, answer));
        if mem::replace(&mut queue.busy, true) {
            return pending;
        }
        drop(queue);
        let (turn, fetch) = (Turn(Some(Arc::clone(&self.queue))), self.fetch);
        let refused = readers.submit(Box::new(move |connections| {
            if let Some(queue) = &turn.0 {
                while let Some(batch) = next_batch(queue) {
                    answer_all(batch, |keys| connections.query(Cost::Fixed, |db| fetch(db, keys)));
                }
            }
            turn.served();
        }));
        refused.map_or(pending, |fault| Pending::ready(Err(fault)))
    }
}

/// The duty to serve a queue. Dropped without having been served (the readers had no room, or a query
/// panicked), it sends away everybody who waits, so that the next look-up starts afresh.
struct Turn<V>(Option<Arc<Mutex<Queue<V>>>>);

impl<V> Turn<V> {
    fn served(mut self) {
        self.0 = None;
    }
}

impl<V> Drop for Turn<V> {
    fn drop(&mut self) {
        if let Some(queue) = self.0.take() {
            let mut queue = locked(&queue);
            queue.busy = false;
            queue.waiting.clear();
        }
    }
}

/// What waits, or nothing: then the turn ends.
fn next_batch<V>(queue: &Mutex<Queue<V>>) -> Option<Vec<(Key, Answer<Found<V>>)>> {
    let mut queue = locked(queue);
    if queue.waiting.is_empty() {
        queue.busy = false;
        return None;
    }
    let rest = queue.waiting.len().min(BATCH_MAX);
    let rest = queue.waiting.split_off(rest);
    Some(mem::replace(&mut queue.waiting, rest))
}

fn answer_all<V: Clone>(
    batch: Vec<(Key, Answer<Found<V>>)>,
    fetch: impl FnOnce(&[Key]) -> Result<HashMap<Key, QueryResult<V>>, Fault>,
) {
    let (keys, answers): (Vec<Key>, Vec<_>) = batch.into_iter().unzip();
    let found = fetch(&keys);
    for (key, answer) in keys.iter().zip(answers) {
        answer.send(match &found {
            Ok(found) => match found.get(key) {
                Some(Ok(value)) => Ok(Some(value.clone())),
                Some(Err(error)) => Err(fault(error)),
                None => Ok(None),
            },
            Err(fault) => Err(fault.clone()),
        });
    }
}

fn locked<V>(queue: &Mutex<Queue<V>>) -> MutexGuard<'_, Queue<V>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}
