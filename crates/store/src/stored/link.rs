//! Links, as they are kept for repeats: their token sealed.

use kernel::Timestamp;
use links::{LinkKind, Target};
use serde::{Deserialize, Serialize};

use super::forms::forms;

/// A link whose token is sealed.
pub(crate) struct KeptLink {
    pub(crate) target: Target,
    pub(crate) sealed: String,
    pub(crate) created_at: Timestamp,
    pub(crate) expires_at: Timestamp,
}

forms!(LinkForm of KeptLink, TargetForm of Target);

#[derive(Serialize, Deserialize)]
#[serde(remote = "KeptLink")]
pub(super) struct LinkForm {
    #[serde(with = "TargetForm")]
    target: Target,
    sealed: String,
    created_at: Timestamp,
    expires_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Target")]
struct TargetForm {
    #[serde(with = "KindForm")]
    kind: LinkKind,
    subject: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LinkKind", rename_all = "snake_case")]
enum KindForm {
    TaxData,
    Invoice,
    Payment,
    Attempt,
    Quote,
}
