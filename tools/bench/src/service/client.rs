//! The API for what is not measured: one request at a time, answers owned.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{anyhow, ensure};
use serde_json::Value;
use tokio::time;

use super::waits::Waits;
use crate::http::{Connection, Lost, Request};

/// Longer than any answer of a server that is well.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);

/// An answer that outlives its connection.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) replayed: bool,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The body as JSON; null when it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The code of an error answer, empty when there is none.
    pub(crate) fn error_code(&self) -> String {
        text_field(&self.json(), "error")
    }

    /// Status and the start of the body, for messages.
    pub(crate) fn excerpt(&self) -> String {
        let body = String::from_utf8_lossy(&self.body);
        format!("{} {}", self.status, body.chars().take(300).collect::<String>())
    }

    /// Whether a proxy speaks for a node that does not answer. What the service says is JSON.
    fn is_of_a_proxy(&self) -> bool {
        matches!(self.status, 502..=504) && !self.body.starts_with(b"{")
    }
}

/// A text field of a JSON object, empty when it is not there.
pub(crate) fn text_field(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Speaks to one server with one key.
#[derive(Debug)]
pub(crate) struct ApiClient {
    address: SocketAddr,
    api_key: String,
    connection: Option<Connection>,
    patience: Duration,
    waits: Option<Arc<Waits>>,
}

impl ApiClient {
    pub(crate) fn new(address: SocketAddr, api_key: &str) -> Self {
        let (api_key, patience) = (api_key.to_owned(), ANSWER_TIMEOUT);
        Self { address, api_key, connection: None, patience, waits: None }
    }

    /// The same, for answers that may take so long.
    pub(crate) fn waiting(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// The same, which counts what it waits for.
    pub(crate) fn watched(self, waits: &Arc<Waits>) -> Self {
        Self { waits: Some(Arc::clone(waits)), ..self }
    }

    /// Sends a rendered request once. An error means that its effect is not known.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Result<Answer, Lost> {
        let began = Instant::now();
        let outcome = self.exchange_unwatched(request).await;
        if let Some(waits) = &self.waits {
            let failed = !outcome.as_ref().is_ok_and(|answer| answer.status < 500);
            waits.record(began.elapsed(), failed);
        }
        outcome
    }

    async fn exchange_unwatched(&mut self, request: &[u8]) -> Result<Answer, Lost> {
        let mut connection = match self.connection.take() {
            Some(open) => open,
            None => Connection::open(self.address).await?,
        };
        let exchange = time::timeout(self.patience, connection.exchange(request)).await;
        let response =
            exchange.map_err(|_| Lost(format!("no answer in {:?}", self.patience)))??;
        let answer = Answer {
            status: response.status,
            replayed: response.replayed,
            body: response.body.to_vec(),
        };
        if !connection.closes() {
            self.connection = Some(connection);
        }
        if answer.is_of_a_proxy() {
            return Err(Lost(format!("the proxy answered {}", answer.status)));
        }
        Ok(answer)
    }

    /// Reads a resource that must be there.
    pub(crate) async fn get(&mut self, path: &str) -> anyhow::Result<Value> {
        let request = Request::get(path, Some(&self.api_key)).render();
        let answer = self.exchange(&request).await.map_err(|lost| anyhow!("{path}: {}", lost.0))?;
        ensure!(answer.status == 200, "GET {path}: {}", answer.excerpt());
        Ok(answer.json())
    }

    /// Makes a resource; its id.
    pub(crate) async fn create(&mut self, path: &str, body: &str) -> anyhow::Result<String> {
        Ok(text_field(&self.create_whole(path, body).await?, "id"))
    }

    /// Makes a resource; all that the answer says of it, which has an id.
    pub(crate) async fn create_whole(&mut self, path: &str, body: &str) -> anyhow::Result<Value> {
        let request = Request::with_body("POST", path, &self.api_key, body).render();
        let answer = self.exchange(&request).await.map_err(|lost| anyhow!("{path}: {}", lost.0))?;
        let made = answer.json();
        let has_id = !text_field(&made, "id").is_empty();
        ensure!(answer.status == 201 && has_id, "POST {path}: {}", answer.excerpt());
        Ok(made)
    }

    /// Sets something up.
    pub(crate) async fn put(&mut self, path: &str, body: &str) -> anyhow::Result<()> {
        let request = Request::with_body("PUT", path, &self.api_key, body).render();
        let answer = self.exchange(&request).await.map_err(|lost| anyhow!("{path}: {}", lost.0))?;
        ensure!(answer.status == 200, "PUT {path}: {}", answer.excerpt());
        Ok(())
    }

    /// Removes a resource that is there.
    pub(crate) async fn delete(&mut self, path: &str) -> anyhow::Result<()> {
        let mut request = Request::get(path, Some(&self.api_key));
        request.method = "DELETE";
        let answer = self.exchange(&request.render()).await;
        let answer = answer.map_err(|lost| anyhow!("{path}: {}", lost.0))?;
        ensure!(matches!(answer.status, 200 | 204), "DELETE {path}: {}", answer.excerpt());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_told_from_the_service_behind_it() {
        let answer = |status, body: &str| Answer { status, replayed: false, body: body.into() };
        assert!(answer(502, "<html><body>").is_of_a_proxy());
        assert!(answer(504, "").is_of_a_proxy());
        assert!(!answer(503, r#"{"statusCode":503}"#).is_of_a_proxy());
        assert!(!answer(500, "<html>").is_of_a_proxy() && !answer(200, "").is_of_a_proxy());
    }
}
