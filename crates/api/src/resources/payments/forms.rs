//! What the endpoints of payments read.

use cfdi::catalogs::payment_forms;
use intake::{
    Check, Fields, Form,
    checks::{
        above_zero, currency, email, flag, id, line, list, metadata, moment, object, one_number_of,
        one_of, paragraph, phone, text,
    },
    noun,
};
use kernel::{Amount, message};
use payments::{
    CustomerId, Flag, InvoiceId, Method, NewPayment, NewRefund, OrderId, Origin, Payer,
    PaymentFilter, PaymentId, PaymentLinkId, PaymentQuery, ProviderKind, Status,
    installments::MONTHS, payment::LINE_CHARS_MAX, refund::REASON_CHARS_MAX, service::Resolution,
};
use webhooks::{Reach, target};

use super::examples;
use crate::{filters, page::page_request_of};

pub(super) const LIST: Form<PaymentQuery> = Form::query(read_query);
pub(super) const CREATE: Form<NewPayment> =
    Form::body("CreatePayment", noun("a payment", "un pago"), read_payment, examples::CREATE);
pub(super) const CAPTURE: Form<Option<Amount>> =
    Form::body("CapturePayment", noun("a capture", "una captura"), read_capture, examples::CAPTURE)
        .or_absent();
pub(super) const RESOLVE: Form<Resolved> = Form::body(
    "ResolvePayment",
    noun("a resolution", "una resolución"),
    read_resolution,
    examples::RESOLVE,
);
pub(super) const SIMULATE: Form<Simulated> = Form::body(
    "SimulatePayment",
    noun("an event", "un evento"),
    read_simulation,
    examples::SIMULATE,
);
pub(super) const REFUND: Form<NewRefund> =
    Form::body("RefundPayment", noun("a refund", "una devolución"), read_refund, examples::REFUND)
        .or_absent();

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &[
    "id",
    "status",
    "amountReceived",
    "amountAuthorized",
    "amountCaptured",
    "amountRefunded",
    "amountRefundable",
    "refundStatus",
    "instructions",
    "failure",
    "outcome",
    "flags",
    "conflict",
    "card",
    "installmentsChosen",
    "trackingKey",
    "fee",
    "net",
    "customerId",
    "paymentLinkId",
    "receiptId",
    "receiptProblem",
    "paidAt",
    "createdAt",
    "updatedAt",
];
const URL_CHARS_MAX: usize = 2_000;

const ORDER: &str = "Order that is paid. Its currency and what is owed of it are the defaults: without the taxes that are withheld where its stamped \
                     invoice states them or, before there is one, its customer is a legal person (RFC of 12 characters).";
const INVOICE: &str = "Stamped invoice paid in parts or later (PPD) that is paid, instead of `orderId`. Its currency and what is owed of it are the \
                       defaults; a payment of the invoice of an order is one of that order, too.";
const AMOUNT: &str = "Amount to ask for; required without `orderId` and `invoiceId`.";
const CURRENCY: &str = "Currency; required without `orderId` and `invoiceId`.";
const PROVIDER: &str = "Payment provider. Cash, transfers to your own account, checks, wallets and `other` are recorded as \
                        `manual` by default; the rest is made through the account's default provider, or the `sandbox` in \
                        a test account without one.";
const METHOD: &str = "How the payer pays; see GET /payment-methods.";
const CAPTURE_NOW: &str =
    "Whether the money is captured as soon as it is authorized; defaults to `true`.";
const INSTALLMENTS: &str = "Numbers of monthly installments without interest (meses sin intereses) that whoever pays by card may choose from, in \
                            pesos; GET /payment-methods has what each provider offers, and from which amounts. In one if empty.";
const OVERPAYMENT: &str = "Whether more may be asked for than is left to pay; defaults to `false`.";
const RETURN_URL: &str = "Where the payer is sent after confirming.";
const EXPIRES_AT: &str = "Until when it can be paid, for methods that wait for their payer.";
const PAYMENT_FORM: &str = "Payment form for invoices (c_FormaPago), where it is not the one that follows from `method`; see GET \
                            /invoices/cfdi/formas-pago.";
const EXCHANGE_RATE: &str = "Pesos for one unit of `currency` on the day of the payment, for its receipt (`TipoCambioP`). Only for money in another \
                             currency than MXN that you have taken yourself.";
const MANUAL: &str = "`true` records money that you give back yourself: the provider is not called. Defaults to `false`.";

/// What is decided about a payment in conflict.
pub(super) struct Resolved {
    pub(super) resolution: Resolution,
    pub(super) note: Option<String>,
}

/// What is to happen to a payment of the sandbox.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Simulated {
    pub(super) event: Event,
    pub(super) amount: Option<Amount>,
    pub(super) installments: Option<u8>,
}

/// What a payer, their bank or the merchant on the provider's own pages does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Pay,
    Decline,
    Process,
    Expire,
    Refund,
}

impl Event {
    const EVERY: &[Self] = &[Self::Pay, Self::Decline, Self::Process, Self::Expire, Self::Refund];

    const fn name(self) -> &'static str {
        match self {
            Self::Pay => "pay",
            Self::Decline => "decline",
            Self::Process => "process",
            Self::Expire => "expire",
            Self::Refund => "refund",
        }
    }
}

const RESOLUTIONS: &[Resolution] = &[Resolution::Accept, Resolution::Reject];

const fn resolution_name(resolution: Resolution) -> &'static str {
    match resolution {
        Resolution::Accept => "accept",
        Resolution::Reject => "reject",
    }
}

/// Numbers of monthly installments, the fewest first.
pub(in crate::resources) fn installments(fields: &mut Fields<'_>) -> Vec<u8> {
    let months = list(0..=MONTHS.len(), one_number_of(MONTHS)).about(INSTALLMENTS);
    let mut months = fields.optional("installments", months).unwrap_or_default();
    months.sort_unstable();
    months.dedup();
    months
}

/// The identifier of an order.
pub(in crate::resources) fn order() -> impl Check<Value = OrderId> {
    id(noun("an order", "un pedido"), OrderId::PREFIX, OrderId::parse)
}

/// The identifier of an invoice.
pub(in crate::resources) fn invoice() -> impl Check<Value = InvoiceId> {
    id(noun("an invoice", "una factura"), InvoiceId::PREFIX, InvoiceId::parse)
}

/// A payment provider.
pub(super) fn provider() -> impl Check<Value = ProviderKind> {
    one_of(ProviderKind::EVERY, ProviderKind::name)
}

fn method() -> impl Check<Value = Method> {
    one_of(Method::EVERY, Method::name)
}

fn read_query(fields: &mut Fields<'_>) -> Option<PaymentQuery> {
    let customer = id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse);
    let status = one_of(Status::EVERY, Status::name);
    let link = id(
        noun("a payment link", "un enlace de pago"),
        PaymentLinkId::PREFIX,
        PaymentLinkId::parse,
    );
    let flag = one_of(Flag::EVERY, Flag::name).about("Only payments that have this flag.");
    let filter = PaymentFilter {
        order: fields.change("orderId", order().about("Filter by order.")),
        invoice: fields.change("invoiceId", invoice().about("Filter by invoice.")),
        customer: fields.change("customerId", customer.about("Filter by customer.")),
        status: fields.change("status", status.about("Filter by status.")),
        provider: fields.change("provider", provider().about("Filter by provider.")),
        method: fields.change("method", method().about("Filter by method.")),
        link: fields.change("paymentLinkId", link.about("Filter by payment link.")),
        flag: fields.change("flag", flag),
        created_from: fields
            .change("createdFrom", moment().about("Only payments created at or after this time.")),
        created_to: fields
            .change("createdTo", moment().about("Only payments created before this time.")),
    };
    let created = [("createdFrom", filter.created_from), ("createdTo", filter.created_to)];
    filters::refuse_backwards(fields, created);
    Some(PaymentQuery { filter, page: page_request_of(fields, "-createdAt", PaymentId::PREFIX) })
}

fn read_payment(fields: &mut Fields<'_>) -> Option<NewPayment> {
    let method = fields.required("method", method().about(METHOD));
    let order = fields.optional("orderId", order().about(ORDER));
    let invoice = fields.optional("invoiceId", invoice().about(INVOICE));
    let amount = fields.optional("amount", above_zero().about(AMOUNT));
    let currency = fields.optional("currency", currency().about(CURRENCY));
    let provider = fields.optional("provider", provider().about(PROVIDER));
    let capture = fields.optional("capture", flag().about(CAPTURE_NOW));
    let installments = installments(fields);
    let allow = fields.optional("allowOverpayment", flag().about(OVERPAYMENT));
    let payer = fields.optional("payer", object(noun("a payer", "un pagador"), read_payer));
    let description = fields.optional("description", line(LINE_CHARS_MAX));
    let reference = fields.optional("reference", line(LINE_CHARS_MAX));
    let return_url = fields.optional("returnUrl", url().about(RETURN_URL));
    let expires_at = fields.optional("expiresAt", moment().about(EXPIRES_AT));
    let sat_payment_form = fields.optional("satPaymentForm", payment_form().about(PAYMENT_FORM));
    let exchange_rate = fields.optional("exchangeRate", above_zero().about(EXCHANGE_RATE));
    let metadata = fields.optional("metadata", metadata());
    fields.read_only(READ_ONLY);
    if order.is_some() && invoice.is_some() {
        return fields.refuse(
            "invoiceId",
            message!(
                "goes only without orderId: a payment is for one of the two",
                "solo aplica sin orderId: un pago es de uno de los dos"
            ),
        );
    }
    Some(NewPayment {
        order,
        invoice,
        amount,
        currency,
        provider,
        method: method?,
        installments,
        is_captured_at_once: capture.unwrap_or(true),
        allows_overpayment: allow.unwrap_or_default(),
        payer: payer.unwrap_or_default(),
        description,
        reference,
        return_url,
        expires_at,
        sat_payment_form,
        exchange_rate,
        metadata: metadata.unwrap_or_default(),
        link: None,
    })
}

fn read_payer(fields: &mut Fields<'_>) -> Option<Payer> {
    Some(Payer {
        name: fields.optional("name", line(LINE_CHARS_MAX)),
        email: fields.optional("email", email()),
        phone: fields.optional("phone", phone()),
    })
}

/// A code of c_FormaPago that a payment can have.
pub(in crate::resources) fn payment_form() -> impl Check<Value = String> {
    text(|code| match payment_forms::find(code) {
        Some(row) if row.code != payment_forms::TO_BE_DEFINED => Ok(row.code.to_owned()),
        _ => Err(message!(
            "must be a payment form of SAT's catalog other than 99, see GET /invoices/cfdi/formas-pago",
            "debe ser una forma de pago del catálogo del SAT distinta de 99, consulte GET /invoices/cfdi/formas-pago"
        )),
    })
    .pattern("^[0-9]{2}$")
    .example("03")
}

pub(in crate::resources) fn url() -> impl Check<Value = String> {
    let check = text(|url| target::checked(url, Reach::Development));
    check.chars(1, URL_CHARS_MAX).format("uri").example("https://shop.example.com/thanks")
}

fn read_capture(fields: &mut Fields<'_>) -> Option<Option<Amount>> {
    let about = "Amount to capture; all that is authorized by default. The rest is released.";
    Some(fields.optional("amount", above_zero().about(about)))
}

fn read_resolution(fields: &mut Fields<'_>) -> Option<Resolved> {
    let resolution = one_of(RESOLUTIONS, resolution_name).about(
        "`accept`: what the provider shows was paid, and is counted. `reject`: it counts for nothing.",
    );
    let resolution = fields.required("resolution", resolution);
    let note = fields.optional("note", paragraph(REASON_CHARS_MAX).about("Why, for the record."));
    Some(Resolved { resolution: resolution?, note })
}

fn read_simulation(fields: &mut Fields<'_>) -> Option<Simulated> {
    let event = one_of(Event::EVERY, Event::name).about(
        "`pay`: the payer pays. `decline`: the bank refuses. `process`: the bank begins to work on it. `expire`: the time \
         to pay passes. `refund`: the money is given back on the provider's own pages.",
    );
    let event = fields.required("event", event);
    let about = "Amount that is paid or refunded; everything by default.";
    let amount = fields.optional("amount", above_zero().about(about));
    let about =
        "Number of the monthly installments that are offered, in which the payer pays all of it.";
    let months = one_number_of(MONTHS).about(about);
    let installments = fields.optional("installments", months);
    match (event, amount, installments) {
        (Some(Event::Decline | Event::Process | Event::Expire), Some(_), _) => fields.refuse(
            "amount",
            message!("goes only with pay and refund", "solo aplica con pay y refund"),
        ),
        (Some(event), _, Some(_)) if event != Event::Pay => {
            fields.refuse("installments", message!("goes only with pay", "solo aplica con pay"))
        }
        (_, Some(_), Some(_)) => fields.refuse(
            "amount",
            message!(
                "goes only without installments: all of it is paid in installments",
                "solo aplica sin installments: a meses se paga todo"
            ),
        ),
        _ => Some(Simulated { event: event?, amount, installments }),
    }
}

fn read_refund(fields: &mut Fields<'_>) -> Option<NewRefund> {
    let about = "Amount to refund; everything that is left by default.";
    let amount = fields.optional("amount", above_zero().about(about));
    let reason = line(REASON_CHARS_MAX).about("Reason, as the payer may be told.");
    let reason = fields.optional("reason", reason);
    let note = fields.optional("note", paragraph(REASON_CHARS_MAX).about("Note of your own."));
    let is_manual = fields.optional("manual", flag().about(MANUAL)).unwrap_or_default();
    fields.read_only(&[
        "id",
        "paymentId",
        "orderId",
        "currency",
        "status",
        "origin",
        "failure",
        "creditNoteId",
        "creditNoteProblem",
        "createdAt",
        "updatedAt",
        "succeededAt",
    ]);
    Some(NewRefund { amount, is_manual, origin: Origin::Api, reason, note })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read() {
        let new = CREATE.read_body(examples::CREATE.as_bytes()).unwrap();
        assert_eq!((new.method, new.is_captured_at_once), (Method::Card, true));
        assert!(CAPTURE.read_body(examples::CAPTURE.as_bytes()).unwrap().is_some());
        assert!(CAPTURE.read_body(b"").unwrap().is_none());
        assert!(RESOLVE.read_body(examples::RESOLVE.as_bytes()).is_ok());
        assert!(REFUND.read_body(examples::REFUND.as_bytes()).is_ok());
        let simulated = SIMULATE.read_body(examples::SIMULATE.as_bytes()).unwrap();
        assert_eq!(simulated.event, Event::Pay);
    }

    #[test]
    fn every_fault_is_named() {
        let body = r#"{"orderId": 7, "amount": 0, "method": "barter", "payer": {"email": "x"},
            "returnUrl": "ftp://x", "satPaymentForm": "99", "capture": 1}"#;
        let refused = CREATE.read_body(body.as_bytes()).unwrap_err().to_string();
        for field in
            ["orderId", "amount", "method", "payer.email", "returnUrl", "satPaymentForm", "capture"]
        {
            assert!(refused.contains(&format!("{field} ")), "{field}: {refused}");
        }
        for (body, words) in [
            (r#"{"event": "expire", "amount": 3}"#, "amount goes only with pay and refund"),
            (r#"{"event": "refund", "installments": 3}"#, "installments goes only with pay"),
            (
                r#"{"event": "pay", "installments": 3, "amount": 9}"#,
                "amount goes only without installments: all of it is paid in installments",
            ),
        ] {
            let refused = SIMULATE.read_body(body.as_bytes()).unwrap_err().to_string();
            assert_eq!(refused, words);
        }
    }

    #[test]
    fn installments_are_a_few_numbers_in_order() {
        let body = r#"{"method": "card", "installments": [12, 3, 12]}"#;
        assert_eq!(CREATE.read_body(body.as_bytes()).unwrap().installments, [3, 12]);
        let body = r#"{"method": "card", "installments": [3, 15]}"#;
        let refused = CREATE.read_body(body.as_bytes()).unwrap_err().to_string();
        assert_eq!(refused, "installments[1] must be one of 3, 6, 9, 12, 18, 24");
    }

    #[test]
    fn lists_are_narrowed() {
        let query = LIST.read_query("flag=late&method=oxxo&provider=sandbox&limit=5").unwrap();
        assert_eq!(
            (query.filter.flag, query.filter.method),
            (Some(Flag::Late), Some(Method::Oxxo))
        );
        assert!(LIST.read_query("sort=amount").is_err());
    }
}
