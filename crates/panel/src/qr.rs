//! QR codes, as the data of one path.

use qrcode::{Color, QrCode};

/// A QR code: its width in squares, and its dark squares.
pub(crate) struct Qr {
    pub(crate) size: usize,
    pub(crate) dark: String,
}

impl Qr {
    /// Of a text; empty if that is too long for one.
    pub(crate) fn of(text: &str) -> Self {
        let Ok(code) = QrCode::new(text) else { return Self { size: 0, dark: String::new() } };
        let size = code.width();
        let colors = code.to_colors().into_iter().enumerate();
        let dark = colors.filter(|(_, color)| *color == Color::Dark);
        let squares = dark.map(|(place, _)| format!("M{} {}h1v1h-1z", place % size, place / size));
        Self { size, dark: squares.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_begins_with_the_corner_that_scanners_look_for() {
        let qr = Qr::of("ORD-000123");
        assert!(qr.size >= 21 && qr.dark.starts_with("M0 0h1v1h-1zM1 0"), "{}", qr.dark);
        assert_eq!(Qr::of(&"x".repeat(10_000)).size, 0);
    }
}
