//! What payment links keep beside their columns.

use kernel::{Amount, Metadata};
use payments::{CustomerId, Method, PaymentLink, ProviderKind, link::Asks};
use serde::{Deserialize, Serialize};

/// What is kept of a payment link in its column `details`. Without any amount it asks for what is due for its order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PaymentLinkDetails {
    pub(crate) title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) amount: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) amount_min: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) amount_max: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) customer: Option<CustomerId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) provider: Option<ProviderKind>,
    pub(crate) methods: Vec<Method>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) installments: Vec<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) success_url: Option<String>,
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub(crate) metadata: Metadata,
}

impl PaymentLinkDetails {
    pub(crate) fn of(link: &PaymentLink) -> Self {
        let (amount, amount_min, amount_max) = match link.asks {
            Asks::Fixed(amount) => (Some(amount), None, None),
            Asks::Between { min, max } => (None, Some(min), Some(max)),
            Asks::Due => (None, None, None),
        };
        Self {
            title: link.title.clone(),
            description: link.description.clone(),
            amount,
            amount_min,
            amount_max,
            customer: link.customer,
            provider: link.provider,
            methods: link.methods.clone(),
            installments: link.installments.clone(),
            success_url: link.success_url.clone(),
            metadata: link.metadata.clone(),
        }
    }

    pub(crate) const fn asks(&self) -> Asks {
        match (self.amount, self.amount_min, self.amount_max) {
            (Some(amount), ..) => Asks::Fixed(amount),
            (None, Some(min), Some(max)) => Asks::Between { min, max },
            (None, ..) => Asks::Due,
        }
    }
}
