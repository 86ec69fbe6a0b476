//! Telling numbers that move by themselves from others, in few bytes.

/// A digest of a text (FNV-1a), the same on every node and in every release.
#[must_use]
pub fn of_text(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// A digest of whole numbers (FNV-1a): equal for equal numbers on every node, which is all it is for.
#[must_use]
pub fn of_numbers(numbers: impl Iterator<Item = i64>) -> u32 {
    numbers.fold(0x811c_9dc5_u32, |digest, number| {
        number
            .to_le_bytes()
            .iter()
            .fold(digest, |digest, byte| (digest ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
    })
}
