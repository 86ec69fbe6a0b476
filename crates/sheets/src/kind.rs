//! What a file is, by its first bytes: names and media types are wrong too often.

/// A kind of file that rows can be read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file compressed by gzip (RFC 1952).
    Gzip,
    /// An Excel workbook (Office Open XML).
    Workbook,
    /// One JSON object a line.
    JsonLines,
    /// Cells between separators.
    Delimited,
}

/// A kind of file that people send by mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// A workbook of Excel 97 to 2003.
    OldExcel,
    /// An archive or another kind of document in one.
    Archive,
    /// A web page.
    Html,
    /// Another document of XML.
    Xml,
    /// A picture.
    Image,
    /// A PDF.
    Pdf,
    /// One JSON value instead of one a line.
    Json,
    /// Bytes that are no text.
    Binary,
}

/// What tells kinds apart that begin with bytes of their own.
const SIGNATURES: &[(&[u8], Unsupported)] = &[
    (&[0xD0, 0xCF, 0x11, 0xE0], Unsupported::OldExcel),
    (b"\x89PNG", Unsupported::Image),
    (&[0xFF, 0xD8, 0xFF], Unsupported::Image),
    (b"GIF8", Unsupported::Image),
    (b"RIFF", Unsupported::Image),
    (b"%PDF", Unsupported::Pdf),
    (b"Rar!", Unsupported::Archive),
    (b"7z\xBC\xAF", Unsupported::Archive),
    (&[0x28, 0xB5, 0x2F, 0xFD], Unsupported::Archive),
    (b"\x7FELF", Unsupported::Binary),
];

impl Kind {
    /// The kind of a file that begins so.
    ///
    /// # Errors
    /// What it is instead.
    pub fn of(head: &[u8]) -> Result<Self, Unsupported> {
        if head.starts_with(&[0x1F, 0x8B]) {
            return Ok(Self::Gzip);
        }
        if head.starts_with(b"PK") && matches!(head.get(2..4), Some([3, 4] | [5, 6] | [7, 8])) {
            return Ok(Self::Workbook);
        }
        if let Some((_, kind)) =
            SIGNATURES.iter().find(|(signature, _)| head.starts_with(signature))
        {
            return Err(*kind);
        }
        Self::of_text(head)
    }

    fn of_text(head: &[u8]) -> Result<Self, Unsupported> {
        let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
        let begins = |with: &str| {
            text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
        };
        match text.first() {
            Some(b'{') => Ok(Self::JsonLines),
            Some(b'[') if text.get(1..).is_some_and(begins_json) => Err(Unsupported::Json),
            Some(b'<') if begins("<?xml") => Err(Unsupported::Xml),
            Some(b'<') => Err(Unsupported::Html),
            _ => Ok(Self::Delimited),
        }
    }
}

/// Whether what follows a bracket is JSON, rather than a header in brackets.
fn begins_json(rest: &[u8]) -> bool {
    matches!(rest.trim_ascii_start().first(), Some(b'{' | b'[' | b'"' | b']'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_their_first_bytes() {
        let cases: &[(&[u8], Result<Kind, Unsupported>)] = &[
            (b"\x1F\x8B\x08\x00", Ok(Kind::Gzip)),
            (b"PK\x03\x04", Ok(Kind::Workbook)),
            (b"PK,nombre\n", Ok(Kind::Delimited)),
            (b"\xD0\xCF\x11\xE0\xA1", Err(Unsupported::OldExcel)),
            (b"\x89PNG\r\n\x1A\n", Err(Unsupported::Image)),
            (b"\xFF\xD8\xFF\xE0", Err(Unsupported::Image)),
            (b"%PDF-1.7", Err(Unsupported::Pdf)),
            (b"\xEF\xBB\xBF  <!DOCTYPE html>", Err(Unsupported::Html)),
            (b"<table><tr>", Err(Unsupported::Html)),
            (b"<?xml version=\"1.0\"?>", Err(Unsupported::Xml)),
            (b" {\"sku\": 1}", Ok(Kind::JsonLines)),
            (b"[{\"sku\": 1}]", Err(Unsupported::Json)),
            (b"[sku],name", Ok(Kind::Delimited)),
            (b"", Ok(Kind::Delimited)),
        ];
        for (head, kind) in cases {
            assert_eq!(Kind::of(head), *kind, "{:?}", head.escape_ascii().to_string());
        }
    }
}
