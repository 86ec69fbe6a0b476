//! Withholdings as rows.

use std::ops::RangeInclusive;

use ::invoices::{
    LastError, Stamped, Status,
    issuer::named,
    withholding::{Withholding, WithholdingId, drafting::refreshed},
};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{AccountId, Refused, Timestamp};

use crate::{
    db::{Db, first_locked, on},
    error::{Failure, refuse_stale},
    invoices::issuers,
    lookups::Key,
    rows::{read, read_name},
    schema::withholdings::{self, dsl},
    statement::update,
    stored::{from_text, to_text},
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = withholdings, treat_none_as_default_value = false)]
pub(super) struct WithholdingRow {
    account_id: String,
    pub(super) id: String,
    status: String,
    code: String,
    year: i64,
    issuer_id: String,
    customer_id: Option<String>,
    receiver_rfc: Option<String>,
    uuid: Option<String>,
    draft: String,
    document: String,
    stamp: Option<String>,
    cancellation: Option<String>,
    last_error: Option<String>,
    created_at: i64,
    pub(super) updated_at: i64,
    version: i64,
}

impl WithholdingRow {
    fn of(account: AccountId, withholding: &Withholding) -> Result<Self, DieselError> {
        let draft = &withholding.draft;
        Ok(Self {
            account_id: account.to_string(),
            id: withholding.id.to_string(),
            status: withholding.status.name().to_owned(),
            code: draft.code.clone(),
            year: i64::from(draft.period.year),
            issuer_id: draft.issuer.to_string(),
            customer_id: draft.customer.map(|id| id.to_string()),
            receiver_rfc: withholding.receiver_rfc().map(str::to_owned),
            uuid: withholding.uuid().map(str::to_owned),
            draft: to_text(draft)?,
            document: to_text(&withholding.document)?,
            stamp: withholding.stamp.as_ref().map(to_text::<Stamped>).transpose()?,
            cancellation: withholding.cancellation.as_ref().map(to_text).transpose()?,
            last_error: withholding.last_error.as_ref().map(to_text::<LastError>).transpose()?,
            created_at: withholding.created_at.micros(),
            updated_at: withholding.updated_at.micros(),
            version: withholding.version,
        })
    }

    pub(super) fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    pub(super) fn withholding(self) -> Result<Withholding, DieselError> {
        Ok(Withholding {
            id: read(&self.id, WithholdingId::parse)?,
            status: read_name(&self.status, Status::EVERY, Status::name)?,
            draft: from_text(&self.draft)?,
            document: from_text(&self.document)?,
            stamp: self.stamp.as_deref().map(from_text).transpose()?,
            cancellation: self.cancellation.as_deref().map(from_text).transpose()?,
            last_error: self.last_error.as_deref().map(from_text).transpose()?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

pub(super) fn by_id(
    db: &mut Db,
    account: AccountId,
    id: WithholdingId,
) -> QueryResult<Option<Withholding>> {
    let row = withholdings::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()))
        .select(WithholdingRow::as_select())
        .first::<WithholdingRow>(db)
        .optional()?;
    row.map(WithholdingRow::withholding).transpose()
}

pub(super) fn by_uuid(
    db: &mut Db,
    account: AccountId,
    uuid: &str,
) -> QueryResult<Option<Withholding>> {
    let row = withholdings::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::uuid.eq(uuid.to_ascii_uppercase()))
        .select(WithholdingRow::as_select())
        .first::<WithholdingRow>(db)
        .optional()?;
    row.map(WithholdingRow::withholding).transpose()
}

/// The withholding, locked until the end of the transaction, at the version that the caller has seen.
pub(super) fn locked<E>(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: WithholdingId,
    version: Option<i64>,
) -> Result<Withholding, Failure<E>> {
    let row = first_locked!(
        tx.db,
        WithholdingRow,
        withholdings::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq(id.to_string()))
    )?;
    let withholding = row.ok_or(Refused::NotFound)?.withholding()?;
    refuse_stale(version, withholding.version)?;
    Ok(withholding)
}

pub(super) fn insert(
    tx: &mut Tx<'_>,
    account: AccountId,
    withholding: &Withholding,
) -> QueryResult<()> {
    let row = WithholdingRow::of(account, withholding)?;
    diesel::insert_into(withholdings::table).values(&row).execute(tx.db).map(drop)
}

/// Saves a withholding that has changed.
pub(super) fn save(
    tx: &mut Tx<'_>,
    account: AccountId,
    withholding: &Withholding,
) -> QueryResult<()> {
    let row = WithholdingRow::of(account, withholding)?;
    let update = update!(
        "withholdings", row as WithholdingRow,
        set status, code, year, issuer_id, customer_id, receiver_rfc, uuid, draft, document, stamp, cancellation,
            last_error, created_at, updated_at, version;
        key account_id, id
    );
    on!(tx.db, |conn| update.execute(conn)).map(drop)
}

/// Says that this version of a withholding has another draft than those before.
pub(super) fn mark_redrafted(
    tx: &mut Tx<'_>,
    account: AccountId,
    withholding: &Withholding,
) -> QueryResult<()> {
    diesel::update(withholdings::table.find((account.to_string(), withholding.id.to_string())))
        .set(dsl::draft_version.eq(withholding.version))
        .execute(tx.db)
        .map(drop)
}

/// The versions of a withholding that are of the draft that it has now.
pub(super) fn versions_alike(
    db: &mut Db,
    account: AccountId,
    id: WithholdingId,
) -> QueryResult<RangeInclusive<i64>> {
    let (draft_version, version): (i64, i64) = withholdings::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()))
        .select((dsl::draft_version, dsl::version))
        .first(db)?;
    Ok(draft_version..=version)
}

/// Withholdings as they are now: what follows from a draft changes with its issuer.
pub(super) fn all_as_now(
    db: &mut Db,
    account: AccountId,
    withholdings: Vec<Withholding>,
) -> QueryResult<Vec<Withholding>> {
    if withholdings.iter().all(|withholding| withholding.status != Status::Draft) {
        return Ok(withholdings);
    }
    let issuers = issuers::readable(db, account)?;
    let refreshed = |withholding: Withholding| match named(&issuers, Some(withholding.draft.issuer))
    {
        Some(issuer) => refreshed(withholding, issuer),
        None => withholding,
    };
    Ok(withholdings.into_iter().map(refreshed).collect())
}

/// One withholding as it is now.
pub(super) fn as_now(
    db: &mut Db,
    account: AccountId,
    withholding: Option<Withholding>,
) -> QueryResult<Option<Withholding>> {
    Ok(all_as_now(db, account, withholding.into_iter().collect())?.pop())
}
