//! What a shop may sell: deals in their pipelines.

use serde_json::{Value, json};
use testkit::{App, Client};

/// Deals of a shop.
pub(crate) struct ShopSales {
    /// Open, of the buyer and the lead; its value has been changed.
    pub(crate) deal: String,
    /// Behind it in the same stage.
    pub(crate) second: String,
    /// The pipeline of both.
    pub(crate) default_pipeline: String,
    /// Their stage.
    pub(crate) stage: String,
    /// Of the same pipeline.
    pub(crate) won_stage: String,
    /// Of the same pipeline.
    pub(crate) lost_stage: String,
    /// Another pipeline, without deals.
    pub(crate) pipeline: String,
    /// Its open stage.
    pub(crate) idle_stage: String,
    /// A lead with the address of the shop's lead.
    pub(crate) twin: String,
    /// About the deal, the lead and the buyer; due, not done.
    pub(crate) activity: String,
    /// A quote that was not sent.
    pub(crate) draft: String,
    /// A quote of the second deal, about which two questions were asked.
    pub(crate) sent: String,
    /// A quote that was accepted while it could not be ordered; now it can.
    pub(crate) accepted: String,
    /// The order of another quote.
    pub(crate) quoted_order: String,
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

impl ShopSales {
    pub(super) fn make(
        app: &App,
        client: &Client,
        (buyer, lead, product): (&str, &str, &str),
    ) -> Self {
        let made = |path: &str, body: Value| client.post(path, &body).expect(201);
        let deal = made(
            "/crm/deals",
            json!({"title": "Tazas", "value": 10, "customerId": buyer, "leadId": lead, "ownerId": "luis"}),
        );
        let second = made("/crm/deals", json!({"title": "Platos", "customerId": buyer}));
        let place = format!("/crm/deals/{}", text(&deal["id"]));
        let _ = client.patch(&place, &json!({"value": 12.5})).expect(200);
        let pipeline = made("/crm/pipelines", pipeline());
        let default = format!("/crm/pipelines/{}", text(&deal["pipelineId"]));
        let default = client.get(&default).expect(200);
        let twin = json!({"name": "Rosa P.", "email": "ROSA@lead.example"});
        let twin = made("/crm/leads", twin);
        let _ = made("/crm/leads", json!({"name": "R. P.", "email": "rosa@LEAD.example"}));
        let activity = made(
            "/crm/activities",
            json!({"kind": "call", "subject": "Llamar", "dueAt": "2026-12-01T17:00:00Z", "assigneeId": "luis",
                "dealId": deal["id"], "leadId": lead, "customerId": buyer}),
        );
        let quoted = |deal: Option<&Value>| {
            let body = json!({"customerId": buyer, "dealId": deal, "title": "Piñatas",
                "items": [{"productId": product, "quantity": 1}]});
            text(&made("/crm/quotes", body)["id"])
        };
        let act =
            |quote: &str, act: &str| client.act(&format!("/crm/quotes/{quote}/{act}")).expect(200);
        let sent = quoted(Some(&second["id"]));
        let _ = act(&sent, "send");
        ask(app, &sent);
        let ordered = quoted(None);
        let _ = act(&ordered, "send");
        let ordered = act(&ordered, "accept");
        let accepted = quoted(None);
        let _ = act(&accepted, "send");
        // Nothing of this is told: what an event says of a change is no part of the document.
        let set = |status: &str| {
            let sql = format!("UPDATE products SET status = '{status}' WHERE id = '{product}'");
            app.database.execute(&sql);
        };
        set("archived");
        let _ = act(&accepted, "accept");
        set("active");
        let stage = |kind: &str| {
            let stages = default["stages"].as_array().expect("stages").iter();
            text(&stages.clone().find(|stage| stage["kind"] == kind).expect("a stage")["id"])
        };
        Self {
            deal: text(&deal["id"]),
            second: text(&second["id"]),
            default_pipeline: text(&default["id"]),
            stage: text(&deal["stageId"]),
            won_stage: stage("won"),
            lost_stage: stage("lost"),
            pipeline: text(&pipeline["id"]),
            idle_stage: text(&pipeline["stages"][0]["id"]),
            twin: text(&twin["id"]),
            activity: text(&activity["id"]),
            draft: quoted(None),
            sent,
            accepted,
            quoted_order: text(&ordered["orderId"]),
        }
    }
}

impl ShopSales {
    /// The quote that belongs into a path.
    pub(super) fn quote_in(&self, path: &str) -> &String {
        match path.rsplit('/').next() {
            Some("accept" | "reject" | "revise" | "questions") => &self.sent,
            Some("order") => &self.accepted,
            _ => &self.draft,
        }
    }
}

/// Asks twice about a quote: pages are for people, and slow them down.
fn ask(app: &App, quote: &str) {
    for number in 1..=2 {
        let id = quotes::QuestionId::from_u128(number);
        app.database.execute(&format!(
            "INSERT INTO quote_questions (account_id, root_id, id, quote_id, question, asked_at) \
             SELECT account_id, root_id, '{id}', id, '¿Hay más?', {number} FROM quotes WHERE id = '{quote}'"
        ));
    }
}

/// A pipeline of three stages.
pub(crate) fn pipeline() -> Value {
    json!({"name": "Mayoreo", "stages": [
        {"name": "Cotizado", "probability": 40}, {"name": "Ganado", "kind": "won"},
        {"name": "Perdido", "kind": "lost"}]})
}
