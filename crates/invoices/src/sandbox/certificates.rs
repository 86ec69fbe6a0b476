//! The certificates that documents bring: those of an issuer all bring the same.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use cfdi::csd::Certificate;

/// How many are remembered.
const REMEMBERED_MAX: usize = 64;

/// Certificates that were read lately, by their text.
#[derive(Default)]
pub(super) struct Certificates(Mutex<HashMap<String, Arc<Certificate>>>);

impl Certificates {
    /// The certificate of that text in base64; `None` where it is none.
    pub(super) fn read(&self, text: &str) -> Option<Arc<Certificate>> {
        if let Some(known) = self.remembered().get(text) {
            return Some(Arc::clone(known));
        }
        let der = STANDARD.decode(text).ok()?;
        let certificate = Arc::new(Certificate::parse(&der).ok()?);
        let mut remembered = self.remembered();
        if remembered.len() >= REMEMBERED_MAX {
            remembered.clear();
        }
        remembered.insert(text.to_owned(), Arc::clone(&certificate));
        Some(certificate)
    }

    fn remembered(&self) -> MutexGuard<'_, HashMap<String, Arc<Certificate>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPANY: &[u8] = include_bytes!("../../../cfdi/fixtures/csd/EKU9003173C9.cer");

    #[test]
    fn a_certificate_is_read_once() {
        let certificates = Certificates::default();
        let text = STANDARD.encode(COMPANY);
        let first = certificates.read(&text).unwrap();
        assert_eq!(first.rfc(), "EKU9003173C9");
        assert!(Arc::ptr_eq(&first, &certificates.read(&text).unwrap()));
        for none in ["", "?", "TWFyw61h"] {
            assert!(certificates.read(none).is_none(), "{none}");
        }
        assert_eq!(certificates.remembered().len(), 1);
    }

    #[test]
    fn few_are_remembered() {
        let certificates = Certificates::default();
        let known = certificates.read(&STANDARD.encode(COMPANY)).unwrap();
        for number in 1..REMEMBERED_MAX {
            certificates.remembered().insert(number.to_string(), Arc::clone(&known));
        }
        let mut other = COMPANY.to_vec();
        // The end of the authority's signature, which nobody checks here.
        if let Some(last) = other.last_mut() {
            *last ^= 1;
        }
        let other = STANDARD.encode(other);
        assert!(certificates.read(&other).is_some());
        assert_eq!(certificates.remembered().len(), 1);
    }
}
