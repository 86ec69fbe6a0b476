//! Invoices as rows, for all that name them.

use std::ops::RangeInclusive;

use ::invoices::{
    Applied, BranchId, Cancellation, CancellationStatus, CustomerId, Draft, Invoice, InvoiceId,
    IssuerId, LastError, OrderId, Stamped, Status, credit_notes, export::StampPlace,
    invoice::amount_of,
};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{AccountId, Amount, Refused, Timestamp};

use crate::{
    db::{Db, first_locked, on},
    error::{Failure, refuse_stale},
    lookups::Key,
    rows::{read, read_name},
    schema::{
        invoice_orders, invoice_relations,
        invoices::{self, dsl},
    },
    statement::{Bound, Statement, update},
    stored::{from_text, to_text},
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = invoices, treat_none_as_default_value = false)]
pub(crate) struct InvoiceRow {
    account_id: String,
    pub(crate) id: String,
    status: String,
    kind: String,
    series: String,
    folio: Option<i64>,
    customer_id: Option<String>,
    receiver_rfc: String,
    uuid: Option<String>,
    total: i64,
    currency: String,
    balance: Option<i64>,
    installments: i64,
    cancellation_status: Option<String>,
    draft: String,
    document: String,
    stamp: Option<String>,
    cancellation: Option<String>,
    last_error: Option<String>,
    created_at: i64,
    pub(crate) updated_at: i64,
    version: i64,
    applied_to: Option<String>,
    overpaid: i64,
    stamped_at: Option<i64>,
    issuer_id: String,
    branch_id: Option<String>,
    facts_version: i64,
}

impl InvoiceRow {
    pub(crate) fn of(account: AccountId, invoice: &Invoice) -> Result<Self, DieselError> {
        let draft: &Draft = &invoice.draft;
        let folio = invoice.folio.map(|folio| i64::try_from(folio).unwrap_or(i64::MAX));
        Ok(Self {
            account_id: account.to_string(),
            id: invoice.id.to_string(),
            status: invoice.status.name().to_owned(),
            kind: draft.kind.code().to_owned(),
            series: draft.series.clone(),
            folio,
            customer_id: draft.customer.map(|id: CustomerId| id.to_string()),
            receiver_rfc: draft.receiver.rfc.clone(),
            uuid: invoice.uuid().map(str::to_owned),
            total: amount_of(&invoice.document).micros(),
            currency: draft.currency.to_string(),
            balance: invoice.outstanding().map(Amount::micros),
            installments: i64::from(invoice.installments),
            cancellation_status: invoice
                .cancellation
                .as_ref()
                .map(|cancellation: &Cancellation| cancellation.status.name().to_owned()),
            draft: to_text(draft)?,
            document: to_text(&invoice.document)?,
            stamp: invoice.stamp.as_ref().map(to_text::<Stamped>).transpose()?,
            cancellation: invoice.cancellation.as_ref().map(to_text).transpose()?,
            last_error: invoice.last_error.as_ref().map(to_text::<LastError>).transpose()?,
            created_at: invoice.created_at.micros(),
            updated_at: invoice.updated_at.micros(),
            version: invoice.version,
            applied_to: applied_to(invoice)?,
            overpaid: overpaid(invoice),
            stamped_at: invoice.stamp.as_ref().map(|stamped| stamped.at.micros()),
            issuer_id: key_of(account, draft.issuer),
            branch_id: draft.branch.map(|id: BranchId| id.to_string()),
            facts_version: invoice.version,
        })
    }

    pub(crate) fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    pub(crate) fn account(&self) -> Result<AccountId, DieselError> {
        read(&self.account_id, AccountId::parse)
    }

    /// Where it stands among the stamped ones.
    pub(crate) fn stamp_place(&self) -> Result<Option<StampPlace>, DieselError> {
        let id = read(&self.id, InvoiceId::parse)?;
        Ok(self.stamped_at.map(|at| StampPlace { at: Timestamp::from_micros(at), id }))
    }

    pub(crate) fn invoice(self) -> Result<Invoice, DieselError> {
        let cancellation: Option<Cancellation> =
            self.cancellation.as_deref().map(from_text).transpose()?;
        if let Some(name) = &self.cancellation_status {
            read_name(name, CancellationStatus::EVERY, CancellationStatus::name)?;
        }
        let mut draft: Draft = from_text(&self.draft)?;
        if draft.issuer.is_none() {
            draft.issuer = Some(id_of(&self.account_id, &self.issuer_id)?);
        }
        Ok(Invoice {
            id: read(&self.id, InvoiceId::parse)?,
            status: read_name(&self.status, Status::EVERY, Status::name)?,
            draft,
            document: from_text(&self.document)?,
            folio: self.folio.and_then(|folio| u64::try_from(folio).ok()),
            stamp: self.stamp.as_deref().map(from_text).transpose()?,
            balance: self.balance.map(|owed| Amount::from_micros(owed - self.overpaid)),
            installments: u32::try_from(self.installments).unwrap_or_default(),
            applied_to: self.applied_to.as_deref().map(from_text).transpose()?.unwrap_or_default(),
            cancellation,
            last_error: self.last_error.as_deref().map(from_text).transpose()?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// What an issuer is kept under: nothing for the first, which had no identifier when it was the only one.
pub(crate) fn key_of(account: AccountId, issuer: Option<IssuerId>) -> String {
    let of_its_own = issuer.filter(|id| *id != IssuerId::first_of(account));
    of_its_own.map(|id| id.to_string()).unwrap_or_default()
}

/// The issuer that is kept under that key.
pub(crate) fn id_of(account: &str, key: &str) -> QueryResult<IssuerId> {
    match key {
        "" => read(account, AccountId::parse).map(IssuerId::first_of),
        _ => read(key, IssuerId::parse),
    }
}

fn applied_to(invoice: &Invoice) -> Result<Option<String>, DieselError> {
    let applied_to: &Vec<Applied> = &invoice.applied_to;
    (!applied_to.is_empty()).then(|| to_text(applied_to)).transpose()
}

/// What the balance is below zero, which the column of it cannot be.
fn overpaid(invoice: &Invoice) -> i64 {
    invoice.balance.map_or(0, |balance| balance.micros().min(0).saturating_neg())
}

pub(crate) fn by_id(
    db: &mut Db,
    account: AccountId,
    id: InvoiceId,
) -> QueryResult<Option<Invoice>> {
    let row = on!(db, |conn| invoices::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()))
        .select(InvoiceRow::as_select())
        .first::<InvoiceRow>(conn)
        .optional())?;
    row.map(InvoiceRow::invoice).transpose()
}

/// Those of these identifiers that there are, by one question.
pub(crate) fn by_ids(
    db: &mut Db,
    account: AccountId,
    ids: Vec<String>,
) -> QueryResult<Vec<Invoice>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<InvoiceRow> = invoices::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq_any(ids))
        .select(InvoiceRow::as_select())
        .load(db)?;
    rows.into_iter().map(InvoiceRow::invoice).collect()
}

pub(crate) fn by_uuid(db: &mut Db, account: AccountId, uuid: &str) -> QueryResult<Option<Invoice>> {
    let row = invoices::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::uuid.eq(uuid.to_ascii_uppercase()))
        .select(InvoiceRow::as_select())
        .first::<InvoiceRow>(db)
        .optional()?;
    row.map(InvoiceRow::invoice).transpose()
}

/// The invoice, locked until the end of the transaction, at the version that the caller has seen.
pub(crate) fn locked<E>(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
    version: Option<i64>,
) -> Result<Invoice, Failure<E>> {
    let row = first_locked!(
        tx.db,
        InvoiceRow,
        invoices::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq(id.to_string()))
    )?;
    let invoice = row.ok_or(Refused::NotFound)?.invoice()?;
    refuse_stale(version, invoice.version)?;
    Ok(invoice)
}

pub(crate) fn insert(tx: &mut Tx<'_>, account: AccountId, invoice: &Invoice) -> QueryResult<()> {
    let row = InvoiceRow::of(account, invoice)?;
    diesel::insert_into(invoices::table).values(&row).execute(tx.db).map(drop)
}

/// Saves an invoice that has changed. Its facts stay outdated if they were.
pub(crate) fn save(tx: &mut Tx<'_>, account: AccountId, invoice: &Invoice) -> QueryResult<()> {
    let row = InvoiceRow::of(account, invoice)?;
    let update = update!(
        "invoices", row as InvoiceRow,
        set status, kind, series, folio, customer_id, receiver_rfc, uuid, total, currency, balance, installments,
            cancellation_status, draft, document, stamp, cancellation, last_error, created_at, updated_at, version,
            applied_to, overpaid, stamped_at, issuer_id, branch_id;
        set facts_version by "CASE facts_version WHEN version THEN ? ELSE facts_version END";
        key account_id, id
    );
    on!(tx.db, |conn| update.execute(conn)).map(drop)
}

/// Says that this version of an invoice has another draft than those before.
pub(crate) fn mark_redrafted(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
) -> QueryResult<()> {
    const MARK: &str = "UPDATE invoices SET draft_version = ? WHERE account_id = ? AND id = ?";
    let (account, id) = (account.to_string(), invoice.id.to_string());
    let values = [Bound::from(invoice.version), account.into(), id.into()];
    on!(tx.db, |conn| Statement::<()>::new(MARK, values).execute(conn)).map(drop)
}

/// The versions of an invoice that are of the draft that it has now.
pub(crate) fn versions_alike(
    db: &mut Db,
    account: AccountId,
    id: InvoiceId,
) -> QueryResult<RangeInclusive<i64>> {
    let (version, facts_version, draft_version): (i64, i64, i64) = invoices::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()))
        .select((dsl::version, dsl::facts_version, dsl::draft_version))
        .first(db)?;
    // Otherwise a release that knows neither column was the last to change it.
    let since = if facts_version == version { draft_version } else { version };
    Ok(since..=version)
}

/// The invoice that an order is in; none while none holds it.
pub(crate) fn of_order(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
) -> QueryResult<Option<Invoice>> {
    let id: Option<String> = invoice_orders::table
        .filter(invoice_orders::account_id.eq(account.to_string()))
        .filter(invoice_orders::order_id.eq(order.to_string()))
        .select(invoice_orders::invoice_id)
        .first(db)
        .optional()?;
    match id {
        Some(id) => by_id(db, account, read(&id, InvoiceId::parse)?),
        None => Ok(None),
    }
}

/// What stamped credit notes have taken off an invoice, but for those of refunds, whose money has come and gone.
pub(crate) fn credited_by_hand(
    db: &mut Db,
    account: AccountId,
    invoice: &Invoice,
) -> QueryResult<Amount> {
    let Some(uuid) = invoice.uuid() else { return Ok(Amount::ZERO) };
    let ids: Vec<String> = invoice_relations::table
        .filter(invoice_relations::account_id.eq(account.to_string()))
        .filter(invoice_relations::uuid.eq(uuid.to_ascii_uppercase()))
        .select(invoice_relations::invoice_id)
        .distinct()
        .load(db)?;
    let mut credited = 0;
    for id in ids {
        let note = by_id(db, account, read(&id, InvoiceId::parse)?)?;
        let by_hand =
            |note: &Invoice| note.status == Status::Stamped && note.draft.refund.is_none();
        let taken = note.filter(by_hand).and_then(|note| credit_notes::taken(&note, invoice));
        credited += taken.map_or(0, Amount::micros);
    }
    Ok(Amount::from_micros(credited))
}
