//! Files of invoices: each is a task, kept under the idempotency key of its request.

use ::invoices::{
    Invoice, InvoiceError,
    export::{
        ExportInvoices, ExportQueue, ExportedInvoices, Exports, StampPlace, StampedBatch,
        unknown_branch, unknown_customer,
    },
    issuer,
};
use ::tasks::{NewTask, Payload, Task, TaskId, TaskState, kind::EXPORT};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{AccountId, Ctx, Done, Fault, Pending, Refused, Timestamp, Written};

use super::{branches, issuers, rows::InvoiceRow};
use crate::{
    answers,
    crm::customer_by_id,
    db::Db,
    error::Failure,
    readers::Cost,
    rows::corrupt,
    schema::invoices::{self, dsl},
    store::Store,
    stored::{from_text, to_text},
    tasks,
    tx::Tx,
};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

impl Exports for Store {
    fn export(&self, ctx: Ctx, command: ExportInvoices) -> Pending<Written<Task, InvoiceError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let before: Option<Done<TaskId>> = answers::kept_answer(tx, &ctx)?;
            if let Some(Done { value: id, .. }) = before {
                // It may have ended longer ago than tasks are kept.
                let task = tasks::locked(tx, ctx.account, id)?.ok_or(Refused::AnswerUnreadable)?;
                return Ok(Done { value: task, replayed: true });
            }
            let task = open(tx, &ctx, &command)?;
            answers::keep(tx, &ctx, &task.id)?;
            Ok(Done::now(task))
        })
    }

    fn exported(&self, task: &Task) -> Result<Option<ExportedInvoices>, Fault> {
        // Other jobs say other things when they have succeeded.
        let has_made = task.kind == EXPORT.name && task.state == TaskState::Succeeded;
        let outcome = task.outcome.as_deref().filter(|_| has_made);
        outcome.map(from_text).transpose().map_err(|error| unreadable(&error))
    }
}

impl ExportQueue for Store {
    fn export_wanted(&self, task: &Task) -> Result<ExportInvoices, Fault> {
        from_text(&task.payload.text).map_err(|error| unreadable(&error))
    }

    fn export_outcome(&self, exported: &ExportedInvoices) -> Result<String, Fault> {
        to_text(exported).map_err(|error| unreadable(&error))
    }

    fn stamped(
        &self,
        account: AccountId,
        between: (Timestamp, Timestamp),
        behind: Option<StampPlace>,
        limit: usize,
    ) -> Pending<Result<StampedBatch, Fault>> {
        self.engine
            .read_of(account, Cost::Large, move |db| stamped(db, account, between, behind, limit))
    }
}

fn unreadable(error: &DieselError) -> Fault {
    Fault::Internal(error.to_string())
}

fn open(tx: &mut Tx<'_>, ctx: &Ctx, command: &ExportInvoices) -> Outcome<Task> {
    refuse_strangers(tx, ctx.account, command)?;
    let new = NewTask {
        kind: EXPORT.name,
        subject: command.period(),
        exclusive_key: None,
        payload: Payload { version: EXPORT.version, text: to_text(command)? },
        due_at: ctx.now,
        claim: None,
    };
    let task = tasks::open(tx, ctx.account, new, ctx.now)?;
    if !tasks::files::reserve(tx, ctx.account, task.id, ctx.now)? {
        return Err(Refused::Rule(InvoiceError::TooManyFiles).into());
    }
    Ok(task)
}

/// Refuses to look for what nothing can be of.
fn refuse_strangers(tx: &mut Tx<'_>, account: AccountId, command: &ExportInvoices) -> Outcome<()> {
    if let Some(id) = command.issuer
        && issuers::one(tx.db, account, Some(id))?.is_none()
    {
        return Err(issuer::unknown().into());
    }
    if let Some(id) = command.branch
        && branches::one(tx.db, account, id)?.is_none()
    {
        return Err(unknown_branch().into());
    }
    if let Some(id) = command.customer {
        let id = crm::CustomerId::from_u128(id.to_u128());
        if customer_by_id(tx.db, account, id)?.is_none() {
            return Err(unknown_customer().into());
        }
    }
    Ok(())
}

fn stamped(
    db: &mut Db,
    account: AccountId,
    (from, to): (Timestamp, Timestamp),
    behind: Option<StampPlace>,
    limit: usize,
) -> QueryResult<StampedBatch> {
    let mut query = invoices::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::stamped_at.ge(from.micros()))
        .filter(dsl::stamped_at.lt(to.micros()))
        .into_boxed();
    if let Some(StampPlace { at, id }) = behind {
        let (at, id) = (at.micros(), id.to_string());
        let later = dsl::stamped_at.gt(at).or(dsl::stamped_at.eq(at).and(dsl::id.gt(id)));
        query = query.filter(dsl::stamped_at.ge(at)).filter(later);
    }
    let rows: Vec<InvoiceRow> = query
        .order((dsl::stamped_at, dsl::id))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(InvoiceRow::as_select())
        .load(db)?;
    let last = rows.last().filter(|_| rows.len() >= limit);
    // The moment of the row, which its document may state less exactly.
    let next = last.map(InvoiceRow::stamp_place).transpose()?.flatten();
    let invoices = rows.into_iter().map(strictly).collect::<QueryResult<_>>()?;
    Ok(StampedBatch { invoices, next })
}

/// An invoice, or which one cannot be read.
fn strictly(row: InvoiceRow) -> QueryResult<Invoice> {
    let (_, id) = row.key();
    row.invoice().map_err(|error| match error {
        DieselError::DeserializationError(error) => {
            corrupt(format!("the invoice {id}, which cannot be read: {error}"))
        }
        other => other,
    })
}
