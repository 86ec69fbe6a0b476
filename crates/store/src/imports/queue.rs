//! Imports, as those see them who work them off.

use std::collections::HashSet;

use ::imports::{
    Applied, Batch, Begun, Import, ImportFailure, ImportId, ImportQueue, ImportState,
    ImportStopped, Traffic, Understood,
};
use ::tasks::Task;
use diesel::prelude::*;
use kernel::{AccountId, Done, Fault, Pending, Refused, Timestamp, Written};

use super::{apply, end, errors, locked, save, this};
use crate::{
    error::Failure,
    readers::Cost,
    rows::read,
    schema::{import_uploads, imports::dsl},
    store::Store,
    tx::Tx,
};

impl ImportQueue for Store {
    fn begin(&self, task: &Task, now: Timestamp) -> Pending<Written<Begun, ()>> {
        let (account, subject) = (task.account, task.subject.clone());
        self.engine.command(Some(account), move |tx| {
            let id = read(&subject, ImportId::parse)?;
            let import = locked(tx, account, id)?.ok_or(Refused::NotFound)?;
            Ok::<_, Failure<()>>(Done::now(begin(tx, account, import, now)?))
        })
    }

    fn scanned(
        &self,
        account: AccountId,
        id: ImportId,
        understood: Understood,
        total: u64,
        now: Timestamp,
    ) -> Pending<Written<bool, ()>> {
        self.engine.command(Some(account), move |tx| {
            let found = locked(tx, account, id)?;
            let Some(mut import) = found.filter(|import| import.state == ImportState::Running)
            else {
                return Ok(Done::now(false));
            };
            (import.understood, import.total) = (Some(understood.clone()), Some(total));
            import.updated_at = now;
            save(tx, account, &import)?;
            let own = this(account.to_string(), id.to_string());
            diesel::update(own).set(dsl::file_misses.eq(0)).execute(tx.db)?;
            Ok::<_, Failure<()>>(Done::now(true))
        })
    }

    fn file_missed(&self, account: AccountId, id: ImportId) -> Pending<Written<u32, ()>> {
        self.engine.command(Some(account), move |tx| {
            let own = || this(account.to_string(), id.to_string());
            let more = dsl::file_misses.eq(dsl::file_misses + 1_i64);
            diesel::update(own()).set(more).execute(tx.db)?;
            let misses: i64 = own().select(dsl::file_misses).first(tx.db)?;
            Ok::<_, Failure<()>>(Done::now(u32::try_from(misses).unwrap_or(u32::MAX)))
        })
    }

    fn apply(&self, batch: Batch) -> Pending<Written<Applied, ImportStopped>> {
        let account = batch.account;
        self.engine.giving_way(account, move |tx| apply::apply(tx, &batch).map(Done::now))
    }

    fn refused(
        &self,
        account: AccountId,
        id: ImportId,
        behind: u64,
        limit: usize,
    ) -> Pending<Result<Vec<u64>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            errors::refused_rows(db, account, id, behind, limit)
        })
    }

    fn finish(
        &self,
        account: AccountId,
        id: ImportId,
        failure: Option<ImportFailure>,
        now: Timestamp,
    ) -> Pending<Written<Option<Import>, ()>> {
        self.engine.command(Some(account), move |tx| {
            let Some(import) = locked(tx, account, id)? else { return Ok(Done::now(None)) };
            if import.state.is_ended() {
                return Ok(Done::now(Some(import)));
            }
            let state = match &failure {
                Some(_) => ImportState::Failed,
                None => ImportState::completed(&import.counts),
            };
            let ended = end(tx, account, import, state, failure.clone(), now)?;
            Ok::<_, Failure<()>>(Done::now(Some(ended)))
        })
    }

    fn kept_files(&self) -> Pending<Result<HashSet<String>, Fault>> {
        self.engine.read(Cost::Small, |db| {
            let open = dsl::imports.filter(dsl::ended_at.is_null()).select(dsl::file);
            let mut kept: HashSet<String> = open.load::<String>(db)?.into_iter().collect();
            kept.extend(import_uploads::table.select(import_uploads::file).load::<String>(db)?);
            Ok(kept)
        })
    }

    fn traffic(&self, account: AccountId) -> Traffic {
        let (waiting, done) = self.engine.traffic(account);
        Traffic { waiting, done }
    }
}

fn begin(
    tx: &mut Tx<'_>,
    account: AccountId,
    mut import: Import,
    now: Timestamp,
) -> QueryResult<Begun> {
    if import.state.is_ended() {
        return Ok(Begun::Over(Box::new(import)));
    }
    if import.state == ImportState::Queued {
        let running: i64 = dsl::imports
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::kind.eq(import.kind.name()))
            .filter(dsl::state.eq(ImportState::Running.name()))
            .count()
            .get_result(tx.db)?;
        if running > 0 {
            return Ok(Begun::Wait);
        }
        import.state = ImportState::Running;
        import.updated_at = now;
        save(tx, account, &import)?;
    }
    Ok(Begun::Running(Box::new(import)))
}
