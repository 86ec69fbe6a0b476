//! What is done about many invoices at once, and about orders and deliveries beside them.

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, FakeSmtp, Receiver, on_both};

use super::{Shop, led};
use crate::{
    invoices::{
        emails::settings,
        office::{company, item, sale},
    },
    panel::bulk::{begun, rows},
};

on_both!(
    many_invoices_are_stamped_and_the_papers_of_a_month_are_made,
    what_is_wrong_with_orders_names_no_fields,
    of_many_drafts_those_that_were_changed_meanwhile_are_not_stamped,
    what_could_be_done_twice_is_done_once_however_late,
);

fn many_invoices_are_stamped_and_the_papers_of_a_month_are_made(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (browser, account) = (&shop.browser, shop.account.as_str());
    for _ in 0..2 {
        let _ = shop.client.post("/invoices", &sale(116.0)).expect(201);
    }
    let stamped = shop.stamped().replace("invoices/", "");
    let list = shop.read("invoices");
    assert!(list.contains(&format!("name=\"id[{stamped}]\"")), "{list}");
    let job = begun(browser, &shop.place("invoices/bulk/stamp?which=all"), &[]);
    assert_eq!(shop.client.ended(&job)["status"], "succeeded");
    assert_eq!(rows(browser, account, &job, "done").len(), 2);
    let skipped = rows(browser, account, &job, "skipped");
    assert_eq!((skipped.len(), skipped[0][1].as_str()), (1, stamped.as_str()), "{skipped:?}");
    assert_eq!(skipped[0][4], "La factura ya estaba timbrada.");
    // What it has led to is called what it is.
    let shown = shop.read(&format!("bulk/{job}"));
    assert!(!shown.contains(">inv_") && shown.contains(">Factura</a>"), "{shown}");
    assert!(shop.invoices().iter().all(|invoice| invoice["status"] == "stamped"));
    // There is no mail server to send them by.
    let page = format!("invoices/bulk/email?which=selected&id%5B{stamped}%5D=true");
    let job = begun(browser, &shop.place(&page), &[]);
    let _ = shop.client.ended(&job);
    let refused = rows(browser, account, &job, "refused");
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0][4].starts_with("no hay servidor de correo"), "{refused:?}");
    let month = shop.app.now().to_string()[..7].to_owned();
    let wrong = shop.send("invoices/export", &[("month", "2026"), ("content", "xml")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    let sent = shop.send("invoices/export", &[("month", &month), ("content", "xml")]);
    assert_eq!(led(&shop, &sent), "jobs?did=file.begun");
    let jobs = shop.client.get("/jobs?kind=invoices.export").expect(200);
    let job = jobs["data"][0]["id"].as_str().unwrap();
    assert_eq!(shop.client.ended(job)["status"], "succeeded");
    let place = shop.place(&format!("jobs/{job}/file"));
    assert!(shop.read("jobs").contains(&place));
    let file = browser.get(&place);
    assert_eq!((file.status, file.header("content-type")), (200, Some("application/zip")));
    assert!(file.text.starts_with("PK"), "{}", file.text);
}

/// Whoever has orders invoiced has sent no field that could be named.
fn what_is_wrong_with_orders_names_no_fields(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| {
        let made = shop.client.post(path, body).expect(201);
        made["id"].as_str().unwrap().to_owned()
    };
    let mug =
        made("/products", &json!({"name": "Taza", "sku": "TAZA", "price": 100, "inventory": 9}));
    let buyer = made("/customers", &json!({"name": "Xóchilt"}));
    let order = json!({"customerId": buyer, "items": [{"productId": mug, "quantity": 1}]});
    let [unknown, cancelled] = [0; 2].map(|_| made("/orders", &order));
    let reason = json!({"status": "cancelled", "reason": "x"});
    let _ = shop.client.patch(&format!("/orders/{cancelled}"), &reason).expect(200);
    let ticked = format!("id%5B{unknown}%5D=true&id%5B{cancelled}%5D=true");
    let page = shop.place(&format!("orders/bulk/invoice?which=selected&{ticked}"));
    let job = begun(&shop.browser, &page, &[]);
    let _ = shop.client.ended(&job);
    let refused = rows(&shop.browser, &shop.account, &job, "refused");
    let told = |order: &str| refused.iter().find(|row| row[1] == order).map(|row| row[4].as_str());
    assert_eq!(told(&cancelled), Some("El pedido está cancelado."), "{refused:?}");
    let lacking = "Faltan datos fiscales del cliente (RFC, razón social, código postal del domicilio \
                   fiscal, régimen fiscal): complétalos.";
    assert_eq!(told(&unknown), Some(lacking), "{refused:?}");
    let form = shop.browser.get(&shop.place(&format!("invoices/new?order={unknown}"))).text;
    assert!(form.contains("falta: está en la Constancia de Situación Fiscal"), "{form}");
    assert!(!form.contains("legalName,"), "{form}");
}

fn of_many_drafts_those_that_were_changed_meanwhile_are_not_stamped(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (browser, account) = (&shop.browser, shop.account.as_str());
    let pretend = |stamping: &str| {
        let choice = json!({"provider": "sandbox",
            "simulate": {"stamping": stamping, "cancellation": "accept"}});
        let _ = shop.client.send("PUT", "/invoices/cfdi/provider", &choice).expect(200);
    };
    let drafts = [0; 2].map(|_| {
        let draft = shop.client.post("/invoices", &sale(116.0)).expect(201);
        draft["id"].as_str().unwrap().to_owned()
    });
    // Nobody stamps them yet, which leaves its traces in both.
    pretend("unavailable");
    let job = begun(browser, &shop.place("invoices/bulk/stamp?which=all"), &[]);
    assert_eq!(shop.client.ended(&job)["status"], "succeeded");
    assert_eq!(rows(browser, account, &job, "refused").len(), 2);
    // Which nobody has rejected.
    for page in ["invoices", &format!("invoices/{}", drafts[0])] {
        let shown = shop.read(page);
        assert!(!shown.contains("pill bad"), "{shown}");
    }
    pretend("normal");
    let _ =
        shop.client.patch(&format!("/invoices/{}", drafts[0]), &json!({"notes": "x"})).expect(200);
    // As if the process had died before it could record what came of them.
    shop.unrecorded();
    assert_eq!(shop.client.ended(&job)["status"], "succeeded");
    let of = |outcome: &str| {
        let rows = rows(browser, account, &job, outcome);
        rows.into_iter().map(|row| (row[1].clone(), row[3].clone())).collect::<Vec<_>>()
    };
    assert_eq!(of("done"), [(drafts[1].clone(), String::new())]);
    assert_eq!(of("refused"), [(drafts[0].clone(), "precondition_failed".to_owned())]);
    let status =
        |id: &str| shop.client.get(&format!("/invoices/{id}")).expect(200)["status"].clone();
    assert_eq!(drafts.each_ref().map(|id| status(id)), ["draft", "stamped"]);
}

/// Drafts of orders, emails and deliveries: by the time that an action goes on, its idempotency keys may be forgotten.
fn what_could_be_done_twice_is_done_once_however_late(kind: DatabaseKind) {
    let (smtp, receiver) = (FakeSmtp::start(), Receiver::start());
    let app = App::with(kind).delivering().mail(settings(&smtp)).start();
    let shop = Shop::of(app).ready();
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let hook =
        made("/webhooks", &json!({"url": receiver.url("/a"), "events": ["product.created"]}));
    let hook = format!("webhooks/{}", hook["id"].as_str().unwrap());
    let mug = json!({"name": "Taza", "sku": "TAZA", "price": 100, "inventory": 9});
    let mug = made("/products", &mug);
    let mut buyer = company();
    (buyer["name"], buyer["email"]) = (json!("Universidad"), json!("compras@uni.example"));
    let buyer = made("/customers", &buyer);
    let items = json!([{"productId": mug["id"], "quantity": 1}]);
    let _ = made("/orders", &json!({"customerId": buyer["id"], "items": items}));
    let sold = json!({"customerId": buyer["id"], "paymentForm": "03", "items": [item(116.0)], "stamp": true});
    let sold = made("/invoices", &sold);
    let deliveries = format!("/{hook}/deliveries");
    let _ = shop.client.once(&deliveries, |seen| seen["data"][0]["state"] == "delivered");
    let email =
        format!("invoices/bulk/email?which=selected&id%5B{}%5D=true", sold["id"].as_str().unwrap());
    let pages =
        [email, format!("{hook}/resend?which=all"), "orders/bulk/invoice?which=all".to_owned()];
    let jobs = pages.map(|page| begun(&shop.browser, &shop.place(&page), &[]));
    let ended = || {
        for job in &jobs {
            let ended = shop.client.ended(job);
            assert_eq!(ended["status"], "succeeded", "{ended}");
        }
    };
    let done = || {
        let emails =
            shop.app.database.lines("SELECT id AS line FROM tasks WHERE kind = 'invoices.email'");
        let sent = shop.client.get(&deliveries).expect(200)["total"].clone();
        (emails.len(), sent, shop.invoices().len())
    };
    ended();
    assert_eq!(done(), (1, json!(2), 2));
    let _ = smtp.wait_for(1);
    // As if the process had died before it could record what came of them, and was away for more than a day.
    shop.app.advance_seconds(25 * 60 * 60);
    shop.app.housekeep();
    shop.unrecorded();
    ended();
    assert_eq!(done(), (1, json!(2), 2));
    let outcomes = shop.app.database.lines("SELECT outcome AS line FROM bulk_action_rows");
    assert_eq!(outcomes, ["done"; 3]);
    assert_eq!(smtp.emails().len(), 1);
}
