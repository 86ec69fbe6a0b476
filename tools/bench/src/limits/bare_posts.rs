//! The limit of deliveries: a bare HTTP client, hyper, posting what the service posts, to the same receiver,
//! each request signed anew.
//!
//! Only the signature of the contract is computed; that of Standard Webhooks beside it is a text of the
//! same length, which makes the limit a little harder than what the service does.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use aws_lc_rs::hmac::Key;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::task::JoinSet;

use crate::load::Tally;
use crate::receiver::{Receiver, signature};

const PATH: &str = "/ok/limit";
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
/// As many threads as the service delivers with on this machine.
const THREADS: usize = 2;

/// So that no two requests carry the same event.
static EVENTS: AtomicU64 = AtomicU64::new(0);

/// Posts deliveries in a closed loop.
pub(crate) fn run(
    receiver: &Receiver,
    connections: usize,
    duration: Duration,
) -> anyhow::Result<Tally> {
    let runtime = Builder::new_multi_thread().worker_threads(THREADS).enable_all().build()?;
    runtime.block_on(async {
        receiver.forget().await?;
        receiver.expect(PATH, SECRET).await?;
        let mut loops = JoinSet::new();
        for _ in 0..connections {
            loops.spawn(post_for(receiver.address(), duration));
        }
        let mut total = Tally::new()?;
        while let Some(tally) = loops.join_next().await {
            total.absorb(&tally??)?;
        }
        total.elapsed = duration;
        ensure!(total.errors == 0, "the receiver failed: {:?}", total.faults);
        let forged = receiver.forged().await?;
        ensure!(forged == 0, "the receiver found {forged} signatures wrong");
        // What it remembers of these is of no use to anybody.
        receiver.forget().await?;
        Ok(total)
    })
}

/// One connection: the next request goes out when the last one is answered.
async fn post_for(address: SocketAddr, duration: Duration) -> anyhow::Result<Tally> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let key = signature::key(SECRET);
    let mut tally = Tally::new()?;
    let end = Instant::now() + duration;
    loop {
        let began = Instant::now();
        if began >= end {
            return Ok(tally);
        }
        let outcome = post(&mut sender, &key).await;
        tally.record(outcome.map_err(|error| format!("{error:#}")), began.elapsed());
    }
}

async fn post(sender: &mut SendRequest<Whole>, key: &Key) -> anyhow::Result<bool> {
    let request = request(key)?;
    sender.ready().await?;
    let response: Response<_> = sender.send_request(request).await?;
    ensure!(response.status() == 200, "the receiver answered {}", response.status());
    let mut body = response.into_body();
    while let Some(frame) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        frame.context("the answer broke off")?;
    }
    Ok(false)
}

fn request(key: &Key) -> anyhow::Result<Request<Whole>> {
    let number = EVENTS.fetch_add(1, Ordering::Relaxed);
    let body = format!(
        r#"{{"id":"evt_{number:026}","event":"order.created","createdAt":"2026-01-01T00:00:00.000Z","data":{{"id":"ord_{number:026}","status":"pending","total":39.98,"currency":"MXN"}}}}"#
    );
    let signature = signature::hex(key, body.as_bytes());
    let request = Request::post(PATH)
        .header("host", "127.0.0.1:65535")
        .header("content-type", "application/json")
        .header("user-agent", "trastienda/0.1.0")
        .header("x-service-signature-256", signature.as_slice())
        .header("x-service-event-id", format!("evt_{number:026}"))
        .header("x-service-event", "order.created")
        .header("x-service-delivery-id", format!("dlv_{number:026}"))
        .header("x-service-attempt", "1")
        .header("webhook-id", format!("evt_{number:026}"))
        .header("webhook-timestamp", "1767225600")
        .header("webhook-signature", format!("v1,{:044}", 0));
    Ok(request.body(Whole(Some(Bytes::from(body))))?)
}

/// A body that is there as a whole.
struct Whole(Option<Bytes>);

impl Body for Whole {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.as_ref().map_or(0, Bytes::len) as u64)
    }
}
