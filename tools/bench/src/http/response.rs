//! Reading answers: status, body by length or in chunks, and the few headers that matter.

/// An answer, borrowed from the connection that read it.
#[derive(Debug)]
pub(crate) struct Response<'a> {
    pub(crate) status: u16,
    /// The answer carried `Idempotent-Replayed: true`.
    pub(crate) replayed: bool,
    pub(crate) body: &'a [u8],
}

/// How the end of a body is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    Length(usize),
    Chunked,
}

/// The head of an answer, once all of it has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) status: u16,
    pub(crate) replayed: bool,
    /// The server closes the connection after this answer.
    pub(crate) closes: bool,
    pub(crate) framing: Framing,
    /// Bytes up to and including the empty line.
    pub(crate) head_bytes: usize,
}

/// Bytes that are no HTTP/1.1 answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Malformed(pub(crate) &'static str);

/// Heads larger than this are refused instead of waited for.
const HEAD_BYTES_MAX: usize = 16 * 1024;
/// No answer of the service comes near.
const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Reads the head at the start of `bytes`; `None` while it is incomplete.
pub(crate) fn parse_head(bytes: &[u8]) -> Result<Option<Head>, Malformed> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        return if bytes.len() > HEAD_BYTES_MAX {
            Err(Malformed("the head does not end"))
        } else {
            Ok(None)
        };
    };
    let mut lines = bytes.get(..end).unwrap_or_default().split(|byte| *byte == b'\n');
    let status = parse_status(lines.next().unwrap_or_default())?;
    let (mut length, mut chunked, mut replayed, mut closes) = (None, false, false, false);
    for line in lines {
        let colon = line.iter().position(|byte| *byte == b':');
        let colon = colon.ok_or(Malformed("a header line without a colon"))?;
        let (name, value) = line.split_at(colon);
        let value = value.strip_prefix(b":").unwrap_or_default().trim_ascii();
        if name.eq_ignore_ascii_case(b"content-length") {
            length = Some(parse_length(value)?);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            chunked = value.eq_ignore_ascii_case(b"chunked");
        } else if name.eq_ignore_ascii_case(b"connection") {
            closes = value.eq_ignore_ascii_case(b"close");
        } else if name.eq_ignore_ascii_case(b"idempotent-replayed") {
            replayed = value.eq_ignore_ascii_case(b"true");
        }
    }
    let framing = match (length, chunked) {
        (_, true) => Framing::Chunked,
        (Some(length), false) => Framing::Length(length),
        (None, false) if matches!(status, 204 | 304) => Framing::Length(0),
        (None, false) => return Err(Malformed("the body has no end")),
    };
    Ok(Some(Head { status, replayed, closes, framing, head_bytes: end + 4 }))
}

/// Joins the chunks at the start of `bytes` into `body`; the number of bytes they took, or
/// `None` while the last one has not arrived.
pub(crate) fn join_chunks(bytes: &[u8], body: &mut Vec<u8>) -> Result<Option<usize>, Malformed> {
    body.clear();
    let mut rest = bytes;
    loop {
        let Some(line_end) = rest.windows(2).position(|two| two == b"\r\n") else {
            return Ok(None);
        };
        let (line, after) = rest.split_at(line_end);
        let size = parse_chunk_size(line)?;
        let Some(data) = after.get(2..) else { return Ok(None) };
        let Some((chunk, tail)) = data.split_at_checked(size) else { return Ok(None) };
        let Some((ending, tail)) = tail.split_at_checked(2) else { return Ok(None) };
        if ending != b"\r\n" {
            return Err(Malformed("a chunk does not end where it said"));
        }
        body.extend_from_slice(chunk);
        rest = tail;
        if size == 0 {
            return Ok(Some(bytes.len() - rest.len()));
        }
    }
}

fn parse_status(line: &[u8]) -> Result<u16, Malformed> {
    let rest = line.strip_prefix(b"HTTP/1.1 ").ok_or(Malformed("not an HTTP/1.1 answer"))?;
    let digits = rest.get(..3).ok_or(Malformed("no status"))?;
    number(digits, 10).and_then(|status| u16::try_from(status).ok()).ok_or(Malformed("no status"))
}

fn parse_length(value: &[u8]) -> Result<usize, Malformed> {
    number(value, 10)
        .filter(|length| *length <= BODY_BYTES_MAX)
        .ok_or(Malformed("an unusable content-length"))
}

fn parse_chunk_size(line: &[u8]) -> Result<usize, Malformed> {
    let size = line.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    number(size, 16)
        .filter(|size| *size <= BODY_BYTES_MAX)
        .ok_or(Malformed("an unusable chunk size"))
}

fn number(digits: &[u8], radix: u32) -> Option<usize> {
    let text = std::str::from_utf8(digits).ok().filter(|text| !text.starts_with('+'))?;
    usize::from_str_radix(text, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &[u8] = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\
        idempotent-replayed: true\r\nx-request-id: abc:def\r\n\r\n{}";

    #[test]
    fn a_head_is_read_once_it_is_complete() {
        let head = parse_head(ANSWER).unwrap().unwrap();
        assert_eq!(head.status, 201);
        assert_eq!(head.framing, Framing::Length(2));
        assert_eq!(&ANSWER[head.head_bytes..], b"{}");
        assert!(head.replayed && !head.closes);
        for length in 0..head.head_bytes {
            assert_eq!(parse_head(&ANSWER[..length]), Ok(None), "at {length} bytes");
        }
    }

    #[test]
    fn header_names_have_no_case_and_close_is_seen() {
        let head = parse_head(b"HTTP/1.1 200 OK\r\nCONTENT-LENGTH:7\r\nConnection: Close\r\n\r\n");
        let head = head.unwrap().unwrap();
        assert_eq!(head.framing, Framing::Length(7));
        assert!(head.closes && !head.replayed);
    }

    #[test]
    fn an_answer_without_an_end_is_refused() {
        assert!(parse_head(b"HTTP/1.1 200 OK\r\nDate: now\r\n\r\n").is_err());
        let empty = parse_head(b"HTTP/1.1 204 No Content\r\nDate: now\r\n\r\n").unwrap().unwrap();
        assert_eq!(empty.framing, Framing::Length(0));
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        assert!(parse_head(b"SSH-2.0-x\r\n\r\n").is_err());
        assert!(parse_head(b"HTTP/1.1 abc\r\n\r\n").is_err());
        assert!(parse_head(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n").is_err());
        assert!(parse_head(b"HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n").is_err());
        assert!(parse_head(&[b'x'; HEAD_BYTES_MAX + 1]).is_err());
    }

    #[test]
    fn chunks_are_joined_once_the_last_has_come() {
        let bytes = b"4\r\n{\"a\"\r\n3;x=y\r\n:1}\r\n0\r\n\r\n";
        let mut body = Vec::new();
        for length in 0..bytes.len() {
            assert_eq!(join_chunks(&bytes[..length], &mut body), Ok(None), "at {length} bytes");
        }
        assert_eq!(join_chunks(bytes, &mut body), Ok(Some(bytes.len())));
        assert_eq!(body, b"{\"a\":1}");
    }

    #[test]
    fn a_chunk_of_another_length_is_refused() {
        let mut body = Vec::new();
        assert!(join_chunks(b"2\r\nabc\r\n0\r\n\r\n", &mut body).is_err());
        assert!(join_chunks(b"zz\r\n", &mut body).is_err());
    }
}
