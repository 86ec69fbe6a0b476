//! A certificate with its private key.

use std::fmt;

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{KeyPair, RSA_PKCS1_SHA256, RsaKeyPair},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use kernel::Timestamp;
use rsa::{
    RsaPrivateKey,
    pkcs1v15::SigningKey,
    pkcs8::DecodePrivateKey,
    rand_core::CryptoRngCore,
    signature::{RandomizedSigner, SignatureEncoding},
};
use sha1::Sha1;
use zeroize::Zeroizing;

use super::{Certificate, CsdProblem, SigningFailed, key};

/// An opened CSD: seals documents and signs cancellations.
///
/// It never shows its key in logs. The key, and the numbers that are derived from it to sign, are wiped
/// when it is dropped; keep few of these all the same, and not for longer than they serve.
pub struct Csd {
    certificate: Certificate,
    pkcs8: Zeroizing<Vec<u8>>,
    key_pair: RsaKeyPair,
}

impl Csd {
    /// Opens the files of SAT: `.cer`, `.key` and the key's password.
    ///
    /// Whose it is and whether it is valid today is [`Csd::problems_at`]'s to say.
    ///
    /// # Errors
    /// What is wrong with the files or the password.
    pub fn open(cer_der: &[u8], key_der: &[u8], password: &str) -> Result<Self, CsdProblem> {
        let certificate = csd_certificate(cer_der)?;
        Self::pair(certificate, key::decrypt(key_der, password)?)
    }

    /// Opens again what [`Csd::private_key_der`] gave, without a password.
    ///
    /// # Errors
    /// What is wrong with either.
    pub fn restore(cer_der: &[u8], pkcs8_der: &[u8]) -> Result<Self, CsdProblem> {
        let certificate = csd_certificate(cer_der)?;
        Self::pair(certificate, Zeroizing::new(pkcs8_der.to_vec()))
    }

    fn pair(certificate: Certificate, pkcs8: Zeroizing<Vec<u8>>) -> Result<Self, CsdProblem> {
        let key_pair = RsaKeyPair::from_pkcs8(&pkcs8).map_err(|_| CsdProblem::NotAKey)?;
        if key_pair.public_key().as_ref() != certificate.public_key() {
            let certificate = certificate.number().to_owned();
            return Err(CsdProblem::KeyOfAnotherCertificate { certificate });
        }
        Ok(Self { certificate, pkcs8, key_pair })
    }

    /// The certificate.
    #[must_use]
    pub const fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// The private key, plain PKCS#8 in DER, to be encrypted by whoever keeps it.
    #[must_use]
    pub fn private_key_der(&self) -> Zeroizing<Vec<u8>> {
        self.pkcs8.clone()
    }

    /// What keeps it from sealing documents of `rfc` dated at `moment`; nothing if it may.
    #[must_use]
    pub fn problems_at(&self, moment: Timestamp, rfc: &str) -> Vec<CsdProblem> {
        self.certificate.problems_at(moment, rfc)
    }

    /// The seal (attribute `Sello`) of a *cadena original*: Base64 of RSA-SHA256, PKCS#1 v1.5.
    ///
    /// The same text always gives the same seal.
    ///
    /// # Errors
    /// [`SigningFailed`], which no correct key on a sound machine causes.
    pub fn seal(&self, cadena: &str) -> Result<String, SigningFailed> {
        let mut signature = vec![0; self.key_pair.public_modulus_len()];
        // This padding draws no randomness; the parameter is for the other one.
        let unused = SystemRandom::new();
        self.key_pair
            .sign(&RSA_PKCS1_SHA256, &unused, cadena.as_bytes(), &mut signature)
            .map_err(|_| SigningFailed)?;
        Ok(BASE64_STANDARD.encode(signature))
    }

    /// RSA-SHA1, PKCS#1 v1.5, which SAT still asks of cancellations.
    ///
    /// The random source hides the key from whoever measures the time; the signature is always the same.
    pub(crate) fn sign_sha1(
        &self,
        message: &[u8],
        rng: &mut impl CryptoRngCore,
    ) -> Result<Vec<u8>, SigningFailed> {
        let key = RsaPrivateKey::from_pkcs8_der(&self.pkcs8).map_err(|_| SigningFailed)?;
        let signature = SigningKey::<Sha1>::new(key).try_sign_with_rng(rng, message);
        signature.map(|signature| signature.to_vec()).map_err(|_| SigningFailed)
    }
}

impl fmt::Debug for Csd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Csd").field("certificate", &self.certificate).finish_non_exhaustive()
    }
}

fn csd_certificate(cer_der: &[u8]) -> Result<Certificate, CsdProblem> {
    let certificate = Certificate::parse(cer_der)?;
    match certificate.problem_of_kind() {
        Some(problem) => Err(problem),
        None => Ok(certificate),
    }
}
