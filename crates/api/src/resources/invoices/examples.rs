//! Examples of invoices for the documentation.

/// A body that invoices an order.
pub(super) const CREATE: &str = r#"{
    "orderId": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "paymentForm": "03",
    "paymentMethod": "PUE"
}"#;

/// A body that changes a draft.
pub(super) const UPDATE: &str = r#"{"cfdiUse": "G01", "notes": "Gracias por su compra"}"#;

/// A body that copies an invoice to take its place.
pub(super) const COPY: &str = r#"{"replace": true}"#;

/// A body that cancels an invoice.
pub(super) const CANCEL: &str = r#"{"reason": "02"}"#;

/// A body that sends an invoice.
pub(super) const EMAIL: &str =
    r#"{"to": ["ana@example.com"], "subject": "Su factura", "message": "Gracias por su compra."}"#;

/// The email that was sent.
pub(super) const SENT: &str = r#"{
    "id": "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T",
    "to": ["ana@example.com"],
    "subject": "Su factura",
    "attachments": ["6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60.xml", "6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60.pdf"],
    "sentAt": "2026-01-31T18:32:10.006Z"
}"#;

/// What a draft would be refused for.
pub(in crate::resources) const VERDICT: &str = r#"{
    "valid": false,
    "findings": [{
        "code": "CFDI40147",
        "field": "receiver.taxZip",
        "message": "receiver.taxZip is \"19000\", which is not a postal code of SAT's catalog: set the five digits of the tax address in the Constancia de Situación Fiscal."
    }],
    "warnings": []
}"#;

/// The answer to a deletion.
pub(super) const DELETED: &str = r#"{"id": "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T", "deleted": true}"#;

/// The cancellation of an invoice that nobody wants to cancel.
macro_rules! no_cancellation {
    () => {
        r#"{"status": "none", "reason": null, "replacementUuid": null, "requestedAt": null,
        "receivedAt": null, "resolvedAt": null, "code": null, "message": null, "fiscalStatus": null}"#
    };
}

/// A stamp of the sandbox.
macro_rules! stamp {
    () => {
        r#"{
        "uuid": "6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60",
        "stampedAt": "2026-01-31T18:30:03.000Z",
        "localStampedAt": "2026-01-31T12:30:03",
        "providerRfc": "SPR190613I52",
        "certificateNumber": "30001000000500003456",
        "provider": "sandbox",
        "sandbox": true,
        "verificationUrl": "https://verificacfdi.facturaelectronica.sat.gob.mx/default.aspx?id=6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60&re=EKU9003173C9&rr=FOAA900101AB1&tt=39.98&fe=Zk9dQ0E="
    }"#
    };
}

/// An invoice of two mugs.
macro_rules! invoice {
    ($status:literal, $folio:literal, $uuid:literal, $issued_at:literal, $stamp:expr, $cancellation:expr, $updated_at:literal) => {
        concat!(
            r#"{
    "id": "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T",
    "type": "I",
    "status": ""#,
            $status,
            r#"",
    "issuerId": "iss_01KG8VXT0N9B4C6D8E0F2G4H6J",
    "branchId": null,
    "series": "F",
    "folio": "#,
            $folio,
            r#",
    "uuid": "#,
            $uuid,
            r#",
    "customerId": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C",
    "orderIds": ["ord_01KG8W2X4N7QZ5T3R9B6C1D0EF"],
    "issuer": {"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE", "taxRegime": "601"},
    "receiver": {
        "rfc": "FOAA900101AB1",
        "legalName": "ANA FLORES AGUILAR",
        "taxZip": "06050",
        "taxRegime": "612",
        "cfdiUse": "G03",
        "taxResidence": null,
        "foreignTaxId": null
    },
    "items": [{
        "productId": "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8",
        "sku": "TAZA-01",
        "description": "Taza de barro",
        "satProductKey": "52152100",
        "satUnitKey": "H87",
        "unit": null,
        "quantity": 2,
        "unitPrice": 19.99,
        "taxIncluded": true,
        "discount": null,
        "taxObject": "02",
        "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false, "base": 34.465517, "amount": 5.514483}],
        "netUnitPrice": 17.232759,
        "netDiscount": null,
        "amount": 34.465517,
        "thirdParty": null,
        "customs": [],
        "propertyAccounts": [],
        "parts": []
    }],
    "localTaxes": [],
    "payments": [],
    "currency": "MXN",
    "exchangeRate": null,
    "paymentForm": "03",
    "paymentMethod": "PUE",
    "paymentTerms": null,
    "export": "01",
    "placeOfIssue": "42501",
    "confirmation": null,
    "global": null,
    "related": [],
    "complements": {"legends": [], "donation": null, "electoral": null, "foreignTrade": null, "cartaPorte": null},
    "subtotal": 34.47,
    "discount": null,
    "taxes": {
        "transferred": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false, "base": 34.47, "amount": 5.51}],
        "withheld": []
    },
    "total": 39.98,
    "balance": null,
    "installments": 0,
    "appliedTo": [],
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
    "notes": null,
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
pub(super) const DRAFT: &str = invoice!(
    "draft",
    "null",
    "null",
    r#""issuedAt": null, "localIssuedAt": null"#,
    "null",
    no_cancellation!(),
    "2026-01-31T18:29:40.332Z"
);

/// The same, stamped.
macro_rules! stamped {
    () => {
        invoice!(
            "stamped",
            r#""123""#,
            r#""6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60""#,
            r#""issuedAt": "2026-01-31T18:30:02.000Z", "localIssuedAt": "2026-01-31T12:30:02""#,
            stamp!(),
            no_cancellation!(),
            "2026-01-31T18:30:03.418Z"
        )
    };
}

/// The same, stamped.
pub(super) const STAMPED: &str = stamped!();

/// The result of checking a receiver, or the tax data of a customer.
pub(in crate::resources) const RECEIVER_VERDICT: &str = r#"{
    "valid": false,
    "findings": [{
        "code": "CFDI40147",
        "field": "taxZip",
        "message": "taxZip is \"19000\", which is not in SAT's postal code catalog: set the five-digit postal code of the tax address stated in the Constancia de Situación Fiscal."
    }],
    "warnings": []
}"#;

pub(super) const STAMPING: &str = invoice!(
    "stamping",
    r#""123""#,
    "null",
    r#""issuedAt": "2026-01-31T18:30:02.000Z", "localIssuedAt": "2026-01-31T12:30:02""#,
    "null",
    no_cancellation!(),
    "2026-01-31T18:30:02.118Z"
);

pub(super) const CANCELLED: &str = invoice!(
    "cancelled",
    r#""123""#,
    r#""6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60""#,
    r#""issuedAt": "2026-01-31T18:30:02.000Z", "localIssuedAt": "2026-01-31T12:30:02""#,
    stamp!(),
    r#"{
        "status": "accepted",
        "reason": "02",
        "replacementUuid": null,
        "requestedAt": "2026-01-31T18:40:00.120Z",
        "receivedAt": "2026-01-31T18:40:01.977Z",
        "resolvedAt": "2026-01-31T18:40:02.251Z",
        "code": "201",
        "message": null,
        "fiscalStatus": {
            "state": "Cancelado",
            "cancellable": "Cancelable sin aceptación",
            "cancellation": "Cancelado sin aceptación"
        }
    }"#,
    "2026-01-31T18:40:02.251Z"
);

/// A page with the stamped one.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    stamped!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

pub(super) const SET_ADDENDA: &str =
    r#"{"xml": "<pedido xmlns=\"urn:cliente\" numero=\"4711\"/>"}"#;

pub(super) const ADDENDA: &str = r#"{
    "invoiceId": "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T",
    "xml": "<pedido xmlns=\"urn:cliente\" numero=\"4711\"/>"
}"#;

/// What some invoices add up to.
pub(super) const SUMS: &str = r#"{
    "sums": [{
        "type": "I",
        "status": "stamped",
        "currency": "MXN",
        "count": 3,
        "subtotal": 3000,
        "discount": 100,
        "transferred": {"iva": 464, "ieps": 0},
        "withheld": {"isr": 0, "iva": 0, "ieps": 0},
        "local": {"charged": 0, "withheld": 0},
        "total": 3364,
        "paid": 0,
        "balance": 1160
    }]
}"#;
