//! Text broken into lines.

use unicode_normalization::UnicodeNormalization;

use crate::{
    block::{Block, Op, Slice},
    fonts::Face,
    palette::Tone,
};

/// How text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Style {
    pub(crate) face: Face,
    pub(crate) size: f32,
    /// From one line to the next.
    pub(crate) leading: f32,
    pub(crate) tone: Tone,
}

impl Style {
    /// What is read.
    pub(crate) const TEXT: Self =
        Self { face: Face::Regular, size: 8.0, leading: 10.4, tone: Tone::Ink };
    /// What is read first.
    pub(crate) const STRONG: Self = Self { face: Face::Bold, ..Self::TEXT };
    /// What the text beside it is.
    pub(crate) const NAME: Self = Self { size: 7.0, tone: Tone::Label, ..Self::TEXT };
    /// Details.
    pub(crate) const FINE: Self = Self { size: 6.6, leading: 8.4, tone: Tone::Label, ..Self::TEXT };
    /// Details that are numbers or names, not what they are.
    pub(crate) const FINE_INK: Self = Self { tone: Tone::Ink, ..Self::FINE };
    /// Above a section.
    pub(crate) const HEADING: Self =
        Self { face: Face::Bold, size: 7.2, leading: 10.0, tone: Tone::Title };
    /// Seals.
    pub(crate) const SEAL: Self =
        Self { face: Face::Mono, size: 5.6, leading: 7.0, tone: Tone::Ink };

    /// In that tone.
    pub(crate) const fn in_tone(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }

    /// As large as that, with its lines that far apart.
    pub(crate) const fn sized(self, size: f32, leading: f32) -> Self {
        Self { size, leading, ..self }
    }

    /// How wide a text is.
    pub(crate) fn width(self, text: &str) -> f32 {
        self.face.width(self.size, text)
    }
}

/// From where to where text goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) x: f32,
    pub(crate) width: f32,
}

/// Which edge lines keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
    Center,
}

impl Align {
    /// What share of the room that a line leaves is at its left.
    pub(crate) const fn share(self) -> f32 {
        match self {
            Self::Left => 0.0,
            Self::Right => 1.0,
            Self::Center => 0.5,
        }
    }
}

/// A text in lines no wider than the span, one slice a line.
pub(crate) fn paragraph(text: &str, span: Span, style: Style, align: Align) -> Block {
    set(lines(text, span.width, style), span, style, align)
}

/// A text in at most that many lines, the last of which is shortened where there would be more.
pub(crate) fn paragraph_of(text: &str, span: Span, style: Style, lines_max: usize) -> Block {
    let mut lines = lines(text, span.width, style);
    if lines.len() > lines_max {
        let rest = lines.split_off(lines_max.saturating_sub(1)).join(" ");
        lines.push(shortened(&rest, span.width, style));
    }
    set(lines, span, style, Align::Left)
}

fn lines(text: &str, width: f32, style: Style) -> Vec<String> {
    wrapped(&clean(text), width, |letter| style.face.advance(letter) * style.size)
}

fn set(lines: Vec<String>, span: Span, style: Style, align: Align) -> Block {
    let slices = lines.into_iter().map(|line| {
        // Who copies or searches expects a space.
        let text = line.replace(TIE, " ");
        let left = span.width - style.width(&text);
        let x = span.x + align.share() * left;
        let Style { face, size, leading, tone } = style;
        // Lines of different sizes but the same leading share a baseline when they stand side by side.
        let op = Op::Text { x, y: leading * 0.76, face, size, tone, text };
        Slice { height: leading, ops: vec![op] }
    });
    Block { slices: slices.collect() }
}

/// Between two words that stay on one line.
pub(crate) const TIE: char = '\u{a0}';

/// Facts in one text. A line may begin with the point between two of them, but does not end with it.
pub(crate) fn facts(facts: &[String]) -> String {
    facts.join(&format!(" ·{TIE}"))
}

/// The text, or as much of it as fits with an ellipsis.
pub(crate) fn shortened(text: &str, width: f32, style: Style) -> String {
    if style.width(text) <= width {
        return text.to_owned();
    }
    let mut left = width - style.width("…");
    let fits = |letter: &char| {
        left -= style.face.advance(*letter) * style.size;
        left >= 0.0
    };
    let start: String = text.chars().take_while(fits).collect();
    format!("{}…", start.trim_end())
}

/// Text as it can be drawn: composed letters, nothing invisible, and of white space only plain spaces and
/// [`TIE`].
pub(crate) fn clean(text: &str) -> String {
    let is_plain = |letter: char| letter == TIE || !letter.is_whitespace();
    let spaced = text.nfc().map(|letter| if is_plain(letter) { letter } else { ' ' });
    spaced.filter(|letter| !is_invisible(*letter)).collect()
}

fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
        || matches!(letter, '\u{e0000}'..='\u{e0fff}')
}

/// Lines of whole words where these fit; a word wider than a line is broken. `advance` tells how wide a
/// letter is.
pub(crate) fn wrapped(text: &str, width: f32, advance: impl Fn(char) -> f32) -> Vec<String> {
    let mut lines = Lines { width, done: Vec::new(), line: String::new(), used: 0.0 };
    let space = advance(' ');
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let needed = word.chars().map(&advance).sum::<f32>();
        lines.space_or_break(space, needed);
        for letter in word.chars() {
            lines.push(letter, advance(letter));
        }
    }
    lines.finish()
}

struct Lines {
    width: f32,
    done: Vec<String>,
    line: String,
    used: f32,
}

/// Sums of widths may be off by this much, and a text as wide as its column still fits.
const TOLERANCE: f32 = 0.01;

impl Lines {
    /// Before a word: a space if the word goes on this line, else a new line.
    fn space_or_break(&mut self, space: f32, needed: f32) {
        if self.line.is_empty() {
            return;
        }
        if self.used + space + needed > self.width + TOLERANCE {
            self.end_line();
        } else {
            self.line.push(' ');
            self.used += space;
        }
    }

    fn push(&mut self, letter: char, advance: f32) {
        if self.used + advance > self.width + TOLERANCE && !self.line.is_empty() {
            self.end_line();
        }
        self.line.push(letter);
        self.used += advance;
    }

    fn end_line(&mut self) {
        self.done.push(std::mem::take(&mut self.line));
        self.used = 0.0;
    }

    fn finish(mut self) -> Vec<String> {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.done
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn by_letters(text: &str, letters: usize) -> Vec<String> {
        wrapped(text, letters as f32, |_| 1.0)
    }

    #[test]
    fn words_stay_whole_where_they_fit() {
        assert_eq!(by_letters("uno dos tres", 7), ["uno dos", "tres"]);
        assert_eq!(by_letters("uno  dos", 20), ["uno dos"]);
        assert_eq!(
            by_letters("un anticonstitucional fin", 8),
            ["un", "anticons", "titucion", "al fin"]
        );
        assert_eq!(by_letters("", 5), [""; 0]);
        assert_eq!(by_letters("ancho", 0), ["a", "n", "c", "h", "o"]);
    }

    #[test]
    fn a_text_as_wide_as_its_column_fits() {
        let text = "1,234,567.89";
        let span = Span { x: 10.0, width: Style::TEXT.width(text) };
        let block = paragraph(text, span, Style::TEXT, Align::Right);
        assert_eq!(block.slices.len(), 1);
    }

    #[test]
    fn lines_keep_to_their_edge() {
        let x_of = |align| {
            let block = paragraph("abc", Span { x: 100.0, width: 50.0 }, Style::TEXT, align);
            match block.flattened().pop() {
                Some(Op::Text { x, .. }) => x,
                other => panic!("{other:?}"),
            }
        };
        let width = Style::TEXT.width("abc");
        assert_eq!(x_of(Align::Left), 100.0);
        assert_eq!(x_of(Align::Right), 150.0 - width);
        assert_eq!(x_of(Align::Center), 100.0 + (50.0 - width) / 2.0);
    }

    #[test]
    fn what_is_too_long_is_shortened() {
        let width = Style::TEXT.width("Comercial…");
        assert_eq!(shortened("Comercial", width, Style::TEXT), "Comercial");
        let short = shortened("Comercializadora", width, Style::TEXT);
        assert!(short.ends_with('…') && Style::TEXT.width(&short) <= width, "{short}");
        assert_eq!(shortened("Largo", 0.0, Style::TEXT), "…");
    }

    #[test]
    fn a_paragraph_has_no_more_lines_than_it_may() {
        let span = Span { x: 0.0, width: Style::TEXT.width("Calle Norte 45…") };
        let texts = |text: &str| -> Vec<String> {
            let ops = paragraph_of(text, span, Style::TEXT, 2).flattened();
            let text = |op| match op {
                Op::Text { text, .. } => text,
                other => panic!("{other:?}"),
            };
            ops.into_iter().map(text).collect()
        };
        assert_eq!(texts("Calle Norte 45 Colonia Sur"), ["Calle Norte 45", "Colonia Sur"]);
        let cut = texts("Calle Norte 45 Colonia Industrial Vallejo, Azcapotzalco");
        assert!(cut.len() == 2 && cut[0] == "Calle Norte 45" && cut[1].ends_with('…'), "{cut:?}");
        assert!(Style::TEXT.width(&cut[1]) <= span.width);
        assert!(texts(" ").is_empty());
    }

    #[test]
    fn text_is_composed_and_without_what_cannot_be_seen() {
        assert_eq!(clean("Jose\u{301}\n\u{200b}Nun\u{303}ez\u{feff}\t1\u{7}"), "José Nuñez 1");
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_no_line_is_too_wide(text in "\\PC{0,200}", width in 1usize..40) {
            let lines = by_letters(&text, width);
            prop_assert!(lines.iter().all(|line| line.chars().count() <= width));
            let letters = |text: &str| text.replace(' ', "");
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }
    }
}
