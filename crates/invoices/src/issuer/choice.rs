//! Which provider stamps for an account, and which one a task is given to.

use kernel::{FieldFault, Refused, Timestamp, message};

use super::ProviderChoice;
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

/// Chooses a provider over the one before. What is being stamped stays with the provider, and there with the user,
/// that it was sent to: another would stamp it a second time.
///
/// # Errors
/// [`Refused::Invalid`] without credentials for a provider that needs them; [`InvoiceError::ProviderInUse`] when
/// provider or user would change while something is being stamped.
pub fn choose(
    before: &ProviderChoice,
    has_credentials: bool,
    command: &ChooseProvider,
    is_stamping: bool,
    now: Timestamp,
) -> Result<(ProviderChoice, CredentialsChange), Refused<InvoiceError>> {
    let keeps = has_credentials && before.kind == command.kind;
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
    if (before.kind, &before.user) != (command.kind, &user) && is_stamping {
        return Err(Refused::Rule(InvoiceError::ProviderInUse));
    }
    let simulate = command.simulate;
    let choice = ProviderChoice { kind: command.kind, user, simulate, updated_at: Some(now) };
    Ok((choice, credentials))
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
