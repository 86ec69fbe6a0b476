//! Digital seal certificates (CSD): what the `.cer` and `.key` files of SAT hold, and the seals made
//! with them.
//!
//! [`Csd::open`] reads the two files and their password as a merchant uploads them; [`Csd::restore`]
//! opens the same pair from what the caller's vault keeps. No clock is read and no randomness drawn
//! here: moments and random sources are parameters ([`rand_core::OsRng`] is one).

mod certificate;
pub mod key;
mod names;
mod problem;
pub mod sandbox;
mod signer;

pub use certificate::{Certificate, CertificateKind};
pub use problem::{CsdProblem, SigningFailed};
pub use rsa::rand_core;
pub use signer::Csd;

/// The largest `.cer` or `.key` file that is read; SAT's are below two kilobytes.
pub const FILE_BYTES_MAX: usize = 16 * 1024;

#[cfg(test)]
mod tests;
