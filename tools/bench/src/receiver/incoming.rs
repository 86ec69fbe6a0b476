//! Reading requests: their path, the headers of a delivery, and a body of a known length.

/// A request, borrowed from the connection that read it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Incoming<'a> {
    pub(crate) method: &'a str,
    /// Path and query.
    pub(crate) target: &'a str,
    pub(crate) signature: Option<&'a [u8]>,
    pub(crate) event_id: Option<&'a str>,
    /// Which attempt this is; zero when the request does not say.
    pub(crate) attempt: u32,
    pub(crate) body: &'a [u8],
    /// Bytes of the whole request.
    pub(crate) bytes: usize,
}

/// Bytes that are no request of ours.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// No delivery comes near.
const BODY_BYTES_MAX: usize = 1024 * 1024;
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// Reads the request at the start of `bytes`; `None` while it is incomplete.
pub(crate) fn parse(bytes: &[u8]) -> Result<Option<Incoming<'_>>, Malformed> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        return if bytes.len() > HEAD_BYTES_MAX { Err(Malformed) } else { Ok(None) };
    };
    let head = std::str::from_utf8(bytes.get(..end).unwrap_or_default()).map_err(|_| Malformed)?;
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Err(Malformed) };
    let (mut length, mut signature, mut event_id, mut attempt) = (0, None, None, 0);
    for line in lines {
        let (name, value) = line.split_once(':').ok_or(Malformed)?;
        let value = value.trim_ascii();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().map_err(|_| Malformed)?;
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            // A body whose bytes are known beforehand is sent with its length.
            return Err(Malformed);
        } else if name.eq_ignore_ascii_case("x-service-signature-256") {
            signature = Some(value.as_bytes());
        } else if name.eq_ignore_ascii_case("x-service-event-id") {
            event_id = Some(value);
        } else if name.eq_ignore_ascii_case("x-service-attempt") {
            attempt = value.parse().map_err(|_| Malformed)?;
        }
    }
    if length > BODY_BYTES_MAX {
        return Err(Malformed);
    }
    let body_start = end + 4;
    let Some(body) = bytes.get(body_start..body_start + length) else { return Ok(None) };
    let bytes = body_start + length;
    Ok(Some(Incoming { method, target, signature, event_id, attempt, body, bytes }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DELIVERY: &[u8] = b"POST /ok/1?x=y HTTP/1.1\r\nhost: a\r\nContent-Length: 2\r\n\
        X-Service-Signature-256: ab\r\nx-service-event-id: evt_1\r\nx-service-attempt: 2\r\n\r\n{}";

    #[test]
    fn a_delivery_is_read_once_it_is_complete() {
        let incoming = parse(DELIVERY).unwrap().unwrap();
        assert_eq!((incoming.method, incoming.target), ("POST", "/ok/1?x=y"));
        assert_eq!(incoming.signature, Some(&b"ab"[..]));
        assert_eq!((incoming.event_id, incoming.attempt), (Some("evt_1"), 2));
        assert_eq!((incoming.body, incoming.bytes), (&b"{}"[..], DELIVERY.len()));
        for length in 0..DELIVERY.len() {
            assert_eq!(parse(&DELIVERY[..length]), Ok(None), "at {length} bytes");
        }
    }

    #[test]
    fn what_follows_belongs_to_the_next_request() {
        let two = [DELIVERY, DELIVERY].concat();
        assert_eq!(parse(&two).unwrap().unwrap().bytes, DELIVERY.len());
    }

    #[test]
    fn what_is_no_delivery_is_refused() {
        assert_eq!(parse(b"POST\r\n\r\n"), Err(Malformed));
        assert_eq!(parse(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), Err(Malformed));
        assert_eq!(parse(b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), Err(Malformed));
        assert_eq!(parse(&[b'x'; HEAD_BYTES_MAX + 1]), Err(Malformed));
    }
}
