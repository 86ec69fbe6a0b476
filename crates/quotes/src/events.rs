//! What quotes tell subscribers.

use kernel::{Amount, Currency, NewEvent};
use serde::Serialize;

use crate::{CustomerId, Question, Quote, QuoteId};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Offered {
    id: QuoteId,
    number: String,
    revision: u32,
    customer_id: CustomerId,
    total: Amount,
    currency: Currency,
}

fn offered(name: &'static str, quote: &Quote) -> NewEvent {
    let data = Offered {
        id: quote.id,
        number: quote.number_text(),
        revision: quote.revision,
        customer_id: quote.customer,
        total: quote.offered.total,
        currency: quote.offered.currency,
    };
    NewEvent::new(name, quote.id, &data)
}

/// `quote.sent`.
pub(crate) fn sent(quote: &Quote) -> NewEvent {
    offered("quote.sent", quote)
}

/// `quote.accepted`.
pub(crate) fn accepted(quote: &Quote) -> NewEvent {
    offered("quote.accepted", quote)
}

/// `quote.rejected`.
pub(crate) fn rejected(quote: &Quote) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        id: QuoteId,
        number: String,
        reason: &'a str,
    }
    let reason = quote.reject_reason.as_deref().unwrap_or_default();
    let data = Data { id: quote.id, number: quote.number_text(), reason };
    NewEvent::new("quote.rejected", quote.id, &data)
}

/// `quote.expired`.
pub(crate) fn expired(quote: &Quote) -> NewEvent {
    #[derive(Serialize)]
    struct Data {
        id: QuoteId,
        number: String,
    }
    NewEvent::new("quote.expired", quote.id, &Data { id: quote.id, number: quote.number_text() })
}

/// `quote.question_asked`.
#[must_use]
pub fn question(quote: &Quote, question: &Question) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        id: QuoteId,
        number: String,
        question: &'a str,
        name: &'a str,
        email: &'a str,
    }
    let data = Data {
        id: quote.id,
        number: quote.number_text(),
        question: &question.text,
        name: question.name.as_deref().unwrap_or_default(),
        email: question.email.as_deref().unwrap_or_default(),
    };
    NewEvent::new("quote.question_asked", quote.id, &data)
}
