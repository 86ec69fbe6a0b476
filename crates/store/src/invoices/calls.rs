//! Calls to providers under way: their tasks, and what each asks of whom.

use ::invoices::{
    Invoice, InvoiceId,
    calls::{ProviderCall, Step},
    issuer::{Simulate, responsible},
    provider::{Credentials, Expression, ProviderKind, Service, ToCancel, ToStamp},
};
use ::tasks::{
    Claim, ClaimId, NewTask, Payload, Task, TaskKind,
    kind::{CANCEL, FOLLOW, STAMP},
};
use cfdi::seal::Sealed;
use diesel::prelude::*;
use kernel::{AccountId, Timestamp};

use super::{documents, provider, rows};
use crate::{db::Db, rows::corrupt, tasks, tx::Tx, vault::Vault};

/// An invoice is being worked on by one task at most.
fn key(id: InvoiceId) -> String {
    id.to_string()
}

/// Opens the task of a call, held by whoever begins it.
pub(super) fn open(
    tx: &mut Tx<'_>,
    (account, id): (AccountId, InvoiceId),
    kind: &'static TaskKind,
    now: Timestamp,
    until: Timestamp,
) -> QueryResult<Task> {
    let new = NewTask {
        kind: kind.name,
        subject: id.to_string(),
        exclusive_key: Some(key(id)),
        // Of version 1 are those of releases that do not know what credit notes take off.
        payload: Payload { version: STAMP.version, ..Payload::none() },
        due_at: now,
        claim: Some(claim(tx, until)),
    };
    tasks::open(tx, account, new, now)
}

/// A new claim.
pub(super) fn claim(tx: &mut Tx<'_>, until: Timestamp) -> Claim {
    Claim { id: ClaimId::from_u128(tx.ids.next()), until }
}

/// The open task of an invoice, locked until the end of the transaction: nobody takes it over meanwhile.
pub(super) fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
) -> QueryResult<Option<Task>> {
    tasks::locked_by_key(tx, account, &key(id))
}

/// Whether anything of an account is being stamped.
pub(super) fn is_stamping(db: &mut Db, account: AccountId) -> QueryResult<bool> {
    tasks::has_open(db, account, STAMP.name)
}

/// What the claimed task of an invoice asks of whom, unless the claim has passed to another.
pub(super) fn under_claim(
    db: &mut Db,
    vault: &Vault,
    (account, id): (AccountId, InvoiceId),
    claim: ClaimId,
) -> QueryResult<Option<ProviderCall>> {
    let task = tasks::by_key(db, account, &key(id))?;
    let own = task.filter(|task| task.claim.is_some_and(|own| own.id == claim));
    own.map(|task| call(db, vault, id, &task)).transpose()
}

/// What a task to stamp asks that was opened and claimed for a document in this very transaction.
pub(super) fn stamping(
    db: &mut Db,
    vault: &Vault,
    id: InvoiceId,
    (task, sealed): (&Task, &Sealed),
) -> QueryResult<ProviderCall> {
    let whom = provider::opened(db, vault, task.account)?;
    let document =
        ToStamp { service: Service::Invoice, key: id.to_string(), xml: sealed.xml.clone() };
    asked(id, task, whom, Step::Stamp { document, seal: sealed.seal.clone() })
}

/// What a claimed task asks of whom.
pub(super) fn call(
    db: &mut Db,
    vault: &Vault,
    id: InvoiceId,
    task: &Task,
) -> QueryResult<ProviderCall> {
    let account = task.account;
    let (chosen, credentials, simulate) = provider::opened(db, vault, account)?;
    let step = step(db, account, id, &task.kind)?;
    let (provider, credentials) = responsible((chosen, credentials), stamper(db, account, id)?);
    asked(id, task, (provider, credentials, simulate), step)
}

/// A step that a claimed task asks of a provider.
fn asked(
    id: InvoiceId,
    task: &Task,
    (provider, credentials, simulate): (ProviderKind, Option<Credentials>, Simulate),
    step: Step,
) -> QueryResult<ProviderCall> {
    let claim = task.claim.ok_or_else(|| corrupt("a task that nobody holds"))?;
    Ok(ProviderCall {
        account: task.account,
        invoice: id,
        claim: claim.id,
        attempts: task.attempts,
        doubtful: task.is_doubtful,
        provider,
        credentials,
        simulate,
        step,
    })
}

/// Who stamped an invoice.
fn stamper(db: &mut Db, account: AccountId, id: InvoiceId) -> QueryResult<Option<ProviderKind>> {
    let invoice = rows::by_id(db, account, id)?;
    Ok(invoice.and_then(|invoice| invoice.stamp).map(|stamped| stamped.provider))
}

fn step(db: &mut Db, account: AccountId, id: InvoiceId, kind: &str) -> QueryResult<Step> {
    let missing = || corrupt(format!("the task of {id} without its documents"));
    let documents = documents::by_invoice(db, account, id)?.ok_or_else(missing)?;
    if kind == STAMP.name {
        let document =
            ToStamp { service: Service::Invoice, key: id.to_string(), xml: documents.sealed_xml };
        return Ok(Step::Stamp { document, seal: documents.seal });
    }
    let invoice = rows::by_id(db, account, id)?.ok_or_else(missing)?;
    if kind == FOLLOW.name {
        return expression(&invoice).map(Step::Follow).ok_or_else(missing);
    }
    if kind != CANCEL.name {
        return Err(corrupt(format!("the task {kind:?} under the key of an invoice")));
    }
    let uuid = invoice.uuid().ok_or_else(missing)?.to_owned();
    let xml = documents.cancel_request.ok_or_else(missing)?;
    let expression = expression(&invoice).ok_or_else(missing)?;
    let request =
        ToCancel { service: Service::Invoice, issuer_rfc: invoice.document.issuer.rfc, uuid, xml };
    Ok(Step::Cancel { request, expression })
}

/// What a stamped invoice is asked after by.
pub(super) fn expression(invoice: &Invoice) -> Option<Expression> {
    let stamp = &invoice.stamp.as_ref()?.stamp;
    Some(Expression {
        uuid: stamp.uuid.clone(),
        issuer_rfc: invoice.document.issuer.rfc.clone(),
        receiver_rfc: invoice.document.receiver.rfc.clone(),
        total: cfdi::stamp::total_of(&invoice.document),
        seal_end: cfdi::stamp::seal_end(&stamp.issuer_seal).to_owned(),
    })
}
