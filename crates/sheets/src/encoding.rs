//! Characters out of bytes.

mod cp850;

use encoding_rs::{
    CoderResult, Decoder, DecoderResult, MACINTOSH, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

/// How the characters of a text are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-16, the lower byte first, as Excel's "Unicode text".
    Utf16Le,
    /// UTF-16, the higher byte first.
    Utf16Be,
    /// Windows-1252, as Excel writes CSV in the Americas and Western Europe.
    Windows1252,
    /// Code page 850, as programs for MS-DOS write.
    Cp850,
    /// Mac OS Roman, as Excel for Mac writes CSV.
    Macintosh,
}

impl Encoding {
    /// Every one of them.
    pub const EVERY: &'static [Self] = &[
        Self::Utf8,
        Self::Utf16Le,
        Self::Utf16Be,
        Self::Windows1252,
        Self::Cp850,
        Self::Macintosh,
    ];
    /// Those that are read on request; the others are recognised.
    pub const ON_REQUEST: &'static [Self] =
        &[Self::Utf8, Self::Windows1252, Self::Cp850, Self::Macintosh];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Windows1252 => "windows-1252",
            Self::Cp850 => "cp850",
            Self::Macintosh => "macintosh",
        }
    }

    /// The one that a byte order mark announces.
    pub(crate) fn of_mark(head: &[u8]) -> Option<Self> {
        match head {
            [0xEF, 0xBB, 0xBF, ..] => Some(Self::Utf8),
            [0xFF, 0xFE, ..] => Some(Self::Utf16Le),
            [0xFE, 0xFF, ..] => Some(Self::Utf16Be),
            _ => None,
        }
    }

    /// Whether a byte stands for no character in it.
    pub(crate) const fn lacks(self, byte: u8) -> bool {
        matches!((self, byte), (Self::Windows1252, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D))
    }
}

/// Bytes that are no characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// Decodes a text piece by piece; a byte order mark is left out.
pub(crate) enum Decoding {
    /// By the tables of the web.
    Known(Box<Decoder>),
    /// By our own, which the web has not.
    Cp850,
}

impl Decoding {
    pub(crate) fn of(encoding: Encoding) -> Self {
        let known = match encoding {
            Encoding::Utf8 => UTF_8,
            Encoding::Utf16Le => UTF_16LE,
            Encoding::Utf16Be => UTF_16BE,
            Encoding::Windows1252 => WINDOWS_1252,
            Encoding::Macintosh => MACINTOSH,
            Encoding::Cp850 => return Self::Cp850,
        };
        Self::Known(Box::new(known.new_decoder_with_bom_removal()))
    }

    /// Adds the characters of a piece to `out`; `is_last` says whether it ends the text.
    pub(crate) fn decode(
        &mut self,
        mut bytes: &[u8],
        is_last: bool,
        out: &mut String,
    ) -> Result<(), Malformed> {
        let Self::Known(decoder) = self else {
            out.extend(bytes.iter().map(|byte| cp850::character(*byte)));
            return Ok(());
        };
        loop {
            let more = decoder.max_utf8_buffer_length_without_replacement(bytes.len());
            out.reserve(more.unwrap_or(bytes.len()));
            let (result, read) = decoder.decode_to_string_without_replacement(bytes, out, is_last);
            bytes = bytes.get(read..).unwrap_or_default();
            match result {
                DecoderResult::InputEmpty => return Ok(()),
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => return Err(Malformed),
            }
        }
    }
}

/// As many characters of `bytes` as are whole, whatever is not being shown as U+FFFD.
pub(crate) fn lossy(encoding: Encoding, bytes: &[u8]) -> String {
    let mut text = String::new();
    match Decoding::of(encoding) {
        Decoding::Known(mut decoder) => {
            let more = decoder.max_utf8_buffer_length(bytes.len());
            text.reserve(more.unwrap_or(bytes.len()));
            let (result, ..) = decoder.decode_to_string(bytes, &mut text, false);
            debug_assert_eq!(result, CoderResult::InputEmpty);
        }
        Decoding::Cp850 => text.extend(bytes.iter().map(|byte| cp850::character(*byte))),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(encoding: Encoding, bytes: &[u8], step: usize) -> Result<String, Malformed> {
        let (mut decoding, mut text) = (Decoding::of(encoding), String::new());
        for piece in bytes.chunks(step) {
            decoding.decode(piece, false, &mut text)?;
        }
        decoding.decode(&[], true, &mut text)?;
        Ok(text)
    }

    #[test]
    fn a_word_is_the_same_in_every_encoding_and_in_pieces_of_every_size() {
        let cases: &[(Encoding, &[u8])] = &[
            (Encoding::Utf8, b"\xEF\xBB\xBFma\xC3\xB1ana"),
            (Encoding::Utf16Le, b"\xFF\xFEm\0a\0\xF1\0a\0n\0a\0"),
            (Encoding::Utf16Be, b"\xFE\xFF\0m\0a\0\xF1\0a\0n\0a"),
            (Encoding::Windows1252, b"ma\xF1ana"),
            (Encoding::Cp850, b"ma\xA4ana"),
            (Encoding::Macintosh, b"ma\x96ana"),
        ];
        for (encoding, bytes) in cases {
            for step in 1..=bytes.len() {
                assert_eq!(
                    decoded(*encoding, bytes, step).as_deref(),
                    Ok("mañana"),
                    "{encoding:?}"
                );
            }
        }
        assert_eq!(decoded(Encoding::Utf8, b"ma\xF1ana", 2), Err(Malformed));
        assert_eq!(decoded(Encoding::Utf8, b"ma\xC3", 2), Err(Malformed));
        assert_eq!(decoded(Encoding::Utf16Le, b"\xFF\xFEm\0\0\xD8m\0", 3), Err(Malformed));
    }
}
