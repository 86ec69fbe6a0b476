//! Money in the panel: payments, refunds, payment links; and what must be approved.

use accounts::Role;
use serde_json::json;
use testkit::{Client, DatabaseKind, on_both};

use super::{
    browser::Browser,
    bulk::begun,
    shop::{SCRIPT, made, opened, ordered},
    walk::owned,
};
use crate::orders::shop::{Shop, id};

on_both!(
    a_payment_is_seen_and_given_back,
    a_link_needs_a_provider,
    what_is_wrong_with_a_link_is_told_in_the_words_of_its_form,
    what_waits_for_others_is_seen,
    who_only_ships_gives_no_money_back,
    who_decides_is_judged_by_what_it_is_about,
    what_is_to_be_paid_is_less_for_who_withholds_taxes,
    what_is_owed_of_an_order_is_the_same_everywhere,
    what_is_paid_asks_for_nothing_more,
    what_is_about_to_be_paid_is_not_recorded_too,
    what_came_back_is_not_called_paid,
);

fn a_payment_is_seen_and_given_back(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let payment = json!({"method": "cash", "amount": 200, "currency": "MXN", "reference": SCRIPT});
    let payment = id(&made(&client, "/payments", &payment));
    let list = browser.read(&format!("{account}payments?status=paid"));
    assert!(list.contains("$200.00"), "{list}");
    let place = format!("{account}payments/{payment}");
    let shown = browser.read(&place);
    assert!(shown.contains("&#60;script&#62;") && !shown.contains("<script>"), "{shown}");
    assert!(!shown.contains(&format!("{place}/capture")), "{shown}");
    let refund = format!("{place}/refund");
    let wrong = browser.send(&refund, &refund, &[("amount", "200.01")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    assert!(wrong.text.contains("id=\"amount-fault\""), "{}", wrong.text);
    let given = browser.send(&refund, &refund, &[("amount", "50"), ("reason", "Taza rota")]);
    assert_eq!(given.status, 303, "{}", given.text);
    let shown = browser.read(given.header("location").unwrap());
    assert!(shown.contains("Taza rota") && shown.contains("$50.00"), "{shown}");
    let refunds = browser.read(&format!("{account}refunds"));
    assert!(refunds.contains("Taza rota") && refunds.contains(&place), "{refunds}");
    let late = browser.send(&format!("{place}/cancel"), &format!("{place}/cancel"), &[]);
    assert_eq!(late.status, 422, "{}", late.text);
}

fn a_link_needs_a_provider(kind: DatabaseKind) {
    let (_app, browser, account, _) = opened(kind);
    let empty = browser.read(&format!("{account}links"));
    let new = format!("{account}links/new");
    assert!(empty.contains(&new), "{empty}");
    let refused = browser.send(&new, &new, &[("title", SCRIPT), ("amount", "100")]);
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("role=\"alert\"") && !refused.text.contains("<script>"));
    let wrong = browser.send(&new, &new, &[("title", "Taza"), ("amount", "nada")]);
    assert!(wrong.text.contains("id=\"amount-fault\""), "{}", wrong.text);
}

fn what_is_wrong_with_a_link_is_told_in_the_words_of_its_form(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let order = ordered(&client, &account);
    let new = format!("{account}links/new");
    let optional = "es obligatorio si la liga no es de un pedido";
    let empty = "debe quedar vacío con un pedido: la liga cobra lo que se deba de él";
    for (fields, told) in [
        (&[("amount", "100"), ("orderId", "ORD-000001")][..], empty),
        (&[("title", "Taza")], optional),
        (&[("amount", "100")], optional),
    ] {
        let refused = browser.send(&new, &new, fields);
        assert_eq!(refused.status, 422, "{}", refused.text);
        let (_, alert) = refused.text.split_once("role=\"alert\"").unwrap();
        let (alert, _) = alert.split_once("<form").unwrap();
        assert!(alert.contains(told), "{told}: {alert}");
        for word in ["orderId", "invoiceId", "amountMin", "PUT", "allowedMethods"] {
            assert!(!alert.contains(word), "{word}: {alert}");
        }
    }
    let (_, order) = order.rsplit_once('/').unwrap();
    let cancelled = json!({"status": "cancelled", "reason": "x"});
    let _ = client.patch(&format!("/orders/{order}"), &cancelled).expect(200);
    let refused = browser.send(&new, &new, &[("orderId", "ORD-000001")]);
    assert_eq!(refused.status, 422, "{}", refused.text);
    let told = "<a href=\"#orderId\">El pedido está cancelado</a>";
    assert!(refused.text.contains(told), "{}", refused.text);
    assert!(refused.text.contains("id=\"orderId-fault\""), "{}", refused.text);
}

fn what_waits_for_others_is_seen(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let accounts = accounts::Accounts::list_accounts(&**app.store()).wait().unwrap().unwrap();
    let own = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
    let (_, approver) = app.approving_key(own, "*");
    let mug = json!({"name": "Taza", "sku": "T", "price": 100, "inventory": 10});
    let mug = id(&made(&client, "/products", &mug));
    let buyer = id(&made(&client, "/customers", &json!({"name": "Xóchilt"})));
    let items = json!([{"productId": mug, "quantity": 1}]);
    let order = id(&made(&client, "/orders", &json!({"customerId": buyer, "items": items})));
    let level =
        json!({"approvers": [{"type": "key", "id": approver.to_string()}], "minApprovals": 1});
    let asked = json!({"entityType": "order_cancellation", "entityId": order, "reason": SCRIPT,
        "levels": [level]});
    let approval = id(&made(&client, "/approvals", &asked));
    let list = browser.read(&format!("{account}approvals?status=pending"));
    let place = format!("{account}approvals/{approval}");
    assert!(list.contains(&place) && !list.contains("<script>"), "{list}");
    let shown = browser.read(&place);
    assert!(shown.contains("&#60;script&#62;"), "{shown}");
    assert!(!shown.contains(&format!("{place}/approve")), "others are asked: {shown}");
    let approve = format!("{place}/approve");
    let refused = browser.send(&approve, &approve, &[("comment", "Va")]);
    assert_eq!(refused.status, 422, "{}", refused.text);
}

fn who_only_ships_gives_no_money_back(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let order = ordered(&client, &account);
    let paid =
        browser.send(&format!("{order}/pay"), &format!("{order}/pay"), &[("method", "cash")]);
    assert_eq!(paid.status, 303, "{}", paid.text);
    let payments = browser.read(&format!("{account}payments"));
    assert!(payments.contains(&format!("href=\"{order}\"")), "{payments}");
    let warehouse = Browser::of_member(&app, Role::Warehouse);
    for act in ["cancel", "return"] {
        let place = format!("{order}/{act}");
        assert!(!warehouse.read(&place).contains("name=\"refund\""), "{act}");
        let fields = [("reason", "Rota"), ("quantity[1]", "1"), ("refund", "true")];
        let fields: Vec<_> = fields
            .into_iter()
            .filter(|(name, _)| act == "return" || *name != "quantity[1]")
            .collect();
        let refused = warehouse.send(&place, &place, &fields);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(refused.text.contains("no permite devolver dinero"), "{act}: {}", refused.text);
        assert!(browser.read(&place).contains("name=\"refund\""), "{act}");
    }
}

fn who_decides_is_judged_by_what_it_is_about(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let accounts = accounts::Accounts::list_accounts(&**app.store()).wait().unwrap().unwrap();
    let own = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
    let (key, approver) = app.approving_key(own, "*");
    let level =
        json!({"approvers": [{"type": "key", "id": approver.to_string()}], "minApprovals": 1});
    let rule = json!({"entityType": "refund", "conditions": [], "levels": [level]});
    let approving = client.with_key(&key);
    let _ = made(&approving, "/approval-rules", &rule);
    let payment = json!({"method": "cash", "amount": 200, "currency": "MXN"});
    let payment = id(&made(&client, "/payments", &payment));
    let refund = format!("{account}payments/{payment}/refund");
    let asked = browser.send(&refund, &refund, &[("amount", "50"), ("reason", "Rota")]);
    assert_eq!(asked.status, 303, "{}", asked.text);
    let waiting = client.get("/approvals").expect(200);
    let approval = waiting["data"][0]["id"].as_str().unwrap().to_owned();
    let place = format!("{account}approvals/{approval}/approve");
    // An accountant's role decides about money; this one is not named.
    for (role, status) in [(Role::Accountant, 422), (Role::Sales, 403), (Role::Viewer, 403)] {
        let member = Browser::of_member(&app, role);
        let csrf = member.csrf(&account);
        let reply = member.post(&place, &[("csrf", &csrf)]);
        assert_eq!(reply.status, status, "{role:?}: {}", reply.text);
    }
    // Rules about money are nothing to who only ships.
    let rules = format!("{account}approvals/rules");
    assert!(browser.read(&rules).contains("Reembolso de un cobro"));
    let warehouse = Browser::of_member(&app, Role::Warehouse).read(&rules);
    assert!(!warehouse.contains("Reembolso de un cobro"), "{warehouse}");
    // Who has asked takes it back.
    let cancel = format!("{account}approvals/{approval}/cancel");
    let csrf = browser.csrf(&account);
    assert_eq!(browser.post(&cancel, &[("csrf", &csrf)]).status, 303);
}

/// A product that costs 1160.00, of which legal persons withhold 12.50.
pub(super) fn lamp(client: &Client) -> String {
    let taxes = json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.16},
        {"tax": "ISR", "factor": "Tasa", "rate": 0.0125, "withheld": true}]);
    let lamp =
        json!({"name": "Lámpara", "sku": "L", "price": 1160, "inventory": 90, "taxes": taxes});
    id(&made(client, "/products", &lamp))
}

fn what_is_to_be_paid_is_less_for_who_withholds_taxes(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let lamp = lamp(&client);
    let [rest, whole] = [("1,147.50", json!(1147.5)), ("1,160.00", json!(1160))];
    for (rfc, (due, paid), (not, _)) in
        [("URE180429TM6", &rest, &whole), ("CACX7605101P8", &whole, &rest)]
    {
        let buyer = id(&made(&client, "/customers", &json!({"name": "Xóchilt", "rfc": rfc})));
        let items = json!([{"productId": lamp, "quantity": 1}]);
        let order = id(&made(&client, "/orders", &json!({"customerId": buyer, "items": items})));
        let pay = format!("{account}orders/{order}/pay");
        let asked = browser.read(&pay);
        assert!(asked.contains(due) && !asked.contains(not), "{rfc}: {asked}");
        // More is taken, as far as nothing is withheld after all.
        let much = browser.send(&pay, &pay, &[("method", "cash"), ("amount", "5000")]);
        assert_eq!(much.status, 422, "{rfc}: {}", much.text);
        let most = "debe ser a lo más $1,160.00, lo que se debe antes de retenciones";
        assert!(much.text.contains(most), "{rfc}: {}", much.text);
        assert_eq!(browser.send(&pay, &pay, &[("method", "cash")]).status, 303);
        let seen = client.get(&format!("/orders/{order}")).expect(200);
        assert_eq!((&seen["status"], &seen["amountPaid"]), (&json!("paid"), paid), "{rfc}");
    }
}

fn what_is_owed_of_an_order_is_the_same_everywhere(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let lamp = lamp(&client);
    let ordered = |rfc: &str, pieces: i64| {
        let buyer = id(&made(&client, "/customers", &json!({"name": "Xóchilt", "rfc": rfc})));
        let items = json!([{"productId": lamp, "quantity": pieces}]);
        let order = id(&made(&client, "/orders", &json!({"customerId": buyer, "items": items})));
        (order, buyer)
    };
    let withheld = "Impuestos retenidos";
    for (rfc, due, cell, withholds) in [
        ("URE180429TM6", "$1,147.50", ",1147.50,", true),
        ("CACX7605101P8", "$1,160.00", ",1160.00,", false),
    ] {
        let (order, buyer) = ordered(rfc, 1);
        let shown = browser.read(&format!("{account}orders/{order}"));
        assert!(shown.contains(due), "{rfc}: {shown}");
        assert_eq!(shown.contains(withheld), withholds, "{rfc}: {shown}");
        for page in [
            format!("orders/{order}/pay"),
            format!("orders/{order}/ticket"),
            format!("customers/{buyer}"),
        ] {
            let shown = browser.read(&format!("{account}{page}"));
            assert!(shown.contains(due), "{rfc} {page}: {shown}");
        }
        let table = browser.read(&format!("{account}orders.csv?customer={buyer}"));
        assert!(table.contains(&format!(",0.00{cell}")), "{rfc}: {table}");
    }
    // What came back, and what was left out when it was paid.
    let (order, _) = ordered("URE180429TM6", 2);
    let path = format!("/orders/{order}");
    let _ = client.patch(&path, &json!({"status": "shipped"})).expect(200);
    let back = json!({"items": [{"line": 1, "quantity": 1}], "reason": "Rota"});
    let _ = client.post(&format!("{path}/returns"), &back).expect(201);
    let paid = json!({"orderId": order, "method": "cash", "amount": 1150});
    let _ = made(&client, "/payments", &paid);
    let shown = browser.read(&format!("{account}orders/{order}"));
    for told in ["Devuelto", "−$1,160.00", withheld, "−$10.00", "$1,150.00", "$0.00"] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    let refund = json!({"amount": 50});
    let payment = client.get(&format!("/payments?orderId={order}")).expect(200)["data"][0].clone();
    let _ = made(&client, &format!("/payments/{}/refunds", id(&payment)), &refund);
    let table = browser.read(&format!("{account}orders.csv"));
    let heads = "Impuestos retenidos,Devuelto,Reembolsado";
    assert!(table.lines().next().unwrap().trim_end().ends_with(heads), "{table}");
    let row = table.lines().find(|line| line.contains(&order)).unwrap();
    assert!(row.trim_end().ends_with(",10.00,1160.00,50.00"), "{row}");
    // Customers are named, beside their identifiers.
    for table in [table, browser.read(&format!("{account}payments.csv"))] {
        assert!(table.contains(",Xóchilt,cus_"), "{table}");
    }
}

fn what_is_paid_asks_for_nothing_more(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let order = ordered(&client, &account);
    let list = browser.read(&format!("{account}orders"));
    assert!(list.contains("El único que coincide"), "{list}");
    let all = format!("{account}orders/bulk/pay?which=all");
    let asked = browser.read(&all);
    assert!(asked.contains("En total se registran $200.00 como recibidos."), "{asked}");
    let pay = format!("{order}/pay");
    assert!(browser.read(&pay).contains("name=\"method\""));
    assert_eq!(browser.send(&pay, &pay, &[("method", "cash")]).status, 303);
    let paid = browser.read(&pay);
    assert!(paid.contains("El pedido está pagado") && !paid.contains("name=\"method\""), "{paid}");
    let nothing = browser.read(&all);
    assert!(!nothing.contains("En total se registran"), "{nothing}");
    assert!(!nothing.contains("name=\"asOf\""), "{nothing}");
}

fn what_is_about_to_be_paid_is_not_recorded_too(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let browser = Browser::new(&shop.app);
    let account = owned(&shop.app, &browser);
    let mug = shop.product("TAZA", 100.0, 10);
    let [one, other] = [1, 2].map(|pieces| shop.order_id(&[(&mug, pieces)]));
    let all = format!("{account}orders/bulk/pay?which=all");
    let is_told = |sum: &str| {
        let asked = browser.read(&all);
        let told = format!("En total se registran {sum} como recibidos.");
        assert!(asked.contains(&told), "{told} {asked}");
    };
    let held = |order: &str, amount: i64| {
        let card = json!({"orderId": order, "method": "card", "amount": amount, "capture": false});
        assert_eq!(shop.make("/payments", &card)["status"], "authorized");
    };
    is_told("$300.00");
    held(&other, 150);
    is_told("$150.00");
    held(&one, 100);
    is_told("$50.00");
    let job = begun(&browser, &all, &[("method", "cash")]);
    assert_eq!(shop.client.ended(&job)["status"], "succeeded");
    for (order, recorded) in [(&one, vec![]), (&other, vec![json!(50)])] {
        let payments = shop.client.get(&format!("/payments?orderId={order}")).expect(200);
        let payments = payments["data"].as_array().unwrap().iter();
        let cash = payments.filter(|payment| payment["method"] == "cash");
        let cash: Vec<_> = cash.map(|payment| payment["amount"].clone()).collect();
        assert_eq!(cash, recorded, "{order}");
    }
    let nothing = browser.read(&all);
    assert!(!nothing.contains("En total se registran"), "{nothing}");
}

fn what_came_back_is_not_called_paid(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    for is_paid in [false, true] {
        let order = ordered(&client, &account);
        let id = order.rsplit('/').next().unwrap();
        if is_paid {
            let _ = made(&client, "/payments", &json!({"orderId": id, "method": "cash"}));
        }
        let path = format!("/orders/{id}");
        let _ = client.patch(&path, &json!({"status": "shipped"})).expect(200);
        let back =
            json!({"items": [{"line": 1, "quantity": 2}], "reason": "Rota", "refund": is_paid});
        let _ = client.post(&format!("{path}/returns"), &back).expect(201);
        let nothing = browser.read(&format!("{order}/pay"));
        assert!(nothing.contains("No hay saldo por pagar."), "{nothing}");
        assert!(!nothing.contains("está pagado"), "{nothing}");
    }
}
