//! Imports as rows.

use ::imports::{Counts, Import, ImportId, ImportKind, ImportState, KeptFile};
use diesel::prelude::*;
use kernel::{AccountId, Timestamp};

use crate::{
    rows::{micros, moment, read, read_name},
    schema::imports as table,
    stored::{from_text, to_text},
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
pub(super) struct ImportRow {
    pub(super) account_id: String,
    pub(super) id: String,
    kind: String,
    state: String,
    options: String,
    file: String,
    file_size: i64,
    file_digest: String,
    understood: Option<String>,
    total: Option<i64>,
    processed: i64,
    created: i64,
    updated: i64,
    unchanged: i64,
    failed: i64,
    warned: i64,
    kept_bytes: i64,
    preview: Option<String>,
    failure: Option<String>,
    created_at: i64,
    updated_at: i64,
    ended_at: Option<i64>,
}

/// What changes of an import but what becomes of its rows.
#[derive(AsChangeset)]
#[diesel(table_name = table, treat_none_as_null = true)]
pub(super) struct ImportChanges {
    state: String,
    understood: Option<String>,
    total: Option<i64>,
    preview: Option<String>,
    failure: Option<String>,
    updated_at: i64,
    ended_at: Option<i64>,
}

fn column(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl ImportRow {
    pub(super) fn of(account: AccountId, import: &Import) -> QueryResult<Self> {
        let preview = (!import.preview.is_empty()).then(|| to_text(&import.preview));
        Ok(Self {
            account_id: account.to_string(),
            id: import.id.to_string(),
            kind: import.kind.name().to_owned(),
            state: import.state.name().to_owned(),
            options: to_text(&import.options)?,
            file: import.file.name.clone(),
            file_size: column(import.file.size),
            file_digest: import.file.digest.clone(),
            understood: import.understood.as_ref().map(to_text).transpose()?,
            total: import.total.map(column),
            processed: column(import.counts.processed),
            created: column(import.counts.created),
            updated: column(import.counts.updated),
            unchanged: column(import.counts.unchanged),
            failed: column(import.counts.failed),
            warned: column(import.counts.warned),
            kept_bytes: 0,
            preview: preview.transpose()?,
            failure: import.failure.as_ref().map(to_text).transpose()?,
            created_at: import.created_at.micros(),
            updated_at: import.updated_at.micros(),
            ended_at: micros(import.ended_at),
        })
    }

    pub(super) fn changes(self) -> ImportChanges {
        let Self { state, understood, total, preview, failure, updated_at, ended_at, .. } = self;
        ImportChanges { state, understood, total, preview, failure, updated_at, ended_at }
    }

    pub(super) fn import(self) -> QueryResult<Import> {
        let counts = Counts {
            processed: self.processed.unsigned_abs(),
            created: self.created.unsigned_abs(),
            updated: self.updated.unsigned_abs(),
            unchanged: self.unchanged.unsigned_abs(),
            failed: self.failed.unsigned_abs(),
            warned: self.warned.unsigned_abs(),
        };
        let file = KeptFile {
            name: self.file,
            size: self.file_size.unsigned_abs(),
            digest: self.file_digest,
        };
        let preview = self.preview.as_deref().map(from_text).transpose()?;
        Ok(Import {
            id: read(&self.id, ImportId::parse)?,
            kind: read_name(&self.kind, ImportKind::EVERY, ImportKind::name)?,
            state: read_name(&self.state, ImportState::EVERY, ImportState::name)?,
            options: from_text(&self.options)?,
            file,
            understood: self.understood.as_deref().map(from_text).transpose()?,
            total: self.total.map(i64::unsigned_abs),
            counts,
            preview: preview.unwrap_or_default(),
            failure: self.failure.as_deref().map(from_text).transpose()?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            ended_at: moment(self.ended_at),
        })
    }
}
