//! Emails that invoices are sent with: each is a task, kept under the idempotency key of its request.

use ::invoices::{
    EmailInvoice, EmailQueue, Invoice, InvoiceError, SentEmail, email::EmailRequest,
    testers::Testers,
};
use ::tasks::{Claim, ClaimId, End, NewTask, Payload, Task, TaskId, TaskState, kind::EMAIL};
use diesel::result::Error as DieselError;
use kernel::{Ctx, Done, Fault, Pending, Refused, Timestamp, Written};

use super::rows;
use crate::{
    accounts, answers,
    crm::customer_by_id,
    error::Failure,
    store::Store,
    stored::{KeptEmail, from_text, to_text},
    tasks,
    tx::Tx,
};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

impl EmailQueue for Store {
    fn open(
        &self,
        ctx: Ctx,
        command: EmailInvoice,
        testers: &Testers,
        until: Timestamp,
    ) -> Pending<Written<Task, InvoiceError>> {
        let testers = testers.clone();
        self.engine.command(Some(ctx.account), move |tx| {
            if let Some(task) = before(tx, &ctx)? {
                return Ok(Done { value: task, replayed: true });
            }
            let task = open(tx, &ctx, (&command, &testers), until)?;
            answers::keep(tx, &ctx, &KeptEmail::Task(task.id))?;
            Ok(Done::now(task))
        })
    }

    fn request(&self, task: &Task) -> Result<EmailRequest, Fault> {
        from_text(&task.payload.text).map_err(|error| unreadable(&error))
    }

    fn outcome(&self, sent: &SentEmail) -> Result<String, Fault> {
        to_text(sent).map_err(|error| unreadable(&error))
    }

    fn sent(&self, task: &Task) -> Result<Option<SentEmail>, Fault> {
        let outcome = task.outcome.as_deref().filter(|_| task.state == TaskState::Succeeded);
        outcome.map(from_text).transpose().map_err(|error| unreadable(&error))
    }
}

fn unreadable(error: &DieselError) -> Fault {
    Fault::Internal(error.to_string())
}

/// The task of an earlier request with the same key. One that has sent nothing and never will is forgotten.
fn before(tx: &mut Tx<'_>, ctx: &Ctx) -> Outcome<Option<Task>> {
    match answers::kept_answer(tx, ctx)?.map(|done| done.value) {
        None => Ok(None),
        Some(KeptEmail::Sent(sent)) => sent_before(ctx, &sent).map(Some),
        Some(KeptEmail::Task(id)) => {
            let task = tasks::locked(tx, ctx.account, id)?;
            // It ended longer ago than tasks are kept.
            let task = task.ok_or(Refused::AnswerUnreadable)?;
            if matches!(task.state, TaskState::Open | TaskState::Succeeded) {
                return Ok(Some(task));
            }
            answers::forget(tx, ctx)?;
            Ok(None)
        }
    }
}

/// What release 0.1.0 sent without a task, as one that has ended.
fn sent_before(ctx: &Ctx, sent: &SentEmail) -> Outcome<Task> {
    let new = NewTask {
        kind: EMAIL.name,
        subject: sent.invoice.to_string(),
        exclusive_key: None,
        payload: Payload::none(),
        due_at: sent.sent_at,
        claim: None,
    };
    let task = Task::open(ctx.account, TaskId::from_u128(0), new, sent.sent_at);
    Ok(task.ended(End::Succeeded(to_text(sent)?), sent.sent_at))
}

/// Puts an email on record, held until `until`.
pub(crate) fn open(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    (command, testers): (&EmailInvoice, &Testers),
    until: Timestamp,
) -> Outcome<Task> {
    let invoice = rows::by_id(tx.db, ctx.account, command.id)?.ok_or(Refused::NotFound)?;
    let address = customers_address(tx, ctx, &invoice)?;
    let mode = accounts::mode(tx.db, ctx.account)?;
    let request = command.request(&invoice, address.as_deref(), (mode, testers))?;
    let new = NewTask {
        kind: EMAIL.name,
        subject: command.id.to_string(),
        exclusive_key: None,
        payload: Payload { version: EMAIL.version, text: to_text(&request)? },
        due_at: ctx.now,
        claim: Some(Claim { id: ClaimId::from_u128(tx.ids.next()), until }),
    };
    Ok(tasks::open(tx, ctx.account, new, ctx.now)?)
}

fn customers_address(tx: &mut Tx<'_>, ctx: &Ctx, invoice: &Invoice) -> Outcome<Option<String>> {
    let Some(id) = invoice.draft.customer else { return Ok(None) };
    let id = ::crm::CustomerId::from_u128(id.to_u128());
    Ok(customer_by_id(tx.db, ctx.account, id)?.and_then(|customer| customer.email))
}
