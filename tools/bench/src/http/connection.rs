//! A connection that is kept open and carries one request at a time.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::response::{Framing, Head, Malformed, Response, join_chunks, parse_head};

const BUFFER_BYTES: usize = 32 * 1024;

/// Why an answer did not come: nobody knows whether the request had its effect.
#[derive(Debug)]
pub(crate) struct Lost(pub(crate) String);

impl From<io::Error> for Lost {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<Malformed> for Lost {
    fn from(Malformed(what): Malformed) -> Self {
        Self(format!("malformed answer: {what}"))
    }
}

/// One keep-alive connection with its buffers.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    joined: Vec<u8>,
    closes: bool,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let buffer = Vec::with_capacity(BUFFER_BYTES);
        Ok(Self { stream, buffer, joined: Vec::new(), closes: false })
    }

    /// The server said that the last answer was the last one.
    pub(crate) const fn closes(&self) -> bool {
        self.closes
    }

    /// Sends a request and reads its answer. After an error the connection is of no use.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Result<Response<'_>, Lost> {
        self.buffer.clear();
        self.stream.write_all(request).await?;
        let head = self.read_head().await?;
        self.closes = head.closes;
        let body = match head.framing {
            Framing::Length(length) => self.read_length(head, length).await?,
            Framing::Chunked => self.read_chunks(head).await?,
        };
        Ok(Response { status: head.status, replayed: head.replayed, body })
    }

    async fn read_head(&mut self) -> Result<Head, Lost> {
        loop {
            self.fill().await?;
            if let Some(head) = parse_head(&self.buffer)? {
                return Ok(head);
            }
        }
    }

    async fn read_length(&mut self, head: Head, length: usize) -> Result<&[u8], Lost> {
        let end = head.head_bytes + length;
        while self.buffer.len() < end {
            self.fill().await?;
        }
        if self.buffer.len() > end {
            return Err(Malformed("bytes after the answer").into());
        }
        Ok(self.buffer.get(head.head_bytes..end).unwrap_or_default())
    }

    async fn read_chunks(&mut self, head: Head) -> Result<&[u8], Lost> {
        loop {
            let chunks = self.buffer.get(head.head_bytes..).unwrap_or_default();
            if let Some(taken) = join_chunks(chunks, &mut self.joined)? {
                if taken != chunks.len() {
                    return Err(Malformed("bytes after the answer").into());
                }
                return Ok(&self.joined);
            }
            self.fill().await?;
        }
    }

    async fn fill(&mut self) -> Result<(), Lost> {
        if self.buffer.capacity() - self.buffer.len() < BUFFER_BYTES / 4 {
            self.buffer.reserve(BUFFER_BYTES);
        }
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            return Err(Lost("the server closed the connection".to_owned()));
        }
        Ok(())
    }
}
