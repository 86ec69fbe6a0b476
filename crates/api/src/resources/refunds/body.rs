//! How the API shows a refund.

use std::fmt::Display;

use kernel::{Amount, Currency, Timestamp};
use payments::{InvoiceId, OrderId, Origin, PaymentId, Refund, RefundId, RefundStatus};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{payments::FailureBody, shapes},
};

/// A refund: money of a payment that is given back.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Refund)]
pub(in crate::resources) struct RefundBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "rfd_01KG9B5E7G9J1M3P5R7T9V1X3Z")]
    id: RefundId,
    /// Payment that is given back.
    #[schema(value_type = String, example = "pay_01KG9A4D6F8H0J2M4P6R8T0V2X")]
    payment_id: PaymentId,
    /// Order of that payment.
    #[schema(value_type = Option<String>, example = "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    order_id: Option<OrderId>,
    /// Amount.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// Currency of the payment.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Status: a bank may send the money back even after `succeeded`, which makes it `failed`.
    #[schema(value_type = shapes::RefundState)]
    status: RefundStatus,
    /// Where it comes from.
    #[schema(value_type = shapes::RefundOrigin)]
    origin: Origin,
    /// Whether you give the money back yourself, and the provider is not called.
    manual: bool,
    /// Reason, as the payer may be told.
    reason: Option<String>,
    /// Note of your own.
    note: Option<String>,
    /// Why it failed.
    failure: Option<FailureBody>,
    /// Credit note (`E`) that was drafted of it, where what it gives back was invoiced.
    #[schema(value_type = Option<String>, example = "inv_01KG9C6F8H0K2N4Q6S8U0W2Y4A")]
    credit_note_id: Option<InvoiceId>,
    /// Why no credit note could be drafted of it, why its draft could not be stamped, or what is to be done about it.
    credit_note_problem: Option<String>,
    /// When it was asked for.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    /// When the money was given back.
    #[schema(value_type = Option<shapes::Timestamp>)]
    succeeded_at: Option<Timestamp>,
    #[serde(skip)]
    version: i64,
}

impl Resource for RefundBody {
    type Thing = Refund;

    const PATH: &'static str = "/refunds";

    const IS_TOLD: bool = true;

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<Refund> for RefundBody {
    fn from(refund: Refund) -> Self {
        Self {
            id: refund.id,
            payment_id: refund.payment,
            order_id: refund.order,
            amount: refund.amount,
            currency: refund.currency,
            status: refund.status,
            origin: refund.origin,
            manual: refund.is_manual,
            reason: refund.reason,
            note: refund.note,
            failure: refund.failure.map(FailureBody::from),
            credit_note_id: refund.credit_note,
            credit_note_problem: refund.credit_note_problem,
            created_at: refund.created_at,
            updated_at: refund.updated_at,
            succeeded_at: refund.succeeded_at,
            version: refund.version,
        }
    }
}
