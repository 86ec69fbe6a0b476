//! Imports: files of rows, their state, and what was wrong with rows.

mod apply;
mod counted;
mod customers;
mod errors;
mod list;
mod products;
mod queue;
pub(crate) mod retention;
mod rows;
mod stock;
mod uploads;

use ::imports::{
    ErrorPlace, Import, ImportError, ImportFailure, ImportId, ImportKind, ImportQuery,
    ImportRefusal, ImportState, Imports, NewImport, WAITING_MAX,
};
use ::tasks::{
    NewTask, Payload, TaskKind,
    kind::{IMPORT_CUSTOMERS, IMPORT_PRODUCTS, IMPORT_STOCK},
};
use diesel::prelude::*;
use kernel::{
    AccountId, Ctx, Done, Fault, NewEvent, Page, PageRequest, Pending, Refused, Timestamp, Written,
};
use serde::Serialize;

use crate::{
    answers,
    db::{Db, first_locked},
    error::Failure,
    events, figures,
    readers::{Cost, snapshot},
    schema::imports::{self as table, dsl},
    store::Store,
    tasks,
    tx::Tx,
};
use rows::ImportRow;

type Outcome<T> = Result<T, Failure<ImportRefusal>>;

impl Imports for Store {
    fn open(&self, ctx: Ctx, new: NewImport) -> Pending<Written<Import, ImportRefusal>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let before: Option<Done<ImportId>> = answers::kept_answer(tx, &ctx)?;
            if let Some(Done { value: id, .. }) = before {
                // It may have ended longer ago than imports are kept.
                let import = by_id(tx.db, ctx.account, id)?.ok_or(Refused::AnswerUnreadable)?;
                return Ok(Done { value: import, replayed: true });
            }
            let import = open(tx, &ctx, &new)?;
            answers::keep(tx, &ctx, &import.id)?;
            Ok(Done::now(import))
        })
    }

    fn get(
        &self,
        account: AccountId,
        kind: ImportKind,
        id: ImportId,
    ) -> Pending<Result<Option<Import>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            Ok(by_id(db, account, id)?.filter(|import| import.kind == kind))
        })
    }

    fn list(&self, account: AccountId, query: ImportQuery) -> Pending<Result<Page<Import>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| list::imports(db, account, &query))
        })
    }

    fn errors(
        &self,
        account: AccountId,
        kind: ImportKind,
        id: ImportId,
        page: PageRequest,
    ) -> Pending<Result<Option<Page<ImportError>>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| {
                let import = by_id(db, account, id)?.filter(|import| import.kind == kind);
                import.map(|_| list::errors(db, account, id, &page)).transpose()
            })
        })
    }

    fn refused_rows(
        &self,
        account: AccountId,
        id: ImportId,
        behind: Option<ErrorPlace>,
        limit: usize,
    ) -> Pending<Result<Vec<ImportError>, Fault>> {
        self.engine
            .read_of(account, Cost::Large, move |db| errors::behind(db, account, id, behind, limit))
    }

    fn cancel(
        &self,
        ctx: Ctx,
        kind: ImportKind,
        id: ImportId,
    ) -> Pending<Written<Import, ImportRefusal>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let import = locked(tx, ctx.account, id)?.filter(|import| import.kind == kind);
            let import = import.ok_or(Refused::NotFound)?;
            let import = match import.state {
                ImportState::Canceled => import,
                state if state.is_ended() => {
                    return Err(Refused::Rule(ImportRefusal::HasEnded(state)).into());
                }
                _ => end(tx, ctx.account, import, ImportState::Canceled, None, ctx.now)?,
            };
            Ok(Done::now(import))
        })
    }
}

/// What works off imports of a kind.
const fn task_kind(kind: ImportKind) -> TaskKind {
    match kind {
        ImportKind::Products => IMPORT_PRODUCTS,
        ImportKind::Customers => IMPORT_CUSTOMERS,
        ImportKind::Stock => IMPORT_STOCK,
    }
}

fn open(tx: &mut Tx<'_>, ctx: &Ctx, new: &NewImport) -> Outcome<Import> {
    let account = ctx.account.to_string();
    let unfinished = || {
        dsl::imports
            .filter(dsl::account_id.eq(account.clone()))
            .filter(dsl::kind.eq(new.kind.name()))
            .filter(dsl::ended_at.is_null())
    };
    let same: Option<String> = unfinished()
        .filter(dsl::file_digest.eq(&new.file.digest))
        .select(dsl::id)
        .first(tx.db)
        .optional()?;
    if let Some(id) = same {
        let id = crate::rows::read(&id, ImportId::parse)?;
        return Err(Refused::Rule(ImportRefusal::SameFile(id)).into());
    }
    if unfinished().count().get_result::<i64>(tx.db)? >= WAITING_MAX {
        return Err(Refused::Rule(ImportRefusal::TooMany).into());
    }
    let import = Import {
        id: ImportId::from_u128(tx.ids.next()),
        kind: new.kind,
        state: ImportState::Queued,
        options: new.options.clone(),
        file: new.file.clone(),
        understood: None,
        total: None,
        counts: ::imports::Counts::default(),
        preview: Vec::new(),
        failure: None,
        created_at: ctx.now,
        updated_at: ctx.now,
        ended_at: None,
    };
    let row = ImportRow::of(ctx.account, &import)?;
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    let kind = task_kind(import.kind);
    let task = NewTask {
        kind: kind.name,
        subject: import.id.to_string(),
        exclusive_key: Some(import.id.to_string()),
        payload: Payload { version: kind.version, ..Payload::none() },
        due_at: ctx.now,
        claim: None,
    };
    tasks::open(tx, ctx.account, task, ctx.now)?;
    Ok(import)
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: String, id: String) -> _ {
    dsl::imports.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id))
}

fn by_id(db: &mut Db, account: AccountId, id: ImportId) -> QueryResult<Option<Import>> {
    let row: Option<ImportRow> = this(account.to_string(), id.to_string())
        .select(ImportRow::as_select())
        .first(db)
        .optional()?;
    row.map(ImportRow::import).transpose()
}

/// An import, locked until the end of the transaction.
fn locked(tx: &mut Tx<'_>, account: AccountId, id: ImportId) -> QueryResult<Option<Import>> {
    let row = first_locked!(tx.db, ImportRow, this(account.to_string(), id.to_string()))?;
    row.map(ImportRow::import).transpose()
}

/// Ends an import that has not, and tells subscribers. Its task ends when its worker looks.
fn end(
    tx: &mut Tx<'_>,
    account: AccountId,
    mut import: Import,
    state: ImportState,
    failure: Option<ImportFailure>,
    now: Timestamp,
) -> QueryResult<Import> {
    (import.state, import.failure) = (state, failure);
    (import.updated_at, import.ended_at) = (now, Some(now));
    save(tx, account, &import)?;
    let figure = match state {
        ImportState::Failed => figures::IMPORTS_FAILED,
        ImportState::Canceled => figures::IMPORTS_CANCELED,
        ImportState::Queued
        | ImportState::Running
        | ImportState::Completed
        | ImportState::CompletedWithErrors => figures::IMPORTS_COMPLETED,
    };
    tx.effects.count(figure, 1);
    events::append(tx, account, now, vec![finished(&import)])?;
    Ok(import)
}

fn save(tx: &mut Tx<'_>, account: AccountId, import: &Import) -> QueryResult<()> {
    let row = ImportRow::of(account, import)?;
    let (account, id) = (row.account_id.clone(), row.id.clone());
    diesel::update(this(account, id)).set(row.changes()).execute(tx.db).map(drop)
}

/// Gives up an import whose task an operator gives up.
pub(crate) fn give_up(
    tx: &mut Tx<'_>,
    task: &::tasks::Task,
    reason: &str,
    now: Timestamp,
) -> QueryResult<()> {
    let id = crate::rows::read(&task.subject, ImportId::parse)?;
    let Some(import) = locked(tx, task.account, id)?.filter(|import| !import.state.is_ended())
    else {
        return Ok(());
    };
    let text = kernel::message!("given up: {reason}", "abandonada: {reason}");
    let failure = ImportFailure::new("abandoned", &text);
    end(tx, task.account, import, ImportState::Failed, Some(failure), now).map(drop)
}

/// `import.finished`.
fn finished(import: &Import) -> NewEvent {
    #[derive(Serialize)]
    struct Data {
        id: ImportId,
        kind: &'static str,
        status: &'static str,
        processed: u64,
        created: u64,
        updated: u64,
        unchanged: u64,
        failed: u64,
    }
    let ::imports::Counts { processed, created, updated, unchanged, failed, .. } = import.counts;
    let (id, kind, status) = (import.id, import.kind.name(), import.state.name());
    let data = Data { id, kind, status, processed, created, updated, unchanged, failed };
    NewEvent::new("import.finished", id, &data)
}
