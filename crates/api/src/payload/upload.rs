//! A body that is received while it is worked on.

use std::time::Duration;

use actix_web::web::{Bytes, Payload};
use aws_lc_rs::digest::{Context, SHA256};
use futures_util::StreamExt;
use tokio::time::timeout;

use super::{cut_off, too_large, too_slow};
use crate::error::ApiError;

/// A body on its way in, bounded in size and in the time that each piece may take.
pub struct Upload {
    payload: Payload,
    digest: Context,
    bytes_left: usize,
    bytes_max: usize,
    piece_timeout: Duration,
}

impl Upload {
    pub(super) fn new(payload: Payload, bytes_max: usize, piece_timeout: Duration) -> Self {
        let digest = Context::new(&SHA256);
        Self { payload, digest, bytes_left: bytes_max, bytes_max, piece_timeout }
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// The refusal of a body that is too large, too slow or cut off.
    pub async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        let piece = timeout(self.piece_timeout, self.payload.next()).await;
        let Some(piece) = piece.map_err(|_| too_slow(self.piece_timeout))? else {
            return Ok(None);
        };
        let piece = piece.map_err(|_| cut_off())?;
        self.bytes_left =
            self.bytes_left.checked_sub(piece.len()).ok_or_else(|| too_large(self.bytes_max))?;
        self.digest.update(&piece);
        Ok(Some(piece))
    }

    /// The SHA-256 of what came so far, in hexadecimal: of the whole body once [`Upload::next`] gave `None`.
    #[must_use]
    pub fn digest(&self) -> String {
        hex::encode(self.digest.clone().finish())
    }
}
