use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::{
    CustomerGroupId, ListTerms,
    order::{ItemProductId, ItemVariantId},
};

fn sku(product: u128) -> ItemSku {
    ItemSku { product: ItemProductId::from_u128(product), variant: None }
}

fn offered(product: u128, price_micros: i64, available: Quantity) -> Offer {
    Offer {
        sold: sku(product),
        name: format!("Product {product}"),
        sku: format!("P-{product}"),
        price: Amount::from_micros(price_micros),
        listed: Vec::new(),
        currency: Currency::MXN,
        tax_included: true,
        taxes: Vec::new(),
        decimals: Decimals::Zero,
        available,
        elsewhere: 0,
        others: Vec::new(),
        unit_cost: None,
        threshold: 5,
        on_sale: true,
    }
}

fn ordered(lines: &[(u128, Quantity)]) -> PlaceOrder {
    let item = |(product, quantity): &(u128, Quantity)| {
        PlaceItem::new(sku(*product), Measure::whole(*quantity))
    };
    PlaceOrder::new(CustomerId::from_u128(1), lines.iter().map(item).collect())
}

fn placed(command: &PlaceOrder, offers: &[Offer]) -> Result<Placed, Refusal<PlaceError>> {
    placed_from(&[1], command, offers)
}

/// Places an order out of these warehouses, of which 1 is the first.
fn placed_from(
    warehouses: &[u128],
    command: &PlaceOrder,
    offers: &[Offer],
) -> Result<Placed, Refusal<PlaceError>> {
    let find = |wanted: ItemSku| offers.iter().find(|offer| offer.sold == wanted);
    let usual = [TaxRate::iva(160_000)];
    let from: Vec<_> = warehouses.iter().copied().map(WarehouseId::from_u128).collect();
    let sources = Sources { first: WarehouseId::from_u128(1), from: &from };
    let named = (OrderId::from_u128(1), 1);
    let book = PriceBook::default();
    place(command, find, sources, book, (&usual, None), named, Timestamp::from_micros(0))
}

#[test]
fn lines_of_one_product_count_together() {
    let refused = placed(&ordered(&[(1, 3), (1, 3)]), &[offered(1, 1_000_000, 5)]).unwrap_err();
    let Refusal::Rule(PlaceError::OutOfStock(demand)) = refused else { panic!("{refused:?}") };
    assert_eq!((demand.asked, demand.available), (Measure::whole(6), Measure::whole(5)));
}

#[test]
fn stock_is_taken_where_the_order_may_take_it() {
    let second = WarehouseId::from_u128(2);
    let offer = Offer { elsewhere: 4, others: vec![(second, 4)], ..offered(1, 1, 3) };
    let demand = |warehouses: &[u128], quantity| {
        let placed =
            placed_from(warehouses, &ordered(&[(1, quantity)]), std::slice::from_ref(&offer));
        match placed {
            Err(Refusal::Rule(PlaceError::OutOfStock(demand))) => {
                let units = |measure: Measure| measure.quantity(Decimals::Zero);
                (units(demand.available), units(demand.elsewhere))
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((demand(&[1], 4), demand(&[2], 5), demand(&[2, 1], 8)), ((3, 4), (4, 3), (7, 0)));
    let split = placed_from(&[2, 1], &ordered(&[(1, 6)]), std::slice::from_ref(&offer)).unwrap();
    let left = |one: &Reservation| (one.warehouse, one.quantity, one.left);
    let left: Vec<_> = split.reservations.iter().map(left).collect();
    assert_eq!(left, [(WarehouseId::from_u128(1), 2, 1), (second, 4, 0)]);
    // What counts as low is what all of them have.
    let (left, threshold) = (Measure::whole(1), Measure::whole(5));
    assert_eq!(split.low, [LowStock { sold: sku(1), left, threshold }]);
    let enough = placed_from(&[2], &ordered(&[(1, 2)]), &[offer]).unwrap();
    assert_eq!(enough.low, []);
}

#[test]
fn totals_are_exact_and_rounded_once() {
    let order =
        placed(&ordered(&[(1, 3), (2, 1)]), &[offered(1, 333_333, 9), offered(2, 5_001, 9)])
            .unwrap()
            .order;
    assert_eq!(order.total.to_string(), "1.01");
    assert_eq!(crate::number_text(order.number), "ORD-000001");
}

#[test]
fn every_bad_item_is_named() {
    let mut dollars = offered(2, 1, 9);
    dollars.currency = Currency::parse("USD").unwrap();
    let mut archived = offered(3, 1, 9);
    archived.on_sale = false;
    let mut command = ordered(&[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)]);
    command.items[4].wanted.variant = Some(ItemVariantId::from_u128(1));
    let refused = placed(&command, &[offered(1, 1, 9), dollars, archived]).unwrap_err();
    let Refusal::Invalid(faults) = refused else { panic!("{refused:?}") };
    let fields: Vec<_> = faults.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(
        fields,
        ["items[1].productId", "items[2].productId", "items[3].productId", "items[4].variantId"]
    );
}

/// Cheese, at so much a kilogram.
fn cheese(price: &str, grams: Quantity) -> Offer {
    let price = Amount::parse(price).unwrap();
    Offer { price, decimals: Decimals::Three, threshold: 500, ..offered(1, 0, grams) }
}

/// An order of so many thousandths.
fn weighed(thousandths: &[i64]) -> PlaceOrder {
    let item = |some: &i64| PlaceItem::new(sku(1), Measure::from_thousandths(*some));
    PlaceOrder::new(CustomerId::from_u128(1), thousandths.iter().map(item).collect())
}

#[test]
fn what_is_weighed_is_sold_to_the_gram() {
    let made = placed(&weighed(&[350, 200]), &[cheese("189.90", 1_000)]).unwrap();
    let [first, second] = made.order.items.as_slice() else { panic!("{:?}", made.order) };
    assert_eq!((first.quantity, first.line_total().to_string().as_str()), (350, "66.465"));
    assert_eq!((second.ordered().to_string().as_str(), second.decimals), ("0.2", Decimals::Three));
    assert_eq!(made.order.total.to_string(), "104.45", "66.465 and 37.98 are rounded once");
    assert_eq!((made.reservations[0].quantity, made.reservations[0].left), (550, 450));
    assert_eq!(
        (made.low[0].left.to_string().as_str(), made.low[0].threshold.to_string().as_str()),
        ("0.45", "0.5")
    );
    let refused = placed(&weighed(&[1_001]), &[cheese("1", 1_000)]).unwrap_err();
    let Refusal::Rule(PlaceError::OutOfStock(demand)) = refused else { panic!("{refused:?}") };
    assert_eq!(
        (demand.asked.to_string(), demand.available.to_string()),
        ("1.001".to_owned(), "1".to_owned())
    );
    let refused = placed(&weighed(&[1_500, 2_000, 500]), &[offered(1, 1, 9)]).unwrap_err();
    let Refusal::Invalid(faults) = refused else { panic!("{refused:?}") };
    let fields: Vec<_> = faults.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(fields, ["items[0].quantity", "items[2].quantity"]);
}

proptest! {
    #[test]
    fn a_line_costs_its_price_times_its_quantity_half_away_from_zero(
        price in 0_i64..1_000_000_000_000, thousandths in 1_i64..1_000_000_000,
    ) {
        let offer = Offer { price: Amount::from_micros(price), ..cheese("0", thousandths) };
        let Ok(made) = placed(&weighed(&[thousandths]), &[offer]) else { return Ok(()) };
        let exact = i128::from(price) * i128::from(thousandths);
        let line = i128::from(made.order.items[0].line_total().micros());
        let off = line * 1_000 - exact;
        prop_assert!(-500 < off && off <= 500, "{line} of {exact} thousandths");
        // The whole of it is the line, rounded to the cent once.
        let cents = (exact + 5_000_000) / 10_000_000;
        let total = i128::from(made.order.total.micros());
        prop_assert!((total - cents * 10_000).abs() <= 10_000, "{total} of {exact}");
    }
}

#[test]
fn a_total_beyond_the_largest_amount_is_refused() {
    let refused =
        placed(&ordered(&[(1, 1_000)]), &[offered(1, Amount::MAX.micros(), 2_000)]).unwrap_err();
    assert!(matches!(refused, Refusal::Invalid(_)));
}

proptest! {
    #[test]
    fn what_is_reserved_is_what_was_ordered_and_never_more_than_there_is(
        stock in prop::collection::vec(0i64..30, 1..6),
        lines in prop::collection::vec((0usize..6, 1i64..12), 1..10),
    ) {
        let offers: Vec<_> = stock.iter().enumerate().map(|(i, left)| offered(i as u128, 1_990_000, *left)).collect();
        let lines: Vec<_> = lines.iter().map(|(i, quantity)| ((i % stock.len()) as u128, *quantity)).collect();
        let mut asked: HashMap<u128, i64> = HashMap::new();
        for (product, quantity) in &lines {
            *asked.entry(*product).or_default() += quantity;
        }
        let enough = asked.iter().all(|(product, quantity)| *quantity <= stock[*product as usize]);
        match placed(&ordered(&lines), &offers) {
            Ok(placed) => {
                prop_assert!(enough);
                prop_assert_eq!(placed.reservations.len(), asked.len());
                for reservation in &placed.reservations {
                    let product = offers.iter().position(|offer| offer.sold == reservation.sold).unwrap();
                    prop_assert_eq!(reservation.quantity, asked[&(product as u128)]);
                    prop_assert_eq!(reservation.left, stock[product] - reservation.quantity);
                    prop_assert!(reservation.left >= 0);
                }
                let pieces: i64 = lines.iter().map(|(_, quantity)| quantity).sum();
                prop_assert_eq!(placed.order.total, Amount::from_micros(1_990_000).times(pieces).unwrap());
            }
            Err(_) => prop_assert!(!enough),
        }
    }
}

#[test]
fn what_was_agreed_on_holds_whatever_the_catalog_says() {
    let usd = Currency::parse("USD").unwrap();
    let offer = Offer { currency: usd, tax_included: false, ..offered(1, 500_000_000, 9) };
    let mut command = ordered(&[(1, 2)]);
    command.items[0].unit_price = Some(Amount::from_micros(116_000_000));
    command.items[0].agreed = Some(Agreed {
        currency: Currency::MXN,
        tax_included: true,
        taxes: vec![TaxRate::iva(160_000)],
    });
    let order = placed(&command, &[offer]).unwrap().order;
    assert_eq!((order.total.to_string().as_str(), order.currency), ("232", Currency::MXN));
    assert_eq!(order.tax_total.unwrap().to_string(), "32");
}

/// A price list of a group, of nobody in particular, or in another currency.
fn list(id: u128, group: Option<u128>, currency: &str) -> PriceList {
    let terms = ListTerms {
        currency: Currency::parse(currency).unwrap(),
        group: group.map(CustomerGroupId::from_u128),
        priority: 100,
        from: None,
        until: None,
    };
    PriceList { id: PriceListId::from_u128(id), terms }
}

fn listed(list: u128, min_quantity: Quantity, price_micros: i64) -> ListedPrice<PriceListId> {
    let (list, price) = (PriceListId::from_u128(list), Amount::from_micros(price_micros));
    ListedPrice { list, is_of_variant: false, min_quantity, price }
}

/// The unit prices and the currency of an order under these lists, or the field that is refused.
fn prices_under(
    lists: &[PriceList],
    group: Option<u128>,
    command: &PlaceOrder,
    offers: &[Offer],
) -> Result<(Vec<i64>, String, Vec<i64>), String> {
    let find = |wanted: ItemSku| offers.iter().find(|offer| offer.sold == wanted);
    let from = [WarehouseId::from_u128(1)];
    let sources = Sources { first: from[0], from: &from };
    let book = PriceBook { lists, group: group.map(CustomerGroupId::from_u128) };
    let named = (OrderId::from_u128(1), 1);
    match place(command, find, sources, book, (&[], None), named, Timestamp::from_micros(0)) {
        Ok(Placed { order, prices, .. }) => {
            let paid = order.items.iter().map(|item| item.unit_price.micros()).collect();
            let usual = prices.iter().map(|(_, price)| price.micros()).collect();
            Ok((paid, order.currency.to_string(), usual))
        }
        Err(Refusal::Invalid(faults)) => Err(faults[0].field.clone()),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn price_lists_come_before_the_catalog_and_behind_a_price_of_the_item() {
    let lists = [list(1, None, "MXN"), list(2, Some(7), "MXN"), list(3, Some(7), "USD")];
    let wholesale = Offer {
        listed: vec![listed(1, 1, 90), listed(2, 5, 70), listed(3, 1, 5)],
        ..offered(1, 100, 99)
    };
    let offers = [wholesale, offered(2, 40, 99)];
    let mxn = |paid: &[i64], usual: &[i64]| Ok((paid.to_vec(), "MXN".to_owned(), usual.to_vec()));
    let order = ordered(&[(1, 1), (2, 1)]);
    assert_eq!(prices_under(&lists, None, &order, &offers), mxn(&[90, 40], &[90, 40]));
    assert_eq!(prices_under(&lists, Some(7), &order, &offers), mxn(&[90, 40], &[90, 40]));
    // What all items have of it together reaches the quantity; the older list comes first all the same.
    let more = ordered(&[(1, 3), (1, 2)]);
    assert_eq!(prices_under(&lists, Some(7), &more, &offers), mxn(&[90, 90], &[90, 90]));
    let own = &lists[1..];
    assert_eq!(prices_under(own, Some(7), &more, &offers), mxn(&[70, 70], &[70, 70]));
    assert_eq!(prices_under(own, Some(8), &more, &offers), mxn(&[100, 100], &[100, 100]));
    let mut stated = more;
    stated.items[0].unit_price = Some(Amount::from_micros(1));
    assert_eq!(prices_under(own, Some(7), &stated, &offers), mxn(&[1, 70], &[70, 70]));
}

#[test]
fn items_say_which_list_they_are_priced_by() {
    let lists = [list(1, None, "MXN")];
    let listed = Offer { listed: vec![listed(1, 1, 90)], ..offered(1, 100, 99) };
    let offers = [listed, offered(2, 40, 99)];
    let find = |wanted: ItemSku| offers.iter().find(|offer| offer.sold == wanted);
    let from = [WarehouseId::from_u128(1)];
    let sources = Sources { first: from[0], from: &from };
    let mut command = ordered(&[(1, 1), (1, 1), (2, 1)]);
    command.items[1].unit_price = Some(Amount::from_micros(90));
    let book = PriceBook { lists: &lists, group: None };
    let named = (OrderId::from_u128(1), 1);
    let now = Timestamp::from_micros(0);
    let placed = place(&command, find, sources, book, (&[], None), named, now).unwrap();
    let by: Vec<_> = placed.order.items.iter().map(|item| item.price_list).collect();
    assert_eq!(by, [Some(PriceListId::from_u128(1)), None, None]);
}

#[test]
fn a_price_list_that_is_named_sets_the_currency() {
    let lists = [list(1, None, "MXN"), list(3, Some(7), "USD")];
    let offer = Offer { listed: vec![listed(1, 1, 90), listed(3, 1, 5)], ..offered(1, 100, 99) };
    let offers = [offer, offered(2, 40, 99)];
    let naming = |id: u128, lines: &[(u128, Quantity)]| PlaceOrder {
        price_list: Some(PriceListId::from_u128(id)),
        ..ordered(lines)
    };
    let usd = prices_under(&lists, None, &naming(3, &[(1, 1)]), &offers).unwrap();
    assert_eq!(usd, (vec![5], "USD".to_owned(), vec![5]));
    let mxn = prices_under(&lists, None, &naming(1, &[(1, 1), (2, 1)]), &offers).unwrap();
    assert_eq!(mxn, (vec![90, 40], "MXN".to_owned(), vec![90, 40]));
    for (id, lines, field) in
        [(3, [(1, 1), (2, 1)], "items[1].productId"), (9, [(1, 1), (2, 1)], "priceListId")]
    {
        let refused = prices_under(&lists, None, &naming(id, &lines), &offers);
        assert_eq!(refused.unwrap_err(), field);
    }
}
