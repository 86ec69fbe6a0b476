//! Categories, groups and price lists, all of a product, and the addresses and tax data of a customer, as the panel keeps them.

use serde_json::{Value, json};
use testkit::{Client, DatabaseKind, on_both};

use super::{
    browser::{Browser, copied, hidden},
    sales::{done, pairs},
    shop::{SCRIPT, made, opened},
};
use crate::orders::shop::id;

on_both!(
    categories_are_a_tree,
    a_price_list_of_a_group_has_prices,
    all_of_a_product_is_kept,
    a_customer_has_addresses_and_a_tax_link,
);

/// The only one of a list of the API.
fn only(client: &Client, path: &str) -> Value {
    let listed = client.get(path).expect(200);
    assert_eq!(listed["data"].as_array().unwrap().len(), 1, "{listed}");
    listed["data"][0].clone()
}

/// Sends a form back as it is shown, with some of it filled in otherwise.
#[track_caller]
fn changed(browser: &Browser, place: &str, fields: &[(&str, &str)]) -> String {
    let shown = pairs(&browser.read(place));
    let is_other = |name: &str| fields.iter().any(|(known, _)| *known == name);
    let kept = shown.iter().filter(|(name, _)| !is_other(name));
    let kept = kept.map(|(name, text)| (name.as_str(), text.as_str()));
    let sent: Vec<_> = kept.chain(fields.iter().copied()).collect();
    done(browser, place, &sent)
}

fn categories_are_a_tree(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let new = format!("{account}categories/new");
    let _ = done(&browser, &new, &[("name", SCRIPT)]);
    let top = only(&client, "/categories");
    let inside = id(&top);
    let _ = done(&browser, &new, &[("name", "Cocina"), ("parentId", inside.as_str())]);
    let taken = browser.send(&new, &new, &[("name", "cocina"), ("parentId", inside.as_str())]);
    assert!(taken.status == 422 && taken.text.contains("id=\"name-fault\""), "{}", taken.text);
    let listed = browser.read(&format!("{account}categories"));
    assert!(listed.contains("Cocina") && !listed.contains("<script>alert"), "{listed}");
    let all = client.get("/categories").expect(200);
    let inner = all["data"].as_array().unwrap().iter().find(|one| one["name"] == "Cocina").unwrap();
    assert_eq!(inner["parentId"], top["id"]);
    let place = |category: &Value| format!("{account}categories/{}", id(category));
    // What is in it is no place for it.
    let edit = browser.read(&place(&top));
    assert!(!edit.contains(&format!("<option value=\"{}\"", id(inner))), "{edit}");
    let _ = changed(&browser, &place(inner), &[("parentId", ""), ("name", "Mesa")]);
    let inner = client.get(&format!("/categories/{}", id(inner))).expect(200);
    assert_eq!((&inner["name"], &inner["parentId"]), (&json!("Mesa"), &Value::Null));
    let vela = json!({"name": "Vela", "sku": "VELA", "price": 5, "categoryIds": [inner["id"]]});
    let _ = made(&client, "/products", &vela);
    let products = browser.read(&format!("{account}products?category={}", id(&inner)));
    assert!(products.contains("Vela"), "{products}");
    let others = browser.read(&format!("{account}products?category={}", id(&top)));
    assert!(!others.contains("Vela"), "{others}");
    let delete = |category: &Value| format!("{}/delete", place(category));
    let full = browser.send(&delete(&inner), &delete(&inner), &[]);
    assert!(full.status == 422 && full.text.contains("Hay productos"), "{}", full.text);
    let _ = done(&browser, &delete(&top), &[]);
    let _ = client.get(&format!("/categories/{}", id(&top))).refused(404, "not_found");
}

fn a_price_list_of_a_group_has_prices(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    for sku in ["TAZA", "VELA"] {
        let _ = made(&client, "/products", &json!({"name": sku, "sku": sku, "price": 50}));
    }
    let new_group = format!("{account}customer-groups/new");
    let _ = done(&browser, &new_group, &[("name", "Mayoristas")]);
    let taken = browser.send(&new_group, &new_group, &[("name", "mayoristas")]);
    assert!(taken.text.contains("id=\"name-fault\""), "{}", taken.text);
    let group = only(&client, "/customer-groups");
    let place = format!("{account}customer-groups/{}", id(&group));
    let _ = changed(&browser, &place, &[("name", "Mayoreo")]);
    let new = format!("{account}price-lists/new");
    let of_group = id(&group);
    let list = [
        ("name", SCRIPT),
        ("currency", "MXN"),
        ("customerGroupId", of_group.as_str()),
        ("priority", "7"),
        ("validFrom", "2026-01-01"),
        ("validUntil", "2026-12-31"),
    ];
    let wrong =
        browser.send(&new, &new, &[("name", "x"), ("currency", "pesos"), ("priority", "x")]);
    for field in ["currency", "priority"] {
        assert!(wrong.text.contains(&format!("id=\"{field}-fault\"")), "{field}: {}", wrong.text);
    }
    let shown = done(&browser, &new, &list);
    assert!(shown.contains("Mayoreo") && shown.contains("2026-01-01 – 2026-12-31"), "{shown}");
    assert!(!shown.contains("<script>alert"), "{shown}");
    let list = only(&client, "/price-lists");
    assert_eq!((&list["customerGroupId"], &list["priority"]), (&group["id"], &json!(7)));
    let place = format!("{account}price-lists/{}", id(&list));
    let _ = changed(&browser, &format!("{place}/edit"), &[("priority", "8")]);
    let after = client.get(&format!("/price-lists/{}", id(&list))).expect(200);
    assert_eq!(after["priority"], json!(8));
    for bound in ["validFrom", "validUntil"] {
        assert_eq!(after[bound], list[bound], "{bound}");
    }
    let prices = format!("{place}/prices");
    let set = |lines: &str| {
        let version = hidden(&browser.read(&place), "version").unwrap();
        browser.send(&place, &prices, &[("items", lines), ("version", &version)])
    };
    let wrong = set("TAZA;45\nNADA;3");
    assert!(wrong.status == 422 && wrong.text.contains("NADA"), "{}", wrong.text);
    let items = format!("/price-lists/{}/items", id(&list));
    let kept = || {
        let items = client.get(&items).expect(200);
        let items = items["data"].as_array().unwrap().iter();
        let figure = |figure: &Value| figure.as_f64().unwrap().to_string();
        let mut kept: Vec<_> =
            items.map(|item| (figure(&item["minQuantity"]), figure(&item["price"]))).collect();
        kept.sort();
        kept
    };
    assert_eq!(kept(), [], "all of them, or none");
    assert_eq!(set("TAZA;45\nTAZA\t40,00\t12\nVELA 30").status, 303);
    let pair = |quantity: &str, price: &str| (quantity.to_owned(), price.to_owned());
    assert_eq!(kept(), [pair("1", "30"), pair("1", "45"), pair("12", "40")]);
    let shown = browser.read(&place);
    assert!(shown.contains("$45.00") && shown.contains("$40.00"), "{shown}");
    assert_eq!(set("VELA -\nTAZA;-;12").status, 303);
    assert_eq!(kept(), [pair("1", "45")]);
    // A group that a list is for stays; then the list goes, and the group.
    let delete_group = format!("{account}customer-groups/{}/delete", id(&group));
    let needed = browser.send(&delete_group, &delete_group, &[]);
    assert!(needed.status == 422 && needed.text.contains("lista de precios"), "{}", needed.text);
    let _ = done(&browser, &format!("{place}/delete"), &[]);
    let _ = done(&browser, &delete_group, &[]);
    let _ = client.get(&format!("/customer-groups/{}", id(&group))).refused(404, "not_found");
}

fn all_of_a_product_is_kept(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let home = made(&client, "/categories", &json!({"name": "Hogar"}));
    let _ = made(&client, "/categories", &json!({"name": "Cocina", "parentId": home["id"]}));
    let new = format!("{account}products/new");
    let wrong = [
        ("name", "Taza"),
        ("price", "50"),
        ("taxes", "IVA 16"),
        ("categories", "Jardín"),
        ("images", "taza.jpg"),
        ("length", "5"),
    ];
    let wrong = browser.send(&new, &new, &wrong);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    for field in ["taxes", "images", "width", "height"] {
        assert!(wrong.text.contains(&format!("id=\"{field}-fault\"")), "{field}: {}", wrong.text);
    }
    let taza = [
        ("name", "Taza"),
        ("sku", "TAZA"),
        ("price", "50"),
        ("brand", SCRIPT),
        ("unit", "caja"),
        ("compareAtPrice", "60"),
        ("cost", "20.5"),
        ("taxIncluded", "no"),
        ("taxes", "IVA 16%\r\nISR 1.25% retenido"),
        ("images", "https://example.com/1.jpg\r\nhttps://example.com/2.jpg"),
        ("weight", "0.35"),
        ("length", "12"),
        ("width", "8.5"),
        ("height", "10"),
        ("categories", "hogar > cocina"),
    ];
    let nowhere: Vec<_> = taza
        .iter()
        .map(|(name, text)| (*name, if *name == "categories" { "Jardín" } else { *text }))
        .collect();
    let nowhere = browser.send(&new, &new, &nowhere);
    assert!(nowhere.text.contains("id=\"categories-fault\""), "{}", nowhere.text);
    let shown = done(&browser, &new, &taza);
    for told in ["Hogar &#62; Cocina", "12 × 8.5 × 10 cm", "$60.00", "IVA 16%; ISR 1.25% retenido"]
    {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    assert!(!shown.contains("<script>alert"), "{shown}");
    let product = only(&client, "/products");
    assert_eq!(product["taxIncluded"], json!(false));
    assert_eq!(product["taxes"][1]["rate"], json!(0.0125));
    assert_eq!(product["images"].as_array().unwrap().len(), 2);
    let place = format!("{account}products/{}", id(&product));
    // Sent back as it is shown, nothing of it changes.
    let known = || {
        let mut known = client.get(&format!("/products/{}", id(&product))).expect(200);
        let _ = known.as_object_mut().unwrap().remove("updatedAt");
        known
    };
    let before = known();
    let _ = changed(&browser, &format!("{place}/edit"), &[]);
    assert_eq!(known(), before);
    let bare = [
        ("categories", ""),
        ("taxes", ""),
        ("brand", ""),
        ("length", ""),
        ("width", ""),
        ("height", ""),
    ];
    let _ = changed(&browser, &format!("{place}/edit"), &bare);
    let after = known();
    assert_eq!((&after["brand"], &after["dimensions"]), (&Value::Null, &Value::Null));
    assert_eq!((&after["taxes"], &after["categoryIds"]), (&json!([]), &json!([])));
    assert_eq!(after["weight"], before["weight"]);
    let _ = done(&browser, &format!("{place}/delete"), &[]);
    let _ = client.get(&format!("/products/{}", id(&product))).refused(404, "not_found");
}

fn a_customer_has_addresses_and_a_tax_link(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let group = made(&client, "/customer-groups", &json!({"name": "Escuelas"}));
    let ana = made(&client, "/customers", &json!({"name": "Ana", "groupId": group["id"]}));
    let beto = made(&client, "/customers", &json!({"name": "Beto"}));
    let product = made(&client, "/products", &json!({"name": "Taza", "price": 50, "inventory": 9}));
    let order =
        json!({"customerId": ana["id"], "items": [{"productId": product["id"], "quantity": 2}]});
    let _ = made(&client, "/orders", &order);
    let in_group = browser.read(&format!("{account}customers?group={}", id(&group)));
    assert!(in_group.contains("Ana") && !in_group.contains("Beto"), "{in_group}");
    let place = format!("{account}customers/{}", id(&ana));
    let shown = browser.read(&place);
    assert!(
        shown.contains("Escuelas") && shown.contains("<dt>Debe</dt><dd>$100.00</dd>"),
        "{shown}"
    );
    assert!(shown.contains("Sin datos fiscales"), "{shown}");
    let new = format!("{place}/addresses/new");
    let wrong = browser.send(&new, &new, &[("country", "México")]);
    for field in ["street", "country"] {
        assert!(wrong.text.contains(&format!("id=\"{field}-fault\"")), "{field}: {}", wrong.text);
    }
    let shown = done(&browser, &new, &[("label", "Envíos"), ("street", SCRIPT), ("zip", "06000")]);
    assert!(shown.contains("Envíos") && !shown.contains("<script>alert"), "{shown}");
    let _ = done(&browser, &new, &[("street", "Juárez 10"), ("country", "US")]);
    let known = || client.get(&format!("/customers/{}", id(&ana))).expect(200);
    let addresses = known()["addresses"].clone();
    assert_eq!((&addresses[0]["country"], &addresses[1]["country"]), (&json!("MX"), &json!("US")));
    let _ = changed(&browser, &format!("{place}/addresses/1"), &[("city", "Laredo")]);
    assert_eq!(known()["addresses"][1]["city"], json!("Laredo"));
    let late = format!("{place}/addresses/0");
    let shown_before = browser.read(&late);
    let version = hidden(&browser.read(&place), "version").unwrap();
    let remove = format!("{place}/addresses/0/remove");
    let stale = browser.send(&place, &remove, &[("version", "1")]);
    assert_eq!(stale.status, 422, "{}", stale.text);
    assert_eq!(browser.send(&place, &remove, &[("version", &version)]).status, 303);
    assert_eq!(known()["addresses"].as_array().unwrap().len(), 1);
    assert_eq!(browser.get(&format!("{place}/addresses/1")).status, 404);
    // Who changes the address that was removed does not write over the one that has taken its place, however often it is sent.
    let mut shown = shown_before;
    for _ in 0..2 {
        let seen = ["version", "count"].map(|name| hidden(&shown, name).unwrap());
        let seen = [("version", seen[0].as_str()), ("count", seen[1].as_str())];
        let moved = browser.send(&late, &late, &[("street", "Otra 1"), seen[0], seen[1]]);
        assert_eq!(moved.status, 422, "{}", moved.text);
        shown = moved.text;
    }
    assert_eq!(known()["addresses"][0]["street"], json!("Juárez 10"));
    let linked = browser.send(&place, &format!("{place}/tax-link"), &[]);
    assert_eq!(linked.status, 303, "{}", linked.text);
    let link = copied(&browser.read(&place), "tax-link");
    let page = link.strip_prefix(&app.origin()).unwrap_or_else(|| panic!("{link}"));
    assert_eq!(app.anonymous().get(page).status, 200);
    let closed = browser.send(&place, &format!("{place}/tax-link/close"), &[]);
    assert_eq!(closed.status, 303, "{}", closed.text);
    assert_eq!(app.anonymous().get(page).status, 404);
    let _ = changed(&browser, &format!("{place}/edit"), &[("groupId", "")]);
    assert_eq!(known()["groupId"], Value::Null);
    let delete = |of: &Value| format!("{account}customers/{}/delete", id(of));
    let needed = browser.send(&delete(&ana), &delete(&ana), &[]);
    assert_eq!(needed.status, 422, "{}", needed.text);
    let _ = done(&browser, &delete(&beto), &[]);
    let _ = client.get(&format!("/customers/{}", id(&beto))).refused(404, "not_found");
}
