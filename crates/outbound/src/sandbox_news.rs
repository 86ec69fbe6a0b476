//! Carries the notifications of the payment sandbox: to this very service, as a provider would from outside.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use payments::{
    Calling,
    sandbox::{News, SIGNATURE_HEADER, Teller},
};
use reqwest::{Url, header::CONTENT_TYPE, redirect};

use crate::{SetupError, tls};

/// How long one may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Carries notifications to the service at an address that is known once it listens; cheap to clone.
#[derive(Clone)]
pub struct SandboxNews(Arc<Inner>);

struct Inner {
    client: reqwest::Client,
    base: OnceLock<Url>,
}

impl SandboxNews {
    /// Knows no address yet.
    ///
    /// # Errors
    /// When no client can be made.
    pub fn new() -> Result<Self, SetupError> {
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls::config(None)?)
            .no_proxy()
            .redirect(redirect::Policy::none())
            .timeout(TIMEOUT)
            .build()
            .map_err(|error| SetupError::Http(Box::new(error)))?;
        Ok(Self(Arc::new(Inner { client, base: OnceLock::new() })))
    }

    /// The service listens here. Only the first address counts.
    pub fn listens_at(&self, base: &str) {
        if let Ok(url) = Url::parse(base) {
            let _: Result<(), Url> = self.0.base.set(url);
        }
    }
}

impl Teller for SandboxNews {
    fn tell(&self, news: News) -> Calling<Result<(), String>> {
        let inner = Arc::clone(&self.0);
        Box::pin(async move {
            let base = inner.base.get().ok_or("no address of the service is known")?;
            let mut url = base.clone();
            url.set_path(&format!("/api/v1/hooks/payments/sandbox/{}", news.account));
            let sent = inner
                .client
                .post(url)
                .header(CONTENT_TYPE, "application/json")
                .header(SIGNATURE_HEADER, news.signature)
                .body(news.body)
                .send()
                .await;
            match sent {
                Ok(answer) if answer.status().is_success() => Ok(()),
                Ok(answer) => Err(format!("the service answered {}", answer.status())),
                Err(error) => Err(error.without_url().to_string()),
            }
        })
    }
}
