//! What the account panel works with.

use std::{sync::Arc, time::Duration};

use panel::{Services, Settings};
use store::Store;

use crate::{keys, printing::Press, test_accounts::Opener, working::Working};

/// Requests per minute of one session: more than anybody clicks, fewer than a program makes.
const SESSION_RATE: u32 = 600;
/// A page waits for nothing but the database.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);

/// How the panel behaves beside an API of these settings.
pub(crate) fn settings(api: &api::Settings, is_encrypted: bool) -> Settings {
    Settings {
        brand: api.brand.clone(),
        public_url: api.public_url.clone(),
        is_encrypted,
        trusted_proxies: api.trusted_proxies.clone(),
        session_rate_per_minute: SESSION_RATE,
        visitor_rate_per_minute: api.ip_rate_per_minute,
        request_timeout: REQUEST_TIMEOUT.max(api.request_timeout),
    }
}

/// The services that the panel offers.
pub(crate) fn services(store: &Arc<Store>, working: &Working, brand: &str) -> Services {
    Services {
        people: store.clone(),
        team: store.clone(),
        api_keys: store.clone(),
        audit: store.clone(),
        key_maker: keys::maker(brand),
        test_accounts: Arc::new(Opener::new(store.clone())),
        issuers: store.clone(),
        orders: store.clone(),
        customers: store.clone(),
        products: store.clone(),
        inventory: store.clone(),
        packing_printer: Arc::new(Press),
        collector: working.collector(),
        changing_gate: store.clone(),
        webhooks: store.clone(),
    }
}
