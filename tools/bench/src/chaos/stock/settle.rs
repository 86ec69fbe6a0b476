//! After the restart: every request whose answer was lost is sent again with its key, twice at once.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use tokio::time;

use super::book::Book;
use super::promise::Promised;
use crate::service::ApiClient;

/// A key that is in use for longer after a restart is in use for ever.
const STUCK_AFTER: Duration = Duration::from_secs(10);
const RETRY_PAUSE: Duration = Duration::from_millis(20);

/// Retries until nothing is unsettled; how many requests that took.
pub(super) async fn settle(
    book: &mut Book,
    [one, other]: &mut [ApiClient; 2],
) -> anyhow::Result<u64> {
    let mut retries = 0;
    for ask in std::mem::take(&mut book.unsettled) {
        let began = Instant::now();
        loop {
            let (request, repeated) = (book.request(ask), book.is_done(ask));
            let answers = tokio::join!(one.exchange(&request), other.exchange(&request));
            for answer in [answers.0, answers.1] {
                let answer = answer.map_err(|lost| anyhow!("settling: {}", lost.0))?;
                retries += 1;
                book.answered(ask, &answer, repeated);
            }
            let is_settled = !book.unsettled.contains(&ask);
            if is_settled || began.elapsed() > STUCK_AFTER {
                book.unsettled.remove(&ask);
                let detail = book.asks.get(ask).filter(|_| !is_settled);
                let detail = detail.map(|ask| format!("{ask:?}")).unwrap_or_default();
                book.verdict.check(Promised::KeyIsNotStuck, is_settled, || detail);
                break;
            }
            time::sleep(RETRY_PAUSE).await;
        }
    }
    Ok(retries)
}
