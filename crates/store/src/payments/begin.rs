//! What is asked of payments: the intent, the call and its task are on record before anybody is called.

use ::orders::Order;
use ::payments::{
    Call, CallId, CallKind, CustomerId, NewPayment, NewRefund, OpenRefusal, Opened, Owed, Payment,
    PaymentError, PaymentId, ProviderKind, Refund, RefundId, RefundPayment, RefundRefusal, Status,
    Through, judge,
    link::{self, Attempt, NotBegun},
    open,
    provider::{choose, is_in_hand},
    refund,
    service::{Begin, Begun, Resolution},
};
use ::tasks::{Claim, ClaimId, End, Task};
use kernel::{AccountId, Amount, Ctx, Done, FieldFault, Refused, Timestamp, message};

use super::{
    holds, invoices, links,
    money::{Books, call_key, call_off, open_call, open_refund, order_of},
    owed::owed,
    papers, providers, rows, settings,
    settle::books,
};
use crate::{
    accounts, answers, error::Failure, rows::corrupt, store::RefundGate, stored::KeptPayment,
    tasks, tx::Tx, vault::Vault,
};

pub(super) type Outcome<T> = Result<T, Failure<PaymentError>>;

/// Statuses in which a payment can be called off.
const CANCELABLE: &[Status] = &[Status::RequiresAction, Status::Processing, Status::Authorized];

pub(super) fn begin(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    wanted: &Begin,
    until: Timestamp,
    gate: RefundGate,
) -> Outcome<Done<Begun>> {
    let before: Option<Done<KeptPayment>> = answers::kept_answer(tx, ctx)?;
    if let Some(Done { value: kept, .. }) = before {
        // It may have ended longer ago than tasks are kept; then there is nothing to wait for.
        let task = kept.task.map(|id| tasks::by_id(tx.db, ctx.account, id)).transpose()?.flatten();
        let begun = Begun { payment: kept.payment, refund: kept.refund, task, recorded: None };
        return Ok(Done { value: begun, replayed: true });
    }
    let claim = Claim { id: ClaimId::from_u128(tx.ids.next()), until };
    let begun = match wanted {
        Begin::Create(new) => create(tx, vault, ctx, new, claim)?,
        Begin::Attempt(attempt) => pay_by_link(tx, vault, ctx, attempt, claim)?,
        Begin::Capture(id, amount) => capture(tx, ctx, *id, *amount, claim)?,
        Begin::Cancel(id) => cancel(tx, ctx, *id, claim)?,
        Begin::Refund(id, new) => {
            gate(tx, ctx, *id, new)?;
            give_back(tx, ctx, *id, new, claim)?
        }
    };
    let task = begun.task.as_ref().map(|task| task.id);
    answers::keep(tx, ctx, &KeptPayment { payment: begun.payment, refund: begun.refund, task })?;
    Ok(Done::now(begun))
}

pub(super) const fn of_payment(payment: PaymentId, task: Option<Task>) -> Begun {
    Begun { payment, refund: None, task, recorded: None }
}

fn create(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    new: &NewPayment,
    claim: Claim,
) -> Outcome<Begun> {
    let account = ctx.account;
    let billed = invoices::named(tx, account, new.invoice)?;
    let new = &invoices::completed(tx.db, account, new, billed.as_ref())?;
    let order = order_of(tx, account, new.order)?;
    if let Some(id) = new.order.filter(|_| order.is_none()) {
        return Err(Refused::Invalid(vec![no_order(id)]).into());
    }
    let others = others_of(tx, account, new.order)?;
    let owed = order.as_ref().map(|order| owed(tx.db, account, order, &others));
    let owed = owed.transpose()?;
    let owed = match &billed {
        Some(invoice) => Some(invoices::owed(tx.db, account, invoice, owed)?),
        None => owed,
    };
    let id = PaymentId::from_u128(tx.ids.next());
    ask(tx, vault, ctx, Asking { id, new, owed, order, others }, claim)
}

/// The payments of an order.
fn others_of(
    tx: &mut Tx<'_>,
    account: AccountId,
    order: Option<::payments::OrderId>,
) -> Outcome<Vec<Payment>> {
    Ok(order.map(|id| rows::of_order(tx.db, account, id)).transpose()?.unwrap_or_default())
}

/// Begins to pay by a link: its slot is taken by the payment that is asked for.
fn pay_by_link(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    attempt: &Attempt,
    claim: Claim,
) -> Outcome<Begun> {
    let links::Held { link, billed, order, recent, can } =
        links::hold(tx, vault, ctx, attempt.link, attempt.method)?;
    let begun = link::begin(&link, attempt, recent, can.as_ref(), ctx.now);
    let mut new = begun.map_err(|why| match why {
        NotBegun::Shut(shut) => Refused::Rule(PaymentError::Shut(shut)),
        NotBegun::Invalid(fault) => Refused::Invalid(vec![fault]),
    })?;
    let id = PaymentId::from_u128(tx.ids.next());
    links::keep_attempt_token(tx, vault, ctx.account, id, ctx.now)?;
    // What leads to the page of the attempt is kept sealed, and added when the provider is called.
    new.return_url = Some(attempt.pages.clone());
    let others = others_of(tx, ctx.account, new.order)?;
    let owed = order.as_ref().map(|order| owed(tx.db, ctx.account, order, &others));
    let owed = owed.transpose()?;
    let owed = match &billed {
        Some(invoice) => Some(invoices::owed(tx.db, ctx.account, invoice, owed)?),
        None => owed,
    };
    ask(tx, vault, ctx, Asking { id, new: &new, owed, order, others }, claim)
}

/// That an order is not there.
pub(super) fn no_order(id: ::payments::OrderId) -> FieldFault {
    let problem = message!(
        "names no order of this account: {id}",
        "no corresponde a ningún pedido de esta cuenta: {id}"
    );
    FieldFault::new("orderId", problem)
}

/// A payment to be put on record, with what its order is owed and paid by.
struct Asking<'a> {
    id: PaymentId,
    new: &'a NewPayment,
    owed: Option<Owed>,
    order: Option<Order>,
    others: Vec<Payment>,
}

/// Puts a payment on record, with the call to its provider.
fn ask(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    Asking { id, new, owed, order, others }: Asking<'_>,
    claim: Claim,
) -> Outcome<Begun> {
    let account = ctx.account;
    let through = through(tx, account, new)?;
    let new = &settings::named(tx.db, account, new)?;
    let opened = opened(new, id, through, owed.as_ref(), ctx.now)?;
    if opened.payment.provider == ProviderKind::Sandbox {
        providers::ensure_sandbox(tx, vault, account, ctx.now)?;
    }
    let task = match opened.is_to_be_called {
        true => {
            let call = CallId::from_u128(tx.ids.next());
            let call = Call::open(call, id, CallKind::Create, None, ctx.now);
            Some(open_call(tx, account, &call, Some(claim), ctx.now)?)
        }
        false => None,
    };
    let mut books = Books::open(account, opened.payment, order, ctx.now);
    books.others = Some(others);
    books.receive(tx, opened.received, opened.events)?;
    let payment = books.close(tx, true)?;
    let recorded = task.is_none().then_some(payment);
    Ok(Begun { recorded, ..of_payment(id, task) })
}

/// What comes of asking for a payment.
pub(super) fn opened(
    new: &NewPayment,
    id: PaymentId,
    through: Through,
    owed: Option<&Owed>,
    now: Timestamp,
) -> Outcome<Opened> {
    open(new, id, through, owed, now).map_err(|refusal| {
        Failure::from(match refusal {
            OpenRefusal::Invalid(faults) => Refused::Invalid(faults),
            OpenRefusal::Cancelled => Refused::Rule(PaymentError::OrderCancelled),
            OpenRefusal::ExceedsDue { left } => Refused::Rule(PaymentError::ExceedsDue { left }),
        })
    })
}

/// Through whom a payment is made.
fn through(tx: &mut Tx<'_>, account: AccountId, new: &NewPayment) -> Outcome<Through> {
    if is_in_hand(new.provider, new.method) {
        return Ok(ProviderKind::Manual.into());
    }
    let mode = accounts::mode(tx.db, account)?;
    let accounts = providers::all(tx.db, account)?;
    let kind = choose(mode, new.provider, new.method, &accounts)
        .map_err(|why| Refused::Rule(PaymentError::NoProvider(why)))?;
    Ok(Through::of(kind, &accounts))
}

fn refuse_under_way(tx: &mut Tx<'_>, account: AccountId, id: PaymentId) -> Outcome<()> {
    match rows::open_call(tx.db, account, id)? {
        Some(_) => Err(Refused::Rule(PaymentError::CallUnderWay).into()),
        None => Ok(()),
    }
}

fn wrong_status<T>(status: Status, wanted: &'static [Status]) -> Outcome<T> {
    Err(Refused::Rule(PaymentError::WrongStatus { status, wanted }).into())
}

fn capture(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: PaymentId,
    amount: Option<Amount>,
    claim: Claim,
) -> Outcome<Begun> {
    let Books { payment, .. } = books(tx, ctx.account, id, ctx.now)?;
    refuse_under_way(tx, ctx.account, id)?;
    if payment.status != Status::Authorized {
        return wrong_status(payment.status, &[Status::Authorized]);
    }
    let amount = amount.unwrap_or(payment.authorized);
    if let Some(fault) = amount_fault(amount, payment.currency.decimals()) {
        return Err(Refused::Invalid(vec![fault]).into());
    }
    if amount > payment.authorized {
        let authorized = payment.authorized;
        return Err(Refused::Rule(PaymentError::ExceedsAuthorized { authorized }).into());
    }
    let call = CallId::from_u128(tx.ids.next());
    let call = Call::open(call, id, CallKind::Capture, Some(amount), ctx.now);
    let task = open_call(tx, ctx.account, &call, Some(claim), ctx.now)?;
    Ok(of_payment(id, Some(task)))
}

fn amount_fault(amount: Amount, decimals: u32) -> Option<FieldFault> {
    let is_right = amount > Amount::ZERO && amount.fits(decimals);
    let problem = message!(
        "must be above zero, with at most {decimals} decimals",
        "debe ser mayor que cero, con a lo más {decimals} decimales"
    );
    (!is_right).then(|| FieldFault::new("amount", problem))
}

fn cancel(tx: &mut Tx<'_>, ctx: &Ctx, id: PaymentId, claim: Claim) -> Outcome<Begun> {
    let books = books(tx, ctx.account, id, ctx.now)?;
    let payment = &books.payment;
    if payment.status == Status::Canceled {
        return Ok(of_payment(id, None));
    }
    if payment.status == Status::Pending {
        return give_up(tx, books);
    }
    refuse_under_way(tx, ctx.account, id)?;
    if !CANCELABLE.contains(&payment.status) {
        return wrong_status(payment.status, CANCELABLE);
    }
    let call = CallId::from_u128(tx.ids.next());
    let call = Call::open(call, id, CallKind::Cancel, None, ctx.now);
    let task = open_call(tx, ctx.account, &call, Some(claim), ctx.now)?;
    Ok(of_payment(id, Some(task)))
}

/// Gives up a payment that never reached its provider: nothing of it is there, so nobody has to be asked. Where it may have
/// come there, or is just on its way, that has to be known first.
fn give_up(tx: &mut Tx<'_>, mut books: Books) -> Outcome<Begun> {
    let (account, id, now) = (books.account, books.payment.id, books.now);
    let call = rows::open_call(tx.db, account, id)?;
    let task = tasks::locked_by_key(tx, account, &call_key(id))?;
    let Some((call, task)) = call.zip(task) else {
        return wrong_status(Status::Pending, CANCELABLE);
    };
    if task.claim.is_some_and(|claim| now < claim.until) {
        return Err(Refused::Rule(PaymentError::CallUnderWay).into());
    }
    // Whoever has let their claim run out may have made the call.
    if !call.is_unsent() || task.is_doubtful || task.claim.is_some() {
        let next = task.due_at.unwrap_or(now).max(now);
        return Err(Refused::Rule(PaymentError::CallUnknown { next }).into());
    }
    let over = task.clone().ended(End::Cancelled("the payment was called off".to_owned()), now);
    if !tasks::save_over(tx, &task, &over)? {
        return Err(Refused::Rule(PaymentError::CallUnderWay).into());
    }
    rows::save_call(tx, account, &call.given_up(now))?;
    let judged = judge::given_up(&books.payment, now);
    books.judged(tx, judged)?;
    let payment = books.close(tx, false)?;
    Ok(Begun { recorded: Some(payment), ..of_payment(id, None) })
}

fn give_back(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: PaymentId,
    new: &NewRefund,
    claim: Claim,
) -> Outcome<Begun> {
    let (refund, task) = refunded(tx, ctx, (id, new), Some(claim))?;
    Ok(Begun { payment: id, refund: Some(refund.id), task, recorded: None })
}

/// Refunds a payment, by a task that nobody waits for.
pub(crate) fn refund_payment(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: &RefundPayment,
) -> Outcome<Refund> {
    refunded(tx, ctx, (command.payment, &command.new), None).map(|(refund, _)| refund)
}

/// Sets aside what is refunded, and opens the task that has it given back unless the merchant does that.
fn refunded(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    (id, new): (PaymentId, &NewRefund),
    claim: Option<Claim>,
) -> Outcome<(Refund, Option<Task>)> {
    let mut books = books(tx, ctx.account, id, ctx.now)?;
    let freed = holds::freed(tx, ctx.account, &books.payment, ctx.now)?;
    books.set(freed);
    if books.payment.status != Status::Paid {
        return wrong_status(books.payment.status, &[Status::Paid]);
    }
    let refund = reserve(tx, &mut books, new)?;
    books.close(tx, false)?;
    let task = match refund.is_manual {
        true => None,
        false => Some(open_refund(tx, ctx.account, &refund, claim, ctx.now)?),
    };
    Ok((refund, task))
}

/// Sets aside what is refunded of a payment.
fn reserve(tx: &mut Tx<'_>, books: &mut Books, new: &NewRefund) -> Outcome<Refund> {
    let ids = (RefundId::from_u128(tx.ids.next()), CallId::from_u128(tx.ids.next()));
    let step = refund::reserve(&books.payment, new, ids, books.now).map_err(|refusal| {
        Failure::from(match refusal {
            RefundRefusal::Amount { decimals } => {
                Refused::Invalid(amount_fault(Amount::ZERO, decimals).into_iter().collect())
            }
            RefundRefusal::Exceeds { refundable } => {
                Refused::Rule(PaymentError::ExceedsRefundable { refundable })
            }
            RefundRefusal::NotRefundable { cause } => {
                Refused::Rule(PaymentError::NotRefundable { cause })
            }
        })
    })?;
    let refund = step.refund.clone();
    books.refunded(tx, step, true)?;
    Ok(refund)
}

/// Decides about a payment in conflict.
pub(super) fn resolve(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: PaymentId,
    resolution: Resolution,
) -> Outcome<Payment> {
    let mut books = books(tx, ctx.account, id, ctx.now)?;
    let payment = &books.payment;
    let Some(conflict) = &payment.conflict else {
        return Err(Refused::Rule(PaymentError::NoConflict).into());
    };
    if resolution == Resolution::Accept && conflict.currency != payment.currency {
        return Err(Refused::Rule(PaymentError::OtherCurrency).into());
    }
    let judged = match resolution {
        Resolution::Accept => judge::accept(payment, ctx.now),
        Resolution::Reject => judge::reject(payment, ctx.now),
    };
    let is_called_off = resolution == Resolution::Reject && payment.status.is_open();
    books.judged(tx, judged)?;
    let payment = books.close(tx, false)?;
    if is_called_off {
        call_off(tx, ctx.account, &payment, ctx.now)?;
    }
    Ok(payment)
}

/// Why an order is refunded.
pub(crate) struct Why {
    pub(crate) origin: ::payments::Origin,
    pub(crate) reason: Option<String>,
    pub(crate) note: Option<String>,
}

/// What the payments of an order hold for refunds: what can still be refunded, and what is about to be.
pub(crate) struct Held {
    pub(crate) refundable: Amount,
    pub(crate) pending: Amount,
}

/// What the payments of an order that is locked hold. What waits to be approved is neither refundable nor about to be
/// refunded.
pub(crate) fn held(
    tx: &mut Tx<'_>,
    account: AccountId,
    order: ::orders::OrderId,
    now: Timestamp,
) -> diesel::QueryResult<Held> {
    let id = ::payments::OrderId::from_u128(order.to_u128());
    let payments = holds::of_locked_order(tx, account, id, now)?;
    let sum = |payments: &[Payment], of: fn(&Payment) -> Amount| {
        Amount::from_micros(payments.iter().map(|payment| of(payment).micros()).sum())
    };
    let refundable = sum(&payments, Payment::refundable);
    let payments = holds::without_holds(tx.db, account, payments)?;
    Ok(Held { refundable, pending: sum(&payments, |payment| payment.refund_pending) })
}

/// Refunds so much of an order: the order as it is then. What was paid before payments were kept has no payment to be
/// refunded from, and stays owed.
pub(crate) fn refund_order(
    tx: &mut Tx<'_>,
    account: AccountId,
    order: Order,
    owed: Amount,
    why: &Why,
    now: Timestamp,
) -> diesel::QueryResult<Order> {
    let id = ::payments::OrderId::from_u128(order.id.to_u128());
    let payments = rows::of_order(tx.db, account, id)?;
    let mut order = order;
    for (payment, amount, is_manual) in refund::spread(&payments, owed, now) {
        let new = NewRefund {
            amount: Some(amount),
            is_manual,
            origin: why.origin,
            reason: why.reason.clone(),
            note: why.note.clone(),
        };
        let payment = match rows::locked::<PaymentError>(tx, account, payment) {
            Ok(payment) => payment,
            Err(Failure::Database(error)) => return Err(error),
            Err(Failure::Refused(_)) => return Err(corrupt("a payment that is gone")),
        };
        let mut books = Books::open(account, payment, Some(order.clone()), now);
        let refund = match reserve(tx, &mut books, &new) {
            Ok(refund) => refund,
            Err(Failure::Database(error)) => return Err(error),
            Err(Failure::Refused(_)) => return Err(corrupt("a payment that cannot be refunded")),
        };
        order = books.order.clone().unwrap_or(order);
        books.close(tx, false)?;
        if !refund.is_manual {
            open_refund(tx, account, &refund, None, now)?;
        }
    }
    Ok(order)
}

/// Records that an order was marked paid: a payment of what was owed, in a way that nobody has named.
pub(crate) fn mark_paid(
    tx: &mut Tx<'_>,
    account: AccountId,
    order: &Order,
    amount: Amount,
    now: Timestamp,
) -> diesel::QueryResult<()> {
    let owed = Owed {
        currency: order.currency,
        due: amount,
        usual: amount,
        in_progress: Amount::ZERO,
        is_cancelled: false,
        customer: Some(CustomerId::from_u128(order.customer.to_u128())),
    };
    let id = PaymentId::from_u128(tx.ids.next());
    let of = ::payments::OrderId::from_u128(order.id.to_u128());
    let mut opened = open::marked(id, of, &owed, now).ok_or_else(|| corrupt("an amount due"))?;
    opened.payment.sat_payment_form = settings::sat_form(tx.db, account, opened.payment.method)?;
    rows::insert(tx, account, &opened.payment)?;
    papers::receipt_due(tx, account, &opened.payment, now)?;
    crate::events::append(tx, account, now, opened.events)
}
