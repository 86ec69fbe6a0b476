//! What is done about many orders at once.

use accounts::{Accounts, Role, Team};
use kernel::{AccountId, Actor, Ctx};
use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

use super::{
    browser::{Browser, EMAIL, PASSWORD, hidden},
    shop::{made, opened},
};

on_both!(
    all_that_match_are_shipped_and_what_was_refused_is_told,
    what_was_done_before_a_crash_is_not_done_again,
    what_is_paid_already_is_skipped,
    what_waits_keeps_its_rows,
    whoever_may_not_any_more_acts_no_further,
    orders_are_cancelled_and_invoiced,
    nothing_is_begun_that_is_not_meant,
    whoever_cancels_an_action_is_on_record,
    deliveries_are_sent_again,
);

/// Orders of one mug each, by their identifiers.
fn ordered(client: &Client, count: usize) -> Vec<String> {
    let product = json!({"name": "Taza", "sku": "TAZA", "price": 100, "inventory": 1000});
    let product = made(client, "/products", &product);
    let buyer = made(client, "/customers", &json!({"name": "Xóchilt"}));
    let items = json!([{"productId": product["id"], "quantity": 1}]);
    let order = json!({"customerId": buyer["id"], "items": items});
    let id = |order: Value| order["id"].as_str().unwrap().to_owned();
    (0..count).map(|_| id(made(client, "/orders", &order))).collect()
}

fn status(client: &Client, order: &str) -> Value {
    client.get(&format!("/orders/{order}")).expect(200)["status"].clone()
}

/// How many rows of a job are done, of how many.
fn progress(job: &Value) -> (u64, u64) {
    let figure = |name: &str| job["progress"][name].as_u64().unwrap();
    (figure("done"), figure("total"))
}

/// Begins what a page asks about, of what there was when it was shown; the identifier of the job.
#[track_caller]
pub(super) fn begun(browser: &Browser, page: &str, fields: &[(&str, &str)]) -> String {
    let as_of = hidden(&browser.read(page), "asOf").unwrap();
    begun_as_of(browser, page, &as_of, fields)
}

#[track_caller]
fn begun_as_of(browser: &Browser, page: &str, as_of: &str, fields: &[(&str, &str)]) -> String {
    let fields: Vec<_> = [("asOf", as_of)].into_iter().chain(fields.iter().copied()).collect();
    let begun = browser.send(page, page, &fields);
    assert_eq!(begun.status, 303, "{}", begun.text);
    let location = begun.header("location").unwrap();
    let (_, id) = location.split('?').next().unwrap().rsplit_once('/').unwrap();
    id.to_owned()
}

/// The rows of a job with an outcome, by their cells.
pub(super) fn rows(browser: &Browser, account: &str, job: &str, outcome: &str) -> Vec<Vec<String>> {
    let table = browser.read(&format!("{account}bulk/{job}/rows.csv?outcome={outcome}"));
    let mut table = csv::ReaderBuilder::new().from_reader(table.as_bytes());
    let cells = |row: &csv::StringRecord| row.iter().map(str::to_owned).collect::<Vec<_>>();
    table.records().map(|row| cells(&row.unwrap())).collect()
}

fn all_that_match_are_shipped_and_what_was_refused_is_told(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let orders = ordered(&client, 30);
    let (cancelled, shipped) = (orders[3].as_str(), orders[4].as_str());
    let reason = json!({"status": "cancelled", "reason": "x"});
    let _ = client.patch(&format!("/orders/{cancelled}"), &reason).expect(200);
    let _ = client.post(&format!("/orders/{shipped}/shipments"), &json!({})).expect(201);
    let list = browser.read(&format!("{account}orders"));
    assert!(list.contains("formaction=") && list.contains("name=\"which\""), "{list}");
    let page = format!("{account}orders/bulk/ship?which=all");
    let shown = browser.read(&page);
    let as_of = hidden(&shown, "asOf").unwrap();
    let late = ordered_again(&client, &orders[0]);
    // Sent twice, it is one job.
    let tokens = ["csrf", "once"].map(|name| (name, hidden(&shown, name).unwrap()));
    let fields: Vec<_> = tokens.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let fields: Vec<_> = fields.into_iter().chain([("asOf", as_of.as_str())]).collect();
    let places = [browser.post(&page, &fields), browser.post(&page, &fields)];
    let places = places.map(|sent| sent.header("location").map(str::to_owned).unwrap());
    assert_eq!(places[0], places[1]);
    let place = places[0].split('?').next().unwrap().to_owned();
    let job = place.rsplit('/').next().unwrap();
    let ended = client.ended(job);
    assert_eq!(ended["status"], "succeeded", "{ended}");
    assert_eq!(progress(&ended), (30, 30), "{ended}");
    assert_eq!(rows(&browser, &account, job, "done").len(), 28);
    let skipped = rows(&browser, &account, job, "skipped");
    assert_eq!(skipped.len(), 1, "{skipped:?}");
    assert_eq!((skipped[0][1].as_str(), skipped[0][2].as_str()), (shipped, "Omitido"));
    assert_eq!(skipped[0][4], "Del pedido ya no queda nada por enviar.");
    let refused = rows(&browser, &account, job, "refused");
    assert_eq!((refused.len(), refused[0][1].as_str()), (1, cancelled), "{refused:?}");
    assert_eq!(refused[0][2], "Rechazado");
    let by_api = client.post(&format!("/orders/{cancelled}/shipments"), &json!({}));
    let by_api: Value = serde_json::from_str(&by_api.text).unwrap();
    assert_eq!(by_api["error"], refused[0][3].as_str(), "{refused:?}");
    assert_eq!(refused[0][4], "Un pedido en este estado ya no se puede enviar.");
    for order in orders.iter().filter(|order| *order != cancelled) {
        assert_eq!(status(&client, order), "shipped");
    }
    assert_eq!(status(&client, &late), "pending");
    assert_eq!(app.metric("shipments_created_total"), 29.0);
    let shown = browser.read(&place);
    assert!(shown.contains("rows.csv?outcome=refused") && !shown.contains("data-poll"), "{shown}");
    assert!(browser.read(&format!("{account}jobs")).contains(&place));
    let of_refused = browser.read(&format!("{place}?outcome=refused"));
    assert_eq!(of_refused.matches("<th scope=\"row\">").count(), 1, "{of_refused}");
    // The tickets of those that are ticked.
    let ticked: Vec<_> = orders.iter().take(2).map(|id| format!("id%5B{id}%5D=true")).collect();
    let tickets = format!("{account}orders/selected/tickets?which=selected&{}", ticked.join("&"));
    assert_eq!(browser.read(&tickets).matches("<article>").count(), 2);
    let audit = browser.read(&format!("{account}settings/audit"));
    assert!(audit.contains("bulk_action.started") && audit.contains(job), "{audit}");
    assert!(audit.contains("bulk_action.ended"), "{audit}");
    assert!(audit.contains("Hechos: <del>—</del> → <ins>28</ins>"), "{audit}");
    assert!(audit.contains("Renglones: <del>—</del> → <ins>30</ins>"), "{audit}");
}

/// Another order like one.
fn ordered_again(client: &Client, order: &str) -> String {
    let order = client.get(&format!("/orders/{order}")).expect(200);
    let items = json!([{"productId": order["items"][0]["productId"], "quantity": 1}]);
    let again = json!({"customerId": order["customerId"], "items": items});
    made(client, "/orders", &again)["id"].as_str().unwrap().to_owned()
}

fn account_of(app: &App) -> AccountId {
    let accounts = app.store().list_accounts().wait().unwrap().unwrap();
    accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id
}

/// The owner, signed in anew.
fn signed_in(app: &App) -> Browser {
    let (browser, door) = (Browser::new(app), "/panel/sign-in");
    let entered = browser.send(door, door, &[("email", EMAIL), ("password", PASSWORD)]);
    assert_eq!(entered.status, 303, "{}", entered.text);
    browser
}

/// The same after a crash that came before what was done about rows was on record.
fn crashed(app: App) -> (App, Client) {
    let app = app.restart();
    let account = account_of(&app);
    app.database.execute("UPDATE bulk_action_rows SET outcome = NULL, made = NULL, code = NULL");
    app.database.execute("UPDATE bulk_actions SET done = 0, refused = 0, skipped = 0");
    app.database.execute(
        "UPDATE tasks SET state = 'open', due_at = created_at, ended_at = NULL, outcome = NULL, done = 0 \
         WHERE kind = 'orders.bulk'",
    );
    let client = app.client_of(account, "*");
    (app, client)
}

fn what_was_done_before_a_crash_is_not_done_again(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let orders = ordered(&client, 40);
    let page = format!("{account}orders/bulk/pay?which=all&status=pending");
    let job = begun(&browser, &page, &[("method", "cash")]);
    // It goes on after a restart in its middle.
    let app = app.restart();
    let client = app.client_of(account_of(&app), "*");
    assert_eq!(progress(&client.ended(&job)), (40, 40));
    let paid = rows(&signed_in(&app), &account, &job, "done");
    assert_eq!(paid.len(), 40, "{paid:?}");
    let (app, client) = crashed(app);
    let ended = client.ended(&job);
    assert_eq!(ended["status"], "succeeded", "{ended}");
    // The same payments, and no others.
    assert_eq!(rows(&signed_in(&app), &account, &job, "done"), paid);
    for order in &orders {
        let payments = client.get(&format!("/payments?orderId={order}")).expect(200);
        assert_eq!(payments["data"].as_array().unwrap().len(), 1, "{payments}");
        assert_eq!(status(&client, order), "paid");
    }
    // What nobody asks for any more is removed in the end.
    app.advance_seconds(8 * 24 * 60 * 60);
    app.housekeep();
    let gone = signed_in(&app).get(&format!("{account}bulk/{job}"));
    assert_eq!(gone.status, 404, "{}", gone.text);
}

fn what_is_paid_already_is_skipped(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let orders = ordered(&client, 2);
    let page = format!("{account}orders/bulk/pay?which=all");
    let job = begun(&browser, &page, &[("method", "cash")]);
    assert_eq!(progress(&client.ended(&job)), (2, 2));
    assert_eq!(rows(&browser, &account, &job, "done").len(), 2);
    let vain = browser.read(&page);
    assert!(vain.contains("Ninguno de estos pedidos tiene saldo por registrar."), "{vain}");
    assert!(!vain.contains("name=\"method\""), "{vain}");
    let late = ordered_again(&client, &orders[0]);
    let gone = ordered_again(&client, &orders[0]);
    let cancelled = json!({"status": "cancelled", "reason": "x"});
    let _ = client.patch(&format!("/orders/{gone}"), &cancelled).expect(200);
    let job = begun(&browser, &page, &[("method", "cash")]);
    assert_eq!(progress(&client.ended(&job)), (4, 4));
    let of = |outcome: &str| rows(&browser, &account, &job, outcome);
    assert_eq!(of("done").iter().map(|row| row[1].clone()).collect::<Vec<_>>(), [late]);
    let reasons = |outcome: &str| of(outcome).iter().map(|row| row[4].clone()).collect::<Vec<_>>();
    assert_eq!(reasons("skipped"), ["No queda saldo por registrar."; 2]);
    assert_eq!(reasons("refused"), ["El pedido está cancelado."]);
    let shown = browser.read(&format!("{account}bulk/{job}"));
    for (figure, told) in [(1, "Hecho"), (1, "Rechazado"), (2, "Omitidos")] {
        let told = format!("<b>{figure}</b> <span>{told}</span>");
        assert!(shown.contains(&told), "{told}: {shown}");
    }
    assert!(!shown.contains("allowOverpayment"), "{shown}");
}

/// However long an action has to wait, what it has not done is not counted as done.
fn what_waits_keeps_its_rows(kind: DatabaseKind) {
    const DAY: i64 = 24 * 60 * 60;
    let (app, browser, account, client) = opened(kind);
    let _ = ordered(&client, 2);
    let page = format!("{account}orders/bulk/pay?which=all&status=pending");
    let job = begun(&browser, &page, &[("method", "cash")]);
    assert_eq!(client.ended(&job)["status"], "succeeded");
    let waits = |days: i64| {
        app.database
            .execute("UPDATE bulk_action_rows SET outcome = NULL, made = NULL, code = NULL");
        app.database.execute("UPDATE bulk_actions SET done = 0, refused = 0, skipped = 0");
        let micros = days * DAY * 1_000_000;
        app.database.execute(&format!(
            "UPDATE tasks SET state = 'open', due_at = created_at + {micros}, ended_at = NULL, \
             outcome = NULL, done = 0 WHERE kind = 'orders.bulk'"
        ));
    };
    waits(9);
    app.advance_seconds(8 * DAY);
    app.housekeep();
    assert_eq!(signed_in(&app).get(&format!("{account}bulk/{job}")).status, 200);
    app.advance_seconds(2 * DAY);
    let ended = client.ended(&job);
    assert_eq!(
        (ended["status"].as_str(), progress(&ended)),
        (Some("succeeded"), (2, 2)),
        "{ended}"
    );
    app.database.execute("DELETE FROM bulk_action_rows WHERE position = 1");
    waits(0);
    let ended = client.ended(&job);
    assert_eq!(ended["status"], "failed", "{ended}");
}

fn whoever_may_not_any_more_acts_no_further(kind: DatabaseKind) {
    let (app, _, account, client) = opened(kind);
    let orders = ordered(&client, 2);
    let sales = Browser::of_member(&app, Role::Sales);
    let job = begun(&sales, &format!("{account}orders/bulk/ship?which=all"), &[]);
    assert_eq!(client.ended(&job)["status"], "succeeded");
    let live = account_of(&app);
    let members = app.store().members(live).wait().unwrap().unwrap();
    let member = members.iter().find(|one| one.role == Role::Sales).unwrap().user.id;
    let ctx = Ctx::system(live, app.now()).by(Actor::Operator("test".into()));
    let _ = app.store().change_role(ctx, member, Role::Viewer).wait().unwrap().unwrap();
    let (app, client) = crashed(app);
    let ended = client.ended(&job);
    assert_eq!(ended["status"], "failed", "{ended}");
    let owner = signed_in(&app);
    for outcome in ["done", "refused", "skipped"] {
        assert_eq!(rows(&owner, &account, &job, outcome), Vec::<Vec<String>>::new());
    }
    let page = owner.read(&format!("{account}bulk/{job}"));
    let english = ended["lastError"].as_str().unwrap();
    assert!(page.contains("notice warn") && !page.contains(english), "it is in Spanish");
    assert!(orders.iter().all(|order| status(&client, order) == "shipped"));
}

fn orders_are_cancelled_and_invoiced(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let orders = ordered(&client, 3);
    let selected = |ids: &[String]| {
        let boxes: Vec<_> = ids.iter().map(|id| format!("id%5B{id}%5D=true")).collect();
        format!("which=selected&{}", boxes.join("&"))
    };
    // Nobody is there to issue invoices yet: each is refused as the API would.
    let page = format!("{account}orders/bulk/invoice?{}", selected(&orders[..2]));
    let job = begun(&browser, &page, &[("stamp", "true")]);
    let ended = client.ended(&job);
    assert_eq!(ended["progress"]["total"], 2, "{ended}");
    let refused = rows(&browser, &account, &job, "refused");
    let codes: Vec<_> = refused.iter().map(|row| row[3].as_str()).collect();
    assert_eq!(codes, ["issuer_missing", "issuer_missing"], "{refused:?}");
    assert_eq!(refused[0][4], "Aún no hay emisor: configúralo en Facturación.");
    let paid = json!({"status": "paid"});
    let _ = client.patch(&format!("/orders/{}", orders[0]), &paid).expect(200);
    let page = format!("{account}orders/bulk/cancel?{}", selected(&orders[..2]));
    let as_of = hidden(&browser.read(&page), "asOf").unwrap();
    let without = browser.send(&page, &page, &[("asOf", &as_of)]);
    assert_eq!(without.status, 422, "{}", without.text);
    assert!(without.text.contains("id=\"reason-fault\""), "{}", without.text);
    let job = begun(&browser, &page, &[("reason", "Sin existencia")]);
    let _ = client.ended(&job);
    let refused = rows(&browser, &account, &job, "refused");
    assert_eq!((refused.len(), refused[0][1].as_str()), (1, orders[0].as_str()), "{refused:?}");
    let needed = "Se recibió dinero por este pedido: marca «Reembolsar lo pagado».";
    assert_eq!(refused[0][4], needed);
    let left = ["paid", "cancelled", "pending"];
    assert_eq!(orders.iter().map(|order| status(&client, order)).collect::<Vec<_>>(), left);
    let job = begun(&browser, &page, &[("reason", "Sin existencia"), ("refund", "true")]);
    let _ = client.ended(&job);
    let skipped = rows(&browser, &account, &job, "skipped");
    assert_eq!(skipped.len(), 1, "{skipped:?}");
    assert_eq!(skipped[0][4], "El pedido ya estaba cancelado.");
    assert_eq!(status(&client, &orders[0]), "cancelled");
    let unread = browser.get(&format!("{account}orders/bulk/cancel?which=selected&id%5Bx%5D=abc"));
    assert_eq!(unread.status, 422, "{}", unread.text);
    assert!(unread.text.contains("No se puede leer lo que se seleccionó."), "{}", unread.text);
}

fn nothing_is_begun_that_is_not_meant(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let orders = ordered(&client, 2);
    // No box is ticked: that does not mean all. Neither does an address that says nothing.
    for query in ["?which=selected", "", "?status=pending"] {
        let none = browser.get(&format!("{account}orders/bulk/ship{query}"));
        assert_eq!(none.status, 422, "{query}: {}", none.text);
        let title = "<h1>No hay nada seleccionado</h1>";
        assert!(none.text.contains(title), "{query}: {}", none.text);
    }
    let page = format!("{account}orders/bulk/ship?id%5B{}%5D=true", orders[0]);
    let ended = client.ended(&begun(&browser, &page, &[]));
    assert_eq!(progress(&ended), (1, 1), "{ended}");
    assert_eq!(status(&client, &orders[1]), "pending");
    let nothing = browser.read(&format!("{account}orders/bulk/ship?which=all&q=nada"));
    assert!(hidden(&nothing, "asOf").is_none(), "{nothing}");
    let warehouse = Browser::of_member(&app, Role::Warehouse);
    let list = warehouse.read(&format!("{account}orders"));
    assert!(list.contains("bulk/ship") && !list.contains("bulk/pay"), "{list}");
    let page = format!("{account}orders/bulk/cancel?which=all");
    let as_of = hidden(&warehouse.read(&page), "asOf").unwrap();
    let fields = [("asOf", as_of.as_str()), ("reason", "x"), ("refund", "true")];
    let refunding = warehouse.send(&page, &page, &fields);
    assert_eq!(refunding.status, 422, "{}", refunding.text);
    let job = begun_as_of(&warehouse, &page, &as_of, &[("reason", "x")]);
    let _ = client.ended(&job);
    // It has ended, so that there is nothing to cancel.
    let place = format!("{account}bulk/{job}");
    let cancelled = browser.send(&place, &format!("{place}/cancel"), &[]);
    assert_eq!(cancelled.status, 422, "{}", cancelled.text);
    let unknown = browser.get(&format!("{account}bulk/tsk_01ARZ3NDEKTSV4RRFFQ69G5FAV"));
    assert_eq!(unknown.status, 404, "{}", unknown.text);
}

fn whoever_cancels_an_action_is_on_record(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let _ = ordered(&client, 1);
    let job = begun(&browser, &format!("{account}orders/bulk/ship?which=all"), &[]);
    assert_eq!(client.ended(&job)["status"], "succeeded");
    // As if it still waited to look its rows up.
    app.database.execute("DELETE FROM bulk_action_rows");
    app.database.execute("UPDATE bulk_actions SET is_collected = 0, total = 0, done = 0");
    let micros = 24 * 60 * 60 * 1_000_000_i64;
    app.database.execute(&format!(
        "UPDATE tasks SET state = 'open', due_at = created_at + {micros}, ended_at = NULL, \
         outcome = NULL, done = 0 WHERE kind = 'orders.bulk'"
    ));
    let place = format!("{account}bulk/{job}");
    let cancelled = browser.send(&place, &format!("{place}/cancel"), &[]);
    assert_eq!(cancelled.status, 303, "{}", cancelled.text);
    let page = client.get(&format!("/audit?resource={job}")).expect(200);
    let entries = page["data"].as_array().unwrap().iter().rev();
    let told = entries.map(|one| json!([one["actor"]["name"], one["action"], one["after"]]));
    let ship = json!({"action": "orders.ship"});
    let shipped = json!({"action": "orders.ship", "status": "succeeded", "rows": "1", "done": "1",
        "refused": "0", "skipped": "0"});
    let wanted = [
        json!([EMAIL, "bulk_action.started", ship]),
        json!([null, "bulk_action.ended", shipped]),
        json!([EMAIL, "bulk_action.cancelled", ship]),
        json!([null, "bulk_action.ended", {"action": "orders.ship", "status": "cancelled"}]),
    ];
    assert_eq!(told.collect::<Vec<_>>(), wanted);
}

fn deliveries_are_sent_again(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let hook = json!({"url": "https://hooks.example.com/a", "events": ["product.created"]});
    let hook = made(&client, "/webhooks", &hook)["id"].as_str().unwrap().to_owned();
    for place in 0..3 {
        let product = json!({"name": "Taza", "sku": format!("T-{place}"), "price": 1});
        let _ = made(&client, "/products", &product);
    }
    let detail = browser.read(&format!("{account}webhooks/{hook}"));
    let boxes = detail.split("name=\"id[").skip(1).map(|rest| rest.split(']').next().unwrap());
    let deliveries: Vec<_> = boxes.map(str::to_owned).collect();
    assert_eq!(deliveries.len(), 3, "{detail}");
    // At a path of another webhook there are none of these.
    let other = json!({"url": "https://hooks.example.com/b", "events": ["order.created"]});
    let other = made(&client, "/webhooks", &other)["id"].as_str().unwrap().to_owned();
    let retry = |webhook: &str| {
        let place = format!("{account}webhooks/{webhook}");
        browser.send(&place, &format!("{place}/deliveries/{}/retry", deliveries[0]), &[])
    };
    assert_eq!((retry(&other).status, retry(&hook).status), (404, 303));
    let page = format!("{account}webhooks/{hook}/resend");
    let job = begun(&browser, &format!("{page}?which=all"), &[]);
    assert_eq!(progress(&client.ended(&job)), (3, 3));
    assert_eq!(rows(&browser, &account, &job, "done").len(), 3);
    let disable = format!("{account}webhooks/{hook}/disable");
    let disabled = browser.send(&format!("{account}webhooks/{hook}"), &disable, &[]);
    assert_eq!(disabled.status, 303, "{}", disabled.text);
    let ticked = format!("{page}?which=selected&id%5B{}%5D=true", deliveries[0]);
    let job = begun(&browser, &ticked, &[]);
    let _ = client.ended(&job);
    let refused = rows(&browser, &account, &job, "refused");
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!(
        (refused[0][1].as_str(), refused[0][3].as_str()),
        (&*deliveries[0], "webhook_disabled")
    );
    assert_eq!(refused[0][4], "El webhook está desactivado. Actívalo primero.");
}
