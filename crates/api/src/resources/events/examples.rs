//! Examples of events for the documentation.

/// The beginning and the end of the catalog.
pub(super) const CATALOG: &str = r#"{
    "version": "1.0",
    "description": "Events delivered to webhooks as signed HTTP POST requests.",
    "events": [{
        "event": "order.created",
        "description": "An order is created.",
        "payload": {"id": "string", "status": "string", "total": "number", "currency": "string"}
    }, {
        "event": "*",
        "description": "Subscribes to all events.",
        "payload": null
    }],
    "extensions": [{
        "event": "invoice.stamped",
        "description": "An invoice is stamped.",
        "payload": {"id": "string", "uuid": "string", "amount": "number"}
    }],
    "signing": {
        "algorithm": "HMAC-SHA256",
        "header": "x-service-signature-256",
        "format": "lowercase hexadecimal",
        "verification": "Compute HMAC-SHA256 over the raw, unparsed body, using the webhook's complete secret, including its prefix, as the key. Encode it as lowercase hexadecimal and compare it with the header in constant time. If they differ, answer 401 and do not trust the body."
    },
    "retryPolicy": {
        "maxAttempts": 6,
        "backoff": ["immediate", "5 s", "30 s", "5 min", "30 min", "2 h"]
    }
}"#;

/// A part of the feed.
pub(super) const FEED: &str = r#"{
    "data": [{
        "id": "evt_01KG8X3V5W6X7Y8Z9A0B1C2D3E",
        "event": "order.created",
        "createdAt": "2026-01-31T18:20:07.123Z",
        "data": {
            "id": "ord_01KG8W2H6K1M3P5R7T9V0X2Z4B",
            "status": "pending",
            "total": 39.98,
            "currency": "MXN"
        }
    }],
    "nextCursor": "ZXZlbnRzADQ3MTEAZXZ0XzAxS0c4WDNWNVc2WDdZOFo5QTBCMUMyRDNFADgxN2I0YmE43z6HPA",
    "hasMore": false
}"#;
