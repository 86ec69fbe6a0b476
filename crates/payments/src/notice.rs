//! Notifications of providers. One is kept before it is answered; it moves no money but says what to ask about.

use aws_lc_rs::digest::{SHA256, digest};
use kernel::Timestamp;

use crate::{PaymentId, ProviderKind, payment::named};

kernel::ids! {
    /// A notification's identifier.
    NoticeId = "ntf";
}

/// The largest notification.
pub const NOTICE_BYTES_MAX: usize = 256 * 1024;
/// Attempts to look into one, before somebody has to ask for it.
pub const TRIES_MAX: u32 = 10;

named! {
    /// What has become of a notification.
    NoticeStatus {
        /// It is to be looked into.
        Received = "received",
        /// The provider was asked about it.
        Processed = "processed",
        /// It is about nothing of ours.
        Ignored = "ignored",
        /// It could not be looked into.
        Dead = "dead",
    }
}

/// A notification as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// From whom, as the address says.
    pub provider: ProviderKind,
    /// The query of the address.
    pub query: String,
    /// The headers that matter, by their lower-case names.
    pub headers: Vec<(String, String)>,
    /// The body, byte for byte.
    pub body: Vec<u8>,
}

impl Received {
    /// A header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }
}

impl Received {
    /// What tells it from every other that has no identifier of its own: the same bytes are the same notification.
    #[must_use]
    pub fn digest(&self) -> String {
        let bytes = [self.query.as_bytes(), b"\n", &self.body].concat();
        hex::encode(digest(&SHA256, &bytes))
    }
}

/// A notification on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its identifier.
    pub id: NoticeId,
    /// From whom.
    pub provider: ProviderKind,
    /// What tells it from every other: the provider's identifier of the event, or a digest.
    pub event_key: String,
    /// Whether the provider has signed it.
    pub is_signed: bool,
    /// The provider's identifier of the payment.
    pub provider_ref: Option<String>,
    /// The payment that it is about.
    pub payment: Option<PaymentId>,
    /// What has become of it.
    pub status: NoticeStatus,
    /// How often it was looked into.
    pub tries: u32,
    /// Why it is dead or ignored.
    pub problem: Option<String>,
    /// When it came.
    pub received_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}
