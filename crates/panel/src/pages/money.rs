//! What the pages about money share: the words for where it stands, and asking before something is done.

use intake::typed_number;
use kernel::{Amount, Currency, FieldFault, Message, message};
use orders::{Discount, terms::PERCENT_DECIMALS};
use payments::{Flag, Method, PaymentError, ProviderKind, RefundStatus, Status};

use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    format::money,
    layout::Sheet,
    markup::Markup,
    parts::{Asked, FormPart, Link, Pill, Tone},
    reply::whole,
    texts::Say,
};

/// Above all percentages.
const HUNDRED: Amount = Amount::from_micros(100_000_000);

/// What a method of payment is called.
pub(super) const fn method_name(say: Say, method: Method) -> &'static str {
    match method {
        Method::Card => say.method_card(),
        Method::Spei => say.method_spei(),
        Method::Oxxo => say.method_oxxo(),
        Method::Codi => say.method_codi(),
        Method::Cash => say.method_cash(),
        Method::Transfer => say.method_transfer(),
        Method::Check => say.method_check(),
        Method::Wallet => say.method_wallet(),
        Method::Other => say.method_other(),
    }
}

/// Through whom a payment is made.
pub(super) const fn provider_name(say: Say, provider: ProviderKind) -> &'static str {
    match provider {
        ProviderKind::Manual => say.in_hand(),
        ProviderKind::Sandbox => "Sandbox",
        ProviderKind::Stripe => "Stripe",
        ProviderKind::Conekta => "Conekta",
        ProviderKind::MercadoPago => "Mercado Pago",
    }
}

/// What a status of a payment is called.
pub(super) const fn status_name(say: Say, status: Status) -> &'static str {
    match status {
        Status::Pending => say.payment_pending(),
        Status::RequiresAction => say.payment_requires_action(),
        Status::Processing => say.payment_processing(),
        Status::Authorized => say.payment_is_authorized(),
        Status::Paid => say.status_paid(),
        Status::Failed => say.payment_is_failed(),
        Status::Canceled => say.payment_is_canceled(),
        Status::Expired => say.payment_is_expired(),
    }
}

/// Where a payment stands.
pub(super) fn status_pill(say: Say, status: Status) -> Pill {
    let tone = match status {
        Status::Pending | Status::RequiresAction | Status::Processing | Status::Authorized => {
            Tone::Waiting
        }
        Status::Paid => Tone::Good,
        Status::Failed => Tone::Bad,
        Status::Canceled | Status::Expired => Tone::Plain,
    };
    Pill::new(tone, status_name(say, status))
}

/// What somebody should look at.
pub(super) fn flag_pill(say: Say, flag: Flag) -> Pill {
    match flag {
        Flag::Late => Pill::new(Tone::Waiting, say.flag_late()),
        Flag::Excess => Pill::new(Tone::Waiting, say.flag_excess()),
        Flag::Short => Pill::new(Tone::Waiting, say.flag_short()),
        Flag::Conflict => Pill::new(Tone::Bad, say.flag_conflict()),
    }
}

/// What a status of a refund is called.
pub(super) const fn refund_name(say: Say, status: RefundStatus) -> &'static str {
    match status {
        RefundStatus::Pending => say.payment_pending(),
        RefundStatus::Processing => say.payment_processing(),
        RefundStatus::RequiresAction => say.payment_requires_action(),
        RefundStatus::Succeeded => say.refund_is_made(),
        RefundStatus::Failed => say.refund_is_failed(),
        RefundStatus::Canceled => say.refund_is_canceled(),
    }
}

/// Where a refund stands.
pub(super) fn refund_pill(say: Say, status: RefundStatus) -> Pill {
    let tone = match status {
        RefundStatus::Pending | RefundStatus::Processing | RefundStatus::RequiresAction => {
            Tone::Waiting
        }
        RefundStatus::Succeeded => Tone::Good,
        RefundStatus::Failed => Tone::Bad,
        RefundStatus::Canceled => Tone::Plain,
    };
    Pill::new(tone, refund_name(say, status))
}

/// A page that asks before something is done, with the way back.
pub(super) fn asking(
    call: &Call<Member>,
    (title, text): (String, String),
    form: &FormPart,
    faults: &[FieldFault],
    back: Link,
) -> Answer {
    let body = Asked { text, form: Markup::of(form) };
    let sheet = Sheet::new(title, &body).wrong_if(!faults.is_empty());
    call.page(sheet.back(back.label, back.href))
}

/// `10%`, or so much money.
pub(super) fn discount(text: &str) -> Result<Discount, Message> {
    let text = text.trim();
    let (number, is_percent) = match text.strip_suffix('%') {
        Some(number) => (number.trim_end(), true),
        None => (text, false),
    };
    let amount = Amount::parse(&typed_number(number))?;
    match is_percent {
        _ if amount <= Amount::ZERO => Err(message!("must be more than 0", "debe ser mayor que 0")),
        false => Ok(Discount::Amount(amount)),
        true if amount > HUNDRED => Err(message!("must be at most 100%", "debe ser a lo más 100%")),
        true if !amount.fits(PERCENT_DECIMALS) => Err(message!(
            "must have at most {PERCENT_DECIMALS} decimals",
            "debe tener a lo más {PERCENT_DECIMALS} decimales"
        )),
        true => Ok(Discount::Percent(amount)),
    }
}

/// An amount that may be nothing.
pub(super) fn not_negative(value: Amount) -> Result<Amount, Message> {
    match value.is_negative() {
        true => Err(message!("must not be negative", "no debe ser negativo")),
        false => Ok(value),
    }
}

/// A refusal that no form has a place for.
pub(super) fn refused(faults: &[FieldFault]) -> Failure {
    let sentence = faults.first().map(|fault| fault.problem.clone());
    sentence.map_or(Failure::Nothing, Failure::Malformed)
}

/// Why nothing was done with a payment in this currency.
pub(super) fn unpaid_in(currency: Currency, error: &PaymentError) -> FieldFault {
    match error {
        PaymentError::ExceedsAuthorized { authorized } => FieldFault::new(
            "amount",
            message!(
                "must be at most {most}, what is authorized",
                "debe ser a lo más {most}, lo autorizado",
                most = money(*authorized, currency)
            ),
        ),
        PaymentError::ExceedsRefundable { refundable } => FieldFault::new(
            "amount",
            message!(
                "must be at most {most}, what is left",
                "debe ser a lo más {most}, lo que queda",
                most = money(*refundable, currency)
            ),
        ),
        error => unpaid(error),
    }
}

/// Why nothing was done with a payment.
pub(super) fn unpaid(error: &PaymentError) -> FieldFault {
    match error {
        PaymentError::NotRefundable { .. } => FieldFault::new(
            "manual",
            message!(
                "must be ticked: the provider does not refund this",
                "debe marcarse: el proveedor no reembolsa este pago"
            ),
        ),
        PaymentError::CallUnderWay | PaymentError::CallUnknown { .. } => whole(message!(
            "The provider has not answered yet. Look again in a moment.",
            "El proveedor aún no ha respondido. Vuelve a ver en un momento."
        )),
        PaymentError::Unanswered { .. } => whole(message!(
            "The provider could not be asked. Try again in a few minutes.",
            "No se pudo consultar al proveedor. Intenta de nuevo en unos minutos."
        )),
        PaymentError::NoProvider(_) => whole(message!(
            "No payment provider is set up for this.",
            "No hay un proveedor de pagos configurado para esto."
        )),
        PaymentError::NeedsApproval => whole(message!(
            "More can be refunded than a moment ago, and rules want that to be approved. Look at the amount and send it again.",
            "Ahora se puede reembolsar más que hace un momento y las reglas piden aprobarlo. Revisa el importe y envíalo de nuevo."
        )),
        PaymentError::OrderCancelled => {
            whole(message!("The order is cancelled.", "El pedido está cancelado."))
        }
        PaymentError::NothingDue => {
            whole(message!("Nothing is due any more.", "Ya no hay saldo por pagar."))
        }
        _ => whole(message!(
            "A payment in this state does not allow this.",
            "Un pago en este estado no lo permite."
        )),
    }
}
