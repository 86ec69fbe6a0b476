//! What is paid, as the pages show it.

use cfdi::{catalogs::zones::Zone, decimal::digits};
use kernel::{Amount, Currency, Language, Timestamp};
use pages::{Bill, Money, PayMethod};
use payments::{LinkStatus, Method, ProviderKind, link::Offer};
use time::PrimitiveDateTime;

use super::Holding;
use crate::{call::Call, error::ApiError, linked::merchant};

/// Who is paid, and whether no money moves.
pub(super) struct Payee {
    pub(super) name: String,
    is_test: bool,
}

impl Payee {
    pub(super) async fn of(call: &Call<()>, holding: &Holding) -> Result<Self, ApiError> {
        let (name, is_test) = merchant(call, holding.account).await?;
        Ok(Self { name, is_test })
    }

    /// The bill for an offer.
    pub(super) fn bill<'a>(
        &'a self,
        offer: &'a Offer,
        amount: Option<Amount>,
        language: Language,
    ) -> Bill<'a> {
        Bill {
            language,
            sandbox: self.is_test || offer.link.provider == Some(ProviderKind::Sandbox),
            merchant: &self.name,
            title: &offer.link.title,
            description: offer.link.description.as_deref(),
            order_number: offer.order_number.as_deref(),
            amount: amount.map(|amount| money(amount, offer.link.currency)),
        }
    }
}

pub(super) fn money(amount: Amount, currency: Currency) -> Money {
    Money { digits: digits(amount, currency.decimals()), currency: currency.code().to_owned() }
}

/// A moment as clocks in Mexico City show it.
pub(super) fn local(at: Timestamp) -> PrimitiveDateTime {
    Zone::Central.local(at)
}

pub(super) const fn pay_method(method: Method) -> PayMethod {
    match method {
        Method::Spei => PayMethod::Spei,
        Method::Oxxo => PayMethod::Oxxo,
        _ => PayMethod::Card,
    }
}

/// Whether an offer can be taken up now.
pub(super) fn is_open(offer: &Offer, now: Timestamp) -> bool {
    let is_due = offer.amount != Some(Amount::ZERO);
    offer.link.status(now) == LinkStatus::Active
        && offer.link.has_slot()
        && is_due
        && !offer.methods.is_empty()
}
