//! Media types of bodies (RFC 9110 §8.3).

use actix_web::http::header::{CONTENT_TYPE, HeaderMap};
use kernel::{Message, message};

/// Whether the body is of one of these types, in no other character set than UTF-8.
pub(super) fn is_one_of(headers: &HeaderMap, known: &[&str]) -> bool {
    let sent = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    sent.is_some_and(|sent| is_known(sent, known))
}

/// What to send instead.
pub(super) fn demand(known: &[&str]) -> Message {
    match known {
        [only] => message!(
            "send the body with \"Content-Type: {only}\"",
            "envíe el cuerpo con \"Content-Type: {only}\""
        ),
        several => {
            let several = several.join(", ");
            message!(
                "send the body with a Content-Type of {several}",
                "envíe el cuerpo con un Content-Type de {several}"
            )
        }
    }
}

fn is_known(sent: &str, known: &[&str]) -> bool {
    let mut parts = sent.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    known.iter().any(|known| essence.eq_ignore_ascii_case(known))
        && parts.all(|parameter| match parameter.split_once('=') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
                value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
            }
            _ => true,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_in_utf8_only() {
        let json = ["application/json"];
        for good in [
            "application/json",
            "Application/JSON; charset=UTF-8",
            "application/json;charset=\"utf-8\"",
            "application/json; profile=x",
        ] {
            assert!(is_known(good, &json), "{good}");
        }
        for bad in [
            "",
            "text/plain",
            "application/json; charset=latin1",
            "application/x-json",
            "text/json",
        ] {
            assert!(!is_known(bad, &json), "{bad}");
        }
    }

    #[test]
    fn what_may_be_sent_is_named() {
        let told = |known: &[&str]| demand(known).to_string();
        let several = "send the body with a Content-Type of image/png, image/jpeg";
        assert_eq!(told(&["image/png", "image/jpeg"]), several);
        let only = "send the body with \"Content-Type: application/json\"";
        assert_eq!(told(&["application/json"]), only);
    }
}
