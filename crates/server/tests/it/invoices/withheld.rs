//! Invoices of goods of which legal persons withhold taxes.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::office::{Office, company, id};

on_both!(
    only_legal_persons_are_invoiced_what_they_withhold,
    taxes_that_are_stated_stay,
    a_draft_withholds_as_its_receiver_does,
    doubtful_withheld_taxes_are_told,
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

/// The public, by a name.
fn public() -> Value {
    json!({"rfc": "XAXX010101000", "legalName": "ANA NUÑEZ"})
}

fn a_draft_withholds_as_its_receiver_does(kind: DatabaseKind) {
    let office = Office::open(kind);
    let lamp = lamp(&office);
    let mut buyer = company();
    buyer["name"] = json!("Universidad");
    let buyer = id(&office.make("/customers", &buyer));
    let [less, whole] = [json!(1147.5), json!(1160)];
    let order = office.order(&buyer, &[(&lamp, 1)]);
    let of_order = office.draft(&json!({"orderId": order["id"], "paymentForm": "03"}));
    for draft in [of_order, office.draft(&of_product(&lamp, &company()))] {
        assert_eq!(draft["total"], less);
        let draft = id(&draft);
        for (receiver, total) in
            [(person(), &whole), (public(), &whole), (company(), &less), (public(), &whole)]
        {
            let changed = office.change(&draft, &json!({"receiver": receiver})).expect(200);
            assert_eq!((&changed["receiver"]["rfc"], &changed["total"]), (&receiver["rfc"], total));
            let verdict = office.verdict(&draft);
            assert_eq!((&verdict["findings"], &verdict["warnings"]), (&json!([]), &json!([])));
        }
        // By its customer, too.
        let changed = office.change(&draft, &json!({"customerId": buyer})).expect(200);
        assert_eq!(changed["total"], less);
    }
}

fn doubtful_withheld_taxes_are_told(kind: DatabaseKind) {
    let office = Office::open(kind);
    let lamp = lamp(&office);
    let mut stated = of_product(&lamp, &person());
    stated["items"][0]["taxes"] = taxes();
    let stated = id(&office.draft(&stated));
    let mut buyer = company();
    buyer["name"] = json!("Universidad");
    let buyer = id(&office.make("/customers", &buyer));
    let order = office.order(&buyer, &[(&lamp, 1)]);
    let less = json!([{"productId": lamp, "quantity": 1, "taxes": [taxes()[0]]}]);
    let less = json!({"orderId": order["id"], "paymentForm": "03", "items": less});
    let lacking = id(&office.draft(&less));
    for (draft, code, english, spanish) in [
        (&stated, "withheld_by_nobody", "only legal persons", "solo las personas morales"),
        (&lacking, "withheld_missing", "is a legal person", "es persona moral"),
    ] {
        let path = format!("/invoices/{draft}/validate");
        for (language, words) in [("en", english), ("es", spanish)] {
            let request = office.client.request("POST", &path);
            let verdict = Reply::to(request.header("Accept-Language", language)).expect(200);
            assert_eq!(verdict["valid"], true, "{verdict}");
            let warnings = verdict["warnings"].as_array().unwrap();
            let [warning] = warnings.as_slice() else { panic!("{verdict}") };
            assert_eq!(
                (&warning["code"], &warning["field"]),
                (&json!(code), &json!("items[0].taxes"))
            );
            assert!(warning["message"].as_str().unwrap().contains(words), "{warning}");
        }
    }
}
