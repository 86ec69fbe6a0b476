//! How the API shows a seal certificate.

use std::fmt::Display;

use invoices::{CertificateId, IssuerCertificate};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// The version of every certificate: only its active flag can change.
pub(super) const VERSION: i64 = 1;

/// A digital seal certificate (CSD).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Certificate)]
pub(super) struct CertificateBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "csd_01KG8XW3Y5A7C9E1G3J5M7P9R1")]
    id: CertificateId,
    /// Certificate number, 20 digits.
    #[schema(example = "30001000000500003416")]
    number: String,
    /// RFC of the holder.
    rfc: String,
    /// Holder's name as stated in the certificate.
    legal_name: String,
    /// Start of validity.
    #[schema(value_type = shapes::Timestamp)]
    valid_from: Timestamp,
    /// End of validity.
    #[schema(value_type = shapes::Timestamp)]
    valid_until: Timestamp,
    /// Whether this is the active certificate of its RFC, the one that seals.
    is_active: bool,
    /// When the certificate was added.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
}

impl Resource for CertificateBody {
    type Thing = IssuerCertificate;

    const PATH: &'static str = "/invoices/cfdi/issuer/certificates";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version_and(VERSION, std::iter::once(i64::from(self.is_active)))
    }
}

impl From<IssuerCertificate> for CertificateBody {
    fn from(certificate: IssuerCertificate) -> Self {
        Self {
            id: certificate.id,
            number: certificate.number,
            rfc: certificate.rfc,
            legal_name: certificate.legal_name,
            valid_from: certificate.valid_from,
            valid_until: certificate.valid_until,
            is_active: certificate.is_active,
            created_at: certificate.created_at,
        }
    }
}
