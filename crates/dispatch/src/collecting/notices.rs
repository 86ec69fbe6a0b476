//! Looking into notifications: the provider is asked about the payment that one names, and only its answer counts.

use std::{sync::Arc, time::Duration};

use kernel::reason::Reason;
use payments::{
    CallFault, CallResult, Notice,
    gateway::Asked,
    service::{NoticeSubject, Subject},
};
use tasks::{End, Task, TaskKind, Why, kind::PAYMENT_NOTICE};

use super::{CALL_TIME, Shared, in_time, later, unrecorded};
use crate::{
    recorded::{gone, recorded},
    tasks::{Hold, Performed, Performing, Work},
};

/// How often a payment is looked for of which a notification knows only what it is called at the provider: the answer
/// that tells us may still be on its way.
const LOOKS_MAX: u32 = 6;

/// Looking into a notification, as the engine does it.
pub(super) struct LookingInto(pub(super) Arc<Shared>);

impl Work for LookingInto {
    fn kind(&self) -> &'static TaskKind {
        &PAYMENT_NOTICE
    }

    fn attempt_time(&self) -> Duration {
        CALL_TIME + Duration::from_secs(5)
    }

    fn perform(&self, task: Task, _: Hold) -> Performing {
        let shared = Arc::clone(&self.0);
        Box::pin(async move {
            let found = shared.queue.notice(&task).await.unwrap_or_else(|| Err(gone()));
            let NoticeSubject { notice, subject } = match found {
                Ok(Some(found)) => found,
                Ok(None) => return Performed::Ended(End::Failed(Why::Gone.alone())),
                Err(fault) => return later(&fault),
            };
            let attempted = match subject {
                Some(subject) => Ok(shared.asked_about(&task, subject).await),
                None => nobody(&notice),
            };
            let settled = recorded(&task.id, || {
                let now = shared.clock.now();
                shared.queue.settle_notice(&task, notice.id, attempted.clone(), now)
            });
            match settled.await {
                Ok(_) => Performed::Recorded,
                Err(refused) => unrecorded(&refused, false),
            }
        })
    }
}

/// What is made of a notification that concerns no payment of the account.
fn nobody(notice: &Notice) -> Result<CallResult, String> {
    let may_come = notice.payment.is_none() && notice.provider_ref.is_some();
    match may_come && notice.tries < LOOKS_MAX {
        true => Ok(Err(CallFault::Unknown(Reason::PaymentUnknownHere.alone()))),
        false => Err(Reason::NoPaymentOfAccount.alone()),
    }
}

impl Shared {
    async fn asked_about(&self, task: &Task, subject: Subject) -> CallResult {
        let gateway = self.gateway(task, &subject)?;
        let is_known_there = subject.payment.provider_ref.is_some();
        let asked = Asked {
            account: task.account,
            payment: subject.payment,
            call: payments::CallId::from_u128(task.id.to_u128()),
            tries: 0,
            now: self.clock.now(),
        };
        if is_known_there {
            return in_time(gateway.fetch(asked)).await;
        }
        // By our own identifier: the one that the notification names may be another payment's.
        let found = in_time(gateway.find(asked)).await?;
        found.ok_or_else(|| CallFault::Unknown(Reason::PaymentUnknownThere.alone()))
    }
}
