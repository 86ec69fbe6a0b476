//! What the endpoints of payment settings read.

use intake::{
    Check, Fields, Form,
    checks::{object, one_of},
    noun,
};
use payments::{Method, PaymentSettings, settings::LatePayments};

use super::examples;
use crate::resources::payments::payment_form;

pub(super) const SET: Form<PaymentSettings> = Form::body(
    "SetPaymentSettings",
    noun("the settings", "los ajustes"),
    read_settings,
    examples::SET,
);

const FORMS: &str = "Payment form (c_FormaPago) of payments by a method, where that is to be another than the usual one; of `card` for every card.";
const FORM: &str = "Payment form of payments by this method.";
const LATE: &str = "What becomes of money that comes for a cancelled order: `manual` (default) keeps it until you give it back, `auto` gives it back.";

fn read_settings(fields: &mut Fields<'_>) -> Option<PaymentSettings> {
    let forms = object(noun("payment forms", "formas de pago"), read_forms).about(FORMS);
    let sat_forms = fields.optional("satPaymentForms", forms).unwrap_or_default();
    let late = one_of(LatePayments::EVERY, LatePayments::name).about(LATE);
    let late_payments = fields.optional("refundLatePayments", late);
    fields.read_only(&["updatedAt"]);
    let usual = PaymentSettings::default();
    let late_payments = late_payments.unwrap_or(usual.late_payments);
    Some(PaymentSettings { sat_forms, late_payments, ..usual })
}

fn read_forms(fields: &mut Fields<'_>) -> Option<Vec<(Method, String)>> {
    let mut forms = Vec::new();
    for method in Method::EVERY {
        let form = fields.optional(method.name(), payment_form().about(FORM));
        forms.extend(form.map(|form| (*method, form)));
    }
    Some(forms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        let set = SET.read_body(examples::SET.as_bytes()).unwrap();
        assert_eq!(set.sat_form(Method::Wallet), Some("05"));
        assert_eq!(set.late_payments, LatePayments::Auto);
        assert!(SET.read_body(examples::SETTINGS.as_bytes()).is_ok());
        assert_eq!(SET.read_body(b"{}").unwrap(), PaymentSettings::default());
    }

    #[test]
    fn every_fault_is_named() {
        let body =
            br#"{"satPaymentForms": {"card": "99", "gold": "01"}, "refundLatePayments": "never"}"#;
        let refused = SET.read_body(body).unwrap_err().to_string();
        for field in ["satPaymentForms.card", "satPaymentForms.\"gold\"", "refundLatePayments"] {
            assert!(refused.contains(field), "{field}: {refused}");
        }
    }
}
