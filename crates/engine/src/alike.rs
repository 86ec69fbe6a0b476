//! Equal questions that wait together are answered by one query.
//!
//! A shop's first page is what most of its visitors ask for. On PostgreSQL a page costs several round trips, so those who
//! ask while the same question waits for a reader share its answer. A query answers only those who had asked before it
//! began: each sees everything that was committed when it asked.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

use diesel::QueryResult;
use kernel::{AccountId, Fault, Pending, pending::Answer};

use crate::{
    db::Db,
    readers::{Cost, Readers},
};

/// What whoever asks waits for, and the question, which the first of them has to have asked.
type Joined<Q, V> = (Pending<Result<V, Fault>>, Option<Asked<Q, V>>);

/// Whoever waits for an answer.
type Waiting<V> = Vec<Answer<Result<V, Fault>>>;

/// The questions of one kind that wait for a reader, with whoever asks them.
pub struct Alike<Q, V>(Arc<Mutex<HashMap<Q, Waiting<V>>>>);

impl<Q, V> Default for Alike<Q, V> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<Q, V> Alike<Q, V>
where
    Q: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + 'static,
{
    /// Asks a question of an account by `query`, which does the same for equal questions.
    pub fn ask<F>(
        &self,
        readers: &Readers,
        account: AccountId,
        cost: Cost,
        question: Q,
        query: F,
    ) -> Pending<Result<V, Fault>>
    where
        F: Fn(&mut Db, &Q) -> QueryResult<V> + Send + 'static,
    {
        let (pending, first) = self.joined(question);
        let Some(mut asked) = first else { return pending };
        let refused = readers.submit_of(
            account,
            cost,
            Box::new(move |connections| {
                let waiting = asked.begun();
                let result = connections.query(cost, |db| query(db, &asked.question));
                for answer in waiting {
                    answer.send(result.clone());
                }
            }),
        );
        refused.map_or(pending, |fault| Pending::ready(Err(fault)))
    }

    /// Waits for the answer to a question; who is the first to do so has it asked.
    fn joined(&self, question: Q) -> Joined<Q, V> {
        let (answer, pending) = Pending::channel();
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match all.entry(question.clone()) {
            Entry::Occupied(mut waiting) => {
                waiting.get_mut().push(answer);
                (pending, None)
            }
            Entry::Vacant(place) => {
                place.insert(vec![answer]);
                (pending, Some(Asked { all: Arc::clone(&self.0), question, waits: true }))
            }
        }
    }
}

/// A question that waits for a reader. Dropped before it has begun (the readers have no room, or stop), it sends away
/// everybody who waits with it.
struct Asked<Q: Eq + Hash, V> {
    all: Arc<Mutex<HashMap<Q, Waiting<V>>>>,
    question: Q,
    waits: bool,
}

impl<Q: Eq + Hash, V> Asked<Q, V> {
    /// Whoever has asked it by now. Those who do so from now on have it asked anew.
    fn begun(&mut self) -> Waiting<V> {
        self.waits = false;
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.remove(&self.question).unwrap_or_default()
    }
}

impl<Q: Eq + Hash, V> Drop for Asked<Q, V> {
    fn drop(&mut self) {
        if self.waits {
            drop(self.begun());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_ask_before_a_query_begins_share_its_answer() {
        let pages = Alike::<&str, u32>::default();
        let (one, asked) = pages.joined("first page");
        let (two, none) = pages.joined("first page");
        assert!(none.is_none());
        let (other, asked_else) = pages.joined("second page");
        let mut asked = asked.unwrap();
        let waiting = asked.begun();
        let (late, anew) = pages.joined("first page");
        for answer in waiting {
            answer.send(Ok(1));
        }
        drop(asked);
        for answer in anew.expect("the query had begun").begun() {
            answer.send(Ok(2));
        }
        drop(asked_else);
        let told = [one, two, late, other].map(|pending| pending.wait().and_then(Result::ok));
        assert_eq!(told, [Some(1), Some(1), Some(2), None]);
        assert!(pages.joined("second page").1.is_some());
    }
}
