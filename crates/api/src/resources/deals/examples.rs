//! Examples of deals for the documentation.

/// A body that creates a deal.
pub(super) const CREATE: &str = r#"{
    "title": "Tazas para la tienda",
    "value": 18500.50,
    "customerId": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C",
    "expectedCloseDate": "2026-02-28"
}"#;

/// A body that changes a deal.
pub(super) const UPDATE: &str = r#"{"value": 21000, "ownerId": "luis"}"#;

/// A body that wins a deal.
pub(super) const WIN: &str = "{}";

/// A body that loses a deal.
pub(super) const LOSE: &str = r#"{"reason": "Compró con otro proveedor"}"#;

/// A body that moves a deal.
pub(super) const MOVE: &str = r#"{
    "stageId": "stage_01KGB2N4Q7T9W1Y3A5C7E9G1J3",
    "before": "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7"
}"#;

macro_rules! deal {
    () => {
        r#"{
    "id": "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7",
    "title": "Tazas para la tienda",
    "value": 18500.5,
    "currency": "MXN",
    "status": "open",
    "pipelineId": "pipe_01KGB2N4Q6S8V0X2Z4B6D8F0H2",
    "stageId": "stage_01KGB2N4Q7T9W1Y3A5C7E9G1J3",
    "lostReason": null,
    "customerId": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C",
    "leadId": null,
    "ownerId": "luis",
    "expectedCloseDate": "2026-02-28",
    "wonAt": null,
    "lostAt": null,
    "createdAt": "2026-01-31T18:01:55.310Z",
    "updatedAt": "2026-01-31T18:01:55.310Z"
}"#
    };
}

/// A deal.
pub(super) const DEAL: &str = deal!();

/// A page of deals.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    deal!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// A board.
pub(super) const BOARD: &str = r#"{
    "pipelineId": "pipe_01KGB2N4Q6S8V0X2Z4B6D8F0H2",
    "name": "Mayoreo",
    "stages": [
        {
            "id": "stage_01KGB2N4Q7T9W1Y3A5C7E9G1J3",
            "name": "Cotizado",
            "kind": "open",
            "probability": 40,
            "count": 1,
            "sums": [{"currency": "MXN", "count": 1, "value": 18500.5, "weightedValue": 7400.2}]
        },
        {"id": "stage_01KGB2N4Q8V0X2Z4B6D8F0H2K4", "name": "Ganado", "kind": "won", "probability": 100, "count": 0, "sums": []},
        {"id": "stage_01KGB2N4Q9W1Y3A5C7E9G1J3M5", "name": "Perdido", "kind": "lost", "probability": 0, "count": 0, "sums": []}
    ]
}"#;

/// A page of a deal's history.
pub(super) const HISTORY: &str = r#"{
    "data": [
        {
            "id": "dhe_01KGB3C5E7G9J1M3P5R7T9V1X3",
            "event": "won",
            "fromStageId": "stage_01KGB2N4Q7T9W1Y3A5C7E9G1J3",
            "toStageId": "stage_01KGB2N4Q8V0X2Z4B6D8F0H2K4",
            "value": 18500.5,
            "currency": "MXN",
            "ownerId": "luis",
            "reason": null,
            "at": "2026-02-03T17:20:11.004Z"
        }
    ],
    "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null
}"#;

/// The answer to a deletion.
pub(super) const DELETED: &str = r#"{"id": "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7", "deleted": true}"#;
