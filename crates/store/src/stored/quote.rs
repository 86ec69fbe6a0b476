//! Quotes.

use kernel::{Amount, Currency, Metadata, Timestamp};
use orders::{Item, OrderDiscount, Shipping};
use quotes::{Acceptance, Offered, Problem, ProblemCode, Quote, SendQuote, Via, Zone};
use serde::{Deserialize, Serialize};

use super::{
    forms::{Each, Form, Maybe, forms},
    order::{ItemForm, OrderDiscountForm, ShippingForm},
};

forms!(SendQuoteForm of SendQuote);

/// What of a quote is in no column of its own.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct QuoteDetails {
    pub(crate) title: Option<String>,
    pub(crate) notes: Option<String>,
    pub(crate) offered: KeptOffer,
    #[serde(with = "ZoneForm")]
    pub(crate) zone: Zone,
    pub(crate) wants_link: bool,
    pub(crate) metadata: Metadata,
    pub(crate) sent_at: Option<Timestamp>,
    accepted: Option<KeptAcceptance>,
    pub(crate) rejected_at: Option<Timestamp>,
    pub(crate) reject_reason: Option<String>,
    problem: Option<KeptProblem>,
}

/// What is offered.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct KeptOffer {
    #[serde(with = "Each::<ItemForm>")]
    items: Vec<Item>,
    subtotal: Option<Amount>,
    #[serde(with = "Maybe::<OrderDiscountForm>")]
    discount: Option<OrderDiscount>,
    #[serde(with = "Maybe::<ShippingForm>")]
    shipping: Option<Shipping>,
    tax_total: Amount,
    total: Amount,
    currency: Currency,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Zone", rename_all = "snake_case")]
enum ZoneForm {
    Central,
    CentralBorder,
    Pacific,
    Northwest,
    Southeast,
}

#[derive(Clone, Serialize, Deserialize)]
struct KeptAcceptance {
    at: Timestamp,
    #[serde(with = "ViaForm")]
    via: Via,
    name: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Via", rename_all = "snake_case")]
enum ViaForm {
    Customer,
    Merchant,
}

#[derive(Clone, Serialize, Deserialize)]
struct KeptProblem {
    #[serde(with = "ProblemCodeForm")]
    code: ProblemCode,
    english: String,
    spanish: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ProblemCode", rename_all = "snake_case")]
enum ProblemCodeForm {
    InsufficientStock,
    NotForSale,
    NoPaymentLink,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SendQuote")]
pub(super) struct SendQuoteForm {
    id: quotes::QuoteId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<i64>,
}

impl QuoteDetails {
    pub(crate) fn of(quote: &Quote) -> Self {
        let accepted = quote.acceptance.clone();
        let accepted =
            accepted.map(|Acceptance { at, via, name }| KeptAcceptance { at, via, name });
        let problem = quote.problem.clone();
        let problem = problem.map(|Problem { code, english, spanish }| KeptProblem {
            code,
            english,
            spanish,
        });
        Self {
            title: quote.title.clone(),
            notes: quote.notes.clone(),
            offered: quote.offered.clone().into(),
            zone: quote.zone,
            wants_link: quote.wants_link,
            metadata: quote.metadata.clone(),
            sent_at: quote.sent_at,
            accepted,
            rejected_at: quote.rejected_at,
            reject_reason: quote.reject_reason.clone(),
            problem,
        }
    }

    pub(crate) fn acceptance(&self) -> Option<Acceptance> {
        let kept = self.accepted.clone()?;
        Some(Acceptance { at: kept.at, via: kept.via, name: kept.name })
    }

    pub(crate) fn problem(&self) -> Option<Problem> {
        let kept = self.problem.clone()?;
        Some(Problem { code: kept.code, english: kept.english, spanish: kept.spanish })
    }
}

impl From<Offered> for KeptOffer {
    fn from(offered: Offered) -> Self {
        let Offered { items, subtotal, discount, shipping, tax_total, total, currency } = offered;
        Self { items, subtotal, discount, shipping, tax_total, total, currency }
    }
}

impl From<KeptOffer> for Offered {
    fn from(kept: KeptOffer) -> Self {
        let KeptOffer { items, subtotal, discount, shipping, tax_total, total, currency } = kept;
        Self { items, subtotal, discount, shipping, tax_total, total, currency }
    }
}
