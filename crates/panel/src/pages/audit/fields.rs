//! What fields of the log are called, and what they held, in words; what is not known here stays as it is on record.

use accounts::{Overlap, Role};
use inventory::Allocation;
use invoices::provider::ProviderKind;
use payments::{Method, settings::LatePayments};

use crate::{
    pages::{
        api_keys::overlap_name, invoicing::provider_name, jobs, money::method_name,
        payments::late_name, stock::allocation_name, team::role_name,
    },
    texts::Say,
};

/// What a field is called.
pub(super) fn name(say: Say, field: &str) -> Option<&'static str> {
    Some(match field {
        "action" => say.action(),
        "allocation" => say.allocation(),
        "amount" => say.amount(),
        "defaultWarehouseId" => say.usual_warehouse(),
        "email" => say.email(),
        "expiresAt" => say.expires(),
        "kind" => say.provider(),
        "last4" => say.ends_in(),
        "legalName" => say.legal_name(),
        "mayApprove" => say.may_approve(),
        "name" => say.name(),
        "overlap" => say.overlap(),
        "ratePerHour" => say.rate_per_hour(),
        "refundLatePayments" => say.late_payments(),
        "rfc" => say.rfc(),
        "role" => say.role(),
        "satPaymentForms" => say.sat_payment_forms(),
        "scaleCodes" => say.scale_codes(),
        "scopes" => say.scopes(),
        "status" => say.state(),
        "taxRegime" => say.tax_regime(),
        "taxZip" => say.tax_zip(),
        "url" => say.url(),
        _ => return None,
    })
}

/// What a field held.
pub(super) fn value(say: Say, field: &str, held: &str) -> String {
    let known = match field {
        "action" => jobs::known_action(say, held),
        "allocation" => named(Allocation::EVERY, Allocation::name, held)
            .map(|allocation| allocation_name(say, allocation)),
        "kind" => named(ProviderKind::EVERY, ProviderKind::name, held)
            .map(|provider| provider_name(say, provider)),
        "mayApprove" => (held == "true").then(|| say.yes()),
        "overlap" => {
            named(Overlap::EVERY, Overlap::name, held).map(|overlap| overlap_name(say, overlap))
        }
        "refundLatePayments" => {
            named(LatePayments::EVERY, LatePayments::name, held).map(|late| late_name(say, late))
        }
        "role" => Role::parse(held).map(|role| role_name(say, role)),
        "satPaymentForms" => return forms(say, held),
        "status" => match held {
            "enabled" => Some(say.webhook_enabled()),
            "disabled" => Some(say.webhook_disabled()),
            _ => None,
        },
        _ => None,
    };
    known.unwrap_or(held).to_owned()
}

/// The one of that name.
fn named<T: Copy>(every: &[T], name: impl Fn(T) -> &'static str, held: &str) -> Option<T> {
    every.iter().copied().find(|one| name(*one) == held)
}

/// Payment forms of SAT by how it is paid: `card 04, cash 01`.
fn forms(say: Say, held: &str) -> String {
    let told = |one: &str| match one.split_once(' ') {
        Some((method, form)) => match named(Method::EVERY, Method::name, method) {
            Some(method) => format!("{} {form}", method_name(say, method)),
            None => one.to_owned(),
        },
        None => one.to_owned(),
    };
    held.split(", ").map(told).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use kernel::Language;

    use super::*;

    #[test]
    fn fields_and_what_they_held_are_told_in_the_language_of_the_reader() {
        let [english, spanish] = [Say(Language::English), Say(Language::Spanish)];
        assert_eq!(
            [name(english, "status"), name(spanish, "status")],
            [Some("State"), Some("Estado")]
        );
        for (field, held, wanted) in [
            ("status", "disabled", "Desactivado"),
            ("role", "accountant", role_name(spanish, Role::Accountant)),
            ("mayApprove", "true", "sí"),
            ("overlap", "24h", "sirve 24 horas más"),
            ("satPaymentForms", "cash 01, card 04", "Efectivo 01, Tarjeta 04"),
            ("allocation", "anyAvailable", allocation_name(spanish, Allocation::AnyAvailable)),
            ("action", "orders.ship", spanish.ship_orders()),
            // What is not known.
            ("action", "orders.paint", "orders.paint"),
            ("status", "paused", "paused"),
            ("rfc", "EKU9003173C9", "EKU9003173C9"),
            ("satPaymentForms", "gold 01", "gold 01"),
        ] {
            assert_eq!(value(spanish, field, held), wanted, "{field}");
        }
        assert_eq!(name(spanish, "shoeSize"), None);
    }
}
