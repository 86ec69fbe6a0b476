//! Examples of deliveries for the documentation.

/// The fields of a delivery, to be put into larger examples.
macro_rules! delivery {
    ($event:literal, $state:literal, $attempts:literal, $next:literal, $finished:literal) => {
        concat!(
            r#"
    "id": "dlv_01KG8X3V5Z7B9D1F3H5K7M9N0P",
    "webhookId": "whk_01KG8X0M2N4P6R8T0V1W3X5Y7Z",
    "eventId": "evt_01KG8X3V5W6X7Y8Z9A0B1C2D3E",
    "event": ""#,
            $event,
            r#"",
    "state": ""#,
            $state,
            r#"",
    "attempts": "#,
            $attempts,
            r#",
    "nextAttemptAt": "#,
            $next,
            r#",
    "retryOf": null,
    "createdAt": "2026-01-31T18:20:07.123Z",
    "finishedAt": "#,
            $finished
        )
    };
}
pub(in crate::resources) use delivery;

/// A page with a delivery.
pub(super) const PAGE: &str = concat!(
    r#"{"data": [{"#,
    delivery!("order.created", "delivered", "2", "null", r#""2026-01-31T18:20:12.871Z""#),
    r#"}], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// A delivery with its request body and attempts.
pub(super) const DETAIL: &str = concat!(
    "{",
    delivery!("order.created", "delivered", "2", "null", r#""2026-01-31T18:20:12.871Z""#),
    r#",
    "body": "{\"id\":\"evt_01KG8X3V5W6X7Y8Z9A0B1C2D3E\",\"event\":\"order.created\",\"createdAt\":\"2026-01-31T18:20:07.123Z\",\"data\":{\"id\":\"ord_01KG8W2H6K1M3P5R7T9V0X2Z4B\",\"status\":\"pending\",\"total\":39.98,\"currency\":\"MXN\"}}",
    "attemptLog": [{
        "attempt": 1,
        "startedAt": "2026-01-31T18:20:07.131Z",
        "durationMs": 5000,
        "status": null,
        "errorCode": "timed_out",
        "error": "timed out after 5 s",
        "answer": null
    }, {
        "attempt": 2,
        "startedAt": "2026-01-31T18:20:12.790Z",
        "durationMs": 81,
        "status": 200,
        "errorCode": null,
        "error": null,
        "answer": "ok"
    }]
}"#
);

/// A delivery that is attempted ahead of its time.
pub(super) const RETRIED: &str = concat!(
    "{",
    delivery!("order.created", "attempting", "3", r#""2026-01-31T18:25:40.000Z""#, "null"),
    "}"
);
