//! Turns a caller's description of a provider into the choice: which credentials go with which provider, and
//! when stored ones are kept.

use kernel::{FieldFault, Message, message};

use super::{ProviderChoice, Simulate};
use crate::{
    ChooseProvider,
    provider::{Credentials, ProviderKind},
};

/// A provider as a caller names it.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Name of the provider.
    pub kind: ProviderKind,
    /// User name.
    pub user: Option<String>,
    /// Secret.
    pub password: Option<Secret>,
    /// Secret.
    pub token: Option<Secret>,
    /// Outcomes for the sandbox to simulate.
    pub simulate: Simulate,
}

/// A text that must never be logged.
#[derive(Clone)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// The choice that results from the caller's description and the current choice.
///
/// # Errors
/// The field that is inconsistent with the others.
pub fn resolved(wanted: Wanted, current: &ProviderChoice) -> Result<ChooseProvider, FieldFault> {
    let Wanted { kind, user, password, token, simulate } = wanted;
    let credentials = match (kind, user, password, token) {
        (ProviderKind::Sandbox, None, None, None) => None,
        (ProviderKind::Sandbox, ..) => {
            return fault(
                "provider",
                message!(
                    "sandbox takes neither user, password nor token",
                    "sandbox no lleva user, password ni token"
                ),
            );
        }
        (_, None, None, Some(_)) if kind == ProviderKind::Finkok => {
            return fault(
                "token",
                message!(
                    "must be absent: finkok is called with user and password",
                    "debe omitirse: finkok se usa con user y password"
                ),
            );
        }
        (_, None, None, Some(Secret(token))) => Some(Credentials::Token(token)),
        (.., Some(_)) => {
            return fault(
                "token",
                message!(
                    "must not be given beside user or password",
                    "no se puede indicar junto con user o password"
                ),
            );
        }
        (_, Some(user), Some(Secret(password)), None) => Some(Credentials::User { user, password }),
        (_, None, Some(_), None) => {
            return fault(
                "user",
                message!("is required beside password", "es obligatorio junto con password"),
            );
        }
        // No secret is given: the stored one is kept, if there is one for this provider and user.
        (_, user, None, None) if Some(kind) == current.kind => match user {
            Some(user) if Some(&user) != current.user.as_ref() => {
                return fault(
                    "password",
                    message!("is required with another user", "es obligatorio con otro user"),
                );
            }
            _ => None,
        },
        (_, Some(_), None, None) => {
            return fault(
                "password",
                message!("is required with another provider", "es obligatorio con otro proveedor"),
            );
        }
        (_, None, None, None) => {
            return fault(
                "user",
                message!(
                    "and password are required with another provider",
                    "y password son obligatorios con otro proveedor"
                ),
            );
        }
    };
    Ok(ChooseProvider { kind, credentials, simulate })
}

fn fault<T>(field: &str, problem: Message) -> Result<T, FieldFault> {
    Err(FieldFault::new(field, problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SANDBOX: ProviderKind = ProviderKind::Sandbox;
    const SW: ProviderKind = ProviderKind::Sw;
    const FINKOK: ProviderKind = ProviderKind::Finkok;

    fn chosen(
        (kind, user, password, token): (ProviderKind, &str, &str, &str),
        current: &ProviderChoice,
    ) -> Result<Option<Credentials>, String> {
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let wanted = Wanted {
            kind,
            user: given(user),
            password: given(password).map(Secret),
            token: given(token).map(Secret),
            simulate: Simulate::default(),
        };
        let choice = resolved(wanted, current);
        choice.map(|choice| choice.credentials).map_err(|fault| fault.to_string())
    }

    #[test]
    fn credentials_go_with_their_provider() {
        let user = |user: &str| {
            Ok(Some(Credentials::User { user: user.to_owned(), password: "p".to_owned() }))
        };
        let refused = |text: &str| Err(text.to_owned());
        let sandbox = ProviderChoice { kind: Some(SANDBOX), ..ProviderChoice::default() };
        let sw = ProviderChoice { kind: Some(SW), user: Some("a".to_owned()), ..sandbox };
        let sw_by_token = ProviderChoice { user: None, ..sw };
        for (wanted, current, expected) in [
            ((SANDBOX, "", "", ""), &sandbox, Ok(None)),
            ((SANDBOX, "", "", ""), &sw, Ok(None)),
            (
                (SANDBOX, "a", "", ""),
                &sandbox,
                refused("provider sandbox takes neither user, password nor token"),
            ),
            ((SW, "a", "p", ""), &sandbox, user("a")),
            ((FINKOK, "a", "p", ""), &sw, user("a")),
            ((SW, "", "", "t"), &sw, Ok(Some(Credentials::Token("t".to_owned())))),
            (
                (FINKOK, "", "", "t"),
                &sandbox,
                refused("token must be absent: finkok is called with user and password"),
            ),
            ((SW, "a", "p", "t"), &sw, refused("token must not be given beside user or password")),
            ((SW, "", "p", ""), &sw, refused("user is required beside password")),
            ((SW, "a", "", ""), &sw, Ok(None)),
            ((SW, "", "", ""), &sw, Ok(None)),
            ((SW, "", "", ""), &sw_by_token, Ok(None)),
            ((SW, "b", "", ""), &sw, refused("password is required with another user")),
            ((FINKOK, "a", "", ""), &sw, refused("password is required with another provider")),
            (
                (FINKOK, "", "", ""),
                &sw,
                refused("user and password are required with another provider"),
            ),
        ] {
            assert_eq!(chosen(wanted, current), expected, "{wanted:?}");
        }
    }
}
