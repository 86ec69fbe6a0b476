//! Answers in fewer bytes, where the caller takes them so.
//!
//! Only what is read is compressed. What a `POST` or `PUT` answers may show a secret for the only time, and how far a
//! secret beside a caller's own words can be compressed tells of it (BREACH, CVE-2013-3587).

use std::io::Write;

use actix_web::{
    HttpRequest,
    http::{
        Method,
        header::{
            ACCEPT_ENCODING, AcceptEncoding, CONTENT_ENCODING, CONTENT_TYPE, ContentEncoding,
            Encoding, Header, HeaderName, HeaderValue, VARY,
        },
    },
};
use kernel::threads::give_way;

use crate::{
    answer::{Answer, Body},
    packer::{Packer, ZSTD_LEVEL},
};

/// Less is sent as it is: compressing would take longer than sending.
const BYTES_MIN: usize = 1_024;
/// More is compressed on another thread, so that no other request waits for it.
const BYTES_QUICK: usize = 65_536;

/// What a body can be sent as, the best first.
const ENCODINGS: &[ContentEncoding] =
    &[ContentEncoding::Zstd, ContentEncoding::Brotli, ContentEncoding::Gzip];

/// The same answer in fewer bytes, if it is worth it and the caller takes it so.
pub(crate) async fn compressed(request: &HttpRequest, answer: Answer) -> Answer {
    let Answer { status, mut headers, body } = answer;
    let bytes = match body {
        Body::Whole(bytes) if bytes.len() >= BYTES_MIN => bytes,
        Body::Written(writing) if may_be_compressed(request.method(), &headers) => {
            headers.push((VARY, HeaderValue::from_static("Accept-Encoding")));
            let encoding = wanted(request);
            if let Some(encoding) = encoding {
                headers.push((CONTENT_ENCODING, encoding.to_header_value()));
            }
            return Answer { status, headers, body: Body::Written(writing.packed(encoding)) };
        }
        body => return Answer { status, headers, body },
    };
    if !may_be_compressed(request.method(), &headers) {
        return Answer { status, headers, body: Body::Whole(bytes) };
    }
    headers.push((VARY, HeaderValue::from_static("Accept-Encoding")));
    let Some(encoding) = wanted(request) else {
        return Answer { status, headers, body: Body::Whole(bytes) };
    };
    let smaller = if bytes.len() <= BYTES_QUICK {
        encoded(encoding, &bytes)
    } else {
        let bytes = bytes.clone();
        let work = move || {
            give_way();
            encoded(encoding, &bytes)
        };
        tokio::task::spawn_blocking(work).await.ok().flatten()
    };
    match smaller {
        Some(smaller) if smaller.len() < bytes.len() => {
            headers.push((CONTENT_ENCODING, encoding.to_header_value()));
            Answer { status, headers, body: Body::Whole(smaller.into()) }
        }
        _ => Answer { status, headers, body: Body::Whole(bytes) },
    }
}

fn may_be_compressed(method: &Method, headers: &[(HeaderName, HeaderValue)]) -> bool {
    let value = |wanted: &HeaderName| headers.iter().find(|(name, _)| name == wanted);
    let is_text = value(&CONTENT_TYPE).is_some_and(|(_, kind)| {
        let kind = kind.as_bytes();
        [&b"application/json"[..], b"text/", b"application/xml"]
            .iter()
            .any(|it| kind.starts_with(it))
    });
    *method == Method::GET && is_text && value(&CONTENT_ENCODING).is_none()
}

/// What the caller takes, by its preference and then by ours.
fn wanted(request: &HttpRequest) -> Option<ContentEncoding> {
    request.headers().get(ACCEPT_ENCODING)?;
    let accepted = AcceptEncoding::parse(request).ok()?;
    let known = ENCODINGS.iter().map(|encoding| Encoding::Known(*encoding));
    let known: Vec<Encoding> = known.collect();
    match accepted.negotiate(known.iter())? {
        Encoding::Known(ContentEncoding::Identity) | Encoding::Unknown(_) => None,
        Encoding::Known(encoding) => Some(encoding),
    }
}

fn encoded(encoding: ContentEncoding, bytes: &[u8]) -> Option<Vec<u8>> {
    if encoding == ContentEncoding::Zstd {
        // In no more memory than so many bytes need.
        return zstd::bulk::compress(bytes, ZSTD_LEVEL).ok();
    }
    let room = Vec::with_capacity(bytes.len() / 3);
    let mut packer = Packer::new(Some(encoding), room).ok()?;
    packer.write_all(bytes).ok()?;
    packer.finish().ok()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use actix_web::{http::StatusCode, test::TestRequest};
    use flate2::read::GzDecoder;

    use super::*;

    fn decoded(encoding: ContentEncoding, bytes: &[u8]) -> Vec<u8> {
        let mut whole = Vec::new();
        match encoding {
            ContentEncoding::Gzip => GzDecoder::new(bytes).read_to_end(&mut whole).unwrap(),
            ContentEncoding::Brotli => {
                brotli::Decompressor::new(bytes, 4_096).read_to_end(&mut whole).unwrap()
            }
            _ => return zstd::stream::decode_all(bytes).unwrap(),
        };
        whole
    }

    #[test]
    fn every_encoding_gives_back_what_was_encoded() {
        for text in [r#"{"name":"Taza"},"#.repeat(20_000), "x".to_owned()] {
            for encoding in ENCODINGS {
                let bytes = encoded(*encoding, text.as_bytes()).unwrap();
                assert!(text.len() < 100 || bytes.len() < text.len() / 50, "{encoding:?}");
                assert_eq!(decoded(*encoding, &bytes), text.as_bytes(), "{encoding:?}");
            }
        }
    }

    #[test]
    fn the_caller_chooses() {
        let chosen = |accepted: Option<&str>| {
            let request = TestRequest::get();
            let request = match accepted {
                Some(accepted) => request.insert_header((ACCEPT_ENCODING, accepted)),
                None => request,
            };
            wanted(&request.to_http_request())
        };
        for (accepted, encoding) in [
            (None, None),
            (Some(""), None),
            (Some("identity"), None),
            (Some("deflate"), None),
            (Some("gzip;q=0"), None),
            (Some("gzip"), Some(ContentEncoding::Gzip)),
            (Some("br;q=0.5, gzip;q=0.9"), Some(ContentEncoding::Gzip)),
            (Some("br"), Some(ContentEncoding::Brotli)),
            (Some("zstd, identity;q=0"), Some(ContentEncoding::Zstd)),
        ] {
            assert_eq!(chosen(accepted), encoding, "{accepted:?}");
        }
        assert!(chosen(Some("gzip, deflate, br, zstd")).is_some());
    }

    #[actix_web::test]
    async fn secrets_and_files_are_sent_as_they_are() {
        let body = "a".repeat(BYTES_MIN);
        for (method, kind, length, is_compressed) in [
            (Method::GET, "application/json", BYTES_MIN, true),
            (Method::GET, "text/html; charset=utf-8", BYTES_MIN, true),
            (Method::GET, "application/json", BYTES_MIN - 1, false),
            (Method::GET, "application/pdf", BYTES_MIN, false),
            (Method::POST, "application/json", BYTES_MIN, false),
            (Method::PUT, "application/json", BYTES_MIN, false),
        ] {
            let request = TestRequest::default().method(method.clone());
            let request = request.insert_header((ACCEPT_ENCODING, "gzip")).to_http_request();
            let answer = Answer::new(StatusCode::OK, kind, body[..length].to_owned());
            let answer = compressed(&request, answer).await;
            let names: Vec<_> = answer.headers.iter().map(|(name, _)| name.clone()).collect();
            assert_eq!(
                names.contains(&CONTENT_ENCODING),
                is_compressed,
                "{method} {kind} {length}"
            );
            assert_eq!(names.contains(&VARY), is_compressed, "{method} {kind} {length}");
        }
    }
}
