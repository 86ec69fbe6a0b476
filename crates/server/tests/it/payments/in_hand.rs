//! Payments in hand that come at the same moment: they are recorded together, and each is judged on what the others left.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::till::Till;
use crate::{orders::shop::id, races::at_once};

on_both!(
    of_many_at_once_as_many_are_taken_as_are_due,
    what_they_settle_together_is_closed,
    one_that_is_refused_harms_no_neighbour,
);

fn of_many_at_once_as_many_are_taken_as_are_due(kind: DatabaseKind) {
    let till = Till::open(kind);
    let orders: Vec<String> = (0..3).map(|_| till.order(2)).collect();
    let replies: Vec<(usize, Reply)> = at_once(48, |number| {
        let order = number % orders.len();
        let cash = json!({"orderId": orders[order], "method": "cash", "amount": 10});
        (order, till.ask(&cash))
    });
    for (place, order) in orders.iter().enumerate() {
        let own: Vec<&Reply> =
            replies.iter().filter(|(of, _)| *of == place).map(|(_, reply)| reply).collect();
        let taken = own.iter().filter(|reply| reply.status == 201).count();
        assert_eq!((own.len(), taken), (16, 10));
        let refused = own.iter().filter(|reply| reply.status == 409);
        for reply in refused {
            assert_eq!(reply.json()["error"], "amount_exceeds_due", "{}", reply.text);
        }
        let now = till.order_now(order);
        assert_eq!(
            (&now["status"], &now["amountPaid"], &now["amountDue"]),
            (&json!("paid"), &json!(100), &json!(0))
        );
        let path = format!("/payments?orderId={order}&limit=100");
        let page = till.shop.client.get(&path).expect(200);
        assert_eq!(page["total"], 10, "{page}");
    }
    assert_eq!(till.shop.told("payment.received").len(), 30);
    let mut paid: Vec<Value> =
        till.shop.told("order.paid").iter().map(|told| told["id"].clone()).collect();
    paid.sort_by_key(Value::to_string);
    let mut expected: Vec<Value> = orders.iter().map(|order| json!(order)).collect();
    expected.sort_by_key(Value::to_string);
    assert_eq!(paid, expected);
}

fn what_they_settle_together_is_closed(kind: DatabaseKind) {
    let till = Till::open(kind);
    let orders: Vec<String> = (0..4).map(|_| till.order(2)).collect();
    let opened: Vec<(String, Value)> = orders
        .iter()
        .map(|order| {
            let link = till.shop.make("/payment-links", &json!({"orderId": order}));
            let spei =
                json!({"orderId": order, "method": "spei", "amount": 40, "provider": "sandbox"});
            (id(&link), till.pay(&spei))
        })
        .collect();
    // What is under way counts as due until it is called off.
    let replies = at_once(8, |number| {
        let order = &orders[number / 2];
        let half =
            json!({"orderId": order, "method": "cash", "amount": 50, "allowOverpayment": true});
        till.ask(&half)
    });
    for reply in &replies {
        assert_eq!(reply.status, 201, "{}", reply.text);
    }
    for (order, (link, spei)) in orders.iter().zip(&opened) {
        assert_eq!(till.order_now(order)["status"], "paid");
        let link = till.shop.client.get(&format!("/payment-links/{link}")).expect(200);
        assert_eq!(link["status"], "completed", "{link}");
        let _ = till.once(spei, "canceled");
    }
}

fn one_that_is_refused_harms_no_neighbour(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (open, over) = (till.order(1_000), till.order(1));
    let _ =
        till.shop.change(&over, &json!({"status": "cancelled", "reason": "No stock"})).expect(200);
    let bodies = [
        (201, json!({"orderId": open, "method": "cash", "amount": 5})),
        (201, json!({"method": "transfer", "amount": 5, "currency": "MXN"})),
        (409, json!({"orderId": over, "method": "cash"})),
        (400, json!({"orderId": "ord_01KG9A4D6F8H0J2M4P6R8T0V2X", "method": "cash"})),
        (400, json!({"orderId": open, "method": "cash", "amount": 1.001})),
        (409, json!({"orderId": open, "method": "cash", "amount": 60_000})),
    ];
    let replies = at_once(48, |number| {
        let (status, body) = &bodies[number % bodies.len()];
        (*status, till.ask(body))
    });
    for (expected, reply) in &replies {
        assert_eq!(*expected, reply.status, "{}", reply.text);
    }
    assert_eq!(till.order_now(&open)["amountPaid"], 40);
    assert_eq!(till.shop.told("payment.received").len(), 16);
}
