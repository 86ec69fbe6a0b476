//! How often commands ask PostgreSQL, where every statement is waited for.

use serde_json::json;
use testkit::{App, DatabaseKind};

use crate::invoices::office::{Office, id};

/// What goes on beside asks, too. It does not always.
const TRIES: usize = 10;

/// How often something asks at least, beginnings and ends of transactions apart.
fn asks(app: &App, mut act: impl FnMut(usize)) -> u64 {
    let mut least = u64::MAX;
    for number in 0..TRIES {
        let before = app.statements();
        act(number);
        least = least.min(app.statements() - before);
    }
    least
}

/// A statement that commands of every kind send once more is dear: each bound is what they need, and little more.
#[test]
fn what_is_done_most_asks_seldom() {
    let office = Office::open(DatabaseKind::Postgres);
    let client = &office.client;
    let mut asked = Vec::new();
    let mut note = |what: &'static str, most: u64, least: u64| asked.push((what, most, least));

    let mut products = Vec::new();
    let made = asks(&office.app, |number| {
        let body =
            json!({"name": "Taza", "price": 116, "sku": format!("T-{number}"), "inventory": 9});
        products.push(id(&client.post("/products", &body).expect(201)));
    });
    note("a product with stock", 12, made);
    let changed = asks(&office.app, |number| {
        let path = format!("/products/{}", products[number]);
        let _ = client.patch(&path, &json!({"price": 117})).expect(200);
    });
    note("a price", 10, changed);

    let customer = id(&client.post("/customers", &json!({"name": "Ana"})).expect(201));
    let orders: Vec<String> = products
        .iter()
        .map(|product| {
            let items = json!([{"productId": product, "quantity": 1}]);
            id(&client
                .post("/orders", &json!({"customerId": customer, "items": items}))
                .expect(201))
        })
        .collect();
    let paid = asks(&office.app, |number| {
        let cash = json!({"orderId": orders[number], "method": "cash"});
        let _ = client.post("/payments", &cash).expect(201);
    });
    note("a payment in cash", 15, paid);

    let mut drafts = Vec::new();
    let drafted = asks(&office.app, |_| drafts.push(office.sale(116.0)));
    note("a draft of an invoice", 10, drafted);
    let stamped = asks(&office.app, |number| drop(office.stamp(&drafts[number]).expect(200)));
    note("a stamping", 15, stamped);

    let too_often: Vec<_> = asked.iter().filter(|(_, most, least)| least > most).collect();
    assert!(too_often.is_empty(), "{asked:?}");
}
