//! What payments tell subscribers. `payment.received` has exactly the payload of the event catalog; the others are
//! extensions of it.

use kernel::{Amount, NewEvent};
use serde::Serialize;

use crate::{Method, Payment, PaymentId, Refund, RefundId, RefundStatus, Status};

/// `payment.received`: the money is here.
#[must_use]
pub fn received(payment: &Payment) -> NewEvent {
    #[derive(Serialize)]
    struct Data {
        id: PaymentId,
        amount: Amount,
        method: Method,
    }
    let data = Data { id: payment.id, amount: payment.captured, method: payment.method };
    NewEvent::new("payment.received", payment.id, &data)
}

/// What is told of the status that a payment has reached, if anything is.
#[must_use]
pub fn of_status(payment: &Payment) -> Option<NewEvent> {
    let name = match payment.status {
        Status::Authorized => "payment.authorized",
        Status::Failed => "payment.failed",
        Status::Canceled => "payment.canceled",
        Status::Expired => "payment.expired",
        Status::Pending | Status::RequiresAction | Status::Processing | Status::Paid => {
            return None;
        }
    };
    #[derive(Serialize)]
    struct Data<'a> {
        id: PaymentId,
        status: Status,
        code: Option<&'a str>,
    }
    let failure = payment.failure.as_ref().filter(|_| payment.status == Status::Failed);
    let code = failure.map(|failure| failure.code.as_str());
    let data = Data { id: payment.id, status: payment.status, code };
    Some(NewEvent::new(name, payment.id, &data))
}

/// What is told of the status that a refund has reached, if anything is.
#[must_use]
pub fn of_refund(refund: &Refund) -> Option<NewEvent> {
    let name = match refund.status {
        RefundStatus::Succeeded => "refund.succeeded",
        RefundStatus::Failed => "refund.failed",
        _ => return None,
    };
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Data {
        id: RefundId,
        payment_id: PaymentId,
        amount: Amount,
    }
    let data = Data { id: refund.id, payment_id: refund.payment, amount: refund.amount };
    Some(NewEvent::new(name, refund.id, &data))
}
