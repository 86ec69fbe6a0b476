//! Cookies: of a session, and of a browser that has none yet.

use actix_web::{HttpRequest, http::header::COOKIE};

/// Longer values are none of ours.
const CHARS_MAX: usize = 128;
const SECONDS_IN_DAY: u32 = 86_400;

/// What a cookie is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The token of a session.
    Session,
    /// What tells the forms of a browser before anybody has signed in.
    Visitor,
}

impl Kind {
    /// Over HTTPS browsers take the name only from this host, for all of it, and over HTTPS.
    const fn name(self, is_https: bool) -> &'static str {
        match (self, is_https) {
            (Self::Session, true) => "__Host-panel",
            (Self::Session, false) => "panel",
            (Self::Visitor, true) => "__Host-panel-visitor",
            (Self::Visitor, false) => "panel-visitor",
        }
    }

    /// How long browsers keep it; until they are closed if that is not said.
    const fn days(self) -> Option<u32> {
        match self {
            Self::Session => Some(14),
            Self::Visitor => None,
        }
    }
}

/// The value of a cookie, if it is one that we may have given.
pub(crate) fn read(request: &HttpRequest, kind: Kind, is_https: bool) -> Option<String> {
    let lines = request.headers().get_all(COOKIE).filter_map(|line| line.to_str().ok());
    found(lines, kind.name(is_https))
}

fn found<'a>(lines: impl Iterator<Item = &'a str>, name: &str) -> Option<String> {
    let is_ours = |value: &&str| {
        (1..=CHARS_MAX).contains(&value.len())
            && value.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    };
    lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value)
        .filter(is_ours)
        .map(str::to_owned)
}

/// What gives a browser a cookie.
pub(crate) fn set(kind: Kind, value: &str, is_https: bool) -> String {
    let age = kind.days().map(|days| format!("; Max-Age={}", days * SECONDS_IN_DAY));
    written(kind, value, is_https, &age.unwrap_or_default())
}

/// What takes it away.
pub(crate) fn clear(kind: Kind, is_https: bool) -> String {
    written(kind, "", is_https, "; Max-Age=0")
}

fn written(kind: Kind, value: &str, is_https: bool, age: &str) -> String {
    let secure = if is_https { "; Secure" } else { "" };
    let name = kind.name(is_https);
    format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{age}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_read_as_it_was_given() {
        for is_https in [false, true] {
            let given = set(Kind::Session, "abc-_9", is_https);
            let pair = given.split(';').next().unwrap();
            let lines = [format!("other=1; {pair}; last=2")];
            let read = found(lines.iter().map(String::as_str), Kind::Session.name(is_https));
            assert_eq!(read.as_deref(), Some("abc-_9"));
            assert_eq!(given.contains("; Secure"), is_https);
            assert!(
                given.contains("; Path=/; HttpOnly; SameSite=Lax") && !given.contains("Domain")
            );
            assert!(clear(Kind::Session, is_https).contains("Max-Age=0"));
        }
    }

    #[test]
    fn other_values_are_not_believed() {
        for line in
            ["panel=", "panel=a b", "panel=é", "panels=abc", &format!("panel={}", "a".repeat(129))]
        {
            assert_eq!(found(std::iter::once(line), "panel"), None, "{line}");
        }
    }
}
