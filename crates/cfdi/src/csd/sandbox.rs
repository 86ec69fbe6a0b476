//! Certificates for trying things out, shaped like SAT's and worth nothing outside.
//!
//! They sign themselves in the name of an issuer called `SANDBOX`, which no authority trusts.

use std::{fmt, time::Duration};

use aws_lc_rs::{
    rand::SystemRandom,
    signature::{RSA_PKCS1_SHA256, RsaKeyPair},
};
use der::{
    Any, Encode, Tag,
    asn1::{BitString, ObjectIdentifier, OctetString, PrintableString},
    oid::AssociatedOid,
};
use kernel::Timestamp;
use rsa::{
    RsaPrivateKey,
    pkcs8::{
        EncodePrivateKey, EncodePublicKey,
        spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned},
    },
    rand_core::CryptoRngCore,
};
use x509_cert::{
    TbsCertificate, Version,
    attr::AttributeTypeAndValue,
    ext::{
        AsExtension, Extension,
        pkix::{BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages},
    },
    name::{Name, RdnSequence, RelativeDistinguishedName},
    serial_number::SerialNumber,
    time::{Time, Validity},
};
use zeroize::Zeroizing;

use super::names;

/// The name of the issuer, which tells a sandbox certificate from one of SAT.
pub const ISSUER: &str = "SANDBOX";

/// Bits of the keys.
const KEY_BITS: usize = 2_048;

/// How long a certificate of SAT is valid: four years, in seconds.
const VALIDITY_SECONDS: i64 = 1_461 * 86_400;

/// The digits with which every number begins; random ones follow.
const NUMBER_PREFIX: &str = "3000100000";

const SHA256_WITH_RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.11");
const EMAIL_PROTECTION: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.4");
const NETSCAPE_KIND: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.113730.1.1");
const CLIENT_AUTHENTICATION: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.2");

/// What a certificate is to serve for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A taxpayer's seal (CSD).
    Seal,
    /// The stamp of a certification provider (PAC): also a CSD.
    Stamp,
    /// A taxpayer's electronic signature (FIEL), to try its refusal.
    Fiel,
}

/// Whose certificate, for what and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order<'a> {
    /// The RFC as the certificate writes it: a company's may have ` / ` and its representative's behind.
    pub rfc: &'a str,
    /// The holder's name.
    pub legal_name: &'a str,
    /// What it serves for.
    pub purpose: Purpose,
    /// The first moment of its validity, cut to seconds.
    pub not_before: Timestamp,
    /// The last moment of its validity, cut to seconds.
    pub not_after: Timestamp,
}

impl<'a> Order<'a> {
    /// A taxpayer's CSD, valid for four years from `moment`.
    #[must_use]
    pub const fn seal(rfc: &'a str, legal_name: &'a str, moment: Timestamp) -> Self {
        let not_after = moment.plus_seconds(VALIDITY_SECONDS);
        Self { rfc, legal_name, purpose: Purpose::Seal, not_before: moment, not_after }
    }

    /// A certification provider's CSD, valid for four years from `moment`.
    #[must_use]
    pub const fn stamp(rfc: &'a str, legal_name: &'a str, moment: Timestamp) -> Self {
        Self { purpose: Purpose::Stamp, ..Self::seal(rfc, legal_name, moment) }
    }
}

/// A certificate and its key.
pub struct Issued {
    /// The certificate, as a `.cer` file.
    pub cer_der: Vec<u8>,
    /// The private key, plain PKCS#8 in DER; [`super::key::encrypt`] makes a `.key` file of it.
    pub pkcs8_der: Zeroizing<Vec<u8>>,
}

impl fmt::Debug for Issued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Issued(***)")
    }
}

/// The certificate could not be written, such as for a moment before 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuanceFailed(String);

impl fmt::Display for IssuanceFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no sandbox certificate could be issued: {}", self.0)
    }
}

impl std::error::Error for IssuanceFailed {}

/// Makes a key and its certificate. The search for two primes takes tenths of a second.
///
/// # Errors
/// [`IssuanceFailed`].
pub fn issue(order: &Order<'_>, rng: &mut impl CryptoRngCore) -> Result<Issued, IssuanceFailed> {
    let key = RsaPrivateKey::new(rng, KEY_BITS).map_err(failed)?;
    let pkcs8 = key.to_pkcs8_der().map_err(failed)?;
    let public = key.to_public_key().to_public_key_der().map_err(failed)?;
    let public = SubjectPublicKeyInfoOwned::try_from(public.as_bytes()).map_err(failed)?;
    let body = body(order, &random_number(rng), public).map_err(failed)?;
    let cer_der = signed(body, pkcs8.as_bytes())?;
    Ok(Issued { cer_der, pkcs8_der: Zeroizing::new(pkcs8.as_bytes().to_vec()) })
}

fn failed(error: impl fmt::Display) -> IssuanceFailed {
    IssuanceFailed(error.to_string())
}

fn random_number(rng: &mut impl CryptoRngCore) -> String {
    let digits = rng.next_u64() % 10_u64.pow(10);
    format!("{NUMBER_PREFIX}{digits:010}")
}

fn body(
    order: &Order<'_>,
    number: &str,
    public: SubjectPublicKeyInfoOwned,
) -> der::Result<TbsCertificate> {
    let issuer = name(&[(names::COMMON_NAME, ISSUER), (names::ORGANIZATION, ISSUER)])?;
    let subject = subject(order)?;
    let extensions = extensions(order.purpose, &subject)?;
    Ok(TbsCertificate {
        version: Version::V3,
        serial_number: SerialNumber::new(number.as_bytes())?,
        signature: sha256_with_rsa(),
        issuer,
        validity: Validity {
            not_before: time(order.not_before)?,
            not_after: time(order.not_after)?,
        },
        subject,
        subject_public_key_info: public,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Some(extensions),
    })
}

fn signed(body: TbsCertificate, pkcs8: &[u8]) -> Result<Vec<u8>, IssuanceFailed> {
    let key = RsaKeyPair::from_pkcs8(pkcs8).map_err(failed)?;
    let message = body.to_der().map_err(failed)?;
    let mut signature = vec![0; key.public_modulus_len()];
    // This padding draws no randomness; the parameter is for the other one.
    let unused = SystemRandom::new();
    key.sign(&RSA_PKCS1_SHA256, &unused, &message, &mut signature).map_err(failed)?;
    let certificate = x509_cert::Certificate {
        tbs_certificate: body,
        signature_algorithm: sha256_with_rsa(),
        signature: BitString::from_bytes(&signature).map_err(failed)?,
    };
    certificate.to_der().map_err(failed)
}

fn sha256_with_rsa() -> AlgorithmIdentifierOwned {
    AlgorithmIdentifierOwned { oid: SHA256_WITH_RSA, parameters: Some(Any::null()) }
}

/// The attributes in the order in which SAT writes them.
fn subject(order: &Order<'_>) -> der::Result<Name> {
    let legal_name = order.legal_name;
    let holder = order.rfc.split('/').next().unwrap_or_default().trim();
    let provider = format!("PAC{holder}");
    let (country, unit) = match order.purpose {
        Purpose::Seal => (None, Some("Sucursal 1")),
        Purpose::Stamp => (None, Some(provider.as_str())),
        Purpose::Fiel => (Some("MX"), None),
    };
    let attributes = [
        Some((names::COMMON_NAME, legal_name)),
        Some((names::NAME, legal_name)),
        Some((names::ORGANIZATION, legal_name)),
        country.map(|country| (names::COUNTRY, country)),
        Some((names::UNIQUE_IDENTIFIER, order.rfc)),
        unit.map(|unit| (names::UNIT, unit)),
    ];
    let attributes: Vec<_> = attributes.into_iter().flatten().collect();
    name(&attributes)
}

fn name(attributes: &[(ObjectIdentifier, &str)]) -> der::Result<Name> {
    let relatives = attributes.iter().map(|(oid, text)| {
        // As SAT does: the narrow type where it suffices, for its readers are old.
        let tag = PrintableString::new(text).map_or(Tag::Utf8String, |_| Tag::PrintableString);
        let value = Any::new(tag, text.as_bytes())?;
        let attribute = AttributeTypeAndValue { oid: *oid, value };
        Ok(RelativeDistinguishedName(vec![attribute].try_into()?))
    });
    Ok(RdnSequence(relatives.collect::<der::Result<_>>()?))
}

fn extensions(purpose: Purpose, subject: &Name) -> der::Result<Vec<Extension>> {
    let signs = KeyUsages::DigitalSignature | KeyUsages::NonRepudiation;
    let usage = match purpose {
        Purpose::Seal | Purpose::Stamp => signs,
        Purpose::Fiel => signs | KeyUsages::DataEncipherment | KeyUsages::KeyAgreement,
    };
    let not_an_authority = BasicConstraints { ca: false, path_len_constraint: None };
    let mut extensions = vec![
        Extension { critical: true, ..not_an_authority.to_extension(subject, &[])? },
        Extension { critical: false, ..KeyUsage(usage).to_extension(subject, &[])? },
    ];
    if purpose == Purpose::Fiel {
        let uses = ExtendedKeyUsage(vec![EMAIL_PROTECTION, CLIENT_AUTHENTICATION]);
        // Client of TLS and of mail.
        let kind = BitString::new(5, [0b1010_0000])?;
        extensions.push(extension(NETSCAPE_KIND, &kind)?);
        extensions.push(extension(<ExtendedKeyUsage as AssociatedOid>::OID, &uses)?);
    }
    Ok(extensions)
}

fn extension(extn_id: ObjectIdentifier, value: &impl Encode) -> der::Result<Extension> {
    Ok(Extension { extn_id, critical: false, extn_value: OctetString::new(value.to_der()?)? })
}

fn time(moment: Timestamp) -> der::Result<Time> {
    let seconds = u64::try_from(moment.micros().div_euclid(1_000_000))
        .map_err(|_| der::ErrorKind::DateTime)?;
    let duration = Duration::from_secs(seconds);
    // Years that two digits can tell are written with two (RFC 5280, section 4.1.2.5).
    der::asn1::UtcTime::from_unix_duration(duration).map(Time::UtcTime).or_else(|_| {
        der::asn1::GeneralizedTime::from_unix_duration(duration).map(Time::GeneralTime)
    })
}
