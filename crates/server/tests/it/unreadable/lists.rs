//! Lists leave out what cannot be read, and their pages keep their places.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{damage, left_out, set};
use crate::{
    invoices::office::{Office, id, sale},
    orders::shop::Shop,
};

on_both!(
    lists_leave_out_one_row_and_show_its_neighbours,
    pages_begin_where_they_would,
    one_that_cannot_be_read_harms_no_other_look_up,
    a_delivery_and_an_entry_of_the_ledger_are_left_out,
    drafts_are_listed_while_their_issuer_cannot_be_read,
);

/// The identifiers in a list.
#[track_caller]
fn listed(office: &Office, path: &str) -> Vec<String> {
    let page = office.client.get(path).expect(200);
    page["data"].as_array().unwrap().iter().map(id).collect()
}

fn lists_leave_out_one_row_and_show_its_neighbours(kind: DatabaseKind) {
    let office = Office::of(testkit::App::with(kind).not_delivering().start());
    let customer = office.customer();
    let mug = office.product("TAZA", 19.99, &json!({}));
    let product = |n: usize| json!({"name": "Vaso", "sku": format!("VASO-{n}"), "price": 1});
    let order = |_| json!({"customerId": customer, "items": [{"productId": mug, "quantity": 1}]});
    let person = |n: usize| json!({"name": format!("Ana {n}")});
    let webhook = |_| json!({"url": "http://127.0.0.1:9/", "events": ["order.paid"]});
    type Body<'a> = &'a dyn Fn(usize) -> Value;
    let resources: [(&str, &str, &str, &str, Body<'_>); 8] = [
        ("/products", "", "products", "taxes", &product),
        ("/products", "?sort=name&search=vaso", "products", "metadata", &product),
        ("/orders", "", "orders", "metadata", &order),
        ("/orders", "?status=pending", "orders", "metadata", &order),
        ("/customers", "", "customers", "addresses", &person),
        ("/crm/leads", "", "leads", "tags", &person),
        ("/invoices", "", "invoices", "draft", &|_| sale(116.0)),
        ("/webhooks", "", "subscriptions", "events", &webhook),
    ];
    for (round, (path, query, table, column, body)) in resources.into_iter().enumerate() {
        let made: Vec<String> =
            (0..3).map(|n| id(&office.make(path, &body(10 * round + n)))).collect();
        let all = listed(&office, &format!("{path}{query}"));
        let total = office.client.get(&format!("{path}{query}")).expect(200)["total"].clone();
        let before = left_out(&office.app);
        let sound = damage(&office.app, table, column, &made[1]);
        let page = office.client.get(&format!("{path}{query}")).expect(200);
        let shown: Vec<String> = page["data"].as_array().unwrap().iter().map(id).collect();
        let rest: Vec<String> = all.into_iter().filter(|one| *one != made[1]).collect();
        assert_eq!(shown, rest, "{path}{query}");
        assert_eq!(page["total"], total, "{path}{query}: it is still there");
        assert_eq!(left_out(&office.app) - before, 1.0, "{path}{query}");
        let _ = office.client.get(&format!("{path}/{}", made[1])).refused(500, "internal_error");
        for other in [&made[0], &made[2]] {
            let _ = office.client.get(&format!("{path}/{other}")).expect(200);
        }
        set(&office.app, table, column, &made[1], &sound);
    }
}

fn pages_begin_where_they_would(kind: DatabaseKind) {
    let office = Office::open(kind);
    let made: Vec<String> = (0..6).map(|n| office.sale(100.0 + f64::from(n))).collect();
    let newest: Vec<&String> = made.iter().rev().collect();
    // The last of the first page, and a whole page.
    for unreadable in [newest[1], newest[2], newest[3]] {
        let _ = damage(&office.app, "invoices", "document", unreadable);
    }
    let (mut pages, mut query) = (Vec::new(), "limit=2".to_owned());
    loop {
        let page = office.client.get(&format!("/invoices?{query}")).expect(200);
        assert_eq!(page["total"], 6);
        pages.push(page["data"].as_array().unwrap().iter().map(id).collect::<Vec<_>>());
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        query = format!("limit=2&cursor={cursor}");
    }
    let expected = [vec![newest[0].clone()], vec![], vec![newest[4].clone(), newest[5].clone()]];
    assert_eq!(pages, expected);
    for (number, expected) in (1..).zip(&expected) {
        assert_eq!(listed(&office, &format!("/invoices?limit=2&page={number}")), *expected);
    }
}

fn one_that_cannot_be_read_harms_no_other_look_up(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let products: Vec<String> =
        (0..8).map(|n| shop.product(&format!("TAZA-{n}"), 19.99, 5)).collect();
    let _ = damage(&shop.app, "products", "taxes", &products[3]);
    // Look-ups that wait together are answered by one query.
    std::thread::scope(|scope| {
        for place in (0..8).cycle().take(64) {
            let (client, product) = (shop.client.clone(), &products[place]);
            scope.spawn(move || {
                let status = if place == 3 { 500 } else { 200 };
                assert_eq!(client.get(&format!("/products/{product}")).status, status);
            });
        }
    });
}

fn a_delivery_and_an_entry_of_the_ledger_are_left_out(kind: DatabaseKind) {
    let office = Office::of(testkit::App::with(kind).not_delivering().start());
    let hook = json!({"url": "http://127.0.0.1:9/", "events": ["contact.created"]});
    let hook = id(&office.make("/webhooks", &hook));
    for _ in 0..3 {
        let _ = office.customer();
    }
    let path = format!("/webhooks/{hook}/deliveries");
    let deliveries = listed(&office, &path);
    let _ = damage(&office.app, "deliveries", "retry_of", &deliveries[1]);
    assert_eq!(listed(&office, &path), [deliveries[0].clone(), deliveries[2].clone()]);

    office.app.grant(office.account, 5);
    let entries = listed(&office, "/credits/ledger");
    let before = left_out(&office.app);
    let newest = &entries[0];
    let sql = format!("UPDATE credit_entries SET id = 'cre_damaged' WHERE id = '{newest}'");
    office.app.database.execute(&sql);
    assert_eq!(listed(&office, "/credits/ledger"), entries[1..]);
    assert_eq!(left_out(&office.app) - before, 1.0);
}

fn drafts_are_listed_while_their_issuer_cannot_be_read(kind: DatabaseKind) {
    let office = Office::open(kind);
    let drafts = [office.sale(116.0), office.sale(58.0)];
    let shown = office.read(&drafts[0]);
    let sql = format!("UPDATE issuers SET series = '{}'", super::NEWER);
    office.app.database.execute(&sql);
    assert_eq!(listed(&office, "/invoices"), [drafts[1].clone(), drafts[0].clone()]);
    assert_eq!(office.read(&drafts[0])["total"], shown["total"], "it is shown as it was last");
    let _ = office.client.get("/invoices/cfdi/issuer").refused(500, "internal_error");
}
