//! The use cases of payments.

use kernel::{AccountId, Amount, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Written};
use tasks::Task;

use crate::{
    Call, CallFault, CallResult, Credentials, CustomerId, Failure, Flag, InstallmentPlan,
    InvoiceId, Method, NewPayment, NewRefund, Notice, NoticeId, OrderId, Owed, Payment, PaymentId,
    PaymentLinkId, ProviderAccount, ProviderKind, Refund, RefundId, RefundStatus, Seen, SeenRefund,
    Status,
    link::{Attempt, Shut},
    notice::Received,
    provider::NoProvider,
    reconcile::{Ours, Reconciled, Wanted},
    refund::Unrefundable,
    sandbox::Deed,
    settings::PaymentSettings,
};

/// Why something is not done with a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaymentError {
    /// The order is cancelled.
    OrderCancelled,
    /// The invoice is cancelled.
    InvoiceCancelled,
    /// More is asked for than is due.
    ExceedsDue {
        /// What may be asked for.
        left: Amount,
    },
    /// Nothing is due for the order.
    NothingDue,
    /// Nobody begins to pay by the link.
    Shut(Shut),
    /// There is nobody to make it through.
    NoProvider(NoProvider),
    /// The payment is not in a status for it.
    WrongStatus {
        /// Its status.
        status: Status,
        /// Those in which it can be done.
        wanted: &'static [Status],
    },
    /// A call of the payment is under way; its outcome has to be known first.
    CallUnderWay,
    /// Nobody knows whether the provider has the payment.
    CallUnknown {
        /// When it is asked again.
        next: Timestamp,
    },
    /// More is captured than is authorized.
    ExceedsAuthorized {
        /// What is authorized.
        authorized: Amount,
    },
    /// More is refunded than is left.
    ExceedsRefundable {
        /// What is left.
        refundable: Amount,
    },
    /// The provider does not give it back.
    NotRefundable {
        /// Why.
        cause: Unrefundable,
    },
    /// Rules want to be asked about the refund first.
    NeedsApproval,
    /// Nothing is in conflict.
    NoConflict,
    /// What the provider shows is in another currency and cannot be counted.
    OtherCurrency,
    /// Only payments of the sandbox can be simulated.
    NotSimulated,
    /// The sandbox does not do it.
    Denied(Failure),
    /// The notification is not dead.
    NotDead,
    /// The provider could not be asked.
    Unanswered {
        /// Why, as a clause.
        reason: String,
    },
}

/// Which payments are listed; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PaymentFilter {
    pub order: Option<OrderId>,
    pub invoice: Option<InvoiceId>,
    pub customer: Option<CustomerId>,
    pub status: Option<Status>,
    pub provider: Option<ProviderKind>,
    pub method: Option<Method>,
    pub link: Option<PaymentLinkId>,
    /// Those that somebody should look at for this.
    pub flag: Option<Flag>,
    pub created_from: Option<Timestamp>,
    pub created_to: Option<Timestamp>,
}

/// A wanted page of payments, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PaymentQuery {
    pub filter: PaymentFilter,
    pub page: PageRequest,
}

/// Which refunds are listed; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct RefundFilter {
    pub payment: Option<PaymentId>,
    pub order: Option<OrderId>,
    pub status: Option<RefundStatus>,
}

/// A wanted page of refunds, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct RefundQuery {
    pub filter: RefundFilter,
    pub page: PageRequest,
}

/// A provider to be set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetProvider {
    /// Which.
    pub kind: ProviderKind,
    /// What it is called with; what is known stays if absent.
    pub credentials: Option<Credentials>,
    /// Whether payments that name none are made through it; as it is if absent.
    pub is_default: Option<bool>,
    /// The installments that are offered there, the documented ones if `Some(None)`; as they are if absent.
    pub installments: Option<Option<Vec<InstallmentPlan>>>,
}

/// What is done with a payment that is in conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// What the provider shows is what was paid.
    Accept,
    /// It counts for nothing.
    Reject,
}

/// Payments on record. What needs a provider is asked of a [`Collector`].
pub trait Payments: Send + Sync {
    /// How the payments of an account are dealt with; as usual where nothing was set.
    fn settings(&self, account: AccountId) -> Pending<Result<PaymentSettings, Fault>>;

    /// Sets that, if it has the version that the caller expects.
    fn set_settings(
        &self,
        ctx: Ctx,
        wanted: PaymentSettings,
        version: Option<i64>,
    ) -> Pending<Written<PaymentSettings, PaymentError>>;

    /// One payment; `None` when the account has no such payment.
    fn get(&self, account: AccountId, id: PaymentId) -> Pending<Result<Option<Payment>, Fault>>;

    /// A page of payments.
    fn list(
        &self,
        account: AccountId,
        query: PaymentQuery,
    ) -> Pending<Result<Page<Payment>, Fault>>;

    /// What is owed for an order, and asked for where no amount is named; `None` when the account has no such order.
    fn owed(&self, account: AccountId, order: OrderId) -> Pending<Result<Option<Owed>, Fault>>;

    /// Those of these orders, each with its customer, of which whoever pays withholds taxes. They all bear such.
    fn withholding(
        &self,
        account: AccountId,
        orders: Vec<(OrderId, CustomerId)>,
    ) -> Pending<Result<Vec<OrderId>, Fault>>;

    /// What is asked for of orders, of which so much is owed, where no amount is named: without what payments in progress are
    /// about to pay; one for one.
    fn asked(
        &self,
        account: AccountId,
        orders: Vec<(OrderId, Amount)>,
    ) -> Pending<Result<Vec<Amount>, Fault>>;

    /// What was paid of invoices, of which so much is to be paid by their receipts, and has no stamped receipt yet; one for one.
    fn unreceipted(
        &self,
        account: AccountId,
        invoices: Vec<(InvoiceId, Amount)>,
    ) -> Pending<Result<Vec<Amount>, Fault>>;

    /// One refund.
    fn refund(&self, account: AccountId, id: RefundId) -> Pending<Result<Option<Refund>, Fault>>;

    /// A page of refunds.
    fn refunds(
        &self,
        account: AccountId,
        query: RefundQuery,
    ) -> Pending<Result<Page<Refund>, Fault>>;

    /// Decides about a payment of which the provider shows another amount or currency.
    fn resolve(
        &self,
        ctx: Ctx,
        id: PaymentId,
        resolution: Resolution,
        note: Option<String>,
    ) -> Pending<Written<Payment, PaymentError>>;

    /// The providers that an account has set up.
    fn providers(&self, account: AccountId) -> Pending<Result<Vec<ProviderAccount>, Fault>>;

    /// Sets a provider up, or changes it, over the version that the caller has seen, when a newer one must not be overwritten;
    /// [`NOT_SET_UP`](ProviderAccount::NOT_SET_UP) where there was none.
    fn set_provider(
        &self,
        ctx: Ctx,
        command: SetProvider,
        version: Option<i64>,
    ) -> Pending<Written<ProviderAccount, PaymentError>>;

    /// Notifications, newest first.
    fn notices(
        &self,
        account: AccountId,
        page: PageRequest,
    ) -> Pending<Result<Page<Notice>, Fault>>;

    /// Has a dead notification looked into again.
    fn retry_notice(&self, ctx: Ctx, id: NoticeId) -> Pending<Written<Notice, PaymentError>>;
}

/// What has become of a notification that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is on record, from now or from before.
    Kept,
    /// There is no such account, or it does not use the provider.
    Unknown,
    /// It claims a signature that is not the provider's.
    Forged,
    /// It is not a notification of this provider.
    Unreadable,
}

/// Payments as far as a provider has to be called: each answers after the first attempt, in the state reached.
pub trait Collector: Send + Sync {
    /// Asks for a payment.
    fn create(&self, ctx: Ctx, new: NewPayment) -> Pending<Written<Payment, PaymentError>>;

    /// Begins to pay by a link: takes its slot, and asks for the payment.
    fn attempt(&self, ctx: Ctx, attempt: Attempt) -> Pending<Written<Payment, PaymentError>>;

    /// Takes what is authorized, all of it if no amount is named; the rest is released.
    fn capture(
        &self,
        ctx: Ctx,
        id: PaymentId,
        amount: Option<Amount>,
    ) -> Pending<Written<Payment, PaymentError>>;

    /// Calls a payment off.
    fn cancel(&self, ctx: Ctx, id: PaymentId) -> Pending<Written<Payment, PaymentError>>;

    /// Gives money back.
    fn refund(
        &self,
        ctx: Ctx,
        id: PaymentId,
        new: NewRefund,
    ) -> Pending<Written<Refund, PaymentError>>;

    /// Asks the provider what has become of a payment.
    fn sync(&self, ctx: Ctx, id: PaymentId) -> Pending<Written<Payment, PaymentError>>;

    /// Has something happen to a payment of the sandbox.
    fn simulate(
        &self,
        ctx: Ctx,
        id: PaymentId,
        deed: Deed,
    ) -> Pending<Written<Payment, PaymentError>>;

    /// Compares the payments of a time with what their providers list.
    fn reconcile(
        &self,
        account: AccountId,
        wanted: Wanted,
    ) -> Pending<Written<Reconciled, PaymentError>>;

    /// Takes a notification in.
    fn notify(
        &self,
        account: AccountId,
        received: Received,
        now: Timestamp,
    ) -> Pending<Result<Taken, Fault>>;
}

/// What is begun with a provider.
#[derive(Clone, Debug)]
pub enum Begin {
    /// A payment.
    Create(Box<NewPayment>),
    /// A payment by a link.
    Attempt(Attempt),
    /// To take what is authorized.
    Capture(PaymentId, Option<Amount>),
    /// To call it off.
    Cancel(PaymentId),
    /// A refund.
    Refund(PaymentId, NewRefund),
}

/// What is on record of something begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The payment.
    pub payment: PaymentId,
    /// The refund, where one was asked for.
    pub refund: Option<RefundId>,
    /// The task that calls the provider; `None` where nobody has to be called.
    pub task: Option<Task>,
    /// The payment as it was recorded, where nothing was done before and nobody has to be called.
    pub recorded: Option<Payment>,
}

/// What a task of payments is about, as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The payment.
    pub payment: Payment,
    /// The call to be made, where the task is one.
    pub call: Option<Call>,
    /// The refund to be made.
    pub refund: Option<Refund>,
    /// What the provider is called with.
    pub credentials: Option<Credentials>,
}

/// A provider as an account calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callee {
    /// Which.
    pub kind: ProviderKind,
    /// What it is called with.
    pub credentials: Option<Credentials>,
}

/// A notification that a task is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeSubject {
    /// The notification.
    pub notice: Notice,
    /// The payment that it concerns, if it is one of the account.
    pub subject: Option<Subject>,
}

/// What has come of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempted {
    /// Of a call.
    Called(CallResult),
    /// Of asking for a payment whose call may have had an effect.
    Found(Result<Option<Seen>, CallFault>),
    /// Of a call for a refund.
    Refunded(Result<SeenRefund, CallFault>),
    /// Of asking what has become of a payment.
    Fetched(CallResult),
}

/// Keeps the calls of payments for workers. Many may work on one database.
pub trait CallQueue: Send + Sync {
    /// Puts something on record: the intent, the call, and the task that makes it, claimed until `until`.
    fn begin(
        &self,
        ctx: Ctx,
        begin: Begin,
        until: Timestamp,
    ) -> Pending<Written<Begun, PaymentError>>;

    /// What a task is about; `None` when there is nothing left to do.
    fn subject(&self, task: &Task) -> Pending<Result<Option<Subject>, Fault>>;

    /// Records what has come of an attempt, in one transaction with everything that follows from it; whether the task was
    /// still this worker's.
    fn settle(
        &self,
        task: &Task,
        attempted: Attempted,
        now: Timestamp,
    ) -> Pending<Written<bool, PaymentError>>;

    /// A payment, and what its provider is called with.
    fn payment(&self, account: AccountId, id: PaymentId)
    -> Pending<Result<Option<Subject>, Fault>>;

    /// A refund.
    fn refund(&self, account: AccountId, id: RefundId) -> Pending<Result<Option<Refund>, Fault>>;

    /// The payments made through a provider in a time, the oldest first, at most so many.
    fn made_between(
        &self,
        account: AccountId,
        provider: ProviderKind,
        between: (Timestamp, Timestamp),
        limit: usize,
    ) -> Pending<Result<Vec<Ours>, Fault>>;

    /// The payments through a provider that its list names: by our identifier, or by the provider's where it has not
    /// got ours.
    fn named(
        &self,
        account: AccountId,
        provider: ProviderKind,
        names: Vec<(Option<PaymentId>, String)>,
    ) -> Pending<Result<Vec<Ours>, Fault>>;

    /// Records what was seen of a payment without any task, with everything that follows from it.
    fn see(
        &self,
        account: AccountId,
        id: PaymentId,
        seen: Seen,
        now: Timestamp,
    ) -> Pending<Written<Payment, PaymentError>>;

    /// What a provider is called with for an account; `None` where it is not set up.
    fn credentials(
        &self,
        account: AccountId,
        kind: ProviderKind,
    ) -> Pending<Result<Option<Callee>, Fault>>;

    /// Keeps a notification, unless it is on record.
    fn keep_notice(
        &self,
        account: AccountId,
        notice: Notice,
        received: Received,
    ) -> Pending<Written<(), PaymentError>>;

    /// The notification that a task is about; `None` when there is nothing left to do.
    fn notice(&self, task: &Task) -> Pending<Result<Option<NoticeSubject>, Fault>>;

    /// Records what has come of looking into a notification: of asking about its payment, or why nothing was asked.
    fn settle_notice(
        &self,
        task: &Task,
        notice: NoticeId,
        attempted: Result<CallResult, String>,
        now: Timestamp,
    ) -> Pending<Written<bool, PaymentError>>;
}
