//! What the account panel works with.

use std::{sync::Arc, time::Duration};

use api::Api;
use panel::{Services, Settings};
use store::Store;

use crate::{approving, keys, printing::Press, test_accounts::Opener, working::Working};

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
        reach: api.reach,
        // Who may ask as often as that without a session is not held up by having one.
        session_rate_per_minute: SESSION_RATE.max(api.ip_rate_per_minute),
        visitor_rate_per_minute: api.ip_rate_per_minute,
        request_timeout: REQUEST_TIMEOUT.max(api.request_timeout),
    }
}

/// The services that the panel offers beside this API.
pub(crate) fn services(store: &Arc<Store>, working: &Working, brand: &str, api: &Api) -> Services {
    Services {
        people: store.clone(),
        team: store.clone(),
        saved_views: store.clone(),
        to_do: store.clone(),
        mails: working.mails(),
        parked_forms: store.clone(),
        form_results: store.clone(),
        api_keys: store.clone(),
        audit: store.clone(),
        request_log: store.clone(),
        key_maker: keys::maker(brand),
        test_accounts: Arc::new(Opener::new(store.clone())),
        invoices: store.clone(),
        certifier: working.certifier(),
        cancelling_gate: store.clone(),
        printer: Arc::new(Press),
        emails: working.emails(),
        branches: store.clone(),
        issuers: store.clone(),
        orders: store.clone(),
        customers: store.clone(),
        customer_groups: store.clone(),
        products: store.clone(),
        price_lists: store.clone(),
        categories: store.clone(),
        inventory: store.clone(),
        adjusting_gate: store.clone(),
        counting_gate: store.clone(),
        dispatching_gate: store.clone(),
        imports: store.clone(),
        import_files: working.import_files(),
        uploads: store.clone(),
        leads: store.clone(),
        deals: store.clone(),
        activities: store.clone(),
        pipelines: store.clone(),
        quotes: store.clone(),
        quoting_gate: store.clone(),
        quote_printer: Arc::new(Press),
        payments: store.clone(),
        packing_printer: Arc::new(Press),
        collector: working.collector(),
        refunding_gate: store.clone(),
        links: store.clone(),
        payment_links: store.clone(),
        returning_gate: store.clone(),
        approval_rules: store.clone(),
        approvals: approving::desk(store),
        placing_gate: store.clone(),
        changing_gate: store.clone(),
        webhooks: store.clone(),
        jobs: store.clone(),
        exports: store.clone(),
        files: store.clone(),
        bulk: store.clone(),
        credits: store.clone(),
        presence: api.presence(),
    }
}
