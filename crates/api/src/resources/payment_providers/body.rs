//! How the API shows a payment provider of an account.

use std::fmt::Display;

use kernel::{Amount, Timestamp};
use payments::{InstallmentPlan, ProviderAccount, ProviderKind};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A payment provider of the account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaymentProviderAccount)]
pub(super) struct ProviderAccountBody {
    /// Which provider.
    #[schema(value_type = shapes::PaymentProvider)]
    provider: ProviderKind,
    /// Whether payments that name no provider are made through it.
    default: bool,
    /// The last four characters of its key.
    #[schema(example = "x7Qd")]
    key_end: Option<String>,
    /// Monthly installments without interest that you offer there; those that the provider documents unless you have set others.
    installments: Vec<InstallmentPlanBody>,
    /// When it was set up.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// A number of monthly installments.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InstallmentPlan)]
pub(in crate::resources) struct InstallmentPlanBody {
    /// Number of months.
    #[schema(example = 6)]
    months: u8,
    /// Least amount that is paid in so many, in pesos.
    #[schema(value_type = shapes::Amount)]
    min_amount: Amount,
}

impl From<&InstallmentPlan> for InstallmentPlanBody {
    fn from(&InstallmentPlan { months, min }: &InstallmentPlan) -> Self {
        Self { months, min_amount: min }
    }
}

impl Resource for ProviderAccountBody {
    type Thing = ProviderAccount;

    const PATH: &'static str = "/payments/providers";

    fn id(&self) -> impl Display {
        self.provider.name()
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<ProviderAccount> for ProviderAccountBody {
    fn from(account: ProviderAccount) -> Self {
        let installments = account.plans().iter().map(InstallmentPlanBody::from).collect();
        let ProviderAccount { kind, is_default, key_end, created_at, updated_at, version, .. } =
            account;
        Self {
            provider: kind,
            default: is_default,
            key_end,
            installments,
            created_at,
            updated_at,
            version,
        }
    }
}
