//! Returns: goods that come back after an order was paid or shipped, and what they are worth.

use std::cmp::Reverse;

use kernel::{Amount, FieldFault, Measure, NewEvent, Quantity, Refusal, Timestamp, message};
use pricing::step;
use serde::{Deserialize, Serialize};

use crate::{
    InvoiceId, ItemSku, Order, OrderId, OrderStatus, WarehouseId, events,
    order::no_such_line,
    shipments::{LineProgress, follow},
};

kernel::ids! {
    /// A return's identifier.
    ReturnId = "ret";
}

/// Statuses in which goods may come back.
pub const RETURNABLE: &[OrderStatus] =
    &[OrderStatus::Paid, OrderStatus::Shipped, OrderStatus::Delivered];

/// A line that comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnLine {
    /// Which line of the order, starting at 1.
    pub line: usize,
    /// How many units.
    pub quantity: Measure,
    /// Whether they are for sale again.
    pub is_restocked: bool,
    /// Where they go to; where they came from when absent.
    pub warehouse: Option<WarehouseId>,
}

/// The most returns that an order has: all of them are read together.
pub const RETURNS_MAX: usize = 1_000;

/// A return to be recorded; its fields have been checked one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewReturn {
    /// What comes back, each line once.
    pub lines: Vec<ReturnLine>,
    /// What of the shipping is given back.
    pub shipping: Option<Amount>,
    /// Why it comes back.
    pub reason: String,
    /// Whether what it is worth is refunded, as far as it was paid.
    pub refunds: bool,
    /// Whether it will never be shipped, where a part of the order is on its way.
    pub is_unshipped: bool,
}

/// A return of an order, to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnItems {
    /// The order.
    pub order: OrderId,
    /// What comes back.
    pub new: NewReturn,
}

/// A line that has come back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnedLine {
    /// Which line of the order, starting at 1.
    pub line: usize,
    /// How many units.
    pub quantity: Measure,
    /// Whether they are for sale again.
    pub is_restocked: bool,
    /// What they are worth, with discounts and taxes.
    pub amount: Amount,
}

/// A return on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Return {
    /// Its identifier.
    pub id: ReturnId,
    /// The order.
    pub order: OrderId,
    /// What came back.
    pub lines: Vec<ReturnedLine>,
    /// Whether it had not been shipped, and was taken off the order.
    pub is_unshipped: bool,
    /// What of the shipping is given back.
    pub shipping: Amount,
    /// What it is worth in all.
    pub amount: Amount,
    /// What of that was to be refunded at once.
    pub refund: Amount,
    /// Why it came back.
    pub reason: String,
    /// When.
    pub created_at: Timestamp,
    /// The credit note (CFDI of type E) that was made of what of it was never paid.
    pub credit_note: Option<InvoiceId>,
    /// Why no credit note could be made of that.
    pub credit_note_problem: Option<String>,
}

/// Why nothing comes back of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReturnError {
    /// The order is not in a status for it.
    WrongStatus {
        /// Its status.
        status: OrderStatus,
    },
    /// More comes back than was sold and has not come back yet.
    TooMany {
        /// Which line, starting at 1.
        line: usize,
        /// What can still come back.
        left: Measure,
    },
    /// More of the shipping is given back than is left of it.
    ShippingExceeded {
        /// What is left.
        left: Amount,
    },
    /// The order has had as many returns as it may.
    TooManyReturns {
        /// How many.
        max: usize,
    },
}

/// What comes of a return: all of it is recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// The order.
    pub order: Order,
    /// The return.
    pub record: Return,
    /// The goods, line by line.
    pub goods: Vec<ReturnedGoods>,
    /// Whether they had been shipped; otherwise they are promised no longer.
    pub were_shipped: bool,
    /// What is to be refunded, if anything.
    pub to_refund: Option<Amount>,
    /// What is told.
    pub events: Vec<NewEvent>,
}

/// Goods that come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReturnedGoods {
    /// Place of the line in the order, from 0.
    pub line: usize,
    /// What it is.
    pub sold: ItemSku,
    /// How many, in the smallest unit that is kept of it.
    pub quantity: Quantity,
    /// Whether they are for sale again.
    pub is_restocked: bool,
    /// Where they go to; where they came from when absent.
    pub warehouse: Option<WarehouseId>,
}

/// What has happened to the money of an order before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Earlier {
    /// How many returns there were.
    pub count: usize,
    /// What earlier returns have given back of its shipping.
    pub shipping: Amount,
    /// What refunds that are under way are about to give back.
    pub refund_pending: Amount,
    /// What its payments can still give back.
    pub refundable: Amount,
    /// What has become of each line, of an order of which a part is on its way.
    pub progress: Option<Vec<LineProgress>>,
    /// The tracking number of its newest shipment that has one.
    pub tracking_number: Option<String>,
}

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
    order.refund_due = order.refund_owed_after(before);
    order.updated_at = now;
    order.version += 1;
    let mut told = vec![events::returned(&order, id, amount)];
    if progress.is_some() && new.is_unshipped {
        // What is on its way may be all that is left of it.
        told.extend(follow(&mut order, &after, earlier.tracking_number.as_deref(), now));
    }
    told.extend(mark_paid(&mut order, now));
    let refund = if new.refunds { refundable(&order, amount, earlier) } else { Amount::ZERO };
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

/// What of the shipping is given back.
fn shipping_back(order: &Order, new: &NewReturn, earlier: &Earlier) -> Result<Amount, ReturnError> {
    let shipping = new.shipping.unwrap_or_default();
    let left = order.shipping_total().micros().saturating_sub(earlier.shipping.micros());
    if shipping.micros() > left {
        return Err(ReturnError::ShippingExceeded { left: Amount::from_micros(left) });
    }
    Ok(shipping)
}

/// Marks an order as paid if what has come back was all that was not paid yet.
fn mark_paid(order: &mut Order, now: Timestamp) -> Vec<NewEvent> {
    let paid = order.amount_paid();
    if order.paid_at.is_some() || paid <= Amount::ZERO || paid < order.amount_sufficient() {
        return Vec::new();
    }
    let mut told = Vec::new();
    order.settle(now);
    if order.status == OrderStatus::Pending {
        order.status = OrderStatus::Paid;
        told.push(events::updated(order.id, OrderStatus::Pending, order.status));
    }
    told.push(events::paid(order));
    told
}

/// What of a return's worth can be refunded: as far as it is owed, no refund under way gives it back, and payments can.
fn refundable(order: &Order, amount: Amount, earlier: &Earlier) -> Amount {
    let owed = order.refund_due.micros().saturating_sub(earlier.refund_pending.micros());
    amount.min(Amount::from_micros(owed.max(0))).min(earlier.refundable)
}

/// Where goods of a line come back to that were shipped: whence most of it was, or most was promised where no shipments are
/// kept of the order. Of equal parts the oldest warehouse.
#[must_use]
pub fn origin(
    shipped: &[(WarehouseId, Quantity)],
    promised: &[(WarehouseId, Quantity)],
) -> Option<WarehouseId> {
    let parts = if shipped.is_empty() { promised } else { shipped };
    let largest = parts.iter().max_by_key(|(warehouse, part)| (*part, Reverse(*warehouse)));
    largest.map(|(warehouse, _)| *warehouse)
}

fn refuse_faults(
    order: &Order,
    new: &NewReturn,
    were_shipped: bool,
) -> Result<(), Refusal<ReturnError>> {
    let mut faults = Vec::new();
    let count = order.items.len();
    for (index, wanted) in new.lines.iter().enumerate() {
        let field = format!("items[{index}].line");
        if wanted.line == 0 || wanted.line > count {
            faults.push(FieldFault::new(field, no_such_line(count)));
        } else if new.lines.iter().take(index).any(|other| other.line == wanted.line) {
            let problem =
                message!("is named twice: add the quantities up", "se repite: sume las cantidades");
            faults.push(FieldFault::new(field, problem));
        }
        let item = wanted.line.checked_sub(1).and_then(|line| order.items.get(line));
        if let Some(Err(problem)) = item.map(|item| wanted.quantity.kept(item.decimals)) {
            faults.push(FieldFault::new(format!("items[{index}].quantity"), problem));
        }
        // What was not shipped is released where it lies, for sale again or not.
        if were_shipped && wanted.warehouse.is_some() && !wanted.is_restocked {
            let problem = message!(
                "says where the goods go, but they are not for sale again: send \"restock\": true, or leave it out",
                "dice a dónde va la mercancía, pero no vuelve a la venta: enviar \"restock\": true u omitirlo"
            );
            faults.push(FieldFault::new(format!("items[{index}].warehouseId"), problem));
        }
    }
    if let Some(shipping) = new.shipping {
        let decimals = order.currency.decimals();
        if shipping.is_negative() || !shipping.fits(decimals) {
            let problem = message!(
                "must not be negative and have at most {decimals} decimals",
                "no debe ser negativo y debe tener a lo más {decimals} decimales"
            );
            faults.push(FieldFault::new("shipping", problem));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Refusal::Invalid(faults)) }
}

/// What so many of `quantity` units are worth of what all of them cost, in millionths, rounded half up to that many
/// decimals. Shares of more and more units grow by what each is worth, and add up to the whole.
pub(crate) fn share(total: Amount, units: Quantity, quantity: Quantity, decimals: u32) -> i64 {
    let step = i128::from(step(decimals));
    let quantity = i128::from(quantity.max(1)) * step;
    let exact = i128::from(total.micros()) * i128::from(units);
    let steps = (2 * exact + quantity).div_euclid(2 * quantity);
    i64::try_from(steps * step).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::update::tests::order;

    const NOW: Timestamp = Timestamp::from_micros(3);

    fn of(line: usize, quantity: Quantity) -> NewReturn {
        let quantity = Measure::whole(quantity);
        let lines = vec![ReturnLine { line, quantity, is_restocked: true, warehouse: None }];
        let reason = "rota".to_owned();
        NewReturn { lines, shipping: None, reason, refunds: true, is_unshipped: false }
    }

    fn sold(total: i64, quantity: Quantity) -> Order {
        let mut order = order();
        order.status = OrderStatus::Paid;
        order.paid_at = Some(NOW);
        order.total = Amount::from_micros(total);
        order.items.iter_mut().for_each(|item| item.quantity = quantity);
        order
    }

    fn take(order: &Order, new: &NewReturn) -> Result<Returned, Refusal<ReturnError>> {
        let earlier = Earlier { refundable: Amount::MAX, ..Earlier::default() };
        take_back(order, new, &earlier, ReturnId::from_u128(1), NOW)
    }

    #[test]
    fn pieces_are_worth_what_is_left_of_their_line() {
        // 341.83 for two: 170.92, then 170.91.
        let order = sold(341_830_000, 2);
        let first = take(&order, &of(1, 1)).unwrap();
        assert_eq!(first.record.amount, Amount::from_micros(170_920_000));
        assert_eq!(first.to_refund, Some(first.record.amount));
        let second = take(&first.order, &of(1, 1)).unwrap();
        assert_eq!(second.record.amount, Amount::from_micros(170_910_000));
        assert_eq!(second.order.returned_total, order.total);
        let left = take(&second.order, &of(1, 1));
        let error = ReturnError::TooMany { line: 1, left: Measure::ZERO };
        assert_eq!(left, Err(Refusal::Rule(error)));
    }

    #[test]
    fn an_order_has_so_many_returns() {
        let order = sold(10_000_000, 2);
        let after = |count| {
            let earlier = Earlier { count, ..Earlier::default() };
            take_back(&order, &of(1, 1), &earlier, ReturnId::from_u128(1), NOW)
        };
        assert!(after(RETURNS_MAX - 1).is_ok());
        let refused = Refusal::Rule(ReturnError::TooManyReturns { max: RETURNS_MAX });
        assert_eq!(after(RETURNS_MAX), Err(refused));
    }

    #[test]
    fn only_what_was_paid_is_refunded() {
        let shipped = Order { status: OrderStatus::Shipped, paid_at: None, ..sold(10_000_000, 2) };
        let unpaid = take(&shipped, &of(1, 1)).unwrap();
        assert_eq!(
            (unpaid.to_refund, unpaid.order.amount_due()),
            (None, Amount::from_micros(5_000_000))
        );
        let part = Order { amount_paid: Some(Amount::from_micros(5_000_000)), ..shipped };
        let settled = take(&part, &of(1, 1)).unwrap();
        assert_eq!((settled.to_refund, settled.order.paid_at), (None, Some(NOW)));
        assert_eq!(settled.order.amount_due(), Amount::ZERO);
    }

    #[test]
    fn an_order_that_leaves_in_parts_is_paid_by_what_will_never_leave() {
        let half = Some(Amount::from_micros(5_000_000));
        let pending = Order { status: OrderStatus::Pending, paid_at: None, ..sold(10_000_000, 4) };
        let pending = Order { amount_paid: half, ..pending };
        let line = |shipped| LineProgress { open: Vec::new(), shipped, removed: 0 };
        for (shipped, status, told) in [
            (1, OrderStatus::Paid, vec!["order.returned", "order.updated", "order.paid"]),
            (
                2,
                OrderStatus::Shipped,
                vec!["order.returned", "order.updated", "order.shipped", "order.paid"],
            ),
        ] {
            let new = NewReturn { is_unshipped: true, ..of(1, 2) };
            let progress = Some(vec![line(shipped)]);
            let earlier = Earlier { progress, ..Earlier::default() };
            let id = ReturnId::from_u128(1);
            let returned = take_back(&pending, &new, &earlier, id, NOW).unwrap();
            assert_eq!((returned.order.status, returned.order.paid_at), (status, Some(NOW)));
            let names: Vec<_> = returned.events.iter().map(|event| event.name).collect();
            assert_eq!(names, told);
        }
    }

    #[test]
    fn what_is_about_to_be_refunded_is_not_refunded_again() {
        let order = sold(10_000_000, 2);
        let half = Amount::from_micros(5_000_000);
        for (pending, refundable, refund) in [(0, 10, 5), (3, 10, 2), (5, 10, 0), (0, 4, 4)] {
            let of = |units: i64| Amount::from_micros(units * 1_000_000);
            let earlier = Earlier {
                refund_pending: of(pending),
                refundable: of(refundable),
                ..Earlier::default()
            };
            let id = ReturnId::from_u128(1);
            let returned = take_back(&order, &self::of(1, 1), &earlier, id, NOW).unwrap();
            assert_eq!((returned.record.amount, returned.record.refund), (half, of(refund)));
        }
    }

    #[test]
    fn pending_and_cancelled_orders_take_nothing_back() {
        for status in [OrderStatus::Pending, OrderStatus::Cancelled] {
            let refused = take(&Order { status, ..sold(10_000_000, 2) }, &of(1, 1));
            let error = ReturnError::WrongStatus { status };
            assert_eq!(refused, Err(Refusal::Rule(error)));
        }
    }

    #[test]
    fn lines_that_are_not_there_are_named() {
        let twice = NewReturn { lines: [of(1, 1).lines, of(1, 1).lines].concat(), ..of(1, 1) };
        for (new, field) in
            [(of(0, 1), "items[0].line"), (of(2, 1), "items[0].line"), (twice, "items[1].line")]
        {
            match take(&sold(10_000_000, 2), &new) {
                Err(Refusal::Invalid(faults)) => {
                    assert_eq!(faults.first().map(|fault| fault.field.as_str()), Some(field));
                }
                other => panic!("{other:?}"),
            }
        }
        let shipping = NewReturn { shipping: Some(Amount::from_micros(10_000)), ..of(1, 1) };
        let error = ReturnError::ShippingExceeded { left: Amount::ZERO };
        assert_eq!(take(&sold(10_000_000, 2), &shipping), Err(Refusal::Rule(error)));
    }

    #[test]
    fn goods_come_back_to_where_most_of_them_left_from() {
        let [a, b, c] = [1, 2, 3].map(WarehouseId::from_u128);
        for (shipped, promised, expected) in [
            (vec![(b, 1)], vec![(a, 9), (b, 1)], Some(b)),
            (vec![(a, 2), (b, 3), (c, 1)], vec![(a, 9)], Some(b)),
            (vec![(c, 2), (b, 2)], vec![], Some(b)),
            (vec![], vec![(a, 1), (c, 4)], Some(c)),
            (vec![], vec![(b, 4), (c, 4)], Some(b)),
            (vec![], vec![], None),
        ] {
            assert_eq!(origin(&shipped, &promised), expected, "{shipped:?} {promised:?}");
        }
    }

    #[test]
    fn a_place_is_named_of_what_is_put_there() {
        let place = Some(WarehouseId::from_u128(7));
        let new = |is_restocked| {
            let mut new = of(1, 1);
            (new.lines[0].is_restocked, new.lines[0].warehouse) = (is_restocked, place);
            new
        };
        let paid = sold(10_000_000, 2);
        let shipped = Order { status: OrderStatus::Shipped, ..paid.clone() };
        for (order, is_restocked, is_taken) in
            [(&shipped, true, true), (&shipped, false, false), (&paid, false, true)]
        {
            match take(order, &new(is_restocked)) {
                Ok(returned) => assert!(is_taken && returned.goods[0].warehouse == place),
                Err(Refusal::Invalid(faults)) => {
                    assert!(!is_taken && faults[0].field == "items[0].warehouseId");
                }
                Err(other) => panic!("{other:?}"),
            }
        }
    }

    proptest! {
        /// However an order comes back, its pieces are worth what it cost, and never more than was paid is refunded.
        #[test]
        fn all_pieces_together_are_worth_the_order(
            cents in 1_i64..1_000_000,
            quantity in 1_i64..40,
            steps in prop::collection::vec(1_i64..10, 1..60),
        ) {
            let mut order = sold(cents * 10_000, quantity);
            let mut refunded = 0;
            for step in steps {
                let Ok(returned) = take(&order, &of(1, step)) else { continue };
                prop_assert!(returned.record.amount >= Amount::ZERO);
                if let Some(left) = returned.order.left() {
                    let lines = left.lines.iter().map(|line| line.amount);
                    let together = pricing::decimal::sum(lines.chain([left.shipping]));
                    prop_assert_eq!(together, returned.order.amount_charged());
                }
                let part = returned.to_refund.unwrap_or_default();
                refunded += part.micros();
                order = crate::paying::refund(&returned.order, part, NOW);
                prop_assert!(order.amount_refunded <= order.amount_paid());
            }
            prop_assert_eq!(order.returned_total.micros(), refunded);
            if order.items.iter().all(|item| item.returned == item.quantity) {
                prop_assert_eq!(order.returned_total, order.total);
            }
        }
    }
}
