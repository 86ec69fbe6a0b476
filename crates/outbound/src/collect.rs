//! Payment providers over the network: who takes the money and gives it back.
//!
//! A payment is asked for once, whatever fails on the way. So the end of every call that is to have an effect is told as
//! one of these:
//!
//! | seen | told as |
//! |---|---|
//! | the object that was asked for | what it shows |
//! | a refusal of the payer's means, as the provider documents it | `Declined` |
//! | any other refusal (4xx) in the provider's own words | `Rejected` |
//! | no name, no connection, no TLS: nothing was sent | `Unreachable` |
//! | HTTP 401, 403 | `Config` |
//! | HTTP 429 | `RateLimited` |
//! | HTTP 3xx (none is followed), 408, 409, 423, 5xx, time-out, cut connection, half an answer, no JSON, an error that is not the provider's | `Unknown` |
//! | the stored failure of an earlier attempt, a key that came with other words | `Stuck` |
//!
//! What is asked before that (the number of a payment, a customer to be made) has no effect on money: when it fails, the call
//! itself was never made, and that is told as not taken.
//!
//! The addresses are the operator's own, so no [`Guard`](crate::Guard) checks them. They must be `https`, unless they name
//! this machine. No redirect is followed and no proxy of the environment is used.

mod conekta;
mod hex;
mod http;
mod json;
mod mercadopago;
mod money;
mod settings;
mod stripe;

use std::sync::Arc;

use kernel::reason::Reason;
use payments::{Credentials, Gateway, ProviderKind, gateway::Asked};

pub use settings::{CONEKTA, MERCADO_PAGO, STRIPE, Settings};

use crate::{SetupError, pac};
use conekta::Conekta;
use http::Http;
use mercadopago::MercadoPago;
use stripe::Stripe;

/// The payment providers; cheap to clone. One client holds the connections to all.
///
/// Its futures must be polled within a Tokio runtime that has I/O and time enabled, and the same one for all.
#[derive(Clone)]
pub struct Collectors(Arc<Shared>);

/// What all accounts share.
struct Shared {
    http: Http,
    stripe_url: String,
    conekta_url: String,
    mercadopago_url: String,
    /// Where the service is reached from outside, if it says so.
    public_url: Option<String>,
}

impl Shared {
    /// Where a provider is to tell of a payment.
    fn hook(&self, provider: &str, asked: &Asked) -> Option<String> {
        let base = self.public_url.as_deref()?.trim_end_matches('/');
        let (account, payment) = (asked.account, asked.payment.id);
        Some(format!("{base}/api/v1/hooks/payments/{provider}/{account}?payment={payment}"))
    }
}

impl Collectors {
    /// Providers at the addresses of `settings`.
    ///
    /// # Errors
    /// When an address or the certificate authorities cannot be used.
    pub fn new(settings: &Settings) -> Result<Self, SetupError> {
        Ok(Self(Arc::new(Shared {
            http: Http::new(settings)?,
            stripe_url: pac::base("stripe_url", &settings.stripe_url)?,
            conekta_url: pac::base("conekta_url", &settings.conekta_url)?,
            mercadopago_url: pac::base("mercadopago_url", &settings.mercadopago_url)?,
            public_url: settings.public_url.clone(),
        })))
    }

    /// The provider as it is called with an account's credentials.
    ///
    /// # Errors
    /// Why there is none, as a clause.
    pub fn gateway(
        &self,
        kind: ProviderKind,
        credentials: Option<&Credentials>,
    ) -> Result<Arc<dyn Gateway>, String> {
        let shared = Arc::clone(&self.0);
        let credentials = credentials.ok_or_else(|| Reason::CredentialsMissing.alone())?;
        match kind {
            ProviderKind::Stripe => Ok(Arc::new(Stripe::new(shared, credentials)?)),
            ProviderKind::MercadoPago => Ok(Arc::new(MercadoPago::new(shared, credentials)?)),
            ProviderKind::Conekta => Ok(Arc::new(Conekta::new(shared, credentials)?)),
            ProviderKind::Manual | ProviderKind::Sandbox => {
                Err(Reason::NotOverNetwork.kept(kind.name()))
            }
        }
    }
}
