//! Today, in a shop that makes invoices: each figure leads to a list of as many rows.

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, on_both};

use super::Shop;
use crate::{invoices::office::company, orders::shop::id};

on_both!(home_counts_what_its_lists_show);

fn home_counts_what_its_lists_show(kind: DatabaseKind) {
    let shop = Shop::of(App::with(kind).not_delivering().start()).ready();
    let made = |path: &str, body: &Value| id(&shop.client.post(path, body).expect(201));
    let product = |sku: &str| {
        let body = json!({"name": sku, "sku": sku, "price": 116, "inventory": 50,
            "lowStockThreshold": 3});
        made("/products", &body)
    };
    let (mug, plate) = (product("TAZA"), product("PLATO"));
    let mut buyer = company();
    buyer["name"] = json!("Universidad");
    let buyer = made("/customers", &buyer);
    let items = json!([{"productId": mug, "quantity": 1}]);
    let ordered = || made("/orders", &json!({"customerId": buyer, "items": items}));
    let paid = || {
        let order = ordered();
        let payment = made("/payments", &json!({"method": "cash", "orderId": order}));
        (order, payment)
    };
    let _ = ordered();
    let (_, _, (cancelled, _), (_, refunded), (invoiced, _)) =
        (paid(), paid(), paid(), paid(), paid());
    let change = json!({"status": "cancelled", "reason": "Rota", "refund": true});
    let _ = shop.client.patch(&format!("/orders/{cancelled}"), &change).expect(200);
    let _ = made(&format!("/payments/{refunded}/refunds"), &json!({"amount": 116}));
    let _ = made("/invoices", &json!({"orderId": invoiced, "paymentForm": "01"}));
    // It is accepted, and there is too little for an order of it.
    let offer = json!({"customerId": buyer, "title": "Platos",
        "items": [{"productId": plate, "quantity": 2}]});
    let quote = format!("/crm/quotes/{}", made("/crm/quotes", &offer));
    let _ = shop.client.act(&format!("{quote}/send")).expect(200);
    let few = json!({"inventory": 1});
    let _ = shop.client.patch(&format!("/products/{plate}"), &few).expect(200);
    let accepted = shop.client.act(&format!("{quote}/accept")).expect(200);
    assert_eq!(accepted["status"], "accepted");
    let hook = |path: &str| {
        let body = json!({"url": format!("https://hooks.example.com/{path}"), "events": ["*"]});
        made("/webhooks", &body)
    };
    let (failing, hiccup, off) = (hook("a"), hook("b"), hook("c"));
    for (hook, failures) in [(&failing, 5), (&hiccup, 4), (&off, 7)] {
        let set = format!("UPDATE subscriptions SET consecutive_failures = {failures}");
        shop.app.database.execute(&format!("{set} WHERE id = '{hook}'"));
    }
    let page = shop.place(&format!("webhooks/{off}"));
    let disabled = shop.browser.send(&page, &format!("{page}/disable"), &[]);
    assert_eq!(disabled.status, 303, "{}", disabled.text);

    let home = shop.read("");
    let (_, list) = home.split_once("class=\"todo\"").unwrap_or_else(|| panic!("{home}"));
    let (list, _) = list.split_once("</ul>").unwrap();
    let mut lists = Vec::new();
    for one in list.split("<a href=\"").skip(1) {
        let (href, rest) = one.split_once("\"><b>").unwrap();
        let (figure, _) = rest.split_once("</b>").unwrap();
        let href = href.replace("&#38;", "&");
        let (path, query) = href.split_once('?').unwrap_or((href.as_str(), ""));
        let path = path.strip_prefix(&shop.account).unwrap().to_owned();
        if path.starts_with("settings/") {
            continue;
        }
        let shown = shop.browser.read(&href);
        let rows = shown.matches("<th scope=\"row\">").count();
        assert_eq!(rows.to_string(), figure, "{href}: {shown}");
        let table = shop.browser.get(&format!("{}.csv?{query}", shop.place(&path))).text;
        assert_eq!(table.lines().count(), rows + 1, "{href}: {table}");
        lists.push((path, query.split('&').next().unwrap().to_owned(), rows));
    }
    let found: Vec<_> =
        lists.iter().map(|(path, query, rows)| (path.as_str(), query.as_str(), *rows)).collect();
    let expected = [
        ("orders", "status=paid", 4),
        ("orders", "status=pending", 1),
        ("quotes", "status=accepted", 1),
        ("orders", "invoiced=due", 2),
        ("invoices", "status=draft", 1),
        ("stock", "low=yes", 1),
        ("webhooks", "state=disabled", 1),
        ("webhooks", "state=failing", 1),
    ];
    assert_eq!(found, expected);
}
