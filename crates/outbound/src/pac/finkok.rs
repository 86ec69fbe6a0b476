//! Finkok, by SOAP.

mod answer;

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::STANDARD};
use invoices::provider::{
    Calling, CancelOutcome, Credentials, Expression, Provider, Recovery, StampOutcome,
    StatusOutcome, ToCancel, ToStamp,
};

use super::{
    Shared,
    document::Sealed,
    ending::{Failure, recovered},
    http::{Answer, Deadline},
    sat, soap,
};
use answer::{cancel_outcome, stamp_outcome};

const STAMP_SERVICE: &str = "http://facturacion.finkok.com/stamp";
const CANCEL_SERVICE: &str = "http://facturacion.finkok.com/cancel";

/// The operation `stamped` knows of no stamp.
const NOT_STAMPED: &str = "603";

/// An account with Finkok.
#[derive(Clone)]
pub(super) struct Finkok {
    shared: Arc<Shared>,
    user: Arc<str>,
    password: Arc<str>,
}

/// The operations of the service that stamps.
#[derive(Clone, Copy)]
enum Operation {
    /// Stamps.
    Stamp,
    /// Shows the stamp of the same bytes.
    Stamped,
}

impl Operation {
    const fn name(self) -> &'static str {
        match self {
            Self::Stamp => "stamp",
            Self::Stamped => "stamped",
        }
    }

    const fn result(self) -> &'static str {
        match self {
            Self::Stamp => "stampResult",
            Self::Stamped => "stampedResult",
        }
    }
}

impl Finkok {
    pub(super) fn new(
        shared: Arc<Shared>,
        credentials: Option<&Credentials>,
    ) -> Result<Self, String> {
        match credentials {
            Some(Credentials::User { user, password })
                if !user.is_empty() && !password.is_empty() =>
            {
                let (user, password) = (user.as_str().into(), password.as_str().into());
                Ok(Self { shared, user, password })
            }
            _ => Err("user and password are required".to_owned()),
        }
    }

    /// Stamps; when the stamp is an earlier one that is not shown, asks for it.
    async fn stamped(&self, request: ToStamp) -> StampOutcome {
        let Some(sealed) = Sealed::new(request.xml) else { return not_sealed().into() };
        let by = self.shared.http.deadline();
        match self.ask(by, Operation::Stamp, &sealed).await {
            StampOutcome::AlreadyStamped => match self.ask(by, Operation::Stamped, &sealed).await {
                shown @ StampOutcome::Stamped { .. } => shown,
                _ => StampOutcome::AlreadyStamped,
            },
            outcome => outcome,
        }
    }

    async fn recovered(&self, request: ToStamp) -> Recovery {
        let Some(sealed) = Sealed::new(request.xml) else { return not_sealed().into() };
        let by = self.shared.http.deadline();
        let shown = self.ask(by, Operation::Stamped, &sealed).await;
        let unstamped = matches!(&shown, StampOutcome::Rejected(no) if no.code == NOT_STAMPED);
        if !unstamped {
            return recovered(shown, |_| false);
        }
        recovered(self.ask(by, Operation::Stamp, &sealed).await, |_| true)
    }

    async fn ask(&self, by: Deadline, operation: Operation, sealed: &Sealed) -> StampOutcome {
        let outcome = async {
            let xml = STANDARD.encode(&sealed.xml);
            let fields = self.fields(&xml);
            let (name, url) = (operation.name(), self.url("stamp"));
            let post = soap::post(url, name, STAMP_SERVICE, name, &fields);
            let answer: Answer = self.shared.http.post(by, post).await?;
            stamp_outcome(&answer, operation.result(), sealed)
        };
        outcome.await.unwrap_or_else(StampOutcome::from)
    }

    async fn cancelled(&self, request: ToCancel) -> CancelOutcome {
        let outcome = async {
            let xml = STANDARD.encode(&request.xml);
            // A request that cannot be passed on is not to be kept and passed on some day.
            let fields = [self.fields(&xml).as_slice(), &[("store_pending", "false")]].concat();
            let (name, url) = ("cancel_signature", self.url("cancel"));
            let post = soap::post(url, name, CANCEL_SERVICE, name, &fields);
            let answer = self.shared.http.post(self.shared.http.deadline(), post).await?;
            cancel_outcome(&answer, &request.uuid)
        };
        outcome.await.unwrap_or_else(CancelOutcome::from)
    }

    fn url(&self, service: &str) -> String {
        format!("{}/servicios/soap/{service}.wsdl", self.shared.finkok_url)
    }

    fn fields<'a>(&'a self, xml: &'a str) -> [(&'a str, &'a str); 3] {
        [("xml", xml), ("username", &self.user), ("password", &self.password)]
    }
}

fn not_sealed() -> Failure {
    Failure::not_taken("the document is not a sealed XML")
}

impl Provider for Finkok {
    fn stamp(&self, request: ToStamp) -> Calling<StampOutcome> {
        let account = self.clone();
        Box::pin(async move { account.stamped(request).await })
    }

    fn recover(&self, request: ToStamp) -> Calling<Recovery> {
        let account = self.clone();
        Box::pin(async move { account.recovered(request).await })
    }

    fn cancel(&self, request: ToCancel) -> Calling<CancelOutcome> {
        let account = self.clone();
        Box::pin(async move { account.cancelled(request).await })
    }

    fn status(&self, expression: Expression) -> Calling<StatusOutcome> {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move { sat::status(&shared, &expression).await })
    }
}
