//! Colours, and whether one can be read on another.

use std::fmt;

/// A colour of the printed sheet: red, green and blue, 8 bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Color(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// The contrast from which WCAG 2 (1.4.3, level AA) calls small text legible.
pub(crate) const LEGIBLE: f64 = 4.5;

impl Color {
    /// The colour of clean paper.
    pub const WHITE: Self = Self(0xff, 0xff, 0xff);
    /// The colour that can be read on whatever white cannot.
    pub const BLACK: Self = Self(0, 0, 0);

    /// Reads `#RRGGBB`, in letters of either case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        // A sign would be read, too.
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some(Self(red, green, blue))
    }

    /// How much lighter the lighter of both is than the other, from 1 to 21: the contrast ratio of WCAG 2.
    #[must_use]
    pub fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// White, or black where white could not be read on this colour.
    pub(crate) fn text_on_it(self) -> Self {
        if self.contrast(Self::WHITE) >= LEGIBLE { Self::WHITE } else { Self::BLACK }
    }

    /// This colour, or the lightest of its darker shades that can be read on that light ground.
    pub(crate) fn legible_on(self, ground: Self) -> Self {
        let shades = (0..=SHADES).rev().map(|part| self.shade(part));
        shades.into_iter().find(|shade| shade.contrast(ground) >= LEGIBLE).unwrap_or(Self::BLACK)
    }

    /// That many of [`SHADES`] parts of its light.
    fn shade(self, part: u16) -> Self {
        let dim = |channel| u8::try_from(u16::from(channel) * part / SHADES).unwrap_or(channel);
        Self(dim(self.0), dim(self.1), dim(self.2))
    }

    /// The relative luminance of WCAG 2: 0 is black, 1 is white.
    fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let part = f64::from(channel) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }
}

/// Into how many steps a colour is darkened.
const SHADES: u16 = 64;

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(red, green, blue) = self;
        write!(f, "#{red:02X}{green:02X}{blue:02X}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::palette::SHADE;

    #[test]
    fn colours_are_read_and_written() {
        assert_eq!(Color::parse("#1F4E79"), Some(Color(0x1f, 0x4e, 0x79)));
        assert_eq!(Color::parse("#a0b1c2").unwrap().to_string(), "#A0B1C2");
        for text in ["", "#", "1F4E79", "#1F4E7", "#1F4E799", "#+F4E79", "#GGGGGG", "#ñññ", "red"]
        {
            assert_eq!(Color::parse(text), None, "{text}");
        }
    }

    #[test]
    fn contrasts_are_those_of_wcag() {
        for (one, other, expected) in [
            ("#000000", "#FFFFFF", 21.0),
            ("#FFFFFF", "#FFFFFF", 1.0),
            ("#767676", "#FFFFFF", 4.54),
            ("#FF0000", "#FFFFFF", 4.0),
            ("#0000FF", "#FFFFFF", 8.59),
            ("#FFFF00", "#000000", 19.56),
        ] {
            let found = Color::parse(one).unwrap().contrast(Color::parse(other).unwrap());
            assert!((found - expected).abs() < 0.01, "{one} {other}: {found}");
        }
    }

    #[test]
    fn text_is_white_on_dark_and_black_on_pale_colours() {
        for (accent, text) in [
            ("#1F3A5F", Color::WHITE),
            ("#B00020", Color::WHITE),
            ("#767676", Color::WHITE),
            ("#777777", Color::BLACK),
            ("#F2C14E", Color::BLACK),
            ("#FFFFFF", Color::BLACK),
        ] {
            assert_eq!(Color::parse(accent).unwrap().text_on_it(), text, "{accent}");
        }
    }

    #[test]
    fn only_what_is_too_pale_is_darkened() {
        let shade = |text: &str| Color::parse(text).unwrap().legible_on(Color::WHITE).to_string();
        assert_eq!(shade("#1F3A5F"), "#1F3A5F");
        assert_eq!(shade("#767676"), "#767676");
        assert_eq!(shade("#FFD400"), "#8B7300");
    }

    proptest! {
        #[test]
        fn any_accent_can_be_read(red: u8, green: u8, blue: u8) {
            let accent = Color(red, green, blue);
            prop_assert!(accent.contrast(accent.text_on_it()) >= LEGIBLE);
            for ground in [Color::WHITE, SHADE] {
                prop_assert!(accent.legible_on(ground).contrast(ground) >= LEGIBLE);
            }
            prop_assert_eq!(Color::parse(&accent.to_string()), Some(accent));
        }
    }
}
