//! Lists of orders: filters, pages, and a walk to the end while others buy.

use std::thread;

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::shop::{Shop, id};

on_both!(
    filters_find_what_they_say,
    a_parcel_is_found_by_a_number_of_digits,
    words_of_the_notes_are_found_in_any_case,
    wrong_filters_are_named,
    pages_cut_the_list_newest_first,
    a_cursor_walks_all_orders_while_others_are_added,
    each_order_of_a_long_page_has_all_its_items,
);

/// So many items that they are not read at once.
fn each_order_of_a_long_page_has_all_its_items(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10_000);
    let many = |number: usize| if number % 4 == 1 { 500 } else { 1 + number % 3 };
    for number in 0..50 {
        let _ = shop.order(&vec![(mug.as_str(), 1); many(number)]);
    }
    let expected: Vec<usize> = (0..50).rev().map(many).collect();
    for query in ["limit=100", "limit=100&status=pending"] {
        let page = shop.client.get(&format!("/orders?{query}")).expect(200);
        let items = |order: &Value| order["items"].as_array().unwrap().len();
        assert_eq!(rows(&page).iter().map(items).collect::<Vec<_>>(), expected, "{query}");
    }
}

/// The numbers of the orders that a query finds, without their prefix, in the order of the list.
#[track_caller]
fn numbers(shop: &Shop, query: &str) -> Vec<i64> {
    let page = shop.client.get(&format!("/orders?{query}")).expect(200);
    rows(&page).iter().map(number).collect()
}

fn rows(page: &Value) -> &Vec<Value> {
    page["data"].as_array().expect("rows")
}

fn number(order: &Value) -> i64 {
    let text = order["orderNumber"].as_str().expect("a number");
    text.strip_prefix("ORD-").expect("its prefix").parse().expect("digits")
}

fn filters_find_what_they_say(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 100);
    let eva = id(&shop.make("/customers", &json!({"name": "Eva"})));
    let order_for = |customer: &str, notes: &str| {
        let items = json!([{"productId": mug, "quantity": 1}]);
        let body = json!({"customerId": customer, "items": items, "notes": notes});
        shop.app.advance_seconds(60);
        shop.make("/orders", &body)
    };
    let first = order_for(&shop.customer, "Casa azul");
    let second = order_for(&eva, "100% regalo");
    let third = order_for(&eva, "under_score");
    let _ = shop.step(&id(&second), "paid").expect(200);
    let parcel = json!({"status": "shipped", "trackingNumber": "MX-ABC-1"});
    let _ = shop.change(&id(&third), &parcel).expect(200);
    let at = |order: &Value| order["createdAt"].as_str().unwrap().to_owned();

    let cases: Vec<(String, &[i64])> = vec![
        (String::new(), &[3, 2, 1]),
        ("status=pending".to_owned(), &[1]),
        ("status=paid".to_owned(), &[2]),
        ("status=cancelled".to_owned(), &[]),
        (format!("customerId={eva}"), &[3, 2]),
        (format!("customerId={eva}&status=shipped"), &[3]),
        ("customerId=cus_01JD3V9QK4W8N2RZ6T5B7C0XEA".to_owned(), &[]),
        (format!("createdFrom={}", at(&second)), &[3, 2]),
        (format!("createdTo={}", at(&second)), &[1]),
        (format!("createdFrom={}&createdTo={}", at(&second), at(&third)), &[2]),
        ("search=ORD-000002".to_owned(), &[2]),
        ("search=ord-3".to_owned(), &[3]),
        // Digits are a number, or the beginning of a word.
        ("search=2".to_owned(), &[2]),
        ("search=1".to_owned(), &[3, 2, 1]),
        ("search=MX-ABC-1".to_owned(), &[3]),
        ("search=Casa".to_owned(), &[1]),
        ("search=100%25".to_owned(), &[2]),
        ("search=under_s".to_owned(), &[3]),
        ("search=under%25s".to_owned(), &[]),
        ("search=%25".to_owned(), &[]),
        (format!("search={}", id(&first)), &[1]),
        ("search=nowhere".to_owned(), &[]),
    ];
    for (query, found) in cases {
        assert_eq!(numbers(&shop, &query), found, "{query}");
        let total =
            shop.client.get(&format!("/orders?limit=1&{query}")).expect(200)["total"].clone();
        assert_eq!(total, found.len(), "{query}");
    }
}

fn a_parcel_is_found_by_a_number_of_digits(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 100);
    let order = shop.order_id(&[(&mug, 1)]);
    let _ = shop.change(&order, &json!({"trackingNumber": "794612345678"})).expect(200);
    assert_eq!(numbers(&shop, "search=794612345678"), [1]);
}

fn words_of_the_notes_are_found_in_any_case(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 100);
    let order = shop.order_id(&[(&mug, 1)]);
    let _ = shop.change(&order, &json!({"notes": "Casa azul"})).expect(200);
    for words in ["casa azul", "CASA", "azul casa", "az"] {
        assert_eq!(numbers(&shop, &format!("search={words}")), [1], "{words}");
    }
}

fn wrong_filters_are_named(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let cases = [
        ("status=open", "status"),
        ("customerId=ana", "customerId"),
        ("createdFrom=yesterday", "createdFrom"),
        ("createdTo=2026-13-01T00:00:00Z", "createdTo"),
        ("page=0", "page"),
        ("page=x", "page"),
        ("limit=-1", "limit"),
        ("cursor=garbage", "cursor"),
        ("stauts=paid", "stauts"),
    ];
    for (query, field) in cases {
        let message =
            shop.client.get(&format!("/orders?{query}")).refused(400, "validation_failed");
        assert!(message.contains(field), "{field} in {message:?}");
    }
}

fn pages_cut_the_list_newest_first(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 100);
    for _ in 0..5 {
        shop.order(&[(&mug, 1)]);
    }
    // Query, orders, page and limit as used.
    let cases: &[(&str, &[i64], i64, i64)] = &[
        ("", &[5, 4, 3, 2, 1], 1, 20),
        ("limit=2", &[5, 4], 1, 2),
        ("limit=2&page=2", &[3, 2], 2, 2),
        ("limit=2&page=3", &[1], 3, 2),
        ("limit=2&page=4", &[], 4, 2),
        ("limit=1000", &[5, 4, 3, 2, 1], 1, 100),
        ("page=1000000000", &[], 1_000_000_000, 20),
    ];
    for (query, found, page, limit) in cases {
        assert_eq!(numbers(&shop, query), *found, "{query}");
        let envelope = shop.client.get(&format!("/orders?{query}")).expect(200);
        let used = [&envelope["total"], &envelope["page"], &envelope["limit"]];
        assert_eq!(used, [5, *page, *limit], "{query}");
    }
}

fn a_cursor_walks_all_orders_while_others_are_added(kind: DatabaseKind) {
    const ORDERS: i64 = 230;
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10_000);
    thread::scope(|scope| {
        for _ in 0..10 {
            scope.spawn(|| (0..ORDERS / 10).for_each(|_| drop(shop.order(&[(&mug, 1)]))));
        }
    });

    let mut walked = Vec::new();
    let mut next = String::new();
    for added in 0.. {
        let page = shop.client.get(&format!("/orders?limit=40{next}")).expect(200);
        assert_eq!(page["total"], ORDERS + added, "the total is that of the moment");
        walked.extend(rows(&page).iter().map(number));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        next = format!("&cursor={cursor}");
        shop.order(&[(&mug, 1)]);
    }
    let expected: Vec<i64> = (1..=ORDERS).rev().collect();
    assert_eq!(walked, expected, "each order once, newest first, and none that came later");
}
