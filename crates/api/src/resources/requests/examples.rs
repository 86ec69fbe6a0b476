//! Examples of the log of requests for the documentation.

/// A page of requests.
pub(super) const PAGE: &str = r#"{
    "data": [{
        "id": "req_01KG8Y5C2E4G6J8M0P2R4T6V8X",
        "keyId": "key_01KG8W2X4N7QZ5T3R9B6C1D0EF",
        "method": "PATCH",
        "route": "/orders/{id}",
        "ids": ["ord_01KG8XZ7M9P1R3T5V7X9Z1B3D5"],
        "status": 409,
        "code": "invalid_transition",
        "count": 1,
        "micros": 1840,
        "requestId": "01KG8Y5C2E4G6J8M0P2R4T6V8X",
        "network": "203.0.113.0/24",
        "createdAt": "2026-01-31T18:30:02.417Z"
    }, {
        "id": "req_01KG8Y4A0C2E4G6J8M0P2R4T6V",
        "keyId": "key_01KG8W2X4N7QZ5T3R9B6C1D0EF",
        "method": "GET",
        "route": "/products",
        "ids": [],
        "status": 200,
        "code": null,
        "count": 112,
        "micros": 930,
        "requestId": null,
        "network": null,
        "createdAt": "2026-01-31T18:29:00.000Z"
    }],
    "total": 2,
    "totalIsExact": true,
    "page": 1,
    "limit": 20,
    "nextCursor": null
}"#;
