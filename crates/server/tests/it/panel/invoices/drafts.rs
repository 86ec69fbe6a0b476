//! Drafts: corrected, stamped as they were seen, deleted.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{Shop, filled, led, shown};
use crate::{
    invoices::office::{company, sale},
    panel::browser::hidden,
};

on_both!(
    a_draft_is_judged_stamped_or_deleted,
    a_draft_is_corrected,
    what_follows_without_an_rfc_of_ones_own_may_be_left_empty,
    an_item_that_is_not_shown_is_told_by_its_name,
    taxes_are_withheld_by_whom_a_draft_is_made_out_to,
);

fn a_draft_is_judged_stamped_or_deleted(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let draft = |body: &Value| {
        let made = shop.client.post("/invoices", body).expect(201);
        format!("invoices/{}", made["id"].as_str().unwrap())
    };
    let mut wrong = sale(116.0);
    wrong["receiver"]["taxZip"] = json!("00001");
    let wrong = draft(&wrong);
    let stamp = |page: &str| {
        shop.browser.send(&shop.place(page), &shop.place(&format!("{page}/stamp")), &[])
    };
    let page = shop.read(&wrong);
    assert!(page.contains("receiver.taxZip") && page.contains("notice bad"), "{page}");
    let refused = stamp(&wrong);
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("receiver.taxZip"), "{}", refused.text);
    let deleted = shop.send(&format!("{wrong}/delete"), &[]);
    assert!(shown(&shop, &deleted).contains("class=\"empty\""));
    let right = draft(&sale(116.0));
    let page = shop.read(&right);
    assert!(page.contains("$116.00") && !page.contains("notice bad"), "{page}");
    assert!(shown(&shop, &stamp(&right)).contains("pill ok"));
    let late = shop.send(&format!("{right}/delete"), &[]);
    assert_eq!(late.status, 422, "{}", late.text);
    // What was changed since it was shown is not stamped unseen.
    let changed = draft(&sale(116.0));
    let seen = hidden(&shop.read(&changed), "version").unwrap();
    let _ = shop.client.patch(&format!("/{changed}"), &json!({"notes": "Otra cosa"})).expect(200);
    let place = shop.place(&changed);
    let unseen =
        shop.browser.send(&place, &format!("{place}/stamp"), &[("version", seen.as_str())]);
    assert_eq!(unseen.status, 422, "{}", unseen.text);
    assert_eq!(shop.client.get(&format!("/{changed}")).expect(200)["status"], "draft");
    let seen = hidden(&shop.read(&changed), "version").unwrap();
    let stamped =
        shop.browser.send(&place, &format!("{place}/stamp"), &[("version", seen.as_str())]);
    assert!(shown(&shop, &stamped).contains("pill ok"));
    // Nor does it seem to be what was stamped.
    let late = shop.browser.send(&place, &format!("{place}/stamp"), &[("version", "1")]);
    assert_eq!(late.status, 422, "{}", late.text);
}

fn a_draft_is_corrected(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let product = json!({"name": "Taza", "sku": "T-1", "price": 116, "inventory": 9});
    let product = made("/products", &product);
    let mut draft = sale(116.0);
    draft["items"][0]["taxes"] = json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.16},
        {"tax": "ISR", "factor": "Tasa", "rate": 0.0125, "withheld": true}]);
    draft["items"][0]["propertyAccounts"] = json!(["12345"]);
    let second = json!({"description": "Envío", "quantity": 1, "unitPrice": 58,
        "taxIncluded": false, "discount": 8, "satProductKey": "78102200", "satUnitKey": "E48"});
    draft["items"].as_array_mut().unwrap().push(second);
    draft["localTaxes"] = json!([{"name": "ISH", "rate": 0.03, "withheld": false}]);
    draft["notes"] = json!("Gracias");
    draft["metadata"] = json!({"pedido": "7"});
    let draft = made("/invoices", &draft);
    let path = format!("/invoices/{}", draft["id"].as_str().unwrap());
    let page = format!("{}/edit", &path[1..]);
    assert!(shop.read(&path[1..]).contains(&page));
    let now = || shop.client.get(&path).expect(200);
    // What nobody has changed stays as it is, also what the form does not show.
    let saved = shop.correct(&page, &[("stamp", "false")]);
    let _ = shown(&shop, &saved);
    let saved = now();
    for kept in [
        "items",
        "receiver",
        "localTaxes",
        "notes",
        "metadata",
        "paymentForm",
        "paymentMethod",
        "paymentTerms",
        "series",
        "issuerId",
        "branchId",
        "total",
    ] {
        assert_eq!(saved[kept], draft[kept], "{kept}");
    }
    // One item by another product, the other left out; one more, which is none of the products.
    let fields = [
        ("items[0].sku", "T-1"),
        ("items[1].leftOut", "true"),
        ("items[2].sku", "T-7"),
        ("notes", ""),
        ("paymentTerms", "30 días"),
        ("stamp", "false"),
    ];
    let unknown = shop.correct(&page, &fields);
    assert_eq!(unknown.status, 422, "{}", unknown.text);
    assert!(unknown.text.contains("id=\"items[2].sku-fault\""), "{}", unknown.text);
    let mut fields = fields.to_vec();
    fields[2] = ("items[2].sku", "");
    let _ = shown(&shop, &shop.correct(&page, &fields));
    let changed = now();
    assert_eq!((&changed["notes"], &changed["paymentTerms"]), (&Value::Null, &json!("30 días")));
    let items = changed["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["productId"]), (1, &product["id"]));
    assert_eq!(items[0]["description"], "Taza");
    assert_eq!(items[0]["taxes"].as_array().unwrap().len(), 1, "those of the product: {changed}");
    for kept in ["metadata", "receiver", "series"] {
        assert_eq!(changed[kept], draft[kept], "{kept}");
    }
    // What would be refused is not saved to be stamped; a version that is gone changes nothing.
    let wrong = shop.correct(&page, &[("receiver.taxZip", "00001"), ("stamp", "true")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    assert!(wrong.text.contains("id=\"receiver.taxZip-fault\""), "{}", wrong.text);
    assert_eq!(now()["version"], changed["version"]);
    let kept = shop.correct(&page, &[("receiver.taxZip", "00001"), ("stamp", "false")]);
    assert!(shown(&shop, &kept).contains(&format!("{page}#receiver.taxZip")), "it is no dead end");
    let stale = shop.correct(&page, &[("version", "1"), ("stamp", "false")]);
    assert_eq!(stale.status, 422, "{}", stale.text);
    // Sent twice, it is stamped once.
    let mut fields = filled(&shop.read(&page));
    fields.retain(|(name, _)| name != "receiver.taxZip");
    fields.extend(
        [("receiver.taxZip", "86991"), ("stamp", "true")]
            .map(|(name, text)| (name.to_owned(), text.to_owned())),
    );
    let fields: Vec<_> = fields.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    for reply in [0; 2].map(|_| shop.browser.post(&shop.place(&page), &fields)) {
        assert!(shown(&shop, &reply).contains("pill ok"));
    }
    assert_eq!(now()["status"], "stamped");
    let gone = shop.browser.get(&shop.place(&page));
    assert_eq!(led(&shop, &gone), &path[1..], "what is stamped is not corrected");
}

fn what_follows_without_an_rfc_of_ones_own_may_be_left_empty(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let draft = shop.client.post("/invoices", &sale(116.0)).expect(201);
    let page = format!("invoices/{}/edit", draft["id"].as_str().unwrap());
    let empty = [("receiver.taxZip", ""), ("receiver.taxRegime", ""), ("stamp", "true")];
    let refused = shop.correct(&page, &empty);
    assert_eq!(refused.status, 422, "{}", refused.text);
    for field in ["receiver.taxZip", "receiver.taxRegime"] {
        assert!(refused.text.contains(&format!("id=\"{field}-fault\"")), "{}", refused.text);
    }
    let abroad = [
        ("receiver.rfc", "XEXX010101000"),
        ("receiver.legalName", "ACME INC"),
        ("receiver.cfdiUse", ""),
    ];
    let fields: Vec<_> = abroad.into_iter().chain(empty).collect();
    assert!(shown(&shop, &shop.correct(&page, &fields)).contains("pill ok"));
    let receiver = &shop.invoices()[0]["receiver"];
    assert_eq!(
        (&receiver["taxZip"], &receiver["taxRegime"], &receiver["cfdiUse"]),
        (&json!("42501"), &json!("616"), &json!("S01"))
    );
}

/// A form has rows for so many items: what is wrong with another one is not that of a row, however many are left out.
fn an_item_that_is_not_shown_is_told_by_its_name(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mut draft = sale(116.0);
    let item = draft["items"][0].clone();
    let items = draft["items"].as_array_mut().unwrap();
    items.resize(20, item.clone());
    let mut hidden = item;
    (hidden["description"], hidden["satProductKey"]) = (json!("Jarrón"), json!("00000000"));
    items.push(hidden);
    let made = shop.client.post("/invoices", &draft).expect(201);
    let page = format!("invoices/{}/edit", made["id"].as_str().unwrap());
    let told = shop.correct(&page, &[("items[0].leftOut", "true"), ("stamp", "true")]);
    assert_eq!(told.status, 422, "{}", told.text);
    assert!(told.text.contains("Jarrón: "), "{}", told.text);
    assert!(!told.text.contains("satProductKey-fault"), "{}", told.text);
}

fn taxes_are_withheld_by_whom_a_draft_is_made_out_to(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let taxes = json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.16},
        {"tax": "ISR", "factor": "Tasa", "rate": 0.0125, "withheld": true}]);
    let lamp =
        json!({"name": "Lámpara", "sku": "L", "price": 1160, "inventory": 9, "taxes": taxes});
    let lamp = made("/products", &lamp);
    let mut buyer = company();
    buyer["name"] = json!("Universidad");
    let buyer = made("/customers", &buyer);
    let items = json!([{"productId": lamp["id"], "quantity": 1}]);
    let order = made("/orders", &json!({"customerId": buyer["id"], "items": items}));
    let draft = made("/invoices", &json!({"orderId": order["id"], "paymentForm": "03"}));
    let path = format!("/invoices/{}", draft["id"].as_str().unwrap());
    let page = format!("{}/edit", &path[1..]);
    let public = [
        ("receiver.rfc", "XAXX010101000"),
        ("receiver.legalName", "ANA NUÑEZ"),
        ("receiver.taxZip", ""),
        ("receiver.taxRegime", ""),
        ("receiver.cfdiUse", ""),
    ];
    let names = ["rfc", "legalName", "taxZip", "taxRegime", "cfdiUse"];
    let back = names.map(|name| draft["receiver"][name].as_str().unwrap());
    let back: Vec<_> = public.iter().zip(back).map(|((name, _), text)| (*name, text)).collect();
    assert_eq!(draft["total"], 1147.5);
    // Whoever keeps the row as it is has what the new receiver withholds, and sees it before anything is saved.
    for (receiver, total, told) in
        [(public.to_vec(), json!(1160), "$1,160.00"), (back, json!(1147.5), "$1,147.50")]
    {
        let with = |last| [receiver.as_slice(), &[last]].concat();
        let seen = shop.correct(&page, &with(("check", "true")));
        assert!(seen.text.contains(told), "{}", seen.text);
        let _ = shown(&shop, &shop.correct(&page, &with(("stamp", "false"))));
        assert_eq!(shop.client.get(&path).expect(200)["total"], total);
    }
    // What is stated stays, and is told to be doubtful.
    let mut stated = sale(1160.0);
    stated["items"][0]["taxes"] = taxes;
    stated["receiver"] = json!({"rfc": "XAXX010101000", "legalName": "ANA NUÑEZ"});
    let stated = made("/invoices", &stated);
    let page = format!("invoices/{}/edit", stated["id"].as_str().unwrap());
    let seen = shop.read(&page);
    assert!(seen.contains("solo las personas morales"), "{seen}");
}
