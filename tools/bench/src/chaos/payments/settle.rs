//! After the restart: every request whose answer was lost is sent again with its key, twice at once; then the provider
//! is asked about every payment that was touched, as somebody would who has waited long enough.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use tokio::{task::JoinSet, time};

use super::book::Book;
use super::promise::Money;
use crate::http::Request;
use crate::service::{Answer, ApiClient};

/// A key that is in use for longer after a restart is in use for ever: claims of the dead server have run out long before.
const STUCK_AFTER: Duration = Duration::from_secs(90);
/// Longer than the API lets anybody wait for a provider.
const PATIENCE: Duration = Duration::from_secs(70);
const RETRY_PAUSE: Duration = Duration::from_millis(20);

/// Retries until nothing is unsettled, all at the same time; how many requests that took.
pub(super) async fn settle(book: &mut Book, client: impl Fn() -> ApiClient) -> anyhow::Result<u64> {
    let mut retries = 0;
    let began = Instant::now();
    loop {
        let mut sending = JoinSet::new();
        for ask in std::mem::take(&mut book.unsettled) {
            let (request, repeated) = (book.request(ask), book.is_done(ask));
            let [mut one, mut other] = [client(), client()].map(|client| client.waiting(PATIENCE));
            sending.spawn(async move {
                let answers = tokio::join!(one.exchange(&request), other.exchange(&request));
                (ask, repeated, [answers.0, answers.1])
            });
        }
        if sending.is_empty() {
            return Ok(retries);
        }
        while let Some(sent) = sending.join_next().await {
            let (ask, repeated, answers) = sent?;
            retries += 2;
            for answer in answers {
                let answer = answer.map_err(|lost| anyhow!("settling: {}", lost.0))?;
                book.answered(ask, &answer, repeated);
            }
            let settled = !book.unsettled.contains(&ask);
            if settled || began.elapsed() > STUCK_AFTER {
                book.unsettled.remove(&ask);
                let detail = book.asks.get(ask).filter(|_| !settled).map(|ask| format!("{ask:?}"));
                book.verdict.check(Money::KeyIsNotStuck, settled, || detail.unwrap_or_default());
            }
        }
        time::sleep(RETRY_PAUSE).await;
    }
}

/// Has the provider asked about every payment that was touched.
pub(super) async fn ask_provider(book: &mut Book, client: &mut ApiClient) -> anyhow::Result<()> {
    for id in book.touched_payments() {
        let path = format!("/api/v1/payments/{id}/sync");
        let request =
            Request { method: "POST", ..Request::get(&path, Some(&book.api_key)) }.render();
        let answer = exchange(client, &request).await?;
        let expected = answer.status == 200;
        book.verdict.check(Money::ExpectedAnswer, expected, || {
            format!("sync of {id}: {}", answer.excerpt())
        });
        if expected {
            book.note_payment(&answer.json());
        }
    }
    Ok(())
}

async fn exchange(client: &mut ApiClient, request: &[u8]) -> anyhow::Result<Answer> {
    client.exchange(request).await.map_err(|lost| anyhow!("after a restart: {}", lost.0))
}
