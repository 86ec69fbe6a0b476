//! The outside party that moves the money, as the rest of the service sees it.

use std::{future::Future, pin::Pin, sync::Arc};

use kernel::{AccountId, Amount, Currency, Timestamp, reason::Reason};

use crate::{
    CallId, Card, Credentials, Failure, Instructions, Payment, PaymentId, ProviderKind, Refund,
    RefundId, RefundStatus, notice::Received, reconcile::Theirs,
};

/// A call under way; dropping it gives it up, whatever the provider has made of it.
pub type Calling<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What a provider shows of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its identifier there.
    pub provider_ref: String,
    /// The payment that it says it is; `None` where it does not say.
    pub payment: Option<PaymentId>,
    /// The amount that was asked for, as it knows it.
    pub amount: Amount,
    /// The currency of all its amounts.
    pub currency: Currency,
    /// Where it stands.
    pub state: SeenState,
    /// What has arrived and does not make it paid yet.
    pub received: Amount,
    /// How the payer pays.
    pub instructions: Option<Instructions>,
    /// Until when.
    pub expires_at: Option<Timestamp>,
    /// The card that was used.
    pub card: Option<Card>,
    /// In how many monthly installments the payer pays the card; `None` where it is paid in one, or not said.
    pub installments_chosen: Option<u8>,
    /// The tracking key of the transfer.
    pub tracking_key: Option<String>,
    /// What of it the provider keeps.
    pub fee: Option<Amount>,
    /// Every refund that it knows of.
    pub refunds: Vec<SeenRefund>,
}

/// Where a payment stands at its provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeenState {
    /// The payer has something to do. A try that was refused may be why.
    RequiresAction(Option<Failure>),
    /// It works on it.
    Processing,
    /// So much is set aside.
    Authorized(Amount),
    /// So much was received.
    Paid {
        /// How much, in all.
        captured: Amount,
        /// When; `None` where it does not say.
        at: Option<Timestamp>,
    },
    /// It was refused for good.
    Failed(Failure),
    /// It was called off.
    Canceled,
    /// It was called off, and what had arrived of it went back to the payer.
    Returned,
    /// Its time has passed.
    Expired,
}

/// What a provider shows of a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenRefund {
    /// Its identifier there.
    pub provider_ref: String,
    /// The refund of ours that it says it is; `None` of one that was made there.
    pub refund: Option<RefundId>,
    /// How much.
    pub amount: Amount,
    /// Where it stands.
    pub status: RefundStatus,
    /// Why it failed.
    pub failure: Option<Failure>,
}

/// Why a call has no outcome to go by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallFault {
    /// The payment was refused: by the bank, the payer's means, a rule against fraud.
    Declined(Failure),
    /// The provider refuses the call itself; nothing has happened.
    Rejected(Failure),
    /// It has no time for it; nothing has happened.
    RateLimited {
        /// After how many seconds it may.
        seconds: i64,
    },
    /// Nobody listens there; not a byte was sent.
    Unreachable(String),
    /// It refuses our credentials; nothing has happened.
    Config(String),
    /// Nobody knows: a time-out, a cut connection, an answer that makes no sense.
    Unknown(String),
    /// Nobody knows, and nobody will under this key: the provider gives the answer of an attempt that failed again and again.
    Stuck(String),
}

impl CallFault {
    /// What it is, as [reasons](kernel::reason) are kept.
    #[must_use]
    pub fn kept(&self) -> String {
        match self {
            Self::Declined(failure) | Self::Rejected(failure) => failure.code.clone(),
            Self::RateLimited { seconds } => Reason::AsksToWait.kept(format_args!("{seconds} s")),
            Self::Unreachable(why) | Self::Config(why) | Self::Unknown(why) | Self::Stuck(why) => {
                why.clone()
            }
        }
    }
}

/// A payment that a provider is asked about, and under which key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Whose.
    pub account: AccountId,
    /// The payment as it stands.
    pub payment: Payment,
    /// Our own identifier of the call: the provider's idempotency key, the same in every repetition.
    pub call: CallId,
    /// How often it was called before.
    pub tries: u32,
    /// When.
    pub now: Timestamp,
}

/// A refund that a provider is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedRefund {
    /// Of which payment; its call is the refund's key.
    pub of: Asked,
    /// The refund.
    pub refund: Refund,
}

/// What came of a call about a payment.
pub type CallResult = Result<Seen, CallFault>;

/// A payment provider as one account uses it. Futures end within the provider's time-out; a call that is repeated
/// under the same key has one effect.
pub trait Gateway: Send + Sync {
    /// Asks the payer for the money.
    fn create(&self, asked: Asked) -> Calling<CallResult>;

    /// Takes so much of what is authorized, and releases the rest.
    fn capture(&self, asked: Asked, amount: Amount) -> Calling<CallResult>;

    /// Calls it off.
    fn cancel(&self, asked: Asked) -> Calling<CallResult>;

    /// Gives money back.
    fn refund(&self, asked: AskedRefund) -> Calling<Result<SeenRefund, CallFault>>;

    /// What it shows of a payment now.
    fn fetch(&self, asked: Asked) -> Calling<CallResult>;

    /// Looks for a payment whose identifier there is not known. `None` when it never had it.
    fn find(&self, asked: Asked) -> Calling<Result<Option<Seen>, CallFault>>;

    /// What a notification is worth.
    fn verify(&self, received: &Received, now: Timestamp) -> Verified;

    /// A page of what it has of a time, in any order. `None` of a provider that offers no list.
    fn list(&self, asked: ListAsked) -> Calling<Result<Option<Listed>, CallFault>> {
        drop(asked);
        Box::pin(async { Ok(None) })
    }
}

/// Which payments of a provider are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListAsked {
    /// Whose.
    pub account: AccountId,
    /// Made there at this moment or later.
    pub from: Timestamp,
    /// And before this one.
    pub to: Timestamp,
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// When.
    pub now: Timestamp,
}

/// A page of a provider's payments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The payments.
    pub payments: Vec<Theirs>,
    /// Where the next page begins; `None` of the last one.
    pub next: Option<String>,
}

/// What a notification is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verified {
    /// The provider has signed it.
    Signed(About),
    /// Anybody may have sent it: it says what to ask the provider about.
    Hint(About),
    /// It claims a signature that is not the provider's.
    Forged,
    /// It is not a notification of this provider.
    Unreadable,
}

/// What a notification is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The provider's identifier of the event, if it has one.
    pub event: Option<String>,
    /// The provider's identifier of the payment; `None` of news that are not about one.
    pub provider_ref: Option<String>,
    /// The payment of ours that it names.
    pub payment: Option<PaymentId>,
}

/// Gives each account its providers.
pub trait Gateways: Send + Sync {
    /// The provider of an account.
    ///
    /// # Errors
    /// Why there is none, as a clause.
    fn gateway(
        &self,
        account: AccountId,
        kind: ProviderKind,
        credentials: Option<&Credentials>,
    ) -> Result<Arc<dyn Gateway>, String>;
}
