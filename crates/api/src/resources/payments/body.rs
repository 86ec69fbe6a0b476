//! How the API shows a payment.

use std::fmt::Display;

use kernel::{Amount, Currency, Metadata, Timestamp};
use payments::{
    Card, Conflict, CustomerId, Failure, Flag, Funding, Instructions, InvoiceId, Method, OrderId,
    Payer, Payment, PaymentId, PaymentLinkId, ProviderKind, Status,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A payment: money for an order or for something else, and what has become of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Payment)]
pub(super) struct PaymentBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "pay_01KG9A4D6F8H0J2M4P6R8T0V2X")]
    id: PaymentId,
    /// Status: `requires_action` waits for its payer, `authorized` can be captured, `paid` stays so when it is refunded.
    #[schema(value_type = shapes::PaymentState)]
    status: Status,
    /// How the payer pays.
    #[schema(value_type = shapes::PayingMethod)]
    method: Method,
    /// Payment provider.
    #[schema(value_type = shapes::PaymentProvider)]
    provider: ProviderKind,
    /// Amount that is asked for.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// Currency of all amounts of the payment.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// What has arrived at the provider, also where it is less than was asked for and does not count yet.
    #[schema(value_type = shapes::Amount)]
    amount_received: Amount,
    /// What was set aside, in all.
    #[schema(value_type = shapes::Amount)]
    amount_authorized: Amount,
    /// What of it was taken: what the payment counts for.
    #[schema(value_type = shapes::Amount)]
    amount_captured: Amount,
    /// What of it was given back.
    #[schema(value_type = shapes::Amount)]
    amount_refunded: Amount,
    /// What can still be refunded: neither given back nor set aside for refunds under way.
    #[schema(value_type = shapes::Amount)]
    amount_refundable: Amount,
    /// How much of what was captured was given back.
    #[schema(value_type = shapes::RefundedPart)]
    refund_status: &'static str,
    /// How the payer pays, while the payment waits for them.
    instructions: Option<InstructionsBody>,
    /// Why the payment, or the last try, was refused.
    failure: Option<FailureBody>,
    /// `unknown` while a request to the provider has no answer: it is repeated until its outcome is `known`.
    #[schema(value_type = shapes::CallOutcome)]
    outcome: &'static str,
    /// What somebody should look at.
    #[schema(value_type = Vec<shapes::PaymentFlag>)]
    flags: Vec<Flag>,
    /// What the provider shows instead of what was asked for; nothing of it is counted unless it is accepted.
    conflict: Option<ConflictBody>,
    /// The card that was used.
    card: Option<CardBody>,
    /// Numbers of monthly installments without interest (meses sin intereses) that the payer may choose from.
    #[schema(example = json!([3, 6]))]
    installments: Vec<u8>,
    /// Number of monthly installments in which the payer pays; `null` where the card is charged in one.
    #[schema(example = 6)]
    installments_chosen: Option<u8>,
    /// Tracking key of the transfer (clave de rastreo).
    tracking_key: Option<String>,
    /// What the provider keeps, where it says.
    #[schema(value_type = Option<shapes::Amount>)]
    fee: Option<Amount>,
    /// What was captured less the fee, where that is known.
    #[schema(value_type = Option<shapes::Amount>)]
    net: Option<Amount>,
    /// Order that is paid.
    #[schema(value_type = Option<String>, example = "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    order_id: Option<OrderId>,
    /// Invoice that is paid, of one paid in parts or later (PPD).
    #[schema(value_type = Option<String>, example = "inv_01KG8X7R5P1S3V6Y9B2D4F6H8K")]
    invoice_id: Option<InvoiceId>,
    /// Customer of that order or invoice.
    #[schema(value_type = Option<String>, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    customer_id: Option<CustomerId>,
    /// Payment link that it was begun by.
    #[schema(value_type = Option<String>, example = "plk_01KG9C7H9K1M3P5R7T9V1X3Z5B")]
    payment_link_id: Option<PaymentLinkId>,
    /// Who pays.
    payer: PayerBody,
    /// What it is for, as the payer reads it.
    description: Option<String>,
    /// Reference of your own, e.g. the number of a slip.
    reference: Option<String>,
    /// Where the payer is sent after confirming.
    return_url: Option<String>,
    /// Payment form for invoices (c_FormaPago): the one stated, or the one that follows from the method and card.
    #[schema(example = "04")]
    sat_payment_form: Option<String>,
    /// Pesos for one unit of the currency on the day the money came, as stated; `null` for pesos.
    #[schema(value_type = Option<shapes::Amount>)]
    exchange_rate: Option<Amount>,
    /// Receipt (`P`) that was drafted of a payment of a PPD invoice.
    #[schema(value_type = Option<String>, example = "inv_01KG9A5F0H2K4N6Q8S0V2X4Z6B")]
    receipt_id: Option<InvoiceId>,
    /// Why no receipt could be drafted of it, or why its draft could not be stamped.
    receipt_problem: Option<String>,
    /// Arbitrary key-value pairs of your own.
    #[schema(value_type = shapes::Metadata)]
    metadata: Metadata,
    /// When the money was received.
    #[schema(value_type = Option<shapes::Timestamp>)]
    paid_at: Option<Timestamp>,
    /// Until when it can be paid.
    #[schema(value_type = Option<shapes::Timestamp>)]
    expires_at: Option<Timestamp>,
    /// When the payment was asked for.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// How the payer pays what waits for them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaymentInstructions)]
struct InstructionsBody {
    /// Account to transfer to (CLABE), 18 digits.
    clabe: Option<String>,
    /// Bank of that account.
    bank: Option<String>,
    /// What to state: at the counter, or with the transfer.
    reference: Option<String>,
    /// What the barcode of the slip says.
    barcode: Option<String>,
    /// Where the payer goes on.
    url: Option<String>,
    /// What the provider's script in the payer's browser takes the card with (Stripe: the client secret). Give it to that
    /// payer alone. Lists do not show it.
    client_secret: Option<String>,
    /// Until when.
    #[schema(value_type = Option<shapes::Timestamp>)]
    expires_at: Option<Timestamp>,
}

/// Why money was refused.
#[derive(Serialize, ToSchema)]
#[schema(as = PaymentFailure)]
pub(in crate::resources) struct FailureBody {
    /// Stable code, the same for all providers where they mean the same.
    #[schema(example = "card_declined")]
    code: String,
    /// What it means, in the language that `Accept-Language` prefers; of other codes what the provider says.
    message: String,
    /// Whether the payer may try again.
    retryable: bool,
}

/// What a provider shows instead of what was asked for.
#[derive(Serialize, ToSchema)]
#[schema(as = PaymentConflict)]
struct ConflictBody {
    /// Amount that it shows.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// Currency that it shows.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// What of it was received there.
    #[schema(value_type = shapes::Amount)]
    captured: Amount,
    /// Whether somebody has decided that it counts for nothing.
    rejected: bool,
}

/// What is known of a card: nothing that could be paid with.
#[derive(Serialize, ToSchema)]
#[schema(as = PaymentCard)]
struct CardBody {
    /// Its scheme.
    #[schema(example = "visa")]
    brand: Option<String>,
    /// Its last four digits.
    #[schema(example = "4242")]
    last4: Option<String>,
    /// What it is paid from.
    #[schema(value_type = Option<shapes::CardFunding>)]
    funding: Option<Funding>,
}

/// Who pays.
#[derive(Serialize, ToSchema)]
#[schema(as = Payer)]
struct PayerBody {
    /// Name.
    name: Option<String>,
    /// Email address.
    email: Option<String>,
    /// Telephone number, E.164.
    phone: Option<String>,
}

impl Resource for PaymentBody {
    type Thing = Payment;

    const PATH: &'static str = "/payments";

    const IS_TOLD: bool = true;

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

/// How much of what was captured was given back.
fn refund_status(payment: &Payment) -> &'static str {
    match payment.refunded {
        Amount::ZERO => "none",
        refunded if refunded >= payment.captured => "full",
        _ => "partial",
    }
}

impl From<Payment> for PaymentBody {
    fn from(payment: Payment) -> Self {
        let net = payment
            .fee
            .map(|fee| Amount::from_micros(payment.captured.micros().saturating_sub(fee.micros())));
        let (expires_at, is_open) = (payment.expires_at, payment.status.is_open());
        Self {
            refund_status: refund_status(&payment),
            amount_refundable: payment.refundable(),
            sat_payment_form: payment.payment_form().map(str::to_owned),
            outcome: if payment.is_outcome_unknown { "unknown" } else { "known" },
            exchange_rate: payment.exchange_rate,
            net: net.filter(|_| payment.paid_at.is_some()),
            id: payment.id,
            status: payment.status,
            method: payment.method,
            provider: payment.provider,
            amount: payment.amount,
            currency: payment.currency,
            amount_received: payment.received,
            amount_authorized: payment.authorized,
            amount_captured: payment.captured,
            amount_refunded: payment.refunded,
            instructions: payment
                .instructions
                .map(|how| InstructionsBody::new(how, expires_at, is_open)),
            failure: payment.failure.map(FailureBody::from),
            flags: payment.flags,
            conflict: payment.conflict.map(ConflictBody::from),
            card: payment.card.map(CardBody::from),
            installments: payment.installments,
            installments_chosen: payment.installments_chosen,
            tracking_key: payment.tracking_key,
            fee: payment.fee,
            order_id: payment.order,
            invoice_id: payment.invoice,
            receipt_id: payment.receipt,
            receipt_problem: payment.receipt_problem,
            customer_id: payment.customer,
            payment_link_id: payment.link,
            payer: payment.payer.into(),
            description: payment.description,
            reference: payment.reference,
            return_url: payment.return_url,
            metadata: payment.metadata,
            paid_at: payment.paid_at,
            expires_at,
            created_at: payment.created_at,
            updated_at: payment.updated_at,
            version: payment.version,
        }
    }
}

impl InstructionsBody {
    fn new(how: Instructions, expires_at: Option<Timestamp>, is_open: bool) -> Self {
        let Instructions { clabe, bank, reference, barcode, url, client_secret } = how;
        // It opens nothing any more.
        let client_secret = client_secret.filter(|_| is_open);
        Self { clabe, bank, reference, barcode, url, client_secret, expires_at }
    }
}

impl From<Failure> for FailureBody {
    fn from(failure: Failure) -> Self {
        let Failure { code, message, is_retryable } = failure;
        Self { code, message, retryable: is_retryable }
    }
}

impl From<Conflict> for ConflictBody {
    fn from(conflict: Conflict) -> Self {
        let Conflict { amount, currency, captured, is_rejected } = conflict;
        Self { amount, currency, captured, rejected: is_rejected }
    }
}

impl From<Card> for CardBody {
    fn from(card: Card) -> Self {
        let Card { brand, last4, funding } = card;
        Self { brand, last4, funding }
    }
}

impl From<Payer> for PayerBody {
    fn from(payer: Payer) -> Self {
        let Payer { name, email, phone } = payer;
        Self { name, email, phone }
    }
}
