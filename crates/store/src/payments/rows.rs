//! Payments and their calls as rows.

use std::collections::HashMap;

use ::payments::{
    Call, CallId, CallKind, CallOutcome, CustomerId, Flag, InvoiceId, Method, OrderId, Payment,
    PaymentId, PaymentLinkId, ProviderKind, Status,
};
use diesel::{dsl::sql, prelude::*, result::Error as DieselError, sql_types::Bool};
use engine::Late;
use kernel::{AccountId, Amount, Refused, Timestamp};

use crate::{
    db::{Db, first_locked, on},
    error::Failure,
    rows::{currency, micros, moment, read, read_name},
    schema::{payment_calls as calls, payments, payments::dsl},
    statement::{Bound, Statement, columns, update},
    stored::{KeptFailure, PaymentDetails, from_text, to_text},
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = payments, treat_none_as_default_value = false)]
pub(super) struct PaymentRow {
    account_id: String,
    pub(super) id: String,
    order_id: Option<String>,
    invoice_id: Option<String>,
    customer_id: Option<String>,
    link_id: Option<String>,
    provider: String,
    method: String,
    status: String,
    amount: i64,
    currency: String,
    received: i64,
    authorized: i64,
    captured: i64,
    refunded: i64,
    refund_pending: i64,
    provider_ref: Option<String>,
    flags: String,
    details: String,
    paid_at: Option<i64>,
    expires_at: Option<i64>,
    receipt_id: Option<String>,
    receipt_problem: Option<String>,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

/// An invoice that a column names.
pub(super) fn invoice(id: Option<&str>) -> Result<Option<InvoiceId>, DieselError> {
    id.map(|id| read(id, InvoiceId::parse)).transpose()
}

/// Flags as they stand in their column: each between spaces.
fn flags_text(flags: &[Flag]) -> String {
    let names = flags.iter().map(|flag| flag.name()).collect::<Vec<_>>().join(" ");
    if names.is_empty() { names } else { format!(" {names} ") }
}

/// What the column is like where a flag is set.
pub(super) fn with_flag(flag: Flag) -> String {
    format!("% {} %", flag.name())
}

impl PaymentRow {
    fn of(account: AccountId, payment: &Payment) -> Result<Self, DieselError> {
        Ok(Self {
            account_id: account.to_string(),
            id: payment.id.to_string(),
            order_id: payment.order.map(|id| id.to_string()),
            invoice_id: payment.invoice.map(|id| id.to_string()),
            customer_id: payment.customer.map(|id| id.to_string()),
            link_id: payment.link.map(|id| id.to_string()),
            provider: payment.provider.name().to_owned(),
            method: payment.method.name().to_owned(),
            status: payment.status.name().to_owned(),
            amount: payment.amount.micros(),
            currency: payment.currency.to_string(),
            received: payment.received.micros(),
            authorized: payment.authorized.micros(),
            captured: payment.captured.micros(),
            refunded: payment.refunded.micros(),
            refund_pending: payment.refund_pending.micros(),
            provider_ref: payment.provider_ref.clone(),
            flags: flags_text(&payment.flags),
            details: to_text(&PaymentDetails::of(payment))?,
            paid_at: micros(payment.paid_at),
            expires_at: micros(payment.expires_at),
            receipt_id: payment.receipt.map(|id| id.to_string()),
            receipt_problem: payment.receipt_problem.clone(),
            created_at: payment.created_at.micros(),
            updated_at: payment.updated_at.micros(),
            version: payment.version,
        })
    }

    pub(super) fn payment(self) -> Result<Payment, DieselError> {
        let details: PaymentDetails = from_text(&self.details)?;
        let flags = self.flags.split_whitespace();
        Ok(Payment {
            id: read(&self.id, PaymentId::parse)?,
            order: self.order_id.as_deref().map(|id| read(id, OrderId::parse)).transpose()?,
            invoice: invoice(self.invoice_id.as_deref())?,
            customer: self
                .customer_id
                .as_deref()
                .map(|id| read(id, CustomerId::parse))
                .transpose()?,
            link: self.link_id.as_deref().map(|id| read(id, PaymentLinkId::parse)).transpose()?,
            provider: read_name(&self.provider, ProviderKind::EVERY, ProviderKind::name)?,
            method: read_name(&self.method, Method::EVERY, Method::name)?,
            status: read_name(&self.status, Status::EVERY, Status::name)?,
            amount: Amount::from_micros(self.amount),
            currency: currency(&self.currency)?,
            received: Amount::from_micros(self.received),
            authorized: Amount::from_micros(self.authorized),
            captured: Amount::from_micros(self.captured),
            refunded: Amount::from_micros(self.refunded),
            refund_pending: Amount::from_micros(self.refund_pending),
            is_captured_at_once: details.is_captured_at_once,
            allows_overpayment: details.allows_overpayment,
            provider_ref: self.provider_ref,
            instructions: details.instructions,
            failure: details.failure,
            card: details.card,
            installments: details.installments,
            installments_chosen: details.installments_chosen,
            tracking_key: details.tracking_key,
            fee: details.fee,
            flags: flags
                .map(|name| read_name(name, Flag::EVERY, Flag::name))
                .collect::<Result<_, _>>()?,
            conflict: details.conflict,
            payer: details.payer,
            description: details.description,
            reference: details.reference,
            return_url: details.return_url,
            sat_payment_form: details.sat_payment_form,
            exchange_rate: details.exchange_rate,
            receipt: invoice(self.receipt_id.as_deref())?,
            receipt_problem: self.receipt_problem,
            metadata: details.metadata,
            is_outcome_unknown: details.is_outcome_unknown,
            paid_at: moment(self.paid_at),
            expires_at: moment(self.expires_at),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

pub(crate) fn by_id(
    db: &mut Db,
    account: AccountId,
    id: PaymentId,
) -> QueryResult<Option<Payment>> {
    let row = dsl::payments
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()))
        .select(PaymentRow::as_select())
        .first::<PaymentRow>(db)
        .optional()?;
    row.map(PaymentRow::payment).transpose()
}

/// The payment that has this identifier at its provider.
pub(super) fn by_ref(
    db: &mut Db,
    account: AccountId,
    provider: ProviderKind,
    provider_ref: &str,
) -> QueryResult<Option<Payment>> {
    let row = dsl::payments
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::provider.eq(provider.name()))
        .filter(dsl::provider_ref.eq(provider_ref))
        .select(PaymentRow::as_select())
        .first::<PaymentRow>(db)
        .optional()?;
    row.map(PaymentRow::payment).transpose()
}

/// The payments of an order, the oldest first.
pub(crate) fn of_order(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
) -> QueryResult<Vec<Payment>> {
    let rows: Vec<PaymentRow> = on!(db, |conn| dsl::payments
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::order_id.eq(order.to_string()))
        .order(dsl::id)
        .select(PaymentRow::as_select())
        .load(conn))?;
    rows.into_iter().map(PaymentRow::payment).collect()
}

/// The payments of orders, by the orders' identifiers.
pub(super) fn of_any_order(
    db: &mut Db,
    account: AccountId,
    orders: &[String],
) -> QueryResult<Vec<Payment>> {
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<PaymentRow> = dsl::payments
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::order_id.eq_any(orders))
        .select(PaymentRow::as_select())
        .load(db)?;
    rows.into_iter().map(PaymentRow::payment).collect()
}

/// The payments of orders, by the orders' identifiers, the oldest of each first: on PostgreSQL, by one statement.
pub(super) fn of_orders(
    conn: &mut PgConnection,
    accounts: &[String],
    orders: &[String],
) -> QueryResult<HashMap<OrderId, Vec<Payment>>> {
    let rows: Vec<PaymentRow> = dsl::payments
        .filter(dsl::account_id.eq_any(accounts))
        .filter(dsl::order_id.eq_any(orders))
        .order(dsl::id)
        .select(PaymentRow::as_select())
        .load(conn)?;
    let mut found: HashMap<OrderId, Vec<Payment>> = HashMap::new();
    for row in rows {
        let payment = row.payment()?;
        if let Some(order) = payment.order {
            found.entry(order).or_default().push(payment);
        }
    }
    Ok(found)
}

/// The payments of a link that may still be paid.
pub(super) fn open_of_link(
    db: &mut Db,
    account: AccountId,
    link: PaymentLinkId,
) -> QueryResult<Vec<Payment>> {
    let open = Status::EVERY.iter().filter(|status| status.is_open()).map(|status| status.name());
    let rows: Vec<PaymentRow> = dsl::payments
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::link_id.eq(link.to_string()))
        .filter(dsl::status.eq_any(open))
        .select(PaymentRow::as_select())
        .load(db)?;
    rows.into_iter().map(PaymentRow::payment).collect()
}

/// The payments of an invoice, the oldest first.
pub(super) fn of_invoice(
    db: &mut Db,
    account: AccountId,
    invoice: InvoiceId,
) -> QueryResult<Vec<Payment>> {
    let rows: Vec<PaymentRow> = dsl::payments
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::invoice_id.eq(invoice.to_string()))
        .order(dsl::id)
        .select(PaymentRow::as_select())
        .load(db)?;
    rows.into_iter().map(PaymentRow::payment).collect()
}

/// The payments of several invoices that have no stamped receipt.
pub(super) fn unreceipted_of(
    db: &mut Db,
    account: AccountId,
    invoices: impl Iterator<Item = InvoiceId>,
) -> QueryResult<Vec<Payment>> {
    let stamped = "NOT EXISTS (SELECT 1 FROM invoices r WHERE r.account_id = payments.account_id \
         AND r.id = payments.receipt_id AND r.status = 'stamped')";
    let invoices = invoices.map(|id| id.to_string());
    let rows: Vec<PaymentRow> = dsl::payments
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::invoice_id.eq_any(invoices))
        .filter(sql::<Bool>(stamped))
        .order(dsl::id)
        .select(PaymentRow::as_select())
        .load(db)?;
    rows.into_iter().map(PaymentRow::payment).collect()
}

/// The payment, locked until the end of the transaction.
pub(crate) fn locked<E>(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: PaymentId,
) -> Result<Payment, Failure<E>> {
    Ok(locked_if_any(tx, account, id)?.ok_or(Refused::NotFound)?)
}

/// The same, if there is one.
pub(super) fn locked_if_any(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: PaymentId,
) -> QueryResult<Option<Payment>> {
    let row = first_locked!(
        tx.db,
        PaymentRow,
        payments::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq(id.to_string()))
    )?;
    row.map(PaymentRow::payment).transpose()
}

pub(super) fn insert(tx: &mut Tx<'_>, account: AccountId, payment: &Payment) -> QueryResult<()> {
    let row = PaymentRow::of(account, payment)?;
    on!(tx.db, |conn| diesel::insert_into(payments::table).values(&row).execute(conn)).map(drop)
}

/// Has a new payment written together with those of the other commands of the transaction, on PostgreSQL.
pub(super) fn leave(tx: &mut Tx<'_>, account: AccountId, payment: &Payment) -> QueryResult<()> {
    tx.effects.leave(vec![PaymentRow::of(account, payment)?]);
    Ok(())
}

impl Late for PaymentRow {
    fn write(rows: Vec<Self>, tx: &mut Tx<'_>) -> QueryResult<()> {
        match tx.db {
            Db::Sqlite(conn) => rows.iter().try_for_each(|row| {
                diesel::insert_into(payments::table).values(row).execute(conn).map(drop)
            }),
            Db::Postgres(conn) => {
                let columns = columns!(
                    rows,
                    Texts account_id, Texts id, OptionalTexts order_id, OptionalTexts invoice_id,
                    OptionalTexts customer_id, OptionalTexts link_id, Texts provider, Texts method, Texts status,
                    Numbers amount, Texts currency, Numbers received, Numbers authorized, Numbers captured,
                    Numbers refunded, Numbers refund_pending, OptionalTexts provider_ref, Texts flags, Texts details,
                    OptionalNumbers paid_at, OptionalNumbers expires_at, OptionalTexts receipt_id,
                    OptionalTexts receipt_problem, Numbers created_at, Numbers updated_at, Numbers version,
                );
                Statement::<()>::new(
                    "INSERT INTO payments (account_id, id, order_id, invoice_id, customer_id, link_id, provider, \
                     method, status, amount, currency, received, authorized, captured, refunded, refund_pending, \
                     provider_ref, flags, details, paid_at, expires_at, receipt_id, receipt_problem, created_at, \
                     updated_at, version) SELECT w.* FROM ? w",
                    [Bound::from(columns)],
                )
                .execute(conn)
                .map(drop)
            }
        }
    }
}

/// Saves a payment that has changed.
pub(crate) fn save(tx: &mut Tx<'_>, account: AccountId, payment: &Payment) -> QueryResult<()> {
    let row = PaymentRow::of(account, payment)?;
    let update = update!(
        "payments", row as PaymentRow,
        set order_id, invoice_id, customer_id, link_id, provider, method, status, amount, currency, received, authorized,
            captured, refunded, refund_pending, provider_ref, flags, details, paid_at, expires_at, receipt_id,
            receipt_problem, created_at, updated_at, version;
        key account_id, id
    );
    on!(tx.db, |conn| update.execute(conn)).map(drop)
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = calls, treat_none_as_default_value = false)]
struct CallRow {
    account_id: String,
    id: String,
    payment_id: String,
    kind: String,
    amount: Option<i64>,
    outcome: String,
    is_unknown: i64,
    tries: i64,
    absences: i64,
    failure: Option<String>,
    created_at: i64,
    updated_at: i64,
}

impl CallRow {
    fn of(account: AccountId, call: &Call) -> Result<Self, DieselError> {
        let failure = call.failure.clone().map(KeptFailure);
        Ok(Self {
            account_id: account.to_string(),
            id: call.id.to_string(),
            payment_id: call.payment.to_string(),
            kind: call.kind.name().to_owned(),
            amount: call.amount.map(Amount::micros),
            outcome: call.outcome.name().to_owned(),
            is_unknown: i64::from(call.is_unknown),
            tries: i64::from(call.tries),
            absences: i64::from(call.absences),
            failure: failure.as_ref().map(to_text).transpose()?,
            created_at: call.created_at.micros(),
            updated_at: call.updated_at.micros(),
        })
    }

    fn call(self) -> Result<Call, DieselError> {
        let failure: Option<KeptFailure> = self.failure.as_deref().map(from_text).transpose()?;
        Ok(Call {
            id: read(&self.id, CallId::parse)?,
            payment: read(&self.payment_id, PaymentId::parse)?,
            kind: read_name(&self.kind, CallKind::EVERY, CallKind::name)?,
            amount: self.amount.map(Amount::from_micros),
            outcome: read_name(&self.outcome, CallOutcome::EVERY, CallOutcome::name)?,
            is_unknown: self.is_unknown != 0,
            tries: u32::try_from(self.tries).unwrap_or(u32::MAX),
            absences: u32::try_from(self.absences).unwrap_or(u32::MAX),
            failure: failure.map(|kept| kept.0),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
        })
    }
}

/// The call of a payment that is open, if one is.
pub(super) fn open_call(
    db: &mut Db,
    account: AccountId,
    payment: PaymentId,
) -> QueryResult<Option<Call>> {
    let row = calls::table
        .filter(calls::account_id.eq(account.to_string()))
        .filter(calls::payment_id.eq(payment.to_string()))
        .filter(calls::outcome.eq(CallOutcome::Open.name()))
        .select(CallRow::as_select())
        .first::<CallRow>(db)
        .optional()?;
    row.map(CallRow::call).transpose()
}

pub(super) fn insert_call(tx: &mut Tx<'_>, account: AccountId, call: &Call) -> QueryResult<()> {
    let row = CallRow::of(account, call)?;
    diesel::insert_into(calls::table).values(&row).execute(tx.db).map(drop)
}

/// Saves a call that has changed.
pub(super) fn save_call(tx: &mut Tx<'_>, account: AccountId, call: &Call) -> QueryResult<()> {
    let row = CallRow::of(account, call)?;
    let update = update!(
        "payment_calls", row as CallRow,
        set payment_id, kind, amount, outcome, is_unknown, tries, absences, failure, created_at, updated_at;
        key account_id, id
    );
    on!(tx.db, |conn| update.execute(conn)).map(drop)
}
