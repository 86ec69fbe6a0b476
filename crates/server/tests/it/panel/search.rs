//! The search of the panel: what is meant opens at once, commands too.

use accounts::Role;
use serde_json::json;
use testkit::{DatabaseKind, on_both};

use super::{
    browser::Browser,
    shop::{made, opened},
};

on_both!(what_is_named_opens_at_once, what_can_be_done_is_found_by_its_name,);

fn what_is_named_opens_at_once(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let mug = made(
        &client,
        "/products",
        &json!({"name": "Taza", "sku": "TAZA AZUL", "ean": "7501031311309", "price": 10,
            "inventory": 5, "variants": [{"name": "Grande", "sku": "TAZA-G", "inventory": 1}]}),
    );
    let buyer = made(
        &client,
        "/customers",
        &json!({"name": "Ana Torres", "email": "ana@example.com", "phone": "+525512345678",
            "rfc": "CACX7605101P8"}),
    );
    let order =
        json!({"customerId": buyer["id"], "items": [{"productId": mug["id"], "quantity": 1}]});
    let quote = made(&client, "/crm/quotes", &order);
    let order = made(&client, "/orders", &order);
    let text = |value: &serde_json::Value| value["id"].as_str().unwrap().to_owned();
    let (mug, buyer, order, quote) = (text(&mug), text(&buyer), text(&order), text(&quote));
    let of = |path: &str, id: &str| format!("{account}{path}/{id}");
    for (query, place) in [
        ("ord-1", of("orders", &order)),
        (order.as_str(), of("orders", &order)),
        ("cot-1", of("quotes", &quote)),
        ("cacx7605101p8", of("customers", &buyer)),
        ("ANA@example.com", of("customers", &buyer)),
        ("55%201234-5678", of("customers", &buyer)),
        ("%2B525512345678", of("customers", &buyer)),
        (buyer.as_str(), of("customers", &buyer)),
        ("7501031311309", of("products", &mug)),
        ("TAZA%20AZUL", of("products", &mug)),
        ("TAZA-G", of("products", &mug)),
    ] {
        let found = browser.get(&format!("{account}search?q={query}"));
        assert_eq!(
            (found.status, found.header("location")),
            (303, Some(place.as_str())),
            "{query}"
        );
        // Whoever still types sees it first.
        let listed = browser.read(&format!("{account}search?list=1&q={query}"));
        let (_, hits) = listed.split_once("id=\"hits\"").unwrap();
        let first = hits.split("href=\"").nth(1).unwrap();
        assert!(first.starts_with(&format!("{place}\"")), "{query}: {hits}");
    }
    // What only has the words is listed, and so is what several could be.
    for query in ["taza", "ana%20torres", "torres"] {
        let found = browser.read(&format!("{account}search?q={query}"));
        let hit = if query == "taza" { &mug } else { &buyer };
        assert!(found.contains(hit.as_str()), "{query}: {found}");
    }
    let other = json!({"name": "Otra", "rfc": "CACX7605101P8"});
    let _ = made(&client, "/customers", &other);
    let both = browser.read(&format!("{account}search?q=CACX7605101P8"));
    assert!(both.contains("Ana Torres") && both.contains("Otra"), "{both}");
    for nothing in ["6e1ce7a8-7e2f-4f5e-9b4e-1d2c3b4a5f60", "NADA-1", "%00"] {
        let found = browser.read(&format!("{account}search?q={nothing}"));
        assert!(found.contains("class=\"empty\""), "{nothing}: {found}");
    }
}

fn what_can_be_done_is_found_by_its_name(kind: DatabaseKind) {
    let (app, browser, account, _) = opened(kind);
    let found = |browser: &Browser, query: &str| {
        let page = browser.read(&format!("{account}search?q={query}"));
        page.split_once("id=\"hits\"").unwrap().1.to_owned()
    };
    let new = format!("href=\"{account}orders/new\"");
    assert!(found(&browser, "nuevo%20ped").contains(&new));
    assert!(!found(&browser, "edido").contains(&new));
    let all = found(&browser, "");
    assert!(all.contains(&new) && all.contains("href=\"/panel/me/keys\""), "{all}");
    let viewer = Browser::of_member(&app, Role::Viewer);
    let hits = found(&viewer, "nuevo%20ped");
    assert!(!hits.contains(&new), "{hits}");
    let keys = browser.read("/panel/me/keys");
    assert!(keys.contains("<kbd>g …</kbd>"), "{keys}");
}
