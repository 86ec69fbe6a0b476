//! What has come of attempts: recorded in one transaction with everything that follows from it.

use ::payments::{
    Call, CallFault, CallKind, CallOutcome, PaymentError, PaymentId, RefundId, Seen, SeenRefund,
    Status,
    calls::Follow,
    judge, refund,
    service::{Attempted, Subject},
    watch,
};
use ::tasks::{End, Pause, Task, kind};
use kernel::{AccountId, Timestamp, reason::Reason};

use super::{
    begin::Outcome,
    links,
    money::{Books, call_off, order_of},
    providers, refunds, rows,
};
use crate::{db::Db, error::Failure, tasks, tx::Tx, vault::Vault};

/// What a task is about, as it stands.
pub(super) fn subject(
    db: &mut Db,
    vault: &Vault,
    task: &Task,
) -> diesel::QueryResult<Option<Subject>> {
    let account = task.account;
    let refund = match RefundId::parse(&task.subject) {
        Some(id) => refunds::by_id(db, account, id)?,
        None => None,
    };
    let id = refund.as_ref().map(|refund| refund.payment);
    let Some(id) = id.or_else(|| PaymentId::parse(&task.subject)) else { return Ok(None) };
    let Some(mut subject) = of_payment(db, vault, account, id)? else { return Ok(None) };
    // What was settled meanwhile, by a notification, is not to be asked for again.
    if refund.as_ref().is_some_and(|refund| refund.call.outcome != CallOutcome::Open) {
        return Ok(None);
    }
    subject.refund = refund;
    subject.payment.return_url = links::page_of_attempt(db, vault, account, &subject.payment)?;
    if task.kind == kind::PAYMENT_CALL.name {
        subject.call = rows::open_call(db, account, id)?;
    }
    Ok(Some(subject))
}

/// A payment with what its provider is called with.
pub(super) fn of_payment(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    id: PaymentId,
) -> diesel::QueryResult<Option<Subject>> {
    let Some(payment) = rows::by_id(db, account, id)? else { return Ok(None) };
    let callee = providers::callee(db, vault, account, payment.provider)?;
    let credentials = callee.and_then(|callee| callee.credentials);
    Ok(Some(Subject { payment, call: None, refund: None, credentials }))
}

/// A payment with its order, both locked, and nothing decided yet.
pub(super) fn books(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: PaymentId,
    now: Timestamp,
) -> Outcome<Books> {
    let seen = rows::by_id(tx.db, account, id)?.ok_or(kernel::Refused::NotFound)?;
    let order = order_of(tx, account, seen.order)?;
    let payment = rows::locked(tx, account, id)?;
    Ok(Books::open(account, payment, order, now))
}

/// What becomes of a task.
enum Next {
    Ended,
    Again { seconds: i64, reason: String, is_doubtful: bool },
}

pub(super) fn settle(
    tx: &mut Tx<'_>,
    task: &Task,
    attempted: Attempted,
    now: Timestamp,
) -> Outcome<bool> {
    let account = task.account;
    let (id, refund) = match RefundId::parse(&task.subject) {
        Some(id) => {
            let refund = refunds::by_id(tx.db, account, id)?;
            let Some(refund) = refund else { return ended(tx, task, now) };
            (refund.payment, Some(id))
        }
        None => match PaymentId::parse(&task.subject) {
            Some(id) => (id, None),
            None => return ended(tx, task, now),
        },
    };
    let mut books = books(tx, account, id, now)?;
    let Some(own) = tasks::held(tx, task)? else { return Ok(false) };
    // Whoever was at it before may have made the call.
    let may_be_made = own.is_doubtful;
    let next = match (refund, attempted) {
        (Some(refund), attempted) => of_refund(tx, &mut books, (refund, may_be_made), attempted)?,
        (None, Attempted::Fetched(result)) => fetched(tx, &mut books, result)?,
        (None, attempted) => of_call(tx, &mut books, may_be_made, attempted)?,
    };
    let after = match next {
        Next::Ended => own.clone().ended(End::Succeeded("{}".to_owned()), now),
        Next::Again { seconds, reason, is_doubtful } => {
            own.clone().postponed(&Pause { seconds, is_doubtful, reason }, now)
        }
    };
    // First, so that a call that the end of the books opens may have the same key.
    let is_saved = tasks::save_over(tx, &own, &after)?;
    books.close(tx, false)?;
    Ok(is_saved)
}

fn ended(tx: &mut Tx<'_>, task: &Task, now: Timestamp) -> Outcome<bool> {
    let Some(own) = tasks::held(tx, task)? else { return Ok(false) };
    let after = own.clone().ended(End::Succeeded("{}".to_owned()), now);
    Ok(tasks::save_over(tx, &own, &after)?)
}

fn of_call(
    tx: &mut Tx<'_>,
    books: &mut Books,
    may_be_made: bool,
    attempted: Attempted,
) -> Outcome<Next> {
    let (account, now) = (books.account, books.now);
    let Some(mut call) = rows::open_call(tx.db, account, books.payment.id)? else {
        return Ok(Next::Ended);
    };
    call.is_unknown |= may_be_made;
    books.was_called_off = call.kind == CallKind::Cancel;
    let (call, follow, reason) = match attempted {
        Attempted::Called(Ok(seen)) => {
            rows::save_call(tx, account, &call.done(now))?;
            books.judged(tx, judge(&books.payment, &seen, now))?;
            return Ok(Next::Ended);
        }
        Attempted::Found(Ok(Some(seen))) => return found(tx, books, &call, &seen),
        Attempted::Called(Err(fault)) => {
            let (call, follow) = call.failed(&fault, now);
            (call, follow, fault.kept())
        }
        Attempted::Found(Ok(None)) => {
            let (call, follow) = call.absent(now);
            (call, follow, Reason::PaymentUnknownThere.alone())
        }
        Attempted::Found(Err(fault)) => {
            let (call, follow) = call.unasked(now);
            (call, follow, fault.kept())
        }
        Attempted::Refunded(_) | Attempted::Fetched(_) => return Ok(Next::Ended),
    };
    rows::save_call(tx, account, &call)?;
    Ok(match follow {
        Follow::Again { seconds } => {
            let is_doubtful = call.is_unknown;
            books.set(books.payment.clone().with_unknown_outcome(is_doubtful, now));
            Next::Again { seconds, reason, is_doubtful }
        }
        Follow::Refused(failure) => {
            books.judged(tx, judge::refused(&books.payment, call.kind, &failure, now))?;
            Next::Ended
        }
    })
}

/// A payment that was asked after shows whether its call had an effect.
fn found(tx: &mut Tx<'_>, books: &mut Books, call: &Call, seen: &Seen) -> Outcome<Next> {
    let now = books.now;
    books.judged(tx, judge(&books.payment, seen, now))?;
    let is_done = match call.kind {
        CallKind::Create => true,
        CallKind::Capture => books.payment.status == Status::Paid,
        CallKind::Cancel => !books.payment.status.is_open(),
        CallKind::Refund => false,
    };
    let call = match is_done {
        true => call.done(now),
        false => call.refused_after_all(now),
    };
    rows::save_call(tx, books.account, &call)?;
    Ok(Next::Ended)
}

fn of_refund(
    tx: &mut Tx<'_>,
    books: &mut Books,
    (id, may_be_made): (RefundId, bool),
    attempted: Attempted,
) -> Outcome<Next> {
    let now = books.now;
    let Some(mut before) = refunds::locked(tx, books.account, id)? else {
        return Ok(Next::Ended);
    };
    if before.call.outcome != CallOutcome::Open {
        return Ok(Next::Ended);
    }
    before.call.is_unknown |= may_be_made;
    let known = refunds::of_payment(tx.db, books.account, books.payment.id)?;
    let ours = |seen: &Seen| refund::shown(&before, &known, &seen.refunds).cloned();
    let seen: Result<Option<SeenRefund>, CallFault> = match attempted {
        Attempted::Refunded(Ok(seen)) => Ok(Some(seen)),
        Attempted::Refunded(Err(fault)) => Err(fault),
        Attempted::Found(Ok(seen)) => Ok(seen.as_ref().and_then(ours)),
        Attempted::Found(Err(fault)) => {
            let (call, follow) = before.call.unasked(now);
            let is_doubtful = call.is_unknown;
            refunds::save(tx, books.account, &::payments::Refund { call, ..before })?;
            return Ok(next(&follow, fault.kept(), is_doubtful));
        }
        Attempted::Called(_) | Attempted::Fetched(_) => return Ok(Next::Ended),
    };
    let (step, follow, reason) = match seen {
        Ok(Some(seen)) => {
            let step = refund::settle(&books.payment, &before, &seen, now);
            books.refunded(tx, step, false)?;
            return Ok(Next::Ended);
        }
        Ok(None) => {
            let (step, follow) = refund::absent(&books.payment, &before, now);
            (step, follow, Reason::RefundUnknownThere.alone())
        }
        Err(fault) => {
            let (step, follow) = refund::failed(&books.payment, &before, &fault, now);
            (step, follow, fault.kept())
        }
    };
    let is_doubtful = step.refund.call.is_unknown;
    books.refunded(tx, step, false)?;
    Ok(next(&follow, reason, is_doubtful))
}

fn next(follow: &Follow, reason: String, is_doubtful: bool) -> Next {
    match follow {
        Follow::Again { seconds } => Next::Again { seconds: *seconds, reason, is_doubtful },
        Follow::Refused(_) => Next::Ended,
    }
}

fn fetched(tx: &mut Tx<'_>, books: &mut Books, result: Result<Seen, CallFault>) -> Outcome<Next> {
    let reason = match result {
        Ok(seen) => {
            books.judged(tx, judge(&books.payment, &seen, books.now))?;
            "nothing new".to_owned()
        }
        Err(fault) => fault.kept(),
    };
    if watch::is_abandoned(&books.payment, books.now) {
        call_off(tx, books.account, &books.payment, books.now)?;
    }
    Ok(match watch::next(&books.payment, books.now) {
        Some(seconds) => {
            let seconds = watch::spread(seconds, &books.payment);
            Next::Again { seconds, reason, is_doubtful: false }
        }
        None => Next::Ended,
    })
}

/// Records what was seen of a payment without any task.
pub(super) fn see(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: PaymentId,
    seen: &Seen,
    now: Timestamp,
) -> Result<::payments::Payment, Failure<PaymentError>> {
    let mut books = books(tx, account, id, now)?;
    books.judged(tx, judge(&books.payment, seen, now))?;
    Ok(books.close(tx, false)?)
}
