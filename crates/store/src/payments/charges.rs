//! The books of the embedded provider, and the task that tells of what changes in them.

use ::payments::{
    PaymentId, ProviderKind,
    sandbox::{Charge, Charges, Deed, Denied, apply},
};
use ::tasks::{End, NewTask, Pause, Payload, Task, kind};
use diesel::prelude::*;
use kernel::{
    AccountId, Ctx, Done, Fault, Pending, Refused, Timestamp, Written, message, reason::Reason,
};

use super::providers;
use crate::{
    answers,
    db::{Db, first_locked, on},
    error::Failure,
    readers::Cost,
    schema::sandbox_charges::{self as table, dsl},
    store::Store,
    stored::{KeptPayment, from_text, to_text},
    tasks,
    tx::Tx,
};

/// For how many seconds a payment may be tried to be booked.
const CREATE_SECONDS_MAX: i64 = 2 * 86_400;

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table)]
struct ChargeRow {
    account_id: String,
    payment_id: String,
    charge: String,
    created_at: i64,
    updated_at: i64,
}

fn of_payment(db: &mut Db, account: AccountId, payment: PaymentId) -> QueryResult<Option<Charge>> {
    let text: Option<String> = dsl::sandbox_charges
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::payment_id.eq(payment.to_string()))
        .select(dsl::charge)
        .first(db)
        .optional()?;
    text.as_deref().map(from_text).transpose()
}

/// Charges booked in a time, in the order of their payments.
fn booked_between(
    db: &mut Db,
    account: AccountId,
    (from, to): (Timestamp, Timestamp),
    after: Option<PaymentId>,
    limit: usize,
) -> QueryResult<Vec<Charge>> {
    // A payment is booked after it is asked for, and not long after.
    let earliest = PaymentId::least_at(from.plus_seconds(-CREATE_SECONDS_MAX));
    let earliest = after.map_or(earliest, |after| after.max(earliest));
    let mut query = dsl::sandbox_charges
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::created_at.ge(from.micros()))
        .filter(dsl::created_at.lt(to.micros()))
        .order(dsl::payment_id)
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(dsl::charge)
        .into_boxed();
    query = match after {
        Some(_) => query.filter(dsl::payment_id.gt(earliest.to_string())),
        None => query.filter(dsl::payment_id.ge(earliest.to_string())),
    };
    let texts: Vec<String> = query.load(db)?;
    texts.iter().map(|text| from_text(text)).collect()
}

fn book(
    tx: &mut Tx<'_>,
    account: AccountId,
    charge: &Charge,
    now: Timestamp,
) -> QueryResult<Charge> {
    let row = ChargeRow {
        account_id: account.to_string(),
        payment_id: charge.payment.to_string(),
        charge: to_text(charge)?,
        created_at: now.micros(),
        updated_at: now.micros(),
    };
    let booked = on!(tx.db, |conn| diesel::insert_into(table::table)
        .values(&row)
        .on_conflict_do_nothing()
        .execute(conn))?;
    if booked == 0 {
        let first = of_payment(tx.db, account, charge.payment)?;
        return Ok(first.unwrap_or_else(|| charge.clone()).as_of(now));
    }
    tell(tx, account, charge, now)?;
    Ok(charge.clone())
}

fn locked(tx: &mut Tx<'_>, account: AccountId, payment: PaymentId) -> QueryResult<Option<Charge>> {
    let row = first_locked!(
        tx.db,
        ChargeRow,
        table::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::payment_id.eq(payment.to_string()))
    )?;
    row.map(|row| from_text(&row.charge)).transpose()
}

fn act(
    tx: &mut Tx<'_>,
    account: AccountId,
    payment: PaymentId,
    deed: &Deed,
    now: Timestamp,
) -> Result<Charge, Failure<Denied>> {
    let before = locked(tx, account, payment)?.ok_or(Refused::NotFound)?;
    let after = apply(&before, deed, now).map_err(Refused::Rule)?;
    if after != before {
        save(tx, account, &after, now)?;
        tell(tx, account, &after, now)?;
    }
    Ok(after)
}

fn told(tx: &mut Tx<'_>, task: &Task, version: i64, now: Timestamp) -> QueryResult<()> {
    let Some(own) = tasks::held(tx, task)? else { return Ok(()) };
    let charge = match PaymentId::parse(&task.subject) {
        Some(payment) => of_payment(tx.db, task.account, payment)?,
        None => None,
    };
    let again = charge.and_then(|charge| {
        let charge = charge.as_of(now);
        if charge.version > version { Some(now) } else { charge.next_at }
    });
    let after = match again {
        Some(due) => {
            let seconds = (due.micros() - now.micros() + 999_999) / 1_000_000;
            let reason = Reason::OwnWords.in_both(&message!(
                "the payment is about to change, and that will be told then",
                "el pago está por cambiar, y entonces se avisará"
            ));
            let pause = Pause { seconds, is_doubtful: false, reason };
            // It has told what there was: only failures in a row count.
            Task { attempts: 0, ..own.clone().postponed(&pause, now) }
        }
        None => own.clone().ended(End::Succeeded("{}".to_owned()), now),
    };
    tasks::save_over(tx, &own, &after).map(drop)
}

fn save(tx: &mut Tx<'_>, account: AccountId, charge: &Charge, now: Timestamp) -> QueryResult<()> {
    let this = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::payment_id.eq(charge.payment.to_string()));
    let columns = (dsl::charge.eq(to_text(charge)?), dsl::updated_at.eq(now.micros()));
    diesel::update(this).set(columns).execute(tx.db).map(drop)
}

/// Has a charge told of. A task that is about to tell of it tells this, too.
fn tell(tx: &mut Tx<'_>, account: AccountId, charge: &Charge, now: Timestamp) -> QueryResult<()> {
    let key = format!("sandbox news {}", charge.payment);
    if let Some(open) = tasks::locked_by_key(tx, account, &key)? {
        if open.is_held(now) {
            // What it is telling now may be what was before.
            return Ok(());
        }
        let mut due = open.clone();
        due.due_at = Some(now);
        tasks::save_over(tx, &open, &due)?;
        tasks::wake(tx, account);
        return Ok(());
    }
    let new = NewTask {
        kind: kind::SANDBOX_NEWS.name,
        subject: charge.payment.to_string(),
        exclusive_key: Some(key),
        payload: Payload::none(),
        due_at: now,
        claim: None,
    };
    tasks::open(tx, account, new, now).map(drop)
}

impl Charges for Store {
    fn book(
        &self,
        account: AccountId,
        charge: Charge,
        now: Timestamp,
    ) -> Pending<Written<Charge, ()>> {
        self.engine
            .command(Some(account), move |tx| Ok(Done::now(book(tx, account, &charge, now)?)))
    }

    fn charge(
        &self,
        account: AccountId,
        payment: PaymentId,
        now: Timestamp,
    ) -> Pending<Result<Option<Charge>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            Ok(of_payment(db, account, payment)?.map(|charge| charge.as_of(now)))
        })
    }

    fn booked_between(
        &self,
        account: AccountId,
        between: (Timestamp, Timestamp),
        after: Option<PaymentId>,
        limit: usize,
    ) -> Pending<Result<Vec<Charge>, Fault>> {
        self.engine.read(Cost::Large, move |db| booked_between(db, account, between, after, limit))
    }

    fn act(&self, ctx: Ctx, payment: PaymentId, deed: Deed) -> Pending<Written<Charge, Denied>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let (account, now) = (ctx.account, ctx.now);
            let before: Option<Done<KeptPayment>> = answers::kept_answer(tx, &ctx)?;
            if before.is_some() {
                let charge = of_payment(tx.db, account, payment)?.ok_or(Refused::NotFound)?;
                return Ok(Done { value: charge.as_of(now), replayed: true });
            }
            let charge = act(tx, account, payment, &deed, now)?;
            answers::keep(tx, &ctx, &KeptPayment { payment, refund: None, task: None })?;
            Ok(Done::now(charge))
        })
    }

    fn secret(&self, account: AccountId) -> Pending<Result<Option<String>, Fault>> {
        let vault = self.engine.vault();
        self.engine.read(Cost::Small, move |db| {
            let callee = providers::callee(db, &vault, account, ProviderKind::Sandbox)?;
            let credentials = callee.and_then(|callee| callee.credentials);
            Ok(credentials.and_then(|credentials| credentials.notification_secret))
        })
    }

    fn told(&self, task: &Task, version: i64, now: Timestamp) -> Pending<Written<(), ()>> {
        let task = task.clone();
        self.engine
            .command(Some(task.account), move |tx| Ok(Done::now(told(tx, &task, version, now)?)))
    }
}
