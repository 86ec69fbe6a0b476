//! Pairs, good and bad.

use kernel::Timestamp;
use proptest::prelude::*;
use rsa::rand_core::OsRng;

use super::{
    Certificate, CertificateKind, Csd, CsdProblem, key,
    sandbox::{self, Order},
};

const PASSWORD: &str = "12345678a";

macro_rules! fixture {
    ($file:literal) => {
        include_bytes!(concat!("../../fixtures/csd/", $file)).as_slice()
    };
}

const COMPANY: (&[u8], &[u8]) = (fixture!("EKU9003173C9.cer"), fixture!("EKU9003173C9.key"));
const PERSON: (&[u8], &[u8]) = (fixture!("CACX7605101P8.cer"), fixture!("CACX7605101P8.key"));
const EXPIRED: (&[u8], &[u8]) =
    (fixture!("EKU9003173C9_expired.cer"), fixture!("EKU9003173C9_expired.key"));
const FIEL: (&[u8], &[u8]) = (fixture!("EKU9003173C9_fiel.cer"), fixture!("EKU9003173C9_fiel.key"));
const PROVIDER: (&[u8], &[u8]) =
    (fixture!("AAA010101AAA_provider.cer"), fixture!("AAA010101AAA_provider.key"));

fn moment(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn open((cer, key): (&[u8], &[u8])) -> Csd {
    Csd::open(cer, key, PASSWORD).unwrap()
}

fn refusal(cer: &[u8], key: &[u8], password: &str) -> CsdProblem {
    Csd::open(cer, key, password).unwrap_err()
}

fn number((cer, _): (&[u8], &[u8])) -> String {
    Certificate::parse(cer).unwrap().number().to_owned()
}

#[test]
fn a_certificate_says_whose_it_is() {
    let company = Certificate::parse(COMPANY.0).unwrap();
    assert_eq!(company.rfc(), "EKU9003173C9");
    assert_eq!(company.legal_name(), "ESCUELA KEMPER URGATE");
    assert_eq!(company.kind(), CertificateKind::Csd);
    assert_eq!(company.not_before(), moment("2023-01-01T06:00:00Z"));
    assert_eq!(company.not_after(), moment("2035-01-01T06:00:00Z"));
    assert_eq!(company.issuer(), "O=SANDBOX,CN=SANDBOX");
    assert_eq!(company.der(), COMPANY.0);
    assert!(company.base64().starts_with("MII"));
    assert_eq!(company.number().len(), 20);
    assert!(company.number().starts_with("3000100000"));
    // The number's digits are ASCII in the serial, which is one great number.
    let serial = rsa::BigUint::from_bytes_be(company.number().as_bytes());
    assert_eq!(company.serial(), serial.to_string());

    let kind = |(cer, _): (&[u8], &[u8])| Certificate::parse(cer).unwrap().kind();
    assert_eq!(kind(PERSON), CertificateKind::Csd);
    assert_eq!(kind(PROVIDER), CertificateKind::Csd);
    assert_eq!(kind(FIEL), CertificateKind::Fiel);
}

#[test]
fn a_pair_opens_and_opens_again_without_its_password() {
    for pair in [COMPANY, PERSON, EXPIRED, PROVIDER] {
        let csd = open(pair);
        let again = Csd::restore(pair.0, &csd.private_key_der()).unwrap();
        assert_eq!(csd.seal("||4.0||").unwrap(), again.seal("||4.0||").unwrap());
    }
}

#[test]
fn a_pair_is_refused_with_its_cure() {
    assert_eq!(refusal(COMPANY.1, COMPANY.1, PASSWORD), CsdProblem::NotACertificate);
    assert_eq!(refusal(COMPANY.0, COMPANY.0, PASSWORD), CsdProblem::NotAKey);
    assert_eq!(refusal(COMPANY.0, COMPANY.1, "12345678A"), CsdProblem::WrongPassword);
    assert_eq!(refusal(COMPANY.0, COMPANY.1, ""), CsdProblem::WrongPassword);
    assert_eq!(refusal(COMPANY.0, COMPANY.1, "contraseña"), CsdProblem::WrongPassword);
    let certificate = number(COMPANY);
    let problem = CsdProblem::KeyOfAnotherCertificate { certificate };
    assert_eq!(refusal(COMPANY.0, PERSON.1, PASSWORD), problem);
    let problem = CsdProblem::IsFiel { certificate: number(FIEL) };
    assert_eq!(refusal(FIEL.0, FIEL.1, PASSWORD), problem);
    let csd = open(COMPANY);
    let restored = Csd::restore(PERSON.0, &csd.private_key_der()).unwrap_err();
    let certificate = number(PERSON);
    assert_eq!(restored, CsdProblem::KeyOfAnotherCertificate { certificate });
    assert_eq!(Csd::restore(COMPANY.0, COMPANY.1).unwrap_err(), CsdProblem::NotAKey);
    // A key in the clear is not what SAT delivers.
    assert_eq!(refusal(COMPANY.0, &csd.private_key_der(), PASSWORD), CsdProblem::NotAKey);
}

#[test]
fn validity_and_holder_are_checked_at_a_moment() {
    let certificate = |(cer, _): (&[u8], &[u8])| Certificate::parse(cer).unwrap();
    let today = moment("2026-08-01T12:00:00Z");
    assert_eq!(open(COMPANY).problems_at(today, "EKU9003173C9"), []);
    let expired = CsdProblem::Expired { on: moment("2019-01-01T06:00:00Z") };
    assert_eq!(certificate(EXPIRED).problems_at(today, "EKU9003173C9"), [expired]);
    assert_eq!(
        certificate(FIEL).problems_at(moment("2022-12-31T00:00:00Z"), "CACX7605101P8"),
        [
            CsdProblem::IsFiel { certificate: number(FIEL) },
            CsdProblem::NotYetValid { from: moment("2023-01-01T06:00:00Z") },
            CsdProblem::OfAnotherRfc {
                certificate: "EKU9003173C9".to_owned(),
                expected: "CACX7605101P8".to_owned(),
            },
        ]
    );
    let person = certificate(PERSON);
    assert!(person.is_valid_at(person.not_before()) && person.is_valid_at(person.not_after()));
    assert!(!person.is_valid_at(person.not_before().plus_seconds(-1)));
    assert!(!person.is_valid_at(person.not_after().plus_seconds(1)));
}

#[test]
fn every_problem_names_a_cure() {
    let on = moment("2019-01-01T06:00:00Z");
    let text = CsdProblem::Expired { on }.to_string();
    assert_eq!(
        text,
        "The certificate expired on 2019-01-01T06:00:00.000Z; request a new CSD in CertiSAT Web \
         and send it."
    );
    assert_eq!(CsdProblem::Expired { on }.sat_code(), Some("305"));
    assert_eq!(CsdProblem::WrongPassword.sat_code(), None);
}

#[test]
fn a_seal_is_the_holders_and_always_the_same() {
    let cadena = "||4.0|A|1|Año 2026|ÑANDÚ & HIJOS||";
    let (csd, other) = (open(COMPANY), open(PERSON));
    let seal = csd.seal(cadena).unwrap();
    assert_eq!(seal, csd.seal(cadena).unwrap());
    assert_eq!(seal.len(), 344);
    assert!(csd.certificate().verify_seal(cadena, &seal));
    assert!(!csd.certificate().verify_seal("||4.0|A|2||", &seal));
    assert!(!csd.certificate().verify_seal(cadena, &seal.replace('/', "+")));
    assert!(!csd.certificate().verify_seal(cadena, "not Base64"));
    assert!(!csd.certificate().verify_seal(cadena, ""));
    assert!(!other.certificate().verify_seal(cadena, &seal));
}

#[test]
fn no_key_shows_itself() {
    let csd = open(COMPANY);
    let shown = format!("{csd:?}");
    assert!(shown.contains("EKU9003173C9"));
    assert!(shown.len() < 300, "{shown}");
}

#[test]
fn a_csd_is_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Csd>();
}

#[test]
fn a_key_file_that_we_make_opens_with_its_password() {
    let csd = open(COMPANY);
    let pkcs8 = csd.private_key_der();
    let file = key::encrypt(&pkcs8, "contraseña", &mut OsRng).unwrap();
    assert_eq!(*key::decrypt(&file, "contraseña").unwrap(), *pkcs8);
    assert_eq!(key::decrypt(&file, "contrasena"), Err(CsdProblem::WrongPassword));
    assert_eq!(key::encrypt(b"no key", "x", &mut OsRng), Err(CsdProblem::NotAKey));
}

#[test]
fn a_sandbox_certificate_is_a_csd_like_any() {
    let now = moment("2026-08-01T12:00:00.700Z");
    let order = Order::seal("ÑAM&260801AB1", "PEÑA & HIJOS", now);
    let issued = sandbox::issue(&order, &mut OsRng).unwrap();
    let file = key::encrypt(&issued.pkcs8_der, PASSWORD, &mut OsRng).unwrap();
    let csd = Csd::open(&issued.cer_der, &file, PASSWORD).unwrap();
    assert_eq!(csd.problems_at(now, "ÑAM&260801AB1"), []);
    assert_eq!(csd.certificate().legal_name(), "PEÑA & HIJOS");
    assert_eq!(csd.certificate().not_before(), moment("2026-08-01T12:00:00Z"));
    assert_eq!(csd.certificate().not_after(), moment("2030-08-01T12:00:00Z"));
    assert_eq!(format!("{issued:?}"), "Issued(***)");
    let before_the_epoch = Order { not_before: moment("1969-01-01T00:00:00Z"), ..order };
    assert!(sandbox::issue(&before_the_epoch, &mut OsRng).is_err());
}

#[test]
fn a_provider_stamps_with_a_csd_of_its_own() {
    let csd = open(PROVIDER);
    let today = moment("2026-08-01T12:00:00Z");
    assert_eq!(csd.problems_at(today, "AAA010101AAA"), []);
    assert!(csd.certificate().issuer().contains(sandbox::ISSUER));
}

/// No byte in a file may make us panic or loop.
fn survives(cer: &[u8], key: &[u8]) {
    if let Ok(certificate) = Certificate::parse(cer) {
        let _ = certificate.verify(b"message", &[7; 256]);
        let _ = certificate.problems_at(Timestamp::from_micros(0), "EKU9003173C9");
    }
    let _ = Csd::open(cer, key, PASSWORD);
    let _ = Csd::restore(cer, key);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn garbage_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(Certificate::parse(&bytes), Err(CsdProblem::NotACertificate));
        prop_assert_eq!(key::decrypt(&bytes, PASSWORD), Err(CsdProblem::NotAKey));
        survives(&bytes, &bytes);
    }

    #[test]
    fn truncated_files_are_refused(cut in 0.0..1.0_f64) {
        let cut_off = |file: &'static [u8]| &file[..(file.len() as f64 * cut) as usize];
        let (cer, file) = (cut_off(COMPANY.0), cut_off(COMPANY.1));
        prop_assert_eq!(Certificate::parse(cer), Err(CsdProblem::NotACertificate));
        prop_assert_eq!(key::decrypt(file, PASSWORD), Err(CsdProblem::NotAKey));
    }

    #[test]
    fn damaged_files_do_no_harm(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut cer = COMPANY.0.to_vec();
        let index = at.index(cer.len());
        cer[index] = byte;
        let mut file = COMPANY.1.to_vec();
        let index = at.index(file.len());
        file[index] = byte;
        survives(&cer, COMPANY.1);
        survives(COMPANY.0, &file);
    }

    #[test]
    fn a_damaged_plain_key_does_no_harm(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut pkcs8 = open(COMPANY).private_key_der().to_vec();
        let index = at.index(pkcs8.len());
        pkcs8[index] = byte;
        if let Ok(csd) = Csd::restore(COMPANY.0, &pkcs8) {
            let seal = csd.seal("||");
            prop_assert!(seal.is_err() || csd.certificate().verify_seal("||", &seal.unwrap()));
            let _ = csd.sign_sha1(b"message", &mut OsRng);
        }
    }
}

#[test]
fn files_too_large_are_refused() {
    let large = vec![0x30; super::FILE_BYTES_MAX + 1];
    assert_eq!(Certificate::parse(&large), Err(CsdProblem::NotACertificate));
    assert_eq!(key::decrypt(&large, PASSWORD), Err(CsdProblem::NotAKey));
}
