//! Taking goods back: off the order, off what has become of its lines, and what follows for its money.

use kernel::{Amount, NewEvent, Refusal, Timestamp};

use super::{
    Earlier, NewReturn, RETURNABLE, RETURNS_MAX, Return, ReturnError, ReturnId, Returned,
    ReturnedGoods, ReturnedLine,
    faults::refuse_faults,
    worth::{refundable, share, shipping_back},
};
use crate::{
    Order, OrderStatus, events,
    shipments::{LineProgress, follow},
};

/// Takes goods of an order back.
///
/// # Errors
/// [`Refusal`]; nothing changes then.
pub fn take_back(
    before: &Order,
    new: &NewReturn,
    earlier: &Earlier,
    id: ReturnId,
    now: Timestamp,
) -> Result<Returned, Refusal<ReturnError>> {
    let progress = earlier.progress.as_deref();
    if !RETURNABLE.contains(&before.status) && progress.is_none() {
        let error = ReturnError::WrongStatus { status: before.status };
        return Err(Refusal::Rule(error));
    }
    if earlier.count >= RETURNS_MAX {
        return Err(Refusal::Rule(ReturnError::TooManyReturns { max: RETURNS_MAX }));
    }
    let were_shipped = if progress.is_some() { !new.is_unshipped } else { is_out(before) };
    refuse_faults(before, new, were_shipped)?;
    let mut order = before.clone();
    let mut after = earlier.progress.clone().unwrap_or_default();
    let taken = take_lines(&mut order, &mut after, new);
    let (lines, goods) = taken.map_err(Refusal::Rule)?;
    let shipping = shipping_back(before, new, earlier).map_err(Refusal::Rule)?;
    let of_lines: i64 = lines.iter().map(|line| line.amount.micros()).sum();
    let amount = Amount::from_micros(of_lines.saturating_add(shipping.micros()));
    order.returned_total =
        Amount::from_micros(order.returned_total.micros().saturating_add(amount.micros()));
    order.updated_at = now;
    order.version += 1;
    let mut told = vec![events::returned(&order, id, amount)];
    if progress.is_some() && new.is_unshipped {
        // What is on its way may be all that is left of it.
        told.extend(follow(&mut order, &after, earlier.tracking_number.as_deref(), now));
    }
    told.extend(mark_paid(&mut order, earlier.withholds, now));
    order.refund_due = order.refund_owed_after(before);
    let net = order.net_of_returned(before, amount);
    let refund = if new.refunds { refundable(&order, net, earlier) } else { Amount::ZERO };
    let record = Return {
        id,
        order: order.id,
        lines,
        is_unshipped: !were_shipped,
        shipping,
        amount,
        refund,
        reason: new.reason.clone(),
        created_at: now,
        credit_note: None,
        credit_note_problem: None,
    };
    let to_refund = Some(refund).filter(|refund| *refund > Amount::ZERO);
    Ok(Returned { order, record, goods, were_shipped, to_refund, events: told })
}

/// Whether an order of which no shipments are kept was shipped.
const fn is_out(order: &Order) -> bool {
    matches!(order.status, OrderStatus::Shipped | OrderStatus::Delivered)
}

/// Takes lines off an order, and off what has become of them where that is kept.
fn take_lines(
    order: &mut Order,
    progress: &mut [LineProgress],
    new: &NewReturn,
) -> Result<(Vec<ReturnedLine>, Vec<ReturnedGoods>), ReturnError> {
    let (totals, decimals) = (order.item_totals(), order.currency.decimals());
    let is_out = is_out(order);
    let (mut lines, mut goods) = (Vec::new(), Vec::new());
    for wanted in &new.lines {
        let index = wanted.line.saturating_sub(1);
        let (Some(item), Some(total)) = (order.items.get_mut(index), totals.get(index)) else {
            continue;
        };
        let quantity = wanted.quantity.quantity(item.decimals);
        let left = match (progress.get(index), new.is_unshipped) {
            (Some(line), true) => item.quantity - line.removed - line.shipped,
            (Some(line), false) => line.shipped - (item.returned - line.removed),
            (None, true) if is_out => 0,
            (None, _) => item.quantity - item.returned,
        };
        if quantity > left {
            return Err(ReturnError::TooMany { line: wanted.line, left: item.measure(left) });
        }
        if let Some(line) = progress.get_mut(index).filter(|_| new.is_unshipped) {
            line.removed += quantity;
        }
        let upto = |units| share(*total, units, item.quantity, decimals);
        let amount = upto(item.returned + quantity) - upto(item.returned);
        item.returned += quantity;
        goods.push(ReturnedGoods {
            line: index,
            sold: item.sold,
            quantity,
            is_restocked: wanted.is_restocked,
            warehouse: wanted.warehouse,
        });
        lines.push(ReturnedLine {
            line: wanted.line,
            quantity: wanted.quantity,
            is_restocked: wanted.is_restocked,
            amount: Amount::from_micros(amount),
        });
    }
    Ok((lines, goods))
}

/// Marks an order as paid if what has come back was all that was not paid yet. What was paid was a part of more, so it does not
/// tell what is withheld of the rest.
fn mark_paid(order: &mut Order, withholds: bool, now: Timestamp) -> Vec<NewEvent> {
    let (paid, sufficient) = (order.amount_paid(), order.amount_sufficient(withholds));
    if order.paid_at.is_some() || paid <= Amount::ZERO || paid < sufficient {
        return Vec::new();
    }
    order.complete(withholds, now)
}
