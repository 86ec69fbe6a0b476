//! Payment providers on this machine: they keep books, answer as the real ones say they do, and misbehave as a test says,
//! before or after the work.

mod serving;

use std::{collections::VecDeque, time::Duration};

use url::Url;

use crate::server::Server;
use serving::Ledger;

/// A request as it came.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Request {
    pub method: String,
    /// Without its query.
    pub path: String,
    pub query: String,
    /// Its headers, the names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Request {
    /// A header, by its lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The pairs of a form, in the body or in the query.
    #[must_use]
    pub fn form(&self) -> Vec<(String, String)> {
        let text = if self.method == "GET" { &self.query } else { &self.body };
        let url = Url::parse(&format!("form:?{text}")).expect("any form is a query");
        url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
    }
}

/// A documented answer.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    /// An answer in JSON.
    #[must_use]
    pub fn json(status: u16, body: &serde_json::Value) -> Self {
        Self { status, headers: Vec::new(), body: body.to_string() }
    }
}

/// What a provider keeps, and what it answers.
pub trait Books: Default + Send + 'static {
    /// What a request wants, for scripts: `create`, `refund`.
    fn call(request: &Request) -> &'static str;

    /// Does what a request wants.
    fn answer(&mut self, request: &Request) -> Answer;

    /// A request was answered so although it was carried out: what a repetition under its key meets.
    fn failed(&mut self, request: &Request, answer: &Answer);
}

/// What a provider does with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Does the work and replies as documented.
    Documented,
    /// Does the work and replies this.
    Then(Reply),
    /// Replies this and does nothing.
    Instead(Reply),
}

/// What a provider replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// This status with these headers and this body.
    Http(u16, Vec<(&'static str, &'static str)>, String),
    /// Nothing: the connection stays open.
    Hang,
    /// Nothing: the connection is reset.
    Reset,
    /// Half of the documented answer; then the connection is closed.
    Half,
}

impl Reply {
    /// This status, without a body.
    #[must_use]
    pub const fn status(status: u16) -> Self {
        Self::Http(status, Vec::new(), String::new())
    }
}

/// A server of HTTP/1.1 that is a payment provider; gone when it is dropped.
pub struct FakeProvider<B: Books>(Server<Ledger<B>>);

impl<B: Books> Default for FakeProvider<B> {
    fn default() -> Self {
        Self::start()
    }
}

impl<B: Books> FakeProvider<B> {
    /// One that behaves as documented.
    #[must_use]
    pub fn start() -> Self {
        Self(Server::start(Ledger::default()))
    }

    /// Its address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.0.addr())
    }

    /// The next calls of that kind meet one after the other of these; then all is well.
    pub fn script(&self, call: &'static str, next: impl IntoIterator<Item = Behaviour>) {
        self.0.state().scripts.insert(call, next.into_iter().collect::<VecDeque<_>>());
    }

    /// The requests of one kind so far.
    #[must_use]
    pub fn received(&self, call: &str) -> Vec<Request> {
        let state = self.0.state();
        state.received.iter().filter(|one| B::call(one) == call).cloned().collect()
    }

    /// The requests of one kind, once there are so many.
    ///
    /// # Panics
    /// When they do not come within a minute.
    #[track_caller]
    pub fn wait_for(&self, call: &str, count: usize) -> Vec<Request> {
        let came = self.0.wait_until(Duration::from_secs(60), |ledger| {
            ledger.received.iter().filter(|one| B::call(one) == call).count() >= count
        });
        assert!(came, "{count} calls to {call} should have come");
        self.received(call)
    }

    /// Looks into its books, or has something happen there.
    pub fn books<T>(&self, with: impl FnOnce(&mut B) -> T) -> T {
        with(&mut self.0.state().books)
    }
}
