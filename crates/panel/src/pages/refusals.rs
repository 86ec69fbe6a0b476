//! Why something about people and keys was refused, at the field that it is about.

use accounts::{ApiKeyError, PeopleError, TeamError};
use intake::Faults;
use kernel::{FieldFault, Message, Pending, Timestamp, Written, message};

use crate::{
    failure::Failure,
    reply::{carried_out, whole},
};

/// What is said of what a node of the last release would spoil.
pub(super) fn waits_for_upgrade() -> Message {
    message!(
        "This has to wait until the upgrade of the service is finished.",
        "Esto debe esperar a que termine la actualización del servicio."
    )
}

/// What came of an attempt; too many failed ones make the next ones wait.
pub(crate) async fn attempted<T>(
    pending: Pending<Written<T, PeopleError>>,
    now: Timestamp,
) -> Result<Result<T, Faults>, Failure> {
    attempted_as(pending, now, people).await
}

/// The same where a page says of a refusal what it knows better.
pub(crate) async fn attempted_as<T>(
    pending: Pending<Written<T, PeopleError>>,
    now: Timestamp,
    told: impl FnOnce(PeopleError) -> FieldFault,
) -> Result<Result<T, Faults>, Failure> {
    let mut wait = None;
    let rule = |error: PeopleError| {
        if let PeopleError::Throttled { until } = &error {
            let micros = until.micros().saturating_sub(now.micros());
            wait = Some(u64::try_from(micros).unwrap_or_default().div_ceil(1_000_000));
        }
        told(error)
    };
    let outcome = carried_out(pending, rule).await?;
    match wait {
        Some(seconds) => Err(Failure::TooOften(seconds)),
        None => Ok(outcome),
    }
}

/// Of people.
pub(crate) fn people(error: PeopleError) -> FieldFault {
    match error {
        PeopleError::WrongCredentials => whole(message!(
            "The email address, the password or the code is wrong.",
            "El correo, la contraseña o el código no es correcto."
        )),
        // Where attempts can fail, `attempted` says for how long.
        PeopleError::Throttled { .. } => whole(message!(
            "There were too many attempts. Wait a few minutes, then try again.",
            "Hubo demasiados intentos. Espera unos minutos e intenta de nuevo."
        )),
        PeopleError::Team(TeamError::LastOwner) => whole(message!(
            "The account needs at least one owner: make somebody else an owner first.",
            "La cuenta debe tener al menos un propietario: nombra antes a otro."
        )),
        PeopleError::Team(TeamError::OwnersOnly) => whole(message!(
            "Only owners change or remove owners.",
            "Solo los propietarios pueden cambiar o quitar a otro propietario."
        )),
        PeopleError::AlreadyMember => FieldFault::new(
            "email",
            message!("is of somebody who is a member already", "es de alguien que ya es miembro"),
        ),
        PeopleError::TooMany { max } => whole(message!(
            "An account has at most {max} members and invitations.",
            "Una cuenta tiene a lo más {max} miembros e invitaciones."
        )),
        PeopleError::LinkIsOver => whole(message!(
            "This link was already used, was withdrawn or has expired. Ask for a new one.",
            "Este enlace ya se usó, se retiró o venció. Pide uno nuevo."
        )),
        PeopleError::OtherAddress { email } => whole(message!(
            "The invitation is for {email}. Sign in with that address.",
            "La invitación es para {email}. Inicia sesión con ese correo."
        )),
        PeopleError::UserExists => FieldFault::new(
            "email",
            message!(
                "has a user already: sign in instead",
                "ya tiene un usuario: inicia sesión con él"
            ),
        ),
        PeopleError::NoTotp => whole(message!(
            "There is no authenticator yet: start again.",
            "Aún no hay una aplicación de códigos: comienza de nuevo."
        )),
        PeopleError::HasTotp => whole(message!(
            "There is an authenticator already.",
            "Ya hay una aplicación de códigos."
        )),
        PeopleError::Forbidden => {
            whole(message!("Your role does not allow this.", "Tu rol no permite esto."))
        }
    }
}

/// Of keys.
pub(crate) fn api_keys(error: ApiKeyError) -> FieldFault {
    match error {
        ApiKeyError::AlreadyRevoked => {
            whole(message!("This key is revoked already.", "Esta clave ya está revocada."))
        }
        ApiKeyError::Expired => whole(message!(
            "This key has expired. Create a new one.",
            "Esta clave ya venció. Crea una nueva."
        )),
        ApiKeyError::TooMany { max } => whole(message!(
            "An account has at most {max} keys. Revoke one that is not used.",
            "Una cuenta tiene a lo más {max} claves. Revoca alguna que no se use."
        )),
        ApiKeyError::Forbidden => {
            whole(message!("Your role does not allow this.", "Tu rol no permite esto."))
        }
    }
}
