//! Taking in a body: of the declared media types only, as large and as slow as allowed.

mod media_type;
mod parts;
mod upload;
mod whole;

use std::time::Duration;

use actix_web::{
    HttpRequest,
    http::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap, TRANSFER_ENCODING},
    web::{Bytes, Payload},
};
use aws_lc_rs::digest::{SHA256, digest};
use kernel::{AccountId, Message, message};

use crate::{
    Settings,
    error::{ApiError, Code},
    turns::{Turn, Turns},
};

use whole::Bounds;

pub(crate) use whole::BYTES_QUICK;

pub use parts::Part;
pub use upload::Upload;

/// Which body is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// The media types that it may have, without parameters; any if there are none.
    pub(crate) media_types: &'static [&'static str],
    /// The most bytes of it; as many as any body may have unless it says.
    pub(crate) bytes_max: Option<usize>,
    /// How it is received.
    pub(crate) delivery: Delivery,
    /// Whether a request without one is refused before anybody reads it.
    pub(crate) is_required: bool,
}

/// How a body is received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// As a whole, before the handler runs.
    Whole,
    /// As a whole, taken apart.
    InParts,
    /// Piece by piece, while the handler runs.
    Streamed,
}

/// A body as it was received.
pub(crate) enum Received {
    /// All of it.
    Whole(Bytes),
    /// All of it, in parts, and the digest of these.
    Parts(Vec<Part>, String),
    /// What is still on its way, until it is taken.
    Streamed(Option<Box<Upload>>),
}

impl Received {
    /// No body.
    pub(crate) const fn nothing() -> Self {
        Self::Whole(Bytes::new())
    }

    /// The bytes of a whole body.
    pub(crate) fn bytes(&self) -> &Bytes {
        static NONE: Bytes = Bytes::new();
        match self {
            Self::Whole(bytes) => bytes,
            Self::Parts(..) | Self::Streamed(_) => &NONE,
        }
    }

    /// The parts of a multipart body.
    pub(crate) fn take_parts(&mut self) -> Vec<Part> {
        match self {
            Self::Parts(parts, _) => std::mem::take(parts),
            Self::Whole(_) | Self::Streamed(_) => Vec::new(),
        }
    }

    /// The stream of a body that is on its way.
    pub(crate) fn take_upload(&mut self) -> Option<Upload> {
        match self {
            Self::Streamed(upload) => upload.take().map(|upload| *upload),
            Self::Whole(_) | Self::Parts(..) => None,
        }
    }

    /// How many bytes were received.
    pub(crate) fn length(&self) -> usize {
        match self {
            Self::Whole(bytes) => bytes.len(),
            Self::Parts(parts, _) => parts.iter().map(|part| part.bytes.len()).sum(),
            Self::Streamed(_) => 0,
        }
    }

    /// What tells it apart from others, in hexadecimal. A streamed body has its digest once it has come,
    /// see [`Upload::digest`].
    pub(crate) fn digest(&self) -> String {
        match self {
            Self::Parts(_, digest) => digest.clone(),
            Self::Whole(_) | Self::Streamed(_) => hex::encode(digest(&SHA256, self.bytes())),
        }
    }
}

/// The body of a request as an endpoint takes it, and the turn that a large one took.
pub(crate) async fn receive(
    request: &HttpRequest,
    payload: Payload,
    wanted: Option<&Wanted>,
    settings: &Settings,
    turns: Option<(&Turns, AccountId)>,
) -> Result<(Received, Option<Turn>), ApiError> {
    let nothing = (Received::nothing(), None);
    let Some(wanted) = wanted else { return Ok(nothing) };
    let headers = request.headers();
    let bytes_max = wanted.bytes_max.unwrap_or(settings.body_bytes_max);
    let announced = announced_length(headers);
    match announced {
        // Whoever takes a file says what is wrong with one that is empty.
        None if wanted.delivery == Delivery::Streamed => {}
        None if wanted.is_required => return Err(missing()),
        None => return Ok(nothing),
        Some(length) => {
            refuse_encoded(headers)?;
            let media_types = wanted.media_types;
            if !media_types.is_empty() && !media_type::is_one_of(headers, media_types) {
                return Err(unsupported(media_type::demand(media_types)));
            }
            if length.is_some_and(|length| length > bytes_max as u64) {
                return Err(too_large(bytes_max));
            }
        }
    }
    let (within, turn_within) = (settings.body_timeout, settings.request_timeout);
    if wanted.delivery == Delivery::Streamed {
        let upload = Upload::new(payload, bytes_max, within);
        return Ok((Received::Streamed(Some(Box::new(upload))), None));
    }
    let announced = announced.flatten().and_then(|length| usize::try_from(length).ok());
    let bounds = Bounds { bytes_max, announced, within, turn_within, turns };
    let (body, turn) = bounds.receive(payload).await?;
    if wanted.delivery == Delivery::Whole {
        return Ok((Received::Whole(body), turn));
    }
    let parts = parts::parts(headers, body).await?;
    let digest = parts::digest(&parts);
    Ok((Received::Parts(parts, digest), turn))
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

fn unsupported(message: Message) -> ApiError {
    ApiError::new(Code::UnsupportedMediaType, message)
}

fn missing() -> ApiError {
    let message = message!("a body is required", "se requiere un cuerpo");
    ApiError::new(Code::MalformedRequest, message)
}

fn cut_off() -> ApiError {
    let message = message!("the body did not arrive whole", "el cuerpo no llegó completo");
    ApiError::new(Code::MalformedRequest, message)
}

fn too_slow(limit: Duration) -> ApiError {
    let message = message!(
        "the body must arrive within {seconds} seconds",
        "el cuerpo debe llegar en menos de {seconds} segundos",
        seconds = limit.as_secs()
    );
    ApiError::new(Code::RequestTimeout, message)
}

fn too_large(bytes_max: usize) -> ApiError {
    let message = message!(
        "the body must have at most {bytes_max} bytes",
        "el cuerpo debe tener a lo más {bytes_max} bytes"
    );
    ApiError::new(Code::PayloadTooLarge, message)
}
