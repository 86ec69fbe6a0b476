//! Finkok, by SOAP.

mod answer;

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::STANDARD};
use invoices::provider::{
    Calling, CancelOutcome, Credentials, Expression, Provider, Recovery, Service, StampOutcome,
    StatusOutcome, ToCancel, ToStamp,
};
use kernel::reason::Reason;

use super::{
    Shared,
    document::Sealed,
    ending::{Failure, recovered},
    http::{Answer, Deadline},
    sat, soap,
};
use answer::{cancel_outcome, stamp_outcome};

/// Operations that share an address.
#[derive(Clone, Copy)]
struct Port {
    path: &'static str,
    namespace: &'static str,
}

const STAMP: Port =
    Port { path: "/servicios/soap/stamp.wsdl", namespace: "http://facturacion.finkok.com/stamp" };
const CANCEL: Port =
    Port { path: "/servicios/soap/cancel.wsdl", namespace: "http://facturacion.finkok.com/cancel" };
/// Withholdings are stamped and cancelled at one address.
const RETENTIONS: Port = Port {
    path: "/servicios/soap/retentions",
    namespace: "http://facturacion.finkok.com/retentions",
};

/// The operation `stamped` knows of no stamp.
const NOT_STAMPED: &str = "603";

/// An account with Finkok.
#[derive(Clone)]
pub(super) struct Finkok {
    shared: Arc<Shared>,
    user: Arc<str>,
    password: Arc<str>,
}

const fn stamp_port(service: Service) -> Port {
    match service {
        Service::Invoice => STAMP,
        Service::Withholding => RETENTIONS,
    }
}

const fn cancel_port(service: Service) -> Port {
    match service {
        Service::Invoice => CANCEL,
        Service::Withholding => RETENTIONS,
    }
}

/// The operations that stamp.
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
            _ => Err(Reason::UserMissing.alone()),
        }
    }

    /// Stamps; when the stamp is an earlier one that is not shown, asks for it.
    async fn stamped(&self, request: ToStamp) -> StampOutcome {
        let port = stamp_port(request.service);
        let Some(sealed) = Sealed::new(request.xml) else { return not_sealed().into() };
        let by = self.shared.http.deadline();
        let outcome = self.ask(by, (port, Operation::Stamp), &sealed).await;
        if outcome != StampOutcome::AlreadyStamped {
            return outcome;
        }
        match self.ask(by, (port, Operation::Stamped), &sealed).await {
            shown @ StampOutcome::Stamped { .. } => shown,
            _ => StampOutcome::AlreadyStamped,
        }
    }

    async fn recovered(&self, request: ToStamp) -> Recovery {
        let port = stamp_port(request.service);
        let Some(sealed) = Sealed::new(request.xml) else { return not_sealed().into() };
        let by = self.shared.http.deadline();
        let shown = self.ask(by, (port, Operation::Stamped), &sealed).await;
        let unstamped = matches!(&shown, StampOutcome::Rejected(no) if no.code == NOT_STAMPED);
        if !unstamped {
            return recovered(shown, |_| false);
        }
        recovered(self.ask(by, (port, Operation::Stamp), &sealed).await, |_| true)
    }

    async fn ask(
        &self,
        by: Deadline,
        (port, operation): (Port, Operation),
        sealed: &Sealed,
    ) -> StampOutcome {
        let outcome = async {
            let xml = STANDARD.encode(&sealed.xml);
            let fields = self.fields(&xml);
            let name = operation.name();
            let post = soap::post(self.url(port), name, port.namespace, name, &fields);
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
            let (name, port) = ("cancel_signature", cancel_port(request.service));
            let post = soap::post(self.url(port), name, port.namespace, name, &fields);
            let answer = self.shared.http.post(self.shared.http.deadline(), post).await?;
            cancel_outcome(&answer, &request.uuid)
        };
        outcome.await.unwrap_or_else(CancelOutcome::from)
    }

    fn url(&self, port: Port) -> String {
        format!("{}{}", self.shared.finkok_url, port.path)
    }

    fn fields<'a>(&'a self, xml: &'a str) -> [(&'a str, &'a str); 3] {
        [("xml", xml), ("username", &self.user), ("password", &self.password)]
    }
}

fn not_sealed() -> Failure {
    Failure::not_taken(Reason::NotSealed)
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
