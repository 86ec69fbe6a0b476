//! What a shop may sell: deals in their pipelines.

use serde_json::{Value, json};
use testkit::Client;

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
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

impl ShopSales {
    pub(super) fn make(client: &Client, buyer: &str, lead: &str) -> Self {
        let made = |path: &str, body: Value| client.post(path, &body).expect(201);
        let deal = made(
            "/crm/deals",
            json!({"title": "Tazas", "value": 10, "customerId": buyer, "leadId": lead, "ownerId": "luis"}),
        );
        let second = made("/crm/deals", json!({"title": "Platos"}));
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
        }
    }
}

/// A pipeline of three stages.
pub(crate) fn pipeline() -> Value {
    json!({"name": "Mayoreo", "stages": [
        {"name": "Cotizado", "probability": 40}, {"name": "Ganado", "kind": "won"},
        {"name": "Perdido", "kind": "lost"}]})
}
