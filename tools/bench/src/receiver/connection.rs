//! One connection of the receiver: request after request, each answered as its endpoint does.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time;

use super::behaviour::{Deed, NOT_FOUND, OK};
use super::control;
use super::incoming::{Malformed, parse};
use super::recorder::Recorder;

const BUFFER_BYTES: usize = 8 * 1024;
const DRIP_PAUSE: Duration = Duration::from_millis(500);
const BAD_REQUEST: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// What follows a request.
enum Reply {
    Deed(Deed),
    Text(String),
    Refuse,
}

/// Serves until the other side closes, or an endpoint does.
pub(crate) async fn serve(mut stream: TcpStream, recorder: Arc<Mutex<Recorder>>) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(BUFFER_BYTES);
    loop {
        let Some((taken, reply)) = handle(&buffer, &recorder) else {
            if buffer.capacity() - buffer.len() < BUFFER_BYTES / 4 {
                buffer.reserve(BUFFER_BYTES);
            }
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
            continue;
        };
        buffer.drain(..taken);
        match reply {
            Reply::Deed(deed) => {
                if !act(&mut stream, deed).await? {
                    return Ok(());
                }
            }
            Reply::Text(text) => {
                let length = text.len();
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n");
                stream.write_all(&[head, text].concat().into_bytes()).await?;
            }
            Reply::Refuse => return stream.write_all(BAD_REQUEST).await,
        }
    }
}

/// The bytes of the request at the start of `buffer` and what follows it; `None` while there is none.
fn handle(buffer: &[u8], recorder: &Mutex<Recorder>) -> Option<(usize, Reply)> {
    let mut recorder = recorder.lock().unwrap_or_else(PoisonError::into_inner);
    let incoming = match parse(buffer) {
        Ok(incoming) => incoming?,
        Err(Malformed) => {
            recorder.malformed();
            return Some((buffer.len(), Reply::Refuse));
        }
    };
    if let Some(deed) = recorder.arrived(&incoming) {
        return Some((incoming.bytes, Reply::Deed(deed)));
    }
    let reply = match control::answer(&incoming, &mut recorder) {
        Some(text) => Reply::Text(text),
        None => {
            recorder.malformed();
            Reply::Deed(Deed::Answer(NOT_FOUND))
        }
    };
    Some((incoming.bytes, reply))
}

/// Does it; whether the connection lives on.
async fn act(stream: &mut TcpStream, deed: Deed) -> io::Result<bool> {
    match deed {
        Deed::Answer(answer) => stream.write_all(answer).await?,
        Deed::AnswerAfter(pause) => {
            time::sleep(pause).await;
            stream.write_all(OK).await?;
        }
        Deed::AnswerHuge(bytes) => answer_huge(stream, bytes).await?,
        Deed::Close => return Ok(false),
        Deed::Hang => {
            let mut scratch = [0; 64];
            while stream.read(&mut scratch).await? > 0 {}
            return Ok(false);
        }
        Deed::Drip => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n").await?;
            loop {
                time::sleep(DRIP_PAUSE).await;
                stream.write_all(b".").await?;
            }
        }
    }
    Ok(true)
}

async fn answer_huge(stream: &mut TcpStream, bytes: usize) -> io::Result<()> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {bytes}\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    let block = [b'x'; 64 * 1024];
    let mut left = bytes;
    while left > 0 {
        let part = block.get(..left.min(block.len())).unwrap_or_default();
        stream.write_all(part).await?;
        left -= part.len();
    }
    Ok(())
}
