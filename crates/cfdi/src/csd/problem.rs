//! Why a certificate and key are refused, each with its cure.

use std::fmt;

use kernel::Timestamp;

/// Why a pair of files cannot seal, or not now, or not for this taxpayer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CsdProblem {
    /// The certificate file is not an X.509 certificate in DER.
    NotACertificate,
    /// The key file is not an encrypted PKCS#8 private key of RSA that is safe to use.
    NotAKey,
    /// The password does not open the key.
    WrongPassword,
    /// Key and certificate are not a pair.
    KeyOfAnotherCertificate {
        /// The number of the certificate that was given.
        certificate: String,
    },
    /// The certificate is of an electronic signature (FIEL, e.firma), which cannot seal.
    IsFiel {
        /// The number of the certificate.
        certificate: String,
    },
    /// The certificate is neither a CSD nor a FIEL.
    NotACsd {
        /// The number of the certificate.
        certificate: String,
    },
    /// The certificate is no longer valid.
    Expired {
        /// The last moment of its validity.
        on: Timestamp,
    },
    /// The certificate is not valid yet.
    NotYetValid {
        /// The first moment of its validity.
        from: Timestamp,
    },
    /// The certificate belongs to another taxpayer.
    OfAnotherRfc {
        /// Whose it is.
        certificate: String,
        /// Whose it should be.
        expected: String,
    },
}

impl CsdProblem {
    /// The code by which SAT and certification providers refuse a document for this, if there is one.
    #[must_use]
    pub const fn sat_code(&self) -> Option<&'static str> {
        match self {
            Self::OfAnotherRfc { .. } => Some("303"),
            Self::Expired { .. } | Self::NotYetValid { .. } => Some("305"),
            Self::IsFiel { .. } | Self::NotACsd { .. } => Some("306"),
            Self::NotACertificate
            | Self::NotAKey
            | Self::WrongPassword
            | Self::KeyOfAnotherCertificate { .. } => None,
        }
    }
}

impl fmt::Display for CsdProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotACertificate => f.write_str(
                "The certificate file is not a certificate; send the .cer file as SAT delivered it.",
            ),
            Self::NotAKey => f.write_str(
                "The key file is not an encrypted private key; send the .key file as SAT delivered it.",
            ),
            Self::WrongPassword => f.write_str(
                "The password does not open the key; use the one chosen when the CSD was requested, \
                 with its upper and lower case.",
            ),
            Self::KeyOfAnotherCertificate { certificate } => write!(
                f,
                "The key does not belong to certificate {certificate}; send the .cer and the .key that \
                 were delivered together.",
            ),
            Self::IsFiel { certificate } => write!(
                f,
                "Certificate {certificate} is an e.firma (FIEL), which cannot seal invoices; send a \
                 digital seal certificate (CSD), which SAT issues in CertiSAT Web.",
            ),
            Self::NotACsd { certificate } => write!(
                f,
                "Certificate {certificate} is not a digital seal certificate (CSD); send the one that \
                 SAT issued for invoicing.",
            ),
            Self::Expired { on } => write!(
                f,
                "The certificate expired on {on}; request a new CSD in CertiSAT Web and send it.",
            ),
            Self::NotYetValid { from } => write!(
                f,
                "The certificate is valid only from {from}; wait until then or send another CSD.",
            ),
            Self::OfAnotherRfc { certificate, expected } => write!(
                f,
                "The certificate belongs to RFC {certificate}, not to {expected}; send the CSD of \
                 {expected} or correct the RFC.",
            ),
        }
    }
}

impl std::error::Error for CsdProblem {}

/// A signature did not come about: the key is damaged, or the machine made an error of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SigningFailed;

impl fmt::Display for SigningFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the private key could not sign")
    }
}

impl std::error::Error for SigningFailed {}
