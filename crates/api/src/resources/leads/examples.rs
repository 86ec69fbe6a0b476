//! Examples of leads for the documentation.

use crate::resources::customers::customer;

/// A body that creates a lead.
pub(super) const CREATE: &str = r#"{
    "name": "Ana Flores",
    "email": "ana@example.com",
    "company": "Flores y Hermanos",
    "source": "web",
    "estimatedValue": 25000,
    "tags": ["mayoreo"]
}"#;

/// A body that moves a lead on.
pub(super) const UPDATE: &str = r#"{"status": "qualified", "ownerId": "luis"}"#;

/// A body that names the deal.
pub(super) const CONVERT: &str = r#"{"title": "Tazas para la tienda", "value": 18500.50}"#;

macro_rules! lead {
    ($status:literal, $deal:literal, $customer:literal) => {
        concat!(
            r#"{
    "id": "lead_01KG8W7V0B4D6F8H1J3K5M7N9P",
    "externalId": null,
    "name": "Ana Flores",
    "email": "ana@example.com",
    "phone": null,
    "company": "Flores y Hermanos",
    "source": "web",
    "status": ""#,
            $status,
            r#"",
    "estimatedValue": 25000,
    "currency": "MXN",
    "ownerId": "luis",
    "notes": null,
    "tags": ["mayoreo"],
    "metadata": {},
    "dealId": "#,
            $deal,
            r#",
    "customerId": "#,
            $customer,
            r#",
    "mergedInto": null,
    "createdAt": "2026-01-31T18:01:55.310Z",
    "updatedAt": "2026-01-31T18:01:55.310Z"
}"#
        )
    };
}

/// A lead.
pub(super) const LEAD: &str = lead!("qualified", "null", "null");

/// A page with that lead.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    lead!("qualified", "null", "null"),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// The lead with what it became.
pub(super) const CONVERSION: &str = concat!(
    r#"{"lead": "#,
    lead!(
        "converted",
        r#""deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7""#,
        r#""cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C""#
    ),
    r#", "customer": "#,
    customer!(),
    r#", "deal": {
    "id": "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7",
    "title": "Tazas para la tienda",
    "value": 18500.5,
    "currency": "MXN",
    "status": "open",
    "pipelineId": "pipe_01KGB2N4Q6S8V0X2Z4B6D8F0H2",
    "stageId": "stage_01KGB2N4Q7T9W1Y3A5C7E9G1J3",
    "lostReason": null,
    "customerId": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C",
    "leadId": "lead_01KG8W7V0B4D6F8H1J3K5M7N9P",
    "ownerId": "luis",
    "expectedCloseDate": null,
    "wonAt": null,
    "lostAt": null,
    "createdAt": "2026-01-31T18:09:30.001Z",
    "updatedAt": "2026-01-31T18:09:30.001Z"
}}"#
);

/// A body that merges leads.
pub(super) const MERGE: &str = r#"{"from": ["lead_01KG8W7V0B4D6F8H1J3K5M7N9Q"]}"#;

/// A page of leads that look like another.
pub(super) const DUPLICATES: &str = concat!(
    r#"{"data": [{"lead": "#,
    lead!("contacted", "null", "null"),
    r#", "matchedBy": ["email"]}], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// The answer to its deletion.
pub(super) const DELETED: &str = r#"{"id": "lead_01KG8W7V0B4D6F8H1J3K5M7N9P", "deleted": true}"#;
