//! How long a client may leave an answer lying: what is not taken keeps memory and its account's turn.

use std::{
    cell::Cell,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use actix_web::{
    body::{BodySize, MessageBody},
    rt::{spawn, task::JoinHandle, time::sleep},
    web::Bytes,
};

/// A body whose pieces the client takes in time, or else.
///
/// The next piece is asked for once the last one is on its way, so the time between two tells how slow the client is,
/// whatever the protocol. The time that a piece takes to come about is not the client's.
pub(crate) struct Patient<B> {
    body: B,
    /// When the last piece was handed over, while no other has been asked for.
    handed: Handed,
    watch: JoinHandle<()>,
}

type Handed = Rc<Cell<Option<Instant>>>;

impl<B> Patient<B> {
    /// A body of which each piece must be taken `within` so long. `give_up` ends the connection, and thereby the body.
    pub(crate) fn new(body: B, within: Duration, give_up: impl FnOnce() + 'static) -> Self {
        let handed = Handed::default();
        let watch = spawn(watch(Rc::clone(&handed), within, give_up));
        Self { body, handed, watch }
    }
}

async fn watch(handed: Handed, within: Duration, give_up: impl FnOnce()) {
    loop {
        let left = handed.get().map_or(within, |at| within.saturating_sub(at.elapsed()));
        if left.is_zero() {
            return give_up();
        }
        sleep(left).await;
    }
}

impl<B: MessageBody + Unpin> MessageBody for Patient<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, B::Error>>> {
        self.handed.set(None);
        let next = Pin::new(&mut self.body).poll_next(cx);
        if let Poll::Ready(Some(Ok(_))) = &next {
            self.handed.set(Some(Instant::now()));
        }
        next
    }
}

impl<B> Drop for Patient<B> {
    fn drop(&mut self) {
        self.watch.abort();
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, poll_fn};

    use actix_web::{
        body::{BodyStream, to_bytes},
        rt::System,
    };
    use futures_util::{FutureExt, stream};
    use tokio::sync::oneshot;

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);

    #[test]
    fn a_piece_that_is_left_lying_is_the_end() {
        System::new().block_on(async {
            let (tell, told) = oneshot::channel();
            let body = Bytes::from_static(b"piece");
            let mut patient = Patient::new(body, SHORT, || tell.send(()).unwrap());
            let piece = poll_fn(|cx| Pin::new(&mut patient).poll_next(cx)).await;
            assert_eq!(piece.unwrap().unwrap(), "piece");
            told.await.unwrap();
        });
    }

    #[test]
    fn a_piece_that_is_long_in_coming_is_not_the_client_s_fault() {
        System::new().block_on(async {
            let (tell, told) = oneshot::channel::<()>();
            let never = stream::once(pending::<Result<Bytes, std::convert::Infallible>>());
            let body = BodyStream::new(Box::pin(never));
            let mut patient = Patient::new(body, SHORT, || tell.send(()).unwrap());
            let piece = poll_fn(|cx| Pin::new(&mut patient).poll_next(cx));
            assert!(piece.now_or_never().is_none());
            sleep(SHORT * 3).await;
            assert!(told.now_or_never().is_none());
        });
    }

    #[test]
    fn what_is_taken_is_whole() {
        let bytes = System::new().block_on(async {
            to_bytes(Patient::new(Bytes::from_static(b"all of it"), SHORT, || ())).await
        });
        assert_eq!(bytes.unwrap(), "all of it");
    }
}
