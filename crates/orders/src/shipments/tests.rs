use kernel::Decimals;
use proptest::prelude::*;

use super::*;
use crate::{FulfillmentStatus, update::tests::order};

const NOW: Timestamp = Timestamp::from_micros(7);
const HOME: WarehouseId = WarehouseId::from_u128(1);
const NORTH: WarehouseId = WarehouseId::from_u128(2);

fn ordered(quantity: Quantity) -> Order {
    let mut order = order();
    order.items.iter_mut().for_each(|item| item.quantity = quantity);
    order
}

fn open(parts: &[(WarehouseId, Quantity)]) -> Vec<LineProgress> {
    vec![LineProgress { open: parts.to_vec(), shipped: 0, removed: 0 }]
}

fn of(quantity: Quantity, warehouse: Option<WarehouseId>) -> NewShipment {
    let lines = vec![ShipmentLine { line: 0, quantity: Measure::whole(quantity) }];
    NewShipment { lines, warehouse, ..NewShipment::default() }
}

fn try_ship(order: &Order, new: &NewShipment, progress: &[LineProgress]) -> Outcome<Shipped> {
    ship(order, new, progress, &Dispatched::default(), ShipmentId::from_u128(1), NOW)
}

fn names(events: &[NewEvent]) -> Vec<&str> {
    events.iter().map(|event| event.name).collect()
}

#[test]
fn the_last_shipment_makes_an_order_shipped_and_tells_it_once() {
    let order = ordered(3);
    let first = try_ship(&order, &of(2, None), &open(&[(HOME, 3)])).unwrap();
    assert_eq!(first.order.fulfillment_status, FulfillmentStatus::PartiallyFulfilled);
    assert_eq!(first.order.status, OrderStatus::Pending);
    assert_eq!(names(&first.events), ["shipment.created"]);
    let left = [LineProgress { open: vec![(HOME, 1)], shipped: 2, removed: 0 }];
    let last = try_ship(&first.order, &NewShipment::default(), &left).unwrap();
    assert_eq!(names(&last.events), ["shipment.created", "order.updated", "order.shipped"]);
    assert_eq!(last.order.status, OrderStatus::Shipped);
    let all = [LineProgress { open: Vec::new(), shipped: 3, removed: 0 }];
    let back = cancel(&last.order, &last.shipment, &all, NOW).unwrap();
    assert_eq!(back.order.status, OrderStatus::Pending);
    assert_eq!(names(&back.events), ["shipment.cancelled", "order.updated"]);
    let again = try_ship(&back.order, &NewShipment::default(), &left).unwrap();
    assert_eq!(names(&again.events), ["shipment.created", "order.updated"]);
}

#[test]
fn it_is_told_with_the_number_of_the_last_shipment_or_of_the_newest_that_has_one() {
    let number = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    for (own, earlier, of_order, told) in [
        ("LAST", "EARLIER", "ORDER", "LAST"),
        ("", "EARLIER", "ORDER", "EARLIER"),
        ("", "", "ORDER", "ORDER"),
        ("", "", "", ""),
    ] {
        let order = Order { tracking_number: number(of_order), ..ordered(1) };
        let new = NewShipment { tracking_number: number(own), ..NewShipment::default() };
        let earlier = Dispatched { count: 1, is_any: true, tracking_number: number(earlier) };
        let id = ShipmentId::from_u128(1);
        let shipped = ship(&order, &new, &open(&[(HOME, 1)]), &earlier, id, NOW).unwrap();
        let data = &shipped.events[2].data;
        assert!(data.contains(&format!("\"trackingNumber\":\"{told}\"")), "{data}");
    }
}

#[test]
fn shipments_that_come_and_go_have_an_end() {
    let earlier = |count| Dispatched { count, ..Dispatched::default() };
    let attempt = |count| {
        let (order, id) = (ordered(1), ShipmentId::from_u128(1));
        ship(&order, &NewShipment::default(), &open(&[(HOME, 1)]), &earlier(count), id, NOW)
    };
    assert!(attempt(SHIPMENTS_MAX - 1).is_ok());
    let refused = rule(ShipmentError::TooManyShipments { max: SHIPMENTS_MAX });
    assert_eq!(attempt(SHIPMENTS_MAX).unwrap_err(), refused);
}

#[test]
fn goods_leave_from_where_they_are_promised() {
    let order = ordered(5);
    let both = open(&[(HOME, 3), (NORTH, 2)]);
    let Err(Refusal::Invalid(faults)) = try_ship(&order, &of(1, None), &both) else {
        panic!("several warehouses");
    };
    assert_eq!(faults[0].field, "warehouseId");
    let refused = try_ship(&order, &of(3, Some(NORTH)), &both).unwrap_err();
    let open_there = Measure::whole(2);
    let too_many = ShipmentError::TooMany { line: 1, warehouse: NORTH, open: open_there };
    assert_eq!(refused, rule(too_many));
    assert_eq!(try_ship(&order, &of(2, Some(NORTH)), &both).unwrap().shipment.warehouse, NORTH);
    let rest = rest(&order, &both, || ShipmentId::from_u128(9), NOW);
    let parts: Vec<_> =
        rest.iter().map(|shipment| (shipment.warehouse, shipment.lines[0].quantity)).collect();
    assert_eq!(parts, [(HOME, Measure::whole(3)), (NORTH, Measure::whole(2))]);
    let nothing = try_ship(&order, &NewShipment::default(), &open(&[])).unwrap_err();
    assert_eq!(nothing, rule(ShipmentError::NothingOpen { warehouse: None }));
    let from_north = NewShipment { warehouse: Some(NORTH), ..NewShipment::default() };
    let nothing = try_ship(&order, &from_north, &open(&[(HOME, 3)])).unwrap_err();
    assert_eq!(nothing, rule(ShipmentError::NothingOpen { warehouse: Some(NORTH) }));
    let beyond = ShipmentLine { line: 1, quantity: Measure::whole(1) };
    let beyond = NewShipment { lines: vec![beyond], ..of(1, None) };
    assert!(matches!(try_ship(&order, &beyond, &both), Err(Refusal::Invalid(_))));
}

#[test]
fn what_is_weighed_leaves_to_the_gram() {
    let mut order = ordered(350);
    order.items[0].decimals = Decimals::Three;
    let some = |thousandths| {
        let quantity = Measure::from_thousandths(thousandths);
        NewShipment { lines: vec![ShipmentLine { line: 0, quantity }], ..NewShipment::default() }
    };
    let refused = try_ship(&order, &some(351), &open(&[(HOME, 350)])).unwrap_err();
    let left = Measure::from_thousandths(350);
    assert_eq!(refused, rule(ShipmentError::TooMany { line: 1, warehouse: HOME, open: left }));
    let first = try_ship(&order, &some(100), &open(&[(HOME, 350)])).unwrap();
    let left = [LineProgress { open: vec![(HOME, 250)], shipped: 100, removed: 0 }];
    let last = try_ship(&first.order, &NewShipment::default(), &left).unwrap();
    assert_eq!(last.shipment.lines[0].quantity.to_string(), "0.25");
    assert_eq!(last.order.fulfillment_status, FulfillmentStatus::Fulfilled);
    let Err(Refusal::Invalid(faults)) = try_ship(&ordered(2), &some(500), &left) else {
        panic!("a part of a piece");
    };
    assert_eq!(faults[0].field, "items[0].quantity");
}

#[test]
fn what_came_back_keeps_its_shipment() {
    let mut order = ordered(2);
    let shipped = try_ship(&order, &of(2, None), &open(&[(HOME, 2)])).unwrap();
    order = shipped.order;
    order.items[0].returned = 1;
    let progress = [LineProgress { open: Vec::new(), shipped: 2, removed: 0 }];
    let refused = cancel(&order, &shipped.shipment, &progress, NOW).unwrap_err();
    assert_eq!(refused, rule(ShipmentError::CameBack { line: 1 }));
    let to = |status| ShipmentChanges { status: Some(status), ..ShipmentChanges::default() };
    assert!(revise(&shipped.shipment, to(ShipmentStatus::Cancelled), NOW).is_err());
    let delivered = to(ShipmentStatus::Delivered);
    let (delivered, told) = revise(&shipped.shipment, delivered, NOW).unwrap();
    assert_eq!((delivered.status, delivered.version), (ShipmentStatus::Delivered, 2));
    assert_eq!(names(&told), ["shipment.delivered"]);
    let again = revise(&delivered, to(ShipmentStatus::Delivered), NOW).unwrap();
    assert_eq!(again, (delivered.clone(), Vec::new()));
    assert!(revise(&delivered, to(ShipmentStatus::Shipped), NOW).is_err());
    assert!(cancel(&order, &delivered, &progress, NOW).is_err());
}

proptest! {
    #[test]
    fn an_order_is_out_when_all_that_is_left_of_it_is(
        quantity in 1i64..20, removed in 0i64..20, parts in prop::collection::vec(1i64..6, 0..8),
    ) {
        let mut order = ordered(quantity);
        let removed = removed.min(quantity - 1);
        let mut line = LineProgress { open: vec![(HOME, quantity - removed)], shipped: 0, removed };
        for part in parts {
            let left = line.open[0].1;
            let tried = try_ship(&order, &of(part, None), &[line.clone()]);
            prop_assert_eq!(tried.is_ok(), part <= left && left > 0);
            let Ok(shipped) = tried else { continue };
            order = shipped.order;
            line.open[0].1 -= part;
            line.shipped += part;
            let is_out = line.open[0].1 == 0;
            prop_assert_eq!(order.status == OrderStatus::Shipped, is_out);
            prop_assert_eq!(order.fulfillment_status == FulfillmentStatus::Fulfilled, is_out);
        }
    }
}
