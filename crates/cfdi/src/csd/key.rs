//! Private key files: encrypted PKCS#8, as SAT delivers them.

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

/// The most iterations that are worked through, lest a file keep the machine busy for minutes.
const ITERATIONS_MAX: u32 = 100_000;

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
    let (mut salt, mut iv) = ([0; 8], [0; 8]);
    rng.fill_bytes(&mut salt);
    rng.fill_bytes(&mut iv);
    let derivation = Pbkdf2Params {
        salt: &salt,
        iteration_count: ITERATIONS,
        key_length: None,
        prf: Pbkdf2Prf::HmacWithSha1,
    };
    let parameters =
        Parameters { kdf: Kdf::Pbkdf2(derivation), encryption: Cipher::DesEde3Cbc { iv: &iv } };
    let encrypted_data = parameters.encrypt(password, pkcs8).map_err(|_| CsdProblem::NotAKey)?;
    let file = EncryptedPrivateKeyInfo {
        encryption_algorithm: Scheme::Pbes2(parameters),
        encrypted_data: &encrypted_data,
    };
    der::Encode::to_der(&file).map_err(|_| CsdProblem::NotAKey)
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
