//! How the payments of an account are dealt with.

use kernel::Timestamp;

use crate::{Method, payment::named};

named! {
    /// What becomes of money that comes for an order that is cancelled.
    LatePayments {
        /// It is kept until somebody gives it back.
        Manual = "manual",
        /// It is given back by itself, where its provider does that.
        Auto = "auto",
    }
}

/// The settings of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentSettings {
    /// How payments by a method are named to the tax authority, where not as usual: a code of c_FormaPago.
    pub sat_forms: Vec<(Method, String)>,
    /// What becomes of money that comes for an order that is cancelled.
    pub late_payments: LatePayments,
    /// When they were last changed; never if absent.
    pub updated_at: Option<Timestamp>,
    /// Number of changes.
    pub version: i64,
}

impl Default for PaymentSettings {
    fn default() -> Self {
        let late_payments = LatePayments::Manual;
        Self { sat_forms: Vec::new(), late_payments, updated_at: None, version: 0 }
    }
}

impl PaymentSettings {
    /// How payments by a method are named, where that is not as usual.
    #[must_use]
    pub fn sat_form(&self, method: Method) -> Option<&str> {
        let own = self.sat_forms.iter().find(|(of, _)| *of == method);
        own.map(|(_, form)| form.as_str())
    }

    /// These settings in the place of others.
    #[must_use]
    pub fn after(self, before: &Self, now: Timestamp) -> Self {
        Self { updated_at: Some(now), version: before.version + 1, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_those_of_their_method() {
        let forms = vec![(Method::Wallet, "05".to_owned()), (Method::Other, "17".to_owned())];
        let settings = PaymentSettings { sat_forms: forms, ..PaymentSettings::default() };
        assert_eq!(settings.sat_form(Method::Other), Some("17"));
        assert_eq!(settings.sat_form(Method::Card), None);
        let now = Timestamp::from_micros(7);
        let after = settings.clone().after(&settings, now);
        assert_eq!((after.version, after.updated_at), (1, Some(now)));
    }
}
