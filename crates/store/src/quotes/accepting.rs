//! Accepting quotes: the order, the deal and the payment link, in the transaction of the acceptance.

use ::orders::{Order, OrderId, PlaceError};
use ::payments::{NewLink, PaymentError};
use ::quotes::{
    AcceptQuote, Accepting, PaymentLinkId, Placing, Problem, ProblemCode, Quote, QuoteError,
    QuoteId, Status, accept as accepting, accepted,
};
use diesel::Connection;
use kernel::{Ctx, FieldFault, Language, Message, Refused, message};

use super::{Outcome, drafting::not_placed, rows};
use crate::{
    crm,
    db::Db,
    error::Failure,
    events, figures,
    orders::place::{self, Settled},
    payments,
    tx::{Effects, Tx},
    vault::Vault,
};

/// Runs a part of the transaction of which nothing stays when it is refused.
fn attempted<T, E>(
    tx: &mut Tx<'_>,
    work: impl FnOnce(&mut Tx<'_>) -> Result<T, Failure<E>>,
) -> Result<Result<T, Refused<E>>, diesel::result::Error> {
    let (ids, retention) = (tx.ids, tx.retention);
    let (mut effects, mut held) = (Effects::default(), tx.held.clone());
    let result = tx.db.transaction(|db: &mut Db| {
        let before = held.clone();
        let mut tx = Tx { db, ids, retention, effects: Effects::default(), held: before };
        let result = work(&mut tx);
        (effects, held) = (tx.effects, tx.held);
        result
    });
    match result {
        Ok(value) => {
            tx.effects.append(effects);
            tx.held = held;
            Ok(Ok(value))
        }
        Err(Failure::Database(error)) => Err(error),
        Err(Failure::Refused(refused)) => Ok(Err(refused)),
    }
}

pub(super) fn accept(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    command: &AcceptQuote,
) -> Outcome<Quote> {
    let found = rows::locked(tx, ctx.account, command.id)?;
    let (before, _) = found.ok_or(Refused::NotFound)?;
    let by = (command.via, command.name.clone());
    let accepting = accepting(&before, command.revision, by, ctx.now);
    let Accepting::Now(quote, told) = accepting.map_err(Refused::Rule)? else {
        return Ok(before);
    };
    events::append(tx, ctx.account, ctx.now, told)?;
    tx.effects.count(figures::QUOTES_ACCEPTED, 1);
    let placing = match attempted(tx, |tx| placed(tx, ctx, &quote))? {
        Ok(order) => opened(tx, vault, ctx, &quote, &order)?,
        Err(refused) => Placing { order: None, link: None, problem: Some(unplaced(refused)?) },
    };
    win(tx, ctx, &quote)?;
    let after = accepted(&quote, placing, ctx.now);
    rows::save(tx, ctx.account, &after)?;
    Ok(after)
}

/// Tries again to place the order.
pub(super) fn order(tx: &mut Tx<'_>, vault: &Vault, ctx: &Ctx, id: QuoteId) -> Outcome<Quote> {
    let found = rows::locked(tx, ctx.account, id)?;
    let (before, _) = found.ok_or(Refused::NotFound)?;
    match before.status(ctx.now) {
        Status::Accepted => {}
        Status::Ordered => return Ok(before),
        from => {
            let to = Status::Ordered;
            return Err(Refused::Rule(QuoteError::InvalidTransition { from, to }).into());
        }
    }
    let order = placed(tx, ctx, &before).map_err(not_placed)?;
    let placing = opened(tx, vault, ctx, &before, &order)?;
    let after = accepted(&before, placing, ctx.now);
    rows::save(tx, ctx.account, &after)?;
    Ok(after)
}

/// Places the order of a quote, at its prices.
fn placed(tx: &mut Tx<'_>, ctx: &Ctx, quote: &Quote) -> Result<Order, Failure<PlaceError>> {
    let mut command = quote.offered.order(quote.customer);
    command.notes = quote.title.clone();
    command.metadata = quote.metadata.clone();
    let settled = Settled { id: OrderId::from_u128(tx.ids.next()), at: ctx.now };
    place::place_alone(tx, ctx, &command, settled)
}

/// Why no order was placed.
fn unplaced(refused: Refused<PlaceError>) -> Outcome<Problem> {
    let (code, message) = match refused {
        Refused::Rule(PlaceError::OutOfStock(demand)) => (
            ProblemCode::InsufficientStock,
            message!(
                "SKU {sku:?} has {available} in stock, {asked} were asked for",
                "el SKU {sku:?} tiene {available} en existencia y se pidieron {asked}",
                sku = demand.sku,
                available = demand.available,
                asked = demand.asked
            ),
        ),
        Refused::Invalid(faults) => (ProblemCode::NotForSale, told(&faults)),
        other => return Err(other.map(QuoteError::Place).into()),
    };
    Ok(problem(code, &message))
}

fn told(faults: &[FieldFault]) -> Message {
    let all = |language| {
        let each = faults.iter().map(|fault| fault.in_language(language));
        each.collect::<Vec<_>>().join("; ")
    };
    let (english, spanish) = (all(Language::English), all(Language::Spanish));
    message!("{english}", "{spanish}")
}

fn problem(code: ProblemCode, message: &Message) -> Problem {
    Problem {
        code,
        english: message.in_language(Language::English).to_string(),
        spanish: message.in_language(Language::Spanish).to_string(),
    }
}

/// What comes of an order that was placed: the payment link, if one is wanted. The order stands without it.
fn opened(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    quote: &Quote,
    order: &Order,
) -> Outcome<Placing> {
    let mut placing = Placing { order: Some(order.id), link: None, problem: None };
    // Nothing is to be paid for what is free.
    if !quote.wants_link || order.total == kernel::Amount::ZERO {
        return Ok(placing);
    }
    let new = NewLink {
        title: Some(quote.title.clone().unwrap_or_else(|| quote.number_text())),
        order: Some(::payments::OrderId::from_u128(order.id.to_u128())),
        ..NewLink::default()
    };
    match attempted(tx, |tx| payments::open_link(tx, vault, ctx, new))? {
        Ok(link) => placing.link = Some(PaymentLinkId::from_u128(link.id.to_u128())),
        Err(refused) => placing.problem = Some(unopened(refused)),
    }
    Ok(placing)
}

/// Why no payment link was opened.
fn unopened(refused: Refused<PaymentError>) -> Problem {
    let message = match refused {
        Refused::Invalid(faults) => told(&faults),
        _ => message!(
            "no payment provider collects the amount; create a payment link for the order once there is one",
            "ningún proveedor de pagos cobra ese importe; hay que crear un enlace de pago para el pedido cuando lo haya"
        ),
    };
    problem(ProblemCode::NoPaymentLink, &message)
}

/// Wins the deal of a quote, which is worth what the quote offers.
fn win(tx: &mut Tx<'_>, ctx: &Ctx, quote: &Quote) -> Outcome<()> {
    let Some(deal) = quote.deal else { return Ok(()) };
    let deal = ::crm::DealId::from_u128(deal.to_u128());
    let accepted = (quote.id, quote.offered.total, quote.offered.currency);
    match crm::deals::win_by_quote(tx, ctx, deal, accepted) {
        Ok(_) | Err(Failure::Refused(Refused::NotFound)) => Ok(()),
        Err(Failure::Database(error)) => Err(error.into()),
        Err(Failure::Refused(refused)) => {
            let why = format!("the deal of {} cannot be won: {refused:?}", quote.id);
            Err(crate::rows::corrupt(why).into())
        }
    }
}
