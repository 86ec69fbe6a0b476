//! An answer that cannot be read is no reason to do the work a second time.

use serde_json::json;
use testkit::{DatabaseKind, on_both};

use crate::orders::shop::Shop;

on_both!(what_was_done_is_refused_rather_than_done_again);

fn what_was_done_is_refused_rather_than_done_again(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 5);
    let cart = shop.cart(&[(&mug, 2)]);
    let _ = shop.client.post_once("/orders", "k", &cart).expect(201);
    let ana = json!({"name": "Ana"});
    let _ = shop.client.post_once("/customers", "k", &ana).expect(201);
    let customers = shop.client.get("/customers").expect(200)["total"].clone();
    for answer in [super::NEWER, "damaged"] {
        shop.app.database.execute(&format!("UPDATE idempotency_answers SET answer = '{answer}'"));
        for (path, body) in [("/orders", &cart), ("/customers", &ana)] {
            let again = shop.client.post_once(path, "k", body);
            let message = again.refused(409, "idempotency_answer_unreadable");
            assert!(message.contains("has already been carried out"), "{message}");
        }
    }
    assert_eq!((shop.stock(&mug), shop.orders()), (3, 1));
    assert_eq!(shop.client.get("/customers").expect(200)["total"], customers);
    let _ = shop
        .client
        .post_once("/orders", "k", &shop.cart(&[(&mug, 1)]))
        .refused(422, "idempotency_key_reused");
}
