//! Notifications of providers: kept before they are answered, and looked into by durable work.

use ::payments::{
    CallFault, Notice, NoticeId, NoticeStatus, Payment, PaymentError, PaymentId, ProviderKind,
    Seen, judge,
    notice::{Received, TRIES_MAX},
    service::NoticeSubject,
};
use ::tasks::{End, NewTask, Pause, Payload, Task, kind};
use diesel::prelude::*;
use engine::cleanup::RowsByAge;
use kernel::{AccountId, Ctx, Done, Page, PageRequest, Refused, Timestamp, reason::Reason};

use super::{begin::Outcome, rows, settle};
use crate::{
    answers,
    db::{Db, first_locked, on},
    listing::{self, newest_first},
    rows::{read, read_name},
    schema::payment_notices::{self as table, dsl},
    tasks,
    tx::Tx,
    vault::Vault,
};

const DAY_MICROS: i64 = 86_400_000_000;

/// Notifications are kept for thirty days.
pub(crate) const EXPIRED: RowsByAge = RowsByAge {
    find: "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM payment_notices n \
           WHERE n.account_id = a.id AND n.received_at < ?) THEN 'yes' ELSE 'no' END \
           FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?",
    remove: "DELETE FROM payment_notices WHERE account_id = ? AND id IN \
             (SELECT n.id FROM payment_notices n WHERE n.account_id = ? \
             AND n.received_at < ? ORDER BY n.received_at LIMIT ?)",
    retention_micros: 30 * DAY_MICROS,
};

/// Seconds before each further look.
const PAUSES: &[i64] = &[1, 5, 15, 60, 300, 900, 3_600, 3_600, 7_200];

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct NoticeRow {
    account_id: String,
    id: String,
    provider: String,
    event_key: String,
    is_signed: i64,
    provider_ref: Option<String>,
    payment_id: Option<String>,
    status: String,
    tries: i64,
    problem: Option<String>,
    query: String,
    headers: String,
    body: String,
    received_at: i64,
    updated_at: i64,
}

impl NoticeRow {
    fn notice(self) -> QueryResult<Notice> {
        let payment = self.payment_id.as_deref();
        Ok(Notice {
            id: read(&self.id, NoticeId::parse)?,
            provider: read_name(&self.provider, ProviderKind::EVERY, ProviderKind::name)?,
            event_key: self.event_key,
            is_signed: self.is_signed != 0,
            provider_ref: self.provider_ref,
            payment: payment.map(|id| read(id, PaymentId::parse)).transpose()?,
            status: read_name(&self.status, NoticeStatus::EVERY, NoticeStatus::name)?,
            tries: u32::try_from(self.tries).unwrap_or(u32::MAX),
            problem: self.problem,
            received_at: Timestamp::from_micros(self.received_at),
            updated_at: Timestamp::from_micros(self.updated_at),
        })
    }
}

/// Keeps a notification and opens the task that looks into it, unless it is on record.
pub(super) fn keep(
    tx: &mut Tx<'_>,
    account: AccountId,
    notice: &Notice,
    received: &Received,
) -> QueryResult<()> {
    let id = NoticeId::from_u128(tx.ids.next());
    let headers = received.headers.iter().map(|(name, value)| format!("{name}: {value}\n"));
    let row = NoticeRow {
        account_id: account.to_string(),
        id: id.to_string(),
        provider: notice.provider.name().to_owned(),
        event_key: notice.event_key.clone(),
        is_signed: i64::from(notice.is_signed),
        provider_ref: notice.provider_ref.clone(),
        payment_id: notice.payment.map(|id| id.to_string()),
        status: NoticeStatus::Received.name().to_owned(),
        tries: 0,
        problem: None,
        query: received.query.clone(),
        headers: headers.collect(),
        body: String::from_utf8_lossy(&received.body).into_owned(),
        received_at: notice.received_at.micros(),
        updated_at: notice.received_at.micros(),
    };
    let kept = on!(tx.db, |conn| diesel::insert_into(table::table)
        .values(&row)
        .on_conflict_do_nothing()
        .execute(conn))?;
    if kept == 0 {
        return Ok(());
    }
    look_into(tx, account, id, notice.received_at)
}

fn look_into(tx: &mut Tx<'_>, account: AccountId, id: NoticeId, now: Timestamp) -> QueryResult<()> {
    let new = NewTask {
        kind: kind::PAYMENT_NOTICE.name,
        subject: id.to_string(),
        exclusive_key: Some(format!("payment notification {id}")),
        payload: Payload::none(),
        due_at: now,
        claim: None,
    };
    tasks::open(tx, account, new, now).map(drop)
}

fn by_id(db: &mut Db, account: AccountId, id: NoticeId) -> QueryResult<Option<Notice>> {
    let row = dsl::payment_notices
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()))
        .select(NoticeRow::as_select())
        .first::<NoticeRow>(db)
        .optional()?;
    row.map(NoticeRow::notice).transpose()
}

/// The payment that a notification is about: the one that it names, if that is the provider's own, or the one that has
/// this identifier there.
fn payment_of(db: &mut Db, account: AccountId, notice: &Notice) -> QueryResult<Option<Payment>> {
    if let Some(id) = notice.payment {
        let named = rows::by_id(db, account, id)?;
        return Ok(named.filter(|payment| payment.provider == notice.provider));
    }
    match &notice.provider_ref {
        Some(provider_ref) => rows::by_ref(db, account, notice.provider, provider_ref),
        None => Ok(None),
    }
}

/// The notification that a task is about, with its payment.
pub(super) fn subject(
    db: &mut Db,
    vault: &Vault,
    task: &Task,
) -> QueryResult<Option<NoticeSubject>> {
    let Some(id) = NoticeId::parse(&task.subject) else { return Ok(None) };
    let Some(notice) = by_id(db, task.account, id)? else { return Ok(None) };
    let subject = match payment_of(db, task.account, &notice)? {
        Some(payment) => settle::of_payment(db, vault, task.account, payment.id)?,
        None => None,
    };
    Ok(Some(NoticeSubject { notice, subject }))
}

/// Whether what the provider shows is a payment: it says so, or it is what the payment is known by there.
fn is_of(seen: &Seen, payment: &Payment) -> bool {
    match seen.payment {
        Some(id) => id == payment.id,
        None => payment.provider_ref.as_deref() == Some(seen.provider_ref.as_str()),
    }
}

/// Records what has come of looking into a notification.
pub(super) fn settle(
    tx: &mut Tx<'_>,
    task: &Task,
    id: NoticeId,
    attempted: Result<Result<Seen, CallFault>, String>,
    now: Timestamp,
) -> Outcome<bool> {
    let account = task.account;
    let Some(notice) = by_id(tx.db, account, id)? else { return Ok(false) };
    let books = match payment_of(tx.db, account, &notice)? {
        Some(payment) => Some(settle::books(tx, account, payment.id, now)?),
        None => None,
    };
    let Some(own) = tasks::held(tx, task)? else { return Ok(false) };
    let tries = notice.tries + 1;
    let (status, problem) = match (attempted, books) {
        (Ok(Ok(seen)), Some(books)) if is_of(&seen, &books.payment) => {
            let mut books = books;
            books.judged(tx, judge(&books.payment, &seen, now))?;
            books.close(tx, false)?;
            (NoticeStatus::Processed, None)
        }
        (Ok(Ok(_)), _) => (NoticeStatus::Ignored, Some(Reason::OtherPayment.alone())),
        (Err(why), _) => (NoticeStatus::Ignored, Some(why)),
        (Ok(Err(fault)), _) => {
            let why = fault.kept();
            match tries >= TRIES_MAX {
                true => (NoticeStatus::Dead, Some(why)),
                false => (NoticeStatus::Received, Some(why)),
            }
        }
    };
    let this = dsl::payment_notices
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()));
    let columns = (
        dsl::status.eq(status.name()),
        dsl::tries.eq(i64::from(tries)),
        dsl::problem.eq(&problem),
        dsl::updated_at.eq(now.micros()),
    );
    diesel::update(this).set(columns).execute(tx.db)?;
    let after = match status {
        NoticeStatus::Received => {
            let index = usize::try_from(tries).unwrap_or(usize::MAX).saturating_sub(1);
            let seconds = PAUSES.get(index).or(PAUSES.last()).copied().unwrap_or(1);
            let reason = problem.unwrap_or_default();
            own.clone().postponed(&Pause { seconds, is_doubtful: false, reason }, now)
        }
        NoticeStatus::Dead => own.clone().ended(End::Failed(problem.unwrap_or_default()), now),
        NoticeStatus::Processed | NoticeStatus::Ignored => {
            own.clone().ended(End::Succeeded("{}".to_owned()), now)
        }
    };
    Ok(tasks::save_over(tx, &own, &after)?)
}

/// Has a dead notification looked into again, once for every idempotency key.
pub(super) fn retried(tx: &mut Tx<'_>, ctx: &Ctx, id: NoticeId) -> Outcome<Done<Notice>> {
    let kept: Option<Done<NoticeId>> = answers::kept_answer(tx, ctx)?;
    if let Some(Done { value: kept, .. }) = kept {
        let notice = by_id(tx.db, ctx.account, kept)?.ok_or(Refused::NotFound)?;
        return Ok(Done { value: notice, replayed: true });
    }
    let notice = retry(tx, ctx, id)?;
    answers::keep(tx, ctx, &id)?;
    Ok(Done::now(notice))
}

fn retry(tx: &mut Tx<'_>, ctx: &Ctx, id: NoticeId) -> Outcome<Notice> {
    let this = || {
        table::table
            .filter(dsl::account_id.eq(ctx.account.to_string()))
            .filter(dsl::id.eq(id.to_string()))
    };
    let row: Option<NoticeRow> = first_locked!(tx.db, NoticeRow, this())?;
    let notice = row.ok_or(Refused::NotFound)?.notice()?;
    if notice.status != NoticeStatus::Dead {
        return Err(Refused::Rule(PaymentError::NotDead).into());
    }
    let columns = (
        dsl::status.eq(NoticeStatus::Received.name()),
        dsl::tries.eq(0),
        dsl::updated_at.eq(ctx.now.micros()),
    );
    diesel::update(this()).set(columns).execute(tx.db)?;
    look_into(tx, ctx.account, id, ctx.now)?;
    let status = NoticeStatus::Received;
    Ok(Notice { status, tries: 0, updated_at: ctx.now, ..notice })
}

/// A page of notifications, newest first.
pub(super) fn list(
    db: &mut Db,
    account: AccountId,
    page: &PageRequest,
) -> QueryResult<Page<Notice>> {
    let all = || table::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    let total = listing::total(page, || all().count().get_result(db))?;
    let rows = newest_first!(db, NoticeRow, dsl::id, page, all())?;
    let key = |row: &NoticeRow| (row.account_id.clone(), row.id.clone());
    listing::newest_page(rows, page, total, "payment notification", key, NoticeRow::notice)
}
