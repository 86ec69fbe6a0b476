//! The bytes of a connection, plain or through TLS, until it is cut.

use std::{
    cell::Cell,
    io,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
};

use actix_http::Protocol;
use api::Connection;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};
use tokio_rustls::server::TlsStream;

use super::greeting::Greeting;

/// How HTTP/2 is called where TLS agrees on a protocol.
const H2: &[u8] = b"h2";

/// What carries bytes.
trait Line: AsyncRead + AsyncWrite + Unpin {}

impl<T: AsyncRead + AsyncWrite + Unpin> Line for T {}

/// A peer's end of a connection, as HTTP is spoken on it.
pub(super) struct Peer {
    line: Box<dyn Line>,
    protocol: Protocol,
    connection: Connection,
    /// What the peer has begun with, once it has.
    greeting: Rc<Cell<Option<Greeting>>>,
}

impl Peer {
    /// A peer that speaks without TLS.
    pub(super) fn plain(stream: TcpStream) -> Self {
        Self::new(Box::new(stream), Protocol::Http1, false)
    }

    /// A peer with which TLS has been agreed on.
    pub(super) fn encrypted(stream: TlsStream<TcpStream>) -> Self {
        let protocol = match stream.get_ref().1.alpn_protocol() {
            Some(H2) => Protocol::Http2,
            _ => Protocol::Http1,
        };
        Self::new(Box::new(stream), protocol, true)
    }

    fn new(line: Box<dyn Line>, protocol: Protocol, is_encrypted: bool) -> Self {
        let (connection, greeting) = (Connection::new(is_encrypted), Rc::default());
        Self { line, protocol, connection, greeting }
    }

    /// The protocol that both have agreed on, or HTTP/1.
    pub(super) const fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// The connection, as requests know it.
    pub(super) const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Where to see what the peer has begun with.
    pub(super) fn greeting(&self) -> Rc<Cell<Option<Greeting>>> {
        Rc::clone(&self.greeting)
    }

    /// The line, unless it is cut.
    fn line(&mut self, cx: &Context<'_>) -> io::Result<Pin<&mut dyn Line>> {
        if self.connection.is_cut(cx) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(Pin::new(&mut *self.line))
    }
}

impl AsyncRead for Peer {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = self.line(cx)?.poll_read(cx, buf);
        if self.greeting.get().is_none()
            && let Some(first) = buf.filled().get(before..).filter(|first| !first.is_empty())
        {
            self.greeting.set(Some(Greeting::of(first)));
        }
        read
    }
}

impl AsyncWrite for Peer {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.line(cx)?.poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.line(cx)?.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.line(cx)?.poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.line(cx)?.poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.line.is_write_vectored()
    }
}
