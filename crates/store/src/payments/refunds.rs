//! Refunds as rows.

use ::payments::{
    Call, CallKind, CallOutcome, OrderId, Origin, PaymentId, Refund, RefundId, RefundStatus,
};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{AccountId, Amount, Timestamp};

use crate::{
    db::{Db, first_locked, on},
    rows::{currency, micros, moment, read, read_name},
    schema::{refunds, refunds::dsl},
    statement::update,
    stored::{RefundDetails, from_text, to_text},
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = refunds, treat_none_as_default_value = false)]
pub(super) struct RefundRow {
    account_id: String,
    pub(super) id: String,
    payment_id: String,
    order_id: Option<String>,
    amount: i64,
    currency: String,
    status: String,
    origin: String,
    provider_ref: Option<String>,
    details: String,
    created_at: i64,
    updated_at: i64,
    succeeded_at: Option<i64>,
    credit_note_id: Option<String>,
    credit_note_problem: Option<String>,
    version: i64,
}

impl RefundRow {
    fn of(account: AccountId, refund: &Refund) -> Result<Self, DieselError> {
        Ok(Self {
            account_id: account.to_string(),
            id: refund.id.to_string(),
            payment_id: refund.payment.to_string(),
            order_id: refund.order.map(|id| id.to_string()),
            amount: refund.amount.micros(),
            currency: refund.currency.to_string(),
            status: refund.status.name().to_owned(),
            origin: refund.origin.name().to_owned(),
            provider_ref: refund.provider_ref.clone(),
            details: to_text(&RefundDetails::of(refund))?,
            created_at: refund.created_at.micros(),
            updated_at: refund.updated_at.micros(),
            succeeded_at: micros(refund.succeeded_at),
            credit_note_id: refund.credit_note.map(|id| id.to_string()),
            credit_note_problem: refund.credit_note_problem.clone(),
            version: refund.version,
        })
    }

    pub(super) fn refund(self) -> Result<Refund, DieselError> {
        let details: RefundDetails = from_text(&self.details)?;
        let payment = read(&self.payment_id, PaymentId::parse)?;
        let amount = Amount::from_micros(self.amount);
        let created_at = Timestamp::from_micros(self.created_at);
        let updated_at = Timestamp::from_micros(self.updated_at);
        let call = Call {
            id: details.call,
            payment,
            kind: CallKind::Refund,
            amount: Some(amount),
            outcome: read_name(&details.outcome, CallOutcome::EVERY, CallOutcome::name)?,
            is_unknown: details.is_unknown,
            tries: details.tries,
            absences: details.absences,
            failure: details.call_failure,
            created_at,
            updated_at,
        };
        Ok(Refund {
            id: read(&self.id, RefundId::parse)?,
            payment,
            order: self.order_id.as_deref().map(|id| read(id, OrderId::parse)).transpose()?,
            amount,
            currency: currency(&self.currency)?,
            status: read_name(&self.status, RefundStatus::EVERY, RefundStatus::name)?,
            origin: read_name(&self.origin, Origin::EVERY, Origin::name)?,
            is_manual: details.is_manual,
            provider_ref: self.provider_ref,
            reason: details.reason,
            note: details.note,
            failure: details.failure,
            credit_note: super::rows::invoice(self.credit_note_id.as_deref())?,
            credit_note_problem: self.credit_note_problem,
            call,
            created_at,
            updated_at,
            succeeded_at: moment(self.succeeded_at),
            version: self.version,
        })
    }
}

pub(crate) fn by_id(db: &mut Db, account: AccountId, id: RefundId) -> QueryResult<Option<Refund>> {
    let row = dsl::refunds
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()))
        .select(RefundRow::as_select())
        .first::<RefundRow>(db)
        .optional()?;
    row.map(RefundRow::refund).transpose()
}

/// The refunds of a payment, the oldest first.
pub(super) fn of_payment(
    db: &mut Db,
    account: AccountId,
    payment: PaymentId,
) -> QueryResult<Vec<Refund>> {
    let rows: Vec<RefundRow> = dsl::refunds
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::payment_id.eq(payment.to_string()))
        .order(dsl::id)
        .select(RefundRow::as_select())
        .load(db)?;
    rows.into_iter().map(RefundRow::refund).collect()
}

/// The refund, locked until the end of the transaction.
pub(crate) fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: RefundId,
) -> QueryResult<Option<Refund>> {
    let row = first_locked!(
        tx.db,
        RefundRow,
        refunds::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq(id.to_string()))
    )?;
    row.map(RefundRow::refund).transpose()
}

pub(super) fn insert(tx: &mut Tx<'_>, account: AccountId, refund: &Refund) -> QueryResult<()> {
    let row = RefundRow::of(account, refund)?;
    diesel::insert_into(refunds::table).values(&row).execute(tx.db).map(drop)
}

/// Saves a refund that has changed.
pub(crate) fn save(tx: &mut Tx<'_>, account: AccountId, refund: &Refund) -> QueryResult<()> {
    let row = RefundRow::of(account, refund)?;
    let update = update!(
        "refunds", row as RefundRow,
        set payment_id, order_id, amount, currency, status, origin, provider_ref, details, created_at, updated_at,
            succeeded_at, credit_note_id, credit_note_problem, version;
        key account_id, id
    );
    on!(tx.db, |conn| update.execute(conn)).map(drop)
}
