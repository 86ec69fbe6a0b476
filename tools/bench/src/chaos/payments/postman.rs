//! Between the provider and the service: notifications that come at once, late, twice, in the next life of the
//! server, or never, and senders who are not told that one has arrived.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::time;

use crate::http::Connection;
use crate::random::SplitMix64;
use crate::receiver::incoming::parse;
use crate::service::client::text_field;

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
const AWAY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";
/// Longer than the life of a server: what is late may come to the next one.
const LATE_MS_MAX: usize = 6_000;

/// What is done with a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Carry,
    CarryTwice,
    CarryLate,
    /// It arrives, but whoever sent it hears nothing of that.
    CarryAndCut,
    /// Who sent it believes that it has arrived.
    Swallow,
    Cut,
}

impl Way {
    fn drawn(random: &mut SplitMix64) -> Self {
        match random.below(100) {
            0..=39 => Self::Carry,
            40..=54 => Self::CarryTwice,
            55..=69 => Self::CarryLate,
            70..=79 => Self::CarryAndCut,
            80..=91 => Self::Swallow,
            _ => Self::Cut,
        }
    }
}

#[derive(Debug)]
struct Desk {
    service: SocketAddr,
    random: SplitMix64,
    /// The events that the service has acknowledged.
    acknowledged: BTreeSet<String>,
    carried: u64,
    kept_back: u64,
}

/// Carries notifications; cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Postman {
    address: SocketAddr,
    desk: Arc<Mutex<Desk>>,
}

impl Postman {
    /// Listens on a port of its own, on a thread of its own: whoever waits for the service does not keep it waiting.
    pub(super) fn start(random: SplitMix64) -> anyhow::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let acknowledged = BTreeSet::new();
        let desk = Desk { service: address, random, acknowledged, carried: 0, kept_back: 0 };
        let postman = Self { address, desk: Arc::new(Mutex::new(desk)) };
        let serving = postman.clone();
        let runtime = Builder::new_current_thread().enable_all().build()?;
        // It ends with the process.
        thread::spawn(move || {
            runtime.block_on(async {
                let Ok(listener) = TcpListener::from_std(listener) else { return };
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serving.clone().serve(stream));
                }
            });
        });
        Ok(postman)
    }

    /// What the service is told to be its public address.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where the service is from now on.
    pub(super) fn service_is_at(&self, address: SocketAddr) {
        self.desk().service = address;
    }

    /// The events that the service has acknowledged since this was last asked.
    pub(super) fn acknowledged(&self) -> BTreeSet<String> {
        std::mem::take(&mut self.desk().acknowledged)
    }

    /// How many notifications were carried, and how many never were.
    pub(super) fn counts(&self) -> (u64, u64) {
        let desk = self.desk();
        (desk.carried, desk.kept_back)
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn serve(self, mut stream: TcpStream) {
        let mut buffer = Vec::new();
        loop {
            let taken = match parse(&buffer) {
                Ok(Some(incoming)) => incoming.bytes,
                Ok(None) => match stream.read_buf(&mut buffer).await {
                    Ok(1..) => continue,
                    Ok(0) | Err(_) => return,
                },
                Err(_) => return,
            };
            let notice: Vec<u8> = buffer.drain(..taken).collect();
            let Some(answer) = self.handle(notice).await else { return };
            if stream.write_all(answer).await.is_err() {
                return;
            }
        }
    }

    /// The answer to whoever sends a notification; `None` when the connection is cut.
    async fn handle(&self, notice: Vec<u8>) -> Option<&'static [u8]> {
        let (way, late) = {
            let mut desk = self.desk();
            let way = Way::drawn(&mut desk.random);
            match way {
                Way::Swallow | Way::Cut => desk.kept_back += 1,
                _ => desk.carried += 1,
            }
            (way, desk.random.between(50, LATE_MS_MAX))
        };
        match way {
            Way::Carry => Some(if self.carry(&notice).await { OK } else { AWAY }),
            Way::CarryTwice => {
                let (one, other) = tokio::join!(self.carry(&notice), self.carry(&notice));
                Some(if one || other { OK } else { AWAY })
            }
            Way::CarryLate => {
                let postman = self.clone();
                tokio::spawn(async move {
                    time::sleep(Duration::from_millis(late as u64)).await;
                    postman.carry(&notice).await;
                });
                Some(OK)
            }
            Way::CarryAndCut => {
                self.carry(&notice).await;
                None
            }
            Way::Swallow => Some(OK),
            Way::Cut => None,
        }
    }

    /// Carries a notification to where the service is now; whether it was acknowledged.
    pub(super) async fn carry(&self, notice: &[u8]) -> bool {
        let service = self.desk().service;
        let Ok(mut connection) = Connection::open(service).await else { return false };
        let status = connection.exchange(notice).await.map(|response| response.status);
        let is_taken = status.is_ok_and(|status| status == 200);
        let body = parse(notice).ok().flatten().map(|incoming| incoming.body);
        if let Some(body) = body.filter(|_| is_taken) {
            let event: Value = serde_json::from_slice(body).unwrap_or_default();
            self.desk().acknowledged.insert(text_field(&event, "id"));
        }
        is_taken
    }
}
