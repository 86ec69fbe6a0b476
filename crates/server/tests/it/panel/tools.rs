//! What the panel has for those who develop: events, requests, jobs and credits.

use accounts::Accounts;
use kernel::Timestamp;
use serde_json::json;
use testkit::{App, DatabaseKind, Reaction, Receiver, Reply, on_both};

use super::{browser::Browser, shop::opened};

on_both!(
    events_are_seen_with_their_deliveries,
    past_events_are_sent_again,
    requests_of_keys_are_seen,
    jobs_and_credits_are_seen,
    a_webhook_is_made_changed_and_deleted,
    a_delivery_shows_what_was_sent,
);

fn events_are_seen_with_their_deliveries(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let hook = json!({"url": "https://hooks.example.com/a", "events": ["product.created"]});
    let hook = client.post("/webhooks", &hook).expect(201);
    let product =
        json!({"name": "<script>alert(1)</script>", "sku": "S-1", "price": 1, "inventory": 5});
    let product = client.post("/products", &product).expect(201);
    let id = product["id"].as_str().unwrap();
    let list = browser.read(&format!("{account}events"));
    assert!(list.contains("product.created") && list.contains(id), "{list}");
    let place = format!("{account}events/evt_");
    let event = list.split('"').find(|part| part.starts_with(&place));
    let shown = browser.read(event.unwrap_or_else(|| panic!("{list}")));
    assert!(shown.contains("S-1") && !shown.contains("<script>"), "{shown}");
    let deliveries = format!("webhooks/{}/deliveries/", hook["id"].as_str().unwrap());
    assert!(shown.contains(&deliveries), "{shown}");
    let found = |query: &str| {
        let list = browser.read(&format!("{account}events?{query}"));
        list.matches("<th scope=\"row\">").count()
    };
    assert_eq!(found(&format!("name=product.created&entity={id}")), 1);
    assert_eq!(found("name=order.created"), 0);
    assert_eq!(found("from=2999-01-01"), 0);
    let buyer = json!({"name": "Ana", "email": "ana@buyers.example"});
    let buyer = client.post("/customers", &buyer).expect(201);
    let items = json!([{"productId": id, "quantity": 1}]);
    let bought = json!({"customerId": buyer["id"], "items": items});
    let order = client.post("/orders", &bought).expect(201);
    let order = order["id"].as_str().unwrap();
    assert!(found(&format!("entity={order}")) > 0);
    assert_eq!(found(&format!("name=order.created&entity={order}")), 1);
    // What no database takes is found nowhere, and does no harm.
    assert_eq!(found("entity=%00x&name=a%00b"), 0);
    let nowhere = browser.get(&format!("{account}events%00"));
    assert_eq!(nowhere.status, 404, "{}", nowhere.text);
    let nothing = browser.get(&format!("{account}events/evt_01ARZ3NDEKTSV4RRFFQ69G5FAV"));
    assert_eq!(nothing.status, 404, "{}", nothing.text);
}

fn past_events_are_sent_again(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let hook = json!({"url": "https://hooks.example.com/a", "events": ["product.created"]});
    let hook = client.post("/webhooks", &hook).expect(201);
    let page = format!("{account}webhooks/{}", hook["id"].as_str().unwrap());
    assert!(browser.read(&page).contains(&format!("{page}/replay")));
    let replay = format!("{page}/replay");
    let send = |fields: &[(&str, &str)]| browser.send(&replay, &replay, fields);
    for (fields, fault) in [
        (&[][..], "since-fault"),
        (&[("since", "someday")][..], "since-fault"),
        (&[("since", "2026-02-01"), ("until", "2026-01-31")][..], "until-fault"),
    ] {
        let wrong = send(fields);
        assert_eq!(wrong.status, 422, "{}", wrong.text);
        assert!(wrong.text.contains(&format!("id=\"{fault}\"")), "{}", wrong.text);
    }
    let yesterday = Timestamp::from_micros(app.now().micros() - 86_400_000_000).to_string();
    let sent = send(&[("since", &yesterday[..10])]);
    assert_eq!(sent.status, 303, "{}", sent.text);
    let shown = browser.read(sent.header("location").unwrap());
    assert!(shown.contains("role=\"status\""), "{shown}");
}

fn requests_of_keys_are_seen(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    app.hold_clock();
    let product = client.post("/products", &json!({"name": "Taza", "price": 1})).expect(201);
    let place = format!("/products/{}", product["id"].as_str().unwrap());
    let _ = client.patch(&place, &json!({"price": "dear"})).refused(400, "validation_failed");
    for _ in 0..3 {
        let _ = client.get(&place).expect(200);
    }
    let requests = |query: &str| browser.read(&format!("{account}requests{query}"));
    let rows = |query: &str| requests(query).matches("<th scope=\"row\">").count();
    let list = requests("");
    assert!(
        list.contains("PATCH /products/{id}") && list.contains("400 validation_failed"),
        "{list}"
    );
    assert!(list.contains("127.0.0.0/24") && !list.contains("dear"), "{list}");
    assert_eq!(
        [rows(""), rows("?failed=true"), rows("?method=POST"), rows("?method=GET")],
        [2, 1, 1, 0]
    );
    // Reads are shown when their minute is over.
    app.advance_seconds(61);
    let _ = client.get("/products").expect(200);
    assert_eq!(rows("?method=GET"), 1);
    assert_eq!(rows("?from=2999-01-01"), 0);
    let failed = requests("?failed=true");
    let line = failed.split('"').find(|part| part.contains("requests/req_")).unwrap();
    let detail = browser.read(line);
    let product = format!("{account}products/{}", product["id"].as_str().unwrap());
    assert!(detail.contains("400 validation_failed") && detail.contains(&product), "{detail}");
    let unknown = browser.get(&format!("{account}requests/req_01ARZ3NDEKTSV4RRFFQ69G5FAV"));
    assert_eq!(unknown.status, 404, "{}", unknown.text);
}

fn jobs_and_credits_are_seen(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let request = client.request("POST", "/products/imports").header("Content-Type", "text/csv");
    let import = Reply::to(request.body("sku,name,price\nTZ-1,Taza,19.99\n"));
    assert_eq!(import.status, 202, "{}", import.text);
    let jobs = browser.read(&format!("{account}jobs"));
    assert!(jobs.contains("products.import"), "{jobs}");
    let none = browser.read(&format!("{account}jobs?kind=invoices.email"));
    assert!(none.contains("class=\"empty\""), "{none}");
    let credits = browser.read(&format!("{account}settings/credits"));
    assert!(credits.contains("class=\"stats\""), "{credits}");
}

fn a_webhook_is_made_changed_and_deleted(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let page = format!("{account}webhooks/new");
    let send = |page: &str, fields: &[(&str, &str)]| browser.send(page, page, fields);
    for (fields, faults) in [
        (&[("url", "https://hooks.example.com/a")][..], &["events"][..]),
        (&[("url", "ftp://hooks.example.com"), ("events[*]", "true")][..], &["url"][..]),
        (&[("url", "https://e.example"), ("events[order.lost]", "true")][..], &["events"][..]),
        // An address that this service does not call is told with the rest.
        (&[("url", "ftp://e.example")][..], &["url", "events"][..]),
    ] {
        let wrong = send(&page, fields);
        assert_eq!(wrong.status, 422, "{}", wrong.text);
        for fault in faults {
            assert!(wrong.text.contains(&format!("id=\"{fault}-fault\"")), "{}", wrong.text);
        }
    }
    let fields = [("url", "https://hooks.example.com/a"), ("events[order.paid]", "true")];
    let made = send(&page, &fields);
    assert_eq!(made.status, 200, "{}", made.text);
    let secret = super::browser::copied(&made.text, "secret");
    assert!(secret.starts_with("whsec_"), "{secret}");
    let hooks = client.get("/webhooks").expect(200);
    let hook = &hooks["data"][0];
    assert_eq!(hook["events"], json!(["order.paid"]), "{hook}");
    let place = format!("{account}webhooks/{}", hook["id"].as_str().unwrap());
    let edit = format!("{place}/edit");
    let shown = browser.read(&edit);
    assert!(shown.contains("name=\"events[order.paid]\" value=\"true\" checked"), "{shown}");
    let version = super::browser::hidden(&shown, "version").unwrap();
    let changed = [
        ("url", "https://hooks.example.com/b"),
        ("events[*]", "true"),
        ("description", "Almacén"),
        ("version", &version),
    ];
    assert_eq!(send(&edit, &changed).status, 303);
    // Somebody else has changed it meanwhile.
    let stale = send(&edit, &changed);
    assert_eq!(stale.status, 422, "{}", stale.text);
    let hook = client.get("/webhooks").expect(200)["data"][0].clone();
    assert_eq!((&hook["url"], &hook["description"]), (&json!(changed[0].1), &json!("Almacén")));
    let delete = format!("{place}/delete");
    let version = super::browser::hidden(&browser.read(&delete), "version").unwrap();
    assert_eq!(send(&delete, &[("version", &version)]).status, 303);
    assert_eq!(browser.get(&place).status, 404);
    let programs = browser.read(&format!("{account}webhooks/receiving"));
    assert_eq!(programs.matches("<summary>").count(), 4, "{programs}");
}

fn a_delivery_shows_what_was_sent(kind: DatabaseKind) {
    let app = App::with(kind).delivering().start();
    let receiver = Receiver::start();
    let (browser, account) = Browser::of_owner(&app);
    let accounts = app.store().list_accounts().wait().unwrap().unwrap();
    let id = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
    let client = app.client_of(id, "*");
    let hook = json!({"url": receiver.url("/a"), "events": ["product.created"]});
    let hook = client.post("/webhooks", &hook).expect(201)["id"].as_str().unwrap().to_owned();
    let product = json!({"name": "Taza", "sku": "S-1", "price": 1});
    let _ = client.post("/products", &product).expect(201);
    let deliveries = format!("/webhooks/{hook}/deliveries");
    let delivered = |seen: &serde_json::Value| seen["data"][0]["state"] == "delivered";
    let seen = client.once(&deliveries, delivered);
    let place = format!("{account}webhooks/{hook}");
    let delivery = seen["data"][0]["id"].as_str().unwrap();
    let shown = browser.read(&format!("{place}/deliveries/{delivery}"));
    let sent = &receiver.received_at("/a")[0];
    for name in ["x-service-event-id", "x-service-delivery-id", "webhook-timestamp"] {
        let value = sent.header(name).unwrap();
        assert!(shown.contains(&format!("<code>{value}</code>")), "{name} {value}: {shown}");
    }
    let detail = browser.read(&place);
    assert!(detail.contains("<b>100 %</b>"), "{detail}");
    // Why nobody answered is told in Spanish, as the API tells it who asks for that.
    receiver.always("/a", Reaction::Close);
    let again = client.act(&format!("/webhooks/{hook}/test")).expect(200);
    let again = again["id"].as_str().unwrap();
    let api = format!("/webhooks/deliveries/{again}");
    let _ = client.once(&api, |seen| !seen["attemptLog"][0].is_null());
    let told = Reply::to(client.request("GET", &api).header("Accept-Language", "es"));
    let told = told.expect(200)["attemptLog"][0]["error"].as_str().unwrap().to_owned();
    let shown = browser.read(&format!("{place}/deliveries/{again}"));
    assert!(shown.contains(&told), "{told}: {shown}");
}
