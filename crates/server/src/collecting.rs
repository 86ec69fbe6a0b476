//! Payments: over the store and the providers that there are.

use std::sync::Arc;

use anyhow::Context;
use api::Clock;
use dispatch::Collecting;
use kernel::AccountId;
use outbound::{Collectors, SandboxNews, collect};
use payments::{Credentials, Gateway, Gateways, ProviderKind, sandbox::Sandbox};
use store::Store;

/// Gives each account its payment providers.
struct Providers {
    store: Arc<Store>,
    outside: Collectors,
}

impl Gateways for Providers {
    fn gateway(
        &self,
        account: AccountId,
        kind: ProviderKind,
        credentials: Option<&Credentials>,
    ) -> Result<Arc<dyn Gateway>, String> {
        match kind {
            ProviderKind::Sandbox => {
                let secret = credentials.and_then(|known| known.notification_secret.clone());
                Ok(Arc::new(Sandbox::new(account, self.store.clone(), secret)))
            }
            ProviderKind::Manual => Err("the merchant is not called".to_owned()),
            ProviderKind::Stripe | ProviderKind::Conekta | ProviderKind::MercadoPago => {
                self.outside.gateway(kind, credentials)
            }
        }
    }
}

/// Payments on record in the store, and who carries the notifications of the sandbox.
pub(crate) fn collecting(
    settings: &collect::Settings,
    store: &Arc<Store>,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<(Collecting, SandboxNews)> {
    let client = "cannot set up the client for payment providers";
    let news = SandboxNews::new().context(client)?;
    let outside = Collectors::new(settings).context(client)?;
    let providers = Arc::new(Providers { store: store.clone(), outside });
    let teller = Arc::new(news.clone());
    Ok((Collecting::new(store.clone(), providers, store.clone(), teller, clock), news))
}
