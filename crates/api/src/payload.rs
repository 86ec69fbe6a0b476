//! Taking in a body: JSON only, as large and as slow as allowed.

use actix_web::{
    HttpRequest,
    http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, TRANSFER_ENCODING},
    web::{Bytes, Payload},
};
use kernel::{Message, message};
use tokio::time::timeout;

use crate::{
    Settings,
    error::{ApiError, Code},
};

/// The body of a request, empty when it has none.
pub(crate) async fn read(
    request: &HttpRequest,
    payload: Payload,
    settings: &Settings,
) -> Result<Bytes, ApiError> {
    let headers = request.headers();
    let Some(length) = announced_length(headers) else { return Ok(Bytes::new()) };
    refuse_encoded(headers)?;
    refuse_other_than_json(headers)?;
    let bytes_max = settings.body_bytes_max;
    if length.is_some_and(|length| length > bytes_max as u64) {
        return Err(too_large(bytes_max));
    }
    match timeout(settings.body_timeout, payload.to_bytes_limited(bytes_max)).await {
        Ok(Ok(Ok(body))) => Ok(body),
        Ok(Ok(Err(_))) => {
            let message = message!("the body did not arrive whole", "el cuerpo no llegó completo");
            Err(ApiError::new(Code::MalformedRequest, message))
        }
        Ok(Err(_)) => Err(too_large(bytes_max)),
        Err(_) => {
            let message = message!(
                "the body must arrive within {seconds} seconds",
                "el cuerpo debe llegar en menos de {seconds} segundos",
                seconds = settings.body_timeout.as_secs()
            );
            Err(ApiError::new(Code::RequestTimeout, message))
        }
    }
}

/// Whether a body follows (RFC 9112 §6.3), and how long it says it is.
fn announced_length(headers: &HeaderMap) -> Option<Option<u64>> {
    if headers.contains_key(TRANSFER_ENCODING) {
        return Some(None);
    }
    let length = headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse::<u64>().ok()?;
    (length > 0).then_some(Some(length))
}

/// Compressed bodies are not unpacked: a few kilobytes of them can hold gigabytes.
fn refuse_encoded(headers: &HeaderMap) -> Result<(), ApiError> {
    let plain = headers
        .get_all(CONTENT_ENCODING)
        .all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"));
    if plain {
        return Ok(());
    }
    Err(unsupported(message!(
        "send the body without Content-Encoding",
        "envíe el cuerpo sin Content-Encoding"
    )))
}

fn refuse_other_than_json(headers: &HeaderMap) -> Result<(), ApiError> {
    let media_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if media_type.is_some_and(is_json) {
        return Ok(());
    }
    Err(unsupported(message!(
        "send the body with \"Content-Type: application/json\"",
        "envíe el cuerpo con \"Content-Type: application/json\""
    )))
}

/// `application/json`, in no other character set than UTF-8.
fn is_json(media_type: &str) -> bool {
    let mut parts = media_type.split(';').map(str::trim);
    let essence =
        parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"));
    essence
        && parts.all(|parameter| match parameter.split_once('=') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
                value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
            }
            _ => true,
        })
}

fn unsupported(message: Message) -> ApiError {
    ApiError::new(Code::UnsupportedMediaType, message)
}

fn too_large(bytes_max: usize) -> ApiError {
    let message = message!(
        "the body must have at most {bytes_max} bytes",
        "el cuerpo debe tener a lo más {bytes_max} bytes"
    );
    ApiError::new(Code::PayloadTooLarge, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_in_utf8_only() {
        for good in [
            "application/json",
            "Application/JSON; charset=UTF-8",
            "application/json;charset=\"utf-8\"",
            "application/json; profile=x",
        ] {
            assert!(is_json(good), "{good}");
        }
        for bad in [
            "",
            "text/plain",
            "application/json; charset=latin1",
            "application/x-json",
            "text/json",
        ] {
            assert!(!is_json(bad), "{bad}");
        }
    }
}
