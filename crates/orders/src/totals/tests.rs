//! Worked examples and properties of totals.

use kernel::{Currency, Decimals, Measure, Refusal, Timestamp};
use pricing::{
    Amounts, Sums,
    tax::{Factor, Tax},
};
use proptest::prelude::*;

use super::*;
use crate::{
    CustomerId, ItemSku, NewReturn, Offer, OrderChanges, OrderId, OrderStatus, PaymentStatus,
    PlaceDiscount, PlaceItem, PlaceShipping, PriceBook, ReturnId, ReturnLine, Sources, WarehouseId,
    order::ItemProductId,
    paying::{receive, refund},
    place::{PlaceError, place},
    returns::{Earlier, take_back},
    shipments::Dispatched,
    update::update_dispatched,
};

fn amount(text: &str) -> Amount {
    Amount::parse(text).unwrap()
}

fn iva(micros: i64) -> Vec<TaxRate> {
    vec![TaxRate::iva(micros)]
}

/// A line of an order: what is offered, how much of it is ordered, and the discount.
#[derive(Clone, Debug)]
struct Line {
    price: Amount,
    quantity: Measure,
    tax_included: bool,
    taxes: Vec<TaxRate>,
    discount: Option<Discount>,
}

fn line(price: &str, quantity: i64) -> Line {
    let (price, quantity, taxes) = (amount(price), Measure::whole(quantity), iva(160_000));
    Line { price, quantity, tax_included: true, taxes, discount: None }
}

fn percent(text: &str) -> Option<Discount> {
    Some(Discount::Percent(amount(text)))
}

fn off(text: &str) -> Option<Discount> {
    Some(Discount::Amount(amount(text)))
}

fn ordered(
    lines: &[Line],
    discount: Option<Discount>,
    shipping: Option<&str>,
    currency: &str,
) -> Result<Order, Refusal<PlaceError>> {
    let sku = |index: usize| ItemSku {
        product: ItemProductId::from_u128(index as u128 + 1),
        variant: None,
    };
    let offer = |(index, line): (usize, &Line)| Offer {
        sold: sku(index),
        name: "Taza".to_owned(),
        sku: "TAZA".to_owned(),
        price: line.price,
        listed: Vec::new(),
        currency: Currency::parse(currency).unwrap(),
        tax_included: line.tax_included,
        taxes: line.taxes.clone(),
        decimals: if line.quantity.fits(Decimals::Zero) { Decimals::Zero } else { Decimals::Three },
        available: 1_000_000,
        elsewhere: 0,
        others: Vec::new(),
        unit_cost: None,
        threshold: 0,
        on_sale: true,
    };
    let offers: Vec<Offer> = lines.iter().enumerate().map(offer).collect();
    let item = |(index, line): (usize, &Line)| PlaceItem {
        discount: line.discount,
        ..PlaceItem::new(sku(index), line.quantity)
    };
    let items = lines.iter().enumerate().map(item).collect();
    let command = PlaceOrder {
        discount: discount.map(|asked| PlaceDiscount { asked, reason: None }),
        shipping: shipping.map(|text| PlaceShipping {
            name: "Estafeta".to_owned(),
            amount: amount(text),
            taxes: None,
        }),
        ..PlaceOrder::new(CustomerId::from_u128(1), items)
    };
    let find = |wanted: ItemSku| offers.iter().find(|offer| offer.sold == wanted);
    let (id, now) = (OrderId::from_u128(1), Timestamp::from_micros(0));
    let first = WarehouseId::from_u128(1);
    let sources = Sources { first, from: &[first] };
    let (book, taxes) = (PriceBook::default(), (iva(160_000), None));
    place(&command, find, sources, book, (&taxes.0, taxes.1), (id, 1), now)
        .map(|placed| placed.order)
}

/// The sums of the invoice that is made of an order.
fn invoiced(order: &Order) -> Sums {
    let lines = order.items.iter().map(Item::stated);
    let lines: Vec<_> = lines.chain(order.shipping.iter().map(Shipping::stated)).collect();
    priced(&lines, order.currency.decimals()).sums
}

/// Subtotal, discount and total of the order; subtotal, discount and IVA of its invoice; the items' shares of the order's
/// discount, and their totals.
type Example = (
    Result<Order, Refusal<PlaceError>>,
    [&'static str; 6],
    &'static [&'static str],
    &'static [&'static str],
);

#[test]
fn orders_and_their_invoices_agree() {
    let less = |discount, line| Line { discount, ..line };
    let on_top = |line| Line { tax_included: false, ..line };
    let untaxed = Line { taxes: iva(0), ..line("50", 1) };
    let examples: [Example; 4] = [
        (
            ordered(
                &[less(percent("10"), line("199.90", 2)), untaxed],
                percent("5"),
                Some("99"),
                "MXN",
            ),
            ["449.8", "60.47", "488.33", "480", "52.47", "60.8"],
            &["17.99", "2.5"],
            &["341.83", "47.5"],
        ),
        (
            ordered(
                &[line("33.33", 1), line("33.33", 1), line("33.33", 1)],
                off("10"),
                None,
                "MXN",
            ),
            ["99.99", "10", "89.99", "86.2", "8.62", "12.41"],
            &["3.34", "3.33", "3.33"],
            &["29.99", "30", "30"],
        ),
        (
            ordered(
                &[on_top(line("33.33", 3)), on_top(less(percent("12.5"), line("10.10", 1)))],
                percent("10"),
                None,
                "MXN",
            ),
            ["127.7", "14.08", "113.62", "110.09", "12.14", "15.67"],
            &["10", "0.88"],
            &["104.39", "9.23"],
        ),
        (
            ordered(&[line("333", 1), line("333", 1), line("333", 1)], off("100"), None, "JPY"),
            ["999", "100", "899", "861", "86", "124"],
            &["34", "33", "33"],
            &["299", "300", "300"],
        ),
    ];
    for (order, sums, shares, totals) in examples {
        let order = order.unwrap();
        let paper = invoiced(&order);
        let found = [
            order.subtotal(),
            order.discount_total(),
            order.total,
            paper.sub_total,
            paper.discount.unwrap_or_default(),
            paper.total_transferred.unwrap_or_default(),
        ];
        assert_eq!(found.map(|amount| amount.to_string()), sums, "{order:#?}");
        let texts =
            |amounts: Vec<Amount>| amounts.iter().map(Amount::to_string).collect::<Vec<_>>();
        let given = order.items.iter().map(|item| item.order_discount).collect();
        assert_eq!(texts(given), shares);
        assert_eq!(texts(order.item_totals()), totals);
        assert_eq!(paper.before_withholding(), order.total);
        assert_eq!(order.tax_total, Some(paper.total_transferred.unwrap_or_default()));
    }
}

#[test]
fn discounts_of_more_than_there_is_are_refused_by_name() {
    let less = |discount| Line { discount, ..line("10", 2) };
    let on_top = Line { tax_included: false, ..line("10", 1) };
    let cases = [
        (ordered(&[less(off("20.01"))], None, None, "MXN"), vec!["items[0].discount.amount"]),
        (ordered(&[less(off("5"))], off("15.01"), None, "MXN"), vec!["discount.amount"]),
        (
            ordered(&[less(off("0.001"))], off("0.005"), Some("1.234"), "MXN"),
            vec!["items[0].discount.amount", "discount.amount", "shipping.amount"],
        ),
        (ordered(&[less(None), on_top], off("1"), None, "MXN"), vec!["discount.amount"]),
        (ordered(&[less(off("1.5"))], None, None, "JPY"), vec!["items[0].discount.amount"]),
    ];
    for (refused, fields) in cases {
        let Err(Refusal::Invalid(faults)) = refused else { panic!("{refused:?}") };
        let named: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(named, fields);
    }
}

#[test]
fn what_is_given_away_costs_nothing() {
    let free = Line { discount: percent("100"), ..line("0.005", 1) };
    let order = ordered(&[free], percent("100"), Some("0"), "MXN").unwrap();
    assert_eq!([order.total, order.discount_total()], [amount("0"), amount("0.01")]);
    assert_eq!(order.item_totals(), [Amount::ZERO]);
}

#[test]
fn nothing_is_discounted_where_nothing_was_asked_for() {
    let on_top = |taxes| Line { tax_included: false, taxes, ..line("10.03", 1) };
    let lines = [on_top(iva(160_000)), on_top(iva(80_000))];
    let order = ordered(&lines, None, Some("99"), "MXN").unwrap();
    assert_eq!([order.total, order.subtotal()], [amount("121.47"), amount("22.47")]);
    assert_eq!(order.discount_total(), Amount::ZERO);
}

#[test]
fn sums_beyond_the_largest_amount_are_refused() {
    let dear = Line { tax_included: false, discount: percent("50"), ..line("1000000000000", 1) };
    assert!(matches!(ordered(&[dear], None, None, "MXN"), Err(Refusal::Invalid(_))));
}

#[test]
fn what_is_weighed_is_discounted_and_given_away_to_the_cent() {
    let weighed =
        |discount| Line { discount, quantity: Measure::from_thousandths(350), ..line("189.90", 1) };
    // 66.465 less 6.65 are 59.815, and less 2.99 more 56.825.
    let order = ordered(&[weighed(percent("10"))], percent("5"), None, "MXN").unwrap();
    let taken_off = [order.items[0].taken_off(), order.subtotal(), order.discount_total()];
    assert_eq!(taken_off, ["9.64", "66.47", "9.64"].map(amount));
    assert_eq!(
        (order.total, invoiced(&order).before_withholding()),
        (amount("56.83"), order.total)
    );
    let free = ordered(&[weighed(percent("100")), weighed(None)], None, None, "MXN").unwrap();
    assert_eq!(free.items[0].taken_off(), amount("66.465"), "no more than it costs");
    assert_eq!(free.item_totals(), ["0", "66.47"].map(amount));
}

#[test]
fn gifts_leave_the_cents_to_what_is_paid() {
    let gift = Line { discount: percent("100"), ..line("500", 1) };
    let mut lines = vec![gift; 25];
    lines.extend(["3.33", "1.11", "2.27"].map(|price| line(price, 1)));
    let order = ordered(&lines, percent("7.7"), None, "MXN").unwrap();
    assert_eq!(invoiced(&order).before_withholding(), order.total);
}

#[test]
fn a_discount_leaves_the_taxes_that_go_by_the_unit() {
    let quota =
        TaxRate { tax: Tax::Ieps, factor: Factor::Cuota, rate: amount("5.5"), withheld: false };
    let fuel =
        |discount| Line { discount, taxes: vec![quota, TaxRate::iva(160_000)], ..line("10", 1) };
    assert!(ordered(&[fuel(percent("10"))], None, None, "MXN").is_ok());
    let refused = [
        (ordered(&[fuel(percent("100"))], None, None, "MXN"), "items[0].discount"),
        (ordered(&[fuel(None)], percent("90"), None, "MXN"), "discount"),
    ];
    for (refused, field) in refused {
        let Err(Refusal::Invalid(faults)) = refused else { panic!("{refused:?}") };
        assert_eq!(faults[0].field, field);
    }
}

/// Of 2436 that are to be paid, 25 are withheld.
#[test]
fn what_is_withheld_is_not_paid_here() {
    let now = Timestamp::from_micros(7);
    let isr = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(12_500) };
    let taxed = Line { taxes: vec![TaxRate::iva(160_000), isr], ..line("1160", 2) };
    let order = ordered(&[taxed, line("116", 1)], None, None, "MXN").unwrap();
    assert_eq!((order.total, order.withheld_total()), (amount("2436"), amount("25")));
    assert_eq!(order.amount_due(), amount("2436"));
    let short = receive(&order, amount("2410.99"), true, now);
    assert_eq!((short.completes, short.order.amount_due()), (false, amount("25.01")));
    let net = receive(&order, amount("2411"), true, now);
    assert_eq!((net.completes, net.is_excess), (true, false));
    assert_eq!((net.order.amount_due(), net.order.refund_due), (Amount::ZERO, Amount::ZERO));
    assert_eq!(net.order.payment_status(), PaymentStatus::Paid);
    // One that withholds nothing pays all of it.
    let less = receive(&order, amount("2411"), false, now);
    assert_eq!((less.completes, less.order.amount_due()), (false, amount("25")));
    let whole = receive(&order, amount("2436"), false, now);
    assert_eq!((whole.completes, whole.order.refund_due), (true, Amount::ZERO));
    // More than that is owed back down to what is owed.
    for (withholds, back) in [(true, "26"), (false, "1")] {
        let more = receive(&order, amount("2437"), withholds, now);
        assert_eq!((more.is_excess, more.order.refund_due), (true, amount(back)));
    }
    // Of a piece that comes back, no more was paid than what was not withheld of it.
    let lines = vec![ReturnLine {
        line: 1,
        quantity: Measure::whole(1),
        is_restocked: true,
        warehouse: None,
    }];
    let reason = "rota".to_owned();
    let new = NewReturn { lines, shipping: None, reason, refunds: true, is_unshipped: false };
    let earlier = Earlier { refundable: Amount::MAX, ..Earlier::default() };
    for (paid, refund) in [(net, "1147.5"), (whole, "1160")] {
        let made = take_back(&paid.order, &new, &earlier, ReturnId::from_u128(1), now).unwrap();
        assert_eq!((made.record.amount, made.record.refund), (amount("1160"), amount(refund)));
    }
    // What is left of it is paid without what is withheld of that.
    let sent = Order { status: OrderStatus::Shipped, ..order };
    let left = take_back(&sent, &new, &earlier, ReturnId::from_u128(1), now).unwrap().order;
    assert!(!receive(&left, amount("1263.48"), true, now).completes);
    assert!(receive(&left, amount("1263.5"), true, now).completes);
    assert!(!receive(&left, amount("1263.5"), false, now).completes);
    let owed = [false, true].map(|withholds| left.amount_owed(withholds));
    assert_eq!((left.amount_due(), owed), (amount("1276"), ["1276", "1263.5"].map(amount)));
}

/// Of three pieces one comes back before the others are paid, of which 25 are withheld.
#[test]
fn what_was_withheld_when_it_was_paid_stays_so() {
    let now = Timestamp::from_micros(7);
    let isr = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(12_500) };
    let taxed = Line { taxes: vec![TaxRate::iva(160_000), isr], ..line("1160", 3) };
    let order = ordered(&[taxed], None, None, "MXN").unwrap();
    let sent = Order { status: OrderStatus::Shipped, ..order };
    let back = |order: &Order, pending: &str| {
        let (quantity, reason) = (Measure::whole(1), "rota".to_owned());
        let lines = vec![ReturnLine { line: 1, quantity, is_restocked: true, warehouse: None }];
        let new = NewReturn { lines, shipping: None, reason, refunds: true, is_unshipped: false };
        let earlier = Earlier {
            refund_pending: amount(pending),
            refundable: Amount::MAX,
            ..Earlier::default()
        };
        take_back(order, &new, &earlier, ReturnId::from_u128(1), now).unwrap()
    };
    let left = back(&sent, "0").order;
    assert_eq!(left.amount_withheld, None);
    let [net, whole] = ["2295", "2320"].map(|paid| receive(&left, amount(paid), true, now).order);
    assert_eq!(
        [net.amount_withheld, whole.amount_withheld],
        ["25", "0"].map(|of| Some(amount(of)))
    );
    let less = |order: &Order| refund(order, amount("100"), now);
    // A release that did not take it down has left what was paid and kept to tell.
    let untold = Order { amount_withheld: None, ..net.clone() };
    for (paid, pending, given_back) in [
        (&net, "0", "1147.5"),
        (&net, "100", "1047.5"),
        (&less(&net), "0", "1047.5"),
        (&whole, "0", "1160"),
        (&less(&whole), "0", "1060"),
        (&untold, "0", "1147.5"),
    ] {
        assert_eq!(back(paid, pending).record.refund, amount(given_back), "{pending}: {paid:?}");
    }
    // What was withheld may be paid after all, with something beyond that; all of it again was paid twice.
    let after_all = receive(&net, amount("25"), false, now).order;
    assert_eq!(after_all.amount_withheld, Some(Amount::ZERO));
    assert_eq!(back(&after_all, "0").record.refund, amount("1160"));
    let beyond = receive(&net, amount("30"), false, now).order;
    assert_eq!((beyond.amount_withheld, beyond.refund_due), (Some(Amount::ZERO), amount("5")));
    assert_eq!(receive(&net, amount("2295"), false, now).order.refund_due, amount("2295"));
}

#[test]
fn who_marks_an_order_paid_was_paid_what_is_owed() {
    let now = Timestamp::from_micros(7);
    let isr = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(12_500) };
    let taxed = Line { taxes: vec![TaxRate::iva(160_000), isr], ..line("1160", 2) };
    let order = ordered(&[taxed], None, None, "MXN").unwrap();
    let part = receive(&order, amount("1000"), false, now).order;
    for (before, withholds, received, paid) in [
        (&order, true, "2295", "2295"),
        (&part, true, "1295", "2295"),
        (&order, false, "2320", "2320"),
        (&part, false, "1320", "2320"),
    ] {
        assert_eq!(before.amount_owed(withholds), amount(received));
        let mark = OrderChanges { status: Some(OrderStatus::Paid), ..OrderChanges::default() };
        let dispatched = Dispatched::default();
        let marked = update_dispatched(before, mark, &dispatched, withholds, now).unwrap();
        assert_eq!(marked.received, Some(amount(received)));
        let (order, none) = (marked.order, Amount::ZERO);
        assert_eq!(order.amount_paid(), amount(paid));
        assert_eq!((order.amount_due(), order.refund_owed()), (none, none));
        assert_eq!([true, false].map(|withholds| order.amount_owed(withholds)), [none, none]);
    }
}

fn rates() -> impl Strategy<Value = Vec<TaxRate>> {
    let excise = TaxRate { tax: Tax::Ieps, ..TaxRate::iva(80_000) };
    let exempt = TaxRate { factor: Factor::Exento, ..TaxRate::iva(0) };
    let withheld = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(12_500) };
    prop_oneof![
        5 => Just(iva(160_000)),
        2 => Just(iva(0)),
        1 => Just(vec![exempt]),
        1 => Just(vec![excise, TaxRate::iva(160_000)]),
        1 => Just(vec![TaxRate::iva(160_000), withheld]),
    ]
}

fn discount() -> impl Strategy<Value = Option<Discount>> {
    prop_oneof![
        3 => Just(None),
        2 => (1..=1_000_000_i64).prop_map(|share| Some(Discount::Percent(Amount::from_micros(share * 100)))),
    ]
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    let price = prop_oneof![
        3 => (100..200_000_i64).prop_map(|cents| cents * 10_000),
        1 => 1_000_000..2_000_000_000_i64,
    ];
    let quantity = prop_oneof![
        3 => (1..20_i64).prop_map(Measure::whole),
        1 => (1..20_000_i64).prop_map(Measure::from_thousandths),
    ];
    let line = (price, quantity, any::<bool>(), rates(), discount()).prop_map(
        |(price, quantity, tax_included, taxes, discount)| {
            let price = Amount::from_micros(price);
            Line { price, quantity, tax_included, taxes, discount }
        },
    );
    prop::collection::vec(line, 1..9)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn cents_add_up(
        lines in lines(),
        order_discount in discount(),
        shipping in prop_oneof![Just(None), (0..50_000_i64).prop_map(Some)],
        currency in prop_oneof![3 => Just("MXN"), 1 => Just("JPY"), 1 => Just("KWD")],
    ) {
        let decimals = Currency::parse(currency).unwrap().decimals();
        let shipping = shipping.map(|steps| Amount::from_micros(steps * step(decimals)).to_string());
        let order = ordered(&lines, order_discount, shipping.as_deref(), currency).unwrap();
        let paper = invoiced(&order);
        // Where every line is given away but for a few millionths, no cent can be moved.
        prop_assume!(order.items.iter().any(|item| item.stated().cost() > amount("1")));
        prop_assert_eq!(paper.before_withholding(), order.total);
        prop_assert_eq!(paper.total_transferred.unwrap_or_default(), order.tax_total.unwrap());
        prop_assert!(order.total.fits(decimals) && order.subtotal().fits(decimals));
        let items = decimal::sum(order.item_totals());
        prop_assert_eq!(decimal::sum([items, order.shipping_total()]), order.total);
        let shares = decimal::sum(order.items.iter().map(|item| item.order_discount));
        let agreed = order.discount.as_ref().map(|discount| discount.discounted.amount);
        prop_assert_eq!(shares, agreed.unwrap_or_default());
        prop_assert!(!order.discount_total().is_negative());
        if order.items.iter().all(|item| item.taken_off() == Amount::ZERO) {
            prop_assert_eq!(order.discount_total(), Amount::ZERO);
        }
        for item in &order.items {
            prop_assert!(item.stated().after_discount() >= Amount::ZERO);
            let Amounts { amount, discount, .. } = item.stated().amounts();
            prop_assert!(discount.unwrap_or_default() <= amount);
        }
    }

    #[test]
    fn without_discounts_and_shipping_it_is_the_rounded_sum(lines in lines()) {
        let plain: Vec<Line> = lines
            .into_iter()
            .map(|line| Line { discount: None, tax_included: true, ..line })
            .collect();
        let order = ordered(&plain, None, None, "MXN").unwrap();
        let sum = decimal::sum(plain.iter().map(|line| decimal::product(line.price, line.quantity.amount())));
        prop_assert_eq!(order.total, sum.rounded(2));
        prop_assert_eq!([order.subtotal(), order.discount_total()], [order.total, Amount::ZERO]);
    }
}
