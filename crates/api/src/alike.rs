//! Equal requests for a page of a list that wait together are answered once.
//!
//! A shop's first page is what most of its visitors ask for, and few pages of an account are made at once. Whoever asks while
//! the same request waits for the account's turn shares its answer. An answer is for those alone who had asked before it was
//! begun: everybody sees what was saved by the time of asking.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use accounts::{ApiKey, ApiKeyId};
use actix_web::{
    HttpRequest,
    http::{
        StatusCode, Uri,
        header::{ACCEPT_LANGUAGE, HOST, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH},
    },
    web::Bytes,
};
use tokio::sync::oneshot;

use crate::{
    answer::{Answer, Body},
    connection::Connection,
};

/// What is asked for, and by whom: equal ones have the same answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    key: ApiKeyId,
    address: Uri,
    is_encrypted: bool,
    /// What an answer depends on besides.
    headers: [Vec<HeaderValue>; 3],
}

impl Question {
    pub(crate) fn of(key: &ApiKey, request: &HttpRequest) -> Self {
        let connection = request.conn_data::<Connection>();
        Self {
            key: key.id,
            address: request.uri().clone(),
            is_encrypted: connection.is_some_and(Connection::is_encrypted),
            headers: telling(request.headers()),
        }
    }
}

/// Every line of the headers that an answer depends on.
fn telling(headers: &HeaderMap) -> [Vec<HeaderValue>; 3] {
    [HOST, ACCEPT_LANGUAGE, IF_NONE_MATCH].map(|name| headers.get_all(name).cloned().collect())
}

/// An answer that several get.
#[derive(Clone)]
pub(crate) struct Shared {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Bytes,
}

impl From<Shared> for Answer {
    fn from(Shared { status, headers, body }: Shared) -> Self {
        Self { status, headers, body: Body::Whole(body) }
    }
}

/// Whoever waits for the answer to a question.
type Waiting = Vec<oneshot::Sender<Shared>>;

/// The questions that wait.
#[derive(Default)]
pub(crate) struct Alike(Arc<Mutex<HashMap<Question, Waiting>>>);

/// Where somebody stands who asks.
pub(crate) enum Place {
    /// The first, who has it answered.
    First(Box<Asked>),
    /// Behind that one. The answer may be one that cannot be shared, or none: then nothing comes.
    Behind(oneshot::Receiver<Shared>),
}

impl Alike {
    pub(crate) fn join(&self, question: Question) -> Place {
        match locked(&self.0).entry(question) {
            Entry::Occupied(mut waiting) => {
                let (answer, awaited) = oneshot::channel();
                waiting.get_mut().push(answer);
                Place::Behind(awaited)
            }
            Entry::Vacant(place) => {
                let question = place.key().clone();
                place.insert(Waiting::new());
                let all = Arc::clone(&self.0);
                Place::First(Box::new(Asked { all, question, waiting: None }))
            }
        }
    }
}

/// A question that is to be answered. Dropped before it is, it leaves those who wait for it to themselves.
pub(crate) struct Asked {
    all: Arc<Mutex<HashMap<Question, Waiting>>>,
    question: Question,
    /// Those who had asked when the answer was begun.
    waiting: Option<Waiting>,
}

impl Asked {
    /// From now on whoever asks has it answered anew.
    pub(crate) fn begin(&mut self) {
        self.waiting = locked(&self.all).remove(&self.question);
    }

    /// Gives everybody the answer, if it is held whole.
    pub(crate) fn share(mut self, answer: &Answer) {
        let Body::Whole(body) = &answer.body else { return };
        let (headers, body) = (answer.headers.clone(), body.clone());
        let shared = Shared { status: answer.status, headers, body };
        for awaited in self.waiting.iter_mut().flat_map(|waiting| waiting.drain(..)) {
            // Nobody may wait any more.
            drop(awaited.send(shared.clone()));
        }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        if self.waiting.is_none() {
            self.begin();
        }
    }
}

fn locked(all: &Mutex<HashMap<Question, Waiting>>) -> MutexGuard<'_, HashMap<Question, Waiting>> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn question(address: &str) -> Question {
        let request = TestRequest::with_uri(address).to_http_request();
        Question {
            key: ApiKeyId::from_u128(1),
            address: request.uri().clone(),
            is_encrypted: false,
            headers: Default::default(),
        }
    }

    fn first(place: Place) -> Box<Asked> {
        match place {
            Place::First(asked) => asked,
            Place::Behind(_) => panic!("somebody has asked before"),
        }
    }

    fn behind(place: Place) -> oneshot::Receiver<Shared> {
        match place {
            Place::First(_) => panic!("nobody has asked before"),
            Place::Behind(awaited) => awaited,
        }
    }

    fn page(text: &'static str) -> Answer {
        Answer::new(StatusCode::OK, "application/json", text)
    }

    #[test]
    fn who_asks_before_an_answer_is_begun_shares_it() {
        let alike = Alike::default();
        let mut asked = first(alike.join(question("/products")));
        let mut early = behind(alike.join(question("/products")));
        let other = first(alike.join(question("/products?page=2")));
        asked.begin();
        let mut anew = first(alike.join(question("/products")));
        asked.share(&page("one"));
        let mut late = behind(alike.join(question("/products")));
        anew.begin();
        anew.share(&page("two"));
        drop(other);
        assert_eq!(early.try_recv().unwrap().body, "one");
        assert_eq!(late.try_recv().unwrap().body, "two");
        assert!(matches!(alike.join(question("/products?page=2")), Place::First(_)));
    }

    #[test]
    fn every_line_of_a_header_counts() {
        let asked = |tags: [&'static str; 2]| {
            let request = TestRequest::with_uri("/products");
            let request = tags
                .into_iter()
                .fold(request, |request, tag| request.append_header((IF_NONE_MATCH, tag)));
            telling(request.to_http_request().headers())
        };
        assert_eq!(asked(["\"1\"", "\"2\""]), asked(["\"1\"", "\"2\""]));
        assert_ne!(asked(["\"1\"", "\"2\""]), asked(["\"1\"", "\"3\""]));
    }

    #[test]
    fn who_waits_for_what_cannot_be_shared_is_left_to_itself() {
        let alike = Alike::default();
        let mut asked = first(alike.join(question("/orders")));
        let mut streamed = behind(alike.join(question("/orders")));
        asked.begin();
        asked.share(&Answer::streamed("application/json", futures_util::stream::empty()));
        assert!(streamed.try_recv().is_err());
        let asked = first(alike.join(question("/orders")));
        let mut unanswered = behind(alike.join(question("/orders")));
        drop(asked);
        assert!(unanswered.try_recv().is_err());
    }
}
