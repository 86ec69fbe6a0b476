//! How the API shows which provider stamps.

use invoices::{
    ProviderChoice,
    issuer::{Simulate, SimulatedCancellation, SimulatedStamping},
    provider::ProviderKind,
};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{etag::ETag, resources::shapes};

/// Which certification provider stamps.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Provider)]
pub(super) struct ProviderBody {
    /// `sandbox` until another is chosen.
    #[schema(value_type = shapes::ProviderKind)]
    provider: ProviderKind,
    /// The user it is called as; `null` when it is called with a token, or without.
    user: Option<String>,
    /// What the sandbox pretends.
    simulate: SimulateBody,
    /// When it was chosen; `null` until then.
    #[schema(value_type = Option<shapes::Timestamp>)]
    updated_at: Option<Timestamp>,
    #[serde(skip)]
    version: i64,
}

/// What the sandbox pretends.
#[derive(Serialize, ToSchema)]
#[schema(as = Simulate)]
struct SimulateBody {
    /// When it is to stamp: `normal` stamps, `timeout` gives no answer, `timeoutAfterStamping` gives none
    /// though it has stamped, `unavailable` does not listen.
    #[schema(value_type = shapes::SimulatedStamping)]
    stamping: SimulatedStamping,
    /// What receivers do who are asked to accept a cancellation: `accept` or `reject` at once, let the time
    /// `expire`, or leave it `pending`.
    #[schema(value_type = shapes::SimulatedCancellation)]
    cancellation: SimulatedCancellation,
}

/// The version of a choice: the moment when it was made.
pub(super) fn version(choice: &ProviderChoice) -> i64 {
    choice.updated_at.map_or(1, Timestamp::micros)
}

impl ProviderBody {
    /// Its tag.
    pub(super) fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<ProviderChoice> for ProviderBody {
    fn from(choice: ProviderChoice) -> Self {
        let version = version(&choice);
        let ProviderChoice { kind, user, simulate, updated_at } = choice;
        let Simulate { stamping, cancellation } = simulate;
        let simulate = SimulateBody { stamping, cancellation };
        Self { provider: kind, user, simulate, updated_at, version }
    }
}
