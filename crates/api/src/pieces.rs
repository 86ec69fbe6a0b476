//! A body that is handed over piece by piece, so that what waits to be sent is not held twice.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use actix_web::{
    body::{BodySize, MessageBody},
    web::Bytes,
};

use crate::turns::Turn;

/// The bytes of one piece.
pub(crate) const BYTES: usize = 65_536;

/// A body, and the turn that its account holds until all of it is sent or nobody waits for it any more.
pub(crate) struct Pieces {
    rest: Bytes,
    turn: Option<Turn>,
}

impl Pieces {
    pub(crate) const fn of(body: Bytes, turn: Option<Turn>) -> Self {
        Self { rest: body, turn }
    }
}

impl MessageBody for Pieces {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.rest.len() as u64)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        if self.rest.is_empty() {
            self.turn = None;
            return Poll::Ready(None);
        }
        let piece = self.rest.len().min(BYTES);
        Poll::Ready(Some(Ok(self.rest.split_to(piece))))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::{body::to_bytes, rt::System};

    use super::*;

    #[test]
    fn the_pieces_are_the_body() {
        for length in [0, 1, BYTES, BYTES + 1, 3 * BYTES] {
            let body: Vec<u8> = (0..length).map(|place| place as u8).collect();
            let pieces = Pieces::of(body.clone().into(), None);
            assert_eq!(pieces.size(), BodySize::Sized(length as u64));
            let sent = System::new().block_on(to_bytes(pieces)).unwrap();
            assert_eq!(sent, body);
        }
    }
}
