//! What a new order or a quote comes to is shown before it is placed or saved.

use serde_json::{Value, json};
use testkit::{Chromium, Client, DatabaseKind, on_both};

use super::{
    browser::Browser,
    sales::pairs,
    shop::{made, opened},
};
use crate::orders::shop::id;

on_both!(a_new_order_shows_what_it_comes_to, a_quote_shows_what_it_comes_to);

/// What a page shows of its form after *Calculate*.
fn looked_at(browser: &Browser, page: &str, fields: &[(&str, &str)]) -> String {
    let shown = browser.send(page, page, &[fields, &[("check", "true")]].concat());
    assert_eq!(shown.status, 200, "{}", shown.text);
    shown.text
}

/// The card of the sums.
fn sums(html: &str) -> String {
    let (_, card) = html.split_once("data-sums").unwrap_or_else(|| panic!("{html}"));
    card.split_once("</section>").unwrap().0.to_owned()
}

/// A product and a customer, whose group buys ten of it for less.
fn stocked(client: &Client) {
    let product = json!({"name": "Taza azul", "sku": "TAZA", "price": 1234.5, "inventory": 3});
    let _ = made(client, "/products", &product);
    let group = made(client, "/customer-groups", &json!({"name": "Mayoreo"}));
    let buyer = json!({"name": "Xóchilt", "groupId": group["id"]});
    let _ = made(client, "/customers", &buyer);
    let list = json!({"name": "Mayoreo", "customerGroupId": group["id"]});
    let list = made(client, "/price-lists", &list);
    let path = format!("/price-lists/{}/items", list["id"].as_str().unwrap());
    let prices = json!({"items": [{"sku": "TAZA", "price": 1000, "minQuantity": 10}]});
    let _ = client.send("PUT", &path, &prices).expect(200);
}

fn a_new_order_shows_what_it_comes_to(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    stocked(&client);
    let page = format!("{account}orders/new");
    let form = browser.read(&page);
    for part in ["data-judged", "data-sums", "name=\"check\" value=\"true\""] {
        assert!(form.contains(part), "{part}: {form}");
    }
    let looked_at = |fields: &[(&str, &str)]| looked_at(&browser, &page, fields);
    let whose = [("customer", "Xóchilt")];
    let bought = [("sku[0]", "azul"), ("quantity[0]", "2")];
    // What is not complete yet is nothing wrong.
    for fields in [&whose[..], &bought[..], &[whose[0], bought[0]]] {
        let html = looked_at(fields);
        assert!(!html.contains("-fault\"") && !sums(&html).contains('$'), "{html}");
    }
    let begun = [("sku[1]", "TAZA"), ("note[2]", "Roja"), ("discountReason", "Amiga")];
    let html = looked_at(&[&whose[..], &bought, &begun].concat());
    assert!(!html.contains("-fault\"") && sums(&html).contains("$2,469.00"), "{html}");
    // At the prices of its customer, however much there is.
    let many = [("customer", "Xóchilt"), ("sku[3]", "TAZA"), ("quantity[3]", "10")];
    assert!(sums(&looked_at(&many)).contains("$10,000.00"));
    let terms = [
        ("unitPrice[0]", "$1,000.00"),
        ("discount[0]", "10%"),
        ("orderDiscount", "100"),
        ("shipping.amount", "50"),
    ];
    let html = looked_at(&[&whose[..], &bought, &terms].concat());
    assert!(sums(&html).contains("$1,750.00"), "{html}");
    for (field, text) in [("sku[0]", "PLATO"), ("quantity[0]", "x"), ("discount[0]", "101%")] {
        let mut fields = [&whose[..], &bought].concat();
        fields.retain(|(name, _)| *name != field);
        fields.push((field, text));
        let html = looked_at(&fields);
        assert!(html.contains(&format!("id=\"{field}-fault\"")), "{field}: {html}");
        assert!(!sums(&html).contains('$'), "{field}: {html}");
    }
    assert_eq!(client.get("/orders").expect(200)["total"], 0, "looking places nothing");
    // What it was said to come to it does.
    let placed = browser.send(&page, &page, &[&whose[..], &bought, &terms].concat());
    assert_eq!(placed.status, 303, "{}", placed.text);
    let order: Value = client.get("/orders").expect(200)["data"][0].clone();
    assert_eq!(order["totalAmount"], json!(1750));
}

fn a_quote_shows_what_it_comes_to(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    stocked(&client);
    let page = format!("{account}quotes/new");
    let form = browser.read(&page);
    for part in ["data-judged", "data-sums", "name=\"check\" value=\"true\""] {
        assert!(form.contains(part), "{part}: {form}");
    }
    let whose = [("customer", "Xóchilt")];
    let offered = [("items[0].sku", "azul"), ("items[0].quantity", "2")];
    // What is not complete yet is nothing wrong.
    for fields in [&whose[..], &offered[..], &[whose[0], offered[0]]] {
        let html = looked_at(&browser, &page, fields);
        assert!(!html.contains("-fault\"") && !sums(&html).contains('$'), "{html}");
    }
    let begun = [("items[1].sku", "TAZA"), ("shippingName", "DHL"), ("discountReason", "Amiga")];
    let html = looked_at(&browser, &page, &[&whose[..], &offered, &begun].concat());
    assert!(!html.contains("-fault\"") && sums(&html).contains("$2,469.00"), "{html}");
    // Whose deal it is of, at the prices of that customer.
    let buyer = client.get("/customers?search=Xóchilt").expect(200)["data"][0].clone();
    let deal = json!({"title": "Tazas", "customerId": buyer["id"]});
    let deal = id(&made(&client, "/crm/deals", &deal));
    let of_deal =
        [("dealId", deal.as_str()), ("items[3].sku", "TAZA"), ("items[3].quantity", "10")];
    assert!(sums(&looked_at(&browser, &page, &of_deal)).contains("$10,000.00"));
    let terms = [
        ("items[0].unitPrice", "$1,000.00"),
        ("items[0].discount", "10%"),
        ("discount", "100"),
        ("shippingName", "DHL"),
        ("shippingAmount", "50"),
    ];
    let filled = [&whose[..], &offered, &terms].concat();
    assert!(sums(&looked_at(&browser, &page, &filled)).contains("$1,750.00"));
    for (field, text) in
        [("items[0].sku", "PLATO"), ("items[0].quantity", "x"), ("discount", "101%")]
    {
        let mut fields = filled.clone();
        fields.retain(|(name, _)| *name != field);
        fields.push((field, text));
        let html = looked_at(&browser, &page, &fields);
        assert!(html.contains(&format!("id=\"{field}-fault\"")), "{field}: {html}");
        assert!(!sums(&html).contains('$'), "{field}: {html}");
    }
    assert_eq!(client.get("/crm/quotes").expect(200)["total"], 0, "looking saves nothing");
    let drafted = browser.send(&page, &page, &filled);
    assert_eq!(drafted.status, 303, "{}", drafted.text);
    let place = drafted.header("location").unwrap().split('?').next().unwrap().to_owned();
    let saved = client.get("/crm/quotes").expect(200)["data"][0].clone();
    assert_eq!(saved["totalAmount"], json!(1750));
    // The draft comes to what is on record, until something of it is filled in anew.
    let edit = format!("{place}/edit");
    let form = browser.read(&edit);
    assert!(sums(&form).contains("$1,750.00"), "{form}");
    let kept = pairs(&form);
    let changed: Vec<_> = kept
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .map(|(name, text)| if name == "shippingAmount" { (name, "150") } else { (name, text) })
        .collect();
    assert!(sums(&looked_at(&browser, &edit, &changed)).contains("$1,850.00"));
    assert_eq!(client.get("/crm/quotes").expect(200)["data"][0], saved);
}

/// With script: the total follows what is typed.
#[test]
fn a_total_runs_along_in_a_browser() {
    const TYPE: &str = "for (const [id, text] of [['customer', 'Xóchilt'], ['sku[0]', 'TAZA'], ['quantity[0]', '2']]) {
        const field = document.getElementById(id);
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
    }";
    const TOTAL: &str = "new Promise((done) => {
        const look = () => {
            const total = document.querySelector('[data-sums] dd.total');
            total ? done(total.textContent) : setTimeout(look, 20);
        };
        look();
    })";
    let Some(chromium) = Chromium::start() else { return };
    let (app, browser, account, client) = opened(DatabaseKind::Sqlite);
    stocked(&client);
    chromium.be_known(&app.origin(), &browser.cookies());
    chromium.open(&format!("{}{account}orders/new", app.origin()));
    let _ = chromium.evaluate(TYPE);
    assert_eq!(chromium.evaluate(TOTAL), json!("$2,469.00"));
    assert_eq!(client.get("/orders").expect(200)["total"], 0);
}
