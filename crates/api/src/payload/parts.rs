//! Taking a multipart body (RFC 7578) apart.

use actix_web::{
    http::header::{CONTENT_TYPE, HeaderMap},
    web::Bytes,
};
use aws_lc_rs::digest::{Context, SHA256};
use kernel::{FieldFault, message};

use super::cut_off;
use crate::error::{ApiError, Code};

/// The most parts of one body.
const PARTS_MAX: usize = 100;

/// One part of a multipart body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name of its field.
    pub name: String,
    /// The name of the file, as the caller's machine has it; nothing to open anything by.
    pub file_name: Option<String>,
    /// Its media type without parameters, `text/plain` unless it says.
    pub media_type: String,
    /// What is in it.
    pub bytes: Bytes,
}

impl Part {
    /// Its name and text.
    ///
    /// # Errors
    /// The refusal of what is no UTF-8 text.
    pub(crate) fn into_text(self) -> Result<(String, String), ApiError> {
        let text = String::from_utf8(self.bytes.to_vec()).map_err(|_| {
            let problem = message!("must be Unicode text", "debe ser texto Unicode");
            ApiError::of_faults(&[FieldFault::new(intake::quoted(&self.name), problem)])
        })?;
        Ok((self.name, text))
    }
}

/// The parts of a body, in their order.
pub(super) async fn parts(headers: &HeaderMap, body: Bytes) -> Result<Vec<Part>, ApiError> {
    let boundary = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let boundary = boundary.and_then(|value| multer::parse_boundary(value).ok());
    let boundary = boundary.ok_or_else(malformed)?;
    let whole = futures_util::stream::once(async move { Ok::<_, std::io::Error>(body) });
    let mut multipart = multer::Multipart::new(whole, boundary);
    let mut parts = Vec::new();
    while let Some(field) = multipart.next_field().await.map_err(|_| malformed())? {
        if parts.len() == PARTS_MAX {
            return Err(too_many());
        }
        let name = field.name().ok_or_else(malformed)?.to_owned();
        let file_name = field.file_name().map(str::to_owned);
        let media_type = field.content_type().map_or("text/plain", |kind| kind.essence_str());
        let media_type = media_type.to_owned();
        let bytes = field.bytes().await.map_err(|_| cut_off())?;
        parts.push(Part { name, file_name, media_type, bytes });
    }
    Ok(parts)
}

/// What tells two bodies apart: their parts, for boundaries differ each time.
pub(super) fn digest(parts: &[Part]) -> String {
    let mut context = Context::new(&SHA256);
    for Part { name, file_name, media_type, bytes } in parts {
        let file_name = file_name.as_deref().unwrap_or_default();
        for text in [name.as_bytes(), file_name.as_bytes(), media_type.as_bytes(), bytes] {
            context.update(&text.len().to_be_bytes());
            context.update(text);
        }
    }
    hex::encode(context.finish())
}

fn malformed() -> ApiError {
    let message = message!(
        "the body is not multipart/form-data (RFC 7578), or is cut off",
        "el cuerpo no es multipart/form-data (RFC 7578) o está incompleto"
    );
    ApiError::new(Code::MalformedRequest, message)
}

fn too_many() -> ApiError {
    let message = message!(
        "the body must have at most {PARTS_MAX} parts",
        "el cuerpo debe tener a lo más {PARTS_MAX} partes"
    );
    ApiError::new(Code::MalformedRequest, message)
}
