//! How the API shows a return.

use std::fmt::Display;

use kernel::{Amount, Language, Measure, Timestamp};
use orders::{InvoiceId, OrderId, Return, ReturnId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{payments::problem_in, shapes},
};

/// What came back of an order.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Return)]
pub(in crate::resources) struct ReturnBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "ret_01KG9C6F8H0K2N4Q6S8V0X2Z4B")]
    id: ReturnId,
    /// Order.
    #[schema(value_type = String, example = "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    order_id: OrderId,
    /// Items that came back.
    items: Vec<ReturnedItem>,
    /// Whether they had not been shipped, and were taken off the order.
    unshipped: bool,
    /// What of the shipping is given back.
    #[schema(value_type = shapes::Amount)]
    shipping: Amount,
    /// What items and shipping are worth, with discounts and taxes.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// What of that was to be refunded at once; the rest lowers what is due.
    #[schema(value_type = shapes::Amount)]
    refund_amount: Amount,
    /// Reason.
    reason: String,
    /// Credit note (`E`) that was drafted of what was never paid of it, where the invoice of the order is PPD.
    #[schema(value_type = Option<String>, example = "inv_01KG9C6G1J3M5P7R9T1V3X5Z7B")]
    credit_note_id: Option<InvoiceId>,
    /// Why no credit note could be drafted of it, or why its draft could not be stamped.
    credit_note_problem: Option<String>,
    /// When it was recorded.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
}

/// An item that came back.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReturnedItem {
    /// Which item of the order, starting at 1.
    #[schema(example = 1)]
    line: usize,
    /// Quantity that came back.
    #[schema(value_type = shapes::Quantity)]
    quantity: Measure,
    /// Whether it is in stock again.
    restock: bool,
    /// What it is worth, with discounts and taxes.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
}

impl Resource for ReturnBody {
    type Thing = Return;

    const PATH: &'static str = "/returns";

    const IS_TOLD: bool = true;

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        // It never changes but for its credit note.
        let problem = self.credit_note_problem.iter().flat_map(|problem| problem.bytes());
        let version = problem.fold(1_i64, |version, byte| {
            version.wrapping_mul(31).wrapping_add(i64::from(byte)) & i64::MAX
        });
        match self.credit_note_id {
            Some(note) => ETag::version_of(note.to_u128(), version),
            None => ETag::version(version),
        }
    }

    fn weight(made: &Return) -> usize {
        1 + made.lines.len() / 4
    }

    fn in_language(made: Return, language: Language) -> Return {
        let credit_note_problem = problem_in(made.credit_note_problem, language);
        Return { credit_note_problem, ..made }
    }
}

impl From<Return> for ReturnBody {
    fn from(made: Return) -> Self {
        let items = made.lines.into_iter().map(|line| ReturnedItem {
            line: line.line,
            quantity: line.quantity,
            restock: line.is_restocked,
            amount: line.amount,
        });
        Self {
            id: made.id,
            order_id: made.order,
            items: items.collect(),
            unshipped: made.is_unshipped,
            shipping: made.shipping,
            amount: made.amount,
            refund_amount: made.refund,
            reason: made.reason,
            credit_note_id: made.credit_note,
            credit_note_problem: made.credit_note_problem,
            created_at: made.created_at,
        }
    }
}
