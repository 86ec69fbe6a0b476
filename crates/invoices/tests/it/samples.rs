//! Invoices in every status, as stories about their life need them.

use cfdi::{
    document::{DocumentType, PaymentMethod, Relation},
    stamp::Stamp,
};
use invoices::{
    Cancellation, CancellationStatus, Debts, Draft, DraftPaid, DraftPayment, Fields, Holder,
    Invoice, InvoiceId, ItemFields, PaidInvoice, Stamped, Status, build, fields,
    provider::{ProviderKind, Rejection},
    settled::OpenTask,
};
use kernel::{Currency, Timestamp};

use super::{amount, customer, issuer, known, now};

/// A task that is still ours, one that another has taken over, and none at all.
pub(crate) const TASKS: [Option<OpenTask>; 3] = [
    Some(OpenTask { is_held: true, attempts: 2 }),
    Some(OpenTask { is_held: false, attempts: 2 }),
    None,
];

pub(crate) fn id(number: u128) -> InvoiceId {
    InvoiceId::from_u128(number)
}

pub(crate) fn later() -> Timestamp {
    now().plus_seconds(60)
}

pub(crate) fn rejection() -> Rejection {
    Rejection { code: "CFDI40147".to_owned(), message: "Nombre".to_owned() }
}

/// The fiscal folio of the invoice of that number.
pub(crate) fn uuid(number: u128) -> String {
    format!("6E1CE7A8-7E2F-4F5E-9B4E-{number:012X}")
}

pub(crate) fn stamp(number: u128, seal: &str) -> Stamp {
    Stamp {
        uuid: uuid(number),
        stamped_at: cfdi::document::local_time::from_text("2026-11-21T12:00:00").unwrap(),
        provider_rfc: "SPR190613I52".to_owned(),
        legend: None,
        issuer_seal: seal.to_owned(),
        certificate_number: "30001000000500003456".to_owned(),
        seal: "theirs".to_owned(),
    }
}

/// The fields of a sale of 100 pesos that is paid in parts.
pub(crate) fn sale_fields() -> Fields {
    let item = ItemFields {
        description: Some("Café".to_owned()),
        quantity: amount("1"),
        unit_price: Some(amount("100")),
        ..ItemFields::default()
    };
    Fields {
        customer: Some(Some(customer())),
        items: Some(vec![item]),
        payment_method: Some(Some(PaymentMethod::Ppd)),
        ..Fields::default()
    }
}

/// An invoice of that draft, as it is in that status; sealed as `ours`.
pub(crate) fn of(number: u128, draft: Draft, debts: &Debts, status: Status) -> Invoice {
    let is_stamped = matches!(status, Status::Stamped | Status::Cancelled);
    let document =
        build(&draft, &issuer(), (InvoiceId::from_u128(1), Some(1)), debts, now()).unwrap();
    let owed = document.payment_method == Some(PaymentMethod::Ppd) && status == Status::Stamped;
    let mut invoice = Invoice {
        id: id(number),
        status,
        document,
        draft,
        folio: Some(1),
        stamp: None,
        balance: None,
        installments: 0,
        applied_to: Vec::new(),
        cancellation: None,
        last_error: None,
        created_at: now(),
        updated_at: now(),
        version: 1,
    };
    invoice.balance = owed.then(|| invoice.amount());
    invoice.stamp = is_stamped.then(|| Stamped {
        stamp: stamp(number, "ours"),
        provider: ProviderKind::Sandbox,
        at: now(),
    });
    invoice
}

/// A sale of 100 pesos, paid in parts.
pub(crate) fn sale(number: u128, status: Status) -> Invoice {
    let draft = fields::create(DocumentType::Income, sale_fields(), &known()).unwrap();
    of(number, draft, &Debts::default(), status)
}

/// A sale with a cancellation in that status.
pub(crate) fn with_cancellation(status: CancellationStatus) -> Invoice {
    let cancellation = Cancellation {
        status,
        reason: invoices::CancelReason::Errors,
        replacement_uuid: None,
        asked_before: false,
        requested_at: now(),
        received_at: None,
        resolved_at: None,
        answer: None,
        fiscal_status: None,
    };
    let invoice = match status.is_cancelled() {
        true => sale(1, Status::Cancelled),
        false => sale(1, Status::Stamped),
    };
    Invoice { cancellation: Some(cancellation), ..invoice }
}

/// The draft of a receipt of these payments, in pesos with centavos; it takes the place of `replaces`.
pub(crate) fn receipt(paid: &[(InvoiceId, &str)], replaces: Option<u128>) -> Draft {
    let payment = |(invoice, text): &(InvoiceId, &str)| DraftPayment {
        paid_at: now(),
        payment_form: "03".to_owned(),
        currency: Currency::MXN,
        exchange_rate: None,
        amount: amount(text),
        operation: None,
        payer_account: None,
        payee_account: None,
        documents: vec![DraftPaid {
            invoice: PaidInvoice::Own(*invoice),
            amount: amount(text),
            payment_amount: None,
        }],
    };
    let draft = fields::create(DocumentType::Income, sale_fields(), &known()).unwrap();
    let related =
        replaces.map(|number| Relation { relation: "04".to_owned(), uuids: vec![uuid(number)] });
    Draft {
        kind: DocumentType::Payment,
        items: Vec::new(),
        payment_method: None,
        payment_form: None,
        payments: paid.iter().map(payment).collect(),
        related: related.into_iter().collect(),
        ..draft
    }
}

pub(crate) fn holder(number: u128) -> Holder {
    Holder { invoice: id(number), uuid: Some(uuid(number)) }
}
