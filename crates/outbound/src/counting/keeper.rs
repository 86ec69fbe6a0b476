//! Keeps the connection, says that this node is there, and finds out when a lost server answers again.

use std::{
    sync::{Arc, mpsc::SyncSender},
    time::Duration,
};

use kernel::id::IdSource;
use redis::{RedisResult, aio::MultiplexedConnection};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};
use tokio_rustls::TlsConnector;

use super::{
    Address,
    link::{SILENT, State, connect},
    scripts,
};

/// How often a node says that it is there.
const BEAT: Duration = Duration::from_secs(1);
/// How long it counts as there after that.
const LASTING: Duration = Duration::from_secs(5);
/// How long a beat may take while requests are answered.
const BEAT_PATIENCE: Duration = Duration::from_secs(1);
/// How often a server that was silent is asked whether it answers again, after once at once.
const PROBE: Duration = Duration::from_millis(20);
/// A server that answers the keeper and nobody else is asked more and more seldom, at last each so many probes.
const LOSSES_MAX: u32 = 50;
/// Beats in vain in a row after which the connection is given up.
const SILENT_MAX: u32 = 40;
const CONNECT_PATIENCE: Duration = Duration::from_secs(2);
const RECONNECT_PAUSE: Duration = Duration::from_millis(200);
/// How long a node that stops tries to say so.
const FAREWELL: Duration = Duration::from_millis(100);

pub(super) struct Keeper {
    address: Address,
    tls: Option<TlsConnector>,
    state: Arc<State>,
    /// Tells of the first outcome, whatever it is.
    tell: SyncSender<()>,
    /// What the nodes are called at the server.
    nodes: String,
    /// Who of them this is.
    node: String,
}

impl Keeper {
    pub(super) fn new(
        address: Address,
        tls: Option<TlsConnector>,
        state: Arc<State>,
        tell: SyncSender<()>,
    ) -> Self {
        let (nodes, node) = (state.name("nodes"), format!("{:x}", IdSource::default().next()));
        Self { address, tls, state, tell, nodes, node }
    }

    /// Goes on until the other end of `stopped` is gone.
    pub(super) async fn run(self, mut stopped: watch::Receiver<()>) {
        tokio::select! {
            () = self.keep() => {}
            _ = stopped.changed() => {}
        }
        if let Some(mut connection) = self.state.connection() {
            let leaving = scripts::leave(&mut connection, &self.nodes, &self.node);
            // Otherwise it is forgotten by itself.
            drop(timeout(FAREWELL, leaving).await);
        }
    }

    async fn keep(&self) {
        loop {
            let connecting = connect(&self.address, self.tls.as_ref());
            let trouble = match timeout(CONNECT_PATIENCE, connecting).await {
                Ok(Ok(connection)) => self.hold(connection).await,
                Ok(Err(error)) => error.to_string(),
                Err(_) => SILENT.to_owned(),
            };
            self.state.give_up(&trouble);
            self.told();
            sleep(RECONNECT_PAUSE).await;
        }
    }

    /// Says that this node is there until the connection is of no use; why it is not.
    async fn hold(&self, mut connection: MultiplexedConnection) -> String {
        let (mut silent, mut losses) = (0_u32, 0_u32);
        while silent < SILENT_MAX {
            match self.beat(&mut connection).await {
                Some(Ok(nodes)) => {
                    silent = 0;
                    self.state.open(&connection, nodes);
                    self.told();
                    tokio::select! {
                        () = sleep(BEAT) => losses = 0,
                        () = self.state.lost.notified() => {
                            sleep(PROBE * losses).await;
                            losses = (losses + 1).min(LOSSES_MAX);
                        }
                    }
                }
                Some(Err(error)) => return error.to_string(),
                None => {
                    silent += 1;
                    self.state.give_up(SILENT);
                    sleep(PROBE).await;
                }
            }
        }
        SILENT.to_owned()
    }

    /// `None` if it was not answered in time: while nobody asks for anything else, in the time that a request would wait.
    async fn beat(&self, connection: &mut MultiplexedConnection) -> Option<RedisResult<u32>> {
        let is_open = self.state.connection().is_some();
        let patience = if is_open { BEAT_PATIENCE } else { self.state.patience };
        let beating = scripts::beat(connection, &self.nodes, &self.node, LASTING);
        timeout(patience, beating).await.ok()
    }

    fn told(&self) {
        // Nobody waits for any but the first.
        let _ = self.tell.try_send(());
    }
}
