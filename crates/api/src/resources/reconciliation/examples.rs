//! Examples of reconciliations for the documentation.

/// A payment with a refund of which nobody has been told yet.
pub(super) const RECONCILIATION: &str = r#"{
    "until": "2026-02-01T06:00:00.000Z",
    "nextFrom": null,
    "compared": ["sandbox"],
    "notCompared": [],
    "data": [
        {
            "outcome": "different",
            "differences": ["refunded"],
            "provider": "sandbox",
            "paymentId": "pay_01KG9A4D6F8H0J2M4P6R8T0V2X",
            "orderId": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
            "providerRef": "sbx_01a20e2938eb53aeec618b5f449294fd",
            "here": {
                "status": "paid",
                "amount": 134.98,
                "currency": "MXN",
                "amountCaptured": 134.98,
                "amountRefunded": 0,
                "createdAt": "2026-01-31T18:06:40.512Z"
            },
            "there": {
                "status": "paid",
                "amount": 134.98,
                "currency": "MXN",
                "amountCaptured": 134.98,
                "amountRefunded": 34.98,
                "createdAt": "2026-01-31T18:06:40.530Z"
            }
        }
    ],
    "sums": [
        {
            "currency": "MXN",
            "outcome": "different",
            "here": {"count": 1, "captured": 134.98, "refunded": 0},
            "there": {"count": 1, "captured": 134.98, "refunded": 34.98}
        }
    ]
}"#;
