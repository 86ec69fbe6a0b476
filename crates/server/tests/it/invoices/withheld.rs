//! Invoices of goods of which legal persons withhold taxes.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, company, id};

on_both!(
    only_legal_persons_are_invoiced_what_they_withhold,
    taxes_that_are_stated_stay,
    a_draft_keeps_its_taxes_when_its_receiver_changes,
);

fn taxes() -> Value {
    json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.16},
        {"tax": "ISR", "factor": "Tasa", "rate": 0.0125, "withheld": true}])
}

/// A product that costs 1160.00, of which legal persons withhold 12.50.
fn lamp(office: &Office) -> String {
    office.product("LAMPARA", 1_160.0, &json!({"taxes": taxes()}))
}

fn person() -> Value {
    json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ", "taxZip": "36257",
        "taxRegime": "612", "cfdiUse": "G03"})
}

/// The body of an invoice of one piece.
fn of_product(lamp: &str, receiver: &Value) -> Value {
    json!({"receiver": receiver, "paymentForm": "03",
        "items": [{"productId": lamp, "quantity": 1}]})
}

fn only_legal_persons_are_invoiced_what_they_withhold(kind: DatabaseKind) {
    let office = Office::open(kind);
    let lamp = lamp(&office);
    let somebody = |rfc: &str, name: &str| json!({"rfc": rfc, "legalName": name});
    let (some, none) = (json!([{"tax": "ISR", "amount": 12.5}]), json!([]));
    for (receiver, total, withheld) in [
        (company(), json!(1147.5), &some),
        (person(), json!(1160), &none),
        (somebody("XAXX010101000", "ANA NUÑEZ"), json!(1160), &none),
        (somebody("XEXX010101000", "ACME INC"), json!(1160), &none),
    ] {
        let mut customer = receiver.clone();
        customer["name"] = json!("Xóchilt");
        let customer = id(&office.make("/customers", &customer));
        let order = office.order(&customer, &[(&lamp, 1)]);
        assert_eq!(order["totalAmount"], 1160);
        let of_order = json!({"orderId": order["id"], "paymentForm": "03"});
        for body in [of_order, of_product(&lamp, &receiver)] {
            let draft = office.draft(&body);
            assert_eq!(
                (&draft["total"], &draft["taxes"]["withheld"]),
                (&total, withheld),
                "{receiver}"
            );
            assert_eq!(office.findings(&id(&draft)), [], "{receiver}");
            assert_eq!(office.stamp(&id(&draft)).expect(200)["total"], total);
        }
    }
}

fn taxes_that_are_stated_stay(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = of_product(&lamp(&office), &person());
    body["items"][0]["taxes"] = taxes();
    let stamped = office.stamped(&body);
    assert_eq!(stamped["total"], 1147.5);
    // What takes its place states the same.
    let path = format!("/invoices/{}/copy", id(&stamped));
    assert_eq!(office.make(&path, &json!({"replace": true}))["total"], 1147.5);
}

fn a_draft_keeps_its_taxes_when_its_receiver_changes(kind: DatabaseKind) {
    let office = Office::open(kind);
    let lamp = lamp(&office);
    let [less, whole] = [json!(1147.5), json!(1160)];
    for (first, then, kept, anew) in
        [(company(), person(), &less, &whole), (person(), company(), &whole, &less)]
    {
        let body = of_product(&lamp, &first);
        let draft = id(&office.draft(&body));
        let changed = office.change(&draft, &json!({"receiver": then})).expect(200);
        assert_eq!((&changed["receiver"]["rfc"], &changed["total"]), (&then["rfc"], kept));
        let told = office.change(&draft, &json!({"items": body["items"]})).expect(200);
        assert_eq!(told["total"], *anew, "{then}");
    }
}
