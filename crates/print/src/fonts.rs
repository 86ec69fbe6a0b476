//! The fonts that are part of the binary, and how wide text is in them.
//!
//! Letters are placed one after the other as the font says; none of the scripts in these fonts needs
//! more. What a font has no letter for is drawn as its empty box, and is still there to be copied.

use std::sync::LazyLock;

use krilla::text::{Font, GlyphId, KrillaGlyph};
use skrifa::{
    FontRef, MetadataProvider, charmap::Charmap, instance::LocationRef, instance::Size,
    metrics::GlyphMetrics,
};

/// A font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// Inter.
    Regular,
    /// Inter, semi-bold.
    Bold,
    /// JetBrains Mono: seals.
    Mono,
}

struct Loaded {
    font: Font,
    letters: Charmap<'static>,
    widths: GlyphMetrics<'static>,
    units_per_em: f32,
}

static REGULAR: LazyLock<Option<Loaded>> =
    LazyLock::new(|| load(include_bytes!("../fonts/Inter-Regular.ttf")));
static BOLD: LazyLock<Option<Loaded>> =
    LazyLock::new(|| load(include_bytes!("../fonts/Inter-SemiBold.ttf")));
static MONO: LazyLock<Option<Loaded>> =
    LazyLock::new(|| load(include_bytes!("../fonts/JetBrainsMono-Regular.ttf")));

fn load(bytes: &'static [u8]) -> Option<Loaded> {
    let face = FontRef::new(bytes).ok()?;
    let font = Font::new(bytes.into(), 0)?;
    Some(Loaded {
        units_per_em: font.units_per_em(),
        font,
        letters: face.charmap(),
        widths: face.glyph_metrics(Size::unscaled(), LocationRef::default()),
    })
}

impl Face {
    fn loaded(self) -> Option<&'static Loaded> {
        match self {
            Self::Regular => REGULAR.as_ref(),
            Self::Bold => BOLD.as_ref(),
            Self::Mono => MONO.as_ref(),
        }
    }

    /// The font as the PDF embeds it.
    pub(crate) fn font(self) -> Option<Font> {
        self.loaded().map(|loaded| loaded.font.clone())
    }

    /// How wide a letter is at size 1.
    pub(crate) fn advance(self, letter: char) -> f32 {
        self.loaded().map_or(0.0, |loaded| loaded.glyph(letter).1)
    }

    /// How wide a text is, in points at that size.
    pub(crate) fn width(self, size: f32, text: &str) -> f32 {
        text.chars().map(|letter| self.advance(letter)).sum::<f32>() * size
    }

    /// The glyphs of a text.
    pub(crate) fn glyphs(self, text: &str) -> Vec<KrillaGlyph> {
        let Some(loaded) = self.loaded() else { return Vec::new() };
        text.char_indices()
            .filter(|(_, letter)| !loaded.leaves_out(*letter))
            .map(|(start, letter)| {
                let (id, advance) = loaded.glyph(letter);
                let range = start..start + letter.len_utf8();
                KrillaGlyph::new(GlyphId::new(id), advance, 0.0, 0.0, 0.0, range, None)
            })
            .collect()
    }
}

impl Loaded {
    /// Whether a letter is a pictograph, or a part of one, that the font has not: a box in its place says nothing.
    fn leaves_out(&self, letter: char) -> bool {
        let is_pictograph = matches!(letter,
            '\u{200d}' | '\u{20e3}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{1f000}'..='\u{1faff}' | '\u{e0020}'..='\u{e007f}');
        is_pictograph && self.letters.map(letter).is_none()
    }

    /// The glyph of a letter, and how wide it is at size 1.
    fn glyph(&self, letter: char) -> (u32, f32) {
        if self.leaves_out(letter) {
            return (0, 0.0);
        }
        let glyph = self.letters.map(letter).unwrap_or_default();
        let width = self.widths.advance_width(glyph).unwrap_or_default();
        (glyph.to_u32(), width / self.units_per_em)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_font_loads_and_has_the_letters_of_spanish() {
        for face in [Face::Regular, Face::Bold, Face::Mono] {
            let loaded = face.loaded().unwrap();
            for letter in "áéíóúüñÁÉÍÓÚÜÑ¿¡ªº$%&/|=+-0123456789".chars() {
                assert_ne!(loaded.glyph(letter).0, 0, "{face:?} {letter}");
            }
        }
        let gift = "Taza \u{1f381}\u{fe0f}";
        assert_eq!(Face::Regular.glyphs(gift).len(), 5, "no box stands for a pictograph");
        assert_eq!(Face::Regular.width(8.0, gift), Face::Regular.width(8.0, "Taza "));
        for letter in "€£¥łőßŞžΩЖ–—…·•“”".chars() {
            assert_ne!(REGULAR.as_ref().unwrap().glyph(letter).0, 0, "{letter}");
        }
    }

    #[test]
    fn digits_are_equally_wide() {
        for face in [Face::Regular, Face::Bold, Face::Mono] {
            assert!("123456789".chars().all(|digit| face.advance(digit) == face.advance('0')));
        }
    }
}
