//! A shop whose discounts and cancellations are approved by others.

use serde_json::{Value, json};
use testkit::{Client, DatabaseKind, Reply};

pub(crate) use crate::orders::shop::{Shop, id};

/// A shop with two managers and an owner, whose keys may approve.
pub(crate) struct Desk {
    pub(crate) shop: Shop,
    pub(crate) ana: Approver,
    pub(crate) beto: Approver,
    pub(crate) carla: Approver,
}

/// Somebody who may approve.
pub(crate) struct Approver {
    pub(crate) client: Client,
    pub(crate) key: String,
}

impl Approver {
    /// With a key of the shop's account.
    pub(crate) fn of(shop: &Shop) -> Self {
        let (text, key) = shop.app.approving_key(shop.account, "orders,invoices,payments");
        Self { client: shop.client.with_key(&text), key: key.to_string() }
    }

    pub(crate) fn approve(&self, approval: &str) -> Reply {
        self.client.act(&format!("/approvals/{approval}/approve"))
    }

    pub(crate) fn reject(&self, approval: &str) -> Reply {
        let body = json!({"comment": "Too much"});
        self.client.post(&format!("/approvals/{approval}/reject"), &body)
    }
}

/// A level of these approvers, so many of whom must agree.
pub(crate) fn level(approvers: &[&Approver], min: u32) -> Value {
    let approvers: Vec<Value> =
        approvers.iter().map(|approver| json!({"type": "key", "id": approver.key})).collect();
    json!({"approvers": approvers, "minApprovals": min})
}

impl Desk {
    pub(crate) fn open(kind: DatabaseKind) -> Self {
        Self::of(Shop::open(kind))
    }

    pub(crate) fn of(shop: Shop) -> Self {
        let [ana, beto, carla] = [(); 3].map(|()| Approver::of(&shop));
        Self { shop, ana, beto, carla }
    }

    /// Makes a rule.
    #[track_caller]
    pub(crate) fn rule(&self, entity: &str, conditions: &Value, levels: &[Value]) -> Value {
        let body = json!({"entityType": entity, "conditions": conditions, "levels": levels});
        self.ana.client.post("/approval-rules", &body).expect(201)
    }

    /// Discounts above 15 % are approved by Ana.
    #[track_caller]
    pub(crate) fn guard_discounts(&self) -> Value {
        let conditions = json!([{"field": "discountPct", "op": "gt", "value": 15}]);
        self.rule("order_discount", &conditions, &[level(&[&self.ana], 1)])
    }

    /// The cart of two pieces with so many percent less.
    pub(crate) fn cart(&self, product: &str, percent: u32) -> Value {
        let mut cart = self.shop.cart(&[(product, 2)]);
        cart["discount"] = json!({"percent": percent, "reason": "cliente frecuente"});
        cart
    }

    /// Asks for such an order; the approval that it waits for.
    #[track_caller]
    pub(crate) fn asked(&self, product: &str, percent: u32) -> String {
        ticket(&self.shop.client.post("/orders", &self.cart(product, percent)))
    }

    /// An approval as it is now.
    #[track_caller]
    pub(crate) fn read(&self, approval: &str) -> Value {
        self.shop.client.get(&format!("/approvals/{approval}")).expect(200)
    }

    /// Status and effect of an approval.
    #[track_caller]
    pub(crate) fn state(&self, approval: &str) -> (String, String) {
        state(&self.read(approval))
    }

    /// A paid order.
    #[track_caller]
    pub(crate) fn paid(&self, product: &str) -> String {
        let order = self.shop.order_id(&[(product, 2)]);
        let _ = self.shop.step(&order, "paid").expect(200);
        order
    }
}

/// Status and effect.
pub(crate) fn state(approval: &Value) -> (String, String) {
    let text = |name: &str| approval[name].as_str().expect("a text").to_owned();
    (text("status"), text("effect"))
}

pub(crate) fn is(status: &str, effect: &str) -> (String, String) {
    (status.to_owned(), effect.to_owned())
}

/// The approval that a call waits for.
#[track_caller]
pub(crate) fn ticket(reply: &Reply) -> String {
    assert_eq!(reply.status, 202, "{}", reply.text);
    let body = reply.json();
    assert_eq!((body["status"].as_str(), body.as_object().unwrap().len()), (Some("pending"), 2));
    let id = body["approvalId"].as_str().expect("an id").to_owned();
    assert_eq!(reply.header("location"), Some(format!("/api/v1/approvals/{id}").as_str()));
    id
}
