//! How the API shows what can be paid how.

use kernel::{Amount, Currency};
use payments::{Capabilities, InstallmentPlan, Method, ProviderKind, Refunding};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::{payment_providers::InstallmentPlanBody, shapes};

/// What can be paid in a currency.
#[derive(Serialize, ToSchema)]
#[schema(as = PaymentMethods)]
pub(super) struct MethodsBody {
    /// Currency.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Each method with each provider that it can be made through.
    data: Vec<MethodBody>,
}

/// A method, through one provider.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaymentMethodOption)]
pub(super) struct MethodBody {
    /// How the payer pays.
    #[schema(value_type = shapes::PayingMethod)]
    method: Method,
    /// Payment provider.
    #[schema(value_type = shapes::PaymentProvider)]
    provider: ProviderKind,
    /// Whether payments by this method that name no provider are made through this one.
    default: bool,
    /// Least amount.
    #[schema(value_type = shapes::Amount)]
    min: Amount,
    /// Largest amount.
    #[schema(value_type = shapes::Amount)]
    max: Amount,
    /// Whether money can be authorized first and captured later.
    capture: bool,
    /// What the provider gives back.
    #[schema(value_type = shapes::RefundablePart)]
    refunds: &'static str,
    /// For how many days it gives back; `null` where there is no end, or it gives nothing back.
    refund_days: Option<i64>,
    /// How many seconds the payer has unless `expiresAt` says otherwise; `null` where there is no end.
    expires_after_seconds: Option<i64>,
    /// Monthly installments without interest (meses sin intereses) that can be offered.
    installments: Vec<InstallmentPlanBody>,
}

impl MethodsBody {
    /// Those of a currency.
    pub(super) fn new(currency: Currency, data: Vec<MethodBody>) -> Self {
        Self { currency, data }
    }
}

impl MethodBody {
    /// What a provider can do with a method.
    pub(super) fn new(
        method: Method,
        provider: ProviderKind,
        default: bool,
        capabilities: Capabilities,
        plans: &[InstallmentPlan],
    ) -> Self {
        let Capabilities { min, max, captures_later, refunding, .. } = capabilities;
        let refunds = match refunding {
            Refunding::None => "none",
            Refunding::Full => "full",
            Refunding::Partial => "partial",
        };
        Self {
            method,
            provider,
            default,
            min,
            max,
            capture: captures_later,
            refunds,
            refund_days: capabilities.refund_days,
            expires_after_seconds: capabilities.expiry_seconds,
            installments: plans.iter().map(InstallmentPlanBody::from).collect(),
        }
    }

    /// What it is about.
    #[cfg(test)]
    pub(super) fn key(&self) -> (Method, ProviderKind, bool) {
        (self.method, self.provider, self.default)
    }
}
