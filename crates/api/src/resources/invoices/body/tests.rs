//! Invoices of each type, and how they are shown.

use std::collections::HashMap;

use cfdi::{
    complements::Complements,
    document::Receiver,
    stamp::Stamp,
    tax::{Factor, ItemTax, TaxRate},
};
use invoices::{
    CancelReason, Cancellation, CancellationStatus, Debts, Draft, DraftItem, DraftPaid,
    DraftPayment, Issuer, Owed, PaidInvoice, ProductId, Stamped, build,
    provider::{FiscalStatus, ProviderKind, Rejection},
};
use serde_json::{Value, json};

use super::*;

fn now() -> Timestamp {
    Timestamp::parse("2026-01-31T18:30:02Z").unwrap()
}

fn amount(text: &str) -> Amount {
    Amount::parse(text).unwrap()
}

fn issuer() -> Issuer {
    Issuer {
        id: invoices::IssuerId::from_u128(1),
        rfc: "EKU9003173C9".to_owned(),
        legal_name: "ESCUELA KEMPER URGATE".to_owned(),
        tax_regime: "601".to_owned(),
        tax_zip: "42501".to_owned(),
        series: invoices::Series::default(),
        default_taxes: vec![TaxRate::iva(160_000)],
        shipping_taxes: None,
        stamps_receipts: false,
        stamps_credit_notes: false,
        has_logo: false,
        is_default: true,
        created_at: now(),
        updated_at: now(),
        version: 1,
    }
}

fn item() -> DraftItem {
    let withheld =
        TaxRate { tax: Tax::Isr, factor: Factor::Tasa, rate: amount("0.0125"), withheld: true };
    DraftItem {
        product: Some(ProductId::from_u128(5)),
        sat_product_key: "52152100".to_owned(),
        sku: Some("TAZA-01".to_owned()),
        sat_unit_key: "H87".to_owned(),
        unit: None,
        description: "Taza de barro".to_owned(),
        quantity: amount("2"),
        unit_price: amount("58"),
        tax_included: true,
        discount: Some(amount("11.6")),
        tax_object: None,
        taxes: vec![TaxRate::iva(160_000), withheld],
        third_party: None,
        customs: vec!["24  48  3009  4001234".to_owned()],
        property_accounts: Vec::new(),
        parts: Vec::new(),
    }
}

fn payments() -> (Vec<DraftPayment>, Debts) {
    let owed = |uuid: &str| Owed {
        uuid: uuid.to_owned(),
        series: Some("F".to_owned()),
        folio: None,
        currency: Currency::MXN,
        total: amount("116"),
        balance: amount("116"),
        installments: 0,
        taxes: vec![ItemTax {
            rate: TaxRate::iva(160_000),
            base: amount("100"),
            amount: amount("16"),
        }],
        tax_object: None,
        place: None,
    };
    let own = InvoiceId::from_u128(9);
    let paid = |invoice, text| DraftPaid { invoice, amount: amount(text), payment_amount: None };
    let external = owed("00000000-0000-4000-8000-000000000002");
    let payment = DraftPayment {
        paid_at: now(),
        payment_form: "03".to_owned(),
        currency: Currency::MXN,
        exchange_rate: None,
        amount: amount("100"),
        operation: None,
        payer_account: None,
        payee_account: None,
        documents: vec![
            paid(PaidInvoice::Own(own), "58"),
            paid(PaidInvoice::External(Box::new(external)), "42"),
        ],
    };
    let owed = HashMap::from([(own, owed("00000000-0000-4000-8000-000000000001"))]);
    (vec![payment], Debts { owed, ..Debts::default() })
}

/// A draft of that type.
pub(in crate::resources::invoices) fn draft_of(kind: DocumentType) -> Invoice {
    let (payments, debts) = payments();
    let is_receipt = kind == DocumentType::Payment;
    let draft = Draft {
        issuer: Some(invoices::IssuerId::from_u128(1)),
        branch: None,
        kind,
        series: "F".to_owned(),
        issued_at: None,
        customer: Some(CustomerId::from_u128(3)),
        orders: vec![OrderId::from_u128(4)],
        receiver: Receiver {
            rfc: "XIQB891116QE4".to_owned(),
            legal_name: "BERENICE XIMO QUEZADA".to_owned(),
            tax_zip: "39206".to_owned(),
            tax_regime: "605".to_owned(),
            cfdi_use: "S01".to_owned(),
            tax_residence: None,
            foreign_tax_id: None,
        },
        items: if is_receipt { Vec::new() } else { vec![item()] },
        local_taxes: Vec::new(),
        payments: if is_receipt { payments } else { Vec::new() },
        payment_form: (!is_receipt).then(|| "03".to_owned()),
        payment_method: (!is_receipt).then_some(PaymentMethod::Pue),
        payment_terms: None,
        currency: Currency::MXN,
        exchange_rate: None,
        export: "01".to_owned(),
        place_of_issue: None,
        confirmation: None,
        global: None,
        related: Vec::new(),
        complements: Complements::default(),
        notes: Some("Gracias".to_owned()),
        metadata: Metadata::default(),
        payment: None,
        refund: None,
        goods: None,
        cancelled_order: None,
    };
    Invoice {
        id: InvoiceId::from_u128(2),
        status: Status::Draft,
        document: build(&draft, &issuer(), (InvoiceId::from_u128(2), None), &debts, now()).unwrap(),
        draft,
        folio: None,
        stamp: None,
        balance: None,
        installments: 0,
        applied_to: Vec::new(),
        cancellation: None,
        last_error: None,
        created_at: now(),
        updated_at: now(),
        version: 1,
    }
}

/// A sale that the sandbox has stamped.
pub(in crate::resources::invoices) fn stamped() -> Invoice {
    let mut invoice = draft_of(DocumentType::Income);
    invoice.status = Status::Stamped;
    invoice.folio = Some(123);
    invoice.stamp = Some(Stamped {
        stamp: Stamp {
            uuid: "6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60".to_owned(),
            stamped_at: invoice.document.issued_at,
            provider_rfc: "SPR190613I52".to_owned(),
            legend: None,
            issuer_seal: "c2VhbA==".to_owned(),
            certificate_number: "30001000000500003416".to_owned(),
            seal: "c2VhbA==".to_owned(),
        },
        provider: ProviderKind::Sandbox,
        at: now(),
    });
    invoice
}

fn shown(invoice: Invoice) -> Value {
    serde_json::to_value(InvoiceBody::from(invoice)).unwrap()
}

#[test]
fn a_draft_shows_what_was_given_and_what_follows() {
    let shown = shown(draft_of(DocumentType::Income));
    assert_eq!((&shown["type"], &shown["status"]), (&json!("I"), &json!("draft")));
    for empty in ["folio", "uuid", "issuedAt", "stamp", "balance", "lastError", "global"] {
        assert_eq!(shown[empty], Value::Null, "{empty}");
    }
    assert_eq!(shown["cancellation"]["status"], "none");
    assert_eq!(shown["placeOfIssue"], "42501");
    let item = &shown["items"][0];
    assert_eq!((&item["unitPrice"], &item["discount"]), (&json!(58), &json!(11.6)));
    assert_eq!((&item["netUnitPrice"], &item["netDiscount"]), (&json!(50), &json!(10)));
    assert_eq!((&item["amount"], &item["taxObject"]), (&json!(100), &json!("02")));
    assert_eq!(
        item["taxes"][0],
        json!({"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false, "base": 90, "amount": 14.4})
    );
    assert_eq!((&shown["subtotal"], &shown["discount"]), (&json!(100), &json!(10)));
    assert_eq!(shown["taxes"]["withheld"], json!([{"tax": "ISR", "amount": 1.13}]));
    assert_eq!(shown["total"], json!(103.27));
}

#[test]
fn a_receipt_shows_what_is_owed() {
    let shown = shown(draft_of(DocumentType::Payment));
    assert_eq!((&shown["items"], &shown["total"]), (&json!([]), &json!(0)));
    let [own, external] = &shown["payments"][0]["documents"].as_array().unwrap()[..] else {
        panic!("{shown}")
    };
    assert_eq!(own["invoiceId"], "inv_00000000000000000000000009");
    assert_eq!((&own["balanceBefore"], &own["balanceAfter"]), (&json!(116), &json!(58)));
    assert_eq!((&own["installment"], &own["external"]), (&json!(1), &Value::Null));
    assert_eq!(own["taxes"][0]["base"], 50);
    assert_eq!(external["external"]["balance"], 116);
    assert_eq!((&external["invoiceId"], &external["balanceAfter"]), (&Value::Null, &json!(74)));
}

#[test]
fn a_stamp_says_whether_it_is_one_of_the_sandbox() {
    let shown = shown(stamped());
    assert_eq!(
        (&shown["issuedAt"], &shown["localIssuedAt"]),
        (&json!("2026-01-31T18:30:02.000Z"), &json!("2026-01-31T12:30:02"))
    );
    let stamp = &shown["stamp"];
    assert_eq!(
        (&stamp["stampedAt"], &stamp["localStampedAt"]),
        (&json!("2026-01-31T18:30:02.000Z"), &json!("2026-01-31T12:30:02"))
    );
    assert_eq!((&shown["folio"], &shown["timeZone"]), (&json!("123"), &json!("Tiempo del Centro")));
    assert_eq!(shown["uuid"], shown["stamp"]["uuid"]);
    assert_eq!(shown["stamp"]["sandbox"], true);
    let url = shown["stamp"]["verificationUrl"].as_str().unwrap();
    assert!(url.contains("id=6E1CE7A8-") && url.contains("&fe="), "{url}");
}

#[test]
fn a_cancellation_shows_codes_and_words_as_they_came() {
    let mut invoice = stamped();
    invoice.cancellation = Some(Cancellation {
        status: CancellationStatus::Requested,
        reason: CancelReason::Errors,
        replacement_uuid: None,
        asked_before: false,
        requested_at: now(),
        received_at: Some(now()),
        resolved_at: None,
        answer: Some(Rejection { code: "201".to_owned(), message: String::new() }),
        fiscal_status: Some(FiscalStatus { state: "Vigente".to_owned(), ..Default::default() }),
    });
    let shown = shown(invoice);
    let cancellation = &shown["cancellation"];
    assert_eq!(
        (&cancellation["status"], &cancellation["reason"]),
        (&json!("requested"), &json!("02"))
    );
    assert_eq!((&cancellation["code"], &cancellation["message"]), (&json!("201"), &Value::Null));
    assert_eq!(cancellation["fiscalStatus"]["state"], "Vigente");
}
