//! Examples of credits for the documentation.

/// The balance.
pub(super) const BALANCE: &str = r#"{"available": 490, "reserved": 0, "stampCost": 10}"#;

/// A page of the ledger.
pub(super) const LEDGER: &str = r#"{
    "data": [{
        "id": "cre_01KG8Y5C2E4G6J8M0P2R4T6V8X",
        "kind": "reserve",
        "amount": -10,
        "invoiceId": "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T",
        "withholdingId": null,
        "note": null,
        "createdAt": "2026-01-31T18:30:02.417Z"
    }],
    "total": 1,
    "totalIsExact": true,
    "page": 1,
    "limit": 20,
    "nextCursor": null
}"#;
