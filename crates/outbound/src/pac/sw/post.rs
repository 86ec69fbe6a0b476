//! What is sent to SW.

use hyper::body::Bytes;
use kernel::reason::Reason;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use serde_json::json;

use crate::pac::{
    ending::Failure,
    http::{Post, headers},
};

/// The most characters of a `customid`.
const KEY_CHARS_MAX: usize = 100;

/// Signing in.
pub(super) fn sign_in(base: &str, user: &str, password: &str) -> Post {
    let body = json!({ "user": user, "password": password }).to_string();
    Post {
        url: format!("{base}/v2/security/authenticate"),
        headers: headers(HeaderValue::from_static("application/json")),
        body: Bytes::from(body),
    }
}

/// The same request with a token.
pub(super) fn authorized(post: &Post, bearer: &HeaderValue) -> Post {
    let mut post = post.clone();
    post.headers.insert(AUTHORIZATION, bearer.clone());
    post
}

/// A form whose only field `xml` is a file.
pub(super) fn multipart(url: String, xml: &str, key: Option<&str>) -> Result<Post, Failure> {
    let boundary = boundary(xml);
    let body = format!(
        "--{boundary}\r\ncontent-disposition: form-data; name=\"xml\"; filename=\"xml\"\r\n\
         content-type: text/xml\r\n\r\n{xml}\r\n--{boundary}--\r\n"
    );
    let unsendable = || Failure::not_taken(Reason::KeyUnsendable);
    let form = HeaderValue::try_from(format!("multipart/form-data; boundary={boundary}"));
    let mut headers = headers(form.map_err(|_| unsendable())?);
    if let Some(key) = key {
        let plain = key.bytes().all(|byte| byte.is_ascii_graphic());
        if key.is_empty() || key.len() > KEY_CHARS_MAX || !plain {
            return Err(unsendable());
        }
        let key = HeaderValue::try_from(key).map_err(|_| unsendable())?;
        headers.insert(HeaderName::from_static("customid"), key);
    }
    Ok(Post { url, headers, body: Bytes::from(body) })
}

/// A line that is not in the text.
fn boundary(text: &str) -> String {
    let mut boundary = "trastienda".to_owned();
    while text.contains(&boundary) {
        boundary.push('-');
    }
    boundary
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boundary_is_not_in_the_document() {
        assert_eq!(boundary("<a/>"), "trastienda");
        assert_eq!(boundary("--trastienda-"), "trastienda--");
    }

    #[test]
    fn a_key_is_sent_or_nothing_is() {
        let of = |key: &str| multipart(String::new(), "<a/>", Some(key));
        assert_eq!(of("inv_1").unwrap().headers.get("customid").unwrap(), "inv_1");
        for key in ["", "a b", "a\nb", "ñ", "x".repeat(101).as_str()] {
            assert!(matches!(of(key), Err(Failure::NotTaken(_))), "{key:?}");
        }
    }
}
