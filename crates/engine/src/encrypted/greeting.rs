//! What is said before a connection to PostgreSQL is authenticated.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// What a client says that wants TLS.
pub(super) const TLS_WANTED: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];
/// What a server answers that speaks it.
pub(super) const TLS_GIVEN: u8 = b'S';

/// Bytes of a message before authentication.
const BYTES_MAX: u32 = 65_536;
/// The bytes of a length, which count themselves.
const LENGTH_BYTES: u32 = 4;

const AUTHENTICATION: u8 = b'R';
const ERROR: u8 = b'E';
/// How the server asks for a password by SASL, followed by the names of the ways that it knows.
const BY_SASL: &[u8] = &[0, 0, 0, 10];
/// The way that binds the password to the TLS connection, which libpq here knows nothing of: offered it without one, it
/// would take the server for somebody in between.
const BOUND: &[u8] = b"SCRAM-SHA-256-PLUS";

/// The first message of a client, which has a length and no kind.
pub(super) async fn startup(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let length = from.read_u32().await?;
    let body = body(from, length).await?;
    Ok([length.to_be_bytes().as_slice(), body.as_slice()].concat())
}

/// Passes on what a server says until it asks for authentication, needs none or refuses.
pub(super) async fn pass_authentication(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
) -> io::Result<()> {
    loop {
        let kind = from.read_u8().await?;
        let length = from.read_u32().await?;
        let body = body(from, length).await?;
        let body = if kind == AUTHENTICATION { unbound(&body) } else { body };
        to.write_all(&message(kind, &body)).await?;
        if matches!(kind, AUTHENTICATION | ERROR) {
            return Ok(());
        }
    }
}

async fn body(from: &mut (impl AsyncRead + Unpin), length: u32) -> io::Result<Vec<u8>> {
    let rest = length.checked_sub(LENGTH_BYTES).filter(|rest| *rest <= BYTES_MAX);
    let rest = rest.ok_or(io::ErrorKind::InvalidData)?;
    let mut body = vec![0; rest as usize];
    from.read_exact(&mut body).await?;
    Ok(body)
}

fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap_or(BYTES_MAX) + LENGTH_BYTES;
    [[kind].as_slice(), length.to_be_bytes().as_slice(), body].concat()
}

/// The same request without the way that binds to the connection, if there is another.
fn unbound(body: &[u8]) -> Vec<u8> {
    let Some(ways) = body.strip_prefix(BY_SASL) else { return body.to_vec() };
    let ways: Vec<&[u8]> =
        ways.split(|byte| *byte == 0).filter(|way| !way.is_empty() && *way != BOUND).collect();
    if ways.is_empty() {
        return body.to_vec();
    }
    let ways = ways.into_iter().flat_map(|way| way.iter().copied().chain([0]));
    BY_SASL.iter().copied().chain(ways).chain([0]).collect()
}

/// How a server says that it takes no connections, upon which libpq tries the next one.
pub(super) fn refusal(why: &str) -> Vec<u8> {
    let fields = [("S", "FATAL"), ("V", "FATAL"), ("C", "57P03"), ("M", why)];
    let fields = fields.iter().flat_map(|(field, value)| {
        field.bytes().chain(value.bytes().filter(|byte| *byte != 0)).chain([0])
    });
    message(ERROR, &fields.chain([0]).collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sasl(ways: &[&str]) -> Vec<u8> {
        let mut body = BY_SASL.to_vec();
        for way in ways {
            body.extend(way.bytes().chain([0]));
        }
        body.push(0);
        body
    }

    #[test]
    fn a_way_that_binds_to_the_connection_is_not_offered() {
        let both = sasl(&["SCRAM-SHA-256-PLUS", "SCRAM-SHA-256"]);
        assert_eq!(unbound(&both), sasl(&["SCRAM-SHA-256"]));
        for other in [sasl(&["SCRAM-SHA-256"]), sasl(&["SCRAM-SHA-256-PLUS"]), vec![0, 0, 0, 0]] {
            assert_eq!(unbound(&other), other);
        }
    }

    #[test]
    fn a_refusal_is_a_message_of_its_length() {
        let refusal = refusal("no\0where");
        assert_eq!(refusal[0], b'E');
        let length = u32::from_be_bytes(refusal[1..5].try_into().unwrap());
        assert_eq!(length as usize, refusal.len() - 1);
        assert!(refusal.windows(11).any(|bytes| bytes == b"C57P03\0Mnow"));
    }
}
