//! Drafting quotes, offering them, and taking them back.

use ::links::{DAYS_MAX, Link};
use ::orders::{OrderId, PlaceError, PlaceOrder};
use ::quotes::{
    CustomerId, DealId, NewQuote, Offered, Quote, QuoteChanges, QuoteError, QuoteId, RejectQuote,
    SendQuote, Sending, Status, change, draft, refuse_sent, reject as rejected, revise as revised,
    send as sent,
};
use diesel::QueryResult;

use kernel::{AccountId, Amount, Ctx, FieldFault, Refused, message};

use super::{Outcome, rows};
use crate::{
    counters::{self, Counter},
    crm,
    error::{Failure, refuse_stale},
    events, figures,
    invoices::zone,
    links as tokens,
    orders::place::{self, Judged},
    payments,
    tx::Tx,
    vault::Vault,
};

/// The number of an account's last quote.
const LAST_NUMBER: Counter = Counter("quote_number");

pub(super) fn not_placed(failure: Failure<PlaceError>) -> Failure<QuoteError> {
    match failure {
        Failure::Database(error) => Failure::Database(error),
        Failure::Refused(refused) => refused.map(QuoteError::Place).into(),
    }
}

/// What an order of this would be, however much there is in stock.
fn priced(tx: &mut Tx<'_>, ctx: &Ctx, command: &PlaceOrder) -> Outcome<Judged> {
    let id = OrderId::from_u128(tx.ids.next());
    place::judge_unlimited(tx, ctx, command, id).map_err(not_placed)
}

/// What a draft would be as an order, beside the prices of the catalog; `None` of a quote that was sent already.
pub(crate) fn judged(tx: &mut Tx<'_>, ctx: &Ctx, id: QuoteId) -> Outcome<Option<(Quote, Judged)>> {
    let (quote, _) = rows::locked(tx, ctx.account, id)?.ok_or(Refused::NotFound)?;
    if quote.kept != Status::Draft {
        return Ok(None);
    }
    let judged = priced(tx, ctx, &quote.offered.order(quote.customer))?;
    Ok(Some((quote, judged)))
}

/// The customer of the deal that a quote is to be of.
fn customer_of(
    tx: &mut Tx<'_>,
    account: AccountId,
    deal: Option<DealId>,
) -> Outcome<Option<CustomerId>> {
    let Some(id) = deal else { return Ok(None) };
    let found = crm::deals::by_id(tx.db, account, ::crm::DealId::from_u128(id.to_u128()))?;
    Ok(found.ok_or_else(no_deal)?.customer.map(|id| CustomerId::from_u128(id.to_u128())))
}

/// Keeps whom and what a quote names from being deleted until the end of the transaction: after the stock, as who accepts
/// it does.
fn keep(
    tx: &mut Tx<'_>,
    account: AccountId,
    customer: Option<CustomerId>,
    deal: Option<DealId>,
) -> Outcome<()> {
    if let Some(id) = customer
        && crm::customer_kept(tx, account, ::crm::CustomerId::from_u128(id.to_u128()))?.is_none()
    {
        let problem = message!(
            "names no customer of this account",
            "no corresponde a ningún cliente de esta cuenta"
        );
        return Err(Refused::Invalid(vec![FieldFault::new("customerId", problem)]).into());
    }
    if let Some(id) = deal {
        crm::deals::kept(tx, account, ::crm::DealId::from_u128(id.to_u128()))?
            .ok_or_else(no_deal)?;
    }
    Ok(())
}

fn no_deal() -> Failure<QuoteError> {
    let problem = message!(
        "names no deal of this account",
        "no corresponde a ninguna oportunidad de esta cuenta"
    );
    Refused::Invalid(vec![FieldFault::new("dealId", problem)]).into()
}

fn no_customer() -> Failure<QuoteError> {
    let problem = message!(
        "is required: the quote is of no deal with a customer",
        "es obligatorio: la cotización no es de una oportunidad con cliente"
    );
    Refused::Invalid(vec![FieldFault::new("customerId", problem)]).into()
}

/// Refuses a quote whose payment link nobody could pay by.
fn refuse_uncollectable(tx: &mut Tx<'_>, account: AccountId, quote: &Quote) -> Outcome<()> {
    let Offered { total, currency, .. } = quote.offered;
    // Nothing is to be paid for what is free.
    let is_wanted = quote.wants_link && total > Amount::ZERO;
    if is_wanted && !payments::can_collect(tx.db, account, total, currency)? {
        return Err(Refused::Rule(QuoteError::NoProvider { currency }).into());
    }
    Ok(())
}

pub(super) fn create(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    command: &NewQuote,
) -> Outcome<Quote> {
    let of_deal = customer_of(tx, ctx.account, command.deal)?;
    let customer = command.customer.or(of_deal).ok_or_else(no_customer)?;
    let offered = Offered::of(priced(tx, ctx, &command.order(customer))?.order);
    keep(tx, ctx.account, Some(customer), command.deal)?;
    let id = QuoteId::from_u128(tx.ids.next());
    counters::add(tx.db, ctx.account, LAST_NUMBER, 1)?;
    let number = counters::value(tx.db, ctx.account, LAST_NUMBER)?;
    let made =
        draft(command, offered, customer, (id, number), (zone(tx.db, ctx.account)?, ctx.now));
    let made = made.map_err(|fault| Refused::Invalid(vec![fault]))?;
    refuse_uncollectable(tx, ctx.account, &made)?;
    rows::insert(tx, ctx.account, &made)?;
    // It shows what has become of the quote for as long as that is on record.
    let target = rows::target(&id.to_string());
    let link = Link::lasting(target, tokens::token(vault)?, DAYS_MAX, ctx.now);
    tokens::add(tx, vault, ctx.account, &link)?;
    Ok(made)
}

pub(super) fn update(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    (id, version): (QuoteId, Option<i64>),
    changes: &QuoteChanges,
) -> Outcome<Quote> {
    let (before, _) = rows::locked(tx, ctx.account, id)?.ok_or(Refused::NotFound)?;
    refuse_stale(version, before.version)?;
    refuse_sent(&before, ctx.now).map_err(Refused::Rule)?;
    let offered = match changes.order(&before) {
        Some(wanted) => Some(Offered::of(priced(tx, ctx, &wanted)?.order)),
        None => None,
    };
    keep(tx, ctx.account, changes.customer, changes.deal.flatten())?;
    let after = change(&before, changes, offered, ctx.now)?;
    refuse_uncollectable(tx, ctx.account, &after)?;
    if after != before {
        rows::save(tx, ctx.account, &after)?;
    }
    Ok(after)
}

pub(super) fn delete(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: QuoteId,
    version: Option<i64>,
) -> Outcome<QuoteId> {
    let (quote, _) = rows::locked(tx, ctx.account, id)?.ok_or(Refused::NotFound)?;
    refuse_stale(version, quote.version)?;
    refuse_sent(&quote, ctx.now).map_err(Refused::Rule)?;
    rows::delete(tx, ctx.account, id)?;
    // The link is that of all revisions.
    if quote.root == id {
        let target = rows::target(&id.to_string());
        tokens::forget(tx.db, &ctx.account.to_string(), target.kind, &target.subject)?;
    }
    Ok(id)
}

/// Offers a draft to its customer.
pub(crate) fn send(tx: &mut Tx<'_>, ctx: &Ctx, command: &SendQuote) -> Outcome<QuoteId> {
    let found = rows::locked(tx, ctx.account, command.id)?;
    let (before, others) = found.ok_or(Refused::NotFound)?;
    if before.kept == Status::Draft {
        refuse_stale(command.version, before.version)?;
    }
    let Sending { quote, superseded, events } = sent(&before, &others, ctx.now)?;
    if before.kept == Status::Draft {
        refuse_uncollectable(tx, ctx.account, &quote)?;
        rows::save(tx, ctx.account, &quote)?;
        for other in &superseded {
            rows::save(tx, ctx.account, other)?;
        }
        events::append(tx, ctx.account, ctx.now, events)?;
        tx.effects.count(figures::QUOTES_SENT, 1);
    }
    Ok(quote.id)
}

pub(super) fn reject(tx: &mut Tx<'_>, ctx: &Ctx, command: &RejectQuote) -> Outcome<Quote> {
    let found = rows::locked(tx, ctx.account, command.id)?;
    let (before, _) = found.ok_or(Refused::NotFound)?;
    let (after, told) =
        rejected(&before, command.revision, (command.via, command.reason.clone()), ctx.now)
            .map_err(Refused::Rule)?;
    if after != before {
        rows::save(tx, ctx.account, &after)?;
        events::append(tx, ctx.account, ctx.now, told)?;
        tx.effects.count(figures::QUOTES_REJECTED, 1);
    }
    Ok(after)
}

pub(super) fn revise(tx: &mut Tx<'_>, ctx: &Ctx, id: QuoteId) -> Outcome<Quote> {
    let found = rows::locked(tx, ctx.account, id)?;
    let (before, others) = found.ok_or(Refused::NotFound)?;
    let next = QuoteId::from_u128(tx.ids.next());
    let made = revised(&before, &others, next, (zone(tx.db, ctx.account)?, ctx.now))
        .map_err(Refused::Rule)?;
    rows::insert(tx, ctx.account, &made)?;
    Ok(made)
}

/// Saves what is told of a quote whose time is over.
pub(super) fn expire(
    tx: &mut Tx<'_>,
    account: AccountId,
    (quote, told): (Quote, kernel::NewEvent),
    now: kernel::Timestamp,
) -> QueryResult<()> {
    rows::save(tx, account, &quote)?;
    tx.effects.count(figures::QUOTES_EXPIRED, 1);
    events::append(tx, account, now, vec![told])
}
