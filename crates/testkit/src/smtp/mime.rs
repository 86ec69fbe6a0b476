//! Emails as a reader sees them.

use base64::{Engine, engine::general_purpose::STANDARD};

/// An email that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Email {
    /// The sender's address on the envelope.
    pub from: String,
    /// The recipients' addresses on the envelope.
    pub to: Vec<String>,
    /// Who had signed in.
    pub user: Option<String>,
    /// Its headers in their order, the names in lower case, the values as they are to be read.
    pub headers: Vec<(String, String)>,
    /// Its text, with `\n` behind each line but the last.
    pub text: String,
    pub attachments: Vec<Attachment>,
    /// All of it as it came, without the dots that SMTP adds.
    pub raw: Vec<u8>,
}

/// A file enclosed in an email.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Attachment {
    pub name: String,
    pub content_type: String,
    pub bytes: Vec<u8>,
}

impl Email {
    /// A header, by its lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }

    /// What it is about.
    #[must_use]
    pub fn subject(&self) -> &str {
        self.header("subject").unwrap_or_default()
    }

    pub(super) fn read(from: String, to: Vec<String>, user: Option<String>, raw: Vec<u8>) -> Self {
        let whole = String::from_utf8_lossy(&raw);
        let (headers, body) = entity(&whole);
        let content_type = find(&headers, "content-type").unwrap_or_default();
        let parts = match parameter(content_type, "boundary") {
            Some(boundary) => parts(body, &boundary),
            None => vec![(headers.clone(), body)],
        };
        let (mut text, mut attachments) = (String::new(), Vec::new());
        for (headers, body) in parts {
            let bytes = content(&headers, body);
            let disposition = find(&headers, "content-disposition").unwrap_or_default();
            if let Some(name) = parameter(disposition, "filename") {
                let content_type = find(&headers, "content-type").unwrap_or_default().to_owned();
                attachments.push(Attachment { name, content_type, bytes });
            } else {
                text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n").trim_end().to_owned();
            }
        }
        Self { from, to, user, headers, text, attachments, raw }
    }
}

type Headers = Vec<(String, String)>;

fn find<'a>(headers: &'a Headers, name: &str) -> Option<&'a str> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Headers, with their folding undone and their words decoded, and what is behind the empty line.
fn entity(text: &str) -> (Headers, &str) {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    let headers = head.split("\r\n").filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), words(value.trim())));
    (headers.collect(), body)
}

fn parts<'a>(body: &'a str, boundary: &str) -> Vec<(Headers, &'a str)> {
    let delimiter = format!("--{boundary}");
    let mut pieces = body.split(&delimiter).skip(1);
    let mut parts = Vec::new();
    while let Some(piece) = pieces.next().filter(|piece| !piece.starts_with("--")) {
        let piece = piece.strip_prefix("\r\n").unwrap_or(piece);
        parts.push(entity(piece.strip_suffix("\r\n").unwrap_or(piece)));
    }
    parts
}

fn content(headers: &Headers, body: &str) -> Vec<u8> {
    match find(headers, "content-transfer-encoding").unwrap_or_default() {
        "base64" => {
            let text: String = body.split_ascii_whitespace().collect();
            STANDARD.decode(text).expect("a part in base64")
        }
        "quoted-printable" => escaped(&body.replace("=\r\n", ""), '=', false),
        _ => body.as_bytes().to_vec(),
    }
}

/// The encoded words of a header (RFC 2047), decoded. Blanks between two of them are none of the text.
fn words(value: &str) -> String {
    let (mut text, mut rest, mut after_word) = (String::new(), value, false);
    while let Some((before, word)) = rest.split_once("=?") {
        let mut pieces = word.splitn(3, '?');
        let (Some(_), Some(kind), Some(tail)) = (pieces.next(), pieces.next(), pieces.next())
        else {
            break;
        };
        let Some((coded, behind)) = tail.split_once("?=") else { break };
        if !(after_word && before.trim().is_empty()) {
            text.push_str(before);
        }
        let bytes = match kind {
            "b" | "B" => STANDARD.decode(coded).expect("a word in base64"),
            _ => escaped(coded, '=', true),
        };
        text.push_str(&String::from_utf8(bytes).expect("a word of whole emails"));
        (rest, after_word) = (behind, true);
    }
    text + rest
}

/// A parameter of a header, also one in pieces or with emails of all kinds (RFC 2231).
fn parameter(value: &str, name: &str) -> Option<String> {
    let pairs = parameters(value);
    let of = |wanted: &str| {
        let pair = pairs.iter().find(|(key, _)| key.trim() == wanted);
        pair.map(|(_, value)| value.trim().to_owned())
    };
    if let Some(plain) = of(name) {
        return Some(plain);
    }
    let decoded = |coded: String| {
        let text = coded.rsplit('\'').next().unwrap_or_default();
        String::from_utf8(escaped(text, '%', false)).expect("a name of whole emails")
    };
    if let Some(whole) = of(&format!("{name}*")) {
        return Some(decoded(whole));
    }
    let pieces = (0..).map_while(|number| {
        of(&format!("{name}*{number}")).or_else(|| of(&format!("{name}*{number}*")).map(decoded))
    });
    Some(pieces.collect::<String>()).filter(|name| !name.is_empty())
}

/// The parameters of a header, without their quotes.
fn parameters(value: &str) -> Vec<(String, String)> {
    let (mut pairs, mut pair, mut quoted) = (Vec::new(), String::new(), false);
    let mut emails = value.chars().chain([';']);
    while let Some(email) = emails.next() {
        match email {
            '"' => quoted = !quoted,
            '\\' if quoted => pair.extend(emails.next()),
            ';' if !quoted => pairs.push(std::mem::take(&mut pair)),
            email => pair.push(email),
        }
    }
    let pairs = pairs.iter().filter_map(|pair| pair.split_once('='));
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// Undoes the escapes of quoted-printable or of percent-encoding.
fn escaped(text: &str, sign: char, underscores: bool) -> Vec<u8> {
    let mut pieces = text.split(sign);
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let (code, rest) = piece.split_at_checked(2).expect("two digits");
        bytes.push(u8::from_str_radix(code, 16).expect("two hexadecimal digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    if underscores {
        bytes.iter_mut().filter(|byte| **byte == b'_').for_each(|byte| *byte = b' ');
    }
    bytes
}
