//! Where the providers are and how long they may take.

use std::{path::PathBuf, time::Duration};

/// Stripe.
pub const STRIPE: &str = "https://api.stripe.com";

/// Conekta.
pub const CONEKTA: &str = "https://api.conekta.io";
/// Mercado Pago.
pub const MERCADO_PAGO: &str = "https://api.mercadopago.com";

/// Where the providers are and how long they may take. An address is `https`, or `http` on this machine, and is followed by
/// the paths that the provider documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Stripe: [`STRIPE`], for tests and for production.
    pub stripe_url: String,
    /// Conekta: [`CONEKTA`], for tests and for production.
    pub conekta_url: String,
    /// Mercado Pago: [`MERCADO_PAGO`], for tests and for production.
    pub mercadopago_url: String,
    /// Where the service is reached from outside, for providers that are told with each payment where to tell of it.
    pub public_url: Option<String>,
    /// Timeout for one use of a provider, including all the calls it needs.
    pub timeout: Duration,
    /// A PEM file of certificate authorities to trust besides those of Mozilla's list, which are compiled in.
    pub ca_file: Option<PathBuf>,
}

impl Default for Settings {
    /// The services of production, 12 seconds: whoever asked for a payment is answered after 15. No further authorities.
    fn default() -> Self {
        Self {
            stripe_url: STRIPE.to_owned(),
            conekta_url: CONEKTA.to_owned(),
            mercadopago_url: MERCADO_PAGO.to_owned(),
            public_url: None,
            timeout: Duration::from_secs(12),
            ca_file: None,
        }
    }
}
