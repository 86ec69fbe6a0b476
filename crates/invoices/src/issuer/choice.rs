//! Which provider stamps for an account, and which one a task is given to.

use kernel::{FieldFault, Mode, Refused, Timestamp, message};

use super::{ProviderChoice, Simulate};
use crate::{
    ChooseProvider, InvoiceError,
    provider::{Credentials, ProviderKind},
};

/// What becomes of the credentials kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CredentialsChange {
    /// They stay.
    Keep,
    /// These take their place.
    Replace(Credentials),
    /// They go: the provider needs none.
    Remove,
}

/// Who stamps for an account of a mode, given what was chosen: for a test account always the sandbox, for a live one
/// never, even if an earlier release let it be chosen.
#[must_use]
pub fn in_mode(mode: Mode, choice: ProviderChoice) -> ProviderChoice {
    let is_sandbox = choice.kind == Some(ProviderKind::Sandbox);
    match mode {
        Mode::Test if is_sandbox => choice,
        Mode::Test => {
            let ProviderChoice { updated_at, .. } = choice;
            let kind = Some(ProviderKind::Sandbox);
            ProviderChoice { kind, updated_at, ..ProviderChoice::default() }
        }
        Mode::Live if is_sandbox => {
            let ProviderChoice { updated_at, .. } = choice;
            ProviderChoice { updated_at, ..ProviderChoice::default() }
        }
        Mode::Live => choice,
    }
}

/// Chooses a provider over the one before. What is being stamped stays with the provider, and there with the user,
/// that it was sent to: another would stamp it a second time.
///
/// # Errors
/// [`Refused::Invalid`] for the sandbox in a live account or another in a test account, and without credentials for a
/// provider that needs them; [`InvoiceError::ProviderInUse`] when provider or user would change while something is being
/// stamped.
pub fn choose(
    mode: Mode,
    before: &ProviderChoice,
    has_credentials: bool,
    command: &ChooseProvider,
    is_stamping: bool,
    now: Timestamp,
) -> Result<(ProviderChoice, CredentialsChange), Refused<InvoiceError>> {
    refuse_other_modes(mode, command)?;
    let keeps = has_credentials && before.kind == Some(command.kind);
    let (user, credentials) = match &command.credentials {
        Some(credentials) => {
            let user = match credentials {
                Credentials::User { user, .. } => Some(user.clone()),
                Credentials::Token(_) => None,
            };
            (user, CredentialsChange::Replace(credentials.clone()))
        }
        None if keeps => (before.user.clone(), CredentialsChange::Keep),
        None if command.kind == ProviderKind::Sandbox => (None, CredentialsChange::Remove),
        None => {
            let kind = command.kind.name();
            let problem = message!(
                "is required for {kind}, with password (or a token alone)",
                "es obligatorio para {kind}, junto con password (o bien solo token)"
            );
            return Err(Refused::Invalid(vec![FieldFault::new("user", problem)]));
        }
    };
    if (before.kind, &before.user) != (Some(command.kind), &user) && is_stamping {
        return Err(Refused::Rule(InvoiceError::ProviderInUse));
    }
    let simulate = command.simulate;
    let kind = Some(command.kind);
    let choice = ProviderChoice { kind, user, simulate, updated_at: Some(now) };
    Ok((choice, credentials))
}

/// What has fiscal value and what has none are kept apart: by account.
fn refuse_other_modes(mode: Mode, command: &ChooseProvider) -> Result<(), Refused<InvoiceError>> {
    let fault = match (mode, command.kind) {
        (Mode::Test, ProviderKind::Sandbox) => return Ok(()),
        (Mode::Test, _) => FieldFault::new(
            "provider",
            message!(
                "must be sandbox: this is a test account, and others are chosen with a live API key",
                "debe ser sandbox: esta es una cuenta de pruebas, y los demás se eligen con una clave de API real (live)"
            ),
        ),
        (Mode::Live, ProviderKind::Sandbox) => FieldFault::new(
            "provider",
            message!(
                "must be sw or finkok: the stamps of sandbox have no fiscal value and are for test accounts alone",
                "debe ser sw o finkok: los timbres de sandbox no tienen valor fiscal y son solo para cuentas de pruebas"
            ),
        ),
        (Mode::Live, _) if command.simulate == Simulate::default() => return Ok(()),
        (Mode::Live, _) => FieldFault::new(
            "simulate",
            message!(
                "must be absent or normal and accept: only the sandbox of test accounts simulates",
                "debe omitirse o indicar normal y accept: solo se simula en el ambiente de pruebas"
            ),
        ),
    };
    Err(Refused::Invalid(vec![fault]))
}

/// Who is to be called about an invoice, given who is chosen and who stamped it. What the sandbox stamped is nobody
/// else's matter, and what is fiscal is not the sandbox's.
#[must_use]
pub fn responsible(
    chosen: (ProviderKind, Option<Credentials>),
    stamped_by: Option<ProviderKind>,
) -> (ProviderKind, Option<Credentials>) {
    let is_sandbox = |kind| kind == ProviderKind::Sandbox;
    match stamped_by {
        Some(stamper) if is_sandbox(stamper) != is_sandbox(chosen.0) => (stamper, None),
        Some(_) | None => chosen,
    }
}
