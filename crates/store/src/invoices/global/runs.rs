//! Runs at work: drafts are made part by part, and what becomes of them is recorded.

use ::invoices::{
    InvoiceError, InvoiceId, OrderId, Status, drafting,
    global::{Drafted, Fate, GlobalRun, Sale, draft_refused, with_room},
    provider::Rejection,
};
use ::tasks::{End, Progress, Task, TaskId};
use diesel::prelude::*;
use kernel::{AccountId, Ctx, Refused, Timestamp};

use super::{sales, settings};
use crate::{
    error::Failure,
    events::append,
    invoices::{known, rows, write},
    stored::{from_text, to_text},
    tasks,
    tx::Tx,
};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

/// How many sales are looked at in one go.
const SALES_LOOKED_AT: usize = 1_000;

/// A run whose worker still holds it, locked until the end of the transaction.
fn held(tx: &mut Tx<'_>, task: &Task) -> QueryResult<Option<(Task, GlobalRun)>> {
    let own = tasks::held(tx, task)?;
    own.map(|own| from_text(&own.payload.text).map(|run| (own, run))).transpose()
}

/// Records a run as it is now; whether its worker still holds it.
fn save(tx: &mut Tx<'_>, seen: &Task, run: &GlobalRun, now: Timestamp) -> QueryResult<bool> {
    let tickets = run.invoices.iter().map(|made| made.tickets).sum::<usize>();
    let (done, total) = (u64::try_from(tickets).unwrap_or(u64::MAX), None);
    let mut task = seen.clone().progressed(Progress { done, total, message: None }, now);
    task.payload.text = to_text(run)?;
    tasks::save_over(tx, seen, &task)
}

/// Makes the next draft.
pub(super) fn draft_next(tx: &mut Tx<'_>, task: &Task, now: Timestamp) -> Outcome<Drafted> {
    let Some((seen, run)) = held(tx, task)? else { return Ok(Drafted::Lost) };
    let account = task.account;
    let (part, run) = next_part(tx, account, run)?;
    if part.is_empty() {
        return Ok(Drafted::All(run));
    }
    let orders: Vec<OrderId> = part.iter().map(|sale| sale.order).collect();
    let wanted = run.invoice_of(orders.clone());
    let known = known::load(tx, account, (wanted.kind, &wanted.fields), None)?;
    let count = with_room(&orders, &known);
    let orders: Vec<OrderId> = orders.into_iter().take(count).collect();
    let id = InvoiceId::from_u128(tx.ids.next());
    let created = drafting::create(&run.invoice_of(orders), id, &known, now)?;
    let ctx = Ctx::system(account, now);
    let invoice = write::record(tx, &ctx, created)?;
    let reached = part.get(count.saturating_sub(1)).and_then(Sale::place);
    let run = GlobalRun { reached, ..run }.made(&invoice, count);
    match save(tx, &seen, &run, now)? {
        true => Ok(Drafted::Made(run)),
        // The draft goes with the transaction.
        false => Err(Refused::Stale.into()),
    }
}

/// The next sales that belong in an invoice, as many as one has, and the run having reached what was looked at before.
fn next_part(
    tx: &mut Tx<'_>,
    account: AccountId,
    mut run: GlobalRun,
) -> QueryResult<(Vec<Sale>, GlobalRun)> {
    let most = run.terms.tickets_per_invoice;
    let mut part: Vec<Sale> = Vec::new();
    let mut behind = run.reached;
    loop {
        let looked_at = SALES_LOOKED_AT.max(most);
        let found = sales::paid(tx.db, account, (run.from, run.to), behind, looked_at)?;
        let is_all = found.len() < looked_at;
        behind = found.last().and_then(Sale::place).or(behind);
        part.extend(found.into_iter().filter(|sale| sale.left_out().is_none()));
        if part.is_empty() {
            run.reached = behind;
        }
        if is_all || part.len() >= most {
            part.truncate(most);
            return Ok((part, run));
        }
    }
}

/// Records what has become of an invoice.
pub(super) fn settle(
    tx: &mut Tx<'_>,
    task: &Task,
    id: InvoiceId,
    (fate, error): (Fate, Option<&Rejection>),
    is_told: bool,
    now: Timestamp,
) -> Outcome<()> {
    if let Some(rejection) = error.filter(|_| !is_told) {
        tell(tx, task.account, id, rejection, now)?;
    }
    let Some((seen, run)) = held(tx, task)? else { return Err(Refused::Stale.into()) };
    match save(tx, &seen, &run.settled(id, fate, error), now)? {
        true => Ok(()),
        false => Err(Refused::Stale.into()),
    }
}

/// Shows why a draft was not stamped, and tells it.
pub(in crate::invoices) fn tell(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
    rejection: &Rejection,
    now: Timestamp,
) -> Outcome<()> {
    let before = match rows::locked(tx, account, id, None) {
        Ok(before) => before,
        // Somebody has deleted it meanwhile.
        Err(Failure::Refused(Refused::NotFound)) => return Ok(()),
        Err(failure) => return Err(failure),
    };
    if before.status != Status::Draft {
        return Ok(());
    }
    let (after, events) = draft_refused(&before, rejection, now);
    rows::save(tx, account, &after)?;
    Ok(append(tx, account, now, events)?)
}

/// Ends a run, and opens the next one if it came by itself.
pub(super) fn finish(
    tx: &mut Tx<'_>,
    task: &Task,
    failure: Option<&str>,
    now: Timestamp,
) -> Outcome<()> {
    go_on(tx, task.account, task.id, now)?;
    let Some((seen, run)) = held(tx, task)? else { return Err(Refused::Stale.into()) };
    let end = match failure {
        Some(why) => End::Failed(why.to_owned()),
        None => End::Succeeded(to_text(&run)?),
    };
    match tasks::save_over(tx, &seen, &seen.clone().ended(end, now))? {
        true => Ok(()),
        false => Err(Refused::Stale.into()),
    }
}

/// Opens the next run after one that came by itself.
pub(super) fn go_on(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: TaskId,
    now: Timestamp,
) -> Outcome<()> {
    let Some(task) = tasks::by_id(tx.db, account, id)? else { return Ok(()) };
    let run: GlobalRun = from_text(&task.payload.text)?;
    match run.is_automatic {
        true => settings::go_on(tx, account, (&run, id), now),
        false => Ok(()),
    }
}
