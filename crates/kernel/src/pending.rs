//! The answer of a use case that may still be under way.

use std::{
    future::{Future, IntoFuture},
    pin::Pin,
    task::{Context, Poll},
};

/// A value that is there already or will come from another thread.
///
/// Service traits return it so that they stay synchronous, object-safe and free of any runtime,
/// while the store groups commands that arrive together into one commit: an async caller awaits it,
/// a plain thread [waits](Pending::wait). Dropping it abandons the answer, never the work.
///
/// ```
/// let ready = kernel::Pending::ready(7);
/// assert_eq!(ready.wait(), Some(7));
///
/// let (answer, pending) = kernel::Pending::channel();
/// std::thread::spawn(move || answer.send("done"));
/// assert_eq!(pending.wait(), Some("done"));
/// ```
#[must_use = "the answer arrives only where it is awaited"]
#[derive(Debug)]
pub enum Pending<T> {
    /// Available already.
    Resolved(T),
    /// Not available yet.
    Waiting(oneshot::Receiver<T>),
}

/// The other end of a [`Pending`]: gives the answer once.
#[derive(Debug)]
pub struct Answer<T>(oneshot::Sender<T>);

impl<T> Answer<T> {
    /// Gives the answer. Nobody waiting any more is no fault: a client may have gone, its work stands.
    pub fn send(self, value: T) {
        drop(self.0.send(value));
    }
}

impl<T> Pending<T> {
    /// An answer that is there already.
    pub const fn ready(value: T) -> Self {
        Self::Resolved(value)
    }

    /// An answer to come, and the end that gives it.
    pub fn channel() -> (Answer<T>, Self) {
        let (sender, receiver) = oneshot::channel();
        (Answer(sender), Self::Waiting(receiver))
    }

    /// Blocks this thread until the answer comes; `None` when whoever owed it is gone.
    pub fn wait(self) -> Option<T> {
        match self {
            Self::Resolved(value) => Some(value),
            Self::Waiting(receiver) => receiver.recv().ok(),
        }
    }
}

/// A [`Pending`] being awaited: yields what [`Pending::wait`] returns.
#[derive(Debug)]
pub enum Awaited<T> {
    /// Available already; empty once taken.
    Resolved(Option<T>),
    /// Not available yet.
    Waiting(oneshot::AsyncReceiver<T>),
}

impl<T> Unpin for Awaited<T> {}

impl<T> IntoFuture for Pending<T> {
    type Output = Option<T>;
    type IntoFuture = Awaited<T>;

    fn into_future(self) -> Awaited<T> {
        match self {
            Self::Resolved(value) => Awaited::Resolved(Some(value)),
            Self::Waiting(receiver) => Awaited::Waiting(receiver.into_future()),
        }
    }
}

impl<T> Future for Awaited<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        match &mut *self {
            Self::Resolved(value) => Poll::Ready(value.take()),
            Self::Waiting(receiver) => Pin::new(receiver).poll(cx).map(Result::ok),
        }
    }
}
