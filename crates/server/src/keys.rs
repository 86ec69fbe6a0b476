//! Making API keys.

use std::sync::Arc;

use accounts::{KeyMaker, NewApiKey};
use anyhow::anyhow;
use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use kernel::Mode;

/// Twice as many as a key needs, so that bytes that must be skipped seldom matter.
const RANDOM_BYTES: usize = 64;

/// Makes a key of `brand` for accounts of a mode from the randomness of the operating system.
///
/// # Errors
/// When the operating system gives no randomness.
pub fn new_key(brand: &str, mode: Mode) -> anyhow::Result<NewApiKey> {
    let source = SystemRandom::new();
    loop {
        let mut random = [0; RANDOM_BYTES];
        source
            .fill(&mut random)
            .map_err(|_| anyhow!("the operating system provides no random numbers"))?;
        if let Ok(key) = NewApiKey::from_random(brand, mode, &random) {
            return Ok(key);
        }
    }
}

/// Makes keys of `brand` for whoever asks.
pub(crate) fn maker(brand: &str) -> KeyMaker {
    let brand = brand.to_owned();
    Arc::new(move |mode| new_key(&brand, mode).map_err(|error| error.to_string()))
}

#[cfg(test)]
mod tests {
    use accounts::KeyDigest;

    use super::*;

    #[test]
    fn keys_are_well_formed_and_differ() {
        let live = || new_key("tienda", Mode::Live);
        let (first, second) = (live().unwrap(), live().unwrap());
        assert_ne!(first.text, second.text);
        assert_eq!(KeyDigest::of_key("tienda", &first.text), Some(first.digest));
    }
}
