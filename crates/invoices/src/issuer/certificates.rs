//! Which certificate of an issuer seals.

use cfdi::csd::Certificate;
use kernel::{Refused, Timestamp};

use super::{CERTIFICATES_MAX, CertificateId, IssuerCertificate};
use crate::InvoiceError;

/// A certificate to be kept. When it is active, all others of its RFC are so no more.
///
/// # Errors
/// [`InvoiceError::TooManyCertificates`]; [`InvoiceError::KnownCertificate`] when its number is known.
pub fn added(
    known: &[IssuerCertificate],
    certificate: &Certificate,
    id: CertificateId,
    now: Timestamp,
) -> Result<IssuerCertificate, Refused<InvoiceError>> {
    if known.len() >= CERTIFICATES_MAX {
        return Err(Refused::Rule(InvoiceError::TooManyCertificates));
    }
    if let Some(same) = known.iter().find(|one| one.number == certificate.number()) {
        return Err(Refused::Rule(InvoiceError::KnownCertificate { id: same.id }));
    }
    let seals = |one: &IssuerCertificate| {
        one.is_active && one.rfc == certificate.rfc() && one.valid_until > now
    };
    Ok(IssuerCertificate {
        id,
        number: certificate.number().to_owned(),
        rfc: certificate.rfc().to_owned(),
        legal_name: certificate.legal_name().to_owned(),
        valid_from: certificate.not_before(),
        valid_until: certificate.not_after(),
        is_active: !known.iter().any(seals),
        created_at: now,
    })
}

/// The certificate that seals from now on; all others of its RFC do so no more.
///
/// # Errors
/// [`Refused::NotFound`] when the account has no such certificate.
pub fn activated(
    known: &[IssuerCertificate],
    id: CertificateId,
) -> Result<IssuerCertificate, Refused<InvoiceError>> {
    let found = known.iter().find(|one| one.id == id).ok_or(Refused::NotFound)?;
    Ok(IssuerCertificate { is_active: true, ..found.clone() })
}
