//! What the provider's endpoints read.

use intake::{
    Check, Fields, Form,
    checks::{line, object, one_of, secret},
    noun,
};
use invoices::{
    issuer::{Secret, Simulate, SimulatedCancellation, SimulatedStamping, Wanted},
    provider::ProviderKind,
};

use super::examples;
use crate::resources::shapes::{PROVIDERS, provider_name};

pub(super) const CHOOSE: Form<Wanted> =
    Form::body("ChooseProvider", noun("a provider", "un proveedor"), read_choice, examples::CHOOSE);

/// Maximum characters of a user, a password or a token.
const CREDENTIAL_CHARS_MAX: usize = 2_000;

fn read_choice(fields: &mut Fields<'_>) -> Option<Wanted> {
    let kind: Option<ProviderKind> = fields.required("provider", one_of(PROVIDERS, provider_name));
    let password = secret(CREDENTIAL_CHARS_MAX).about("Password for `user`. Never shown.");
    let token = secret(CREDENTIAL_CHARS_MAX)
        .about("Non-expiring token, instead of user and password. Never shown.");
    let user = fields.optional("user", line(CREDENTIAL_CHARS_MAX));
    let password = fields.optional("password", password).map(Secret);
    let token = fields.optional("token", token).map(Secret);
    let simulate = fields
        .optional("simulate", object(noun("what is simulated", "lo que se simula"), read_simulate));
    fields.read_only(&["updatedAt"]);
    Some(Wanted { kind: kind?, user, password, token, simulate: simulate.unwrap_or_default() })
}

fn read_simulate(fields: &mut Fields<'_>) -> Option<Simulate> {
    let stamping = one_of(SimulatedStamping::EVERY, SimulatedStamping::name);
    let cancellation = one_of(SimulatedCancellation::EVERY, SimulatedCancellation::name);
    Some(Simulate {
        stamping: fields.optional("stamping", stamping).unwrap_or_default(),
        cancellation: fields.optional("cancellation", cancellation).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        let chosen = CHOOSE.read_body(examples::CHOOSE.as_bytes()).unwrap();
        assert_eq!(chosen.kind, ProviderKind::Sw);
        assert!(!format!("{chosen:?}").contains("hunter2"), "secrets stay inside");
        let read = CHOOSE.read_body(examples::PROVIDER.as_bytes()).unwrap();
        assert_eq!(read.user.as_deref(), Some("ana@example.com"));
    }

    #[test]
    fn the_sandbox_pretends_what_it_can() {
        let body = r#"{"provider": "sandbox", "simulate": {"stamping": "timeout"}}"#;
        let wanted = CHOOSE.read_body(body.as_bytes()).unwrap();
        assert_eq!(wanted.simulate.stamping, SimulatedStamping::Timeout);
        let body = r#"{"provider": "pac", "simulate": {"stamping": "late", "speed": 1}}"#;
        assert_eq!(
            CHOOSE.read_body(body.as_bytes()).unwrap_err().to_string(),
            "provider must be one of sandbox, sw, finkok; simulate.stamping must be one of normal, \
             timeout, timeoutAfterStamping, unavailable; simulate.\"speed\" is not a field of what \
             is simulated"
        );
    }
}
