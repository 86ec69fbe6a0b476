//! How the API shows a stamp.

use cfdi::{
    document::{Document, local_time},
    stamp::verification_url,
};
use invoices::{Stamped, provider::ProviderKind};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::shapes;

/// The stamp (Timbre Fiscal Digital) of an invoice.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Stamp)]
pub(super) struct StampBody {
    /// The fiscal folio.
    uuid: String,
    /// When it was stamped, local time.
    #[schema(value_type = shapes::LocalTime)]
    stamped_at: String,
    /// The RFC of the provider.
    provider_rfc: String,
    /// The number of the provider's certificate.
    certificate_number: String,
    /// The provider.
    #[schema(value_type = shapes::ProviderKind)]
    provider: ProviderKind,
    /// Whether it is one of the sandbox, which has no fiscal value.
    sandbox: bool,
    /// Where anybody can check the document; the QR code of the PDF leads there.
    verification_url: String,
}

impl StampBody {
    /// The stamp of that document.
    pub(super) fn new(document: &Document, stamped: Stamped) -> Self {
        let Stamped { stamp, provider, .. } = stamped;
        Self {
            verification_url: verification_url(document, &stamp),
            uuid: stamp.uuid,
            stamped_at: local_time::to_text(stamp.stamped_at),
            provider_rfc: stamp.provider_rfc,
            certificate_number: stamp.certificate_number,
            provider,
            sandbox: provider == ProviderKind::Sandbox,
        }
    }

    /// The fiscal folio.
    pub(super) fn uuid(&self) -> &str {
        &self.uuid
    }
}
