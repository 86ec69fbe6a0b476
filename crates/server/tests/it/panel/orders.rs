//! Orders in the panel: shipped in parts, changed, promised from elsewhere, and sold for less.

use serde_json::json;
use testkit::{App, DatabaseKind, on_both};

use super::{
    browser::{Browser, EMAIL, PASSWORD, hidden},
    shop::{made, opened, ordered},
    walk::owned,
};
use crate::openapi::Shop;

on_both!(
    an_order_is_shipped_in_parts,
    an_order_says_how_much_of_each_line_is_out,
    lines_that_do_not_fit_are_told_of_before_they_leave,
    lines_that_do_not_fit_come_back_by_another_page,
    an_order_is_changed_and_promised_from_elsewhere,
    lines_are_found_by_sku_number_and_words,
    a_discount_waits_for_its_approval,
    home_says_how_many_are_to_be_invoiced,
    home_leads_to_an_order_that_was_paid_late,
    an_order_of_which_nothing_is_left_is_not_invoiced,
);

fn an_order_is_shipped_in_parts(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let north = made(&client, "/warehouses", &json!({"name": "Bodega norte"}));
    let north = north["id"].as_str().unwrap();
    let mug = json!({"name": "Taza", "sku": "TAZA", "price": 100, "inventory": 3});
    let mug = made(&client, "/products", &mug);
    let found = json!({"productId": mug["id"], "warehouseId": north, "delta": 2});
    let _ = made(&client, "/stock/adjustments", &json!({"reason": "found", "items": [found]}));
    let anywhere = json!({"allocation": "anyAvailable"});
    let _ = client.send("PUT", "/stock/settings", &anywhere).expect(200);
    let buyer = made(&client, "/customers", &json!({"name": "Xóchilt"}));
    let items = json!([{"productId": mug["id"], "quantity": 5}]);
    let order = made(&client, "/orders", &json!({"customerId": buyer["id"], "items": items}));
    let order = format!("{account}orders/{}", order["id"].as_str().unwrap());
    let ship = format!("{order}/ship");
    let send = |fields: &[(&str, &str)]| browser.send(&ship, &ship, fields);
    let shown = browser.read(&ship);
    assert!(
        shown.contains("<select id=\"warehouse\"") && shown.contains("Bodega norte"),
        "{shown}"
    );
    for wrong in ["0", "3", "x"] {
        let refused = send(&[("warehouse", north), ("quantity[1]", wrong)]);
        assert_eq!(refused.status, 422, "{wrong}: {}", refused.text);
        let is_told = refused.text.contains("id=\"quantity[1]-fault\"");
        assert_eq!(is_told, wrong != "0", "{wrong}: {}", refused.text);
    }
    assert_eq!(send(&[("warehouse", north), ("quantity[9]", "1")]).status, 404);
    let first = send(&[("warehouse", north), ("quantity[1]", "1"), ("carrier", "Estafeta")]);
    assert_eq!(first.status, 303, "{}", first.text);
    // Empty: all that is left there.
    assert_eq!(send(&[("warehouse", north)]).status, 303);
    let shown = browser.read(&order);
    assert!(shown.contains(&format!("\"{ship}\"")), "{shown}");
    let slips = shown.split('"').filter_map(|part| part.strip_suffix("/packing-slip"));
    let parcels: Vec<&str> = slips.collect();
    let [parcel, other] = parcels[..] else { panic!("{parcels:?}") };
    let page = browser.read(parcel);
    assert!(page.contains("Estafeta") && page.contains("Bodega norte"), "{page}");
    let seen = hidden(&page, "version").unwrap();
    let tracking = [("trackingNumber", "E-1"), ("version", seen.as_str())];
    let wrong = [("trackingUrl", "javascript:alert(1)")];
    assert_eq!(browser.send(parcel, parcel, &wrong).status, 422);
    assert_eq!(browser.send(parcel, parcel, &tracking).status, 303);
    assert!(browser.read(&order).contains("E-1"));
    // Somebody has changed it meanwhile.
    assert_eq!(browser.send(parcel, parcel, &tracking).status, 422);
    assert_eq!(browser.send(parcel, &format!("{parcel}/deliver"), &[]).status, 303);
    let cancel = format!("{parcel}/cancel");
    assert!(!browser.read(parcel).contains(&cancel));
    assert_eq!(browser.send(&cancel, &cancel, &[]).status, 422);
    let cancel = format!("{other}/cancel");
    assert!(browser.read(other).contains(&cancel));
    assert_eq!(browser.send(&cancel, &cancel, &[]).status, 303);
    assert!(browser.read(other).contains("class=\"pill bad\""));
    let of_another =
        format!("{}/shipments/{}", ordered(&client, &account), other.rsplit('/').next().unwrap());
    assert_eq!(browser.get(&of_another).status, 404);
}

fn lines_that_do_not_fit_are_told_of_before_they_leave(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let buyer = made(&client, "/customers", &json!({"name": "Xóchilt"}));
    let goods = (0..26).map(|number| {
        let product = json!({"name": "Taza", "sku": format!("T{number}"), "price": 1,
            "inventory": 1});
        json!({"productId": made(&client, "/products", &product)["id"], "quantity": 1})
    });
    let goods: Vec<_> = goods.collect();
    for (lines, is_told) in [(25, false), (26, true)] {
        let order = json!({"customerId": buyer["id"], "items": goods[..lines]});
        let order = made(&client, "/orders", &order);
        let order = order["id"].as_str().unwrap();
        let asked = browser.read(&format!("{account}orders/{order}/ship"));
        assert_eq!(asked.matches("name=\"quantity[").count(), 25, "{asked}");
        let told = ["No caben aquí todas las partidas", "Not all lines fit here"];
        assert_eq!(told.iter().any(|told| asked.contains(told)), is_told, "{asked}");
        let place = format!("/orders/{order}");
        let over = json!({"status": "cancelled", "reason": "x"});
        let _ = client.patch(&place, &over).expect(200);
    }
}

fn lines_that_do_not_fit_come_back_by_another_page(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let mug = json!({"name": "Taza", "sku": "TAZA", "price": 1, "inventory": 101});
    let mug = made(&client, "/products", &mug);
    let buyer = made(&client, "/customers", &json!({"name": "Xóchilt"}));
    let items = vec![json!({"productId": mug["id"], "quantity": 1}); 101];
    let order = made(&client, "/orders", &json!({"customerId": buyer["id"], "items": items}));
    let id = order["id"].as_str().unwrap();
    let _ = client.patch(&format!("/orders/{id}"), &json!({"status": "shipped"})).expect(200);
    let first = format!("{account}orders/{id}/return");
    let other = format!("{first}?lines=101");
    let shown = |html: &str| {
        let fields = html.matches("name=\"quantity[").count();
        (fields, html.contains(&format!("href=\"{other}\"")))
    };
    assert_eq!(shown(&browser.read(&first)), (100, true));
    let rest = browser.read(&other);
    assert_eq!(shown(&rest), (1, false), "{rest}");
    assert!(rest.contains("name=\"quantity[101]\"") && rest.contains("?lines=1\""), "{rest}");
    // What is wrong is shown at the same lines.
    let begin = hidden(&rest, "lines").unwrap();
    let back = |quantity: &str, page: &str| {
        let fields = [("quantity[101]", quantity), ("reason", "Rota"), ("lines", begin.as_str())];
        browser.send(page, &first, &fields)
    };
    let wrong = back("2", &other);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    assert!(wrong.text.contains("id=\"quantity[101]-fault\""), "{}", wrong.text);
    let taken = back("1", &other);
    assert_eq!(taken.status, 303, "{}", taken.text);
    let all = browser.read(&other);
    assert_eq!(shown(&all), (100, false), "no line is left behind the others: {all}");
    let history = browser.read(&format!("{account}orders/{id}"));
    let told = "<b>Mercancía devuelta</b><span class=\"hint\">$1.00</span>";
    assert!(history.contains(told), "{history}");
}

fn an_order_is_changed_and_promised_from_elsewhere(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let order = ordered(&client, &account);
    let edit = format!("{order}/edit");
    let seen = hidden(&browser.read(&edit), "version").unwrap();
    let without_street = [("address.city", "CDMX"), ("notes", "Frágil")];
    let refused = browser.send(&edit, &edit, &without_street);
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("id=\"address.street-fault\""), "{}", refused.text);
    let of_then = [("address.street", "Madero 1"), ("notes", "Frágil"), ("version", seen.as_str())];
    assert_eq!(browser.send(&edit, &edit, &of_then).status, 303);
    let shown = browser.read(&order);
    assert!(shown.contains("Madero 1") && shown.contains("Frágil"), "{shown}");
    assert!(browser.read(&edit).contains("value=\"Madero 1\""));
    // Somebody has changed it meanwhile.
    assert_eq!(browser.send(&edit, &edit, &of_then).status, 422);
    let cleared = browser.send(&edit, &edit, &[("notes", "Frágil")]);
    assert_eq!(cleared.status, 303, "{}", cleared.text);
    assert!(!browser.read(&order).contains("Madero 1"));

    let go = format!("{order}/reallocate");
    let ship = format!("{order}/ship");
    assert!(!browser.read(&ship).contains(&go), "there is one warehouse alone");
    let north = made(&client, "/warehouses", &json!({"name": "Bodega norte"}));
    let north = north["id"].as_str().unwrap();
    assert!(browser.read(&ship).contains(&go));
    let asked = browser.read(&go);
    let (_, choice) = asked.split_once("<select id=\"part\"").unwrap();
    let part = choice.split("<option value=\"").nth(1).unwrap().split('"').next().unwrap();
    let lacking = browser.send(&go, &go, &[("part", part), ("to", north)]);
    assert_eq!(lacking.status, 422, "{}", lacking.text);
    assert!(lacking.text.contains("id=\"to-fault\""), "{}", lacking.text);
    let id = order.rsplit('/').next().unwrap();
    let product = client.get(&format!("/orders/{id}")).expect(200)["items"][0]["productId"].clone();
    let found = json!({"productId": product, "warehouseId": north, "delta": 2});
    let _ = made(&client, "/stock/adjustments", &json!({"reason": "found", "items": [found]}));
    let too_many = [("part", part), ("to", north), ("quantity", "3")];
    let refused = browser.send(&go, &go, &too_many);
    assert!(refused.text.contains("id=\"quantity-fault\""), "{}", refused.text);
    assert_eq!(browser.send(&go, &go, &[("part", "x"), ("to", north)]).status, 422);
    assert_eq!(browser.send(&go, &go, &[("part", part), ("to", north)]).status, 303);
    assert!(browser.read(&go).contains("Bodega norte: 2"));
}

fn an_order_says_how_much_of_each_line_is_out(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let product = |name: &str| {
        made(&client, "/products", &json!({"name": name, "sku": name, "price": 10, "inventory": 9}))
    };
    let (mug, plate) = (product("Taza"), product("Plato"));
    let buyer = made(&client, "/customers", &json!({"name": "Xóchilt"}));
    let items = json!([{"productId": mug["id"], "quantity": 5},
        {"productId": plate["id"], "quantity": 3}]);
    let order = made(&client, "/orders", &json!({"customerId": buyer["id"], "items": items}));
    let order = order["id"].as_str().unwrap();
    let page = format!("{account}orders/{order}");
    assert!(!browser.read(&page).contains("Enviado: "), "nothing is out");
    let ship = |lines: &[(u32, u32)]| {
        let line = |(line, quantity): &(u32, u32)| json!({"line": line, "quantity": quantity});
        let items: Vec<_> = lines.iter().map(line).collect();
        made(&client, &format!("/orders/{order}/shipments"), &json!({"items": items}))
    };
    let (_, _) = (ship(&[(1, 1)]), ship(&[(1, 2), (2, 1)]));
    let back = ship(&[(1, 1)]);
    let back = format!("/shipments/{}/cancel", back["id"].as_str().unwrap());
    let _ = client.act(&back).expect(200);
    let shown = browser.read(&page);
    let out: Vec<&str> =
        shown.split("Enviado: ").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    assert_eq!(out, ["3", "1"], "{shown}");
}

fn lines_are_found_by_sku_number_and_words(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let product = |name: &str, sku: &str, ean: Option<&str>| {
        let mut body = json!({"name": name, "sku": sku, "price": 10, "inventory": 9});
        if let Some(ean) = ean {
            body["ean"] = json!(ean);
        }
        let _ = made(&client, "/products", &body);
    };
    product("Taza", "TAZA", None);
    product("Jarra", "JARRA", Some("7501031311309"));
    product("Plato hondo", "PLATO", None);
    for sku in ["A", "B"] {
        product("Vaso", sku, Some("0036000291452"));
    }
    let _ = made(&client, "/customers", &json!({"name": "Xóchilt"}));
    let new = format!("{account}orders/new");
    let lines = [("sku[0]", "TAZA"), ("sku[1]", "07501031311309"), ("sku[2]", "hondo")];
    let wrong = [("sku[3]", "NADA"), ("sku[4]", "036000291452"), ("sku[5]", "vaso")];
    let send = |codes: &[(&str, &str)]| {
        let quantities: Vec<String> =
            (0..codes.len()).map(|row| format!("quantity[{row}]")).collect();
        let mut fields = vec![("customer", "Xóchilt")];
        fields.extend(codes);
        fields.extend(quantities.iter().map(|name| (name.as_str(), "2")));
        browser.send(&new, &new, &fields)
    };
    let refused = send(&[lines, wrong].concat());
    assert_eq!(refused.status, 422, "{}", refused.text);
    for (fields, are_wrong) in [(lines, false), (wrong, true)] {
        for (field, _) in fields {
            let is_told = refused.text.contains(&format!("id=\"{field}-fault\""));
            assert_eq!(is_told, are_wrong, "{field}: {}", refused.text);
        }
    }
    let placed = send(&lines);
    assert_eq!(placed.status, 303, "{}", placed.text);
    let order = client.get("/orders").expect(200)["data"][0].clone();
    let skus: Vec<_> = order["items"].as_array().unwrap().iter().map(|item| &item["sku"]).collect();
    assert_eq!(skus, ["TAZA", "JARRA", "PLATO"]);
}

fn a_discount_waits_for_its_approval(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let accounts = accounts::Accounts::list_accounts(&**app.store()).wait().unwrap().unwrap();
    let own = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
    let (key, approver) = app.approving_key(own, "*");
    let approvers = json!([{"type": "key", "id": approver.to_string()}]);
    let levels = json!([{"approvers": approvers, "minApprovals": 1}]);
    let rule = json!({"entityType": "order_discount", "conditions": [], "levels": levels});
    let _ = made(&client.with_key(&key), "/approval-rules", &rule);
    let mug = json!({"name": "Taza", "sku": "TAZA", "price": 100, "inventory": 9});
    let _ = made(&client, "/products", &mug);
    let _ = made(&client, "/customers", &json!({"name": "Beto"}));
    let page = format!("{account}orders/new");
    let goods = [("customer", "Beto"), ("sku[0]", "TAZA"), ("quantity[0]", "1")];
    let discounted = [goods.as_slice(), &[("orderDiscount", "10%")]].concat();
    for (fields, did, orders) in
        [(discounted.as_slice(), "approval.asked", 0), (goods.as_slice(), "order.placed", 1)]
    {
        let sent = browser.send(&page, &page, fields);
        assert_eq!(sent.status, 303, "{}", sent.text);
        assert!(sent.header("location").unwrap().ends_with(did), "{did}");
        assert_eq!(client.get("/orders").expect(200)["total"], orders, "{did}");
    }
    assert_eq!(client.get("/approvals").expect(200)["total"], 1);
}

fn home_says_how_many_are_to_be_invoiced(kind: DatabaseKind) {
    let app = App::start(kind);
    let shop = Shop::open(&app);
    let browser = Browser::new(&app);
    let account = owned(&app, &browser);
    let told = || {
        let home = browser.read(&account);
        let rest = home.split("invoiced=due").nth(1).unwrap_or("<b>0</b>");
        let figure = rest.split_once("<b>").unwrap().1.split_once("</b>").unwrap().0;
        figure.parse::<u32>().unwrap()
    };
    let before = told();
    let bought = json!({"customerId": shop.buyer,
        "items": [{"productId": shop.product, "quantity": 1}]});
    let order = made(&shop.client, "/orders", &bought);
    assert_eq!(told(), before, "it is not paid");
    let order = format!("/orders/{}", order["id"].as_str().unwrap());
    let _ = shop.client.patch(&order, &json!({"status": "paid"})).expect(200);
    assert_eq!(told(), before + 1);
    let over = json!({"status": "cancelled", "reason": "x", "refund": true});
    let _ = shop.client.patch(&order, &over).expect(200);
    assert_eq!(told(), before);
}

fn home_leads_to_an_order_that_was_paid_late(kind: DatabaseKind) {
    let app = App::start(kind);
    let shop = Shop::open(&app);
    let account = owned(&app, &Browser::new(&app));
    let bought = json!({"customerId": shop.buyer,
        "items": [{"productId": shop.product, "quantity": 1}]});
    let [late, unpaid] = [(); 2].map(|()| {
        let order = made(&shop.client, "/orders", &bought);
        order["id"].as_str().unwrap().to_owned()
    });
    app.advance_seconds(40 * 86_400);
    let paid = json!({"status": "paid"});
    let _ = shop.client.patch(&format!("/orders/{late}"), &paid).expect(200);
    // The session has run out meanwhile.
    let (browser, door) = (Browser::new(&app), "/panel/sign-in");
    let entered = browser.send(door, door, &[("email", EMAIL), ("password", PASSWORD)]);
    assert_eq!(entered.status, 303, "{}", entered.text);
    let home = browser.read(&account);
    let list = home.split('"').find(|part| part.contains("invoiced=due")).unwrap();
    let listed = browser.read(&list.replace("&#38;", "&").replace("&amp;", "&"));
    assert!(listed.contains(&late) && !listed.contains(&unpaid), "{listed}");
}

fn an_order_of_which_nothing_is_left_is_not_invoiced(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let order = ordered(&client, &account);
    let id = order.rsplit('/').next().unwrap();
    let (path, invoice) = (format!("/orders/{id}"), format!("invoices/new?order={id}"));
    let _ = client.patch(&path, &json!({"status": "shipped"})).expect(200);
    for is_sold in [true, false] {
        let back = json!({"items": [{"line": 1, "quantity": 1}], "reason": "Rota"});
        let _ = client.post(&format!("{path}/returns"), &back).expect(201);
        let shown = browser.read(&order);
        assert_eq!(shown.contains(&invoice), is_sold, "{shown}");
    }
}
