//! What is known of a text before its rows are read: its encoding follows from all of it.

use crate::{Encoding, Extent, Refusal, Unsupported, encoding::Decoding, text::Inflated};

/// Bytes of the beginning that are looked at for separators and names of columns.
pub(crate) const HEAD_BYTES: usize = 256 * 1024;

/// What a look at a text has found.
#[derive(Debug)]
pub(crate) struct Survey {
    /// The first bytes.
    pub(crate) head: Vec<u8>,
    pub(crate) encoding: Encoding,
}

/// What is found while the bytes go by.
struct Findings {
    utf8: Option<Decoding>,
    scratch: String,
    has_undefined: bool,
    has_nul: bool,
    is_blank: bool,
}

/// Looks at a text from its beginning to its end, or at its head alone.
pub(crate) fn survey(
    mut bytes: Inflated<'_>,
    wanted: Option<Encoding>,
    extent: Extent,
) -> Result<Survey, Refusal> {
    let mut head = vec![0; HEAD_BYTES];
    let read = bytes.read(&mut head)?;
    head.truncate(read);
    let marked = Encoding::of_mark(&head);
    let utf8 = Decoding::of(marked.unwrap_or(Encoding::Utf8));
    let mut found = Findings {
        utf8: Some(utf8),
        scratch: String::new(),
        has_undefined: false,
        has_nul: false,
        is_blank: true,
    };
    let is_whole = read < HEAD_BYTES;
    found.look_at(&head, is_whole);
    if !is_whole && extent == Extent::Whole {
        let mut piece = vec![0; HEAD_BYTES];
        loop {
            let read = bytes.read(&mut piece)?;
            let is_last = read < piece.len();
            found.look_at(piece.get(..read).unwrap_or_default(), is_last);
            if is_last {
                break;
            }
        }
    }
    if found.is_blank {
        return Err(Refusal::Empty);
    }
    let encoding = found.encoding(marked, wanted)?;
    Ok(Survey { head, encoding })
}

impl Findings {
    fn look_at(&mut self, bytes: &[u8], is_last: bool) {
        self.has_undefined |= bytes.iter().any(|byte| Encoding::Windows1252.lacks(*byte));
        self.has_nul |= bytes.contains(&0);
        if let Some(decoding) = &mut self.utf8 {
            self.scratch.clear();
            if decoding.decode(bytes, is_last, &mut self.scratch).is_err() {
                self.utf8 = None;
            }
            self.is_blank &= self.scratch.trim().is_empty();
        }
        if self.utf8.is_none() {
            self.is_blank &= bytes.trim_ascii().is_empty();
        }
    }

    fn encoding(
        &self,
        marked: Option<Encoding>,
        wanted: Option<Encoding>,
    ) -> Result<Encoding, Refusal> {
        let is_right = self.utf8.is_some();
        match (marked, wanted) {
            (Some(marked), _) if is_right => Ok(marked),
            // A mark that lies.
            (Some(_), _) => Err(Refusal::UnknownEncoding),
            _ if self.has_nul => Err(Refusal::Unsupported(Unsupported::Binary)),
            (None, Some(Encoding::Utf8)) if !is_right => Err(Refusal::UnknownEncoding),
            (None, Some(wanted)) if wanted != Encoding::Windows1252 => Ok(wanted),
            (None, None) if is_right => Ok(Encoding::Utf8),
            _ if self.has_undefined => Err(Refusal::UnknownEncoding),
            _ => Ok(Encoding::Windows1252),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoding(bytes: &[u8], wanted: Option<Encoding>) -> Result<Encoding, &'static str> {
        let found = survey(Inflated::new(bytes, false), wanted, Extent::Whole);
        found.map(|survey| survey.encoding).map_err(|refusal| refusal.code())
    }

    #[test]
    fn encodings_follow_from_all_of_a_text() {
        let mut late = "sku,name\n".repeat(60_000).into_bytes();
        late.extend(b"T-1,Ni\xF1o\n");
        type Case<'a> = (&'a [u8], Option<Encoding>, Result<Encoding, &'static str>);
        let cases: &[Case<'_>] = &[
            (b"sku,name", None, Ok(Encoding::Utf8)),
            ("sku,niño".as_bytes(), None, Ok(Encoding::Utf8)),
            (b"sku,ni\xF1o", None, Ok(Encoding::Windows1252)),
            (&late, None, Ok(Encoding::Windows1252)),
            (b"\xEF\xBB\xBFsku,ni\xF1o", None, Err("unknown_encoding")),
            (b"\xFF\xFEs\0k\0u\0", None, Ok(Encoding::Utf16Le)),
            (b"\xFE\xFF\0s\0k\0u", None, Ok(Encoding::Utf16Be)),
            (b"\xFF\xFEs\0k\0\0\xDC", None, Err("unknown_encoding")),
            (b"sku,ni\xA4o \x81", None, Err("unknown_encoding")),
            (b"sku,ni\xA4o \x81", Some(Encoding::Cp850), Ok(Encoding::Cp850)),
            (b"sku,ni\x96o \x90", Some(Encoding::Macintosh), Ok(Encoding::Macintosh)),
            (b"sku,ni\xF1o", Some(Encoding::Utf8), Err("unknown_encoding")),
            (b"s\0k\0u", None, Err("unsupported_file")),
            (b"", None, Err("empty_file")),
            (b"\xEF\xBB\xBF \r\n\r\n", None, Err("empty_file")),
        ];
        for (bytes, wanted, expected) in cases {
            assert_eq!(encoding(bytes, *wanted), *expected, "{}", bytes.len());
        }
    }
}
