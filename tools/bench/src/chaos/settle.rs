//! After the restart: every request whose answer was lost is sent again with its key.

use std::time::{Duration, Instant};

use tokio::time;

use crate::chaos::book::{Book, Outcome};
use crate::chaos::cancel;
use crate::chaos::verdict::Invariant;
use crate::service::ApiClient;

/// A key that is in use for longer after a restart is in use for ever.
const STUCK_AFTER: Duration = Duration::from_secs(10);
const RETRY_PAUSE: Duration = Duration::from_millis(20);

/// Retries until nothing is unsettled; how many requests that took.
pub(crate) async fn settle(book: &mut Book, client: &mut ApiClient) -> anyhow::Result<u64> {
    let mut retries = 0;
    for ask in std::mem::take(&mut book.unsettled) {
        retries += settle_order(book, client, ask).await?;
    }
    cancel::settle(book, client).await?;
    Ok(retries)
}

async fn settle_order(book: &mut Book, client: &mut ApiClient, ask: usize) -> anyhow::Result<u64> {
    let began = Instant::now();
    let request = book.order_request(ask);
    let mut retries = 0;
    loop {
        let repeated = book.is_placed(ask);
        let answer = client.exchange(&request).await;
        let answer = answer.map_err(|lost| anyhow::anyhow!("settling an order: {}", lost.0))?;
        retries += 1;
        book.order_answered(ask, &answer, repeated);
        let settled = !book.unsettled.remove(&ask)
            && book.asks.get(ask).is_some_and(|ask| ask.outcome != Outcome::Open);
        let stuck = !settled && began.elapsed() > STUCK_AFTER;
        if settled || stuck {
            let key = book.asks.get(ask).map_or("", |ask| &ask.key);
            let detail = || format!("{key}: {}", answer.excerpt());
            book.verdict.check(Invariant::KeyIsNotStuck, settled, detail);
            return Ok(retries);
        }
        time::sleep(RETRY_PAUSE).await;
    }
}
