//! Returns that wait for an approval, and what approvals have made of them.

use kernel::{Amount, Measure, Timestamp};
use orders::{
    InvoiceId, NewReturn, OrderId, Return, ReturnId, ReturnItems, ReturnLine, WarehouseId,
    returns::ReturnedLine,
};
use serde::{Deserialize, Serialize};

use super::{
    forms::{Each, Form, forms},
    order::ReturnedLineForm,
};

forms!(
    ReturnForm of Return,
    ReturnItemsForm of ReturnItems,
    ReturnLineForm of ReturnLine,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "ReturnItems")]
pub(super) struct ReturnItemsForm {
    order: OrderId,
    #[serde(with = "NewReturnForm")]
    new: NewReturn,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "NewReturn")]
struct NewReturnForm {
    #[serde(with = "Each::<ReturnLineForm>")]
    lines: Vec<ReturnLine>,
    shipping: Option<Amount>,
    reason: String,
    refunds: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_unshipped: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ReturnLine")]
struct ReturnLineForm {
    line: usize,
    quantity: Measure,
    is_restocked: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    warehouse: Option<WarehouseId>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Return")]
pub(super) struct ReturnForm {
    id: ReturnId,
    order: OrderId,
    #[serde(with = "Each::<ReturnedLineForm>")]
    lines: Vec<ReturnedLine>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_unshipped: bool,
    shipping: Amount,
    amount: Amount,
    refund: Amount,
    reason: String,
    created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    credit_note: Option<InvoiceId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    credit_note_problem: Option<String>,
}
