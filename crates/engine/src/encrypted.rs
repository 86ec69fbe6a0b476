//! Encrypted connections to PostgreSQL.
//!
//! The bundled libpq speaks no TLS, and the one library that it could speak it with is not wanted beside rustls. So where the
//! URL asks for TLS, libpq connects to a socket of this process, and a thread carries what it says through rustls to the
//! server. The socket has a name of this process and no file, and takes nobody of another user.

mod greeting;
mod route;
mod trust;

use std::{
    collections::HashMap,
    io,
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
    thread,
    time::Duration,
};

use kernel::id::IdSource;
use rustix::process::geteuid;
use rustls::{ClientConfig, pki_types::ServerName};
use socket2::{SockRef, TcpKeepalive};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpStream, UnixListener, UnixStream},
    runtime::{self, Handle},
    time::timeout,
};
use tokio_rustls::{TlsConnector, client::TlsStream};

pub(crate) use route::Route;
use route::Server;

/// As libpq is told of its own connections.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(5);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(2);
const KEEPALIVE_RETRIES: u32 = 2;
const UNACKNOWLEDGED_MAX: Duration = Duration::from_secs(8);
/// The port that stands in the name of a socket.
pub(super) const PORT: u16 = 5432;

/// The sockets that lead to servers. They stay for as long as the process does: a connection may outlive whoever opened it.
static SOCKETS: LazyLock<Mutex<HashMap<Server, String>>> = LazyLock::new(Mutex::default);
/// Where connections are carried through.
static RUNTIME: OnceLock<Handle> = OnceLock::new();

/// The name of the socket that leads to a server.
fn socket_to(server: &Server) -> Result<String, String> {
    let mut sockets = SOCKETS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(name) = sockets.get(server) {
        return Ok(name.clone());
    }
    let config = trust::config(&server.trust)?;
    // Which nobody else can have taken.
    let name = format!("trastienda-{:x}", IdSource::default().next());
    let told = |error: io::Error| format!("cannot carry connections to PostgreSQL: {error}");
    let runtime = runtime().map_err(told)?;
    let listener = {
        let _entered = runtime.enter();
        listen(&name).map_err(told)?
    };
    runtime.spawn(accept(listener, server.clone(), config));
    sockets.insert(server.clone(), name.clone());
    Ok(name)
}

fn runtime() -> io::Result<Handle> {
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime.clone());
    }
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    let carry = move || runtime.block_on(std::future::pending::<()>());
    thread::Builder::new().name("postgres-tls".to_owned()).spawn(carry)?;
    Ok(RUNTIME.get_or_init(|| handle).clone())
}

/// A socket without a file: its name ends with the process.
#[cfg(target_os = "linux")]
fn listen(name: &str) -> io::Result<UnixListener> {
    use std::os::{linux::net::SocketAddrExt, unix::net};

    let address = net::SocketAddr::from_abstract_name(format!("{name}/.s.PGSQL.{PORT}"))?;
    let listener = net::UnixListener::bind_addr(&address)?;
    listener.set_nonblocking(true)?;
    UnixListener::from_std(listener)
}

#[cfg(not(target_os = "linux"))]
fn listen(_: &str) -> io::Result<UnixListener> {
    Err(io::Error::other("TLS to PostgreSQL is for Linux alone"))
}

async fn accept(listener: UnixListener, server: Server, config: Arc<ClientConfig>) {
    let server = Arc::new(server);
    loop {
        match listener.accept().await {
            Ok((client, _)) if is_ours(&client) => {
                let (server, config) = (Arc::clone(&server), Arc::clone(&config));
                tokio::spawn(async move {
                    if let Err(error) = carry(client, &server, config).await {
                        tracing::debug!(%error, host = server.host, "a connection has ended");
                    }
                });
            }
            Ok(_) => {}
            // As long as there are too many open files.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

fn is_ours(client: &UnixStream) -> bool {
    client.peer_cred().is_ok_and(|peer| peer.uid() == geteuid().as_raw())
}

/// Carries what a client says to the server and back, until one of them ends it.
async fn carry(
    mut client: UnixStream,
    server: &Server,
    config: Arc<ClientConfig>,
) -> io::Result<()> {
    let startup = greeting::startup(&mut client).await?;
    let connected = tokio::select! {
        connected = timeout(server.patience, connect(server, config)) => connected,
        () = has_gone(&client) => return Ok(()),
    };
    let connected = connected.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
    let mut connected = match connected {
        Ok(connected) => connected,
        Err(error) => {
            let why = format!("cannot connect to {} by TLS: {error}", server.host);
            return client.write_all(&greeting::refusal(&why)).await;
        }
    };
    connected.write_all(&startup).await?;
    connected.flush().await?;
    greeting::pass_authentication(&mut connected, &mut client).await?;
    copy_bidirectional(&mut client, &mut connected).await.map(drop)
}

/// Waits for the end of a client, which has nothing to say before it is answered.
async fn has_gone(client: &UnixStream) {
    while client.readable().await.is_ok() {
        match client.try_read(&mut [0]) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            _ => return,
        }
    }
}

async fn connect(server: &Server, config: Arc<ClientConfig>) -> io::Result<TlsStream<TcpStream>> {
    let name = ServerName::try_from(server.host.clone()).map_err(io::Error::other)?;
    let mut tcp = TcpStream::connect((server.host.as_str(), server.port)).await?;
    watch(&tcp)?;
    tcp.write_all(&greeting::TLS_WANTED).await?;
    // Nothing behind this byte may be taken for what was said under TLS: it is read alone.
    let answer = tcp.read_u8().await?;
    if answer != greeting::TLS_GIVEN {
        return Err(io::Error::other("it speaks none"));
    }
    TlsConnector::from(config).connect(name, tcp).await
}

/// A peer that is gone is noticed within seconds.
fn watch(tcp: &TcpStream) -> io::Result<()> {
    tcp.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new()
        .with_time(KEEPALIVE_IDLE)
        .with_interval(KEEPALIVE_INTERVAL)
        .with_retries(KEEPALIVE_RETRIES);
    let socket = SockRef::from(tcp);
    socket.set_tcp_keepalive(&keepalive)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED_MAX))?;
    Ok(())
}
