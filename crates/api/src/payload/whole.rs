//! Taking in a whole body.

use std::time::{Duration, Instant};

use actix_web::web::{Bytes, BytesMut, Payload};
use futures_util::StreamExt;
use kernel::AccountId;
use tokio::time::timeout;

use super::{cut_off, too_large, too_slow};
use crate::{
    error::ApiError,
    turns::{self, Turn, Turns},
};

/// A body of more bytes takes a turn, and is read off the threads that answer. Most are never as large.
pub(crate) const BYTES_QUICK: usize = 65_536;

/// How large and how slow a body may be, and whose it is.
pub(super) struct Bounds<'a> {
    pub(super) bytes_max: usize,
    /// How large it says it is.
    pub(super) announced: Option<usize>,
    /// How long it may take, not counting what it waits for its turn.
    pub(super) within: Duration,
    /// How long it may wait for its turn.
    pub(super) turn_within: Duration,
    /// The turns at large bodies, and the account that takes one.
    pub(super) turns: Option<(&'a Turns, AccountId)>,
}

impl Bounds<'_> {
    /// All of a body, and the turn that it took.
    pub(super) async fn receive(
        &self,
        mut payload: Payload,
    ) -> Result<(Bytes, Option<Turn>), ApiError> {
        let (mut body, mut turn) = (BytesMut::new(), None);
        let mut left = self.within;
        loop {
            let asked = Instant::now();
            let chunk = timeout(left, payload.next()).await;
            let Some(chunk) = chunk.map_err(|_| too_slow(self.within))? else {
                return Ok((body.freeze(), turn));
            };
            left = left.saturating_sub(asked.elapsed());
            let chunk = chunk.map_err(|_| cut_off())?;
            let length = body.len() + chunk.len();
            if length > self.bytes_max {
                return Err(too_large(self.bytes_max));
            }
            if let Some((turns, account)) = self.turns
                && length > BYTES_QUICK
                && turn.is_none()
            {
                let waiting = timeout(self.turn_within, turns.take(account)).await;
                turn = waiting.map_err(|_| turns::busy())?;
                // All of its room at once: growing would hold it twice.
                body.reserve(self.announced.unwrap_or_default().saturating_sub(body.len()));
            }
            body.extend_from_slice(&chunk);
        }
    }
}
