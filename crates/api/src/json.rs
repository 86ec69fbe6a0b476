//! What is written in JSON, in bounds.

use std::io::{self, ErrorKind, Write};

use kernel::{FieldFault, Message, message};
use serde::Serialize;

use crate::error::ApiError;

/// Room for most bodies, so that writing one seldom moves it.
const BYTES_USUAL: usize = 2_048;
/// No answer is larger that is held in memory or shows resources where others name them. A hundred orders of 500 lines have
/// 25 MiB; with a long product shown at each line they would have a hundred times as many.
const MIB_MAX: usize = 32;
const BYTES_MAX: usize = MIB_MAX * 1_048_576;

/// An answer being written, in memory unless it says where.
pub(crate) struct Json<W = Bounded>(W);

/// What is written, at most as much as one answer may have.
pub(crate) struct Bounded(Vec<u8>);

/// How much is written, which is kept nowhere; at most as much as one answer may have.
#[derive(Default)]
pub(crate) struct Counted(usize);

impl Json {
    /// Nothing yet, with room for so many bytes.
    pub(crate) fn with_room(bytes: usize) -> Self {
        Self(Bounded(Vec::with_capacity(bytes.clamp(BYTES_USUAL, BYTES_MAX))))
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.0.0
    }
}

impl Json<Counted> {
    /// Only to be counted.
    pub(crate) fn counted() -> Self {
        Self(Counted::default())
    }
}

impl<W: Write> Json<W> {
    /// Written to this.
    pub(crate) const fn to(out: W) -> Self {
        Self(out)
    }

    /// What it is written to.
    pub(crate) fn into_inner(self) -> W {
        self.0
    }

    /// Writes a value.
    ///
    /// # Errors
    /// When it is too much for one answer, cannot be written as JSON, or nobody takes it any more.
    pub(crate) fn write(&mut self, value: &impl Serialize) -> Result<(), ApiError> {
        serde_json::to_writer(&mut self.0, value).map_err(|error| match error.io_error_kind() {
            Some(kind) => refused(kind),
            None => ApiError::internal(error.to_string()),
        })
    }

    /// Writes what is JSON already.
    ///
    /// # Errors
    /// When it is too much for one answer, or nobody takes it any more.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), ApiError> {
        self.0.write_all(bytes).map_err(|error| refused(error.kind()))
    }
}

impl From<Json> for Vec<u8> {
    fn from(json: Json) -> Self {
        json.0.0
    }
}

impl Write for Bounded {
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

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 + bytes.len() > BYTES_MAX {
            return Err(ErrorKind::FileTooLarge.into());
        }
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn refused(kind: ErrorKind) -> ApiError {
    match kind {
        ErrorKind::FileTooLarge => too_much(),
        kind => ApiError::internal(format!("an answer was not taken: {kind}")),
    }
}

fn too_much() -> ApiError {
    let message: Message = message!(
        "gives an answer of more than {MIB_MAX} MiB; ask for fewer rows, for some fields only, or without expand",
        "da una respuesta de más de {MIB_MAX} MiB; pida menos filas, solo algunos campos o sin expand"
    );
    ApiError::of_faults(&[FieldFault::new("limit", message)])
}
