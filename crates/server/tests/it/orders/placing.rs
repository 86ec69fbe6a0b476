//! Placing an order: the price of the moment, stock that is there, and what is told about it.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::{
    shop::{Shop, id, is_moment},
    totals::iva,
};

on_both!(
    in_spanish:
    a_new_order_answers_with_every_field,
    order_numbers_count_the_orders_of_the_account,
    order_numbers_go_on_whatever_becomes_of_the_list,
    totals_are_exact_and_rounded_to_the_currency,
    variants_sell_at_their_own_price_and_stock,
    lines_of_one_product_count_together,
    each_of_many_products_is_what_it_is,
    low_stock_is_told_once_per_crossing,
    the_threshold_of_the_account_counts_where_the_product_has_none,
    later_changes_of_the_product_leave_the_order_alone,
    what_the_service_sets_itself_is_refused_by_name,
);

fn a_new_order_answers_with_every_field(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let mut cart = shop.cart(&[(&mug, 3)]);
    cart["notes"] = json!("Ring twice");
    cart["metadata"] = json!({"channel": "web"});

    let reply = shop.client.post("/orders", &cart);
    let order = reply.clone().expect(201);
    let item = json!({
        "productId": mug, "variantId": null, "name": "TAZA", "sku": "TAZA",
        "quantity": 3, "unitPrice": 19.99, "priceListId": null, "taxIncluded": true, "taxes": [iva()], "discount": null,
        "discountAmount": 0, "orderDiscount": 0, "note": null, "lineTotal": 59.97, "total": 59.97, "returnedQuantity": 0,
    });
    let expected = json!({
        "id": order["id"], "externalId": null, "orderNumber": "ORD-000001", "status": "pending",
        "fulfillmentStatus": "unfulfilled", "customerId": shop.customer, "items": [item],
        "subtotal": 59.97, "discount": null, "discountTotal": 0, "shipping": null, "shippingTotal": 0,
        "taxTotal": 8.27, "withheldTotal": 0, "totalAmount": 59.97, "amountPaid": 0, "amountRefunded": 0, "returnedTotal": 0, "amountDue": 59.97,
        "paymentStatus": "unpaid", "currency": "MXN", "refundDue": 0, "carrier": null,
        "trackingNumber": null, "cancelReason": null, "creditNoteId": null,
        "shippingAddress": null, "channel": null, "notes": "Ring twice",
        "metadata": {"channel": "web"}, "paidAt": null, "shippedAt": null, "deliveredAt": null,
        "cancelledAt": null, "createdAt": order["createdAt"], "updatedAt": order["createdAt"],
    });
    assert_eq!(order, expected);
    for exact in [r#""unitPrice":19.99,"#, r#""totalAmount":59.97,"#] {
        assert!(reply.text.contains(exact), "{exact} in {}", reply.text);
    }
    assert!(is_moment(&order["createdAt"]), "{order}");
    assert!(id(&order).starts_with("ord_"), "{order}");

    let location = format!("/api/v1/orders/{}", id(&order));
    assert_eq!(reply.header("location"), Some(location.as_str()));
    let read = shop.client.get(&location);
    assert_eq!((read.status, &read.text), (200, &reply.text));
    assert!(read.header("etag").is_some());
    assert_eq!(read.header("etag"), reply.header("etag"));

    assert_eq!(shop.stock(&mug), 7);
    let told = json!({"id": order["id"], "status": "pending", "total": 59.97, "currency": "MXN"});
    assert_eq!(shop.told("order.created"), [told]);
}

fn order_numbers_count_the_orders_of_the_account(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 1.0, 10);
    let numbers: Vec<Value> =
        (0..3).map(|_| shop.order(&[(&mug, 1)])["orderNumber"].clone()).collect();
    assert_eq!(numbers, ["ORD-000001", "ORD-000002", "ORD-000003"]);

    let stranger = shop.app.client();
    let pen = json!({"name": "Pluma", "price": 1, "inventory": 1});
    let pen = id(&stranger.post("/products", &pen).expect(201));
    let customer = id(&stranger.post("/customers", &json!({"name": "Eva"})).expect(201));
    let cart = json!({"customerId": customer, "items": [{"productId": pen, "quantity": 1}]});
    assert_eq!(stranger.post("/orders", &cart).expect(201)["orderNumber"], "ORD-000001");
}

fn order_numbers_go_on_whatever_becomes_of_the_list(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    shop.order(&[(&mug, 1)]);
    shop.order(&[(&mug, 1)]);
    // As a deletion would leave the length of the list.
    shop.app.database.execute("UPDATE counters SET value = value - 1 WHERE name = 'orders'");
    assert_eq!(shop.order(&[(&mug, 1)])["orderNumber"], "ORD-000003");
    assert_eq!(shop.client.get("/orders").expect(200)["total"], 2);
    // As release 0.1.0 leaves it, which knows no number beside the length.
    shop.app.database.execute("UPDATE counters SET value = 3 WHERE name = 'orders'");
    shop.app.database.execute("UPDATE counters SET value = 1 WHERE name = 'order_number'");
    assert_eq!(shop.order(&[(&mug, 1)])["orderNumber"], "ORD-000004");
}

fn totals_are_exact_and_rounded_to_the_currency(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    // Price, currency, quantity, total as written.
    let cases = [
        ("0.1", "MXN", 3, "0.3"),
        ("0.07", "MXN", 100, "7"),
        ("0.333333", "MXN", 3, "1"),
        ("1.004999", "MXN", 1, "1"),
        ("1.005", "MXN", 1, "1.01"),
        ("0", "MXN", 5, "0"),
        ("10.5", "JPY", 3, "32"),
        ("0.0005", "KWD", 1, "0.001"),
        ("99999999.99", "USD", 7, "699999999.93"),
    ];
    for (index, (price, currency, quantity, total)) in cases.iter().enumerate() {
        let product = format!(
            r#"{{"name":"P","sku":"P-{index}","price":{price},"currency":"{currency}","inventory":200}}"#
        );
        let made = shop.client.send_raw("POST", "/products", product.into_bytes()).expect(201);
        let reply = shop.try_order(&[(&id(&made), *quantity)]);
        for written in [format!(r#""totalAmount":{total},"#), format!(r#""currency":"{currency}""#)]
        {
            assert!(reply.text.contains(&written), "{price} x {quantity}: {}", reply.text);
        }
        assert!(reply.text.contains(&format!(r#""unitPrice":{price},"#)), "{}", reply.text);
    }
}

fn variants_sell_at_their_own_price_and_stock(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let shirt = shop.make(
        "/products",
        &json!({
            "name": "Playera", "sku": "PLA", "price": 100, "inventory": 5, "variants": [
                {"name": "Azul", "sku": "PLA-AZ", "price": 120.5, "inventory": 4},
                {"name": "Roja", "inventory": 3},
            ],
        }),
    );
    let (blue, red) = (id(&shirt["variants"][0]), id(&shirt["variants"][1]));
    let shirt = id(&shirt);
    let order = shop.make(
        "/orders",
        &json!({"customerId": shop.customer, "items": [
            {"productId": shirt, "variantId": blue, "quantity": 2},
            {"productId": shirt, "variantId": red, "quantity": 3},
            {"productId": shirt, "quantity": 1},
        ]}),
    );
    let sold: Vec<Value> = order["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| json!([item["name"], item["sku"], item["unitPrice"], item["variantId"]]))
        .collect();
    assert_eq!(
        sold,
        [
            json!(["Playera / Azul", "PLA-AZ", 120.5, blue]),
            json!(["Playera / Roja", "PLA", 100, red]),
            json!(["Playera", "PLA", 100, null]),
        ]
    );
    assert_eq!(order["totalAmount"], 641);

    let left = shop.client.get(&format!("/products/{shirt}")).expect(200);
    let stock =
        [&left["inventory"], &left["variants"][0]["inventory"], &left["variants"][1]["inventory"]];
    assert_eq!(stock, [4, 2, 0]);

    let red_again = json!({"productId": shirt, "variantId": red, "quantity": 1});
    let cart = json!({"customerId": shop.customer, "items": [red_again]});
    let message = shop.client.post("/orders", &cart).refused(409, "insufficient_stock");
    assert!(message.contains(&red), "{message}");
}

fn lines_of_one_product_count_together(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 2.5, 5);
    let message = shop.try_order(&[(&mug, 3), (&mug, 3)]).refused(409, "insufficient_stock");
    assert!(message.contains('6') && message.contains('5'), "{message}");
    assert_eq!(shop.stock(&mug), 5);

    let order = shop.order(&[(&mug, 3), (&mug, 2)]);
    let quantities: Vec<_> =
        order["items"].as_array().unwrap().iter().map(|item| item["quantity"].clone()).collect();
    assert_eq!(quantities, [3, 2]);
    assert_eq!((order["totalAmount"].clone(), shop.stock(&mug)), (json!(12.5), 0));
}

fn each_of_many_products_is_what_it_is(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let products: Vec<String> = (0..40)
        .map(|number| shop.product(&format!("P-{number:02}"), f64::from(number), 50))
        .collect();
    let shirt = json!({"name": "Playera", "price": 10, "inventory": 5,
        "variants": [{"name": "Azul", "price": 12, "inventory": 9}]});
    let shirt = shop.make("/products", &shirt);
    let line =
        |(place, product): (usize, &String)| json!({"productId": product, "quantity": place + 1});
    let mut items: Vec<Value> = products.iter().enumerate().map(line).collect();
    items.insert(
        20,
        json!({"productId": shirt["id"], "variantId": shirt["variants"][0]["id"], "quantity": 2}),
    );
    items.push(json!({"productId": products[3], "quantity": 5}));
    let cart = json!({"customerId": shop.customer, "items": items});
    let order = shop.make("/orders", &cart);
    let shown = order["items"].as_array().unwrap();
    assert_eq!(shown.len(), items.len());
    for (shown, asked) in shown.iter().zip(&items) {
        assert_eq!(
            (&shown["productId"], &shown["quantity"]),
            (&asked["productId"], &asked["quantity"])
        );
    }
    for (place, product) in products.iter().enumerate() {
        let shown = shown.iter().find(|item| item["productId"] == **product).unwrap();
        let name = format!("P-{place:02}");
        assert_eq!((&shown["name"], &shown["sku"]), (&json!(name), &json!(name)));
        assert_eq!(shown["unitPrice"].as_f64(), Some(place as f64));
        let taken = place as i64 + if place == 3 { 6 } else { 1 };
        assert_eq!(shop.stock(product), 50 - taken, "{name}");
    }
    let blue = &shown[20];
    assert_eq!((&blue["name"], &blue["unitPrice"]), (&json!("Playera / Azul"), &json!(12)));
    assert_eq!(shop.client.get(&format!("/orders/{}", id(&order))).expect(200), order);
    // One that there is not keeps all others where they are.
    let mut cart = cart;
    cart["items"][7]["productId"] = json!("prd_00000000000000000000000001");
    let _ = shop.client.post("/orders", &cart).refused(400, "validation_failed");
    assert_eq!(shop.stock(&products[0]), 49);
}

fn low_stock_is_told_once_per_crossing(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = json!({"name": "Taza", "price": 1, "inventory": 5, "lowStockThreshold": 3});
    let mug = id(&shop.make("/products", &mug));
    let low = |stock: i64| json!({"productId": mug, "currentStock": stock, "threshold": 3});

    shop.order(&[(&mug, 2)]);
    assert_eq!(shop.told("inventory.low"), [] as [Value; 0], "3 left is not below 3");
    shop.order(&[(&mug, 1)]);
    let crossing = shop.order_id(&[(&mug, 1)]);
    assert_eq!(shop.told("inventory.low"), [low(2)], "told when crossed, not while below");

    let _ = shop.step(&crossing, "cancelled").expect(200);
    assert_eq!(shop.stock(&mug), 2);
    let _ = shop.client.patch(&format!("/products/{mug}"), &json!({"inventory": 10})).expect(200);
    shop.order(&[(&mug, 4), (&mug, 5)]);
    assert_eq!(shop.told("inventory.low"), [low(2), low(1)], "told again when crossed again");
}

fn the_threshold_of_the_account_counts_where_the_product_has_none(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 1.0, 6);
    shop.order(&[(&mug, 1)]);
    assert_eq!(shop.told("inventory.low"), [] as [Value; 0]);
    shop.order(&[(&mug, 1)]);
    let low = json!({"productId": mug, "currentStock": 4, "threshold": 5});
    assert_eq!(shop.told("inventory.low"), [low]);
}

fn later_changes_of_the_product_leave_the_order_alone(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let order = shop.order_id(&[(&mug, 1)]);
    let before = shop.read(&order).text;

    let dearer = json!({"name": "Taza fina", "sku": "FINA", "price": 25});
    let _ = shop.client.patch(&format!("/products/{mug}"), &dearer).expect(200);
    assert_eq!(shop.read(&order).text, before);
    assert_eq!(shop.order(&[(&mug, 1)])["items"][0]["unitPrice"], 25);

    let _ = shop.client.delete(&format!("/products/{mug}")).expect(200);
    assert_eq!(shop.read(&order).text, before);
    let message = shop.try_order(&[(&mug, 1)]).refused(400, "validation_failed");
    assert!(message.contains("items[0].productId"), "{message}");
}

fn what_the_service_sets_itself_is_refused_by_name(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let first = shop.order(&[(&mug, 1)]);
    let refused =
        |body: &Value| shop.client.post("/orders", body).refused(400, "validation_failed");
    // Too many faults to be told of each.
    assert!(!refused(&first).is_empty());
    let said = |field: &str| format!("{field} is read-only: the service sets it");
    let of_order = ["id", "orderNumber", "amountDue", "currency", "createdAt"];
    let as_read = of_order.map(|field| (field, first[field].clone()));
    let others = [("totalAmount", json!(0.01)), ("currency", json!("USD"))];
    for (field, value) in as_read.into_iter().chain(others) {
        let mut body = shop.cart(&[(&mug, 1)]);
        body[field] = value;
        assert_eq!(refused(&body), said(field));
    }
    for field in ["total", "returnedQuantity", "priceListId"] {
        let mut body = shop.cart(&[(&mug, 1)]);
        body["items"][0][field] = json!(1);
        assert_eq!(refused(&body), said(&format!("items[0].{field}")));
    }
    // Together with whatever else is wrong.
    let mut body = shop.cart(&[(&mug, 1)]);
    body["totalAmount"] = json!(0.01);
    body["shiping"] = json!({"amount": 99});
    let message = refused(&body);
    assert!(message.contains(&said("totalAmount")) && message.contains("shiping"), "{message}");
    let mut body = shop.cart(&[(&mug, 1)]);
    body["items"][0]["lineTotal"] = json!(0.01);
    let spanish = shop.client.request("POST", "/orders").header("Accept-Language", "es");
    let spanish =
        Reply::to(spanish.header("Content-Type", "application/json").body(body.to_string()));
    let message = spanish.refused(400, "validation_failed");
    assert_eq!(message, "items[0].lineTotal es de solo lectura: lo asigna el servicio");
    assert_eq!(shop.orders(), 1);
}
