//! What servers of doubles have alike: one thread listens, each connection has a thread of its own, and what a server knows
//! stands behind one lock.

use std::{
    collections::HashMap,
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    ops::{Deref, DerefMut},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Longer than any test.
const LONGEST: Duration = Duration::from_secs(3_600);

/// What a server knows, and how it serves.
pub trait Served: Send + Sized + 'static {
    /// What is settled for a connection when it comes.
    type Turn: Send + 'static;

    /// Settles it, for one connection after the other.
    fn turn(&mut self) -> Self::Turn;

    /// Serves a connection until it is to be ended.
    fn serve(shared: &Shared<Self>, connection: &TcpStream, turn: Self::Turn) -> End;
}

/// How a connection is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// In good order.
    Close,
    /// By a reset, if something of a request is still unread.
    Reset,
}

/// A server on a free port of this machine; gone when it is dropped.
pub struct Server<T: Served> {
    addr: SocketAddr,
    shared: Arc<Shared<T>>,
    thread: Option<JoinHandle<()>>,
}

impl<T: Served> Server<T> {
    /// A server that knows this.
    ///
    /// # Panics
    /// When it cannot listen.
    #[must_use]
    pub fn start(known: T) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let addr = listener.local_addr().expect("the port is known");
        let connections = HashMap::new();
        let state = State { known, connections, connected: 0, is_closing: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let thread = thread::spawn({
            let shared = Arc::clone(&shared);
            move || listen(&listener, &shared)
        });
        Self { addr, shared, thread: Some(thread) }
    }

    /// Its address.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// What it knows.
    pub fn state(&self) -> MutexGuard<'_, State<T>> {
        self.shared.state()
    }

    /// Lets the threads that serve know that something has changed.
    pub fn tell(&self) {
        self.shared.tell();
    }

    /// Waits until it knows what is `wanted`; whether it came to that in time.
    #[must_use]
    pub fn wait_until(&self, longest: Duration, wanted: impl Fn(&T) -> bool) -> bool {
        self.shared.wait_until(longest, |state| wanted(&state.known))
    }
}

impl<T: Served> Drop for Server<T> {
    fn drop(&mut self) {
        self.shared.state().is_closing = true;
        self.shared.tell();
        // Wakes the listener.
        drop(TcpStream::connect(self.addr));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
        for connection in self.shared.state().connections.values() {
            drop(connection.shutdown(Shutdown::Both));
        }
    }
}

/// What the threads of a server share.
pub struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

/// What a server knows, with its connections.
pub struct State<T> {
    known: T,
    connections: HashMap<u64, TcpStream>,
    connected: u64,
    is_closing: bool,
}

impl<T> State<T> {
    /// Whether the server is about to be gone.
    #[must_use]
    pub const fn is_closing(&self) -> bool {
        self.is_closing
    }
}

impl<T> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.known
    }
}

impl<T> DerefMut for State<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.known
    }
}

impl<T> Shared<T> {
    /// What the server knows.
    pub fn state(&self) -> MutexGuard<'_, State<T>> {
        // A test that panics while it looks has nothing to do with the server.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets those who wait know that something has changed.
    pub fn tell(&self) {
        self.changed.notify_all();
    }

    /// Holds the line until the server closes.
    pub fn hang(&self) {
        self.wait_until(LONGEST, |state| state.is_closing);
    }

    fn wait_until(&self, longest: Duration, wanted: impl Fn(&State<T>) -> bool) -> bool {
        let deadline = Instant::now() + longest;
        let mut state = self.state();
        while !wanted(&state) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.wait(state, left);
        }
        true
    }

    /// Waits until something may have changed.
    pub fn wait<'a>(
        &self,
        state: MutexGuard<'a, State<T>>,
        longest: Duration,
    ) -> MutexGuard<'a, State<T>> {
        let woken = self.changed.wait_timeout(state, longest);
        woken.unwrap_or_else(PoisonError::into_inner).0
    }
}

fn listen<T: Served>(listener: &TcpListener, shared: &Arc<Shared<T>>) {
    for connection in listener.incoming().map_while(Result::ok) {
        let mut state = shared.state();
        if state.is_closing {
            return;
        }
        state.connected += 1;
        let (number, kept) = (state.connected, connection.try_clone());
        state.connections.extend(kept.ok().map(|kept| (number, kept)));
        let turn = state.known.turn();
        drop(state);
        let shared = Arc::clone(shared);
        thread::spawn(move || {
            drop(connection.set_nodelay(true));
            let end = T::serve(&shared, &connection, turn);
            shared.state().connections.remove(&number);
            if end == End::Close {
                drop(connection.shutdown(Shutdown::Both));
            }
        });
    }
}
