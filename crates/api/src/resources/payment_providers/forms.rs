//! What the endpoints of payment providers read.

use intake::{
    Check, Fields, Form,
    checks::{above_zero, flag, objects, one_number_of, secret},
    noun,
};
use kernel::{FieldFault, Message, PageRequest, message};
use payments::{
    Credentials, InstallmentPlan, ProviderKind,
    installments::{MONTHS, settings},
};

use super::examples;
use crate::page::page_request;

pub(super) const LIST: Form<PageRequest> = Form::query(read_page);
pub(super) const SET: Form<Wanted> =
    Form::body("SetPaymentProvider", noun("a provider", "un proveedor"), read, examples::SET);

/// Sort order named in the cursors of the list.
pub(super) const ORDER: &str = "provider";

/// Maximum characters of a key or secret.
const SECRET_CHARS_MAX: usize = 2_000;

const INSTALLMENTS: &str = "Monthly installments without interest that you offer there, those that your contract and the settings there \
                            allow; as they are if omitted, at first and with `null` those that the provider documents, and none if empty.";

/// How a provider is to be set up.
pub(super) struct Wanted {
    pub(super) is_default: Option<bool>,
    installments: Option<Option<Vec<InstallmentPlan>>>,
    key: Option<String>,
    notification_secret: Option<String>,
}

fn read_page(fields: &mut Fields<'_>) -> Option<PageRequest> {
    let is_own = |id: &str| ProviderKind::EVERY.iter().any(|kind| kind.name() == id);
    Some(page_request(fields, ORDER, |cursor| is_own(&cursor.id)))
}

fn read(fields: &mut Fields<'_>) -> Option<Wanted> {
    let key = secret(SECRET_CHARS_MAX).about("Secret key or access token. Never shown.");
    let of_notifications = secret(SECRET_CHARS_MAX).about(
        "Secret that the provider signs its notifications with; goes with `key`. Never shown.",
    );
    let default = flag().about(
        "Whether payments that name no provider are made through it; as it is if omitted, at first `false`.",
    );
    let key = fields.optional("key", key);
    let notification_secret = fields.optional("notificationSecret", of_notifications);
    let is_default = fields.optional("default", default);
    let plans = objects(noun("a number of installments", "un plazo"), 0..=MONTHS.len(), read_plan)
        .about(INSTALLMENTS);
    let installments = fields.patch("installments", plans);
    fields.read_only(&["provider", "keyEnd", "createdAt", "updatedAt"]);
    Some(Wanted { is_default, installments, key, notification_secret })
}

fn read_plan(fields: &mut Fields<'_>) -> Option<InstallmentPlan> {
    let months = one_number_of(MONTHS).about("Number of months.");
    let min = above_zero().about("Least amount that is paid in so many, in pesos.");
    let months = fields.required("months", months);
    let min = fields.required("minAmount", min);
    Some(InstallmentPlan { months: months?, min: min? })
}

impl Wanted {
    /// The installments from now on, `Some(None)` for the documented ones; `None` where they stay as they are.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(super) fn installments(
        &self,
        kind: ProviderKind,
    ) -> Result<Option<Option<Vec<InstallmentPlan>>>, FieldFault> {
        let set = |plans: &Option<Vec<InstallmentPlan>>| {
            plans.clone().map(|plans| settings(kind, plans)).transpose()
        };
        self.installments.as_ref().map(set).transpose()
    }

    /// What the provider is called with from now on; `None` where it stays as it is.
    ///
    /// # Errors
    /// The field that does not go with the others.
    pub(super) fn credentials(self, kind: ProviderKind) -> Result<Option<Credentials>, FieldFault> {
        let name = kind.name();
        match (self.key, self.notification_secret) {
            (None, None) => Ok(None),
            (key, _) if !kind.needs_credentials() => fault(
                if key.is_some() { "key" } else { "notificationSecret" },
                message!("must be absent: {name} takes none", "debe omitirse: {name} no lleva"),
            ),
            (Some(key), notification_secret) => Ok(Some(Credentials { key, notification_secret })),
            (None, Some(_)) => fault(
                "key",
                message!(
                    "is required beside notificationSecret",
                    "es obligatoria junto con notificationSecret"
                ),
            ),
        }
    }
}

fn fault<T>(field: &str, problem: Message) -> Result<T, FieldFault> {
    Err(FieldFault::new(field, problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_with_their_provider() {
        let read = |body: &str, kind| {
            let wanted = SET.read_body(body.as_bytes()).unwrap();
            wanted.credentials(kind).map_err(|fault| fault.to_string())
        };
        let (stripe, sandbox) = (ProviderKind::Stripe, ProviderKind::Sandbox);
        let given = read(examples::SET, stripe).unwrap().unwrap();
        assert!(given.key.ends_with("x7Qd") && given.notification_secret.is_some());
        assert_eq!(read(r#"{"default": true}"#, stripe), Ok(None));
        assert_eq!(read("{}", sandbox), Ok(None));
        for (body, kind, refused) in [
            (r#"{"key": "k"}"#, sandbox, "key must be absent: sandbox takes none"),
            (
                r#"{"notificationSecret": "s"}"#,
                ProviderKind::Manual,
                "notificationSecret must be absent: manual takes none",
            ),
            (r#"{"notificationSecret": "s"}"#, stripe, "key is required beside notificationSecret"),
        ] {
            assert_eq!(read(body, kind), Err(refused.to_owned()), "{body}");
        }
    }
}
