//! Worked examples and properties of returns.

use kernel::Refusal;
use pricing::tax::{Tax, TaxRate};
use proptest::prelude::*;

use super::*;
use crate::{
    Item,
    paying::{receive, refund},
    update::tests::order,
};

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

/// Three pieces are sold, a part is paid, and two come back: the other costs 1160, of which 12.50 are withheld.
#[test]
fn what_leaves_less_than_was_paid_is_owed_as_its_customer_pays() {
    let amount = |text: &str| Amount::parse(text).unwrap();
    let isr = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(12_500) };
    let mut sent = Order { status: OrderStatus::Shipped, paid_at: None, ..sold(3_480_000_000, 3) };
    for item in &mut sent.items {
        item.unit_price = amount("1160");
        item.taxes = Some(vec![TaxRate::iva(160_000), isr]);
    }
    for (paid, withholds, withheld, owed) in [
        ("1500", true, "12.5", "352.5"),
        ("1500", false, "0", "340"),
        ("1160", true, "12.5", "12.5"),
        ("1160", false, "0", "0"),
        ("1150", true, "12.5", "2.5"),
        ("1147.5", true, "12.5", "0"),
    ] {
        let part = receive(&sent, amount(paid), false, NOW).order;
        assert_eq!((part.paid_at, part.amount_withheld), (None, None));
        let earlier = Earlier { refundable: Amount::MAX, withholds, ..Earlier::default() };
        let made = take_back(&part, &of(1, 2), &earlier, ReturnId::from_u128(1), NOW).unwrap();
        let (order, owed) = (&made.order, amount(owed));
        assert_eq!((order.paid_at, order.amount_withheld), (Some(NOW), Some(amount(withheld))));
        assert_eq!((made.record.refund, order.refund_due), (owed, owed), "{paid} {withholds}");
        assert_eq!(refund(order, owed, NOW).refund_due, Amount::ZERO);
    }
    // One that withholds nothing owes the rest of it.
    let part = receive(&sent, amount("1147.5"), false, NOW).order;
    let order = take(&part, &of(1, 2)).unwrap().order;
    assert_eq!((order.paid_at, order.amount_due()), (None, amount("12.5")));
}

/// Of five pieces at 100 and two at 116, of which 20 are withheld, one of each comes back: only the second is refunded.
#[test]
fn what_is_owed_of_other_goods_is_not_given_back_with_these() {
    let amount = |text: &str| Amount::parse(text).unwrap();
    let isr = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(100_000) };
    let mut sent = Order { status: OrderStatus::Shipped, paid_at: None, ..sold(732_000_000, 5) };
    let mut fee = sent.items.remove(0);
    let cup = Item { taxes: Some(vec![TaxRate::iva(160_000)]), ..fee.clone() };
    (fee.unit_price, fee.quantity) = (amount("116"), 2);
    fee.taxes = Some(vec![TaxRate::iva(160_000), isr]);
    sent.items = vec![Item { unit_price: amount("100"), ..cup }, fee];
    let kept = NewReturn { refunds: false, ..of(1, 1) };
    for (paid, refund) in [("712", "106"), ("732", "116")] {
        let paid = receive(&sent, amount(paid), true, NOW).order;
        let untold = Order { amount_withheld: None, ..paid.clone() };
        let is_net = refund == "106";
        for order in [Some(paid), is_net.then_some(untold)].into_iter().flatten() {
            let first = take(&order, &kept).unwrap();
            assert_eq!(
                (first.record.refund, first.order.refund_due),
                (Amount::ZERO, amount("100"))
            );
            let second = take(&first.order, &of(2, 1)).unwrap();
            assert_eq!(
                (second.record.amount, second.record.refund),
                (amount("116"), amount(refund))
            );
        }
    }
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
            order = refund(&returned.order, part, NOW);
            prop_assert!(order.amount_refunded <= order.amount_paid());
        }
        prop_assert_eq!(order.returned_total.micros(), refunded);
        if order.items.iter().all(|item| item.returned == item.quantity) {
            prop_assert_eq!(order.returned_total, order.total);
        }
    }
}
