//! The refusals of withholdings where the words of invoices do not fit.

use intake::{Noun, noun};
use invoices::{Status, withholding::Refusal};
use kernel::{FieldFault, message};

use super::invoices::told;
use crate::error::{ApiError, Code};

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotDraft { status: Status::Stamping } => Self::new(
                Code::InvalidTransition,
                message!(
                    "the withholding is being stamped; wait until the outcome is known (GET it, or POST to its /stamp \
                     again)",
                    "la constancia se está timbrando; espere a conocer el resultado (léala con GET o repita POST en su \
                     /stamp)"
                ),
            ),
            Refusal::NotDraft { status } => Self::new(
                Code::InvalidTransition,
                message!(
                    "only a draft can be changed, deleted or stamped, and this withholding is {status}",
                    "solo un borrador se puede modificar, eliminar o timbrar, y esta constancia está en estado {status}",
                    status = status.name()
                ),
            ),
            Refusal::NotStamped { status } => {
                let Noun { english, spanish } = match status {
                    Status::Draft => noun("; delete it instead", "; elimínela en su lugar"),
                    Status::Stamping => {
                        noun("; wait until it is stamped", "; espere a que se timbre")
                    }
                    Status::Stamped | Status::Cancelled => noun("", ""),
                };
                let status = status.name();
                let message = message!(
                    "only a stamped withholding can be cancelled, and the status of this one is {status}{english}",
                    "solo se puede cancelar una constancia timbrada, y esta se encuentra en estado {status}{spanish}"
                );
                Self::new(Code::InvalidTransition, message)
            }
            Refusal::Repeated { id } => Self::new(
                Code::Conflict,
                message!(
                    "{id} was sealed with the same contents in the same second: delete this draft if they are of one \
                     payment, or tell them apart by their folio",
                    "{id} se selló con el mismo contenido en el mismo segundo: elimine este borrador si son del mismo \
                     pago, o distíngalas por su folio"
                ),
            ),
            Refusal::Findings(list) => Self::new(Code::WithholdingInvalid, told(&list)),
            Refusal::BadReplacement => Self::of_faults(&[FieldFault::new(
                "replacementUuid",
                message!(
                    "must be the uuid of a stamped withholding of this account whose related names this one with \
                     relation 04",
                    "debe ser el uuid de una constancia timbrada de esta cuenta cuyo related indique esta con la \
                     relación 04"
                ),
            )]),
        }
    }
}

#[cfg(test)]
mod tests {
    use invoices::withholding::WithholdingId;
    use kernel::Language;

    use super::*;

    #[test]
    fn each_refusal_has_its_status_code_and_cure() {
        for (refusal, status, code, words) in [
            (
                Refusal::NotDraft { status: Status::Stamping },
                409,
                "invalid_transition",
                "POST to its /stamp",
            ),
            (
                Refusal::NotDraft { status: Status::Stamped },
                409,
                "invalid_transition",
                "is stamped",
            ),
            (
                Refusal::NotStamped { status: Status::Draft },
                409,
                "invalid_transition",
                "delete it instead",
            ),
            (Refusal::Repeated { id: WithholdingId::from_u128(7) }, 409, "conflict", "their folio"),
            (Refusal::Findings(Vec::new()), 409, "withholding_invalid", ""),
            (Refusal::BadReplacement, 400, "validation_failed", "replacementUuid must be"),
        ] {
            let shown = format!("{refusal:?}");
            let answer = ApiError::from(refusal);
            assert_eq!((answer.code.status(), answer.code.name()), (status, code), "{shown}");
            assert!(answer.message.to_string().contains(words), "{shown}: {}", answer.message);
            let [english, spanish] = Language::EVERY.map(|one| answer.message.in_language(one));
            // Without findings there is nothing to say.
            assert!(english != spanish || code == "withholding_invalid", "{shown}: {spanish}");
        }
    }
}
