//! `/crm/quotes`: what customers are offered, until it becomes an order.

mod body;
mod examples;
mod forms;
mod printed;

use accounts::Scope;
use actix_web::http::header::CONTENT_LANGUAGE;
use intake::SentBack;
use kernel::{Done, PageRequest, Timestamp};
use quotes::{
    AcceptQuote, NewQuote, Quote, QuoteChanges, QuoteId, QuoteQuery, RejectQuote, SendQuote, Via,
};

use super::approvals::{Passage, TICKET_EXAMPLE, TicketBody, passage};
use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud::{self, unchanged},
    endpoint::{Endpoint, Segment, changes, id, json, query, taking},
    error::{ApiError, Code},
    reply::{answered, found, written},
    view::{View, view, viewed},
};
use body::{QuestionBody, QuoteBody, Shown};
pub(crate) use printed::print_quote;

const ALL: &str = QuoteBody::PATH;
const ONE: &str = "/crm/quotes/{id}";
const SEND: &str = "/crm/quotes/{id}/send";
const ACCEPT: &str = "/crm/quotes/{id}/accept";
const REJECT: &str = "/crm/quotes/{id}/reject";
const REVISE: &str = "/crm/quotes/{id}/revise";
const ORDER: &str = "/crm/quotes/{id}/order";
const PDF: &str = "/crm/quotes/{id}/pdf";
const QUESTIONS: &str = "/crm/quotes/{id}/questions";
const ID: Segment<QuoteId> = id(QuoteId::PREFIX, QuoteId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    records().into_iter().chain(acts()).collect()
}

fn records() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Deals, taking(viewed::<QuoteBody, _>(forms::LIST), list))
            .summary("List quotes")
            .describes("Newest first; every revision is a quote of its own.")
            .translated()
            .pages::<QuoteBody>("A page of quotes.", examples::PAGE),
        Endpoint::post(ALL, Scope::Deals, taking(json(forms::CREATE), create))
            .summary("Create a quote")
            .describes(
                "Drafts a quote at the prices and taxes of this moment, which stay as they are until the items are sent \
                 again. Nobody sees it before it is sent. Stock is neither asked for nor reserved.",
            )
            .translated()
            .answers::<QuoteBody>(201, "The draft.", examples::QUOTE)
            .refuses(&[Code::ProviderNotConfigured]),
        Endpoint::get(ONE, Scope::Deals, taking((ID, view::<QuoteBody>()), show))
            .summary("Get a quote")
            .translated()
            .answers::<QuoteBody>(200, "The quote.", examples::QUOTE),
        Endpoint::patch(ONE, Scope::Deals, taking((ID, changes(forms::UPDATE)), update))
            .summary("Update a quote")
            .describes(
                "Changes only the fields that are sent, of a draft. `items` is replaced as a whole, at the prices of this \
                 moment unless items state others. A quote that was sent never changes: make its next revision.",
            )
            .translated()
            .answers::<QuoteBody>(200, "The updated draft.", examples::QUOTE)
            .refuses(&[Code::Conflict, Code::ProviderNotConfigured]),
        Endpoint::delete(
            ONE,
            Scope::Deals,
            crud::delete(ID, |services, ctx, id, version| services.quotes.delete(ctx, id, version)),
        )
        .summary("Delete a quote")
        .describes("Deletes a draft.")
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED)
        .refuses(&[Code::Conflict]),
        Endpoint::get(PDF, Scope::Deals, taking(ID, pdf))
            .summary("Get the PDF of a quote")
            .describes("In Spanish, or in English where `Accept-Language` prefers it; a draft's says that it is one.")
            .translated()
            .answers_file(&[super::PDF_TYPE], "The quote as PDF."),
        Endpoint::get(QUESTIONS, Scope::Deals, taking((ID, query(forms::QUESTIONS)), questions))
            .summary("List questions about a quote")
            .describes("What was asked on its page about any of its revisions, newest first.")
            .pages::<QuestionBody>("A page of questions.", examples::QUESTIONS),
    ]
}

fn acts() -> Vec<Endpoint> {
    vec![
        Endpoint::post(SEND, Scope::Deals, taking(ID, send))
            .conditional()
            .summary("Send a quote")
            .describes(
                "Offers a draft to its customer: from now on its page at `url` can be seen, and revisions before it are \
                 `superseded`. Nothing is sent by mail or message; send the link. Rules about discounts \
                 (`order_discount`) are asked here. With `If-Match`, a draft that has been changed since is not sent; a quote \
                 that is sent already is returned unchanged. Emits `quote.sent`.",
            )
            .translated()
            .answers::<QuoteBody>(200, "The quote.", examples::SENT)
            .or_accepts::<TicketBody>(
                "Rules want the discounts to be approved: the quote is sent once they are.",
                TICKET_EXAMPLE,
            )
            .refuses(&[Code::InvalidTransition, Code::Conflict, Code::ProviderNotConfigured]),
        Endpoint::post(ACCEPT, Scope::Deals, taking((ID, json(forms::ACCEPT)), accept))
            .summary("Accept a quote")
            .describes(
                "Accepts a quote on its customer's word, also after its last day: places the order at the quoted prices, \
                 wins the deal and opens the payment link, all of it or nothing. Where there is too little stock the quote is \
                 `accepted` without an order, and `problem` says why. Emits `quote.accepted`, `order.created` and \
                 `deal.won`. A quote that was accepted before is returned unchanged.",
            )
            .translated()
            .answers::<QuoteBody>(200, "The quote.", examples::ORDERED)
            .refuses(&[Code::InvalidTransition, Code::Conflict]),
        Endpoint::post(ORDER, Scope::Deals, taking(ID, order))
            .summary("Place the order of a quote")
            .describes(
                "Tries again to place the order of a quote that is `accepted`. One that is `ordered` is returned unchanged.",
            )
            .translated()
            .answers::<QuoteBody>(200, "The quote.", examples::ORDERED)
            .refuses(&[Code::InvalidTransition, Code::InsufficientStock]),
        Endpoint::post(REJECT, Scope::Deals, taking((ID, json(forms::REJECT)), reject))
            .summary("Reject a quote")
            .describes(
                "Notes that the customer does not want it; or gives up one that is `accepted` and has become no order, so that it \
                 can be revised. Emits `quote.rejected`.",
            )
            .translated()
            .answers::<QuoteBody>(200, "The quote.", examples::REJECTED)
            .refuses(&[Code::InvalidTransition]),
        Endpoint::post(REVISE, Scope::Deals, taking(ID, revise))
            .summary("Revise a quote")
            .describes(
                "Drafts the next revision of a quote that is `sent`, `rejected` or `expired`, under the same number and link, \
                 at the same prices. The one before stays as it is until the revision is sent.",
            )
            .translated()
            .answers::<QuoteBody>(201, "The draft of the next revision.", examples::QUOTE)
            .refuses(&[Code::InvalidTransition, Code::Conflict]),
    ]
}

/// A quote as this caller is shown it.
fn shown(call: &Call, quote: Quote) -> Shown {
    Shown { quote, base: call.public_url(), now: call.now, language: call.language() }
}

/// With the language that problems are told in.
fn told(call: &Call, answer: Answer) -> Result<Answer, ApiError> {
    answer.with(CONTENT_LANGUAGE, call.language().tag())
}

fn done(call: &Call, Done { value, replayed }: Done<Quote>) -> Done<Shown> {
    Done { value: shown(call, value), replayed }
}

async fn list(call: Call, (query, view): (QuoteQuery, View)) -> Result<Answer, ApiError> {
    let query = at(query, call.now);
    let asked = query.page.clone();
    let page = answered(call.services().quotes.list(call.account, query)).await?;
    told(&call, view.page::<QuoteBody>(page.map(|quote| shown(&call, quote)), &asked)?)
}

/// Whether a quote has expired is told at the moment of the call.
fn at(mut query: QuoteQuery, now: Timestamp) -> QuoteQuery {
    if let Some((_, at)) = &mut query.filter.status {
        *at = now;
    }
    query
}

async fn create(call: Call, command: NewQuote) -> Result<Answer, ApiError> {
    let made = written(call.services().quotes.create(call.ctx()?, command)).await?;
    told(&call, Answer::created::<QuoteBody>(done(&call, made))?)
}

async fn one(call: &Call, id: QuoteId) -> Result<Quote, ApiError> {
    found(call.services().quotes.get(call.account, id)).await
}

async fn show(call: Call, (id, ((), view)): (QuoteId, ((), View))) -> Result<Answer, ApiError> {
    let quote = one(&call, id).await?;
    told(&call, view.one(call.headers(), &QuoteBody::from(shown(&call, quote)))?)
}

async fn update(
    call: Call,
    (id, (changes, sent_back)): (QuoteId, (QuoteChanges, SentBack)),
) -> Result<Answer, ApiError> {
    if !sent_back.is_empty() {
        let quote = one(&call, id).await?;
        unchanged(&call, sent_back, &QuoteBody::from(shown(&call, quote)))?;
    }
    let version = call.expected_version();
    let changed = written(call.services().quotes.update(call.ctx()?, id, version, changes)).await?;
    told(&call, Answer::changed::<QuoteBody>(done(&call, changed))?)
}

async fn send(call: Call, id: QuoteId) -> Result<Answer, ApiError> {
    let command = SendQuote { id, version: call.expected_version() };
    let sent = match passage(&call, &*call.services().quoting_gate, &command).await?? {
        Passage::Waits(answer) => return Ok(answer),
        Passage::Done(done) => done,
        Passage::Free => written(call.services().quotes.send(call.ctx()?, command)).await?,
    };
    let value = shown(&call, one(&call, sent.value).await?);
    told(&call, Answer::acted::<QuoteBody, _>(Done { value, replayed: sent.replayed })?)
}

async fn accept(call: Call, (id, said): (QuoteId, forms::SaidYes)) -> Result<Answer, ApiError> {
    let forms::SaidYes { revision, name } = said;
    let command = AcceptQuote { id, revision, via: Via::Merchant, name };
    let accepted = written(call.services().quotes.accept(call.ctx()?, command)).await?;
    told(&call, Answer::acted::<QuoteBody, _>(done(&call, accepted))?)
}

async fn order(call: Call, id: QuoteId) -> Result<Answer, ApiError> {
    let ordered = written(call.services().quotes.order(call.ctx()?, id)).await?;
    told(&call, Answer::acted::<QuoteBody, _>(done(&call, ordered))?)
}

async fn reject(call: Call, (id, reason): (QuoteId, Option<String>)) -> Result<Answer, ApiError> {
    let command = RejectQuote { id, revision: None, via: Via::Merchant, reason };
    let rejected = written(call.services().quotes.reject(call.ctx()?, command)).await?;
    told(&call, Answer::acted::<QuoteBody, _>(done(&call, rejected))?)
}

async fn revise(call: Call, id: QuoteId) -> Result<Answer, ApiError> {
    let revised = written(call.services().quotes.revise(call.ctx()?, id)).await?;
    told(&call, Answer::created::<QuoteBody>(done(&call, revised))?)
}

async fn pdf(call: Call, id: QuoteId) -> Result<Answer, ApiError> {
    let quote = one(&call, id).await?;
    told(&call, printed::pdf(&call, quote).await?)
}

async fn questions(call: Call, (id, asked): (QuoteId, PageRequest)) -> Result<Answer, ApiError> {
    let page = found(call.services().quotes.questions(call.account, id, asked.clone())).await?;
    Answer::page::<QuestionBody>(page, &asked)
}
