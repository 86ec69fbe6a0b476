//! The certification provider (PAC): the outside party that stamps and cancels documents for the tax
//! authority.

use std::{fmt, future::Future, pin::Pin, sync::Arc};

use kernel::reason;
use serde::{Deserialize, Serialize};

/// A call under way; dropping it gives it up, whatever the provider has made of it.
pub type Calling<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Which provider an account works with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProviderKind {
    /// The embedded one, for trying out: its stamps have no fiscal value.
    Sandbox,
    /// SW sapien, by REST.
    Sw,
    /// Finkok, by SOAP.
    Finkok,
}

impl ProviderKind {
    /// Every provider.
    pub const EVERY: &'static [Self] = &[Self::Sandbox, Self::Sw, Self::Finkok];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Sw => "sw",
            Self::Finkok => "finkok",
        }
    }
}

/// What an account calls a provider with. Debug output tells no secret.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Credentials {
    /// A user and a password.
    User {
        /// Usually an e-mail address.
        user: String,
        /// Secret.
        password: String,
    },
    /// A token that does not end.
    Token(
        /// Secret.
        String,
    ),
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User { user, .. } => {
                f.debug_struct("User").field("user", user).finish_non_exhaustive()
            }
            Self::Token(_) => f.write_str("Token(..)"),
        }
    }
}

/// What kind of document a call is about. Providers and the tax authority serve each by addresses and operations of
/// its own, and the authority has codes of its own for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Service {
    /// Invoices, credit notes, payment receipts and transfers: *CFDI*.
    Invoice,
    /// Withholding certificates: *CFDI de retenciones e información de pagos*.
    Withholding,
}

/// A sealed document to be stamped. Debug output has no personal data.
#[derive(Clone, PartialEq, Eq)]
pub struct ToStamp {
    /// What kind of document it is.
    pub service: Service,
    /// Our own key: the same for one invoice whatever is sealed of it, so that a provider that looks at it never stamps
    /// it twice. None looks at it for withholdings.
    pub key: String,
    /// The XML, sealed by its issuer; every repetition sends the same bytes.
    pub xml: String,
}

/// What came of a call to stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StampOutcome {
    /// It is stamped, by this call or by an earlier one (code 307).
    Stamped {
        /// The document with its stamp.
        xml: String,
    },
    /// The provider says that an earlier call stamped it (code 307), without showing the stamp: it is to be
    /// recovered.
    AlreadyStamped,
    /// It is refused for what it says and was not stamped.
    Rejected(Rejection),
    /// The provider has not looked at it: nothing listens there, it refuses our credentials, or has no time.
    NotTaken {
        /// Why, in a few words.
        reason: String,
    },
    /// Nobody knows: a time-out, a cut connection, half an answer, an answer that makes no sense.
    Unknown {
        /// What was seen, in a few words.
        reason: String,
    },
}

/// Why a provider refuses, in its own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    /// The authority's or the provider's code: `CFDI40147`, `301`.
    pub code: String,
    /// Its message, as it came; of what the service has met itself, a reason as it is [kept](kernel::reason).
    pub message: String,
}

impl Rejection {
    /// As the task of a call keeps it: the code with the words; alone, a [`kernel::reason`], which is told in the
    /// reader's language.
    #[must_use]
    pub fn kept(&self) -> String {
        match reason::known(&self.message) {
            Some(_) => self.message.clone(),
            None => format!("{}: {}", self.code, self.message),
        }
    }
}

/// What a provider knows of an earlier call to stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// It stamped the document.
    Stamped {
        /// The document with its stamp.
        xml: String,
    },
    /// It never stamped it.
    NotStamped,
    /// It could not be asked, or still works on it.
    Unknown {
        /// What was seen, in a few words.
        reason: String,
    },
}

impl fmt::Debug for ToStamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToStamp")
            .field("service", &self.service)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

/// A request to cancel a document. Debug output has no personal data.
#[derive(Clone, PartialEq, Eq)]
pub struct ToCancel {
    /// What kind of document it is.
    pub service: Service,
    /// The issuer's RFC.
    pub issuer_rfc: String,
    /// The fiscal folio.
    pub uuid: String,
    /// The request as the issuer signed it (node `Cancelacion`).
    pub xml: String,
}

impl fmt::Debug for ToCancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToCancel")
            .field("service", &self.service)
            .field("uuid", &self.uuid)
            .finish_non_exhaustive()
    }
}

/// What came of a request to cancel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CancelOutcome {
    /// The authority has the request, now (201) or since an earlier call (202). A withholding is thereby cancelled
    /// (1201, 1202), since its receiver is not asked.
    Received {
        /// The authority's code.
        code: String,
        /// The receipt (*acuse*), when the provider gave it.
        receipt: Option<String>,
    },
    /// It is refused: the document cannot be cancelled so.
    Rejected(Rejection),
    /// The provider has not looked at it.
    NotTaken {
        /// Why, in a few words.
        reason: String,
    },
    /// Nobody knows.
    Unknown {
        /// What was seen, in a few words.
        reason: String,
    },
}

/// What a stamped document is asked after by: the parts of its printed expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The fiscal folio.
    pub uuid: String,
    /// The issuer's RFC.
    pub issuer_rfc: String,
    /// The receiver's RFC.
    pub receiver_rfc: String,
    /// The total as the document writes it.
    pub total: String,
    /// The last eight characters of the issuer's seal.
    pub seal_end: String,
}

/// What the tax authority says of a document (its service `ConsultaCFDIService`), in its own words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FiscalStatus {
    /// `Vigente`, `Cancelado` or `No Encontrado`.
    pub state: String,
    /// `No cancelable`, `Cancelable sin aceptación` or `Cancelable con aceptación`.
    pub cancellable: Option<String>,
    /// `En proceso`, `Plazo vencido`, `Solicitud rechazada`, `Cancelado sin aceptación`, `Cancelado con aceptación`.
    pub cancellation: Option<String>,
}

/// What came of asking for a document's status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatusOutcome {
    /// The authority's answer.
    Known(FiscalStatus),
    /// No answer, or one that makes no sense.
    Unknown {
        /// What was seen, in a few words.
        reason: String,
    },
}

/// A certification provider as one account uses it. Futures end within the provider's time-out.
pub trait Provider: Send + Sync {
    /// Has a document stamped. Repeating it with the same bytes never makes a second stamp.
    fn stamp(&self, request: ToStamp) -> Calling<StampOutcome>;

    /// Asks what became of an earlier [`stamp`](Self::stamp) of the same bytes.
    fn recover(&self, request: ToStamp) -> Calling<Recovery>;

    /// Passes a request to cancel on to the tax authority.
    fn cancel(&self, request: ToCancel) -> Calling<CancelOutcome>;

    /// What the tax authority says of an invoice. Of withholdings it tells nothing.
    fn status(&self, expression: Expression) -> Calling<StatusOutcome>;
}

/// Gives each account its provider.
pub trait Providers: Send + Sync {
    /// The provider of that kind, called with those credentials.
    ///
    /// # Errors
    /// A clause that says what is missing when it cannot be used so: credentials of another kind, or a kind
    /// that is not served here.
    fn provider(
        &self,
        kind: ProviderKind,
        credentials: Option<&Credentials>,
    ) -> Result<Arc<dyn Provider>, String>;
}
