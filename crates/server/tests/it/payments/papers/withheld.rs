//! Orders whose customers withhold taxes: they pay these to the tax authority, and the rest here.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::desk::Desk;
use crate::{
    invoices::office::{company, id},
    payments::links::{Payer, began, page_of},
};

on_both!(
    what_is_withheld_is_paid_to_the_tax_authority,
    what_is_left_of_it_is_given_back_as_it_was_paid,
    what_was_withheld_stays_so_whatever_is_given_back,
    an_invoice_of_it_and_its_order_are_paid_together,
    an_order_that_is_marked_paid_was_paid_without_it,
    an_order_asks_for_what_its_invoice_asks_for,
    only_legal_persons_are_asked_for_less,
    who_withholds_nothing_is_invoiced_what_was_paid,
    an_invoice_that_states_them_is_paid_without_them,
    what_was_paid_is_credited_as_it_is_given_back,
    what_is_left_is_credited_though_less_is_withheld_of_it,
    what_was_withheld_is_invoiced_to_who_withheld_it,
    a_draft_that_withholds_nothing_waits_for_what_was_withheld,
    what_is_paid_beside_the_stamping_is_counted_as_that_ends,
    who_withholds_nothing_owes_what_they_left_out,
    what_an_invoice_says_is_withheld_is_not_due,
);

fn taxes() -> Value {
    json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.16},
        {"tax": "ISR", "factor": "Tasa", "rate": 0.0125, "withheld": true}])
}

/// A product that costs 1160.00, of which 12.50 are withheld.
fn lamp(desk: &Desk) -> String {
    desk.office.product("LAMPARA", 1_160.0, &json!({"taxes": taxes()}))
}

/// An order of pieces of it.
fn order(desk: &Desk, pieces: i64) -> Value {
    desk.office.order(&desk.customer, &[(&lamp(desk), pieces)])
}

fn now(desk: &Desk, order: &Value) -> Value {
    desk.office.client.get(&format!("/orders/{}", id(order))).expect(200)
}

fn what_is_withheld_is_paid_to_the_tax_authority(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk, 2);
    assert_eq!(
        (&order["totalAmount"], &order["withheldTotal"], &order["amountDue"]),
        (&json!(2320), &json!(25), &json!(2320))
    );
    let net = json!({"orderId": order["id"], "method": "cash", "amount": 2295});
    let payment = desk.pay(&net);
    assert_eq!(payment["flags"], json!([]));
    let paid = now(&desk, &order);
    assert_eq!(
        (&paid["status"], &paid["paymentStatus"], &paid["amountDue"], &paid["refundDue"]),
        (&json!("paid"), &json!("paid"), &json!(0), &json!(0))
    );
    let listed = desk.office.client.get("/orders?paymentStatus=paid").expect(200);
    assert_eq!(listed["data"][0]["id"], order["id"]);
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PUE"), &json!(2295)));
    // A piece that comes back is given back as it was paid, and credited so.
    let body = json!({"items": [{"line": 1, "quantity": 1}], "reason": "Rota", "refund": true});
    let path = format!("/orders/{}/returns", id(&order));
    let made = desk.office.client.post(&path, &body).expect(201);
    assert_eq!((&made["amount"], &made["refundAmount"]), (&json!(1160), &json!(1147.5)));
    let refunds = format!("/refunds?orderId={}", id(&order));
    let page = desk.office.client.once(&refunds, |page| page["data"][0]["status"] == "succeeded");
    let note = desk.note(&page["data"][0]);
    assert_eq!((&note["total"], desk.office.findings(&id(&note))), (&json!(1147.5), vec![]));
    assert_eq!(now(&desk, &order)["refundDue"], 0);
}

fn what_is_left_of_it_is_given_back_as_it_was_paid(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk, 3);
    let path = format!("/orders/{}", id(&order));
    let _ = desk.office.client.patch(&path, &json!({"status": "shipped"})).expect(200);
    let back = |refund: bool| {
        let body =
            json!({"items": [{"line": 1, "quantity": 1}], "reason": "Rota", "refund": refund});
        desk.office.client.post(&format!("{path}/returns"), &body).expect(201)
    };
    // A piece comes back before anything is paid, and the others after that.
    assert_eq!(back(false)["refundAmount"], 0);
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    assert_eq!((&paid["amount"], &now(&desk, &order)["amountDue"]), (&json!(2295), &json!(0)));
    for refunded in [json!(1147.5), json!(2295)] {
        let made = back(true);
        assert_eq!((&made["amount"], &made["refundAmount"]), (&json!(1160), &json!(1147.5)));
        let seen = desk.office.client.once(&path, |seen| seen["refundDue"] == 0);
        assert_eq!(seen["amountRefunded"], refunded);
    }
}

fn what_was_withheld_stays_so_whatever_is_given_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (client, lamp) = (&desk.office.client, lamp(&desk));
    for way in ["order", "status", "invoice"] {
        let order = desk.office.order(&desk.customer, &[(&lamp, 3)]);
        let path = format!("/orders/{}", id(&order));
        let _ = client.patch(&path, &json!({"status": "shipped"})).expect(200);
        let back = |refund: bool| {
            let body =
                json!({"items": [{"line": 1, "quantity": 1}], "reason": "Rota", "refund": refund});
            client.post(&format!("{path}/returns"), &body).expect(201)
        };
        // A piece comes back before what is left of it is paid.
        assert_eq!(back(false)["refundAmount"], 0, "{way}");
        let _ = match way {
            "order" => desk.pay(&json!({"orderId": order["id"], "method": "cash"})),
            "status" => client.patch(&path, &json!({"status": "paid"})).expect(200),
            _ => {
                let invoice = desk.invoice_of(&order);
                desk.pay(&json!({"invoiceId": invoice["id"], "method": "transfer"}))
            }
        };
        let payments = client.get(&format!("/payments?orderId={}", id(&order))).expect(200);
        let payment = &payments["data"][0];
        assert_eq!(payment["amount"], 2295, "{way}");
        // Some of it is given back without any goods, so what is kept tells nothing any more.
        let _ = desk.refund(payment, &json!({"amount": 100})).expect(201);
        let seen = client.once(&path, |seen| seen["amountRefunded"] == 100);
        assert_eq!(seen["refundDue"], 0, "{way}");
        for refund in [json!(1047.5), json!(1147.5)] {
            assert_eq!(back(true)["refundAmount"], refund, "{way}");
            let _ = client.once(&path, |seen| seen["refundDue"] == 0);
        }
        assert_eq!(now(&desk, &order)["amountRefunded"], 2295, "{way}");
    }
}

fn an_invoice_of_it_and_its_order_are_paid_together(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, false);
    let order = order(&desk, 1);
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["balance"]), (&json!("PPD"), &json!(1147.5)));
    let paid = desk.pay(&json!({"invoiceId": invoice["id"], "method": "transfer"}));
    assert_eq!((&paid["amount"], &paid["orderId"]), (&json!(1147.5), &order["id"]));
    let receipt = desk.stamped(&desk.receipt(&paid));
    assert_eq!(receipt["payments"][0]["documents"][0]["balanceAfter"], 0);
    assert_eq!(desk.office.read(&id(&invoice))["balance"], 0);
    let seen = now(&desk, &order);
    assert_eq!(
        (&seen["status"], &seen["amountDue"], &seen["amountPaid"]),
        (&json!("paid"), &json!(0), &json!(1147.5))
    );
}

fn an_order_that_is_marked_paid_was_paid_without_it(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk, 2);
    let first = json!({"orderId": order["id"], "method": "cash", "amount": 1000});
    let _ = desk.pay(&first);
    let path = format!("/orders/{}", id(&order));
    let paid = desk.office.client.patch(&path, &json!({"status": "paid"})).expect(200);
    assert_eq!(
        (&paid["amountPaid"], &paid["amountDue"], &paid["refundDue"], &paid["paymentStatus"]),
        (&json!(2295), &json!(0), &json!(0), &json!("paid"))
    );
    let payments = format!("/payments?orderId={}", id(&order));
    let page = desk.office.client.get(&payments).expect(200);
    let rows = page["data"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{page}");
    assert!(rows.iter().any(|payment| payment["amount"] == 1295), "{page}");
    // No more than that is given back.
    let changes = json!({"status": "cancelled", "reason": "rota", "refund": true});
    let _ = desk.office.client.patch(&path, &changes).expect(200);
    let seen = desk.office.client.once(&path, |seen| seen["refundDue"] == 0);
    assert_eq!(
        (&seen["amountRefunded"], &seen["paymentStatus"]),
        (&json!(2295), &json!("refunded"))
    );
}

fn an_order_asks_for_what_its_invoice_asks_for(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lamp = lamp(&desk);
    let order = || desk.office.order(&desk.customer, &[(&lamp, 1)]);
    let of = |order: &Value, method: &str| json!({"orderId": order["id"], "method": method});
    let is_paid = |order: &Value| {
        let seen = now(&desk, order);
        assert_eq!((&seen["status"], &seen["amountDue"]), (&json!("paid"), &json!(0)), "{seen}");
    };
    for method in ["cash", "card"] {
        let order = order();
        assert_eq!(desk.pay(&of(&order, method))["amount"], 1147.5, "{method}");
        is_paid(&order);
    }
    // The same where there is an invoice, which is paid by it.
    let billed = order();
    let invoice = desk.invoice_of(&billed);
    let paid = desk.pay(&of(&billed, "transfer"));
    assert_eq!((&paid["amount"], &invoice["balance"]), (&json!(1147.5), &json!(1147.5)));
    let receipt = desk.receipt(&paid);
    assert_eq!(receipt["payments"][0]["documents"][0]["balanceAfter"], 0);
    is_paid(&billed);
    // They may pay all of it, too, and no more.
    let whole = order();
    let mut more = of(&whole, "cash");
    more["amount"] = json!(1_160.01);
    let said = desk.office.client.post("/payments", &more).refused(409, "amount_exceeds_due");
    assert!(said.contains("at most 1160,"), "{said}");
    more["amount"] = json!(1_160);
    assert_eq!(desk.pay(&more)["flags"], json!([]));
    is_paid(&whole);
}

/// Pays an order in some way that names no amount.
#[track_caller]
fn pays(desk: &Desk, order: &Value, way: &str) {
    let client = &desk.office.client;
    match way {
        "status" => {
            let path = format!("/orders/{}", id(order));
            let _ = client.patch(&path, &json!({"status": "paid"})).expect(200);
        }
        "link" => {
            let link = desk.office.make("/payment-links", &json!({"orderId": order["id"]}));
            let payer = Payer::with(client);
            let attempt = payer.begins(&page_of(&link), "card");
            let _ = began(&payer.sends(&format!("{attempt}/bank"), &[("event", "pay")]));
        }
        method => drop(desk.pay(&json!({"orderId": order["id"], "method": method}))),
    }
}

fn only_legal_persons_are_asked_for_less(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lamp = lamp(&desk);
    for (rfc, asked) in [
        (Some("URE180429TM6"), json!(1147.5)),
        (Some("CACX7605101P8"), json!(1160)),
        (Some("XAXX010101000"), json!(1160)),
        (Some("XEXX010101000"), json!(1160)),
        (None, json!(1160)),
    ] {
        let mut customer = json!({"name": "Xóchilt"});
        if let Some(rfc) = rfc {
            customer["rfc"] = json!(rfc);
        }
        let customer = id(&desk.office.make("/customers", &customer));
        for way in ["cash", "card", "status", "link"] {
            let order = desk.office.order(&customer, &[(&lamp, 1)]);
            pays(&desk, &order, way);
            let seen = now(&desk, &order);
            assert_eq!(
                (&seen["status"], &seen["amountPaid"], &seen["amountDue"], &seen["refundDue"]),
                (&json!("paid"), &asked, &json!(0), &json!(0)),
                "{rfc:?} by {way}"
            );
        }
    }
}

fn who_withholds_nothing_is_invoiced_what_was_paid(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let lamp = lamp(&desk);
    let somebody = |rfc: &str, name: &str| {
        let customer = json!({"name": name, "legalName": name, "rfc": rfc});
        id(&desk.office.make("/customers", &customer))
    };
    let public = somebody("XAXX010101000", "ANA NUÑEZ");
    let abroad = somebody("XEXX010101000", "ACME INC");
    for customer in [desk.person(), public, abroad] {
        let order = desk.office.order(&customer, &[(&lamp, 1)]);
        let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
        assert_eq!((&paid["amount"], &paid["flags"]), (&json!(1160), &json!([])));
        let invoice = desk.invoice_of(&order);
        assert_eq!(
            (&invoice["paymentMethod"], &invoice["paymentForm"], &invoice["total"]),
            (&json!("PUE"), &json!("01"), &order["totalAmount"])
        );
        let seen = now(&desk, &order);
        assert_eq!((&seen["amountDue"], &seen["refundDue"]), (&json!(0), &json!(0)));
    }
    desk.settle();
    assert_eq!((desk.count("P"), desk.count("E")), (0, 0));
}

fn an_invoice_that_states_them_is_paid_without_them(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lamp = lamp(&desk);
    let customer = desk.person();
    for way in ["cash", "status", "link"] {
        let order = desk.office.order(&customer, &[(&lamp, 1)]);
        let items = json!([{"productId": lamp, "quantity": 1, "taxes": taxes()}]);
        let invoice = desk.office.stamped(&json!({"orderId": order["id"], "items": items}));
        assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PPD"), &json!(1147.5)));
        pays(&desk, &order, way);
        let seen = now(&desk, &order);
        assert_eq!(
            (&seen["status"], &seen["amountPaid"], &seen["amountDue"]),
            (&json!("paid"), &json!(1147.5), &json!(0)),
            "{way}"
        );
    }
}

fn what_was_paid_is_credited_as_it_is_given_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk, 2);
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["balance"]), (&json!("PPD"), &json!(2295)));
    // Its receipt stays a draft: the invoice does not know yet that it is paid.
    let _ = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    let body = json!({"items": [{"line": 1, "quantity": 2}], "reason": "Rotas", "refund": true});
    let path = format!("/orders/{}/returns", id(&order));
    let made = desk.office.client.post(&path, &body).expect(201);
    assert_eq!((&made["amount"], &made["refundAmount"]), (&json!(2320), &json!(2295)));
    let refunds = format!("/refunds?orderId={}", id(&order));
    let page = desk.office.client.once(&refunds, |page| page["data"][0]["status"] == "succeeded");
    assert_eq!(desk.note(&page["data"][0])["total"], 2295);
    let made = desk.office.client.get(&format!("/returns/{}", id(&made))).expect(200);
    assert_eq!((&made["creditNoteId"], &made["creditNoteProblem"]), (&json!(null), &json!(null)));
}

fn what_is_left_is_credited_though_less_is_withheld_of_it(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (lamp, vase) = (lamp(&desk), desk.office.product("FLORERO", 500.0, &json!({})));
    let order = desk.office.order(&desk.customer, &[(&lamp, 1), (&vase, 1)]);
    let _ = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PUE"), &json!(1647.5)));
    for (line, amount) in [(1, json!(1147.5)), (2, json!(500))] {
        let body = json!({"items": [{"line": line, "quantity": 1}], "reason": "Rota",
            "refund": true});
        let path = format!("/orders/{}/returns", id(&order));
        let made = desk.office.client.post(&path, &body).expect(201);
        assert_eq!(made["refundAmount"], amount);
        let refunds = format!("/refunds?orderId={}", id(&order));
        let page = desk.office.client.once(&refunds, |page| {
            page["data"][0]["amount"] == amount && page["data"][0]["status"] == "succeeded"
        });
        assert_eq!(desk.note(&page["data"][0])["total"], amount);
    }
}

/// An invoice of an order that is made out to a natural person.
pub(super) fn to_person(order: &Value) -> Value {
    json!({"orderId": order["id"], "receiver": {"rfc": "CACX7605101P8", "cfdiUse": "G03",
        "legalName": "XOCHILT CASAS CHAVEZ", "taxRegime": "612", "taxZip": "36257"}})
}

/// A payment of what was withheld of an order.
fn difference(order: &Value) -> Value {
    json!({"orderId": order["id"], "method": "cash", "amount": 12.5, "allowOverpayment": true})
}

fn what_was_withheld_is_invoiced_to_who_withheld_it(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let client = &desk.office.client;
    let order = order(&desk, 1);
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    assert_eq!(paid["amount"], 1147.5);
    let to_person = to_person(&order);
    let said = client.post("/invoices", &to_person).refused(400, "validation_failed");
    assert!(said.contains("orderId names an order whose customer withheld 12.5 as"), "{said}");
    // Nor when it is made out to somebody else, or states less.
    let draft = desk.draft_of(&order);
    assert_eq!((&draft["total"], &draft["paymentMethod"]), (&json!(1147.5), &json!("PUE")));
    let receiver = json!({"receiver": to_person["receiver"]});
    let said = desk.office.change(&id(&draft), &receiver).refused(400, "validation_failed");
    assert!(said.contains("orderId") && said.contains("12.5"), "{said}");
    // Once the difference is paid, nothing was withheld.
    let more = desk.pay(&difference(&order));
    assert_eq!((&more["amount"], &more["flags"]), (&json!(12.5), &json!([])));
    let changed = desk.office.change(&id(&draft), &receiver).expect(200);
    assert_eq!(changed["total"], 1160);
    let stamped = desk.office.stamp(&id(&draft)).expect(200);
    assert_eq!((&stamped["paymentMethod"], &stamped["total"]), (&json!("PUE"), &json!(1160)));
    // All of it comes back as it was paid.
    let body = json!({"items": [{"line": 1, "quantity": 1}], "reason": "Rota", "refund": true});
    let made = client.post(&format!("/orders/{}/returns", id(&order)), &body).expect(201);
    assert_eq!(made["refundAmount"], 1160);
}

fn a_draft_that_withholds_nothing_waits_for_what_was_withheld(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk, 1);
    let draft = desk.office.draft(&to_person(&order));
    assert_eq!((&draft["total"], &draft["paymentMethod"]), (&json!(1160), &json!("PPD")));
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    assert_eq!((&paid["amount"], &now(&desk, &order)["status"]), (&json!(1147.5), &json!("paid")));
    let said = desk.office.stamp(&id(&draft)).refused(400, "validation_failed");
    assert!(said.contains("orderId names an order whose customer withheld taxes"), "{said}");
    let _ = desk.pay(&difference(&order));
    let stamped = desk.office.stamp(&id(&draft)).expect(200);
    assert_eq!(stamped["total"], 1160);
}

fn what_is_paid_beside_the_stamping_is_counted_as_that_ends(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.office.app.hold_clock();
    let lamp = lamp(&desk);
    for is_stamped in [true, false] {
        let order = desk.office.order(&desk.customer, &[(&lamp, 1)]);
        let draft = desk.office.draft(&to_person(&order));
        desk.office.simulate("timeout", "accept");
        let _ = desk.office.stamp(&id(&draft)).refused(504, "provider_timeout");
        // The customer is a company, but its invoice may be one that states nothing withheld.
        let _ = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 1147.5}));
        let seen = now(&desk, &order);
        assert_eq!((&seen["status"], &seen["amountDue"]), (&json!("pending"), &json!(12.5)));
        desk.office.simulate("normal", "accept");
        let paid = match is_stamped {
            true => {
                let stamped = desk.office.stamp(&id(&draft)).expect(200);
                assert_eq!((&stamped["total"], &stamped["balance"]), (&json!(1160), &json!(1160)));
                let rest = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
                assert_eq!(rest["amount"], 12.5);
                json!(1160)
            }
            false => {
                desk.give_up_stamping();
                assert_eq!(desk.office.read(&id(&draft))["status"], "draft");
                json!(1147.5)
            }
        };
        let seen = now(&desk, &order);
        assert_eq!(
            (&seen["status"], &seen["amountDue"], &seen["amountPaid"]),
            (&json!("paid"), &json!(0), &paid),
            "stamped: {is_stamped}"
        );
    }
}

fn who_withholds_nothing_owes_what_they_left_out(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, false);
    let order = desk.office.order(&desk.person(), &[(&lamp(&desk), 1)]);
    let less = json!({"orderId": order["id"], "method": "cash", "amount": 1147.5});
    let first = desk.pay(&less);
    let seen = now(&desk, &order);
    assert_eq!(
        (&seen["status"], &seen["paymentStatus"], &seen["amountDue"]),
        (&json!("pending"), &json!("partially_paid"), &json!(12.5))
    );
    // Their invoice says the same.
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PPD"), &json!(1160)));
    let receipt = desk.stamped(&desk.receipt(&first));
    assert_eq!(receipt["payments"][0]["documents"][0]["balanceAfter"], 12.5);
    let rest = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    assert_eq!(rest["amount"], 12.5);
    assert_eq!(now(&desk, &order)["status"], "paid");
    let receipt = desk.stamped(&desk.receipt(&rest));
    assert_eq!(receipt["payments"][0]["documents"][0]["balanceAfter"], 0);
}

fn what_an_invoice_says_is_withheld_is_not_due(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let nobody = id(&desk.office.make("/customers", &json!({"name": "Xóchilt"})));
    let order = desk.office.order(&nobody, &[(&lamp(&desk), 1)]);
    let less = json!({"orderId": order["id"], "method": "cash", "amount": 1147.5});
    let _ = desk.pay(&less);
    assert_eq!(now(&desk, &order)["amountDue"], 12.5);
    // Only when it is invoiced it turns out that they are a company.
    let invoice = json!({"orderId": order["id"], "receiver": company()});
    let invoice = desk.office.stamped(&invoice);
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PPD"), &json!(1147.5)));
    let seen = now(&desk, &order);
    assert_eq!(
        (&seen["status"], &seen["paymentStatus"], &seen["amountDue"]),
        (&json!("paid"), &json!("paid"), &json!(0))
    );
    let path = format!("/orders/{}/timeline", id(&order));
    let shown = desk.office.client.get(&path).expect(200);
    let entries = shown["data"].as_array().unwrap().iter();
    assert_eq!(entries.filter(|entry| entry["name"] == "order.paid").count(), 1, "{shown}");
}
