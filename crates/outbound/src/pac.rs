//! Certification providers: who stamps and cancels documents for the tax authority.
//!
//! A document is stamped once, whatever fails on the way. So the end of every call is told as one of three:
//! the provider has **taken** the document and says what it made of it; it has certainly **not taken** it, for
//! nothing was sent or what answered says that it did not look; or **nobody knows**. Only words of the
//! provider that are documented count as the first, and only the signs in this table as the second:
//!
//! | seen | told as |
//! |---|---|
//! | a stamp whose `SelloCFD` is the document's own seal | `Stamped`, whatever else the answer says |
//! | code 307 (SW: also `CFDI3307`; Finkok: also 707) without such a stamp | `AlreadyStamped` |
//! | another code of the authority or the provider | `Rejected`, but see the next two |
//! | a code that speaks of the account (credentials, suspended, no stamps left) | `NotTaken` |
//! | a code of an accident on their side (`CO1000`, 604, 709) | `Unknown` |
//! | no name, no connection, no TLS: nothing was sent | `NotTaken` |
//! | HTTP 401, 403, 404, 405, 413, 429 and the like: a gateway may say so once the provider behind it has stamped | `Unknown` |
//! | HTTP 3xx (none is followed), 5xx, time-out, cut connection, half an answer, more than 8 MiB | `Unknown` |
//! | neither JSON nor SOAP as documented; success without a stamp, or with another document's | `Unknown` |
//!
//! What is `Unknown` is recovered by repeating the same bytes: a provider that has stamped them says 307 and
//! shows the stamp. [`recover`](invoices::provider::Provider::recover) does so with both providers and **may
//! thereby stamp** a document that was not; see [`Pacs`].
//!
//! Withholdings have services of their own with both: other addresses, the same words. Their cancellation has codes of
//! its own too (1201 for 201, 1205 for 205), and is over with its receipt: the authority has no service that tells their
//! status, and their receivers are not asked.
//!
//! The addresses are the operator's own, so no [`Guard`](crate::Guard) checks them. They must be `https`,
//! unless they name this machine. No redirect is followed and no proxy of the environment is used.

mod document;
mod ending;
mod finkok;
mod http;
mod sat;
mod session;
mod settings;
mod soap;
mod sw;

use std::sync::Arc;

use invoices::provider::{Credentials, Provider, ProviderKind, Providers};
use kernel::reason::Reason;

pub use http::ANSWER_BYTES_MAX;
pub use session::{SESSION_TIME, SESSIONS_MAX};
pub use settings::{
    FINKOK_PRODUCTION, FINKOK_TEST, SAT_PRODUCTION, SAT_TEST, SW_PRODUCTION, SW_TEST, Settings,
};

use crate::SetupError;
use finkok::Finkok;
use http::Http;
use session::Sessions;
pub(crate) use settings::base;
use sw::Sw;

/// The certification providers SW sapien and Finkok; cheap to clone. One client holds the connections to all.
///
/// How each recovers what became of an earlier call:
/// - **SW** keeps for 72 hours which document came with which `customid`, and answers a repetition with 307 and
///   the stamp; withholdings it knows by their seals. Its archive is asked by fiscal folio, which nobody knows
///   after a lost answer; so `recover` is a repetition. A refusal means that it was never stamped, except when its
///   cause may have come up since (the document's age, its certificate, the list of taxpayers): those are
///   `Unknown`.
/// - **Finkok** has the operation `stamped`, which gives the stamp of the same bytes. It may say 603, not
///   stamped, for some seconds after they were stamped, while `stamp` says 307 at once; so 603 is followed by
///   a repetition, whose word counts.
///
/// Its futures must be polled within a Tokio runtime that has I/O and time enabled, and the same one for all.
#[derive(Clone)]
pub struct Pacs(Arc<Shared>);

/// What all accounts share.
struct Shared {
    http: Http,
    sw_url: String,
    finkok_url: String,
    sat_url: String,
    sessions: Sessions,
}

impl Pacs {
    /// Providers at the addresses of `settings`.
    ///
    /// # Errors
    /// When an address or the certificate authorities cannot be used.
    pub fn new(settings: &Settings) -> Result<Self, SetupError> {
        Ok(Self(Arc::new(Shared {
            http: Http::new(settings)?,
            sw_url: settings::base("sw_url", &settings.sw_url)?,
            finkok_url: settings::base("finkok_url", &settings.finkok_url)?,
            sat_url: settings::base("sat_url", &settings.sat_url)?,
            sessions: Sessions::default(),
        })))
    }
}

impl Providers for Pacs {
    fn provider(
        &self,
        kind: ProviderKind,
        credentials: Option<&Credentials>,
    ) -> Result<Arc<dyn Provider>, String> {
        let shared = Arc::clone(&self.0);
        match kind {
            ProviderKind::Sw => Ok(Arc::new(Sw::new(shared, credentials)?)),
            ProviderKind::Finkok => Ok(Arc::new(Finkok::new(shared, credentials)?)),
            ProviderKind::Sandbox => Err(Reason::NotOverNetwork.kept(kind.name())),
        }
    }
}
