//! What the embedded provider has stamped.

use cfdi::stamp::Stamp;
use invoices::sandbox::SandboxRecord;
use kernel::Timestamp;
use serde::{Deserialize, Serialize};

use super::{forms::forms, invoice::StampForm};

forms!(SandboxRecordForm of SandboxRecord);

#[derive(Serialize, Deserialize)]
#[serde(remote = "SandboxRecord")]
pub(super) struct SandboxRecordForm {
    seal: String,
    #[serde(with = "StampForm")]
    stamp: Stamp,
    needs_acceptance: bool,
    cancel_requested_at: Option<Timestamp>,
}
