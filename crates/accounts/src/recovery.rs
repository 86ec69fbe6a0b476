//! Recovery codes: what a user signs in with whose authenticator is lost. Each works once.

use std::fmt;

use aws_lc_rs::digest::{SHA256, digest};

/// How many codes a user has.
pub const RECOVERY_CODES: usize = 10;
/// Bytes of randomness in a code: 80 bits.
pub const RECOVERY_RANDOM_BYTES: usize = 10;
/// Characters between the hyphens of a code.
const GROUP_CHARS: usize = 4;
const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The SHA-256 of a code, the only form in which it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveryDigest(String);

impl RecoveryDigest {
    /// In hexadecimal.
    #[must_use]
    pub fn as_hex(&self) -> &str {
        &self.0
    }
}

/// A code. It never shows itself in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(String);

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(***)")
    }
}

impl RecoveryCode {
    /// The code of these random bytes: `K7TQ-4ZXN-90AB-CDEF`.
    #[must_use]
    pub fn from_random(random: [u8; RECOVERY_RANDOM_BYTES]) -> Self {
        let number = random.iter().fold(0_u128, |number, byte| (number << 8) | u128::from(*byte));
        let characters = RECOVERY_RANDOM_BYTES * 8 / 5;
        let mut text = String::new();
        for index in 0..characters {
            if index > 0 && index.is_multiple_of(GROUP_CHARS) {
                text.push('-');
            }
            let value = usize::try_from((number >> (5 * (characters - 1 - index))) & 31);
            let byte = CROCKFORD.get(value.unwrap_or_default());
            text.push(byte.map_or('0', |byte| char::from(*byte)));
        }
        Self(text)
    }

    /// Reads a code as people type it: small letters, hyphens and blanks anywhere, letters that look like digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut plain = String::new();
        for c in text.chars().filter(|c| !c.is_whitespace() && *c != '-') {
            let c = match c.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                c => c,
            };
            if !CROCKFORD.iter().any(|known| char::from(*known) == c) {
                return None;
            }
            if !plain.is_empty() && plain.replace('-', "").len().is_multiple_of(GROUP_CHARS) {
                plain.push('-');
            }
            plain.push(c);
        }
        let characters = RECOVERY_RANDOM_BYTES * 8 / 5;
        (plain.len() == characters + characters / GROUP_CHARS - 1).then_some(Self(plain))
    }

    /// The text, shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What it is found by.
    #[must_use]
    pub fn digest(&self) -> RecoveryDigest {
        RecoveryDigest(hex::encode(digest(&SHA256, self.0.as_bytes())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let code = RecoveryCode::from_random([0, 1, 2, 3, 4, 5, 6, 7, 8, 255]);
        let text = code.reveal().to_owned();
        assert_eq!(text.len(), 19);
        let typed = [
            text.clone(),
            text.to_lowercase(),
            text.replace('-', ""),
            text.replace('-', " "),
            text.replace('0', "o").replace('1', "l"),
        ];
        for typed in typed {
            assert_eq!(RecoveryCode::parse(&typed), Some(code.clone()), "{typed}");
        }
        for wrong in ["", "123456", &text[1..], &format!("{text}0"), "UUUU-UUUU-UUUU-UUUU"] {
            assert_eq!(RecoveryCode::parse(wrong), None, "{wrong}");
        }
        assert_eq!(format!("{code:?}"), "RecoveryCode(***)");
    }
}
