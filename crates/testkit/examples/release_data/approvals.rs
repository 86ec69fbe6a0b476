//! Discounts that wait for an approval, and some that were decided.

use serde_json::{Value, json};
use testkit::App;

use crate::{
    merchant::{Merchant, id},
    shop::Ready,
};

/// Asks for discounts above a half, and decides about some.
pub(crate) fn work(app: &App, merchant: &mut Merchant, ready: &Ready) {
    let (text, key) = app.approving_key(merchant.account, "*");
    let approver = merchant.client.with_key(&text);
    let rule = json!({"entityType": "order_discount", "name": "Más de la mitad", "currency": "MXN",
        "conditions": [{"field": "discountPct", "op": "gt", "value": 50},
            {"field": "channel", "op": "in", "value": ["web", "tienda"]}],
        "levels": [{"approvers": [{"type": "key", "id": key.to_string()}]}]});
    let _ = id(&approver.post("/approval-rules", &rule).expect(201));
    let mut ask = |percent: u32| -> String {
        let order = json!({"customerId": ready.company, "channel": "web",
            "items": [{"productId": ready.mug, "quantity": 1}],
            "discount": {"percent": percent, "reason": "Liquidación"}});
        let ticket: Value = merchant.post("/orders", &order);
        ticket["approvalId"].as_str().expect("it waits").to_owned()
    };
    let (approved, rejected, _waiting) = (ask(60), ask(70), ask(80));
    let _ = approver.act(&format!("/approvals/{approved}/approve")).expect(200);
    let place = format!("/approvals/{rejected}/reject");
    let _ = approver.post(&place, &json!({"comment": "Es demasiado"})).expect(200);
}
