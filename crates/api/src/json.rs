//! What is written in JSON, in bounds.

use std::io::{self, ErrorKind, Write};

use kernel::{FieldFault, Message, message};
use serde::Serialize;

use crate::error::ApiError;

/// Room for most bodies, so that writing one seldom moves it.
const BYTES_USUAL: usize = 2_048;
/// No answer is larger. A hundred orders of 500 lines have 25 MiB; with a long product shown at each line they would have
/// a hundred times as many.
const MIB_MAX: usize = 32;
const BYTES_MAX: usize = MIB_MAX * 1_048_576;

/// An answer being written.
pub(crate) struct Json(Vec<u8>);

impl Json {
    /// Nothing yet, with room for so many bytes.
    pub(crate) fn with_room(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes.clamp(BYTES_USUAL, BYTES_MAX)))
    }

    /// Writes a value.
    ///
    /// # Errors
    /// When it is too much for one answer, or cannot be written as JSON.
    pub(crate) fn write(&mut self, value: &impl Serialize) -> Result<(), ApiError> {
        serde_json::to_writer(self, value).map_err(|error| match error.is_io() {
            true => too_much(),
            false => ApiError::internal(error.to_string()),
        })
    }

    /// Writes what is JSON already.
    ///
    /// # Errors
    /// When it is too much for one answer.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), ApiError> {
        self.write_all(bytes).map_err(|_| too_much())
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

impl From<Json> for Vec<u8> {
    fn from(json: Json) -> Self {
        json.0
    }
}

impl Write for Json {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > BYTES_MAX {
            return Err(ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn too_much() -> ApiError {
    let message: Message = message!(
        "gives an answer of more than {MIB_MAX} MiB; ask for fewer rows, for some fields only, or without expand",
        "da una respuesta de más de {MIB_MAX} MiB; pida menos filas, solo algunos campos o sin expand"
    );
    ApiError::of_faults(&[FieldFault::new("limit", message)])
}
