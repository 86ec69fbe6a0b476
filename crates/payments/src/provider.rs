//! Through whom payments are made, and what each provider can do.

use std::fmt;

use kernel::{Amount, Currency, Mode, Timestamp};

use crate::{InstallmentPlan, Method, payment::named};

named! {
    /// A payment provider.
    ProviderKind {
        /// The merchant, who takes the money and records it.
        Manual = "manual",
        /// The embedded one, for trying out: no money moves.
        Sandbox = "sandbox",
        /// Stripe.
        Stripe = "stripe",
        /// Conekta.
        Conekta = "conekta",
        /// Mercado Pago.
        MercadoPago = "mercadopago",
    }
}

/// What an account calls a provider with, and what it checks notifications with. Debug output tells no secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The secret key or access token.
    pub key: String,
    /// The secret that notifications are signed with.
    pub notification_secret: Option<String>,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(..)")
    }
}

/// A provider as an account has set it up. Its credentials are kept apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderAccount {
    /// Which.
    pub kind: ProviderKind,
    /// Whether payments that name none are made through it.
    pub is_default: bool,
    /// The last four characters of its key, for show.
    pub key_end: Option<String>,
    /// The installments that the account offers there, the fewest months first; the documented ones if absent.
    pub installments: Option<Vec<InstallmentPlan>>,
    /// When it was set up.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}

impl ProviderAccount {
    /// The version of one that is not set up.
    pub const NOT_SET_UP: i64 = 0;
}

/// What of a payment a provider gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refunding {
    /// Nothing: the merchant has to do it.
    None,
    /// All of it or nothing.
    Full,
    /// Any part.
    Partial,
}

/// What a provider can do with a method in a currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The least amount.
    pub min: Amount,
    /// The largest amount.
    pub max: Amount,
    /// Whether money can be authorized first and captured later.
    pub captures_later: bool,
    /// What it gives back.
    pub refunding: Refunding,
    /// For how many days it gives back, if there is an end.
    pub refund_days: Option<i64>,
    /// How many seconds the payer has if nothing else is said, where there is an end.
    pub expiry_seconds: Option<i64>,
    /// For how many seconds a repeated call with the same key is known; 0 where keys are not.
    pub key_seconds: i64,
}

/// The methods by which the merchant takes money and records it.
pub const MANUAL_METHODS: &[Method] =
    &[Method::Cash, Method::Transfer, Method::Check, Method::Card, Method::Wallet, Method::Other];

/// The largest amount of a payment.
pub const AMOUNT_MAX: Amount = Amount::MAX;

impl ProviderKind {
    /// What it can do with a method in a currency; `None` where it cannot be paid so.
    #[must_use]
    pub fn capabilities(self, method: Method, currency: Currency) -> Option<Capabilities> {
        match self {
            Self::Manual => manual(method, currency),
            Self::Sandbox => crate::sandbox::capabilities(method, currency),
            Self::Stripe => crate::network::stripe(method, currency),
            Self::MercadoPago => crate::network::mercado_pago(method, currency),
            Self::Conekta => crate::network::conekta(method, currency),
        }
    }

    /// Whether it is called over the network, under credentials that the account must have given.
    #[must_use]
    pub const fn needs_credentials(self) -> bool {
        !matches!(self, Self::Manual | Self::Sandbox)
    }
}

/// What a provider must know of who pays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PayerNeeds {
    pub name: bool,
    pub email: bool,
    pub phone: bool,
}

impl ProviderKind {
    /// What it must know of who pays by a method.
    #[must_use]
    pub const fn payer_needs(self, method: Method) -> PayerNeeds {
        let (name, email, phone) = match (self, method) {
            (Self::Conekta, _) => (true, true, true),
            (Self::Stripe | Self::Sandbox, Method::Oxxo) => (true, true, false),
            (Self::MercadoPago, Method::Oxxo | Method::Spei) => (false, true, false),
            _ => (false, false, false),
        };
        PayerNeeds { name, email, phone }
    }
}

/// Why there is nobody to make a payment through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoProvider {
    /// The account has not set this one up.
    NotConfigured(ProviderKind),
    /// None is named, and the account has no default one.
    NoDefault,
    /// The sandbox moves no money, and is for test accounts alone.
    SandboxInLive,
}

/// Whether the merchant takes the money: because they say so, or because nobody else takes it in this way.
#[must_use]
pub fn is_in_hand(named: Option<ProviderKind>, method: Method) -> bool {
    match named {
        Some(kind) => kind == ProviderKind::Manual,
        None => method != Method::Card && MANUAL_METHODS.contains(&method),
    }
}

/// Through whom a payment is made: the provider that is named, else the merchant for what they take in their own hands, else
/// the account's default one; in test accounts the sandbox if there is none.
///
/// # Errors
/// [`NoProvider`].
pub fn choose(
    mode: Mode,
    named: Option<ProviderKind>,
    method: Method,
    accounts: &[ProviderAccount],
) -> Result<ProviderKind, NoProvider> {
    let default = accounts.iter().find(|account| account.is_default).map(|account| account.kind);
    let kind = match (named, default) {
        (Some(kind), _) => kind,
        (None, _) if is_in_hand(None, method) => ProviderKind::Manual,
        (None, Some(kind)) => kind,
        (None, None) if mode == Mode::Test => ProviderKind::Sandbox,
        (None, None) => return Err(NoProvider::NoDefault),
    };
    if kind == ProviderKind::Sandbox && mode == Mode::Live {
        return Err(NoProvider::SandboxInLive);
    }
    let is_set_up = || accounts.iter().any(|account| account.kind == kind);
    match kind.needs_credentials() && !is_set_up() {
        true => Err(NoProvider::NotConfigured(kind)),
        false => Ok(kind),
    }
}

/// The least amount that can be stated in a currency.
pub(crate) fn least(currency: Currency) -> Amount {
    Amount::from_micros(10_i64.pow(6_u32.saturating_sub(currency.decimals())))
}

fn manual(method: Method, currency: Currency) -> Option<Capabilities> {
    MANUAL_METHODS.contains(&method).then_some(Capabilities {
        min: least(currency),
        max: AMOUNT_MAX,
        captures_later: false,
        refunding: Refunding::Partial,
        refund_days: None,
        expiry_seconds: None,
        key_seconds: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn through_whom_payments_are_made() {
        use ProviderKind::{Manual, Sandbox, Stripe};
        let set_up = |kind, is_default| {
            let at = Timestamp::from_micros(0);
            ProviderAccount {
                kind,
                is_default,
                key_end: None,
                installments: None,
                created_at: at,
                updated_at: at,
                version: 1,
            }
        };
        let stripe = [set_up(Stripe, true)];
        for (mode, named, method, accounts, expected) in [
            (Mode::Test, None, Method::Card, &[][..], Ok(Sandbox)),
            (Mode::Test, None, Method::Cash, &[], Ok(Manual)),
            (Mode::Live, None, Method::Cash, &[], Ok(Manual)),
            (Mode::Live, Some(Manual), Method::Card, &[], Ok(Manual)),
            (Mode::Live, None, Method::Card, &[], Err(NoProvider::NoDefault)),
            (Mode::Live, None, Method::Card, &stripe, Ok(Stripe)),
            (Mode::Live, Some(Sandbox), Method::Card, &stripe, Err(NoProvider::SandboxInLive)),
            (Mode::Test, Some(Sandbox), Method::Card, &stripe, Ok(Sandbox)),
            (Mode::Test, Some(Stripe), Method::Card, &[], Err(NoProvider::NotConfigured(Stripe))),
        ] {
            assert_eq!(choose(mode, named, method, accounts), expected, "{named:?} {method:?}");
        }
    }
}
