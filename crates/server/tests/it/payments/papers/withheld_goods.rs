//! Goods that come back before they are paid, of orders of whose lines different taxes are withheld.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{
    desk::Desk,
    goods::{back, balance, due, note, sent},
};
use crate::{
    invoices::office::id,
    payments::links::{Payer, page_of},
};

on_both!(
    what_comes_back_is_credited_with_its_own_withheld_taxes,
    what_is_left_is_owed_of_the_order_and_of_its_invoice_alike,
    what_leaves_less_than_was_paid_is_given_back_as_it_is_owed,
    who_withholds_nothing_is_credited_all_of_it,
    what_comes_back_while_it_is_paid_is_given_back_as_it_was_asked_for,
    what_is_owed_of_other_goods_is_not_given_back_with_these,
    an_invoice_is_asked_for_no_more_than_its_order,
    what_is_owed_of_goods_that_came_back_is_credited_by_their_lines,
);

/// A product that bears IVA of 16 %, and of which these taxes are withheld.
pub(super) fn product(desk: &Desk, sku: &str, price: f64, withheld: &[(&str, f64)]) -> String {
    let iva = json!({"tax": "IVA", "factor": "Tasa", "rate": 0.16});
    let withheld = withheld
        .iter()
        .map(|(tax, rate)| json!({"tax": tax, "factor": "Tasa", "rate": rate, "withheld": true}));
    let taxes: Vec<Value> = std::iter::once(iva).chain(withheld).collect();
    desk.office.product(sku, price, &json!({"taxes": taxes}))
}

/// The rates of what is withheld of the items of an invoice.
fn withheld(invoice: &Value) -> Vec<Value> {
    let items = invoice["items"].as_array().unwrap().iter();
    let taxes = items.flat_map(|item| item["taxes"].as_array().unwrap());
    taxes.filter(|tax| tax["withheld"] == true).map(|tax| tax["rate"].clone()).collect()
}

fn what_comes_back_is_credited_with_its_own_withheld_taxes(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(false, true);
    let lamp = product(&desk, "LAMPARA", 1_160.0, &[("ISR", 0.0125)]);
    let freight = product(&desk, "FLETE", 1_160.0, &[("IVA", 0.04)]);
    let vase = product(&desk, "FLORERO", 500.0, &[]);
    let order = desk.office.order(&desk.customer, &[(&lamp, 2), (&freight, 1), (&vase, 1)]);
    assert_eq!((&order["totalAmount"], &order["withheldTotal"]), (&json!(3980), &json!(65)));
    sent(&desk, &order);
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["balance"]), (&json!("PPD"), &json!(3915)));
    for (line, total, rates, open) in [
        (1, json!(1147.5), json!([0.0125]), json!(2767.5)),
        (3, json!(500), json!([]), json!(2267.5)),
        (2, json!(1120), json!([0.04]), json!(1147.5)),
        (1, json!(1147.5), json!([0.0125]), json!(0)),
    ] {
        let made = back(&desk, &order, line, 1, false);
        let credited = desk.stamped(&note(&desk, &made));
        assert_eq!((&credited["total"], &credited["paymentForm"]), (&total, &json!("15")));
        assert_eq!((json!(withheld(&credited)), balance(&desk, &invoice)), (rates, open));
    }
    assert_eq!(due(&desk, &order), 0);
}

fn what_is_left_is_owed_of_the_order_and_of_its_invoice_alike(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(false, true);
    let fee = product(&desk, "ASESORIA", 1_299.0, &[("ISR", 0.1), ("IVA", 0.106667)]);
    let order = || {
        let order = desk.office.order(&desk.customer, &[(&fee, 5)]);
        sent(&desk, &order);
        order
    };
    let billed = order();
    let invoice = desk.invoice_of(&billed);
    assert_eq!(invoice["balance"], 5337.85);
    let made = back(&desk, &billed, 1, 1, false);
    assert_eq!(desk.stamped(&note(&desk, &made))["total"], 1067.57);
    assert_eq!(balance(&desk, &invoice), 4270.28);
    // What marking it paid records is what its invoice asks for.
    let path = format!("/orders/{}", id(&billed));
    let paid = desk.office.client.patch(&path, &json!({"status": "paid"})).expect(200);
    assert_eq!((&paid["amountPaid"], &paid["amountDue"]), (&json!(4270.28), &json!(0)));
    let payments = format!("/payments?orderId={}", id(&billed));
    let page = desk.office.client.get(&payments).expect(200);
    let receipt = desk.receipt(&page["data"][0]);
    assert_eq!(receipt["payments"][0]["documents"][0]["balanceAfter"], 0);
    // So is what is invoiced of another one once the same has come back.
    let late = order();
    let _ = back(&desk, &late, 1, 1, false);
    assert_eq!(desk.invoice_of(&late)["balance"], 4270.28);
}

fn what_leaves_less_than_was_paid_is_given_back_as_it_is_owed(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let lamp = product(&desk, "LAMPARA", 1_160.0, &[("ISR", 0.0125)]);
    let person = desk.person();
    // A natural person withholds nothing. Of 3442.50 or 3480.00 that are invoiced, the notes leave what the last piece costs.
    for (customer, credited, refunded) in [
        (&desk.customer, Some(json!(1942.5)), json!(352.5)),
        (&desk.customer, None, json!(352.5)),
        (&person, Some(json!(1980)), json!(340)),
        (&person, None, json!(340)),
    ] {
        let order = desk.office.order(customer, &[(&lamp, 3)]);
        sent(&desk, &order);
        let invoice = credited.is_some().then(|| desk.invoice_of(&order));
        let part = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 1500}));
        if invoice.is_some() {
            let _ = desk.stamped(&desk.receipt(&part));
        }
        // The piece that is left costs 1160.00, of which 12.50 are withheld.
        let made = back(&desk, &order, 1, 2, true);
        assert_eq!((&made["amount"], &made["refundAmount"]), (&json!(2320), &refunded));
        let path = format!("/orders/{}", id(&order));
        let seen = desk.office.client.once(&path, |seen| seen["refundDue"] == 0);
        assert_eq!(
            (&seen["amountPaid"], &seen["amountRefunded"], &seen["amountDue"]),
            (&json!(1500), &refunded, &json!(0))
        );
        let (Some(invoice), Some(credited)) = (invoice, credited) else { continue };
        let unpaid = desk.stamped(&note(&desk, &made));
        let refunds = format!("/refunds?orderId={}", id(&order));
        let page =
            desk.office.client.once(&refunds, |page| page["data"][0]["status"] == "succeeded");
        let given_back = desk.stamped(&desk.note(&page["data"][0]));
        assert_eq!([&unpaid, &given_back].map(|note| note["total"].clone()), [credited, refunded]);
        assert_eq!(balance(&desk, &invoice), 0);
    }
}

fn who_withholds_nothing_is_credited_all_of_it(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let lamp = product(&desk, "LAMPARA", 1_160.0, &[("ISR", 0.0125)]);
    let order = desk.office.order(&desk.person(), &[(&lamp, 2)]);
    sent(&desk, &order);
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["balance"]), (&json!("PPD"), &json!(2320)));
    let made = back(&desk, &order, 1, 1, false);
    let credited = desk.stamped(&note(&desk, &made));
    assert_eq!((&credited["total"], withheld(&credited)), (&json!(1160), vec![]));
    assert_eq!((balance(&desk, &invoice), due(&desk, &order)), (json!(1160), json!(1160)));
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "transfer"}));
    assert_eq!(paid["amount"], 1160);
    let receipt = desk.stamped(&desk.receipt(&paid));
    assert_eq!(receipt["payments"][0]["documents"][0]["balanceAfter"], 0);
    // The last one is given back as it was paid.
    assert_eq!(back(&desk, &order, 1, 1, true)["refundAmount"], 1160);
    let refunds = format!("/refunds?orderId={}", id(&order));
    let page = desk.office.client.once(&refunds, |page| page["data"][0]["status"] == "succeeded");
    assert_eq!(desk.note(&page["data"][0])["total"], 1160);
}

fn what_comes_back_while_it_is_paid_is_given_back_as_it_was_asked_for(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lamp = product(&desk, "LAMPARA", 1_160.0, &[("ISR", 0.0125)]);
    let person = desk.person();
    for (customer, asked, owed) in
        [(&desk.customer, json!(2295), json!(1147.5)), (&person, json!(2320), json!(1160))]
    {
        let order = desk.office.order(customer, &[(&lamp, 2)]);
        sent(&desk, &order);
        let payment = desk.pay(&json!({"orderId": order["id"], "method": "spei"}));
        assert_eq!((&payment["status"], &payment["amount"]), (&json!("requires_action"), &asked));
        let _ = back(&desk, &order, 1, 1, false);
        // It comes as it was asked for, though half of it is owed no longer.
        let path = format!("/payments/{}/simulate", id(&payment));
        let _ = desk.office.client.post(&path, &json!({"event": "pay"})).expect(200);
        let path = format!("/orders/{}", id(&order));
        let seen = desk.office.client.once(&path, |seen| seen["amountPaid"] == asked);
        assert_eq!((&seen["amountDue"], &seen["refundDue"]), (&json!(0), &owed));
    }
}

fn what_is_owed_of_other_goods_is_not_given_back_with_these(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let cup = product(&desk, "PLATO", 100.0, &[]);
    let fee = product(&desk, "ASESORIA", 116.0, &[("ISR", 0.1)]);
    let order = desk.office.order(&desk.customer, &[(&cup, 5), (&fee, 2)]);
    sent(&desk, &order);
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    assert_eq!(paid["amount"], 712);
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PUE"), &json!(712)));
    let kept = back(&desk, &order, 1, 1, false);
    assert_eq!((&kept["amount"], &kept["refundAmount"]), (&json!(100), &json!(0)));
    let made = back(&desk, &order, 2, 1, true);
    assert_eq!((&made["amount"], &made["refundAmount"]), (&json!(116), &json!(106)));
    let path = format!("/orders/{}", id(&order));
    let seen = desk.office.client.once(&path, |seen| seen["amountRefunded"] == 106);
    assert_eq!((&seen["amountDue"], &seen["refundDue"]), (&json!(0), &json!(100)));
    let refunds = format!("/refunds?orderId={}", id(&order));
    let page = desk.office.client.once(&refunds, |page| page["data"][0]["status"] == "succeeded");
    assert_eq!(desk.note(&page["data"][0])["total"], 106);
}

fn an_invoice_is_asked_for_no_more_than_its_order(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let fee = product(&desk, "ASESORIA", 116.0, &[("ISR", 0.1)]);
    let order = desk.office.order(&desk.customer, &[(&fee, 10)]);
    sent(&desk, &order);
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["balance"]), (&json!("PPD"), &json!(1060)));
    let made = back(&desk, &order, 1, 1, false);
    // Its credit note is not stamped, so the invoice is as it was.
    assert_eq!(note(&desk, &made)["status"], "draft");
    assert_eq!((balance(&desk, &invoice), due(&desk, &order)), (json!(1060), json!(954)));
    let link = desk.office.make("/payment-links", &json!({"invoiceId": invoice["id"]}));
    let page = Payer::with(&desk.office.client).sees(&page_of(&link));
    assert!(page.text.contains("$954.00"), "{}", page.text);
    let paid = desk.pay(&json!({"invoiceId": invoice["id"], "method": "cash"}));
    assert_eq!((&paid["amount"], &paid["orderId"]), (&json!(954), &order["id"]));
    let seen = desk.office.client.get(&format!("/orders/{}", id(&order))).expect(200);
    assert_eq!((&seen["amountDue"], &seen["refundDue"]), (&json!(0), &json!(0)));
}

fn what_is_owed_of_goods_that_came_back_is_credited_by_their_lines(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(false, true);
    let cup = product(&desk, "PLATO", 100.0, &[]);
    let freight = product(&desk, "FLETE", 1_160.0, &[("IVA", 0.04)]);
    let order = desk.office.order(&desk.customer, &[(&cup, 2), (&freight, 1)]);
    sent(&desk, &order);
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PUE"), &json!(1320)));
    assert_eq!(back(&desk, &order, 1, 1, false)["refundAmount"], 0);
    let path = format!("/orders/{}", id(&order));
    assert_eq!(desk.office.client.get(&path).expect(200)["refundDue"], 100);
    // What is owed is given back later, by hand.
    let refund = desk.refund(&paid, &json!({"amount": 100})).expect(201);
    let credited = desk.stamped(&desk.note(&refund));
    assert_eq!((&credited["total"], withheld(&credited)), (&json!(100), vec![]));
    assert_eq!(credited["related"], json!([{"relation": "03", "uuids": [invoice["uuid"]]}]));
    // Nothing is left of what came back, so more is a discount on all that is kept.
    let refund = desk.refund(&paid, &json!({"amount": 61})).expect(201);
    let discount = desk.stamped(&desk.note(&refund));
    assert_eq!(
        (&discount["related"][0]["relation"], &discount["total"]),
        (&json!("01"), &json!(61))
    );
    assert_eq!(withheld(&discount), [json!(0.04)]);
    // What comes back with its refund is credited by its own lines, to the last of them.
    for (line, amount) in [(2, json!(1059)), (1, json!(100))] {
        assert_eq!(back(&desk, &order, line, 1, true)["refundAmount"], amount);
        let refunds = format!("/refunds?orderId={}", id(&order));
        let page = desk.office.client.once(&refunds, |page| {
            page["data"][0]["amount"] == amount && page["data"][0]["status"] == "succeeded"
        });
        assert_eq!(desk.stamped(&desk.note(&page["data"][0]))["total"], amount);
    }
}
