//! What the services answered, as pages need it.

use intake::Faults;
use kernel::{Done, Fault, FieldFault, Message, Pending, Refused, Written, message};

use crate::{failure::Failure, timing::waited_for};

/// An answer that there always is.
pub(crate) async fn answered<T>(pending: Pending<Result<T, Fault>>) -> Result<T, Failure> {
    Ok(waited_for(pending).await.ok_or_else(stopped)??)
}

/// A thing that may not be there.
pub(crate) async fn found<T>(pending: Pending<Result<Option<T>, Fault>>) -> Result<T, Failure> {
    answered(pending).await?.ok_or(Failure::Nothing)
}

/// What a command led to, or what a form says of its refusal; `rule` says it of the domain's own.
pub(crate) async fn carried_out<T, E>(
    pending: Pending<Written<T, E>>,
    rule: impl FnOnce(E) -> FieldFault,
) -> Result<Result<T, Faults>, Failure> {
    concluded(pending, |error| vec![rule(error)]).await
}

/// The same where a rule may find several faults.
pub(crate) async fn concluded<T, E>(
    pending: Pending<Written<T, E>>,
    rule: impl FnOnce(E) -> Faults,
) -> Result<Result<T, Faults>, Failure> {
    match waited_for(pending).await.ok_or_else(stopped)? {
        Ok(Done { value, .. }) => Ok(Ok(value)),
        Err(refused) => refusal(refused, rule).map(Err),
    }
}

/// What a form says of a refusal; `rule` says it of the domain's own.
pub(crate) fn refusal<E>(
    refused: Refused<E>,
    rule: impl FnOnce(E) -> Faults,
) -> Result<Faults, Failure> {
    let fault = match refused {
        Refused::Fault(fault) => return Err(fault.into()),
        Refused::NotFound => return Err(Failure::Nothing),
        Refused::Invalid(faults) => return Ok(faults),
        Refused::Rule(error) => return Ok(rule(error)),
        Refused::Stale => changed(),
        Refused::KeyReused | Refused::AnswerUnreadable => whole(message!(
            "This form was already sent. Check whether it took effect, then open it again.",
            "Este formulario ya se envió. Revisa si tuvo efecto y ábrelo de nuevo."
        )),
        Refused::Busy => {
            return Err(Failure::Unavailable("too much is under way".to_owned()));
        }
    };
    Ok(vec![fault])
}

/// What was decided about is another thing by now.
pub(crate) fn changed() -> FieldFault {
    whole(message!(
        "Somebody has changed this meanwhile. Look at it again, then decide.",
        "Alguien cambió esto mientras tanto. Vuelve a verlo y decide."
    ))
}

/// A fault of no field: a sentence.
pub(crate) fn whole(sentence: Message) -> FieldFault {
    FieldFault::new("", sentence)
}

/// Whoever owed the answer is gone.
pub(crate) fn stopped() -> Failure {
    Failure::Unavailable("the store is gone".to_owned())
}
