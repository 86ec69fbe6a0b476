//! Bodies that several operations take, or that take some making.

use std::sync::OnceLock;

use base64::{Engine, engine::general_purpose::STANDARD};
use cfdi::csd::{key, rand_core::OsRng, sandbox};
use kernel::Timestamp;
use serde_json::{Value, json};

use crate::openapi::Shop;

/// A PNG of 16 by 16 pixels.
pub(super) const LOGO: &str =
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC";

pub(super) fn invoice(shop: &Shop) -> Value {
    json!({"customerId": shop.buyer, "paymentForm": "03",
        "items": [{"productId": shop.product, "quantity": 1}]})
}

pub(super) fn payment(shop: &Shop) -> Value {
    json!({"orderId": shop.order, "method": "card", "amount": 2,
        "payer": {"name": "Ana", "email": "ana@shop.example"}, "satPaymentForm": "28"})
}

pub(super) fn withholding(shop: &Shop) -> Value {
    json!({"code": "14", "customerId": shop.buyer, "totals": {"taxed": 100},
        "period": {"firstMonth": 1, "lastMonth": 3, "year": 2026}})
}

pub(super) fn issuer(_: &Shop) -> Value {
    json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE", "taxRegime": "601",
        "taxZip": "42501", "series": {"income": "WEB"}})
}

pub(super) fn another_issuer(_: &Shop) -> Value {
    json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ", "taxRegime": "612",
        "taxZip": "36257"})
}

/// A pair that no shop has yet.
pub(crate) fn certificate(_: &Shop) -> Value {
    static PAIR: OnceLock<Value> = OnceLock::new();
    let make = || {
        let since = Timestamp::parse("2026-01-01T00:00:00Z").expect("a moment");
        let order = sandbox::Order::seal("EKU9003173C9", "ESCUELA KEMPER URGATE", since);
        let issued = sandbox::issue(&order, &mut OsRng).expect("a pair");
        let private_key = key::encrypt(&issued.pkcs8_der, "secret", &mut OsRng).expect("a key");
        json!({"certificate": STANDARD.encode(issued.cer_der),
            "privateKey": STANDARD.encode(private_key), "password": "secret"})
    };
    PAIR.get_or_init(make).clone()
}

pub(super) fn quote(shop: &Shop) -> Value {
    json!({"customerId": shop.buyer, "title": "Piñatas", "items": [
        {"productId": shop.product, "quantity": 2, "discount": {"percent": 5}}]})
}

pub(super) fn order(shop: &Shop) -> Value {
    json!({"customerId": shop.buyer, "items": [
        {"productId": shop.product, "quantity": 2},
        {"productId": shop.product, "variantId": shop.variant, "quantity": 1},
    ]})
}

pub(super) fn approval_rule(shop: &Shop) -> Value {
    json!({"entityType": "order_cancellation", "currency": "MXN",
        "conditions": [{"field": "total", "op": "in", "value": [1, 2.5]}],
        "levels": [{"approvers": [{"type": "key", "id": shop.approver}], "minApprovals": 1}]})
}

pub(super) fn approval(shop: &Shop) -> Value {
    json!({"entityType": "order_discount", "entityId": shop.order,
        "levels": [{"approvers": [{"type": "key", "id": shop.approver}]}]})
}
