//! A connection that is about to be encrypted.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll, ready},
};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

/// The first byte of a TLS handshake.
const HANDSHAKE: u8 = 0x16;

/// A connection that gives no byte ahead of its time until TLS begins.
///
/// Lettre reads through a buffer which it keeps when TLS begins. What somebody on the way had put into it
/// behind the last words in the clear would count as said by the server under TLS. Read one by one, those
/// bytes stay here, and the handshake meets and refuses them.
#[derive(Debug)]
pub(super) struct Wire {
    stream: TcpStream,
    encrypted: bool,
}

impl Wire {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, encrypted: false }
    }
}

impl AsyncTokioStream for Wire {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.stream.peer_addr()
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.encrypted || buf.remaining() == 0 {
            return Pin::new(&mut self.stream).poll_read(cx, buf);
        }
        let mut byte = [0];
        let mut one = ReadBuf::new(&mut byte);
        ready!(Pin::new(&mut self.stream).poll_read(cx, &mut one))?;
        buf.put_slice(one.filled());
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        // No command begins with it.
        self.encrypted |= bytes.first() == Some(&HANDSHAKE);
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
