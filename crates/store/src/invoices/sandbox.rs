//! What the embedded provider has stamped, and what it seals with.

use std::sync::Arc;

use ::invoices::sandbox::{SANDBOX_RFC, SandboxRecord, SandboxRecords};
use aws_lc_rs::digest::{SHA256, digest};
use base64::{Engine, engine::general_purpose::STANDARD};
use cfdi::csd::{
    Csd,
    rand_core::OsRng,
    sandbox::{Issued, Order, issue},
};
use diesel::prelude::*;
use kernel::{AccountId, Done, Fault, Pending, Refused, Timestamp, Written};

use super::{
    certificates, gone,
    together::{Keeping, submit},
};
use crate::{
    db::{Db, on},
    error::fault,
    readers::Cost,
    rows::moment,
    schema::{
        sandbox_identity as identity,
        sandbox_stamps::{self, dsl},
    },
    store::Store,
    stored::{from_text, to_text},
    tx::Tx,
};

#[derive(Insertable)]
#[diesel(table_name = sandbox_stamps, treat_none_as_default_value = false)]
pub(super) struct StampRow {
    pub(super) account_id: String,
    pub(super) seal_digest: String,
    pub(super) uuid: String,
    pub(super) record: String,
    cancel_requested_at: Option<i64>,
    pub(super) created_at: i64,
}

impl StampRow {
    pub(super) fn of(
        account: AccountId,
        record: &SandboxRecord,
        now: Timestamp,
    ) -> QueryResult<Self> {
        Ok(Self {
            account_id: account.to_string(),
            seal_digest: digest_of(&record.seal),
            uuid: record.stamp.uuid.clone(),
            record: to_text(record)?,
            cancel_requested_at: None,
            created_at: now.micros(),
        })
    }
}

fn digest_of(seal: &str) -> String {
    hex::encode(digest(&SHA256, seal.as_bytes()))
}

fn read(row: (String, Option<i64>)) -> QueryResult<SandboxRecord> {
    let (record, cancel_requested_at) = row;
    let record: SandboxRecord = from_text(&record)?;
    Ok(SandboxRecord { cancel_requested_at: moment(cancel_requested_at), ..record })
}

pub(super) fn by_seal(
    db: &mut Db,
    account: AccountId,
    seal: &str,
) -> QueryResult<Option<SandboxRecord>> {
    let row: Option<(String, Option<i64>)> = dsl::sandbox_stamps
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::seal_digest.eq(digest_of(seal)))
        .select((dsl::record, dsl::cancel_requested_at))
        .first(db)
        .optional()?;
    row.map(read).transpose()
}

fn by_uuid(db: &mut Db, account: AccountId, uuid: &str) -> QueryResult<Option<SandboxRecord>> {
    let row: Option<(String, Option<i64>)> = dsl::sandbox_stamps
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::uuid.eq(uuid.to_ascii_uppercase()))
        .select((dsl::record, dsl::cancel_requested_at))
        .first(db)
        .optional()?;
    row.map(read).transpose()
}

/// Keeps a record; whether there was none of its seal.
pub(super) fn keep(tx: &mut Tx<'_>, row: &StampRow) -> QueryResult<bool> {
    let inserted = on!(tx.db, |conn| diesel::insert_into(sandbox_stamps::table)
        .values(row)
        .on_conflict_do_nothing()
        .execute(conn))?;
    Ok(inserted > 0)
}

fn request_cancel(
    tx: &mut Tx<'_>,
    account: AccountId,
    uuid: &str,
    now: Timestamp,
) -> QueryResult<Option<bool>> {
    let Some(record) = by_uuid(tx.db, account, uuid)? else { return Ok(None) };
    if record.cancel_requested_at.is_some() {
        return Ok(Some(false));
    }
    let this = dsl::sandbox_stamps
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::uuid.eq(uuid.to_ascii_uppercase()));
    diesel::update(this).set(dsl::cancel_requested_at.eq(now.micros())).execute(tx.db)?;
    Ok(Some(true))
}

impl SandboxRecords for Store {
    fn identity(&self, now: Timestamp) -> Result<Arc<Csd>, Fault> {
        let made = || {
            let order = Order::stamp(SANDBOX_RFC, "SANDBOX", now);
            issue(&order, &mut OsRng).map_err(|error| Fault::Internal(error.to_string()))
        };
        self.sandbox_identity(made, now)
    }

    fn keep(
        &self,
        account: AccountId,
        record: SandboxRecord,
        now: Timestamp,
    ) -> Pending<Written<SandboxRecord, ()>> {
        match Keeping::of(account, record, now) {
            Ok(step) => submit(self, account, step),
            Err(error) => Pending::ready(Err(Refused::Fault(fault(&error)))),
        }
    }

    fn by_seal(
        &self,
        account: AccountId,
        seal: &str,
    ) -> Pending<Result<Option<SandboxRecord>, Fault>> {
        let seal = seal.to_owned();
        self.engine.read(Cost::Small, move |db| by_seal(db, account, &seal))
    }

    fn by_uuid(
        &self,
        account: AccountId,
        uuid: &str,
    ) -> Pending<Result<Option<SandboxRecord>, Fault>> {
        let uuid = uuid.to_owned();
        self.engine.read(Cost::Small, move |db| by_uuid(db, account, &uuid))
    }

    fn request_cancel(
        &self,
        account: AccountId,
        uuid: &str,
        now: Timestamp,
    ) -> Pending<Written<Option<bool>, ()>> {
        let uuid = uuid.to_owned();
        self.engine.command(Some(account), move |tx| {
            Ok(Done::now(request_cancel(tx, account, &uuid, now)?))
        })
    }
}

impl Store {
    /// The certificate that sandbox stamps are sealed with; made by `make` where there is none yet.
    ///
    /// # Errors
    /// When the database cannot be reached, or its key not be opened.
    pub fn sandbox_identity(
        &self,
        make: impl FnOnce() -> Result<Issued, Fault>,
        now: Timestamp,
    ) -> Result<Arc<Csd>, Fault> {
        let known = |db: &mut Db| {
            identity::table
                .select((identity::certificate, identity::private_key))
                .first::<(String, String)>(db)
                .optional()
        };
        let found = self.engine.read(Cost::Small, known).wait().unwrap_or_else(|| Err(gone()))?;
        let (certificate, sealed) = match found {
            Some(found) => found,
            None => self.make_identity(&make()?, now)?,
        };
        let key = self.engine.vault().open(IDENTITY, &sealed).map_err(|error| broken(&error))?;
        certificates::opened(&certificate, &key).map_err(|error| broken(&error))
    }

    fn make_identity(&self, made: &Issued, now: Timestamp) -> Result<(String, String), Fault> {
        let key = STANDARD.encode(&made.pkcs8_der);
        let sealed = self.engine.vault().seal(IDENTITY, &key).map_err(|error| broken(&error))?;
        let certificate = STANDARD.encode(&made.cer_der);
        let write = self.engine.command::<_, (), _>(None, move |tx| {
            let row = (
                identity::id.eq("sandbox"),
                identity::certificate.eq(&certificate),
                identity::private_key.eq(&sealed),
                identity::created_at.eq(now.micros()),
            );
            on!(tx.db, |conn| diesel::insert_into(identity::table)
                .values(row)
                .on_conflict_do_nothing()
                .execute(conn))?;
            let kept: (String, String) = identity::table
                .select((identity::certificate, identity::private_key))
                .first(tx.db)?;
            Ok(Done::now(kept))
        });
        match write.wait() {
            Some(Ok(done)) => Ok(done.value),
            Some(Err(Refused::Fault(fault))) => Err(fault),
            Some(Err(_)) | None => Err(gone()),
        }
    }
}

fn broken(error: &diesel::result::Error) -> Fault {
    Fault::Internal(format!("the sandbox's key: {error}"))
}

/// Where the sandbox's key is kept, as its seal has it.
pub(super) const IDENTITY: &str = "sandbox identity";
