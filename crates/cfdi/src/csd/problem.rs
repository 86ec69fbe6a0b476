//! Why a certificate and key are refused, each with its cure.

use std::fmt;

use kernel::{Message, Timestamp, message};

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

impl CsdProblem {
    /// What is wrong and how to cure it, in sentences.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::NotACertificate => message!(
                "The certificate file is not a certificate; send the .cer file as SAT delivered it.",
                "El archivo del certificado no es un certificado; hay que enviar el archivo .cer tal como lo \
                 entregó el SAT."
            ),
            Self::NotAKey => message!(
                "The key file is not an encrypted private key; send the .key file as SAT delivered it.",
                "El archivo de la llave no es una llave privada cifrada; hay que enviar el archivo .key tal \
                 como lo entregó el SAT."
            ),
            Self::WrongPassword => message!(
                "The password does not open the key; use the one chosen when the CSD was requested, \
                 with its upper and lower case.",
                "La contraseña no abre la llave; hay que usar la que se eligió al solicitar el CSD, con sus \
                 mayúsculas y minúsculas."
            ),
            Self::KeyOfAnotherCertificate { certificate } => message!(
                "The key does not belong to certificate {certificate}; send the .cer and the .key that \
                 were delivered together.",
                "La llave no corresponde al certificado {certificate}; hay que enviar el .cer y el .key que se \
                 entregaron juntos."
            ),
            Self::IsFiel { certificate } => message!(
                "Certificate {certificate} is an e.firma (FIEL), which cannot seal invoices; send a \
                 digital seal certificate (CSD), which SAT issues in CertiSAT Web.",
                "El certificado {certificate} es una e.firma (FIEL), que no puede sellar facturas; \
                 hay que enviar un certificado de sello digital (CSD), que el SAT expide en CertiSAT Web."
            ),
            Self::NotACsd { certificate } => message!(
                "Certificate {certificate} is not a digital seal certificate (CSD); send the one that \
                 SAT issued for invoicing.",
                "El certificado {certificate} no es un certificado de sello digital (CSD); hay que enviar el \
                 que el SAT expidió para facturar."
            ),
            Self::Expired { on } => message!(
                "The certificate expired on {on}; request a new CSD in CertiSAT Web and send it.",
                "El certificado venció el {on}; hay que solicitar un CSD nuevo en CertiSAT Web y enviarlo."
            ),
            Self::NotYetValid { from } => message!(
                "The certificate is valid only from {from}; wait until then or send another CSD.",
                "El certificado es válido a partir del {from}; hay que esperar hasta entonces o enviar otro CSD."
            ),
            Self::OfAnotherRfc { certificate, expected } => message!(
                "The certificate belongs to RFC {certificate}, not to {expected}; send the CSD of \
                 {expected} or correct the RFC.",
                "El certificado es del RFC {certificate}, no de {expected}; hay que enviar el CSD de {expected} \
                 o corregir el RFC."
            ),
        }
    }
}

impl fmt::Display for CsdProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
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
