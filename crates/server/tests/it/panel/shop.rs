//! The shop in the panel: what the API has put there.

use accounts::Role;
use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

use super::browser::{Browser, hidden};

on_both!(
    what_is_sold_is_seen,
    an_order_is_paid_shipped_and_cancelled,
    an_order_is_placed_for_a_customer_who_is_added,
    an_order_is_begun_of_whoever_is_meant,
    an_order_is_found_by_its_number,
    home_says_which_webhooks_fail,
    lists_are_filtered_and_paged,
    what_waits_is_counted_in_the_navigation,
    webhooks_and_deliveries_are_seen,
    a_webhook_is_tested_and_its_secret_renewed,
);

pub(super) const SCRIPT: &str = "<script>alert(1)</script>";

/// The panel of an account, and a client of its API.
pub(super) fn opened(kind: DatabaseKind) -> (App, Browser, String, Client) {
    let app = App::with(kind).not_delivering().start();
    let (browser, account) = Browser::of_owner(&app);
    let accounts = accounts::Accounts::list_accounts(&**app.store()).wait().unwrap().unwrap();
    let id = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
    let client = app.client_of(id, "*");
    (app, browser, account, client)
}

pub(super) fn made(client: &Client, path: &str, body: &Value) -> Value {
    client.post(path, body).expect(201)
}

fn what_is_sold_is_seen(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let name = format!("Taza {SCRIPT}");
    let product = made(
        &client,
        "/products",
        &json!({"name": name, "sku": "TAZA-1", "price": 1234.5, "inventory": 10,
        "variants": [{"name": "Azul", "sku": "TAZA-AZUL", "inventory": 3}]}),
    );
    let buyer = made(
        &client,
        "/customers",
        &json!({"name": SCRIPT, "email": "xo@shop.example", "rfc": "CACX7605101P8"}),
    );
    let order = made(
        &client,
        "/orders",
        &json!({"customerId": buyer["id"], "notes": SCRIPT,
        "items": [{"productId": product["id"], "quantity": 2}]}),
    );
    let id = |value: &Value| value["id"].as_str().unwrap().to_owned();
    let home = browser.read(&account);
    assert!(home.contains("orders?status=pending"), "{home}");
    for (page, shown) in [
        ("orders".to_owned(), "$2,469.00"),
        (format!("orders/{}", id(&order)), "TAZA-1"),
        ("customers".to_owned(), "xo@shop.example"),
        (format!("customers/{}", id(&buyer)), "CACX7605101P8"),
        ("products".to_owned(), "$1,234.50"),
        (format!("products/{}", id(&product)), "TAZA-AZUL"),
    ] {
        let html = browser.read(&format!("{account}{page}"));
        assert!(html.contains(shown), "{page}: {html}");
        assert!(html.contains("&#60;script&#62;") && !html.contains("<script>"), "{page}: {html}");
        assert!(!html.contains(" style="), "{page}: {html}");
    }
    let (sold, what) = (id(&order), id(&product));
    for (page, way) in [
        (format!("orders/{sold}"), format!("products/{what}")),
        (format!("orders/{sold}"), format!("movements?reference={sold}")),
        ("movements".to_owned(), format!("orders/{sold}")),
        ("movements".to_owned(), format!("products/{what}")),
        ("events".to_owned(), format!("orders/{sold}")),
    ] {
        let html = browser.read(&format!("{account}{page}"));
        assert!(html.contains(&format!("href=\"{account}{way}\"")), "{page} {way}: {html}");
    }
    // Of the product and of its variant.
    assert!(browser.read(&format!("{account}products/{what}")).contains("<dd>11</dd>"));
    let found = browser.get(&format!("{account}search?q=ord-1"));
    let place = format!("{account}orders/{}", id(&order));
    assert_eq!((found.status, found.header("location")), (303, Some(place.as_str())));
    let found = browser.read(&format!("{account}search?q=taza"));
    assert!(found.contains(&format!("{account}products/{}", id(&product))), "{found}");
    let other = made(
        &client,
        "/orders",
        &json!({"customerId": buyer["id"], "items": [{"productId": product["id"], "quantity": 1}]}),
    );
    let _ = client
        .patch(&format!("/orders/{}", id(&other)), &json!({"status": "cancelled", "reason": "x"}))
        .expect(200);
    let detail = browser.read(&format!("{account}orders/{}", id(&other)));
    assert!(
        detail.contains("class=\"pill bad\"") && detail.contains("<ol class=\"timeline\">"),
        "{detail}"
    );
}

fn home_says_which_webhooks_fail(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let hook = json!({"url": "https://hooks.example.com/a", "events": ["*"]});
    let _ = made(&client, "/webhooks", &hook);
    let to_do = |failures: u32| {
        let sql = format!("UPDATE subscriptions SET consecutive_failures = {failures}");
        app.database.execute(&sql);
        let home = browser.read(&account);
        // There is nothing to seal with: nobody misses credits.
        assert_eq!(home.matches("settings/credits\"").count(), 2, "{home}");
        let list = home.split("class=\"todo\"").nth(1).unwrap_or_default();
        list.contains(&format!("{account}webhooks?state=failing\""))
    };
    assert_eq!([0, 4, 5].map(to_do), [false, false, true]);
}

fn lists_are_filtered_and_paged(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    for place in 0..30 {
        let name = if place == 7 { "Lámpara".to_owned() } else { format!("Taza {place}") };
        let _ = made(
            &client,
            "/products",
            &json!({"name": name, "sku": format!("S-{place}"), "price": 1}),
        );
    }
    let first = browser.read(&format!("{account}products"));
    assert_eq!(first.matches("<th scope=\"row\">").count(), 25, "{first}");
    let next = first
        .split_once("rel=\"next\" href=\"")
        .unwrap()
        .1
        .split_once('"')
        .unwrap()
        .0
        .replace("&#38;", "&");
    let second = browser.read(&next);
    assert_eq!(second.matches("<th scope=\"row\">").count(), 5, "{second}");
    let alone = browser.get_fragment(&next);
    assert_eq!(alone.text.matches("<th scope=\"row\">").count(), 5, "{}", alone.text);
    assert!(!alone.text.contains("<html") && !alone.text.contains("navigation"), "{}", alone.text);
    assert!(alone.header("vary").unwrap().contains("HX-Request"));
    let found = browser.read(&format!("{account}products?q=lampara"));
    assert_eq!(found.matches("<th scope=\"row\">").count(), 1, "{found}");
    assert!(found.contains("value=\"lampara\""), "{found}");
    let table = browser.get(&format!("{account}products.csv?q=taza"));
    assert_eq!(table.header("content-type"), Some("text/csv; charset=utf-8"), "{}", table.text);
    assert_eq!(table.text.lines().count(), 30, "{}", table.text);
    assert!(table.text.starts_with('\u{feff}') && !table.text.contains("mpara"), "{}", table.text);
    let nothing = browser.read(&format!("{account}products?q=zzz&after=forged"));
    assert!(nothing.contains("class=\"empty\""), "{nothing}");
}

fn what_waits_is_counted_in_the_navigation(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let figure = |browser: &Browser, list: &str| {
        let home = browser.read(&account);
        let (_, line) = home.split_once(&format!("href=\"{account}{list}\"")).unwrap();
        let (line, _) = line.split_once("</a>").unwrap();
        let figure = line.split_once("class=\"count\" aria-hidden=\"true\">");
        figure.and_then(|(_, rest)| rest.split_once('<')).map(|(figure, _)| figure.to_owned())
    };
    assert_eq!(figure(&browser, "orders"), None);
    for _ in 0..2 {
        let place = ordered(&client, &account);
        let pay = format!("{place}/pay");
        assert_eq!(browser.send(&pay, &pay, &[("method", "cash")]).status, 303);
    }
    let pending = ordered(&client, &account);
    let shipped = format!("{}/ship", ordered(&client, &account));
    let pay = shipped.replace("/ship", "/pay");
    assert_eq!(browser.send(&pay, &pay, &[("method", "cash")]).status, 303);
    assert_eq!(figure(&browser, "orders").as_deref(), Some("3"), "{pending} is not paid");
    assert_eq!(browser.send(&shipped, &shipped, &[]).status, 303);
    assert_eq!(figure(&browser, "orders").as_deref(), Some("2"));
    assert_eq!(figure(&browser, "invoices"), None);
    assert_eq!(figure(&browser, "customers"), None);
    let member = Browser::of_member(&app, Role::Warehouse);
    assert_eq!(figure(&member, "orders").as_deref(), Some("2"));
}

fn webhooks_and_deliveries_are_seen(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let hook = made(
        &client,
        "/webhooks",
        &json!({"url": "https://hooks.example.com/a", "events": ["product.created"]}),
    );
    let _ = made(&client, "/products", &json!({"name": SCRIPT, "sku": "S-1", "price": 1}));
    let list = browser.read(&format!("{account}webhooks"));
    assert!(list.contains("https://hooks.example.com/a"), "{list}");
    let page = format!("{account}webhooks/{}", hook["id"].as_str().unwrap());
    let detail = browser.read(&page);
    let delivery = detail
        .split('"')
        .find(|part| part.contains("/deliveries/"))
        .unwrap_or_else(|| panic!("{detail}"));
    let of = |query: &str| {
        let found = browser.read(&format!("{page}?{query}"));
        found.matches("<th scope=\"row\">").count()
    };
    let other = "eventId=evt_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    assert_eq!((of("event=product.created"), of("event=order.created"), of(other)), (1, 0, 0));
    let shown = browser.read(delivery);
    assert!(shown.contains("product.created") && !shown.contains("<script>"), "{shown}");
    assert!(
        !list.contains(hook["secret"].as_str().unwrap())
            && !detail.contains(hook["secret"].as_str().unwrap())
    );
}

/// An order of some mugs, by the path of its page.
pub(super) fn ordered(client: &Client, account: &str) -> String {
    let known = client.get("/products").expect(200)["data"].as_array().unwrap().len();
    let product =
        json!({"name": "Taza", "sku": format!("T-{known}"), "price": 100, "inventory": 10});
    let product = made(client, "/products", &product);
    let buyer = made(client, "/customers", &json!({"name": "Xóchilt"}));
    let items = json!([{"productId": product["id"], "quantity": 2}]);
    let order = made(client, "/orders", &json!({"customerId": buyer["id"], "items": items}));
    format!("{account}orders/{}", order["id"].as_str().unwrap())
}

fn an_order_is_paid_shipped_and_cancelled(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let order = ordered(&client, &account);
    let place = |act: &str| format!("{order}/{act}");
    let act = |act: &str, fields: &[(&str, &str)]| browser.send(&place(act), &place(act), fields);
    let id = order.rsplit('/').next().unwrap();
    let asked = browser.read(&format!("{account}links/new?order={id}"));
    assert!(browser.read(&order).contains(&format!("links/new?order={id}")));
    assert!(asked.contains("value=\"ORD-000001\""), "{asked}");
    let too_much = act("pay", &[("method", "cash"), ("amount", "200.01")]);
    assert_eq!(too_much.status, 422, "{}", too_much.text);
    assert!(
        too_much.text.contains("id=\"amount-fault\"") && too_much.text.contains("value=\"200.01\"")
    );
    let paid = act("pay", &[("method", "cash"), ("reference", "caja 1")]);
    assert_eq!(paid.status, 303, "{}", paid.text);
    let shown = browser.read(paid.header("location").unwrap());
    assert!(shown.contains("role=\"status\"") && !shown.contains(&place("pay")), "{shown}");
    let wrong = act("ship", &[("carrier", "Estafeta"), ("trackingUrl", "javascript:alert(1)")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    let shipped = act("ship", &[("carrier", "Estafeta"), ("trackingNumber", "E-1")]);
    assert_eq!(shipped.status, 303, "{}", shipped.text);
    let shown = browser.read(&order);
    assert!(shown.contains("Estafeta") && shown.contains("E-1"), "{shown}");
    let slip = shown.split('"').find(|part| part.ends_with("/packing-slip")).unwrap();
    let printed = browser.get(slip);
    assert_eq!((printed.status, printed.header("content-type")), (200, Some("application/pdf")));
    let ticket = browser.read(&place("ticket"));
    assert!(ticket.contains("$200.00") && ticket.contains("<svg class=\"qr\""), "{ticket}");
    for act in ["cancel", "ship"] {
        assert!(!shown.contains(&format!("\"{}\"", place(act))), "{act}: {shown}");
    }
    let back = |quantity: &str| {
        act("return", &[("quantity[1]", quantity), ("reason", "Rota"), ("refund", "true")])
    };
    let too_many = back("3");
    assert_eq!(too_many.status, 422, "{}", too_many.text);
    assert!(too_many.text.contains("id=\"quantity[1]-fault\""), "{}", too_many.text);
    assert_eq!(back("0").status, 422);
    assert_eq!(back("1").status, 303);
    let refunds = browser.read(&format!("{account}refunds"));
    assert!(refunds.contains("$100.00"), "{refunds}");
    let shown = browser.read(&order);
    let given_back = shown.matches("<dd class=\"figure\">$100.00</dd>").count();
    assert_eq!(given_back, 1, "{shown}");
    let late = act("cancel", &[("reason", "x")]);
    assert_eq!(late.status, 422, "{}", late.text);
    let order = ordered(&client, &account);
    let cancel = format!("{order}/cancel");
    let without = browser.send(&cancel, &cancel, &[]);
    assert_eq!(without.status, 422, "{}", without.text);
    assert!(without.text.contains("id=\"reason-fault\""), "{}", without.text);
    // What was changed since it was looked at is not cancelled.
    let seen = hidden(&browser.read(&cancel), "version").unwrap();
    let id = order.rsplit('/').next().unwrap();
    let _ = client.patch(&format!("/orders/{id}"), &json!({"notes": "Otra"})).expect(200);
    let of_then = [("reason", "Se arrepintió"), ("version", seen.as_str())];
    let stale = browser.send(&cancel, &cancel, &of_then);
    assert_eq!(stale.status, 422, "{}", stale.text);
    let cancelled = browser.send(&cancel, &cancel, &[("reason", "Se arrepintió")]);
    assert_eq!(cancelled.status, 303, "{}", cancelled.text);
    let shown = browser.read(&order);
    assert!(shown.contains("class=\"pill bad\"") && shown.contains("Se arrepintió"), "{shown}");
    let ticket = browser.read(&format!("{order}/ticket"));
    assert!(ticket.contains("<b>Cancelado</b>"), "{ticket}");
}

fn a_webhook_is_tested_and_its_secret_renewed(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let hook = json!({"url": "https://hooks.example.com/a", "events": ["*"]});
    let hook = made(&client, "/webhooks", &hook);
    let page = format!("{account}webhooks/{}", hook["id"].as_str().unwrap());
    // Without a script, a button that is clicked twice is sent twice.
    let shown = browser.read(&page);
    let tokens = ["csrf", "once"].map(|name| (name, hidden(&shown, name).unwrap()));
    let tokens = tokens.each_ref().map(|(name, text)| (*name, text.as_str()));
    for _ in 0..2 {
        let test = browser.post(&format!("{page}/test"), &tokens);
        assert_eq!(test.status, 303, "{}", test.text);
    }
    let shown = browser.read(&page);
    assert_eq!(shown.matches(">webhook.test</a>").count(), 1, "{shown}");
    let rotate = format!("{page}/rotate");
    let rotated = browser.send(&rotate, &rotate, &[]);
    assert_eq!(rotated.status, 200, "{}", rotated.text);
    let secret = super::browser::copied(&rotated.text, "secret");
    assert_ne!(hook["secret"], secret.as_str());
    assert_eq!(browser.send(&page, &format!("{page}/disable"), &[]).status, 303);
    let again = browser.send(&page, &format!("{page}/test"), &[]);
    assert_eq!(again.status, 422, "{}", again.text);
    assert_eq!(browser.send(&page, &format!("{page}/enable"), &[]).status, 303);
    assert_eq!(
        client.get(&format!("/webhooks/{}", hook["id"].as_str().unwrap())).expect(200)["status"],
        "enabled"
    );
    let log = browser.read(&format!("{account}settings/audit"));
    let told = "Estado: <del>Activo</del> → <ins>Desactivado</ins>";
    assert!(log.contains(told) && !log.contains(">disabled<"), "{log}");
}

fn an_order_is_placed_for_a_customer_who_is_added(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let product = json!({"name": "Taza", "sku": "TAZA", "price": 100, "inventory": 3});
    let _ = made(&client, "/products", &product);
    let page = format!("{account}customers/new");
    let wrong = browser.send(&page, &page, &[("name", "Beto"), ("rfc", "X"), ("taxZip", "00001")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    for field in ["rfc", "taxZip"] {
        assert!(wrong.text.contains(&format!("id=\"{field}-fault\"")), "{field}: {}", wrong.text);
    }
    let added = browser.send(&page, &page, &[("name", "Beto"), ("email", "beto@shop.example")]);
    assert_eq!(added.status, 303, "{}", added.text);
    let place = added.header("location").unwrap().split('?').next().unwrap().to_owned();
    let edit = format!("{place}/edit");
    let seen = super::browser::hidden(&browser.read(&edit), "version").unwrap();
    let fields = [("name", "Beto Ruiz"), ("phone", "+525512345678"), ("version", seen.as_str())];
    assert_eq!(browser.send(&edit, &edit, &fields).status, 303);
    let detail = browser.read(&place);
    assert!(detail.contains("Beto Ruiz") && !detail.contains("beto@shop.example"), "{detail}");
    // Somebody has changed it meanwhile: what was typed stays.
    let late = browser.send(&edit, &edit, &fields);
    assert_eq!(late.status, 422, "{}", late.text);
    let page = format!("{account}orders/new");
    let unknown = browser.send(
        &page,
        &page,
        &[("customer", "Nadie"), ("sku[0]", "NADA"), ("quantity[0]", "1")],
    );
    assert_eq!(unknown.status, 422, "{}", unknown.text);
    assert!(
        unknown.text.contains("href=\"#customer\"") && unknown.text.contains("href=\"#sku[0]\"")
    );
    let many = browser.send(
        &page,
        &page,
        &[("customer", "Beto"), ("sku[0]", "TAZA"), ("quantity[0]", "4")],
    );
    assert_eq!(many.status, 422, "{}", many.text);
    for told in ["value=\"TAZA\"", "href=\"#quantity[0]\""] {
        assert!(many.text.contains(told), "{}", many.text);
    }
    let placed = browser.send(
        &page,
        &page,
        &[("customer", "Beto"), ("sku[0]", "TAZA"), ("quantity[0]", "2")],
    );
    assert_eq!(placed.status, 303, "{}", placed.text);
    assert!(browser.read(placed.header("location").unwrap()).contains("$200.00"));
    let agreed = |discount: &str, street: &str| {
        let of_row = [("sku[0]", "TAZA"), ("quantity[0]", "1"), ("unitPrice[0]", "80")];
        let others = [("note[0]", "Roja"), ("orderDiscount", "2"), ("shipping.amount", "50")];
        let fields = [("customer", "Beto"), ("discount[0]", discount), ("address.street", street)];
        let fields = [of_row, others, fields].concat();
        let city = [("address.city", "CDMX")];
        browser.send(&page, &page, &[fields.as_slice(), &city].concat())
    };
    for (discount, street, field) in [
        ("101%", "Madero 1", "discount[0]"),
        ("90", "Madero 1", "discount[0]"),
        ("10%", "", "address.street"),
    ] {
        let refused = agreed(discount, street);
        assert_eq!(refused.status, 422, "{}", refused.text);
        let is_told = refused.text.contains(&format!("id=\"{field}-fault\""));
        assert!(is_told, "{discount}: {}", refused.text);
    }
    // As the panel writes amounts and people telephone numbers.
    let pretty = [
        ("customer", "Beto"),
        ("sku[0]", "TAZA"),
        ("quantity[0]", "4"),
        ("unitPrice[0]", "$9,999,999.99"),
        ("address.street", "Madero 1"),
        ("address.phone", "55 1234 5678"),
    ];
    let pretty = browser.send(&page, &page, &pretty);
    assert_eq!(pretty.status, 422, "there are not so many: {}", pretty.text);
    for field in ["unitPrice[0]", "address.phone"] {
        assert!(!pretty.text.contains(&format!("id=\"{field}-fault\"")), "{}", pretty.text);
    }
    let placed = agreed("10%", "Madero 1");
    assert_eq!(placed.status, 303, "{}", placed.text);
    let shown = browser.read(placed.header("location").unwrap());
    for part in ["$120.00", "Roja", "Madero 1", "CDMX"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

fn an_order_is_found_by_its_number(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let order = ordered(&client, &account);
    for (words, is_found) in [("ORD-000001", true), ("1", true), ("ord-1", true), ("ord-2", false)]
    {
        let list = browser.read(&format!("{account}orders?q={words}"));
        assert_eq!(list.contains(&format!("href=\"{order}\"")), is_found, "{words}: {list}");
    }
    let link = format!("{account}links/new");
    let unknown = browser.send(&link, &link, &[("orderId", "ord-2")]);
    assert_eq!(unknown.status, 422, "{}", unknown.text);
    assert!(unknown.text.contains("id=\"orderId-fault\""), "{}", unknown.text);
    let wrong = browser.send(&link, &link, &[("orderId", "mañana")]);
    assert!(wrong.text.contains("id=\"orderId-fault\""), "{}", wrong.text);
}

fn an_order_is_begun_of_whoever_is_meant(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let product = json!({"name": "Taza azul", "sku": "T-1", "price": 100, "inventory": 3});
    let _ = made(&client, "/products", &product);
    let page = format!("{account}orders/new");
    let fields = [("sku[0]", "azul"), ("quantity[0]", "1")];
    let send =
        |who: &[(&str, &str)]| browser.send(&page, &page, &[who, fields.as_slice()].concat());
    let unknown = send(&[("customer", "beto@shop.example")]);
    assert_eq!(unknown.status, 422, "{}", unknown.text);
    let add = unknown.text.split('"').find(|part| part.contains("customers/new?")).unwrap();
    let add = add.replace("&#38;", "&").replace("&amp;", "&");
    assert!(browser.read(&add).contains("value=\"beto@shop.example\""), "{add}");
    let whole = [("name", "Beto"), ("email", "beto@shop.example"), ("then", "order")];
    let place = format!("{account}customers/new");
    let added = browser.send(&add, &place, &whole);
    assert_eq!(added.status, 303, "{}", added.text);
    let next = added.header("location").unwrap();
    assert!(next.starts_with(&format!("{page}?customer=")), "{next}");
    let shown = browser.read(next);
    let id = hidden(&shown, "customerId").unwrap();
    assert!(shown.contains("value=\"Beto\""), "{shown}");
    let other = json!({"name": "Beto", "email": "otro@shop.example"});
    let _ = made(&client, "/customers", &other);
    let several = send(&[("customer", "Beto")]);
    assert_eq!(several.status, 422, "{}", several.text);
    for contact in ["beto@shop.example", "otro@shop.example"] {
        assert!(several.text.contains(contact), "{}", several.text);
    }
    for letter in ["a", "b", "c", "d", "e", "f", "g"] {
        let email = format!("{letter}@shop.example");
        let _ = made(&client, "/customers", &json!({"name": "Carla", "email": email}));
    }
    // Five are named, and how many others there are.
    let many = send(&[("customer", "Carla")]);
    let (_, fault) = many.text.split_once("id=\"customer-fault\"").unwrap();
    let (fault, _) = fault.split_once("</").unwrap();
    assert_eq!(fault.matches("@shop.example").count(), 5, "{fault}");
    assert!(fault.contains(" 2 "), "{fault}");
    let placed = send(&[("customer", "Beto"), ("customerId", &id)]);
    assert_eq!(placed.status, 303, "{}", placed.text);
    let customer = browser.read(&format!("{account}customers/{id}"));
    let new = format!("href=\"{page}?customer={id}\"");
    assert!(customer.contains(&new) && customer.contains("$100.00"), "{customer}");
}
