//! What is drawn in which colour: parts name a tone, and the accent of the sheet decides what it looks like.

use crate::color::Color;

/// What a colour is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Text that is read.
    Ink,
    /// Text that says what the text beside it is.
    Label,
    /// Titles: the accent, or a shade of it that can be read on paper and on [`Tone::Shade`].
    Title,
    /// The ground of the total.
    Accent,
    /// Text on [`Tone::Accent`].
    OnAccent,
    /// Rules between rows.
    Rule,
    /// Behind the head of a table.
    Shade,
    /// What must not be overlooked.
    Alarm,
    /// Text on [`Tone::Alarm`].
    OnAlarm,
    /// Letters across a page that must not be used any more.
    GraveMark,
    /// Letters across a page that is not meant.
    Mark,
}

/// The ground of [`Tone::Shade`].
pub(crate) const SHADE: Color = Color(0xee, 0xf1, 0xf5);

/// The colours of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Palette {
    accent: Color,
    on_accent: Color,
    title: Color,
}

impl Palette {
    /// The colours that go with that accent.
    pub(crate) fn of(accent: Color) -> Self {
        // Paper is lighter than the shade: what can be read on this can be read on that.
        Self { accent, on_accent: accent.text_on_it(), title: accent.legible_on(SHADE) }
    }

    /// The colour of a tone.
    pub(crate) const fn color(self, tone: Tone) -> Color {
        match tone {
            Tone::Ink => Color(0x1b, 0x22, 0x30),
            Tone::Label => Color(0x5d, 0x67, 0x76),
            Tone::Title => self.title,
            Tone::Accent => self.accent,
            Tone::OnAccent => self.on_accent,
            Tone::Rule => Color(0xd3, 0xd9, 0xe1),
            Tone::Shade => SHADE,
            Tone::Alarm => Color(0xb4, 0x23, 0x18),
            Tone::OnAlarm => Color::WHITE,
            Tone::GraveMark => Color(0xfb, 0xe6, 0xe3),
            Tone::Mark => Color(0xec, 0xee, 0xf1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::LEGIBLE;

    #[test]
    fn all_text_can_be_read_whatever_the_accent() {
        for accent in ["#1F3A5F", "#FFFFFF", "#FFFF00", "#00FF00", "#E88AB0", "#808080", "#000000"]
        {
            let palette = Palette::of(Color::parse(accent).unwrap());
            for (text, ground) in [
                (Tone::Ink, Tone::Shade),
                (Tone::Label, Tone::Shade),
                (Tone::Title, Tone::Shade),
                (Tone::OnAccent, Tone::Accent),
                (Tone::OnAlarm, Tone::Alarm),
            ] {
                let contrast = palette.color(text).contrast(palette.color(ground));
                assert!(contrast >= LEGIBLE, "{accent} {text:?}: {contrast}");
            }
        }
    }
}
