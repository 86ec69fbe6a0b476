//! A key that is revoked by the command line: how long it takes until every node refuses it.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use tokio::task::JoinSet;
use tokio::{task, time};

use super::cycle::Subject;
use super::promise::NodePromise;
use crate::http::Request;
use crate::service::{ApiClient, SpareKey};

const ASK_PAUSE: Duration = Duration::from_millis(5);
const PATIENCE: Duration = Duration::from_secs(10);
/// Once it was refused, it is asked so often whether it stays so.
const ASKED_AGAIN: usize = 50;

/// What came of a key at one node.
struct Refusal {
    /// When it was refused first, if it was.
    at: Option<Instant>,
    stays: bool,
}

/// Revokes a key that all nodes know.
pub(super) async fn revoke(subject: &mut Subject<'_>) -> anyhow::Result<()> {
    let shop = subject.shops.first().context("there is no account")?;
    let (options, account) = (subject.options.clone(), shop.tenant.account_id.clone());
    let key = task::spawn_blocking(move || SpareKey::create(&options, &account, &[])).await??;
    let mut asking = JoinSet::new();
    for address in subject.fleet.addresses() {
        let mut client = ApiClient::new(address, &key.api_key);
        client.get("/api/v1/products?limit=1").await?;
        asking.spawn(ask_until_refused(address, key.api_key.clone()));
    }
    let options = subject.options.clone();
    task::spawn_blocking(move || key.revoke(&options)).await??;
    let revoked = Instant::now();
    let mut slowest = Duration::ZERO;
    while let Some(asked) = asking.join_next().await {
        let refusal = asked??;
        let holds = refusal.at.is_some() && refusal.stays;
        subject.promises.check(NodePromise::RevokedIsRefused, holds, || {
            let after = refusal.at.map(|at| at.saturating_duration_since(revoked));
            format!("refused after {after:?}, stays so: {}", refusal.stays)
        });
        // A node may know before the command ends.
        let wait = refusal.at.map_or(PATIENCE, |at| at.saturating_duration_since(revoked));
        slowest = slowest.max(wait);
    }
    subject.measures.revoked.push(slowest);
    Ok(())
}

async fn ask_until_refused(address: SocketAddr, api_key: String) -> anyhow::Result<Refusal> {
    let mut client = ApiClient::new(address, &api_key);
    let request = Request::get("/api/v1/products?limit=1", Some(&api_key)).render();
    let began = Instant::now();
    let mut refusal = Refusal { at: None, stays: true };
    let mut asked_again = 0;
    while asked_again < ASKED_AGAIN && (refusal.at.is_some() || began.elapsed() < PATIENCE) {
        let answer = client.exchange(&request).await;
        let answer = answer.map_err(|lost| anyhow!("asking for a key: {}", lost.0))?;
        ensure!(matches!(answer.status, 200 | 401), "asking for a key: {}", answer.excerpt());
        let is_refused = answer.status == 401;
        match refusal.at {
            Some(_) => {
                asked_again += 1;
                refusal.stays &= is_refused;
            }
            None if is_refused => refusal.at = Some(Instant::now()),
            None => {}
        }
        time::sleep(ASK_PAUSE).await;
    }
    Ok(refusal)
}
