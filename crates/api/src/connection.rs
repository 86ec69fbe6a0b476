//! The connection that a request has come on, as far as its answer needs to know of it.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    task::{Context, Waker},
};

/// A connection. Whoever carries its bytes shares it with the requests on it, all on one thread.
#[derive(Clone, Debug)]
pub struct Connection(Rc<State>);

#[derive(Debug)]
struct State {
    is_encrypted: bool,
    is_cut: Cell<bool>,
    /// The task that carries its bytes.
    carrier: RefCell<Option<Waker>>,
}

impl Connection {
    /// A connection, through TLS or not.
    #[must_use]
    pub fn new(is_encrypted: bool) -> Self {
        let (is_cut, carrier) = (Cell::new(false), RefCell::default());
        Self(Rc::new(State { is_encrypted, is_cut, carrier }))
    }

    /// Whether it goes through TLS.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.0.is_encrypted
    }

    /// Ends it: nothing more is read from it or written to it.
    pub fn cut(&self) {
        self.0.is_cut.set(true);
        if let Some(carrier) = self.0.carrier.take() {
            carrier.wake();
        }
    }

    /// Whether it has been cut. If it is later, the task that asks is woken.
    #[must_use]
    pub fn is_cut(&self, cx: &Context<'_>) -> bool {
        let mut carrier = self.0.carrier.borrow_mut();
        if !carrier.as_ref().is_some_and(|carrier| carrier.will_wake(cx.waker())) {
            *carrier = Some(cx.waker().clone());
        }
        self.0.is_cut.get()
    }
}
