//! Look-ups by key that wait together become one query.
//!
//! On PostgreSQL a round trip costs more than the row it brings. While one query is under way the look-ups
//! that come in gather, and the next query answers all of them; a lone one waits for nobody.
//!
//! Those of accounts whose things are heavy are answered by queries of their own, a few at a time, by turns with the others.

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
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
/// The same of accounts whose things are heavy.
const HEAVY_MAX: usize = 8;
/// How long it is remembered that those of an account are.
const LATELY: Duration = Duration::from_secs(60);

type Found<V> = Result<Option<V>, Fault>;

/// A look-up that waits.
type Asked<V> = (Key, Answer<Found<V>>);

/// The look-ups of one kind of thing.
pub struct Lookups<V> {
    queue: Arc<Mutex<Queue<V>>>,
    fetch: Fetch<V>,
    is_heavy: fn(&V) -> bool,
}

struct Queue<V> {
    waiting: Vec<Asked<V>>,
    /// Whether a query is under way, which will take what waits when it is done.
    busy: bool,
    /// Accounts that have looked up something heavy, and when.
    heavy: HashMap<String, Instant>,
    /// Whether it is their turn.
    heavy_is_next: bool,
}

impl<V: Clone + Send + 'static> Lookups<V> {
    /// Look-ups answered by `fetch`; one thing takes about as long as another.
    pub fn new(fetch: Fetch<V>) -> Self {
        Self::weighed(fetch, |_| false)
    }

    /// Look-ups answered by `fetch`, of things of which some are so heavy that a hundred would keep others waiting.
    pub fn weighed(fetch: Fetch<V>, is_heavy: fn(&V) -> bool) -> Self {
        let queue =
            Queue { waiting: Vec::new(), busy: false, heavy: HashMap::new(), heavy_is_next: false };
        Self { queue: Arc::new(Mutex::new(queue)), fetch, is_heavy }
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
        let is_heavy = self.is_heavy;
        let refused = readers.submit(Box::new(move |connections| {
            if let Some(queue) = &turn.0 {
                while let Some(batch) = next_batch(queue) {
                    answer_all(batch, |keys| {
                        let found = connections.query(Cost::Fixed, |db| fetch(db, keys))?;
                        note_heavy(queue, &found, is_heavy);
                        Ok(found)
                    });
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

/// What is next, or nothing: then the turn ends.
fn next_batch<V>(queue: &Mutex<Queue<V>>) -> Option<Vec<Asked<V>>> {
    let mut queue = locked(queue);
    if queue.waiting.is_empty() {
        queue.busy = false;
        return None;
    }
    Some(queue.batch())
}

/// Remembers whose things are heavy.
fn note_heavy<V>(
    queue: &Mutex<Queue<V>>,
    found: &HashMap<Key, QueryResult<V>>,
    is_heavy: fn(&V) -> bool,
) {
    let heavy = found.iter().filter(|(_, value)| value.as_ref().is_ok_and(is_heavy));
    let mut heavy = heavy.map(|((account, _), _)| (account.clone(), Instant::now())).peekable();
    if heavy.peek().is_some() {
        locked(queue).heavy.extend(heavy);
    }
}

impl<V> Queue<V> {
    /// What is looked up by the next query.
    fn batch(&mut self) -> Vec<Asked<V>> {
        let waiting = mem::take(&mut self.waiting);
        self.heavy.retain(|_, at| at.elapsed() < LATELY);
        if self.heavy.is_empty() {
            return self.first_of(waiting, BATCH_MAX);
        }
        let (heavy, light): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|((account, _), _)| self.heavy.contains_key(account));
        let is_heavy = light.is_empty() || (self.heavy_is_next && !heavy.is_empty());
        let (these, others, most) = match is_heavy {
            true => (heavy, light, HEAVY_MAX),
            false => (light, heavy, BATCH_MAX),
        };
        self.heavy_is_next = !is_heavy;
        self.waiting = others;
        self.first_of(these, most)
    }

    /// The first of some, of which the others wait.
    fn first_of(&mut self, mut these: Vec<Asked<V>>, most: usize) -> Vec<Asked<V>> {
        self.waiting.extend(these.split_off(most.min(these.len())));
        these
    }
}

fn answer_all<V: Clone>(
    batch: Vec<Asked<V>>,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The accounts of what the next queries look up, where those of `heavy` have looked up something heavy.
    fn batches(asked: &[&str], heavy: &[&str]) -> Vec<Vec<String>> {
        let mut answers = Vec::new();
        let ask = |account: &&str| {
            let (answer, pending) = Pending::channel();
            answers.push(pending);
            (((*account).to_owned(), String::new()), answer)
        };
        let lookups =
            Lookups::<u32>::weighed(|_, _| Ok(HashMap::new()), |value: &u32| *value > 100);
        locked(&lookups.queue).waiting = asked.iter().map(ask).collect();
        let found = heavy.iter().map(|account| (((*account).to_owned(), String::new()), Ok(500)));
        note_heavy(&lookups.queue, &found.collect(), lookups.is_heavy);
        let light = HashMap::from([(("light".to_owned(), String::new()), Ok(1))]);
        note_heavy(&lookups.queue, &light, lookups.is_heavy);
        let accounts = |batch: Vec<Asked<u32>>| -> Vec<String> {
            batch.into_iter().map(|((account, _), _)| account).collect()
        };
        std::iter::from_fn(|| next_batch(&lookups.queue).map(accounts)).collect()
    }

    #[test]
    fn things_of_usual_weight_are_looked_up_together() {
        assert_eq!(batches(&["a", "light", "b"], &[]), [["a", "light", "b"]]);
        let many = vec!["a"; BATCH_MAX + 1];
        let sizes: Vec<usize> = batches(&many, &["b"]).iter().map(Vec::len).collect();
        assert_eq!(sizes, [BATCH_MAX, 1]);
    }

    #[test]
    fn heavy_ones_are_looked_up_a_few_at_a_time_and_keep_others_waiting_for_one_query() {
        let asked = [vec!["heavy"; HEAVY_MAX + 3], vec!["a", "b"]].concat();
        let found = batches(&asked, &["heavy"]);
        assert_eq!(found, [vec!["a", "b"], vec!["heavy"; HEAVY_MAX], vec!["heavy"; 3]]);
        let many = [vec!["heavy"; 9], vec!["a"; 2 * BATCH_MAX]].concat();
        let found = batches(&many, &["heavy"]);
        let firsts: Vec<&str> =
            found.iter().filter_map(|it| it.first()).map(String::as_str).collect();
        assert_eq!(firsts, ["a", "heavy", "a", "heavy"], "by turns");
    }
}
