//! Examples of activities for the documentation.

/// A body that creates an activity.
pub(super) const CREATE: &str = r#"{
    "kind": "call",
    "subject": "Preguntar por la cotización",
    "dueAt": "2026-02-03T17:00:00Z",
    "assigneeId": "luis",
    "dealId": "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7"
}"#;

/// A body that says that it is done.
pub(super) const UPDATE: &str = r#"{"done": true, "notes": "Compra en marzo"}"#;

macro_rules! activity {
    () => {
        r#"{
    "id": "act_01KGB4D6F8H0K2M4P6R8T0V2X4",
    "kind": "call",
    "subject": "Preguntar por la cotización",
    "notes": null,
    "dueAt": "2026-02-03T17:00:00.000Z",
    "done": false,
    "doneAt": null,
    "assigneeId": "luis",
    "dealId": "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7",
    "leadId": null,
    "customerId": null,
    "createdAt": "2026-01-31T18:01:55.310Z",
    "updatedAt": "2026-01-31T18:01:55.310Z"
}"#
    };
}

/// An activity.
pub(super) const ACTIVITY: &str = activity!();

/// A page of activities.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    activity!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// The answer to a deletion.
pub(super) const DELETED: &str = r#"{"id": "act_01KGB4D6F8H0K2M4P6R8T0V2X4", "deleted": true}"#;
