//! The refusals of payments and refunds.

use intake::{Noun, noun};
use kernel::{Amount, message, reason::within};
use payments::{
    Failure, PaymentError, Status, link::Shut, provider::NoProvider, refund::Unrefundable,
};

use crate::error::{ApiError, Code};

impl From<PaymentError> for ApiError {
    fn from(error: PaymentError) -> Self {
        match error {
            PaymentError::OrderCancelled => Self::new(
                Code::OrderCancelled,
                message!(
                    "the order that orderId names is cancelled, so nothing can be paid for it; leave orderId out to record \
                     money that is for something else",
                    "el pedido de orderId está cancelado y ya no se puede pagar; omita orderId si el dinero es por otro \
                     concepto"
                ),
            ),
            PaymentError::InvoiceCancelled => Self::new(
                Code::InvoiceCancelled,
                message!(
                    "the invoice that invoiceId names is cancelled, so nothing can be paid for it; leave invoiceId out to record \
                     money that is for something else",
                    "la factura de invoiceId está cancelada y ya no se puede pagar; omita invoiceId si el dinero es por otro \
                     concepto"
                ),
            ),
            PaymentError::ExceedsDue { left } => exceeds_due(left),
            PaymentError::NothingDue => conflict(noun(
                "nothing is due for the order or invoice, so there is nothing to pay by a link",
                "el pedido o la factura no tiene saldo por pagar, así que no hay nada que cobrar con un enlace",
            )),
            PaymentError::Shut(shut) => shut_link(shut),
            PaymentError::NoProvider(why) => no_provider(why),
            PaymentError::WrongStatus { status, wanted } => wrong_status(status, wanted),
            PaymentError::CallUnderWay => Self::new(
                Code::CallInProgress,
                message!(
                    "the provider has not answered an earlier request about this payment yet; read the payment until \
                     it has, then try again",
                    "el proveedor aún no responde una solicitud anterior sobre este pago; espere a que \
                     responda y vuelva a intentarlo"
                ),
            ),
            PaymentError::CallUnknown { next } => Self::new(
                Code::CallInProgress,
                message!(
                    "nobody knows yet whether the provider has this payment, since an earlier request ended without an answer; \
                     it is asked again at {next}: read the payment then, and try again once its outcome is known",
                    "aún no se sabe si el proveedor tiene este pago, porque una solicitud anterior terminó sin respuesta; se le \
                     volverá a preguntar a las {next}: consulte el pago entonces e intente de nuevo cuando se conozca el resultado"
                ),
            ),
            PaymentError::ExceedsAuthorized { authorized } => Self::new(
                Code::AmountExceedsAuthorized,
                message!(
                    "amount must be at most {authorized}, what is authorized; leave it out to capture all of it",
                    "amount debe ser a lo más {authorized}, que es lo autorizado; omítalo para capturar todo"
                ),
            ),
            PaymentError::ExceedsRefundable { refundable } => exceeds_refundable(refundable),
            PaymentError::NotRefundable { cause } => not_refundable(cause),
            PaymentError::NeedsApproval => conflict(noun(
                "rules want this refund to be approved, and what they ask about keeps changing; send it again",
                "las reglas piden aprobar este reembolso, y aquello por lo que preguntan sigue cambiando; envíelo de nuevo",
            )),
            PaymentError::NoConflict => conflict(noun(
                "the provider shows what was asked for, so there is no conflict to resolve",
                "el proveedor muestra lo que se pidió: no hay conflicto que resolver",
            )),
            PaymentError::OtherCurrency => conflict(noun(
                "the provider shows another currency than that of the payment, which cannot be counted; send \
                 \"resolution\": \"reject\" and settle it with the provider",
                "el proveedor muestra una moneda distinta de la del pago y no se puede contabilizar; envíe \
                 \"resolution\": \"reject\" y aclárelo con el proveedor",
            )),
            PaymentError::NotSimulated => conflict(noun(
                "only payments of the provider sandbox can be simulated",
                "solo se pueden simular los pagos del proveedor sandbox",
            )),
            PaymentError::Denied(failure) => denied(&failure),
            PaymentError::Unanswered { reason } => Self::new(
                Code::ProviderError,
                within(&reason, |reason| {
                    message!(
                        "the payment provider gave no answer: {reason}; nothing has changed, try again later",
                        "el proveedor de pagos no dio respuesta: {reason}; nada cambió, intente más tarde"
                    )
                }),
            ),
            PaymentError::NotDead => conflict(noun(
                "only a notification whose status is dead can be retried; the others are looked into by themselves",
                "solo se puede reintentar una notificación con estado dead; las demás se revisan solas",
            )),
        }
    }
}

fn conflict(said: Noun) -> ApiError {
    let Noun { english, spanish } = said;
    ApiError::new(Code::Conflict, message!("{english}", "{spanish}"))
}

fn shut_link(shut: Shut) -> ApiError {
    match shut {
        Shut::Closed(status) => ApiError::new(
            Code::InvalidTransition,
            message!(
                "the payment link is {status}; this can only be done while it is active",
                "el enlace de pago está en estado {status}; esto solo se puede hacer en estado active",
                status = status.name()
            ),
        ),
        Shut::Busy => conflict(noun(
            "as many as can pay by the link are paying now",
            "ya está pagando el número de personas que admite el enlace",
        )),
        Shut::TooMany => conflict(noun(
            "too many have begun to pay by the link within the last hour",
            "demasiadas personas empezaron a pagar con el enlace en la última hora",
        )),
        Shut::NotOffered => conflict(noun(
            "the link cannot be paid by this method now",
            "por ahora el enlace no se puede pagar de esta forma",
        )),
    }
}

fn exceeds_due(left: Amount) -> ApiError {
    let message = match left {
        Amount::ZERO => message!(
            "nothing is left to pay; send \"allowOverpayment\": true with an amount to take more all the \
             same",
            "no queda saldo por pagar; si aun así va a recibir más, envíe \"allowOverpayment\": true con un \
             amount"
        ),
        left => message!(
            "amount must be at most {left}, what is left to pay; send \"allowOverpayment\": true to take \
             more",
            "amount debe ser a lo más {left}, lo que falta por pagar; envíe \"allowOverpayment\": true para \
             recibir más"
        ),
    };
    ApiError::new(Code::AmountExceedsDue, message)
}

fn no_provider(why: NoProvider) -> ApiError {
    let message = match why {
        NoProvider::NotConfigured(kind) => message!(
            "the provider {kind} is not set up: PUT /payments/providers/{kind} with its key",
            "el proveedor {kind} no está configurado: use PUT /payments/providers/{kind} con su clave",
            kind = kind.name()
        ),
        NoProvider::NoDefault => message!(
            "provider must be given: the account has no default one; make one the default with PUT \
             /payments/providers/{{provider}} and \"default\": true",
            "debe indicar provider: la cuenta no tiene uno predeterminado; defínalo con PUT \
             /payments/providers/{{provider}} y \"default\": true"
        ),
        NoProvider::SandboxInLive => message!(
            "the provider sandbox moves no money and is for test accounts alone; name another provider",
            "el proveedor sandbox no mueve dinero y es solo para cuentas de prueba; indique otro proveedor"
        ),
    };
    ApiError::new(Code::ProviderNotConfigured, message)
}

fn wrong_status(status: Status, wanted: &[Status]) -> ApiError {
    let status = status.name();
    let joined = |or: &str| {
        let names = wanted.iter().map(|status| status.name()).collect::<Vec<_>>();
        match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} {or} {last}", rest.join(", ")),
            _ => names.concat(),
        }
    };
    let (english, spanish) = (joined("or"), joined("o"));
    let message = message!(
        "the payment is {status}; this can only be done while it is {english}",
        "el pago está en estado {status}; esto solo se puede hacer en estado {spanish}"
    );
    ApiError::new(Code::InvalidTransition, message)
}

fn exceeds_refundable(refundable: Amount) -> ApiError {
    let message = match refundable {
        Amount::ZERO => message!(
            "nothing is left to refund of the payment: all of it was refunded, or is being refunded",
            "ya no queda nada por devolver de este pago: todo se devolvió o se está devolviendo"
        ),
        refundable => message!(
            "amount must be at most {refundable}, what is left to refund; leave it out to refund all of that",
            "amount debe ser a lo más {refundable}, lo que queda por devolver; omítalo para devolver todo eso"
        ),
    };
    ApiError::new(Code::RefundExceedsRefundable, message)
}

fn not_refundable(cause: Unrefundable) -> ApiError {
    let Noun { english, spanish } = match cause {
        Unrefundable::Method => noun(
            "the provider does not give back what is paid by this method",
            "el proveedor no devuelve lo que se paga por este método",
        ),
        Unrefundable::Part => noun(
            "the provider gives back all of this payment or nothing: leave amount out",
            "el proveedor solo devuelve este pago completo: omita amount",
        ),
        Unrefundable::Age { days } => {
            let message = message!(
                "the provider gives back for {days} days only, and the payment is older; give the money back yourself \
                 and record it with \"manual\": true",
                "el proveedor solo devuelve durante {days} días y el pago es más antiguo; devuelva el dinero por su \
                 cuenta y regístrelo con \"manual\": true"
            );
            return ApiError::new(Code::MethodNotRefundable, message);
        }
    };
    let message = message!(
        "{english}. Give the money back yourself and record it with \"manual\": true",
        "{spanish}. Devuelva el dinero por su cuenta y regístrelo con \"manual\": true"
    );
    ApiError::new(Code::MethodNotRefundable, message)
}

/// What the sandbox says, in the caller's language where it is one of its own sentences.
fn denied(failure: &Failure) -> ApiError {
    let said = failure.message.trim_end_matches('.');
    let spanish = match failure.code.as_str() {
        "not_open" => "el pago no está en espera de que lo paguen",
        "capture_failed" => "el banco no entrega lo que había apartado",
        "not_authorized" => "no hay nada autorizado",
        "not_cancelable" => "el pago ya terminó",
        "not_refundable" => "el pago no se puede devolver",
        "refund_failed" => "el banco no acepta la devolución",
        "amount_too_large" => "amount es mayor que lo que queda",
        "invalid_amount" => "el importe no corresponde a la moneda",
        "not_offered" => "no se ofrecen tantos meses",
        "not_found" => "el sandbox no tiene este pago",
        _ => said,
    };
    let message = message!("the sandbox refuses: {said}", "el sandbox lo rechaza: {spanish}");
    ApiError::new(Code::Conflict, message)
}

/// A body in which a card's number stands.
pub(crate) fn card_data() -> ApiError {
    let message = message!(
        "the body holds what looks like the number of a payment card; nothing of it was kept. Card numbers are typed at \
         the provider alone: remove it and send the request again",
        "el cuerpo contiene lo que parece el número de una tarjeta; no se guardó nada. Los números de tarjeta solo se \
         capturan con el proveedor: quítelo y envíe la solicitud de nuevo"
    );
    ApiError::new(Code::CardDataRefused, message)
}

#[cfg(test)]
mod tests {
    use kernel::Language;

    use super::*;

    const LEFT: Amount = Amount::from_micros(12_500_000);

    #[test]
    fn refusals_name_what_is_left_and_what_to_do() {
        for (error, code, words) in [
            (PaymentError::ExceedsDue { left: LEFT }, Code::AmountExceedsDue, "at most 12.5"),
            (
                PaymentError::ExceedsDue { left: Amount::ZERO },
                Code::AmountExceedsDue,
                "nothing is left",
            ),
            (
                PaymentError::ExceedsRefundable { refundable: LEFT },
                Code::RefundExceedsRefundable,
                "at most 12.5",
            ),
            (
                PaymentError::NotRefundable { cause: Unrefundable::Age { days: 180 } },
                Code::MethodNotRefundable,
                "180 days",
            ),
            (
                PaymentError::NotRefundable { cause: Unrefundable::Method },
                Code::MethodNotRefundable,
                "\"manual\": true",
            ),
            (
                PaymentError::NoProvider(NoProvider::NoDefault),
                Code::ProviderNotConfigured,
                "PUT /payments/providers/{provider}",
            ),
            (
                PaymentError::WrongStatus { status: Status::Paid, wanted: &[Status::Authorized] },
                Code::InvalidTransition,
                "is paid; this can only be done while it is authorized",
            ),
        ] {
            let refused = ApiError::from(error);
            let english = refused.message.in_language(Language::English);
            assert_eq!((refused.code, english.contains(words)), (code, true), "{english}");
            assert_ne!(english, refused.message.in_language(Language::Spanish));
        }
    }

    #[test]
    fn the_sandbox_is_quoted() {
        let failure = Failure {
            code: "not_open".to_owned(),
            message: "The payment does not wait for its payer.".to_owned(),
            is_retryable: false,
        };
        let refused = ApiError::from(PaymentError::Denied(failure));
        assert_eq!(
            refused.message.to_string(),
            "the sandbox refuses: The payment does not wait for its payer"
        );
    }
}
