//! How the API shows payment settings.

use std::{collections::BTreeMap, fmt::Display};

use kernel::Timestamp;
use payments::{PaymentSettings, settings::LatePayments};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// How the payments of an account are dealt with.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaymentSettings)]
pub(super) struct SettingsBody {
    /// Payment form (c_FormaPago) of payments by a method, where that is another than the usual one.
    #[schema(value_type = shapes::SatPaymentForms)]
    sat_payment_forms: BTreeMap<&'static str, String>,
    /// What becomes of money that comes for a cancelled order: `manual` keeps it until you give it back, `auto` gives it back.
    #[schema(value_type = shapes::LatePayments)]
    refund_late_payments: LatePayments,
    /// When they were last changed; `null` if never.
    #[schema(value_type = Option<shapes::Timestamp>)]
    updated_at: Option<Timestamp>,
    #[serde(skip)]
    version: i64,
}

impl Resource for SettingsBody {
    type Thing = PaymentSettings;

    const PATH: &'static str = "/payments/settings";

    fn id(&self) -> impl Display {
        "settings"
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<PaymentSettings> for SettingsBody {
    fn from(settings: PaymentSettings) -> Self {
        let PaymentSettings { sat_forms, late_payments, updated_at, version } = settings;
        Self {
            sat_payment_forms: sat_forms.into_iter().map(|(of, form)| (of.name(), form)).collect(),
            refund_late_payments: late_payments,
            updated_at,
            version,
        }
    }
}
