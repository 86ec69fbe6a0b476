//! What is to be done in an account: how much of each kind there is, read at once for whoever opens its pages.

use kernel::{AccountId, Fault, Pending, Timestamp};

/// What is asked for: how much of each kind is counted at most, and nothing of one where that is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToDoQuery {
    /// Orders that are paid and were not shipped.
    pub orders_to_ship: u32,
    /// Orders that are not paid.
    pub orders_to_pay: u32,
    /// Of the orders that were paid since [`paid_since`](Self::paid_since), so many of the last are looked at.
    pub orders_to_invoice: u32,
    /// Since when orders were paid that are to be invoiced; none are without it.
    pub paid_since: Option<Timestamp>,
    /// Quotes that were accepted and are no order.
    pub quotes_to_order: u32,
    /// Drafts of invoices.
    pub drafts: u32,
    /// Invoices to be paid later for which money came that no stamped receipt tells of.
    pub receipts_due: u32,
    /// Requests for approval that wait for a decision.
    pub approvals: u32,
    /// What those are about, by name.
    pub approvals_of: Vec<&'static str>,
    /// When it is: requests that have expired wait no longer, and without it none does.
    pub now: Option<Timestamp>,
    /// Products and variants that are low in stock.
    pub low_stock: u32,
    /// Webhooks; an account has a hundred at most.
    pub webhooks: u32,
    /// From how many failures in a row on a webhook fails.
    pub failures: u32,
    /// Whether the credits for stamping are asked for.
    pub credits: bool,
    /// Whether it is asked when the first certificate ends.
    pub certificate: bool,
    /// Whether it is asked what a new account has already.
    pub beginnings: bool,
}

/// How much there is of what was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "as of what is asked for")]
pub struct ToDo {
    pub orders_to_ship: u32,
    pub orders_to_pay: u32,
    pub orders_to_invoice: u32,
    /// Of so many orders that were looked at.
    pub orders_paid: u32,
    pub quotes_to_order: u32,
    pub drafts: u32,
    pub receipts_due: u32,
    pub approvals: u32,
    pub low_stock: u32,
    /// Webhooks that get nothing any more.
    pub webhooks_off: u32,
    /// Webhooks that were refused often in a row.
    pub webhooks_failing: u32,
    /// What there is for stamping.
    pub credits: i64,
    /// When the first of the certificates ends that seal; `None` where none does.
    pub certificate_ends: Option<Timestamp>,
    pub has_products: bool,
    pub has_orders: bool,
    pub has_issuer: bool,
    pub has_api_keys: bool,
}

/// Tells what is to be done.
pub trait ToDos: Send + Sync {
    /// What is to be done in an account, by one look.
    fn to_do(&self, account: AccountId, query: ToDoQuery) -> Pending<Result<ToDo, Fault>>;
}
