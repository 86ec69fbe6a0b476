//! The connection to the server, as requests find it, and how it is made.

use std::{
    io, mem,
    path::Path,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use kernel::Gauge;
use redis::{AsyncConnectionConfig, RedisResult, aio::MultiplexedConnection};
use rustls::pki_types::ServerName;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    sync::Notify,
};
use tokio_rustls::TlsConnector;

use super::{Address, scripts};
use crate::{SetupError, tls};

/// What is said of a server that does not answer in time.
pub(super) const SILENT: &str = "it does not answer in time";
/// Requests that wait to be written to the connection.
const QUEUE: usize = 1_000;

/// What requests and the keeper share.
pub(super) struct State {
    prefix: String,
    /// How long a request waits to be counted.
    pub(super) patience: Duration,
    /// The connection, while it answers.
    link: RwLock<Option<MultiplexedConnection>>,
    /// Tells the keeper that a request was not answered.
    pub(super) lost: Notify,
    /// Whether the log has been told that it does not.
    is_told: AtomicBool,
    nodes: AtomicU32,
    alone: AtomicU64,
    unanswered: AtomicU64,
}

impl State {
    pub(super) fn new(prefix: String, patience: Duration) -> Self {
        Self {
            prefix,
            patience,
            link: RwLock::new(None),
            lost: Notify::new(),
            is_told: AtomicBool::new(false),
            nodes: AtomicU32::new(1),
            alone: AtomicU64::new(0),
            unanswered: AtomicU64::new(0),
        }
    }

    /// What a key is called at the server.
    pub(super) fn name(&self, what: &str) -> String {
        format!("{}:limits:{what}", self.prefix)
    }

    /// The connection, while it answers.
    pub(super) fn connection(&self) -> Option<MultiplexedConnection> {
        self.link.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on requests are counted by the server.
    pub(super) fn open(&self, connection: &MultiplexedConnection, nodes: u32) {
        self.nodes.store(nodes.max(1), Relaxed);
        self.replace(Some(connection.clone()));
        if self.is_told.swap(false, Relaxed) {
            tracing::info!(nodes, "rate limits are counted for all nodes again");
        }
    }

    /// From now on each node counts by itself: a request was not answered. Mostly somebody was kept from working for a
    /// moment, of which the log hears nothing.
    pub(super) fn lose(&self) {
        self.unanswered.fetch_add(1, Relaxed);
        if self.replace(None) {
            self.lost.notify_one();
        }
    }

    /// From now on each node counts by itself, because of this.
    pub(super) fn give_up(&self, reason: &str) {
        self.replace(None);
        if !self.is_told.swap(true, Relaxed) {
            let nodes = self.nodes();
            tracing::warn!(reason, nodes, "limits_url does not count: each node counts its share");
        }
    }

    /// Whether it answered before.
    fn replace(&self, link: Option<MultiplexedConnection>) -> bool {
        let mut current = self.link.write().unwrap_or_else(PoisonError::into_inner);
        mem::replace(&mut *current, link).is_some()
    }

    pub(super) fn nodes(&self) -> u32 {
        self.nodes.load(Relaxed)
    }

    pub(super) fn counted_alone(&self) {
        self.alone.fetch_add(1, Relaxed);
    }

    pub(super) fn gauges(&self) -> Vec<Gauge> {
        vec![
            Gauge::new(
                "limiter_shared",
                "Whether rate limits are counted for all nodes, 1 or 0",
                if self.connection().is_some() { 1.0 } else { 0.0 },
            ),
            Gauge::new(
                "limiter_nodes",
                "Nodes that count rate limits together, as last seen",
                f64::from(self.nodes()),
            ),
            Gauge::new(
                "limiter_alone_total",
                "Requests that were counted by this node alone",
                self.alone.load(Relaxed) as f64,
            ),
            Gauge::new(
                "limiter_unanswered_total",
                "Requests that waited in vain to be counted for all nodes",
                self.unanswered.load(Relaxed) as f64,
            ),
        ]
    }
}

/// What encrypts the connection, if the address asks for it.
pub(super) fn connector(
    address: &Address,
    ca_file: Option<&Path>,
) -> Result<Option<TlsConnector>, SetupError> {
    if !address.is_encrypted {
        return Ok(None);
    }
    let mut config = tls::config(ca_file)?;
    // That of HTTP is none of its.
    config.alpn_protocols.clear();
    Ok(Some(TlsConnector::from(Arc::new(config))))
}

/// Connects, signs in and lets the server know the scripts.
pub(super) async fn connect(
    address: &Address,
    tls: Option<&TlsConnector>,
) -> RedisResult<MultiplexedConnection> {
    let tcp = TcpStream::connect((address.host.as_str(), address.port)).await?;
    tcp.set_nodelay(true)?;
    let mut connection = match tls {
        None => sign_in(address, tcp).await?,
        Some(tls) => {
            let name = ServerName::try_from(address.host.clone()).map_err(io::Error::other)?;
            sign_in(address, tls.connect(name, tcp).await?).await?
        }
    };
    scripts::load(&mut connection).await?;
    Ok(connection)
}

async fn sign_in<S>(address: &Address, stream: S) -> RedisResult<MultiplexedConnection>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    // Whoever asks knows how long to wait.
    let config = AsyncConnectionConfig::new().set_response_timeout(None);
    let config = config.set_pipeline_buffer_size(QUEUE);
    let made = MultiplexedConnection::new_with_config(&address.session, stream, config).await?;
    let (connection, driver) = made;
    // It ends with the last share in the connection.
    tokio::spawn(driver);
    Ok(connection)
}
