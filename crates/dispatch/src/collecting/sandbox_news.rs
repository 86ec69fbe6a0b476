//! Telling of payments of the sandbox as a provider would: by a signed notification over HTTP.

use std::{sync::Arc, time::Duration};

use payments::{
    PaymentId,
    sandbox::{News, sign},
};
use tasks::{End, Pause, Task, TaskKind, Why, kind::SANDBOX_NEWS};

use super::{CALL_TIME, Shared, later, unrecorded};
use crate::{
    recorded::{gone, recorded},
    tasks::{Hold, Performed, Performing, Work},
};

/// Seconds before each further attempt to tell; polls find out what nobody was told.
const PAUSES: &[i64] = &[1, 2, 5, 15, 60, 300, 900, 3_600];

/// Telling of a payment of the sandbox, as the engine does it.
pub(super) struct Telling(pub(super) Arc<Shared>);

impl Work for Telling {
    fn kind(&self) -> &'static TaskKind {
        &SANDBOX_NEWS
    }

    fn attempt_time(&self) -> Duration {
        CALL_TIME
    }

    fn perform(&self, task: Task, _: Hold) -> Performing {
        let shared = Arc::clone(&self.0);
        Box::pin(async move {
            let Some(payment) = PaymentId::parse(&task.subject) else {
                return Performed::Ended(End::Failed("it names no payment".to_owned()));
            };
            let now = shared.clock.now();
            let charge = shared.charges.charge(task.account, payment, now).await;
            let charge = match charge.unwrap_or_else(|| Err(gone())) {
                Ok(Some(charge)) => charge,
                Ok(None) => return Performed::Ended(End::Failed(Why::Gone.alone())),
                Err(fault) => return later(&fault),
            };
            let secret = shared.charges.secret(task.account).await.unwrap_or_else(|| Err(gone()));
            let secret = match secret {
                Ok(secret) => secret.unwrap_or_default(),
                Err(fault) => return later(&fault),
            };
            let body = charge.news().into_bytes();
            let signature = sign(&secret, &body, now);
            let news = News { account: task.account, body, signature };
            if let Err(reason) = shared.teller.tell(news).await {
                return again(task.attempts, reason);
            }
            let told = recorded(&task.id, || {
                shared.charges.told(&task, charge.version, shared.clock.now())
            });
            match told.await {
                Ok(()) => Performed::Recorded,
                Err(refused) => unrecorded(&refused, false),
            }
        })
    }
}

fn again(attempts: u32, reason: String) -> Performed {
    let pause = usize::try_from(attempts).ok().and_then(|attempts| PAUSES.get(attempts));
    match pause {
        Some(seconds) => {
            Performed::Postponed(Pause { seconds: *seconds, is_doubtful: false, reason })
        }
        None => Performed::Ended(End::Failed(reason)),
    }
}
