//! Certification providers on this machine, and the tax authority's service of statuses: they stamp and
//! cancel as the real ones say they do, remember it, and misbehave as a test says, before or after the work.
//!
//! ```
//! use testkit::pac::{Behaviour, Call, FakePac, Reply};
//!
//! let pac = FakePac::start();
//! // The first call stamps and never answers, the second meets an error page; then all is well.
//! pac.script(
//!     Call::Stamp,
//!     [
//!         Behaviour::then(Reply::Hang),
//!         Behaviour::instead(Reply::Http(502, "<html>".to_owned())),
//!     ],
//!     Behaviour::documented(),
//! );
//! // ... a service whose sw_url, finkok_url and sat_url are `pac.url()` stamps an invoice ...
//! assert!(pac.stamps().len() <= 1);
//! ```

mod books;
mod finkok;
mod script;
mod serving;
mod sw;

use std::time::Duration;

pub use books::{Stamp, Status};
use doubles::server::Server;
use invoices::provider::Service;
pub use script::{Behaviour, Call, Reply};

use serving::Desk;

/// A request as it came.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Received {
    /// What was wanted.
    pub call: Call,
    pub path: String,
    /// Its headers, the names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Received {
    /// What kind of document it is about, by where it was sent.
    #[must_use]
    pub fn service(&self) -> Service {
        let is_of_withholdings =
            self.path.starts_with("/retencion/") || self.path.ends_with("/retentions");
        if is_of_withholdings { Service::Withholding } else { Service::Invoice }
    }

    /// A header, by its lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A server of HTTP/1.1 that is SW sapien, Finkok and the tax authority at once; gone when it is dropped.
///
/// Stamping is exact: one document, known by its seal, has one stamp, whoever asks how often. A repetition is
/// answered with code 307 and the stamp. Invoices and withholdings are served each by their own addresses, and none by those
/// of the other.
pub struct FakePac(Server<Desk>);

impl Default for FakePac {
    fn default() -> Self {
        Self::start()
    }
}

impl FakePac {
    /// The only user.
    pub const USER: &str = "pac@tienda.example";
    /// The user's password.
    pub const PASSWORD: &str = "Contraseña<&>1";
    /// A token of SW that does not end.
    pub const TOKEN: &str = "ficha.infinita.0123456789";

    /// Providers that behave as documented.
    #[must_use]
    pub fn start() -> Self {
        Self(Server::start(Desk::default()))
    }

    /// The address of all three services.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.0.addr())
    }

    /// From now on calls of that kind meet this.
    pub fn always(&self, call: Call, behaviour: Behaviour) {
        self.script(call, [], behaviour);
    }

    /// The next calls of that kind meet one after the other of `first`, all behind them `then`.
    pub fn script(&self, call: Call, first: impl IntoIterator<Item = Behaviour>, then: Behaviour) {
        self.0.state().script(call, first.into_iter().collect(), then);
    }

    /// All requests so far, in the order of their arrival.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        self.0.state().received.clone()
    }

    /// The requests of one kind so far.
    #[must_use]
    pub fn received_of(&self, call: Call) -> Vec<Received> {
        self.received().into_iter().filter(|one| one.call == call).collect()
    }

    /// How many of one kind have come.
    #[must_use]
    pub fn count(&self, call: Call) -> usize {
        self.received_of(call).len()
    }

    /// The requests of one kind, once there are so many.
    ///
    /// # Panics
    /// When they do not come within a minute.
    #[track_caller]
    pub fn wait_for(&self, call: Call, count: usize) -> Vec<Received> {
        let came = self.0.wait_until(Duration::from_secs(60), |desk| {
            desk.received.iter().filter(|one| one.call == call).count() >= count
        });
        assert!(came, "{count} calls of {call:?} should have come; {} came", self.count(call));
        self.received_of(call)
    }

    /// Every stamp that was made, in order. Two with the same seal never are; two for one invoice are what a
    /// test is there to find.
    #[must_use]
    pub fn stamps(&self) -> Vec<Stamp> {
        self.0.state().books.stamps().to_vec()
    }

    /// The fiscal folios whose cancellation was requested, in order.
    #[must_use]
    pub fn cancelled(&self) -> Vec<String> {
        self.0.state().books.cancelled().to_vec()
    }

    /// From now on the tax authority says this of a document.
    pub fn set_status(&self, uuid: &str, status: Status) {
        self.0.state().books.set_status(uuid, status);
    }

    /// Ends all sessions with SW: their tokens are refused.
    pub fn expire_sessions(&self) {
        self.0.state().books.expire_sessions();
    }
}
