//! What an X.509 certificate of SAT says.

use std::fmt;

use aws_lc_rs::signature::{RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
use base64::{Engine, prelude::BASE64_STANDARD};
use der::{Decode, asn1::ObjectIdentifier};
use kernel::Timestamp;
use rsa::BigUint;
use x509_cert::{
    TbsCertificate,
    ext::pkix::{KeyUsage, KeyUsages},
    time::Time,
};

use super::{CsdProblem, FILE_BYTES_MAX, names};

const RSA_ENCRYPTION: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");

/// What a certificate serves for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateKind {
    /// A digital seal certificate: seals documents.
    Csd,
    /// An electronic signature (FIEL, e.firma): identifies a taxpayer, and cannot seal.
    Fiel,
    /// Anything else, such as the certificate of an authority.
    Other,
}

/// A certificate: whose it is, and the public key that proves their signatures.
///
/// Reading one does not prove that SAT issued it.
#[derive(Clone, PartialEq, Eq)]
pub struct Certificate {
    der: Vec<u8>,
    number: String,
    serial: String,
    issuer: String,
    rfc: String,
    legal_name: String,
    not_before: Timestamp,
    not_after: Timestamp,
    kind: CertificateKind,
    public_key: Vec<u8>,
}

impl Certificate {
    /// Reads the DER of a `.cer` file.
    ///
    /// # Errors
    /// [`CsdProblem::NotACertificate`].
    pub fn parse(der: &[u8]) -> Result<Self, CsdProblem> {
        if der.len() > FILE_BYTES_MAX {
            return Err(CsdProblem::NotACertificate);
        }
        let parsed =
            x509_cert::Certificate::from_der(der).map_err(|_| CsdProblem::NotACertificate)?;
        let body = parsed.tbs_certificate;
        let serial = body.serial_number.as_bytes();
        let number = number(serial);
        Ok(Self {
            der: der.to_vec(),
            kind: kind(&body, number.is_some()),
            number: number.unwrap_or_else(|| hexadecimal(serial)),
            serial: BigUint::from_bytes_be(serial).to_string(),
            issuer: names::in_one_line(&body.issuer),
            rfc: rfc(&body),
            legal_name: legal_name(&body),
            not_before: moment(body.validity.not_before),
            not_after: moment(body.validity.not_after),
            public_key: body.subject_public_key_info.subject_public_key.raw_bytes().to_vec(),
        })
    }

    /// The number by which documents name it: 20 digits (attribute `NoCertificado`).
    ///
    /// Of a certificate that has none, which is never a CSD, the serial in hexadecimal.
    #[must_use]
    pub fn number(&self) -> &str {
        &self.number
    }

    /// Whose it is: the RFC in the subject, without the representative's. Empty if it has none.
    #[must_use]
    pub fn rfc(&self) -> &str {
        &self.rfc
    }

    /// The taxpayer's name as SAT writes it; certificates before 2022 add the kind of company.
    #[must_use]
    pub fn legal_name(&self) -> &str {
        &self.legal_name
    }

    /// The first moment of its validity.
    #[must_use]
    pub const fn not_before(&self) -> Timestamp {
        self.not_before
    }

    /// The last moment of its validity.
    #[must_use]
    pub const fn not_after(&self) -> Timestamp {
        self.not_after
    }

    /// What it serves for.
    #[must_use]
    pub const fn kind(&self) -> CertificateKind {
        self.kind
    }

    /// The bytes of the `.cer` file.
    #[must_use]
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// The file in Base64 (attribute `Certificado`).
    #[must_use]
    pub fn base64(&self) -> String {
        BASE64_STANDARD.encode(&self.der)
    }

    /// The issuer's name in one line, as RFC 4514 writes it.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// The serial as a decimal number, as XML signatures name it.
    #[must_use]
    pub fn serial(&self) -> &str {
        &self.serial
    }

    /// The public key: `RSAPublicKey` of PKCS#1, in DER.
    #[must_use]
    pub fn public_key(&self) -> &[u8] {
        &self.public_key
    }

    /// Whether `signature` is this holder's over `message` (RSA-SHA256, PKCS#1 v1.5).
    #[must_use]
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, &self.public_key);
        key.verify(message, signature).is_ok()
    }

    /// Whether `seal` (`Sello`, `SelloSAT`: Base64) is this holder's over that *cadena original*.
    #[must_use]
    pub fn verify_seal(&self, cadena: &str, seal: &str) -> bool {
        let signature = BASE64_STANDARD.decode(seal);
        signature.is_ok_and(|signature| self.verify(cadena.as_bytes(), &signature))
    }

    /// Whether it is valid at a moment.
    #[must_use]
    pub fn is_valid_at(&self, moment: Timestamp) -> bool {
        (self.not_before..=self.not_after).contains(&moment)
    }

    /// What keeps it from sealing documents of `rfc` dated at `moment`; nothing if it may.
    #[must_use]
    pub fn problems_at(&self, moment: Timestamp, rfc: &str) -> Vec<CsdProblem> {
        let mut problems = Vec::new();
        problems.extend(self.problem_of_kind());
        if moment < self.not_before {
            problems.push(CsdProblem::NotYetValid { from: self.not_before });
        }
        if moment > self.not_after {
            problems.push(CsdProblem::Expired { on: self.not_after });
        }
        if self.rfc != rfc {
            let (certificate, expected) = (self.rfc.clone(), rfc.to_owned());
            problems.push(CsdProblem::OfAnotherRfc { certificate, expected });
        }
        problems
    }

    pub(super) fn problem_of_kind(&self) -> Option<CsdProblem> {
        let certificate = self.number.clone();
        match self.kind {
            CertificateKind::Csd => None,
            CertificateKind::Fiel => Some(CsdProblem::IsFiel { certificate }),
            CertificateKind::Other => Some(CsdProblem::NotACsd { certificate }),
        }
    }
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate")
            .field("number", &self.number)
            .field("rfc", &self.rfc)
            .field("kind", &self.kind)
            .field("not_after", &self.not_after)
            .finish_non_exhaustive()
    }
}

/// SAT makes the serial of twenty ASCII digits.
fn number(serial: &[u8]) -> Option<String> {
    let digits = serial.len() == 20 && serial.iter().all(u8::is_ascii_digit);
    digits.then(|| serial.iter().copied().map(char::from).collect())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn rfc(body: &TbsCertificate) -> String {
    let holder = names::attribute(&body.subject, names::UNIQUE_IDENTIFIER).unwrap_or_default();
    holder.split('/').next().unwrap_or_default().trim().to_owned()
}

/// `name` first, for X.520 cuts the others at 64 characters.
fn legal_name(body: &TbsCertificate) -> String {
    [names::NAME, names::ORGANIZATION, names::COMMON_NAME]
        .into_iter()
        .find_map(|attribute| names::attribute(&body.subject, attribute))
        .unwrap_or_default()
}

fn kind(body: &TbsCertificate, has_number: bool) -> CertificateKind {
    let usage = body.get::<KeyUsage>().ok().flatten().map(|(_, usage)| usage.0);
    let is_rsa = body.subject_public_key_info.algorithm.oid == RSA_ENCRYPTION;
    let Some(usage) = usage.filter(|_| has_number && is_rsa) else {
        return CertificateKind::Other;
    };
    let signs =
        usage.contains(KeyUsages::DigitalSignature) && usage.contains(KeyUsages::NonRepudiation);
    let encrypts =
        usage.contains(KeyUsages::DataEncipherment) || usage.contains(KeyUsages::KeyAgreement);
    let certifies = usage.contains(KeyUsages::KeyCertSign) || usage.contains(KeyUsages::CRLSign);
    let has_unit = names::attribute(&body.subject, names::UNIT).is_some();
    match (signs && !certifies, encrypts, has_unit) {
        (true, false, true) => CertificateKind::Csd,
        (true, true, false) => CertificateKind::Fiel,
        _ => CertificateKind::Other,
    }
}

fn moment(time: Time) -> Timestamp {
    let micros = time.to_unix_duration().as_micros();
    Timestamp::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
}
