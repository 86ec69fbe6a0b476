//! How the API shows a stamp.

use cfdi::{document::local_time, stamp::Stamp};
use invoices::{Stamped, provider::ProviderKind};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::shapes;

/// Stamp (Timbre Fiscal Digital) of an invoice or a withholding.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Stamp)]
pub(in crate::resources) struct StampBody {
    /// Fiscal folio (UUID).
    uuid: String,
    /// When the document was stamped.
    #[schema(value_type = shapes::Timestamp)]
    stamped_at: Timestamp,
    /// The same as the stamp states it: in the central time of Mexico, wherever the document was issued.
    #[schema(value_type = shapes::LocalTime)]
    local_stamped_at: String,
    /// RFC of the certification provider (PAC).
    provider_rfc: String,
    /// Number of the SAT certificate that the provider stamped with.
    certificate_number: String,
    /// Certification provider (PAC).
    #[schema(value_type = shapes::ProviderKind)]
    provider: ProviderKind,
    /// Whether the stamp is from the sandbox and has no fiscal value.
    sandbox: bool,
    /// SAT verification URL of the document, also encoded in the QR code of the PDF.
    verification_url: String,
}

impl StampBody {
    /// The stamp of a document that is verified there.
    pub(in crate::resources) fn new(verification_url: String, stamped: Stamped) -> Self {
        let Stamped { stamp, provider, .. } = stamped;
        Self {
            verification_url,
            uuid: stamp.uuid,
            stamped_at: Stamp::ZONE.utc(stamp.stamped_at),
            local_stamped_at: local_time::to_text(stamp.stamped_at),
            provider_rfc: stamp.provider_rfc,
            certificate_number: stamp.certificate_number,
            provider,
            sandbox: provider == ProviderKind::Sandbox,
        }
    }

    /// Fiscal folio (UUID).
    pub(in crate::resources) fn uuid(&self) -> &str {
        &self.uuid
    }
}
