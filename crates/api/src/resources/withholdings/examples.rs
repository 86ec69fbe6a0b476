//! Examples of withholdings for the documentation.

/// A body that certifies fees to a professional.
pub(super) const CREATE: &str = r#"{
    "code": "01",
    "customerId": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C",
    "period": {"firstMonth": 1, "lastMonth": 1, "year": 2026},
    "totals": {"taxed": 10000},
    "taxes": [
        {"tax": "ISR", "base": 10000, "amount": 1000, "paymentKind": "04"},
        {"tax": "IVA", "base": 1600, "amount": 1066.67, "paymentKind": "01"}
    ]
}"#;

/// A body that changes a draft.
pub(super) const UPDATE: &str = r#"{"folio": "R1024", "description": "Honorarios de enero"}"#;

/// A body that cancels a withholding.
pub(super) const CANCEL: &str = r#"{"reason": "02"}"#;

/// The answer to a deletion.
pub(super) const DELETED: &str = r#"{"id": "wth_01KG91C3E5G7J9M1P3R5T7V9X1", "deleted": true}"#;

/// The cancellation of a withholding that nobody wants to cancel.
macro_rules! no_cancellation {
    () => {
        r#"{"status": "none", "reason": null, "replacementUuid": null, "requestedAt": null, "resolvedAt": null,
        "code": null, "message": null}"#
    };
}

/// A stamp of the sandbox.
macro_rules! stamp {
    () => {
        r#"{
        "uuid": "5FB2822E-396D-4725-8521-CDC4BDD20CCF",
        "stampedAt": "2026-01-31T18:30:03.000Z",
        "localStampedAt": "2026-01-31T12:30:03",
        "providerRfc": "SPR190613I52",
        "certificateNumber": "30001000000500003456",
        "provider": "sandbox",
        "sandbox": true,
        "verificationUrl": "https://prodretencionverificacion.clouda.sat.gob.mx/?id=5FB2822E-396D-4725-8521-CDC4BDD20CCF&re=EKU9003173C9&rr=FOAA900101AB1&tt=10000.00&fe=Zk9dQ0E="
    }"#
    };
}

/// A withholding of fees.
macro_rules! withholding {
    ($status:literal, $uuid:literal, $issued_at:literal, $stamp:expr, $cancellation:expr, $updated_at:literal) => {
        concat!(
            r#"{
    "id": "wth_01KG91C3E5G7J9M1P3R5T7V9X1",
    "status": ""#,
            $status,
            r#"",
    "issuerId": "iss_01KG8VXT0N9B4C6D8E0F2G4H6J",
    "customerId": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C",
    "folio": "R1024",
    "uuid": "#,
            $uuid,
            r#",
    "code": "01",
    "description": null,
    "issuer": {"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE", "taxRegime": "601"},
    "receiver": {
        "national": {"rfc": "FOAA900101AB1", "legalName": "ANA FLORES AGUILAR", "curp": null, "taxZip": "06050"},
        "foreign": null
    },
    "period": {"firstMonth": 1, "lastMonth": 1, "year": 2026},
    "totals": {
        "operation": 10000,
        "taxed": 10000,
        "exempt": 0,
        "withheld": 2066.67,
        "bimonthlyProfit": null,
        "bimonthlyIsr": null
    },
    "taxes": [
        {"tax": "ISR", "base": 10000, "amount": 1000, "paymentKind": "04"},
        {"tax": "IVA", "base": 1600, "amount": 1066.67, "paymentKind": "01"}
    ],
    "complements": {
        "dividends": null,
        "interest": null,
        "foreignPayment": null,
        "trustLease": null,
        "shareSale": null,
        "prize": null,
        "platformServices": null
    },
    "related": null,
    "placeOfIssue": "42501",
    "#,
            $issued_at,
            r#",
    "timeZone": "Tiempo del Centro",
    "stamp": "#,
            $stamp,
            r#",
    "cancellation": "#,
            $cancellation,
            r#",
    "lastError": null,
    "metadata": {},
    "createdAt": "2026-01-31T18:29:40.332Z",
    "updatedAt": ""#,
            $updated_at,
            r#""
}"#
        )
    };
}

/// A draft.
pub(super) const DRAFT: &str = withholding!(
    "draft",
    "null",
    r#""issuedAt": null, "localIssuedAt": null"#,
    "null",
    no_cancellation!(),
    "2026-01-31T18:29:40.332Z"
);

pub(super) const STAMPING: &str = withholding!(
    "stamping",
    "null",
    r#""issuedAt": "2026-01-31T18:30:02.000Z", "localIssuedAt": "2026-01-31T12:30:02""#,
    "null",
    no_cancellation!(),
    "2026-01-31T18:30:02.118Z"
);

/// The same, stamped.
macro_rules! stamped {
    () => {
        withholding!(
            "stamped",
            r#""5FB2822E-396D-4725-8521-CDC4BDD20CCF""#,
            r#""issuedAt": "2026-01-31T18:30:02.000Z", "localIssuedAt": "2026-01-31T12:30:02""#,
            stamp!(),
            no_cancellation!(),
            "2026-01-31T18:30:03.418Z"
        )
    };
}

pub(super) const STAMPED: &str = stamped!();

pub(super) const CANCELLED: &str = withholding!(
    "cancelled",
    r#""5FB2822E-396D-4725-8521-CDC4BDD20CCF""#,
    r#""issuedAt": "2026-01-31T18:30:02.000Z", "localIssuedAt": "2026-01-31T12:30:02""#,
    stamp!(),
    r#"{
        "status": "accepted",
        "reason": "02",
        "replacementUuid": null,
        "requestedAt": "2026-01-31T18:40:00.120Z",
        "resolvedAt": "2026-01-31T18:40:01.977Z",
        "code": "1201",
        "message": null
    }"#,
    "2026-01-31T18:40:01.977Z"
);

/// A page with the stamped one.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    stamped!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
