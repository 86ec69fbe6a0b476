//! Codes of an authenticator app (RFC 6238, on the HMAC-SHA-1 that all of them know).

use std::fmt;

use aws_lc_rs::hmac;
use kernel::Timestamp;

/// Bytes of a secret: as long as the digest (RFC 4226 §4).
pub const TOTP_SECRET_BYTES: usize = 20;
/// Digits of a code.
pub const TOTP_DIGITS: u32 = 6;
/// How long a code is shown, in seconds.
pub const TOTP_STEP_SECONDS: i64 = 30;
/// How many steps a clock may be ahead or behind.
const STEPS_OFF: i64 = 1;
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// What user and service share. It never shows itself in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret(Vec<u8>);

impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret(***)")
    }
}

impl TotpSecret {
    /// The secret of these random bytes.
    #[must_use]
    pub fn from_random(random: [u8; TOTP_SECRET_BYTES]) -> Self {
        Self(random.to_vec())
    }

    /// Reads what [`to_base32`](Self::to_base32) writes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (mut bits, mut held, mut bytes) = (0_u32, 0_u32, Vec::new());
        for byte in text.bytes() {
            let value = BASE32.iter().position(|known| *known == byte)?;
            bits = (bits << 5) | u32::try_from(value).ok()?;
            held += 5;
            if held >= 8 {
                held -= 8;
                bytes.push(u8::try_from((bits >> held) & 0xff).ok()?);
                bits &= (1 << held) - 1;
            }
        }
        (bytes.len() == TOTP_SECRET_BYTES).then_some(Self(bytes))
    }

    /// In the letters that are typed where no camera is at hand (RFC 4648 §6): 32 of them.
    #[must_use]
    pub fn to_base32(&self) -> String {
        let (mut bits, mut held, mut text) = (0_u32, 0_u32, String::new());
        for byte in &self.0 {
            bits = (bits << 8) | u32::from(*byte);
            held += 8;
            while held >= 5 {
                held -= 5;
                let index = usize::try_from((bits >> held) & 31).unwrap_or_default();
                text.push(BASE32.get(index).map_or('A', |b| char::from(*b)));
                bits &= (1 << held) - 1;
            }
        }
        text
    }

    /// What an app reads from a QR code: the secret, whose it is, and of what service.
    #[must_use]
    pub fn to_uri(&self, issuer: &str, email: &str) -> String {
        let (issuer, email) = (escaped(issuer), escaped(email));
        format!(
            "otpauth://totp/{issuer}:{email}?secret={}&issuer={issuer}&algorithm=SHA1&digits={TOTP_DIGITS}&period={TOTP_STEP_SECONDS}",
            self.to_base32()
        )
    }

    /// The step of which a code is, if it may be used now: one that is about the time, and behind that of the last code
    /// used. So a code is used once.
    #[must_use]
    pub fn step_of(&self, code: &str, now: Timestamp, last: Option<i64>) -> Option<i64> {
        let code: String = code.chars().filter(|c| !c.is_whitespace()).collect();
        let step = step_at(now);
        let mut found = None;
        // As long for every code.
        for candidate in step - STEPS_OFF..=step + STEPS_OFF {
            let is_right = same(&self.code(candidate, TOTP_DIGITS), &code);
            if is_right && last.is_none_or(|last| candidate > last) {
                found = Some(candidate);
            }
        }
        found
    }

    /// The code that an app shows at a moment.
    #[must_use]
    pub fn code_at(&self, now: Timestamp) -> String {
        self.code(step_at(now), TOTP_DIGITS)
    }

    fn code(&self, step: i64, digits: u32) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &self.0);
        let tag = hmac::sign(&key, &step.to_be_bytes());
        let tag = tag.as_ref();
        let offset = usize::from(tag.last().copied().unwrap_or_default() & 15);
        let bytes = tag.iter().skip(offset).take(4);
        let number = bytes.fold(0_u32, |number, byte| (number << 8) | u32::from(*byte));
        let code = (number & 0x7fff_ffff) % 10_u32.pow(digits);
        let width = usize::try_from(digits).unwrap_or_default();
        format!("{code:0width$}")
    }
}

/// Whether two texts are the same, in a time that tells nothing of where they differ.
fn same(one: &str, other: &str) -> bool {
    let differing = one.bytes().zip(other.bytes()).fold(0_u8, |bits, (a, b)| bits | (a ^ b));
    one.len() == other.len() && differing == 0
}

/// The step of a moment.
#[must_use]
pub fn step_at(now: Timestamp) -> i64 {
    now.micros().div_euclid(TOTP_STEP_SECONDS * 1_000_000)
}

/// A text within a URI (RFC 3986 §2.1).
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

/// What a user's app is given, before it counts: a code of it must be given first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotpSetUp {
    /// The secret, shown until a code was given.
    pub secret: TotpSecret,
    /// The same as an app reads it.
    pub uri: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret() -> TotpSecret {
        TotpSecret(b"12345678901234567890".to_vec())
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(0).plus_seconds(seconds)
    }

    /// The vectors of RFC 6238, appendix B.
    #[test]
    fn codes_are_those_of_the_rfc() {
        for (seconds, code) in [
            (59, "94287082"),
            (1_111_111_109, "07081804"),
            (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ] {
            assert_eq!(secret().code(step_at(at(seconds)), 8), code, "{seconds}");
        }
    }

    #[test]
    fn a_code_is_used_once_and_about_its_time() {
        let now = at(59);
        let step = secret().step_of("287 082", now, None).unwrap();
        assert_eq!(step, 1);
        assert_eq!(secret().step_of("287082", now, Some(step)), None);
        assert_eq!(secret().step_of("287082", at(89), None), Some(1));
        assert_eq!(secret().step_of("287082", at(0), None), Some(1));
        assert_eq!(secret().step_of("287082", at(120), None), None);
        for wrong in ["", "287083", "28708", "2870821"] {
            assert_eq!(secret().step_of(wrong, now, None), None, "{wrong}");
        }
    }

    #[test]
    fn a_secret_is_written_as_apps_read_it() {
        assert_eq!(secret().to_base32(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(TotpSecret::parse(&secret().to_base32()), Some(secret()));
        assert_eq!(TotpSecret::parse("GEZ1"), None);
        let uri = secret().to_uri("Abarrotes Lupita", "ana@example.com");
        assert!(uri.starts_with("otpauth://totp/Abarrotes%20Lupita:ana%40example.com?secret=GEZ"));
        assert!(!format!("{:?}", secret()).contains("GEZ"));
    }
}
