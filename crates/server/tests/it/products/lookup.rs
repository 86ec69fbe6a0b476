//! What a code names.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::ALL;
use crate::customers::Desk;

testkit::on_both!(
    a_code_finds_products_and_variants,
    an_article_number_is_found_in_all_its_lengths,
    several_may_have_the_same_article_number,
    what_is_gone_is_not_found,
    a_code_is_needed,
    labels_of_scales_are_read_as_they_are_set,
);

/// What a code names: by what, the product, and the variant.
#[track_caller]
fn found(desk: &Desk, code: &str) -> Vec<(Value, Value, Value)> {
    let found = desk.show(&format!("{ALL}/lookup?code={code}"));
    let matches = found["matches"].as_array().unwrap().iter();
    matches
        .map(|it| (it["by"].clone(), it["product"]["id"].clone(), it["variantId"].clone()))
        .collect()
}

fn cup(desk: &Desk) -> Value {
    let variants = json!([{"name": "Azul", "sku": "TAZA-A", "ean": "96385074", "inventory": 2}]);
    desk.create(
        ALL,
        &json!({"name": "Taza", "price": 10, "sku": "TAZA 1", "ean": "7501031311309",
            "status": "archived", "variants": variants}),
    )
}

fn a_code_finds_products_and_variants(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let cup = cup(&desk);
    let (id, variant) = (&cup["id"], &cup["variants"][0]["id"]);
    for (code, by, variant) in [
        ("TAZA+1", "sku", &Value::Null),
        ("TAZA-A", "sku", variant),
        ("+7501031311309+", "ean", &Value::Null),
        ("96385074", "ean", variant),
    ] {
        assert_eq!(found(&desk, code), [(json!(by), id.clone(), variant.clone())], "{code}");
    }
    let whole = desk.show(&format!("{ALL}/lookup?code=TAZA-A"));
    assert_eq!(whole["matches"][0]["product"], cup);
    for code in ["taza-a", "TAZA", "7501031311", "12345670"] {
        assert!(found(&desk, code).is_empty(), "{code}");
    }
    let other = desk.app.client().get(&format!("{ALL}/lookup?code=TAZA-A")).expect(200);
    assert_eq!(other, json!({"matches": []}), "another account");
}

fn an_article_number_is_found_in_all_its_lengths(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let cup = cup(&desk);
    let soda = desk.create(ALL, &json!({"name": "Refresco", "price": 20, "ean": "036000291452"}));
    for (code, product) in [
        ("036000291452", &soda),
        ("0036000291452", &soda),
        ("00036000291452", &soda),
        ("07501031311309", &cup),
        ("000096385074", &cup),
    ] {
        let ids: Vec<_> = found(&desk, code).into_iter().map(|(_, id, _)| id).collect();
        assert_eq!(ids, [product["id"].clone()], "{code}");
    }
}

fn several_may_have_the_same_article_number(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let code = "7501031311309";
    let make = |body: Value| desk.create(ALL, &body);
    let first = make(json!({"name": "a", "price": 1, "ean": code}));
    let second = make(json!({"name": "b", "price": 1, "ean": code}));
    let named = make(json!({"name": "c", "price": 1, "sku": code, "ean": code}));
    let expected = [(&named, "sku"), (&first, "ean"), (&second, "ean")];
    let expected = expected.map(|(product, by)| (json!(by), product["id"].clone(), Value::Null));
    assert_eq!(found(&desk, code), expected, "SKUs first, and each once");
}

fn what_is_gone_is_not_found(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let cup = cup(&desk);
    let _ = desk.client.delete(&Desk::place(ALL, &cup)).expect(200);
    for code in ["TAZA+1", "TAZA-A", "7501031311309", "96385074"] {
        assert!(found(&desk, code).is_empty(), "{code}");
    }
}

fn a_code_is_needed(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for query in ["", "?code=", "?code=%0A", &format!("?code={}", "x".repeat(65))] {
        let refused = desk.client.get(&format!("{ALL}/lookup{query}"));
        let refused = refused.refused(400, "validation_failed");
        assert!(refused.contains("code"), "{query}: {refused}");
    }
}

fn labels_of_scales_are_read_as_they_are_set(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let weighed = |name: &str, sku: &str| {
        let product =
            json!({"name": name, "sku": sku, "price": 189.9, "quantityDecimals": 3, "unit": "kg"});
        desk.create(ALL, &product)
    };
    let (cheese, ham) = (weighed("Queso", "42"), weighed("Jamón", "00043"));
    let seen = |code: &str| {
        let found = desk.show(&format!("{ALL}/lookup?code={code}"));
        let matches = found["matches"].as_array().unwrap().iter();
        let shown = matches.map(|it| {
            (
                it["by"].clone(),
                it["product"]["id"].clone(),
                it.get("quantity").cloned(),
                it.get("amount").cloned(),
            )
        });
        shown.collect::<Vec<_>>()
    };
    let (weight, price, other) = ("2000042003500", "2100042066472", "2000043012501");
    for label in [weight, price, other] {
        assert!(seen(label).is_empty(), "none by default");
    }
    let settings = "/stock/settings";
    let set = |patterns: Value| desk.client.send("PUT", settings, &json!({"scaleCodes": patterns}));
    let patterns = json!(["20PPPPPWWWWWC", "21PPPPPMMMMMC"]);
    assert_eq!(set(patterns.clone()).expect(200)["scaleCodes"], patterns);
    assert_eq!(desk.show(settings)["scaleCodes"], patterns);
    let by = |product: &Value, quantity: Option<Value>, amount: Option<Value>| {
        vec![(json!("scaleCode"), product["id"].clone(), quantity, amount)]
    };
    assert_eq!(seen(weight), by(&cheese, Some(json!(0.35)), None));
    assert_eq!(seen(price), by(&cheese, None, Some(json!(66.47))));
    assert_eq!(seen(other), by(&ham, Some(json!(1.25)), None));
    // A wrong check digit, nothing on the scale, a prefix of no pattern, a number of no product.
    for code in ["2000042003501", "2000042000004", "2200042003504", "2000099003508"] {
        assert!(seen(code).is_empty(), "{code}");
    }
    // Of a piece nothing is weighed; two may be meant.
    let _ = desk.create(ALL, &json!({"name": "Pan", "sku": "44", "price": 5}));
    assert!(seen("2000044003508").is_empty());
    let aged = weighed("Queso añejo", "00042");
    let both = [&cheese, &aged].map(|product| by(product, Some(json!(0.35)), None)).concat();
    assert_eq!(seen(weight), both);
    let _ = desk.client.delete(&Desk::place(ALL, &aged)).expect(200);
    // What has the very number comes first, and once.
    let packed = desk.create(ALL, &json!({"name": "Empacado", "price": 1, "ean": weight}));
    let ean = (json!("ean"), packed["id"].clone(), None, None);
    assert_eq!(seen(weight), [vec![ean], by(&cheese, Some(json!(0.35)), None)].concat());
    for (wrong, field) in [
        (json!(["20PPPPPWWWWW"]), "scaleCodes[0]"),
        (json!(["20PPPPPWWWMMC"]), "scaleCodes[0]"),
        (json!(["20PPPPPWWWWWC", "2PPPPPPMMMMMC"]), "scaleCodes[1]"),
    ] {
        let message = set(wrong).refused(400, "validation_failed");
        assert!(message.contains(field), "{message}");
    }
    assert_eq!(desk.show(settings)["scaleCodes"], patterns);
    assert_eq!(set(json!([])).expect(200)["scaleCodes"], json!([]));
    assert!(seen(price).is_empty());
}
