//! Answering on accepted connections: HTTP/1.1, or HTTP/2 where TLS has agreed on it.
//!
//! actix-web's own server would do, but for two things: it cannot cut a connection whose client does not take its
//! answer, and it tells of peers that do not speak HTTP without saying who they are.

use std::{io, net::SocketAddr, pin::Pin, rc::Rc, sync::Arc, time::Duration};

use actix_http::{
    HttpService, Protocol,
    error::{DispatchError, ParseError},
};
use actix_service::IntoServiceFactory;
use actix_web::{
    App, Error,
    body::MessageBody,
    dev::{
        AppConfig, Extensions, Server, Service, ServiceFactory, ServiceRequest, ServiceResponse,
        always_ready, fn_factory,
    },
    rt::net::TcpStream,
};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::{DISCONNECT_TIMEOUT, HEAD_TIMEOUT, KEEP_ALIVE, greeting::Greeting, peer::Peer, socket};
use crate::service::Listeners;

/// A client has so long to agree on TLS.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);

/// What an app makes its answers with.
pub(super) trait Answers<B>:
    ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<B>,
        Error = Error,
        InitError = (),
    > + 'static
{
}

impl<S, B> Answers<B> for S where
    S: ServiceFactory<
            ServiceRequest,
            Config = (),
            Response = ServiceResponse<B>,
            Error = Error,
            InitError = (),
        > + 'static
{
}

/// Listens and answers with an app, of which each thread has its own.
pub(super) fn start<F, S, B>(listeners: &Listeners, app: F) -> io::Result<(Server, SocketAddr)>
where
    F: Fn() -> App<S> + Clone + Send + 'static,
    S: Answers<B>,
    B: MessageBody + 'static,
{
    let listener = socket::listen(listeners.api, listeners.peer_timeout)?;
    let addr = listener.local_addr()?;
    let builder = Server::build()
        .workers(listeners.workers)
        .max_concurrent_connections(listeners.connections_max.div_ceil(listeners.workers.max(1)))
        .shutdown_timeout(listeners.shutdown_timeout.as_secs())
        .disable_signals();
    let stopping = builder.graceful_shutdown_signal();
    let stops = move || {
        let stopping = stopping.clone();
        async move { stopping.notified().await }
    };
    let tls = listeners.tls.as_ref().map(|tls| TlsAcceptor::from(Arc::new(tls.config())));
    let builder = builder.listen("api", listener, move || {
        let (app, stops, tls) = (app.clone(), stops.clone(), tls.clone());
        fn_factory(move || {
            let (http, tls) = (http(app.clone(), stops.clone()).new_service(()), tls.clone());
            async move { Ok::<_, ()>(Host { http: Rc::new(http.await?), tls }) }
        })
    })?;
    Ok((builder.run(), addr))
}

/// Speaks HTTP with peers until the future of `stops` ends, and hands the requests to an app.
fn http<F, S, B, W>(
    app: F,
    stops: impl Fn() -> W + 'static,
) -> impl ServiceFactory<
    (Peer, Protocol, Option<SocketAddr>),
    Config = (),
    Response = (),
    Error = DispatchError,
    InitError = (),
>
where
    F: Fn() -> App<S> + 'static,
    S: Answers<B>,
    B: MessageBody + 'static,
    W: Future<Output = ()> + 'static,
{
    HttpService::build()
        .client_request_timeout(HEAD_TIMEOUT)
        .client_disconnect_timeout(DISCONNECT_TIMEOUT)
        .keep_alive(KEEP_ALIVE)
        .graceful_shutdown_signal(stops)
        .on_connect_ext(|peer: &Peer, data: &mut Extensions| {
            data.insert(peer.connection().clone());
        })
        .finish(fn_factory(move || app().into_factory().new_service(AppConfig::default())))
}

/// Attends to the connections of one thread.
struct Host<S> {
    http: Rc<S>,
    tls: Option<TlsAcceptor>,
}

impl<S> Service<TcpStream> for Host<S>
where
    S: Service<(Peer, Protocol, Option<SocketAddr>), Response = (), Error = DispatchError>
        + 'static,
{
    type Response = ();
    type Error = ();
    type Future = Pin<Box<dyn Future<Output = Result<(), ()>>>>;

    always_ready!();

    fn call(&self, stream: TcpStream) -> Self::Future {
        let (http, tls) = (Rc::clone(&self.http), self.tls.clone());
        Box::pin(async move {
            // One that has no peer any more need not be attended to.
            if let Ok(client) = stream.peer_addr() {
                attend(&*http, tls, stream, client).await;
            }
            Ok(())
        })
    }
}

/// Answers on one connection until its end. How that comes about is the peer's business: it is told to who debugs.
async fn attend<S>(http: &S, tls: Option<TlsAcceptor>, stream: TcpStream, client: SocketAddr)
where
    S: Service<(Peer, Protocol, Option<SocketAddr>), Response = (), Error = DispatchError>,
{
    // Only costs time where it cannot be set.
    drop(stream.set_nodelay(true));
    let is_encrypted = tls.is_some();
    let peer = match tls {
        None => Peer::plain(stream),
        Some(tls) => match agree(&tls, stream).await {
            Ok(peer) => peer,
            Err(error) => {
                let hint = "this port speaks HTTPS";
                tracing::debug!(%client, %error, hint, "no agreement on TLS");
                return;
            }
        },
    };
    let (protocol, greeting) = (peer.protocol(), peer.greeting());
    if let Err(error) = http.call((peer, protocol, Some(client))).await {
        let hint = hint(&error, greeting.get().filter(|_| !is_encrypted));
        tracing::debug!(%client, %error, hint, "a connection has ended by an error");
    }
}

/// What whoever set up the client should know; `greeting` is what an unencrypted connection began with.
fn hint(error: &DispatchError, greeting: Option<Greeting>) -> Option<&'static str> {
    match error {
        DispatchError::Parse(ParseError::Uri(_)) => {
            Some("addresses have ASCII characters only; percent-encode all others")
        }
        _ => greeting.and_then(Greeting::hint),
    }
}

async fn agree(tls: &TlsAcceptor, stream: TcpStream) -> io::Result<Peer> {
    Ok(Peer::encrypted(timeout(HANDSHAKE_TIMEOUT, tls.accept(stream)).await??))
}

#[cfg(test)]
mod tests {
    use actix_web::http::Uri;

    use super::*;

    #[test]
    fn only_what_is_wrong_is_hinted_at() {
        let address = "/api/v1/products?search=café".parse::<Uri>().unwrap_err();
        let address = DispatchError::Parse(ParseError::Uri(address));
        assert!(hint(&address, Some(Greeting::Http)).is_some());
        let gone = DispatchError::InternalError;
        assert_eq!(hint(&gone, Some(Greeting::Http)), None);
        assert_eq!(hint(&gone, Some(Greeting::Tls)), Greeting::Tls.hint());
        assert_eq!(hint(&gone, None), None);
    }
}
