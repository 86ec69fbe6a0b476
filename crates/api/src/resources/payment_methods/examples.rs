//! Examples of payment methods for the documentation.

/// What can be paid in pesos.
pub(super) const METHODS: &str = r#"{
    "currency": "MXN",
    "data": [
        {
            "method": "card",
            "provider": "sandbox",
            "default": true,
            "min": 0.000001,
            "max": 999999999999,
            "capture": true,
            "refunds": "partial",
            "refundDays": 180,
            "expiresAfterSeconds": null,
            "installments": [{"months": 3, "minAmount": 300}, {"months": 6, "minAmount": 600}]
        },
        {
            "method": "oxxo",
            "provider": "sandbox",
            "default": true,
            "min": 10,
            "max": 10000,
            "capture": false,
            "refunds": "none",
            "refundDays": null,
            "expiresAfterSeconds": 259200,
            "installments": []
        }
    ]
}"#;
