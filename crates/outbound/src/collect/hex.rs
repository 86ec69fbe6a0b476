//! Bytes as pairs of digits.

/// The bytes that are written so.
pub(super) fn bytes(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = text.as_bytes().chunks(2);
    let pairs = pairs.map(|pair| match pair {
        [high, low] => Some(digit(*high)? * 16 + digit(*low)?),
        _ => None,
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_bytes() {
        assert_eq!(bytes("00fFa1"), Some(vec![0, 255, 161]));
        for wrong in ["0", "0g", "é"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }
}
