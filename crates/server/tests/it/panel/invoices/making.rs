//! Invoices made of orders, or of items: judged, corrected where that is, made and stamped.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{Shop, filled, led, shown};
use crate::{
    invoices::office::company,
    panel::browser::{copied, hidden},
};

on_both!(
    an_order_is_invoiced_and_stamped_once,
    an_order_in_dollars_is_invoiced,
    of_an_order_that_was_refunded_in_full_no_invoice_is_offered,
    a_customer_abroad_is_invoiced,
    findings_stand_at_their_fields,
    what_is_wrong_is_corrected_where_it_is_kept,
    a_form_is_judged_and_a_constancia_is_read,
);

/// The fields of a receiver, as the form has them.
const RECEIVER: [(&str, &str); 5] = [
    ("receiver.rfc", "URE180429TM6"),
    ("receiver.legalName", "UNIVERSIDAD ROBOTICA ESPAÑOLA"),
    ("receiver.taxZip", "86991"),
    ("receiver.taxRegime", "601"),
    ("receiver.cfdiUse", "G03"),
];

fn an_order_is_invoiced_and_stamped_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let product = json!({"name": "Taza", "sku": "T-1", "price": 116, "inventory": 9});
    let product = made("/products", &product);
    let mut buyer = company();
    buyer["name"] = json!("Universidad");
    let buyer = made("/customers", &buyer);
    let items = json!([{"productId": product["id"], "quantity": 2}]);
    let order = made("/orders", &json!({"customerId": buyer["id"], "items": items}));
    let id = order["id"].as_str().unwrap();
    let page = format!("invoices/new?order={id}");
    let order_page = format!("orders/{id}");
    assert!(shop.read(&order_page).contains(&page), "{}", shop.read(&order_page));
    let form = shop.read(&page);
    assert!(form.contains("value=\"URE180429TM6\"") && form.contains("$232.00"), "{form}");
    assert!(!form.contains("items[0]"), "its items are those of the order: {form}");
    assert!(form.contains("name=\"stamp\" value=\"true\">"), "{form}");
    assert!(form.contains("$232.00 · 10 "), "the button tells amount and credits: {form}");
    assert!(shop.invoices().is_empty(), "looking makes nothing");
    let tokens = ["csrf", "once"].map(|name| (name, hidden(&form, name).unwrap()));
    let fields: Vec<_> = tokens.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let given = [("orderId", id), ("stamp", "true"), ("paymentForm", "03")];
    let fields: Vec<_> = fields.into_iter().chain(RECEIVER).chain(given).collect();
    // Two clicks make one invoice.
    let replies = [0; 2].map(|_| shop.browser.post(&shop.place("invoices/new"), &fields));
    let places = replies.each_ref().map(|reply| led(&shop, reply));
    let places = places.each_ref().map(|place| place.split('?').next().unwrap());
    assert_eq!(places[0], places[1]);
    let detail = shown(&shop, &replies[0]);
    let invoices = shop.invoices();
    assert_eq!((invoices.len(), &invoices[0]["status"]), (1, &json!("stamped")));
    assert_eq!(copied(&detail, "uuid"), invoices[0]["uuid"].as_str().unwrap());
    assert!(detail.contains("verificacfdi") && detail.contains("pill ok"), "{detail}");
    let path = format!("invoices/{}", invoices[0]["id"].as_str().unwrap());
    let xml = shop.browser.get(&shop.place(&format!("{path}/xml")));
    assert!(xml.text.contains("<cfdi:Comprobante"), "{}", xml.text);
    assert!(xml.header("content-disposition").unwrap().starts_with("attachment; filename="));
    assert!(shop.read(&format!("{path}/pdf")).starts_with("%PDF"));
    assert_eq!(shop.browser.get(&shop.place(&format!("{path}/receipt"))).status, 404);
    let list = shop.read("invoices?type=I&status=stamped");
    assert!(list.contains("F-1") && list.contains("class=\"stat\""), "{list}");
    assert!(list.contains("$232.00"), "{list}");
    let uuid = invoices[0]["uuid"].as_str().unwrap();
    assert!(shop.read("invoices.csv?status=stamped").contains(uuid));
    assert!(shop.read("search?q=robotica").contains(&path));
    assert!(shop.read("invoices?status=draft").contains("class=\"empty\""));
    assert!(shop.read(&order_page).contains(&path), "the order leads to its invoice");
    // Of a product by its code, and of none.
    let of = |code: &'static str| {
        let item = [("items[0].sku", code), ("items[0].quantity", "3")];
        let fields: Vec<_> = RECEIVER.into_iter().chain(item).collect();
        shop.send("invoices/new", &fields)
    };
    let detail = shown(&shop, &of("T-1"));
    assert!(detail.contains("$348.00") && detail.contains("Taza"), "{detail}");
    let unknown = of("T-7");
    assert!(unknown.text.contains("id=\"items[0].sku-fault\""), "{}", unknown.text);
    let fields = [RECEIVER.as_slice(), &[("items[0].sku", "T-1"), ("branchId", "x")]].concat();
    let tampered = shop.send("invoices/new", &fields).text;
    assert!(tampered.contains("Sucursal no ofrece opciones en esta cuenta"), "{tampered}");
}

fn an_order_in_dollars_is_invoiced(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let product =
        json!({"name": "Taza", "sku": "T-1", "price": 116, "currency": "USD", "inventory": 9});
    let product = made("/products", &product);
    let mut buyer = company();
    buyer["name"] = json!("Universidad");
    let buyer = made("/customers", &buyer);
    let items = json!([{"productId": product["id"], "quantity": 2}]);
    let order = made("/orders", &json!({"customerId": buyer["id"], "items": items}));
    let id = order["id"].as_str().unwrap();
    let (page, new) = (shop.place(&format!("invoices/new?order={id}")), shop.place("invoices/new"));
    let given = [("orderId", id), ("stamp", "true"), ("paymentForm", "03")];
    let fields: Vec<_> = RECEIVER.into_iter().chain(given).collect();
    let without = shop.browser.send(&page, &new, &fields);
    assert_eq!(without.status, 422, "{}", without.text);
    assert!(without.text.contains("id=\"exchangeRate-fault\""), "{}", without.text);
    let fields = [fields.as_slice(), &[("exchangeRate", "18.50")]].concat();
    let detail = shown(&shop, &shop.browser.send(&page, &new, &fields));
    assert!(detail.contains("pill ok") && detail.contains("USD 232.00"), "{detail}");
}

fn of_an_order_that_was_refunded_in_full_no_invoice_is_offered(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let product = json!({"name": "Taza", "sku": "T-1", "price": 116, "inventory": 9});
    let product = made("/products", &product);
    let buyer = made("/customers", &json!({"name": "Ana"}));
    let items = json!([{"productId": product["id"], "quantity": 1}]);
    let order = made("/orders", &json!({"customerId": buyer["id"], "items": items}));
    let order = order["id"].as_str().unwrap();
    let is_offered = || shop.read(&format!("orders/{order}")).contains("invoices/new?order=");
    let cash = made("/payments", &json!({"method": "cash", "orderId": order}));
    let refunds = format!("/payments/{}/refunds", cash["id"].as_str().unwrap());
    let _ = made(&refunds, &json!({"amount": 16}));
    assert!(is_offered());
    let _ = made(&refunds, &json!({"amount": 100}));
    assert!(!is_offered());
    // Who has the page of it still open is told.
    let page = shop.place(&format!("invoices/new?order={order}"));
    let fields: Vec<_> = RECEIVER.into_iter().chain([("orderId", order)]).collect();
    let told = shop.browser.send(&page, &shop.place("invoices/new"), &fields);
    assert_eq!(told.status, 422, "{}", told.text);
    assert!(told.text.contains("reembolsado por completo"), "{}", told.text);
}

fn a_customer_abroad_is_invoiced(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let acme = [
        ("name", "Acme"),
        ("rfc", "XEXX010101000"),
        ("legalName", "ACME INC"),
        // It is not where the invoice is issued.
        ("taxZip", "06000"),
        ("taxResidence", "usa"),
    ];
    let add = |id: &'static str| {
        let fields: Vec<_> = acme.into_iter().chain([("foreignTaxId", id)]).collect();
        shop.send("customers/new", &fields)
    };
    // What SAT would refuse is saved all the same, and said.
    let wrong = led(&shop, &add("12-3456789"));
    let wrong = wrong.split('?').next().unwrap();
    let buyer = || shop.client.get("/customers").expect(200)["data"][0].clone();
    assert_eq!(buyer()["taxStatus"], "invalid");
    assert!(shop.read(wrong).contains("12-3456789"), "{}", shop.read(wrong));
    let _ = led(&shop, &shop.correct(&format!("{wrong}/edit"), &[("foreignTaxId", "123456789")]));
    let page = shop.read(wrong);
    assert!(page.contains("USA ") && page.contains("123456789"), "{page}");
    let buyer = buyer();
    assert_eq!(
        (&buyer["taxResidence"], &buyer["foreignTaxId"]),
        (&json!("USA"), &json!("123456789"))
    );
    assert!(shop.read("customers.csv").contains("USA"));
    let new = format!("invoices/new?customer={}", buyer["id"].as_str().unwrap());
    // Postal code, regime and use follow.
    let fields = [
        ("items[0].description", "Taza"),
        ("items[0].unitPrice", "58"),
        ("paymentForm", "03"),
        ("stamp", "true"),
    ];
    let detail = shown(&shop, &shop.correct(&new, &fields));
    assert!(detail.contains("pill ok") && detail.contains("123456789"), "{detail}");
    let receiver = &shop.invoices()[0]["receiver"];
    assert_eq!(
        (&receiver["taxResidence"], &receiver["foreignTaxId"]),
        (&json!("USA"), &json!("123456789"))
    );
    assert_eq!(
        (&receiver["taxZip"], &receiver["taxRegime"], &receiver["cfdiUse"]),
        (&json!("42501"), &json!("616"), &json!("S01"))
    );
}

fn findings_stand_at_their_fields(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let item = [
        ("items[2].description", "Taza"),
        ("items[2].quantity", "2"),
        ("items[2].unitPrice", "58"),
        ("taxIncluded", "true"),
        ("stamp", "true"),
        ("paymentForm", "03"),
    ];
    let wrong = [("items[2].satProductKey", "00000000"), ("items[2].satUnitKey", "H87")];
    let fields: Vec<_> = RECEIVER.into_iter().chain(item).chain(wrong).collect();
    let fields: Vec<_> = fields
        .into_iter()
        .map(|(name, text)| if name == "receiver.taxZip" { (name, "00001") } else { (name, text) })
        .collect();
    let refused = shop.send("invoices/new", &fields);
    assert_eq!(refused.status, 422, "{}", refused.text);
    for part in [
        "id=\"receiver.taxZip-fault\"",
        "id=\"items[2].satProductKey-fault\"",
        "href=\"#receiver.taxZip\"",
        "value=\"Taza\"",
    ] {
        assert!(refused.text.contains(part), "{part}: {}", refused.text);
    }
    assert!(shop.invoices().is_empty(), "no draft is made of what cannot be stamped");
    let nothing = shop.send("invoices/new", &[]);
    assert_eq!(nothing.status, 422, "{}", nothing.text);
    assert!(nothing.text.contains("id=\"items[0].description-fault\""), "{}", nothing.text);
    let fields: Vec<_> = RECEIVER.into_iter().chain(item).collect();
    let detail = shown(&shop, &shop.send("invoices/new", &fields));
    assert!(detail.contains("$116.00"), "{detail}");
}

fn what_is_wrong_is_corrected_where_it_is_kept(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let product = json!({"name": "Taza", "sku": "T-1", "price": 116, "inventory": 9,
        "satProductKey": "00000000"});
    let product = made("/products", &product);
    let mut buyer = company();
    buyer["name"] = json!("Universidad");
    buyer["taxZip"] = json!("06600");
    let buyer = made("/customers", &buyer);
    let items = json!([{"productId": product["id"], "quantity": 2}]);
    let order = made("/orders", &json!({"customerId": buyer["id"], "items": items}));
    let id = order["id"].as_str().unwrap();
    let page = format!("invoices/new?order={id}");
    let form = shop.read(&page);
    let edits = [("products", &product), ("customers", &buyer)];
    let edits =
        edits.map(|(kind, of)| format!("{kind}/{}/edit?back={id}", of["id"].as_str().unwrap()));
    for edit in &edits {
        assert!(form.contains(&format!("href=\"{}\"", shop.place(edit))), "{edit}: {form}");
    }
    for (edit, field, text) in
        [(&edits[0], "satProductKey", "52152000"), (&edits[1], "taxZip", "86991")]
    {
        let back = led(&shop, &shop.correct(edit, &[(field, text)]));
        assert!(back.starts_with(&format!("{page}&did=")), "{back}");
    }
    let form = shop.read(&page);
    assert!(!form.contains(&format!("{}\"", edits[0])), "{form}");
    assert!(form.contains("value=\"86991\""), "{form}");
    // No other place can be told to lead to.
    let elsewhere = "products/new?back=https%3A%2F%2Fevil.example";
    let led_to = shop.correct(elsewhere, &[("name", "Plato"), ("price", "58")]);
    assert!(led(&shop, &led_to).starts_with("products/"));
    assert!(shop.invoices().is_empty());
    // Without an issuer the page leads to where one is added.
    let bare = Shop::bare(kind);
    let item = [("items[0].description", "Taza"), ("items[0].unitPrice", "58"), ("check", "true")];
    let fields: Vec<_> = RECEIVER.into_iter().chain(item).collect();
    let judged = bare.send("invoices/new", &fields);
    let add = format!("href=\"{}\"", bare.place("settings/invoicing/issuers/new"));
    assert!(judged.text.contains(&add), "{}", judged.text);
}

fn a_form_is_judged_and_a_constancia_is_read(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let item = [
        ("items[0].description", "Taza"),
        ("items[0].unitPrice", "58"),
        ("items[0].discount", "8"),
        ("items[0].taxes", "iva0"),
        ("paymentForm", "03"),
    ];
    let mut fields: Vec<_> = RECEIVER.into_iter().chain(item).chain([("check", "true")]).collect();
    let judged = shop.send("invoices/new", &fields);
    assert_eq!(judged.status, 200, "{}", judged.text);
    assert!(judged.text.contains("$50.00 · 10 "), "{}", judged.text);
    assert!(!judged.text.contains("-fault\""), "{}", judged.text);
    fields[2] = ("receiver.taxZip", "00001");
    let judged = shop.send("invoices/new", &fields);
    assert_eq!(judged.status, 200, "{}", judged.text);
    assert!(judged.text.contains("id=\"receiver.taxZip-fault\""), "{}", judged.text);
    // Whatever button is pressed: what is pasted is looked at first.
    let pasted = "RFC: URE180429TM6\nDenominación/Razón Social: UNIVERSIDAD ROBOTICA ESPAÑOLA\n\
        Código Postal: 86991\nRegímenes:\nRégimen General de Ley Personas Morales 01/01/2020";
    let with = |text: &'static str| {
        let fields = [("constancia", text), ("stamp", "true"), ("receiver.cfdiUse", "G03")];
        let fields: Vec<_> = fields.into_iter().chain(item).collect();
        shop.send("invoices/new", &fields)
    };
    let read = with(pasted);
    assert_eq!(read.status, 200, "{}", read.text);
    let values = filled(&read.text);
    for (name, text) in RECEIVER.into_iter().chain(item).chain([("constancia", "")]) {
        let known = values.iter().find(|(known, _)| known == name).unwrap();
        assert_eq!(known.1, text, "{name}: {}", read.text);
    }
    let nothing = with("Hola");
    assert_eq!(nothing.status, 422, "{}", nothing.text);
    assert!(nothing.text.contains("id=\"constancia-fault\""), "{}", nothing.text);
    assert!(shop.invoices().is_empty(), "judging makes nothing");
}
