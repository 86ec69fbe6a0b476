//! How the API shows the provider that stamps.

use invoices::{
    ProviderChoice,
    issuer::{Simulate, SimulatedCancellation, SimulatedStamping},
    provider::ProviderKind,
};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{etag::ETag, resources::shapes};

/// The certification provider (PAC) that stamps for the account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Provider)]
pub(super) struct ProviderBody {
    /// Name of the provider: `sandbox` in a test account; in a live one `null` until one is chosen.
    #[schema(value_type = Option<shapes::ProviderKind>)]
    provider: Option<ProviderKind>,
    /// User name for the provider; `null` if it is called with a token or without credentials.
    user: Option<String>,
    /// Outcomes that the sandbox simulates.
    simulate: SimulateBody,
    /// When the provider was chosen; `null` if none has been.
    #[schema(value_type = Option<shapes::Timestamp>)]
    updated_at: Option<Timestamp>,
    #[serde(skip)]
    version: i64,
}

/// Outcomes that the sandbox simulates.
#[derive(Serialize, ToSchema)]
#[schema(as = Simulate)]
struct SimulateBody {
    /// Outcome of stamping: `normal` stamps; `timeout` does not respond; `timeoutAfterStamping` stamps but
    /// does not respond; `unavailable` refuses the connection.
    #[schema(value_type = shapes::SimulatedStamping)]
    stamping: SimulatedStamping,
    /// How receivers respond to a cancellation request: `accept` or `reject` immediately, let the deadline
    /// pass (`expire`), or leave it `pending`.
    #[schema(value_type = shapes::SimulatedCancellation)]
    cancellation: SimulatedCancellation,
}

impl ProviderBody {
    /// The entity tag.
    pub(super) fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<ProviderChoice> for ProviderBody {
    fn from(choice: ProviderChoice) -> Self {
        let version = choice.version();
        let ProviderChoice { kind, user, simulate, updated_at } = choice;
        let Simulate { stamping, cancellation } = simulate;
        let simulate = SimulateBody { stamping, cancellation };
        Self { provider: kind, user, simulate, updated_at, version }
    }
}
