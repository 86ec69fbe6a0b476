//! The load generator: many connections, each with a script, every answer checked.

pub(crate) mod closed;
pub(crate) mod open;
pub(crate) mod tally;

use std::net::SocketAddr;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

pub(crate) use tally::Tally;

use crate::http::{Connection, Response};

/// What one connection sends, and how it checks the answers.
pub(crate) trait Script: Send + 'static {
    /// Appends the next request to `bytes`, which is empty.
    fn write(&mut self, bytes: &mut Vec<u8>);

    /// Says what is wrong with the answer to the request written last.
    fn check(&mut self, response: &Response<'_>) -> Result<(), String>;
}

/// Where the load goes, over how many connections, for how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) address: SocketAddr,
    pub(crate) connections: usize,
    pub(crate) duration: Duration,
}

/// A run that takes this much longer than it should has met a server that hangs.
const GRACE: Duration = Duration::from_secs(30);
/// A connection that fails this often in a row gives up.
const FAILURES_MAX: u32 = 10;

/// One thread suffices, and leaves the other core to the service.
pub(crate) fn generator() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// A script with the connection it speaks over.
struct Client<S> {
    address: SocketAddr,
    connection: Option<Connection>,
    script: S,
    request: Vec<u8>,
    failures: u32,
}

impl<S: Script> Client<S> {
    const fn new(address: SocketAddr, script: S) -> Self {
        Self { address, connection: None, script, request: Vec::new(), failures: 0 }
    }

    async fn connect(&mut self) -> Result<(), String> {
        let connection = Connection::open(self.address).await.map_err(|error| error.to_string())?;
        self.connection = Some(connection);
        Ok(())
    }

    /// One request and its answer; whether the answer was a replay.
    async fn step(&mut self) -> Result<bool, String> {
        self.request.clear();
        self.script.write(&mut self.request);
        if self.connection.is_none() {
            self.connect().await?;
        }
        let Some(connection) = &mut self.connection else { return Err("no connection".into()) };
        let outcome = match connection.exchange(&self.request).await {
            Ok(response) => self.script.check(&response).map(|()| response.replayed),
            Err(lost) => {
                self.connection = None;
                return Err(lost.0);
            }
        };
        if connection.closes() {
            self.connection = None;
        }
        outcome
    }

    /// Whether to go on after this outcome.
    const fn goes_on(&mut self, outcome: &Result<bool, String>) -> bool {
        self.failures = if outcome.is_ok() { 0 } else { self.failures + 1 };
        self.failures < FAILURES_MAX
    }
}
