//! What withholdings tell subscribers, with exactly the payload fields of the event catalog's extensions.

use kernel::{Amount, NewEvent, reason::told};
use serde::Serialize;

use super::{Withholding, WithholdingId};
use crate::provider::Rejection;

/// `withholding.stamped`.
pub(super) fn stamped(withholding: &Withholding) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        id: WithholdingId,
        uuid: &'a str,
        withheld: Amount,
    }
    let (id, uuid) = (withholding.id, withholding.uuid().unwrap_or_default());
    let data = Data { id, uuid, withheld: withholding.document.totals.withheld };
    NewEvent::new("withholding.stamped", id, &data)
}

/// `withholding.stamp_failed`, with the provider's words, or else in English.
pub(super) fn stamp_failed(withholding: &Withholding, rejection: &Rejection) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        id: WithholdingId,
        code: &'a str,
        message: &'a str,
    }
    let (id, Rejection { code, message }) = (withholding.id, rejection);
    let message = told(message).to_string();
    NewEvent::new("withholding.stamp_failed", id, &Data { id, code, message: &message })
}

/// `withholding.cancelled`.
pub(super) fn cancelled(withholding: &Withholding) -> NewEvent {
    NewEvent::new("withholding.cancelled", withholding.id, &Named::of(withholding))
}

/// `withholding.cancellation_rejected`.
pub(super) fn cancellation_rejected(withholding: &Withholding, reason: &str) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        #[serde(flatten)]
        named: Named<'a>,
        reason: &'a str,
    }
    let data = Data { named: Named::of(withholding), reason };
    NewEvent::new("withholding.cancellation_rejected", withholding.id, &data)
}

/// Which withholding it is about.
#[derive(Serialize)]
struct Named<'a> {
    id: WithholdingId,
    uuid: &'a str,
}

impl<'a> Named<'a> {
    fn of(withholding: &'a Withholding) -> Self {
        Self { id: withholding.id, uuid: withholding.uuid().unwrap_or_default() }
    }
}
