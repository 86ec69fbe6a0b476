//! How often a page asks the database: a dozen times at most, however many rows it shows.

use std::sync::Arc;

use accounts::{People, UserOffice, Visit};
use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

use super::{
    browser::{Browser, EMAIL},
    bulk::begun,
    money::lamp,
    shop::{made, opened},
    walk::{owned, paths},
};
use crate::{openapi::Shop, orders::shop::id};

on_both!(a_page_asks_a_dozen_times_at_most, what_is_withheld_of_orders_is_looked_up_at_once,);

const QUERIES_MAX: u64 = 12;
/// More than a page may ask: what asks once for each row is found out.
const ROWS: usize = 15;
/// What goes on beside asks, too. It does not always.
const TRIES: usize = 20;

fn a_page_asks_a_dozen_times_at_most(kind: DatabaseKind) {
    let app = App::start(kind);
    let shop = Shop::open(&app);
    many_of_all(&shop);
    let browser = Browser::new(&app);
    let account = owned(&app, &browser);
    a_member_asks_for_approval(&browser, &account);
    has_authenticator(&app);
    let job = begun(&browser, &format!("{account}orders/bulk/ship?which=all"), &[]);
    let _ = shop.client.ended(&job);
    let found = paths::found(&browser, &account).shown;
    assert!(found.len() > 100, "{} pages are found", found.len());
    let mut wrong = Vec::new();
    for (page, path) in &found {
        let least = asks(&app, &browser, path, QUERIES_MAX);
        if least > QUERIES_MAX {
            wrong.push(format!("{page} asks {least} times: {path}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // What is to be done is read with what the navigation counts: nothing else than around a page that shows nothing.
    let nothing = asks(&app, &browser, &format!("{account}search"), 0);
    assert_eq!(asks(&app, &browser, &account, 0), nothing);
}

/// Keys have asked for approvals; so does a member.
fn a_member_asks_for_approval(browser: &Browser, account: &str) {
    let page = format!("{account}orders/new");
    let order = [("customer", "buyer@shop.example"), ("sku[0]", "PIN-1R"), ("quantity[0]", "1")];
    let order = [&order[..], &[("orderDiscount", "90%")]].concat();
    let asked = browser.send(&page, &page, &order);
    assert_eq!(asked.status, 303, "{}", asked.text);
    let place = asked.header("location").unwrap();
    assert!(place.ends_with("approval.asked"), "{place}");
    let list = browser.read(&format!("{account}approvals"));
    assert!(list.matches("<th scope=\"row\">").count() > 1, "{list}");
}

/// The user has an authenticator, with recovery codes, which costs no page anything.
fn has_authenticator(app: &App) {
    let (store, now) = (app.store(), app.now());
    let user = store.user_of(EMAIL.to_owned()).wait().unwrap().unwrap().unwrap().id;
    let begun = store.begin_totp(user, "Tienda".to_owned(), now).wait().unwrap().unwrap().value;
    let visit = Visit { now, trace: Arc::default(), user_agent: String::new() };
    let code = begun.secret.code_at(now);
    let codes = store.confirm_totp(user, code, visit).wait().unwrap().unwrap().value;
    assert_eq!(codes.len(), 10);
}

/// How a form names a field of a line.
type FieldName = fn(usize, &str) -> String;
/// A form: its page, and what is filled in besides its lines.
type Form = (&'static str, &'static [(&'static str, &'static str)], FieldName);

const BUYER: &[(&str, &str)] = &[("customer", "buyer@shop.example")];

/// On SQLite, where a question is no round trip, what is offered is looked up one by one.
#[test]
fn a_form_looks_up_all_its_lines_at_once() {
    let app = App::start(DatabaseKind::Postgres);
    let shop = Shop::open(&app);
    for number in 0..ROWS {
        let mug = json!({"name": "Taza", "sku": format!("T-{number}"), "price": 10});
        let _ = shop.client.post("/products", &mug).expect(201);
    }
    let browser = Browser::new(&app);
    let account = owned(&app, &browser);
    let item: FieldName = |row, column| format!("items[{row}].{column}");
    let forms: [Form; 3] = [
        ("orders/new", BUYER, |row, column| format!("{column}[{row}]")),
        ("quotes/new", BUYER, item),
        ("invoices/new", &[], item),
    ];
    for (page, whose, name) in forms {
        let path = format!("{account}{page}");
        let asks = |rows: usize| {
            let lines = (0..rows).flat_map(|row| {
                let sku = (name(row, "sku"), format!("T-{row}"));
                [sku, (name(row, "quantity"), "1".to_owned())]
            });
            let lines: Vec<(String, String)> = lines.collect();
            let mut fields = [whose, &[("check", "true")]].concat();
            fields.extend(lines.iter().map(|(name, text)| (name.as_str(), text.as_str())));
            let total = format!("${rows}0.00");
            least(&app, 0, || {
                let shown = browser.send(&path, &path, &fields);
                assert_eq!(shown.status, 200, "{}", shown.text);
                // Whoever is invoiced is missing, but nothing of what is sold.
                let is_shown = shown.text.contains(&total) || whose.is_empty();
                assert!(is_shown && !shown.text.contains("sku-fault"), "{}", shown.text);
            })
        };
        let (one, many) = (asks(1), asks(ROWS));
        assert!(
            many < one + ROWS as u64 - 1,
            "{page} asks {one} times for a line, {many} for {ROWS}"
        );
    }
}

fn what_is_withheld_of_orders_is_looked_up_at_once(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let lamp = lamp(&client);
    let buyer = json!({"name": "Xóchilt", "rfc": "URE180429TM6"});
    let buyer = id(&made(&client, "/customers", &buyer));
    let items = json!([{"productId": lamp, "quantity": 1}]);
    let place = || made(&client, "/orders", &json!({"customerId": buyer, "items": items}));
    let pages = [
        "orders/bulk/pay?which=all".to_owned(),
        "orders.csv".to_owned(),
        format!("customers/{buyer}"),
    ];
    let asked = || -> Vec<u64> {
        pages.iter().map(|page| asks(&app, &browser, &format!("{account}{page}"), 0)).collect()
    };
    let _ = place();
    let one = asked();
    for _ in 1..ROWS {
        let _ = place();
    }
    for ((page, one), many) in pages.iter().zip(one).zip(asked()) {
        assert!(
            many < one + ROWS as u64 - 1,
            "{page} asks {one} times for an order, {many} for {ROWS}"
        );
    }
}

/// How often a page asks at least; less than `enough` is not looked for.
pub(super) fn asks(app: &App, browser: &Browser, path: &str, enough: u64) -> u64 {
    least(app, enough, || {
        let _ = browser.read(path);
    })
}

/// The same of whatever is done.
fn least(app: &App, enough: u64, act: impl Fn()) -> u64 {
    let mut least = u64::MAX;
    for _ in 0..TRIES {
        let before = app.statements();
        act();
        least = least.min(app.statements() - before);
        if least <= enough {
            break;
        }
    }
    least
}

/// More of everything than a page may ask. What belongs to something is there many times, too.
fn many_of_all(shop: &Shop) {
    let client = &shop.client;
    let made = |path: &str, body: Value| {
        let made = client.post(path, &body).expect(201);
        made["id"].as_str().unwrap().to_owned()
    };
    let numbered = || 0..ROWS;
    let product = |number| {
        let variants = json!([{"name": "Azul", "sku": format!("T-{number}-A"), "inventory": 9}]);
        let body = json!({"name": format!("Taza {number}"), "sku": format!("T-{number}"),
            "price": 10, "inventory": 100, "variants": variants});
        made("/products", body)
    };
    let products: Vec<String> = numbered().map(product).collect();
    let skus: Vec<String> = numbered().map(|number| format!("T-{number}")).collect();
    let lines = |more: Value| -> Value {
        let line = |sku: &String| {
            let mut line = json!({"sku": sku});
            line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            line
        };
        skus.iter().map(line).collect()
    };
    let sold: Value = products.iter().map(|id| json!({"productId": id, "quantity": 3})).collect();
    for number in numbered() {
        let email = format!("cliente{number}@shop.example");
        let customer = made("/customers", json!({"name": "Ana", "email": email}));
        let one = json!([{"productId": products[number], "quantity": 1}]);
        let _ = made("/orders", json!({"customerId": customer, "items": one}));
        let lead = json!({"name": "Rosa", "email": format!("rosa{number}@lead.example")});
        let _ = made("/crm/leads", lead);
        let deal = json!({"title": "Tazas", "value": 10, "customerId": shop.buyer});
        let _ = made("/crm/deals", deal);
        let quote = json!({"customerId": shop.buyer, "title": "Tazas", "items": sold});
        let _ = made("/crm/quotes", quote);
        let _ = made("/payment-links", json!({"title": "Taza", "amount": 10}));
        let _ = made("/price-lists", json!({"name": format!("Lista {number}")}));
        let call = json!({"kind": "call", "subject": "Llamar", "customerId": shop.buyer});
        let _ = made("/crm/activities", call);
    }
    let list = format!("/price-lists/{}/items", shop.price_list);
    let prices = json!({"items": lines(json!({"price": 5}))});
    let _ = client.send("PUT", &list, &prices).expect(200);
    let found = json!({"reason": "found", "items": lines(json!({"delta": 4}))});
    let _ = made("/stock/adjustments", found);
    let bought =
        json!({"supplier": "Barro SA", "items": lines(json!({"quantity": 2, "unitCost": 7}))});
    let _ = made("/stock/receipts", bought);
    let _ = made("/stock/counts", json!({"items": lines(json!({}))}));
    let transfer = json!({"fromWarehouseId": shop.shelf, "toWarehouseId": shop.outlet,
        "items": lines(json!({"quantity": 1}))});
    let sent = made("/transfers", transfer);
    let _ = client.act(&format!("/transfers/{sent}/dispatch")).expect(200);
    // The newest of all, which stands first.
    let order = made("/orders", json!({"customerId": shop.buyer, "items": sold}));
    much_happens_to(client, &order);
}

/// An order that is paid and shipped in parts.
fn much_happens_to(client: &Client, order: &str) {
    for line in 1..=ROWS {
        let cash = json!({"method": "cash", "orderId": order, "amount": 1});
        let _ = client.post("/payments", &cash).expect(201);
        let shipped = json!({"items": [{"line": line, "quantity": 1}], "carrier": "DHL"});
        let _ = client.post(&format!("/orders/{order}/shipments"), &shipped).expect(201);
    }
}
