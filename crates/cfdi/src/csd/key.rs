//! Private key files: encrypted PKCS#8, as SAT delivers them.

use kernel::threads::computes_long;
use pkcs8::{
    EncryptedPrivateKeyInfo, PrivateKeyInfo,
    pkcs5::{
        EncryptionScheme as Scheme,
        pbes2::{EncryptionScheme as Cipher, Kdf, Parameters, Pbkdf2Params, Pbkdf2Prf},
    },
};
use rsa::rand_core::CryptoRngCore;
use zeroize::Zeroizing;

use super::{CsdProblem, FILE_BYTES_MAX};

/// Iterations of PBKDF2 in a file of SAT.
const ITERATIONS: u32 = 2_048;

/// The most iterations that are worked through, ten times those of SAT: a file says itself how long it keeps the
/// machine busy.
const ITERATIONS_MAX: u32 = 20_480;

/// Opens a `.key` file: plain PKCS#8 in DER.
///
/// A wrong password can leave garbage that looks decrypted; only the certificate then tells.
///
/// # Errors
/// [`CsdProblem::NotAKey`], [`CsdProblem::WrongPassword`].
pub fn decrypt(file: &[u8], password: &str) -> Result<Zeroizing<Vec<u8>>, CsdProblem> {
    if file.len() > FILE_BYTES_MAX {
        return Err(CsdProblem::NotAKey);
    }
    let encrypted = EncryptedPrivateKeyInfo::try_from(file).map_err(|_| CsdProblem::NotAKey)?;
    if !is_affordable(&encrypted.encryption_algorithm) {
        return Err(CsdProblem::NotAKey);
    }
    computes_long();
    spellings(password)
        .find_map(|password| {
            let document = encrypted.decrypt(password.as_slice()).ok()?;
            PrivateKeyInfo::try_from(document.as_bytes()).ok()?;
            Some(Zeroizing::new(document.as_bytes().to_vec()))
        })
        .ok_or(CsdProblem::WrongPassword)
}

/// Encrypts plain PKCS#8 in DER as SAT does: PBES2 of PBKDF2-HMAC-SHA1 and triple DES.
///
/// For test certificates that go through the same upload as true ones. Triple DES is no protection
/// to rely on: keep keys at rest in a vault.
///
/// # Errors
/// [`CsdProblem::NotAKey`] if `pkcs8` is none.
pub fn encrypt(
    pkcs8: &[u8],
    password: &str,
    rng: &mut impl CryptoRngCore,
) -> Result<Vec<u8>, CsdProblem> {
    PrivateKeyInfo::try_from(pkcs8).map_err(|_| CsdProblem::NotAKey)?;
    encrypt_with(pkcs8, password.as_bytes(), ITERATIONS, rng).map_err(|_| CsdProblem::NotAKey)
}

fn encrypt_with(
    pkcs8: &[u8],
    password: &[u8],
    iteration_count: u32,
    rng: &mut impl CryptoRngCore,
) -> pkcs8::Result<Vec<u8>> {
    let (mut salt, mut iv) = ([0; 8], [0; 8]);
    rng.fill_bytes(&mut salt);
    rng.fill_bytes(&mut iv);
    let prf = Pbkdf2Prf::HmacWithSha1;
    let derivation = Pbkdf2Params { salt: &salt, iteration_count, key_length: None, prf };
    let parameters =
        Parameters { kdf: Kdf::Pbkdf2(derivation), encryption: Cipher::DesEde3Cbc { iv: &iv } };
    let encrypted_data = parameters.encrypt(password, pkcs8)?;
    let file = EncryptedPrivateKeyInfo {
        encryption_algorithm: Scheme::Pbes2(parameters),
        encrypted_data: &encrypted_data,
    };
    Ok(der::Encode::to_der(&file)?)
}

/// Only PBKDF2 within bounds: a file may also ask for gigabytes of memory (scrypt).
fn is_affordable(scheme: &Scheme<'_>) -> bool {
    let derivation = scheme.pbes2().and_then(|parameters| parameters.kdf.pbkdf2());
    derivation.is_some_and(|derivation| derivation.iteration_count <= ITERATIONS_MAX)
}

/// The password in UTF-8 and, where that differs, in the Latin-1 of older programs of SAT.
fn spellings(password: &str) -> impl Iterator<Item = Zeroizing<Vec<u8>>> {
    let latin = (!password.is_ascii())
        .then(|| password.chars().map(|c| u8::try_from(c).ok()).collect::<Option<Vec<u8>>>())
        .flatten();
    [Some(password.as_bytes().to_vec()), latin].into_iter().flatten().map(Zeroizing::new)
}

#[cfg(test)]
mod tests {
    use rsa::rand_core::OsRng;

    use super::*;

    const PLAIN: &[u8] = &[0x30, 0x00];

    #[test]
    fn a_password_opens_in_latin_1_as_well() {
        let file = encrypt_with(PLAIN, b"contrase\xf1a", ITERATIONS, &mut OsRng).unwrap();
        let encrypted = EncryptedPrivateKeyInfo::try_from(file.as_slice()).unwrap();
        let opened = spellings("contraseña").map(|p| encrypted.decrypt(p.as_slice()).is_ok());
        assert_eq!(opened.collect::<Vec<_>>(), [false, true]);
        assert_eq!(spellings("contrasena").count(), 1);
        assert_eq!(spellings("contraseña€").count(), 1);
    }

    #[test]
    fn a_file_that_would_take_minutes_is_refused() {
        for (iterations, affordable) in
            [(1, true), (ITERATIONS_MAX, true), (ITERATIONS_MAX + 1, false)]
        {
            let salt = [7; 8];
            let kdf = Pbkdf2Params {
                salt: &salt,
                iteration_count: iterations,
                key_length: None,
                prf: Pbkdf2Prf::HmacWithSha1,
            };
            let encryption = Cipher::DesEde3Cbc { iv: &salt };
            let parameters = Parameters { kdf: Kdf::Pbkdf2(kdf), encryption };
            assert_eq!(is_affordable(&Scheme::Pbes2(parameters)), affordable);
        }
        let params = Default::default();
        let scrypt = Parameters::scrypt_aes256cbc(params, &[7; 16], &[7; 16]).unwrap();
        assert!(!is_affordable(&Scheme::Pbes2(scrypt)));
    }
}
