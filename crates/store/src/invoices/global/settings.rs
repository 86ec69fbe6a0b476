//! How the global invoices of an account are made, and the run that comes next by itself.

use ::accounts::{
    Act, Action,
    audit::{Fields, present},
};
use ::invoices::{
    Branch, BranchId, InvoiceError, Issuer, IssuerId,
    export::unknown_branch,
    global::{GlobalRun, GlobalSettings, GlobalTerms, zone},
    issuer::of_draft,
};
use ::tasks::{End, NewTask, Payload, Task, TaskId, kind::GLOBAL};
use cfdi::catalogs::zones::Zone;
use diesel::prelude::*;
use kernel::{AccountId, Ctx, Timestamp};

use crate::{
    audit,
    db::{Db, first_locked},
    error::{Failure, refuse_stale},
    invoices::{branches, issuers},
    rows::read,
    schema::global_settings::{self as table, dsl},
    stored::{from_text, to_text},
    tasks,
    tx::Tx,
};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = table, primary_key(account_id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct SettingsRow {
    account_id: String,
    settings: String,
    task_id: Option<String>,
}

/// How they are made; as usual where nothing was set.
pub(super) fn kept(db: &mut Db, account: AccountId) -> QueryResult<GlobalSettings> {
    let row: Option<String> = dsl::global_settings
        .filter(dsl::account_id.eq(account.to_string()))
        .select(dsl::settings)
        .first(db)
        .optional()?;
    row.map_or_else(|| Ok(GlobalSettings::default()), |text| from_text(&text))
}

/// The settings and the task of the run that comes next, which nobody changes until the end of the transaction; none
/// where nothing was set.
fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
) -> QueryResult<Option<(GlobalSettings, Option<TaskId>)>> {
    let row = first_locked!(
        tx.db,
        SettingsRow,
        dsl::global_settings.filter(dsl::account_id.eq(account.to_string()))
    )?;
    let Some(row) = row else { return Ok(None) };
    let task = row.task_id.as_deref().map(|id| read(id, TaskId::parse)).transpose()?;
    Ok(Some((from_text(&row.settings)?, task)))
}

fn save(
    tx: &mut Tx<'_>,
    account: AccountId,
    (settings, task): (&GlobalSettings, Option<TaskId>),
    is_new: bool,
) -> QueryResult<()> {
    let row = SettingsRow {
        account_id: account.to_string(),
        settings: to_text(settings)?,
        task_id: task.map(|id| id.to_string()),
    };
    if is_new {
        return diesel::insert_into(table::table).values(&row).execute(tx.db).map(drop);
    }
    let own = dsl::global_settings.filter(dsl::account_id.eq(account.to_string()));
    diesel::update(own).set(&row).execute(tx.db).map(drop)
}

/// Who issues them, and where.
///
/// # Errors
/// As [`of_draft`], and for a branch that the account does not have.
pub(super) fn seller(
    db: &mut Db,
    account: AccountId,
    (issuer, branch): (Option<IssuerId>, Option<BranchId>),
) -> Outcome<(Issuer, Option<Branch>)> {
    let branch = match branch {
        Some(id) => Some(branches::one(db, account, id)?.ok_or_else(unknown_branch)?),
        None => None,
    };
    let issuers = issuers::all(db, account)?;
    let fields = ::invoices::Fields { issuer, ..::invoices::Fields::default() };
    let issuer = of_draft(&issuers, &fields, (None, branch.as_ref()), std::iter::empty())?;
    Ok((issuer, branch))
}

/// Sets how they are made, and has the run come by itself that is due then.
pub(super) fn set(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    wanted: &GlobalSettings,
    version: Option<i64>,
) -> Outcome<GlobalSettings> {
    // Nobody deletes the issuer meanwhile.
    issuers::lock(tx, ctx.account)?;
    let GlobalTerms { issuer, branch, .. } = wanted.terms;
    let (issuer, branch) = seller(tx.db, ctx.account, (issuer, branch))?;
    let zone = zone(&issuer, branch.as_ref());
    let known = locked(tx, ctx.account)?;
    let is_new = known.is_none();
    let (before, task) = known.unwrap_or_default();
    refuse_stale(version, before.version)?;
    let settings = wanted.clone().over(&before, (&issuer, zone), ctx.now)?;
    let task = match task {
        Some(id) if !withdrawn(tx, ctx, id)? => Some(id),
        _ => open_next(tx, ctx.account, &settings, zone, ctx.now)?,
    };
    save(tx, ctx.account, (&settings, task), is_new)?;
    let act = Act::new(Action::GlobalInvoicesChanged, &ctx.account);
    audit::record(tx, ctx, &act.with_all(&told(&before), &told(&settings)))?;
    Ok(settings)
}

/// Settings as the audit log tells them: every part by the name that the API gives it.
fn told(settings: &GlobalSettings) -> Fields {
    let GlobalTerms { issuer, branch, payment_form, tickets_per_invoice, is_to_stamp } =
        &settings.terms;
    let parts = [
        ("automatic", Some(settings.is_automatic.to_string())),
        ("periodicity", Some(settings.periodicity.code().to_owned())),
        ("paymentForm", payment_form.clone()),
        ("stamp", Some(is_to_stamp.to_string())),
        ("ticketsPerInvoice", Some(tickets_per_invoice.to_string())),
        ("delayHours", Some(settings.delay_hours.to_string())),
        ("issuerId", issuer.map(|id| id.to_string())),
        ("branchId", branch.map(|id| id.to_string())),
    ];
    present(parts)
}

/// Ends a run that waits for its time; whether there is none any more. One that has begun ends as it was asked for, and
/// opens the next.
fn withdrawn(tx: &mut Tx<'_>, ctx: &Ctx, id: TaskId) -> Outcome<bool> {
    let Some(task) = tasks::locked(tx, ctx.account, id)? else { return Ok(true) };
    if task.due_at.is_none() {
        return Ok(true);
    }
    let has_begun = task.claim.is_some() || task.attempts > 0;
    if has_begun {
        return Ok(false);
    }
    let why = "the settings of global invoices were changed".to_owned();
    let ended = task.clone().ended(End::Cancelled(why), ctx.now);
    Ok(tasks::save_over(tx, &task, &ended)?)
}

fn open_next(
    tx: &mut Tx<'_>,
    account: AccountId,
    settings: &GlobalSettings,
    zone: Zone,
    now: Timestamp,
) -> QueryResult<Option<TaskId>> {
    let Some((run, due_at)) = settings.next_run(zone) else { return Ok(None) };
    // Whatever happens, a moment is invoiced by one run at a time.
    let key = format!("{} {}", GLOBAL.name, run.to);
    open(tx, account, &run, (Some(key), due_at), now).map(|task| Some(task.id))
}

/// Puts a run on record.
pub(super) fn open(
    tx: &mut Tx<'_>,
    account: AccountId,
    run: &GlobalRun,
    (exclusive_key, due_at): (Option<String>, Timestamp),
    now: Timestamp,
) -> QueryResult<Task> {
    let new = NewTask {
        kind: GLOBAL.name,
        subject: run.period.days(),
        exclusive_key,
        payload: Payload { version: GLOBAL.version, text: to_text(run)? },
        due_at,
        claim: None,
    };
    tasks::open(tx, account, new, now)
}

/// Goes on after a run that came by itself, as the settings have it now. It is called before the run's task is locked.
pub(super) fn go_on(
    tx: &mut Tx<'_>,
    account: AccountId,
    (run, task): (&GlobalRun, TaskId),
    now: Timestamp,
) -> Outcome<()> {
    let Some((settings, next)) = locked(tx, account)? else { return Ok(()) };
    if next != Some(task) {
        return Ok(());
    }
    let settings = settings.after(run);
    let GlobalTerms { issuer, branch, .. } = settings.terms;
    // A branch may have been deleted since: the next run will tell.
    let zone = match seller(tx.db, account, (issuer, branch)) {
        Ok((issuer, branch)) => zone(&issuer, branch.as_ref()),
        Err(Failure::Database(error)) => return Err(error.into()),
        Err(Failure::Refused(_)) => Zone::Central,
    };
    let next = open_next(tx, account, &settings, zone, now)?;
    Ok(save(tx, account, (&settings, next), false)?)
}

/// Whether they are to be issued by an issuer.
pub(in crate::invoices) fn names(
    db: &mut Db,
    account: AccountId,
    issuer: IssuerId,
) -> QueryResult<bool> {
    Ok(kept(db, account)?.terms.issuer == Some(issuer))
}
