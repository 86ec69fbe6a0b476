//! Deals, and the pipelines that they pass through.
//!
//! Whoever changes where a deal is locks the row that an account has for them first, so that neighbours stay what they are
//! until the commit, and nodes take turns in one order.

mod board;
mod desk;
mod history;
mod list;
mod pipelines;
mod places;
mod rows;
mod sums;

use ::crm::{
    ActOnDeal, Board, Deal, DealError, DealId, DealQuery, Deals, HistoryEntry, HistoryId, Lead,
    LeadId, NewDeal, PipelineId, UpdateDeal,
    board::{Card, changes},
    deal,
    history::entry,
};
use ::quotes::{QuoteId, Status};
use diesel::prelude::*;
use kernel::{
    AccountId, Amount, Ctx, Currency, Fault, FieldFault, Page, PageRequest, Pending, Refused,
    Timestamp, Written, message,
};

use super::{activities, customers::customer_kept, leads};
use crate::{
    db::Db,
    error::{Failure, refuse_stale},
    figures,
    readers::{Cost, snapshot},
    schema::{deals as table, quotes},
    store::Store,
    tx::Tx,
};

pub(super) use desk::Desk;
pub(crate) use rows::{by_id, kept};

type Outcome<T> = Result<T, Failure<DealError>>;

impl Deals for Store {
    fn get(&self, account: AccountId, id: DealId) -> Pending<Result<Option<Deal>, Fault>> {
        self.engine.read(Cost::Small, move |db| rows::by_id(db, account, id))
    }

    fn list(&self, account: AccountId, query: DealQuery) -> Pending<Result<Page<Deal>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| list::deals(db, account, &query))
        })
    }

    fn history(
        &self,
        account: AccountId,
        id: DealId,
        page: PageRequest,
    ) -> Pending<Result<Option<Page<HistoryEntry>>, Fault>> {
        self.engine.read_of(account, Cost::Small, move |db| {
            snapshot(db, |db| match rows::by_id(db, account, id)? {
                Some(_) => history::list(db, account, id, &page).map(Some),
                None => Ok(None),
            })
        })
    }

    fn board(
        &self,
        account: AccountId,
        pipeline: Option<PipelineId>,
    ) -> Pending<Result<Option<Board>, Fault>> {
        self.engine.read_of(account, Cost::Small, move |db| {
            snapshot(db, |db| board::board(db, account, pipeline))
        })
    }

    fn cards(
        &self,
        account: AccountId,
        pipeline: PipelineId,
        each: u32,
    ) -> Pending<Result<Vec<Card>, Fault>> {
        self.engine
            .read_of(account, Cost::Small, move |db| board::cards(db, account, pipeline, each))
    }

    fn create(&self, ctx: Ctx, command: NewDeal) -> Pending<Written<Deal, DealError>> {
        self.write(ctx, move |tx, ctx| create(tx, ctx, &command))
    }

    fn update(&self, ctx: Ctx, command: UpdateDeal) -> Pending<Written<Deal, DealError>> {
        self.write(ctx, move |tx, ctx| update(tx, ctx, &command))
    }

    fn act(&self, ctx: Ctx, command: ActOnDeal) -> Pending<Written<Deal, DealError>> {
        self.write(ctx, move |tx, ctx| act(tx, ctx, &command))
    }

    fn delete(
        &self,
        ctx: Ctx,
        id: DealId,
        version: Option<i64>,
    ) -> Pending<Written<DealId, DealError>> {
        self.write(ctx, move |tx, ctx| delete(tx, ctx, id, version))
    }
}

fn create(tx: &mut Tx<'_>, ctx: &Ctx, command: &NewDeal) -> Outcome<Deal> {
    let desk = Desk::open(tx, ctx)?;
    let faults = unknown(tx, ctx.account, command)?;
    let stage = deal::first_stage(command, &desk.pipelines);
    let (pipeline, stage) = match stage {
        Ok(stage) if faults.is_empty() => stage,
        Ok(_) => return Err(Refused::Invalid(faults).into()),
        Err(fault) => {
            return Err(Refused::Invalid(faults.into_iter().chain([fault]).collect()).into());
        }
    };
    let place = places::last(tx, ctx.account, (pipeline.id, stage.id))?;
    let id = DealId::from_u128(tx.ids.next());
    let made = deal::create(command.clone(), id, place, ctx.now);
    insert(tx, ctx.account, &made)?;
    Ok(made)
}

/// What a new deal names that is not there.
fn unknown(tx: &mut Tx<'_>, account: AccountId, command: &NewDeal) -> QueryResult<Vec<FieldFault>> {
    let mut faults = Vec::new();
    if let Some(id) = command.customer
        && customer_kept(tx, account, id)?.is_none()
    {
        faults.push(no_customer());
    }
    if let Some(id) = command.lead {
        faults.extend(unfit_lead(tx, account, id)?);
    }
    Ok(faults)
}

/// What is wrong with a lead that is named, if anything. It stays as it is until the end of the transaction.
pub(super) fn unfit_lead(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: LeadId,
) -> QueryResult<Option<FieldFault>> {
    let problem = match leads::lead_kept(tx, account, id)? {
        None => message!(
            "names no lead of this account",
            "no corresponde a ningún prospecto de esta cuenta"
        ),
        Some(Lead { merged_into: Some(other), .. }) => message!(
            "names a lead that was merged into another one; name {other}",
            "corresponde a un prospecto que se fusionó con otro; hay que indicar {other}"
        ),
        Some(_) => return Ok(None),
    };
    Ok(Some(FieldFault::new("leadId", problem)))
}

/// Has the deals that name a lead name another.
pub(super) fn follow_lead(db: &mut Db, ctx: &Ctx, (from, to): (LeadId, LeadId)) -> QueryResult<()> {
    let own = table::table
        .filter(table::account_id.eq(ctx.account.to_string()))
        .filter(table::lead_id.eq(from.to_string()));
    let changed = (
        table::lead_id.eq(to.to_string()),
        table::updated_at.eq(ctx.now.micros()),
        table::version.eq(table::version + 1),
    );
    diesel::update(own).set(changed).execute(db).map(drop)
}

pub(super) fn no_customer() -> FieldFault {
    let problem = message!(
        "names no customer of this account",
        "no corresponde a ningún cliente de esta cuenta"
    );
    FieldFault::new("customerId", problem)
}

fn update(tx: &mut Tx<'_>, ctx: &Ctx, command: &UpdateDeal) -> Outcome<Deal> {
    Desk::open(tx, ctx)?;
    let before = locked(tx, ctx.account, command.id, command.version)?;
    if let Some(Some(id)) = command.changes.customer
        && customer_kept(tx, ctx.account, id)?.is_none()
    {
        return Err(Refused::Invalid(vec![no_customer()]).into());
    }
    let after = deal::update(&before, command.changes.clone(), ctx.now);
    record(tx, ctx, &before, &after)?;
    Ok(after)
}

fn act(tx: &mut Tx<'_>, ctx: &Ctx, command: &ActOnDeal) -> Outcome<Deal> {
    let desk = Desk::open(tx, ctx)?;
    let before = locked(tx, ctx.account, command.id, None)?;
    act_on(tx, ctx, &desk, &before, &command.act)
}

/// Wins a deal by a quote of it that is accepted, with its events.
pub(crate) fn win_by_quote(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: DealId,
    (quote, total, currency): (QuoteId, Amount, Currency),
) -> Outcome<Deal> {
    let desk = Desk::open(tx, ctx)?;
    let before = locked(tx, ctx.account, id, None)?;
    let has_other = quotes_of(ctx.account, id)
        .filter(quotes::id.ne(quote.to_string()))
        .filter(quotes::status.eq_any([Status::Accepted, Status::Ordered].map(Status::name)))
        .select(quotes::id)
        .first::<String>(tx.db)
        .optional()?
        .is_some();
    let (value, currency) = deal::agreed(&before, (total, currency), has_other);
    act_on(tx, ctx, &desk, &before, &deal::Act::Accept { value, currency })
}

/// Carries out an act on a deal that is locked, with its events.
fn act_on(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    desk: &Desk,
    before: &Deal,
    act: &deal::Act,
) -> Outcome<Deal> {
    let acted = deal::act(before, act, &desk.pipelines, ctx.now);
    let acted = acted.map_err(|fault| Refused::Invalid(vec![fault]))?;
    let Some((pipeline, stage, beside)) = acted.to else {
        record(tx, ctx, before, &acted.deal)?;
        return Ok(acted.deal);
    };
    let place = places::find(tx, ctx.account, (pipeline, stage), beside, before)?;
    let after = deal::placed(before, acted.deal, place, ctx.now);
    record(tx, ctx, before, &after)?;
    crate::events::append(tx, ctx.account, ctx.now, acted.events)?;
    Ok(after)
}

fn delete(tx: &mut Tx<'_>, ctx: &Ctx, id: DealId, version: Option<i64>) -> Outcome<DealId> {
    Desk::open(tx, ctx)?;
    let deal = locked(tx, ctx.account, id, version)?;
    if has_quotes(tx.db, ctx.account, id)? {
        return Err(Refused::Rule(DealError::HasQuotes).into());
    }
    if let Some(lead) = deal.lead {
        leads::forget_deal(tx, ctx.account, (lead, id), ctx.now)?;
    }
    history::forget(tx.db, ctx.account, id)?;
    activities::forget_deal(tx.db, ctx, id)?;
    let key = (ctx.account.to_string(), id.to_string());
    diesel::delete(table::table.find(key)).execute(tx.db)?;
    sums::change(tx, ctx.account, changes(Some(&deal), None));
    Ok(id)
}

fn has_quotes(db: &mut Db, account: AccountId, id: DealId) -> QueryResult<bool> {
    let first = quotes_of(account, id).select(quotes::id).first::<String>(db);
    Ok(first.optional()?.is_some())
}

fn quotes_of(
    account: AccountId,
    id: DealId,
) -> quotes::BoxedQuery<'static, <Db as Connection>::Backend> {
    quotes::table
        .filter(quotes::account_id.eq(account.to_string()))
        .filter(quotes::deal_id.eq(id.to_string()))
        .into_boxed()
}

/// The deal, locked until the end of the transaction, at the version that the caller has seen.
fn locked(tx: &mut Tx<'_>, account: AccountId, id: DealId, version: Option<i64>) -> Outcome<Deal> {
    let deal = rows::locked(tx, account, id)?.ok_or(Refused::NotFound)?;
    refuse_stale(version, deal.version)?;
    Ok(deal)
}

/// Adds a deal with its history and its part of the sums.
pub(super) fn insert(tx: &mut Tx<'_>, account: AccountId, deal: &Deal) -> QueryResult<()> {
    let row = rows::DealRow::of(account, deal);
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    note(tx, account, None, deal, deal.created_at)?;
    sums::change(tx, account, changes(None, Some(deal)));
    tx.effects.count(figures::DEALS_CREATED, 1);
    Ok(())
}

/// Saves a changed deal with what its change brings along.
fn record(tx: &mut Tx<'_>, ctx: &Ctx, before: &Deal, after: &Deal) -> QueryResult<()> {
    if before == after {
        return Ok(());
    }
    rows::save(tx, ctx.account, after)?;
    note(tx, ctx.account, Some(before), after, ctx.now)?;
    sums::change(tx, ctx.account, changes(Some(before), Some(after)));
    let figure = match after.status {
        deal::DealStatus::Won => Some(figures::DEALS_WON),
        deal::DealStatus::Lost => Some(figures::DEALS_LOST),
        deal::DealStatus::Open => None,
    };
    if let Some(figure) = figure.filter(|_| after.status != before.status) {
        tx.effects.count(figure, 1);
    }
    Ok(())
}

fn note(
    tx: &mut Tx<'_>,
    account: AccountId,
    before: Option<&Deal>,
    after: &Deal,
    at: Timestamp,
) -> QueryResult<()> {
    let id = HistoryId::from_u128(tx.ids.next());
    match entry(before, after, id, at) {
        Some(entry) => history::add(tx.db, account, after.id, entry),
        None => Ok(()),
    }
}

/// The place for a deal that a lead becomes: behind all others in the first stage of the default pipeline.
pub(super) fn place_for_lead(tx: &mut Tx<'_>, ctx: &Ctx) -> QueryResult<::crm::DealPlace> {
    let desk = Desk::open(tx, ctx)?;
    places::last(tx, ctx.account, desk.first()?)
}
