//! What a new order comes to is shown before it is placed.

use serde_json::{Value, json};
use testkit::{Chromium, Client, DatabaseKind, on_both};

use super::shop::{made, opened};

on_both!(a_new_order_shows_what_it_comes_to);

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
    let looked_at = |fields: &[(&str, &str)]| {
        let shown = browser.send(&page, &page, &[fields, &[("check", "true")]].concat());
        assert_eq!(shown.status, 200, "{}", shown.text);
        shown.text
    };
    let sums = |html: &str| {
        let (_, card) = html.split_once("data-sums").unwrap_or_else(|| panic!("{html}"));
        card.split_once("</section>").unwrap().0.to_owned()
    };
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
