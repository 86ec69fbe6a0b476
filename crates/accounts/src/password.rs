//! Passwords: which will do, and how they are kept.

use std::fmt;

use argon2::{
    Algorithm, Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier, Version,
    password_hash::SaltString,
};
use kernel::{Message, message};

/// The fewest characters of a password.
pub const PASSWORD_CHARS_MIN: usize = 12;
/// The most characters of a password.
pub const PASSWORD_CHARS_MAX: usize = 200;
/// Bytes of randomness in the salt of a hash.
pub const SALT_BYTES: usize = 16;
/// Memory of a hash, in KiB.
const MEMORY_KIB: u32 = 19 * 1_024;
/// How often it is gone over.
const PASSES: u32 = 2;
/// How many parts of a password nobody may foresee: what continues a run or is a common word counts little.
const SURPRISES_MIN: usize = 6;
const RUNS: &[&str] = &["qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890"];
/// What passwords are made of that many people have, in small letters without accents.
const COMMON: &[&str] = &[
    "password",
    "passw",
    "contrasena",
    "clave",
    "secreto",
    "secret",
    "admin",
    "administrador",
    "administrator",
    "usuario",
    "user",
    "root",
    "login",
    "welcome",
    "bienvenido",
    "hola",
    "hello",
    "letmein",
    "iloveyou",
    "teamo",
    "tequiero",
    "amor",
    "dragon",
    "monkey",
    "football",
    "futbol",
    "baseball",
    "superman",
    "batman",
    "princess",
    "princesa",
    "sunshine",
    "master",
    "shadow",
    "michael",
    "estrella",
    "mexico",
    "guadalajara",
    "monterrey",
    "america",
    "chivas",
    "pumas",
    "tienda",
    "trastienda",
    "store",
    "shop",
    "abarrotes",
    "ventas",
    "facturas",
    "prueba",
    "test",
    "demo",
    "empresa",
    "company",
    "changeme",
    "cambiame",
    "default",
    "qwerty",
    "azerty",
    "abc",
    "123",
    "000",
    "111",
    "2019",
    "2020",
    "2021",
    "2022",
    "2023",
    "2024",
    "2025",
    "2026",
    "2027",
    "2028",
];

/// A password as given. It never shows itself in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// What was given, of whatever length.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// What is wrong with it as the new password of somebody with this address and name, as a clause.
    #[must_use]
    pub fn problem(&self, email: &str, name: &str) -> Option<Message> {
        let chars = self.0.chars().count();
        if chars < PASSWORD_CHARS_MIN {
            return Some(message!(
                "must have at least {PASSWORD_CHARS_MIN} characters",
                "debe tener al menos {PASSWORD_CHARS_MIN} caracteres"
            ));
        }
        if chars > PASSWORD_CHARS_MAX {
            return Some(message!(
                "must have at most {PASSWORD_CHARS_MAX} characters",
                "debe tener a lo más {PASSWORD_CHARS_MAX} caracteres"
            ));
        }
        let (local, domain) = email.split_once('@').unwrap_or((email, ""));
        let own = name.split_whitespace().chain([local]).chain(domain.split('.'));
        let own: Vec<String> = own.map(folded).filter(|word| word.len() >= 3).collect();
        (surprises(&folded(&self.0), &own) < SURPRISES_MIN).then(|| {
            message!(
                "is too easy to guess: use several words that do not belong together, and neither your name nor your \
                 address",
                "es demasiado fácil de adivinar: conviene usar varias palabras sin relación entre sí, sin el nombre ni el \
                 correo"
            )
        })
    }

    /// The form in which it is kept: Argon2id with its parameters and salt. Takes some 20 ms and 19 MiB.
    ///
    /// # Errors
    /// When it cannot be hashed, and why.
    pub fn hash(&self, salt: [u8; SALT_BYTES]) -> Result<String, String> {
        let salt = SaltString::encode_b64(&salt).map_err(|error| error.to_string())?;
        let hash = hasher()?.hash_password(self.0.as_bytes(), &salt);
        hash.map(|hash| hash.to_string()).map_err(|error| error.to_string())
    }

    /// Whether it is the one of which `hash` was kept. Takes as long as [`hash`](Self::hash); with nothing kept it takes
    /// as long, and is not.
    #[must_use]
    pub fn matches(&self, hash: Option<&str>) -> bool {
        let kept = hash.and_then(|hash| PasswordHash::new(hash).ok());
        let Ok(hasher) = hasher() else { return false };
        match kept {
            // As long as a hash: longer ones have no password to them, but cost as much.
            Some(kept) if self.0.len() <= 4 * PASSWORD_CHARS_MAX => {
                hasher.verify_password(self.0.as_bytes(), &kept).is_ok()
            }
            _ => {
                // Whoever asks does not learn from the time whether there is such a user.
                let _ = Self::new("nobody").hash([0; SALT_BYTES]);
                false
            }
        }
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(***)")
    }
}

fn hasher() -> Result<Argon2<'static>, String> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None).map_err(|error| error.to_string())?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// In small letters without accents.
fn folded(text: &str) -> String {
    kernel::text::folded(text)
}

/// How many parts of a text do not follow from what is before them.
fn surprises(text: &str, own: &[String]) -> usize {
    let chars: Vec<char> = text.chars().collect();
    let plain: Vec<char> = chars.iter().map(|c| letter(*c)).collect();
    let words: Vec<&str> = COMMON.iter().copied().chain(own.iter().map(String::as_str)).collect();
    let (mut count, mut at, mut before) = (0, 0, None);
    while let Some(c) = chars.get(at).copied() {
        let begins = |word: &&&str| {
            let rest = |of: &[char]| of.get(at..).is_some_and(|rest| begins_with(rest, word));
            rest(&chars) || rest(&plain)
        };
        let longest = words.iter().filter(begins).map(|word| word.chars().count()).max();
        if let Some(length) = longest {
            count += 1;
            at += length;
            before = chars.get(at - 1).copied();
            continue;
        }
        count += usize::from(!before.is_some_and(|before| continues(before, c)));
        before = Some(c);
        at += 1;
    }
    count
}

fn begins_with(text: &[char], word: &str) -> bool {
    let mut text = text.iter();
    word.chars().all(|c| text.next() == Some(&c))
}

/// The letter that a digit or a sign stands for.
const fn letter(c: char) -> char {
    match c {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        c => c,
    }
}

/// Whether a character is the same as the one before, or its neighbour in the alphabet, among digits or on a keyboard.
fn continues(before: char, c: char) -> bool {
    let (one, other) = (u32::from(before), u32::from(c));
    let neighbours = before.is_alphanumeric() && c.is_alphanumeric() && one.abs_diff(other) == 1;
    let on_keyboard = RUNS.iter().any(|run| {
        let place = |c: char| run.chars().position(|known| known == c);
        matches!((place(before), place(c)), (Some(a), Some(b)) if a.abs_diff(b) == 1)
    });
    before == c || neighbours || on_keyboard
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> bool {
        Password::new(text)
            .problem("lupita.hernandez@abarrotes.mx", "Guadalupe Hernández")
            .is_some()
    }

    #[test]
    fn what_many_people_have_will_not_do() {
        for weak in [
            "",
            "corto",
            "password1234",
            "P@ssw0rd12345",
            "Contraseña2024!",
            "aaaaaaaaaaaa",
            "123456789012",
            "qwertyuiopasdf",
            "abcdefghijkl",
            "AdminAdmin2025",
            "abarrotes2026!",
            "lupita.hernandez1",
            "Guadalupe Hernández",
            &"x9k2m4".repeat(40),
        ] {
            assert!(problem(weak), "{weak}");
        }
        for strong in [
            "caballo-grapa-correcto",
            "k3Jv9 pQ2x Lm",
            "mi perro come nopales",
            "ñandú lejano 83 veces",
        ] {
            assert!(!problem(strong), "{strong}");
        }
        assert!(Password::new(&"k3Jv9pQ2xLm".repeat(30)[..200]).problem("", "").is_none());
    }

    #[test]
    fn a_hash_is_of_one_password_and_hides_it() {
        let password = Password::new("caballo-grapa-correcto");
        let hash = password.hash([7; SALT_BYTES]).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(password.matches(Some(&hash)));
        assert!(!Password::new("caballo-grapa-correctos").matches(Some(&hash)));
        assert!(!password.matches(None) && !password.matches(Some("")));
        assert_ne!(hash, password.hash([8; SALT_BYTES]).unwrap());
        assert_eq!(format!("{password:?}"), "Password(***)");
    }
}
