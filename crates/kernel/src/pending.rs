//! The answer of a use case that may still be under way.

use std::{
    future::{Future, IntoFuture},
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
};

use futures_channel::oneshot;

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
            Self::Waiting(receiver) => blocked_on(receiver).ok(),
        }
    }
}

/// Wakes a thread that has parked itself.
struct Unparks(Thread);

impl Wake for Unparks {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// What a future comes to, which this thread waits for.
fn blocked_on<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unparks(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            // May return without a reason: then it is asked once more.
            Poll::Pending => thread::park(),
        }
    }
}

/// A [`Pending`] being awaited: yields what [`Pending::wait`] returns.
#[derive(Debug)]
pub enum Awaited<T> {
    /// Available already; empty once taken.
    Resolved(Option<T>),
    /// Not available yet.
    Waiting(oneshot::Receiver<T>),
}

impl<T> Unpin for Awaited<T> {}

impl<T> IntoFuture for Pending<T> {
    type Output = Option<T>;
    type IntoFuture = Awaited<T>;

    fn into_future(self) -> Awaited<T> {
        match self {
            Self::Resolved(value) => Awaited::Resolved(Some(value)),
            Self::Waiting(receiver) => Awaited::Waiting(receiver),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever awaits an answer may go away while it is given: a client hangs up. The library before this one read
    /// freed memory then.
    #[test]
    fn an_answer_may_be_given_while_nobody_awaits_it_any_more() {
        let (work, given) = std::sync::mpsc::channel::<Answer<u64>>();
        let answering = thread::spawn(move || {
            for (value, answer) in (0..).zip(given) {
                answer.send(value);
            }
        });
        let waker = Waker::from(Arc::new(Unparks(thread::current())));
        let mut context = Context::from_waker(&waker);
        for round in 0..200_000_u64 {
            let (answer, pending) = Pending::channel();
            let mut awaited = pending.into_future();
            assert_eq!(Pin::new(&mut awaited).poll(&mut context), Poll::Pending);
            work.send(answer).unwrap();
            for _ in 0..round % 64 {
                std::hint::spin_loop();
            }
            drop(awaited);
        }
        drop(work);
        answering.join().unwrap();
    }

    #[test]
    fn waiting_ends_with_the_answer_or_with_whoever_owes_it() {
        let (answer, pending) = Pending::channel();
        let answering = thread::spawn(move || {
            thread::sleep(std::time::Duration::from_millis(20));
            answer.send(7);
        });
        assert_eq!(pending.wait(), Some(7));
        answering.join().unwrap();
        let (answer, pending) = Pending::<u8>::channel();
        drop(answer);
        assert_eq!(pending.wait(), None);
    }
}
