//! What is paid, as the pages show it.

use cfdi::{catalogs::zones::Zone, decimal::digits};
use kernel::{Amount, Currency, Language, Timestamp};
use pages::{Bill, Money, PayMethod};
use payments::{
    LinkStatus, Method, ProviderKind,
    link::{Offer, Shut},
};
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
            invoice: offer.invoice.as_ref().map(|it| (it.number.as_str(), it.receiver.as_str())),
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

/// Why nothing can be chosen, if so.
pub(super) fn shut(offer: &Offer, now: Timestamp) -> Option<Shut> {
    match offer.link.status(now) {
        LinkStatus::Active if offer.is_settled => Some(Shut::Closed(LinkStatus::Completed)),
        LinkStatus::Active if !offer.link.has_slot() => Some(Shut::Busy),
        // All that is due is being paid.
        LinkStatus::Active if offer.amount == Some(Amount::ZERO) => Some(Shut::Busy),
        LinkStatus::Active if offer.methods.is_empty() => Some(Shut::NotOffered),
        LinkStatus::Active => None,
        closed => Some(Shut::Closed(closed)),
    }
}
