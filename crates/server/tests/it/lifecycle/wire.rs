//! One connection to a service, so that a test sees when it is cut.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use serde_json::Value;

/// Longer than a service may take for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A kept connection with a key.
pub(crate) struct Wire {
    stream: BufReader<TcpStream>,
    host: SocketAddr,
    key: String,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) text: String,
}

impl Wire {
    /// Connects.
    pub(crate) fn connect(host: SocketAddr, key: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(host)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), host, key: key.to_owned() })
    }

    /// Sends a request and reads its whole answer; an error when the connection is cut before its end.
    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> io::Result<Answer> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
             Content-Length: {}\r\nContent-Type: application/json\r\n",
            self.host,
            self.key,
            body.len()
        );
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("\r\n{body}"));
        self.stream.get_mut().write_all(request.as_bytes())?;
        self.answer()
    }

    fn answer(&mut self) -> io::Result<Answer> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.stream.read_line(&mut head)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let head = head.to_lowercase();
        let malformed = || io::Error::other(format!("no answer: {head:?}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let length = value_in(&head, "content-length").and_then(|length| length.parse().ok());
        let mut body = vec![0; length.ok_or_else(malformed)?];
        self.stream.read_exact(&mut body)?;
        let text = String::from_utf8(body).map_err(io::Error::other)?;
        Ok(Answer { status: status.ok_or_else(malformed)?, text, head })
    }
}

fn value_in<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = head.lines().filter_map(|line| line.split_once(": "));
    fields.find(|(field, _)| *field == name).map(|(_, value)| value)
}

impl Answer {
    /// A header by its lower-case name, in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        value_in(&self.head, name)
    }

    /// The body.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("no JSON ({error}): {}", self.text))
    }
}
