//! Keys and invitations, as they are kept for repeats: by their identifier, their text sealed.

use accounts::{ApiKeyId, InvitationId};
use kernel::AccountId;
use serde::{Deserialize, Serialize};

/// A key just made or rotated, whose text is sealed.
#[derive(Deserialize, Serialize)]
pub(crate) struct KeptApiKey {
    pub(crate) account: AccountId,
    pub(crate) id: ApiKeyId,
    pub(crate) sealed: String,
}

/// An invitation just made, whose token is sealed.
#[derive(Deserialize, Serialize)]
pub(crate) struct KeptInvitation {
    pub(crate) account: AccountId,
    pub(crate) id: InvitationId,
    pub(crate) sealed: String,
}
