//! Telling numbers that move by themselves from others, in few bytes.

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
