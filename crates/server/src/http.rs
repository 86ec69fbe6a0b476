//! The listeners: actix-web on a thread of its own.

mod greeting;
mod peer;
mod serving;
mod socket;

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use actix_web::{
    App, HttpServer,
    dev::{Server, ServerHandle, Service, ServiceResponse},
    http::ConnectionType,
    rt,
    web::Data,
};
use anyhow::{Context, anyhow};
use api::{Api, Clock};
use panel::Panel;
use store::Store;
use tokio::sync::oneshot;

use crate::{housekeeping::Housekeeping, service::Listeners, tls::Tls};

/// A client has so long to send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// An idle connection stays open so long: longer than load balancers keep theirs, so that the balancer is
/// the one to close.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// A connection being closed waits so long for the client.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The running listeners.
pub(crate) struct Http {
    pub(crate) addr: SocketAddr,
    pub(crate) metrics_addr: Option<SocketAddr>,
    pub(crate) tls: Option<Tls>,
    server: ServerHandle,
    leaving: Leaving,
    farewell: Duration,
    thread: Option<JoinHandle<()>>,
    ended: Option<oneshot::Receiver<io::Result<()>>>,
}

/// Set while the service is about to stop: every answer then asks its client to close the connection, so
/// that busy clients do not send a request into one that is closed under their hands.
type Leaving = Arc<AtomicBool>;

/// What the thread tells once its addresses are bound.
struct Bound {
    addr: SocketAddr,
    metrics_addr: Option<SocketAddr>,
    server: ServerHandle,
}

/// What the thread works with.
pub(crate) struct Parts {
    pub(crate) listeners: Listeners,
    pub(crate) api: Data<Api>,
    pub(crate) panel: Data<Panel>,
    pub(crate) store: Arc<Store>,
    pub(crate) clock: Arc<dyn Clock>,
}

/// Where a listener tells that it is bound, or why not.
type TellBound = mpsc::Sender<anyhow::Result<Bound>>;

/// Binds the addresses and starts answering.
pub(crate) fn start(parts: Parts) -> anyhow::Result<Http> {
    let leaving = Leaving::default();
    let (farewell, tls) = (parts.listeners.farewell, parts.listeners.tls.clone());
    let seen_leaving = Arc::clone(&leaving);
    let run = move |tell_bound| run(parts, seen_leaving, tell_bound);
    let mut http = start_thread(leaving, farewell, run)?;
    http.tls = tls;
    Ok(http)
}

/// Binds the address of the metrics alone and starts answering there.
pub(crate) fn start_metrics(wanted: SocketAddr, api: Data<Api>) -> anyhow::Result<Http> {
    start_thread(Leaving::default(), Duration::ZERO, move |tell_bound| async move {
        match bind_metrics(wanted, api) {
            Ok((server, addr)) => {
                let bound = Bound { addr, metrics_addr: Some(addr), server: server.handle() };
                drop(tell_bound.send(Ok(bound)));
                server.await
            }
            Err(error) => {
                drop(tell_bound.send(Err(error)));
                Ok(())
            }
        }
    })
}

/// Runs listeners on a thread of their own, and waits until they are bound.
fn start_thread<R: Future<Output = io::Result<()>>>(
    leaving: Leaving,
    farewell: Duration,
    run: impl FnOnce(TellBound) -> R + Send + 'static,
) -> anyhow::Result<Http> {
    let (tell_bound, bound) = mpsc::channel();
    let (tell_ended, ended) = oneshot::channel();
    let thread = thread::Builder::new().name("http".to_owned()).spawn(move || {
        let result = rt::System::new().block_on(run(tell_bound));
        // Nobody listens any more when the service is stopped in an orderly way.
        drop(tell_ended.send(result));
    })?;
    let Bound { addr, metrics_addr, server } =
        bound.recv().map_err(|_| anyhow!("the listener ended before it started"))??;
    let (thread, ended) = (Some(thread), Some(ended));
    Ok(Http { addr, metrics_addr, tls: None, server, leaving, farewell, thread, ended })
}

async fn run(parts: Parts, leaving: Leaving, tell_bound: TellBound) -> io::Result<()> {
    let Parts { listeners, api, panel, store, clock } = parts;
    let (server, metrics, addr, metrics_addr) = match bind(&listeners, &api, panel, leaving) {
        Ok(servers) => servers,
        Err(error) => {
            drop(tell_bound.send(Err(error)));
            return Ok(());
        }
    };
    let bound = Bound { addr, metrics_addr, server: server.handle() };
    drop(tell_bound.send(Ok(bound)));
    let metrics_handle = metrics.as_ref().map(Server::handle);
    if let Some(metrics) = metrics {
        rt::spawn(metrics);
    }
    let housekeeping = Arc::new(Housekeeping::new(store, clock));
    let keeping = rt::spawn(Arc::clone(&housekeeping).run());
    let result = server.await;
    keeping.abort();
    housekeeping.leave().await;
    if let Some(metrics) = metrics_handle {
        metrics.stop(false).await;
    }
    result
}

type Servers = (Server, Option<Server>, SocketAddr, Option<SocketAddr>);

fn bind(
    listeners: &Listeners,
    api: &Data<Api>,
    panel: Data<Panel>,
    leaving: Leaving,
) -> anyhow::Result<Servers> {
    let (server, addr) = bind_api(listeners, api.clone(), panel, leaving)?;
    let metrics =
        listeners.metrics.map(|metrics| bind_metrics(metrics, api.clone())).transpose()?;
    let (metrics, metrics_addr) = metrics.unzip();
    Ok((server, metrics, addr, metrics_addr))
}

fn bind_api(
    listeners: &Listeners,
    api: Data<Api>,
    panel: Data<Panel>,
    leaving: Leaving,
) -> anyhow::Result<(Server, SocketAddr)> {
    let app = move || {
        let (api, panel, leaving) = (api.clone(), panel.clone(), Arc::clone(&leaving));
        let close_when_leaving = move |request, next: &_| {
            let leaving = Arc::clone(&leaving);
            let answer = Service::call(next, request);
            async move {
                let mut answer: ServiceResponse<_> = answer.await?;
                if leaving.load(Ordering::Relaxed) {
                    let head = answer.response_mut().head_mut();
                    head.set_connection_type(ConnectionType::Close);
                }
                Ok(answer)
            }
        };
        App::new()
            .wrap_fn(close_when_leaving)
            .configure(|app| panel::configure(app, panel))
            .configure(|app| api::configure(app, api))
    };
    serving::start(listeners, app).map_err(|error| bind_failure("listen", listeners.api, &error))
}

fn bind_metrics(wanted: SocketAddr, api: Data<Api>) -> anyhow::Result<(Server, SocketAddr)> {
    let server = HttpServer::new(move || {
        let api = api.clone();
        App::new().configure(|app| api::configure_metrics(app, api))
    })
    .workers(1)
    .client_request_timeout(HEAD_TIMEOUT)
    .disable_signals()
    .bind(wanted)
    .map_err(|error| bind_failure("metrics_listen", wanted, &error))?;
    let addr = server.addrs().first().copied().context("the metrics listener has no address")?;
    Ok((server.run(), addr))
}

fn bind_failure(setting: &str, addr: SocketAddr, error: &io::Error) -> anyhow::Error {
    let flag = setting.replace('_', "-");
    let fix = format!("choose another with --{flag} or TRASTIENDA_{}", setting.to_uppercase());
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            anyhow!("another program is already listening on {addr}; stop it, or {fix}")
        }
        io::ErrorKind::AddrNotAvailable => anyhow!("this machine has no address {addr}; {fix}"),
        io::ErrorKind::PermissionDenied => {
            anyhow!(
                "the operating system forbids listening on {addr} (ports below 1024 are reserved); {fix}"
            )
        }
        _ => anyhow!("listening on {addr} failed ({error}); {fix}"),
    }
}

impl Http {
    /// Waits until the listeners end by themselves, which they should not.
    pub(crate) async fn ended(&mut self) -> io::Result<()> {
        let Some(ended) = self.ended.as_mut() else { return std::future::pending().await };
        let result = ended.await;
        self.ended = None;
        result.unwrap_or_else(|_| Err(io::Error::other("the listener's thread panicked")))
    }

    /// Stops listening; `graceful` lets requests under way finish first.
    pub(crate) fn stop(&mut self, graceful: bool) {
        let Some(thread) = self.thread.take() else { return };
        if graceful {
            self.leaving.store(true, Ordering::Relaxed);
            thread::sleep(self.farewell);
        }
        // The order is given by the call; joining the thread waits for what it brings about.
        drop(self.server.stop(graceful));
        if thread.join().is_err() {
            tracing::error!("the listener's thread panicked");
        }
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.stop(false);
    }
}
