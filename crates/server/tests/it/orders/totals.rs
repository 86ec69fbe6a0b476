//! What an order amounts to: discounts, shipping, taxes, and what is paid.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::shop::{Shop, id};

on_both!(
    in_spanish:
    discounts_and_shipping_add_up,
    taxes_on_top_of_prices_are_part_of_the_total,
    what_states_no_taxes_has_those_of_the_issuer,
    another_unit_price_is_taken,
    what_was_agreed_on_stays_and_the_rest_changes,
    what_is_paid_shows,
    terms_that_cannot_be_are_refused_by_name,
);

/// IVA of 16 %, as the API shows it.
pub(crate) fn iva() -> Value {
    json!({"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false})
}

/// A product at a price, with more of its fields.
fn product(shop: &Shop, sku: &str, price: f64, more: &Value) -> String {
    let mut product = json!({"name": sku, "sku": sku, "price": price, "inventory": 100});
    let fields = more.as_object().unwrap().clone();
    product.as_object_mut().unwrap().extend(fields);
    id(&shop.make("/products", &product))
}

/// Some fields of an order or item.
fn some(whole: &Value, names: &[&str]) -> Value {
    names.iter().map(|name| (*name, whole[*name].clone())).collect()
}

const SUMS: &[&str] = &["subtotal", "discountTotal", "shippingTotal", "taxTotal", "totalAmount"];

fn discounts_and_shipping_add_up(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let untaxed = json!({"taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0}]});
    let (mug, book) = (shop.product("TAZA", 199.90, 10), product(&shop, "LIBRO", 50.0, &untaxed));
    let order = shop.make(
        "/orders",
        &json!({
            "customerId": shop.customer,
            "items": [
                {"productId": mug, "quantity": 2, "discount": {"percent": 10}, "note": "Para regalo"},
                {"productId": book, "quantity": 1},
            ],
            "discount": {"percent": 5, "reason": "Cliente frecuente"},
            "shipping": {"name": "Estafeta Express", "amount": 99},
            "shippingAddress": {"recipient": "Ana", "street": "Av. Juárez 10", "zip": "06050"},
            "channel": "web",
        }),
    );
    let sums = json!({"subtotal": 449.8, "discountTotal": 60.47, "shippingTotal": 99, "taxTotal": 60.8,
        "totalAmount": 488.33});
    assert_eq!(some(&order, SUMS), sums);
    let terms = json!({
        "discount": {"amount": null, "percent": 5, "reason": "Cliente frecuente"},
        "shipping": {"name": "Estafeta Express", "amount": 99, "taxes": [iva()]},
        "shippingAddress": {"recipient": "Ana", "phone": null, "street": "Av. Juárez 10",
            "neighborhood": null, "city": null, "state": null, "zip": "06050", "country": "MX"},
        "channel": "web",
    });
    assert_eq!(some(&order, &["discount", "shipping", "shippingAddress", "channel"]), terms);
    let of_item = &["discount", "discountAmount", "orderDiscount", "note", "total", "lineTotal"];
    let mugs = json!({"discount": {"amount": null, "percent": 10}, "discountAmount": 57.97, "orderDiscount": 17.99,
        "note": "Para regalo", "total": 341.83, "lineTotal": 399.8});
    let books = json!({"discount": null, "discountAmount": 2.5, "orderDiscount": 2.5, "note": null, "total": 47.5,
        "lineTotal": 50});
    assert_eq!(some(&order["items"][0], of_item), mugs);
    assert_eq!(some(&order["items"][1], of_item), books);

    let path = format!("/orders/{}", id(&order));
    assert_eq!(shop.client.get(&path).expect(200), order);
    assert_eq!(shop.client.get("/orders").expect(200)["data"][0], order);
    let told = json!({"id": order["id"], "status": "pending", "total": 488.33, "currency": "MXN"});
    assert_eq!(shop.told("order.created"), [told]);
}

fn taxes_on_top_of_prices_are_part_of_the_total(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let net = json!({"taxIncluded": false, "taxes": [iva()]});
    let (bag, pin) = (product(&shop, "BOLSA", 33.33, &net), product(&shop, "PIN", 10.10, &net));
    let order = shop.make(
        "/orders",
        &json!({
            "customerId": shop.customer,
            "items": [
                {"productId": bag, "quantity": 3},
                {"productId": pin, "quantity": 1, "discount": {"percent": 12.5}},
            ],
            "discount": {"percent": 10},
        }),
    );
    let sums = json!({"subtotal": 127.7, "discountTotal": 14.08, "shippingTotal": 0, "taxTotal": 15.67,
        "totalAmount": 113.62});
    assert_eq!(some(&order, SUMS), sums);
    assert_eq!(order["items"][0]["taxIncluded"], false);
    assert_eq!(order["items"][0]["unitPrice"], 33.33);
}

fn what_states_no_taxes_has_those_of_the_issuer(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 116.0, 10);
    assert_eq!(shop.order(&[(&mug, 1)])["taxTotal"], 16);
    let eight = json!({"tax": "IVA", "factor": "Tasa", "rate": 0.08, "withheld": false});
    let issuer = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE",
        "taxRegime": "601", "taxZip": "42501", "defaultTaxes": [eight]});
    let _ = shop.client.send("PUT", "/invoices/cfdi/issuer", &issuer).expect(200);
    let order = shop.order(&[(&mug, 1)]);
    assert_eq!((&order["taxTotal"], &order["totalAmount"]), (&json!(8.59), &json!(116)));
    assert_eq!(order["items"][0]["taxes"], json!([eight]));
    let again = shop.client.get(&format!("/orders/{}", id(&order))).expect(200);
    assert_eq!(again, order);
}

fn another_unit_price_is_taken(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let items = json!([{"productId": mug, "quantity": 2, "unitPrice": 15.5},
        {"productId": mug, "quantity": 1, "unitPrice": 0}]);
    let order = shop.make("/orders", &json!({"customerId": shop.customer, "items": items}));
    assert_eq!(order["totalAmount"], 31);
    assert_eq!(order["items"][0]["unitPrice"], 15.5);
    assert_eq!(order["items"][1]["total"], 0);
}

fn what_was_agreed_on_stays_and_the_rest_changes(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 100.0, 10);
    let mut cart = shop.cart(&[(&mug, 1)]);
    cart["discount"] = json!({"amount": 10});
    let order = shop.make("/orders", &cart);
    assert_eq!(order["discount"], json!({"amount": 10, "percent": null, "reason": null}));
    let path = format!("/orders/{}", id(&order));
    let changes = json!({"channel": "tienda", "shippingAddress": {"street": "Reforma 1"},
        "discount": order["discount"], "totalAmount": 90});
    let changed = shop.client.patch(&path, &changes).expect(200);
    assert_eq!(changed["channel"], "tienda");
    assert_eq!(changed["shippingAddress"]["street"], "Reforma 1");
    assert_eq!(some(&changed, SUMS), some(&order, SUMS));
    let cleared = json!({"channel": null, "shippingAddress": null});
    let cleared = shop.client.patch(&path, &cleared).expect(200);
    assert_eq!((&cleared["channel"], &cleared["shippingAddress"]), (&Value::Null, &Value::Null));
    let refused = shop.client.patch(&path, &json!({"discount": {"amount": 20}})).expect(400);
    assert!(refused["message"].as_str().unwrap().contains("discount"), "{refused}");
}

fn what_is_paid_shows(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let names = &["paymentStatus", "amountPaid", "amountDue"];
    let order = shop.order(&[(&mug, 1)]);
    let unpaid = json!({"paymentStatus": "unpaid", "amountPaid": 0, "amountDue": 19.99});
    assert_eq!(some(&order, names), unpaid);
    let path = format!("/orders/{}", id(&order));
    let paid = shop.client.patch(&path, &json!({"status": "paid"})).expect(200);
    let all = json!({"paymentStatus": "paid", "amountPaid": 19.99, "amountDue": 0});
    assert_eq!(some(&paid, names), all);
    let other = shop.order(&[(&mug, 1)]);
    let cancelled = json!({"status": "cancelled", "reason": "Se arrepintió"});
    let path = format!("/orders/{}", id(&other));
    let cancelled = shop.client.patch(&path, &cancelled).expect(200);
    let nothing = json!({"paymentStatus": "unpaid", "amountPaid": 0, "amountDue": 0});
    assert_eq!(some(&cancelled, names), nothing);
}

fn terms_that_cannot_be_are_refused_by_name(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let net = product(&shop, "BOLSA", 10.0, &json!({"taxIncluded": false}));
    let item = |more: Value| {
        let mut item = json!({"productId": mug, "quantity": 2});
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"items": [item]})
    };
    let cases = [
        (item(json!({"discount": {"amount": 20.01}})), "items[0].discount.amount"),
        (item(json!({"discount": {"amount": 0.001}})), "items[0].discount.amount"),
        (item(json!({"discount": {"amount": 0}})), "items[0].discount.amount"),
        (item(json!({"discount": {"amount": 1, "percent": 1}})), "items[0].discount"),
        (item(json!({"discount": {}})), "items[0].discount"),
        (item(json!({"discount": {"percent": null}})), "items[0].discount"),
        (json!({"discount": {"amount": null, "reason": "VIP"}}), "discount"),
        (item(json!({"discount": {"percent": 100.5}})), "items[0].discount.percent"),
        (item(json!({"discount": {"percent": 1.00001}})), "items[0].discount.percent"),
        (item(json!({"discount": {"share": 1}})), "items[0].discount"),
        (item(json!({"unitPrice": -1})), "items[0].unitPrice"),
        (item(json!({"total": 1})), "items[0].total"),
        (json!({"discount": {"amount": 20.01}}), "discount.amount"),
        (json!({"shipping": {"name": "Estafeta", "amount": 1.234}}), "shipping.amount"),
        (json!({"shipping": {"amount": 1}}), "shipping.name"),
        (
            json!({"shippingAddress": {"street": "Juárez 1", "country": "Mexico"}}),
            "shippingAddress.country",
        ),
        (json!({"discountTotal": 5}), "discountTotal"),
        (
            json!({"items": [{"productId": mug, "quantity": 1}, {"productId": net, "quantity": 1}],
                "discount": {"amount": 1}}),
            "discount.amount",
        ),
    ];
    for (more, field) in cases {
        let mut cart = shop.cart(&[(&mug, 2)]);
        cart.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let refused = shop.client.post("/orders", &cart).expect(400);
        assert_eq!(refused["error"], "validation_failed", "{more}");
        assert!(refused["message"].as_str().unwrap().contains(field), "{field} in {refused}");
    }
    assert_eq!(shop.stock(&mug), 10);
}
