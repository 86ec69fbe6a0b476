//! The embedded provider: stamps on this very machine, so that everything can be tried without one.
//!
//! It checks what a real provider would check of the envelope, answers a repeat with the stamp that there is,
//! and pretends what it is [told](crate::issuer::Simulate) to. Its stamps have no fiscal value. Withholdings are stamped
//! like invoices, and cancelled at once.

mod certificates;
mod check;
mod records;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use cfdi::{csd::Csd, stamp::Stamp};
use kernel::{AccountId, Clock, Fault, Pending, Timestamp, Written, reason::Reason};

use certificates::Certificates;
pub use records::{SandboxRecord, SandboxRecords};

use crate::{
    calls::{Callee, Directory},
    issuer::{Simulate, SimulatedCancellation, SimulatedStamping},
    provider::{
        Calling, CancelOutcome, Expression, FiscalStatus, Provider, ProviderKind, Providers,
        Recovery, Rejection, StampOutcome, StatusOutcome, ToCancel, ToStamp,
    },
};

/// The RFC that sandbox stamps name as their provider's.
pub const SANDBOX_RFC: &str = "SPR190613I52";

/// The sandbox as one account uses it.
#[derive(Clone)]
struct Sandbox {
    account: AccountId,
    simulate: Simulate,
    desk: Arc<Desk>,
}

/// What all accounts share of the sandbox.
pub struct Desk {
    records: Arc<dyn SandboxRecords>,
    clock: Arc<dyn Clock>,
    /// What it seals stamps with, once it was needed.
    csd: OnceLock<Arc<Csd>>,
    certificates: Certificates,
}

/// Finds providers: the sandbox here, the others outside.
pub struct Certifiers {
    desk: Arc<Desk>,
    outside: Arc<dyn Providers>,
}

impl Certifiers {
    /// With a sandbox that keeps what it stamped in `records`.
    pub fn new(
        records: Arc<dyn SandboxRecords>,
        clock: Arc<dyn Clock>,
        outside: Arc<dyn Providers>,
    ) -> Self {
        Self { desk: Arc::new(Desk::new(records, clock)), outside }
    }
}

impl Directory for Certifiers {
    fn provider_for(&self, callee: &Callee) -> Result<Arc<dyn Provider>, String> {
        if callee.provider != ProviderKind::Sandbox {
            return self.outside.provider(callee.provider, callee.credentials.as_ref());
        }
        let desk = Arc::clone(&self.desk);
        Ok(Arc::new(Sandbox { account: callee.account, simulate: callee.simulate, desk }))
    }
}

impl Provider for Sandbox {
    fn stamp(&self, request: ToStamp) -> Calling<StampOutcome> {
        let sandbox = self.clone();
        Box::pin(async move {
            let unknown = || StampOutcome::Unknown { reason: Reason::SandboxSilent.alone() };
            match sandbox.simulate.stamping {
                SimulatedStamping::Normal => sandbox.stamped(&request).await,
                SimulatedStamping::Timeout => unknown(),
                SimulatedStamping::TimeoutAfterStamping => {
                    let known = sandbox.known(&request).await;
                    let outcome = sandbox.stamped(&request).await;
                    // The second call is shown what the first has done.
                    if known { outcome } else { unknown() }
                }
                SimulatedStamping::Unavailable => {
                    StampOutcome::NotTaken { reason: Reason::SandboxAway.alone() }
                }
            }
        })
    }

    fn recover(&self, request: ToStamp) -> Calling<Recovery> {
        let sandbox = self.clone();
        Box::pin(async move {
            let facts = check::facts(&request, &sandbox.desk.certificates);
            let Some(facts) = facts else { return Recovery::NotStamped };
            match answer(sandbox.desk.records.by_seal(sandbox.account, &facts.seal)).await {
                Ok(Some(record)) => {
                    Recovery::Stamped { xml: record.stamp.attached_to(&request.xml) }
                }
                Ok(None) => Recovery::NotStamped,
                Err(reason) => Recovery::Unknown { reason },
            }
        })
    }

    fn cancel(&self, request: ToCancel) -> Calling<CancelOutcome> {
        let sandbox = self.clone();
        Box::pin(async move { sandbox.cancelled(&request).await })
    }

    fn status(&self, expression: Expression) -> Calling<StatusOutcome> {
        let sandbox = self.clone();
        Box::pin(async move {
            let records = &sandbox.desk.records;
            match answer(records.by_uuid(sandbox.account, &expression.uuid)).await {
                Ok(record) => StatusOutcome::Known(sandbox.status_of(record.as_ref())),
                Err(reason) => StatusOutcome::Unknown { reason },
            }
        })
    }
}

impl Sandbox {
    async fn known(&self, request: &ToStamp) -> bool {
        let facts = check::facts(request, &self.desk.certificates);
        let Some(facts) = facts else { return false };
        matches!(answer(self.desk.records.by_seal(self.account, &facts.seal)).await, Ok(Some(_)))
    }

    /// Stamps, or shows the stamp that there is: as code 307 does.
    async fn stamped(&self, request: &ToStamp) -> StampOutcome {
        let now = self.desk.clock.now();
        let facts = match check::check(request, &self.desk.certificates, now) {
            Ok(facts) => facts,
            Err(rejection) => return StampOutcome::Rejected(rejection),
        };
        let Ok(csd) = self.desk.csd(now) else {
            return StampOutcome::NotTaken { reason: Reason::SandboxCannotSeal.alone() };
        };
        let mut stamp = Stamp {
            uuid: check::uuid(&facts.seal),
            stamped_at: Stamp::ZONE.local(now),
            provider_rfc: SANDBOX_RFC.to_owned(),
            legend: Some("SANDBOX, SIN VALOR FISCAL".to_owned()),
            issuer_seal: facts.seal.clone(),
            certificate_number: csd.certificate().number().to_owned(),
            seal: String::new(),
        };
        match csd.seal(&stamp.cadena()) {
            Ok(seal) => stamp.seal = seal,
            Err(_) => {
                return StampOutcome::Unknown { reason: Reason::SandboxCannotSeal.alone() };
            }
        }
        let record = SandboxRecord {
            seal: facts.seal,
            stamp,
            needs_acceptance: facts.needs_acceptance,
            cancel_requested_at: None,
        };
        match written(self.desk.records.keep(self.account, record, now)).await {
            Ok(kept) => StampOutcome::Stamped { xml: kept.stamp.attached_to(&request.xml) },
            Err(reason) => StampOutcome::Unknown { reason },
        }
    }

    async fn cancelled(&self, request: &ToCancel) -> CancelOutcome {
        let now = self.desk.clock.now();
        let (records, codes) = (&self.desk.records, check::codes(request.service));
        match written(records.request_cancel(self.account, &request.uuid, now)).await {
            Ok(Some(first)) => {
                let code = if first { codes.received } else { codes.repeated };
                let receipt = Some(check::receipt(request, code, now));
                CancelOutcome::Received { code: code.to_owned(), receipt }
            }
            Ok(None) => CancelOutcome::Rejected(Rejection {
                code: codes.unknown.to_owned(),
                message: "UUID No existe".to_owned(),
            }),
            Err(reason) => CancelOutcome::Unknown { reason },
        }
    }

    fn status_of(&self, record: Option<&SandboxRecord>) -> FiscalStatus {
        let Some(record) = record else {
            return FiscalStatus { state: "No Encontrado".to_owned(), ..FiscalStatus::default() };
        };
        let cancellable = match record.needs_acceptance {
            true => "Cancelable con aceptación",
            false => "Cancelable sin aceptación",
        };
        let (state, decision) = match (record.cancel_requested_at, record.needs_acceptance) {
            (None, _) => ("Vigente", None),
            (Some(_), false) => ("Cancelado", Some("Cancelado sin aceptación")),
            (Some(_), true) => match self.simulate.cancellation {
                SimulatedCancellation::Accept => ("Cancelado", Some("Cancelado con aceptación")),
                SimulatedCancellation::Reject => ("Vigente", Some("Solicitud rechazada")),
                SimulatedCancellation::Expire => ("Cancelado", Some("Plazo vencido")),
                SimulatedCancellation::Pending => ("Vigente", Some("En proceso")),
            },
        };
        FiscalStatus {
            state: state.to_owned(),
            cancellable: Some(cancellable.to_owned()),
            cancellation: decision.map(str::to_owned),
        }
    }
}

impl Desk {
    fn new(records: Arc<dyn SandboxRecords>, clock: Arc<dyn Clock>) -> Self {
        Self { records, clock, csd: OnceLock::new(), certificates: Certificates::default() }
    }

    fn csd(&self, now: Timestamp) -> Result<Arc<Csd>, Fault> {
        if let Some(csd) = self.csd.get() {
            return Ok(Arc::clone(csd));
        }
        let csd = self.records.identity(now)?;
        Ok(Arc::clone(self.csd.get_or_init(|| csd)))
    }
}

async fn written<T>(pending: Pending<Written<T, ()>>) -> Result<T, String> {
    match pending.await {
        Some(Ok(done)) => Ok(done.value),
        Some(Err(_)) | None => Err(Reason::SandboxWithoutRecords.alone()),
    }
}

async fn answer<T>(pending: Pending<Result<T, Fault>>) -> Result<T, String> {
    match pending.await {
        Some(Ok(value)) => Ok(value),
        Some(Err(_)) | None => Err(Reason::SandboxWithoutRecords.alone()),
    }
}
