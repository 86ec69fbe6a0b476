//! HTTP by hand: for requests that a well-behaved client would not send.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::Value;
use testkit::App;

/// One connection.
pub(crate) struct Wire {
    stream: BufReader<TcpStream>,
    key: Option<String>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// Nothing may take longer: a test that waits for ever tells nothing.
const PATIENCE: Duration = Duration::from_secs(30);

impl Wire {
    /// A connection with a key of an account of its own that may do everything.
    pub(crate) fn with_key(app: &App) -> Self {
        Self::anonymous(app).keyed(&app.key(app.account(), "*").0)
    }

    /// The same with this key.
    pub(crate) fn keyed(self, key: &str) -> Self {
        Self { key: Some(key.to_owned()), ..self }
    }

    /// A connection without a key.
    pub(crate) fn anonymous(app: &App) -> Self {
        let stream = TcpStream::connect(app.origin().replace("http://", "")).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Self { stream: BufReader::new(stream), key: None }
    }

    /// GET of a whole path.
    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, &[], b"")
    }

    /// A request with these header lines; the length of the body is stated unless a line says otherwise.
    pub(crate) fn send(&mut self, method: &str, path: &str, lines: &[&str], body: &[u8]) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n");
        if let Some(key) = &self.key {
            head.push_str(&format!("Authorization: Bearer {key}\r\n"));
        }
        let states_length = |line: &str| {
            let line = line.to_lowercase();
            line.starts_with("content-length") || line.starts_with("transfer-encoding")
        };
        if !body.is_empty() && !lines.iter().any(|line| states_length(line)) {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        lines.iter().for_each(|line| head.push_str(&format!("{line}\r\n")));
        head.push_str("\r\n");
        self.raw(&[head.as_bytes(), body].concat(), method == "HEAD")
    }

    /// Any bytes. The service may answer before it has taken all of them.
    pub(crate) fn raw(&mut self, bytes: &[u8], is_head: bool) -> Answer {
        drop(self.stream.get_mut().write_all(bytes));
        let mut answer = self.head();
        if answer.status == 100 {
            answer = self.head();
        }
        let length = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
        if !is_head && answer.status != 304 {
            answer.body = vec![0; length];
            self.stream.read_exact(&mut answer.body).expect("the announced body");
        }
        answer
    }

    fn head(&mut self) -> Answer {
        let first = self.line();
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut headers = Vec::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(": ") else { break };
            headers.push((name.to_lowercase(), value.to_owned()));
        }
        let status = status.unwrap_or_else(|| panic!("no answer but {first:?}"));
        Answer { status, headers, body: Vec::new() }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("an answer");
        line.trim_end().to_owned()
    }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether the service will close the connection.
    pub(crate) fn closes(&self) -> bool {
        self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }

    /// Its code and message, when it is a refusal in the documented shape.
    pub(crate) fn refusal(&self) -> (u16, String, String) {
        let text = String::from_utf8_lossy(&self.body);
        let (code, message) = refusal(self.status, &text).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(self.header("x-request-id").is_some(), "{text}");
        assert_eq!(self.header("content-type"), Some("application/json"), "{text}");
        (self.status, code, message)
    }
}

/// What must not show in a message: the insides of the service and of what it is made of.
const INSIDES: &[&str] = &["serde", "panick", "diesel", "sqlite", "postgres", "expected ", ".rs:"];

/// The code and message of a refusal, or in what it is not of the documented shape.
pub(crate) fn refusal(status: u16, text: &str) -> Result<(String, String), String> {
    let fault = |what: &str| Err(format!("{what} (status {status}): {text}"));
    if !(400..500).contains(&status) {
        return fault("not a refusal");
    }
    let Ok(Value::Object(fields)) = serde_json::from_str(text) else {
        return fault("no JSON object");
    };
    let names: Vec<_> = fields.keys().map(String::as_str).collect();
    let (Some(code), Some(message)) = (fields.get("error"), fields.get("message")) else {
        return fault("another shape");
    };
    let (Some(code), Some(message)) = (code.as_str(), message.as_str()) else {
        return fault("another shape");
    };
    if names != ["error", "message", "statusCode"] || fields["statusCode"] != status {
        return fault("another shape");
    }
    if message.is_empty() || message.len() > 5_000 {
        return fault("no sentence");
    }
    let lower = message.to_lowercase();
    if INSIDES.iter().any(|inside| lower.contains(inside)) {
        return fault("tells of its insides");
    }
    Ok((code.to_owned(), message.to_owned()))
}
