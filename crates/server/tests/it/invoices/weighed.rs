//! Invoices of what is sold by weight or length.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, attribute, id};

on_both!(what_is_weighed_is_invoiced_to_the_cent, an_invoice_says_what_was_weighed_in_which_unit,);

fn what_is_weighed_is_invoiced_to_the_cent(kind: DatabaseKind) {
    let office = Office::open(kind);
    let weighed = json!({"quantityDecimals": 3, "unit": "kg", "satUnitKey": "KGM"});
    let (cheese, nuts) =
        (office.product("QUESO", 189.9, &weighed), office.product("NUEZ", 33.33, &weighed));
    let customer = office.customer();
    for items in [
        vec![(&cheese, 0.35)],
        vec![(&nuts, 12.345), (&cheese, 1.234)],
        vec![(&cheese, 0.005), (&nuts, 0.999)],
    ] {
        let lines: Vec<Value> = items
            .iter()
            .map(|(product, quantity)| json!({"productId": product, "quantity": quantity}))
            .collect();
        let order = office.make("/orders", &json!({"customerId": customer, "items": lines}));
        let draft = office.draft(&json!({"orderId": order["id"], "paymentForm": "03"}));
        assert_eq!(draft["total"], order["totalAmount"], "{items:?}");
        for (line, (_, quantity)) in draft["items"].as_array().unwrap().iter().zip(&items) {
            assert_eq!(line["quantity"].as_f64(), Some(*quantity));
        }
        assert_eq!(office.findings(&id(&draft)), []);
        let stamped = office.stamp(&id(&draft)).expect(200);
        assert_eq!(stamped["total"], order["totalAmount"]);
        let xml = office.client.get(&format!("/invoices/{}/xml", id(&draft))).text;
        let kept: f64 = attribute(&xml, "Cantidad").parse().unwrap();
        assert!((kept - items[0].1).abs() < 1e-9, "{xml}");
        assert_eq!((attribute(&xml, "ClaveUnidad"), attribute(&xml, "Unidad")), ("KGM", "kg"));
    }
}

fn an_invoice_says_what_was_weighed_in_which_unit(kind: DatabaseKind) {
    let office = Office::open(kind);
    let nuts = office.product("NUEZ", 33.33, &json!({"quantityDecimals": 3, "unit": "kg"}));
    let customer = office.customer();
    let items = json!([{"productId": nuts, "quantity": 0.35}]);
    let order = office.make("/orders", &json!({"customerId": customer, "items": items}));
    let of_order = json!({"orderId": order["id"], "paymentForm": "03"});
    let mut sale = json!({"customerId": customer, "paymentForm": "03", "items": items});
    // Nobody has said what it is weighed in, and no part of a piece is sold.
    for body in [&of_order, &sale] {
        let message = office.client.post("/invoices", body).refused(400, "validation_failed");
        assert!(message.contains("satUnitKey") && message.contains("NUEZ"), "{message}");
    }
    // Who states another unit does not sell by the kilogram.
    sale["items"][0]["satUnitKey"] = json!("GRM");
    let item = office.draft(&sale)["items"][0].clone();
    assert_eq!((&item["satUnitKey"], &item["unit"]), (&json!("GRM"), &Value::Null));
    let change = json!({"satUnitKey": "KGM"});
    let _ = office.client.patch(&format!("/products/{nuts}"), &change).expect(200);
    for is_stated in [true, false] {
        match is_stated {
            true => sale["items"][0]["satUnitKey"] = json!("KGM"),
            false => drop(sale["items"][0].as_object_mut().unwrap().remove("satUnitKey")),
        }
        let item = office.draft(&sale)["items"][0].clone();
        assert_eq!((&item["satUnitKey"], &item["unit"]), (&json!("KGM"), &json!("kg")));
    }
    let draft = office.draft(&of_order);
    assert_eq!(draft["items"][0]["unit"], json!("kg"));
}
