//! The receiver's process, as the load generator sees it.

use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use serde_json::Value;
use tokio::time;

use super::Arrival;
use crate::http::Request;
use crate::service::ApiClient;
use crate::service::readiness::{free_address, wait_for};

const START_PATIENCE: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The running receiver; killed when it goes out of scope.
#[derive(Debug)]
pub(crate) struct Receiver {
    child: Child,
    address: SocketAddr,
}

impl Receiver {
    pub(crate) fn start() -> anyhow::Result<Self> {
        let address = free_address()?;
        let child = Command::new(std::env::current_exe()?)
            .args(["receiver", "--listen", &address.to_string()])
            .stdin(Stdio::null())
            .spawn()
            .context("starting the receiver")?;
        let mut receiver = Self { child, address };
        wait_for(&mut receiver.child, address, "/counts", START_PATIENCE)?;
        Ok(receiver)
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of an endpoint here.
    pub(crate) fn url(&self, target: &str) -> String {
        format!("http://{}{target}", self.address)
    }

    /// Has the signatures of an endpoint's deliveries checked.
    pub(crate) async fn expect(&self, target: &str, secret: &str) -> anyhow::Result<()> {
        let path = target.split('?').next().unwrap_or_default();
        self.post("/secret", &format!("{path}\n{secret}")).await
    }

    /// Has all arrivals forgotten.
    pub(crate) async fn forget(&self) -> anyhow::Result<()> {
        self.post("/forget", "").await
    }

    /// How many deliveries were answered with 2xx.
    pub(crate) async fn accepted(&self) -> anyhow::Result<u64> {
        self.count("/counts", "accepted").await
    }

    /// How many events have arrived that tell of no order, since the start.
    pub(crate) async fn others(&self) -> anyhow::Result<u64> {
        self.count("/counts", "others").await
    }

    /// How many requests were no delivery.
    pub(crate) async fn malformed(&self) -> anyhow::Result<u64> {
        self.count("/stats", "malformed").await
    }

    /// How many deliveries had a wrong signature.
    pub(crate) async fn forged(&self) -> anyhow::Result<u64> {
        self.count("/stats", "forged").await
    }

    /// Waits until so many deliveries were accepted, or nothing has arrived for as long as `timeout`.
    pub(crate) async fn wait_for(&self, accepted: u64, timeout: Duration) -> anyhow::Result<()> {
        let (mut seen, mut since) = (0, Instant::now());
        loop {
            let now = self.accepted().await?;
            let all = now + self.others().await?;
            if all > seen {
                (seen, since) = (all, Instant::now());
            }
            if now >= accepted || since.elapsed() > timeout {
                return Ok(());
            }
            time::sleep(POLL_INTERVAL).await;
        }
    }

    /// All arrivals but the first `since`.
    pub(crate) async fn arrivals(&self, since: usize) -> anyhow::Result<Vec<Arrival>> {
        let mut arrivals = Vec::new();
        loop {
            let path = format!("/arrived?since={}", since + arrivals.len());
            let page = self.exchange(&Request::get(&path, None)).await?;
            if page.is_empty() {
                return Ok(arrivals);
            }
            for line in std::str::from_utf8(&page)?.lines() {
                let arrival = Arrival::read(line);
                arrivals.push(arrival.with_context(|| format!("not an arrival: {line}"))?);
            }
        }
    }

    async fn count(&self, path: &str, name: &str) -> anyhow::Result<u64> {
        let said = self.exchange(&Request::get(path, None)).await?;
        let said: Value = serde_json::from_slice(&said)?;
        said.get(name).and_then(Value::as_u64).with_context(|| format!("no {name} in {path}"))
    }

    async fn post(&self, path: &str, body: &str) -> anyhow::Result<()> {
        let mut request = Request::get(path, None);
        (request.method, request.body) = ("POST", Some(body));
        self.exchange(&request).await.map(drop)
    }

    async fn exchange(&self, request: &Request<'_>) -> anyhow::Result<Vec<u8>> {
        let mut client = ApiClient::new(self.address, "");
        let answer = client.exchange(&request.render()).await;
        let answer = answer.map_err(|lost| anyhow!("the receiver: {}", lost.0))?;
        ensure!(answer.status == 200, "the receiver: {} {}", request.path, answer.excerpt());
        Ok(answer.body)
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        // Already ended is what we want; nothing else can be done here.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
