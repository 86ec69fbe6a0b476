//! A session of the account panel: what a browser keeps and sends, by hand.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, ensure};

use super::administration::set_up_token;
use super::process::ServiceOptions;

const PATIENCE: Duration = Duration::from_secs(30);
const SESSION: &str = "panel";
/// Of who has not signed in.
const VISITOR: &str = "panel-visitor";

/// An answer with all that came over the wire.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Shown {
    /// As much as was transferred.
    pub(crate) fn bytes(&self) -> usize {
        self.head.len() + self.body.len()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    fn headers<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.head.lines().filter_map(|line| line.split_once(':'));
        let named = named.filter(move |(known, _)| known.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.trim())
    }

    fn cookie(&self, name: &str) -> Option<String> {
        let cookies = self.headers("set-cookie").filter_map(|cookie| cookie.split_once('='));
        let mut named = cookies.filter(|(known, _)| *known == name);
        named.next().map(|(_, rest)| rest.split(';').next().unwrap_or_default().to_owned())
    }

    /// The value of the first hidden field of a name.
    fn hidden(&self, name: &str) -> Option<String> {
        let text = self.text();
        let (_, rest) = text.split_once(&format!("name=\"{name}\" value=\""))?;
        rest.split_once('"').map(|(value, _)| value.to_owned())
    }
}

/// Somebody who has signed in and owns all accounts.
#[derive(Clone, Debug)]
pub(crate) struct PanelSession {
    address: SocketAddr,
    cookie: String,
}

impl PanelSession {
    /// That of the first user, who sets up by the link that the command line prints.
    pub(crate) fn open(options: &ServiceOptions, address: SocketAddr) -> anyhow::Result<Self> {
        let place = format!("/panel/setup/{}", set_up_token(options)?);
        let asked = Self { address, cookie: String::new() };
        let form = asked.get(&place, false)?;
        ensure!(form.status == 200, "the set-up page: {} {}", form.status, form.text());
        let visitor = form.cookie(VISITOR).context("no cookie of a visitor")?;
        let csrf = form.hidden("csrf").context("a form without a token")?;
        let once = form.hidden("once").unwrap_or_default();
        let body = format!(
            "csrf={csrf}&once={once}&name=Ana&email=ana%40shop.example&password=siete+caballos+en+la+azotea"
        );
        let asked = Self { address, cookie: format!("{VISITOR}={visitor}") };
        let entered = asked.ask(&format!(
            "POST {place} HTTP/1.1\r\n{}Origin: http://{address}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            asked.common(false, true),
            body.len()
        ))?;
        let session = entered.cookie(SESSION);
        let session = session.with_context(|| format!("not signed in: {}", entered.text()))?;
        Ok(Self { address, cookie: format!("{SESSION}={session}") })
    }

    /// The path of the only account.
    pub(crate) fn account(&self) -> anyhow::Result<String> {
        let chosen = self.get("/panel", false)?;
        let place = chosen.headers("location").next().map(str::to_owned);
        place.context("the user has not one account alone")
    }

    /// Asks for a page over a connection of its own.
    pub(crate) fn get(&self, path: &str, takes_gzip: bool) -> anyhow::Result<Shown> {
        self.ask(&format!("GET {path} HTTP/1.1\r\n{}\r\n", self.common(takes_gzip, true)))
    }

    /// The same as bytes, for a connection that is kept open.
    pub(crate) fn request(&self, path: &str) -> Vec<u8> {
        format!("GET {path} HTTP/1.1\r\n{}\r\n", self.common(true, false)).into_bytes()
    }

    fn common(&self, takes_gzip: bool, closes: bool) -> String {
        let mut text = format!("Host: {}\r\nAccept-Language: es-MX\r\n", self.address);
        if !self.cookie.is_empty() {
            text.push_str(&format!("Cookie: {}\r\n", self.cookie));
        }
        if takes_gzip {
            text.push_str("Accept-Encoding: gzip\r\n");
        }
        if closes {
            text.push_str("Connection: close\r\n");
        }
        text
    }

    fn ask(&self, request: &str) -> anyhow::Result<Shown> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        read(&answer)
    }
}

fn read(answer: &[u8]) -> anyhow::Result<Shown> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    let (head, body) = answer.split_at(end.context("an answer without an end of its head")? + 4);
    let head = String::from_utf8(head.to_vec())?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.context("an answer without a status")?;
    Ok(Shown { status, head, body: body.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_with_its_cookies_and_fields() {
        let answer = b"HTTP/1.1 303 See Other\r\nSet-Cookie: panel=abc-1; Path=/\r\nset-cookie: \
            panel-visitor=x; Path=/\r\nLocation: /panel\r\n\r\n<input name=\"csrf\" value=\"t0k\">";
        let shown = read(answer).unwrap();
        assert_eq!((shown.status, shown.bytes()), (303, answer.len()));
        assert_eq!(shown.cookie(SESSION).as_deref(), Some("abc-1"));
        assert_eq!(shown.cookie(VISITOR).as_deref(), Some("x"));
        assert_eq!(shown.headers("location").next(), Some("/panel"));
        assert_eq!(shown.hidden("csrf").as_deref(), Some("t0k"));
        assert!(read(b"HTTP/1.1 200 OK\r\n").is_err());
    }
}
