//! What a peer begins with, to tell apart those who have come to the wrong port.

/// The first bytes of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Greeting {
    /// HTTP/1, as far as that can be told.
    Http,
    /// A TLS handshake (RFC 8446, section 5.1).
    Tls,
    /// HTTP/2 that nobody has agreed on (RFC 9113, section 3.4).
    Http2,
    /// The PROXY protocol of load balancers, of either version.
    Proxy,
    /// None of these.
    Unknown,
}

impl Greeting {
    /// What these bytes begin with.
    pub(super) fn of(first: &[u8]) -> Self {
        match first {
            [0x16, 3, ..] => Self::Tls,
            [b'P', b'R', b'I', b' ', b'*', ..] => Self::Http2,
            [b'P', b'R', b'O', b'X', b'Y', b' ', ..] | [b'\r', b'\n', b'\r', b'\n', 0, ..] => {
                Self::Proxy
            }
            [b'A'..=b'Z', ..] => Self::Http,
            _ => Self::Unknown,
        }
    }

    /// What whoever set up the client should know, if it did not come for this service's HTTP.
    pub(super) const fn hint(self) -> Option<&'static str> {
        match self {
            Self::Http => None,
            Self::Tls => Some("this port speaks plain HTTP; https:// needs tls_cert"),
            Self::Http2 => Some("this port speaks HTTP/1.1; HTTP/2 needs tls_cert"),
            Self::Proxy => Some(
                "the PROXY protocol is not understood; let the proxy send X-Forwarded-For, and see trusted_proxies",
            ),
            Self::Unknown => Some("what has come is not HTTP"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_are_told_apart_by_how_they_begin() {
        for (first, greeting) in [
            (&b"GET / HTTP/1.1\r\n"[..], Greeting::Http),
            (b"PATCH /api HTTP/1.1\r\n", Greeting::Http),
            (b"\x16\x03\x01\x02\x00\x01", Greeting::Tls),
            (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", Greeting::Http2),
            (b"PROXY TCP4 192.0.2.1 192.0.2.2 5 80\r\n", Greeting::Proxy),
            (b"\r\n\r\n\0\r\nQUIT\n", Greeting::Proxy),
            (b"\0\0\0", Greeting::Unknown),
            (b"\x16", Greeting::Unknown),
        ] {
            assert_eq!(Greeting::of(first), greeting, "{first:?}");
        }
    }
}
