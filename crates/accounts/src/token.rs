//! What opens a session, an invitation or a set-up link: random bits that are kept as their digest only.

use links::{RandomDigest, RandomToken};

/// Bytes of randomness in a token: 256 bits.
pub const TOKEN_RANDOM_BYTES: usize = 32;

/// 256 random bits that can stand in an address or a cookie.
pub type Token = RandomToken<TOKEN_RANDOM_BYTES>;

/// What is kept of a token, by which what it opens is found.
pub type TokenDigest = RandomDigest<TOKEN_RANDOM_BYTES>;
