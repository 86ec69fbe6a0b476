//! Refusals of quotes.

use kernel::{Message, message};
use quotes::{QuoteError, Status};

use crate::error::{ApiError, Code};

impl From<QuoteError> for ApiError {
    fn from(error: QuoteError) -> Self {
        let conflict = |message| Self::new(Code::Conflict, message);
        match error {
            QuoteError::InvalidTransition { from, to } => {
                Self::new(Code::InvalidTransition, told(from, to))
            }
            QuoteError::NotDraft { status } => conflict(message!(
                "only a draft is changed or deleted, and the quote is {status}; POST to its /revise for the next revision",
                "solo se modifica o elimina un borrador y la cotización tiene estado {status}; use POST en su /revise para la \
                 siguiente revisión",
                status = status.name()
            )),
            QuoteError::OtherRevision { current } => conflict(message!(
                "the quote is revision {current}; read it again",
                "la cotización es la revisión {current}; vuelva a leerla"
            )),
            QuoteError::RevisionExists { draft } => conflict(message!(
                "the next revision is drafted already: {draft}",
                "la siguiente revisión ya está en borrador: {draft}"
            )),
            QuoteError::AlreadyAccepted { quote } => conflict(message!(
                "the revision {quote} was accepted, so no other can be sent",
                "la revisión {quote} ya fue aceptada, por lo que no se puede enviar otra"
            )),
            QuoteError::NoProvider { currency } => Self::new(
                Code::ProviderNotConfigured,
                message!(
                    "no payment provider collects this amount in {currency} by a payment link: set one up with PUT \
                     /payments/providers/{{provider}}, or send \"paymentLink\": false",
                    "ningún proveedor de pagos cobra este importe en {currency} con un enlace de pago: configure uno con PUT \
                     /payments/providers/{{provider}}, o envíe \"paymentLink\": false"
                ),
            ),
            QuoteError::Place(error) => error.into(),
        }
    }
}

/// Why a quote cannot go there, and what to do instead.
fn told(from: Status, to: Status) -> Message {
    let (is, becoming) = (from.name(), to.name());
    match (from, to) {
        (Status::Draft, Status::Draft) => message!(
            "the quote is a draft itself: change it with PATCH",
            "la cotización es un borrador: modifíquela con PATCH"
        ),
        (Status::Draft, _) => message!(
            "the quote is a draft and cannot become {becoming} yet: POST to its /send first",
            "la cotización es un borrador y aún no puede pasar a {becoming}: primero use POST en su /send"
        ),
        (Status::Superseded, _) => message!(
            "the quote is superseded; use its latest revision instead",
            "la cotización tiene estado superseded: use su última revisión"
        ),
        (Status::Rejected | Status::Expired, Status::Sent | Status::Accepted | Status::Ordered) => {
            message!(
                "a quote that is {is} cannot become {becoming}; POST to its /revise for the next revision",
                "una cotización con estado {is} no puede pasar a {becoming}; use POST en su /revise para la siguiente revisión"
            )
        }
        _ => message!(
            "a quote that is {is} cannot become {becoming}",
            "una cotización con estado {is} no puede pasar a {becoming}"
        ),
    }
}
