//! Quotes for who holds their link: `/quotes/{token}`, where they accept or ask.
//!
//! Reading a page changes nothing. Whoever accepts or asks sends the form that they were shown: the same form sent twice is
//! one acceptance, one question. What is accepted is the revision that the page showed.

use actix_web::http::{Method, StatusCode, header::CACHE_CONTROL};
use intake::{Check, Fields, Form, checks::text, noun};
use kernel::{
    AccountId, Actor, Amount, Ctx, Currency, Idempotency, Language, Message, Refused, message,
    text as words,
};
use links::{LinkKind, Target, Token};
use orders::number_text as order_number;
use pages::{Fault, Money, QuoteLine, QuoteNews, QuotePage, QuoteStage, QuoteValues};
use quotes::{
    AcceptQuote, AskQuestion, NAME_CHARS_MAX, PrintedQuote, QUESTION_CHARS_MAX, Quote, QuoteError,
    QuoteId, REASON_CHARS_MAX, RejectQuote, Status, Via, zone_time,
};
use ulid::Ulid;

use super::{
    anything, followed, merchant, nothing, page,
    pay::{is_foreign, see},
    reader, refused,
};
use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, Segment, segment, taking, urlencoded},
    error::ApiError,
    limits::Rate,
    reply::{answered, outcome},
    resources::{PDF_TYPE, path_of_link, print_quote},
};

const PAGE: &str = "/quotes/{token}";
const ACCEPT: &str = "/quotes/{token}/accept";
const REJECT: &str = "/quotes/{token}/reject";
const QUESTIONS: &str = "/quotes/{token}/questions";
const PDF: &str = "/quotes/{token}/pdf";

const TOKEN: Segment<Option<Token>> =
    segment("token", "The token of the quote.", |text| Some(Token::parse(text)));
/// More than a question may have: what is too long is told at its place on the page.
const PROSE_CHARS_MAX: usize = 4 * QUESTION_CHARS_MAX;
/// A person needs a few; somebody who guesses would need ages.
const LOOKS: Rate = Rate::PerMinute(30);
/// Nobody accepts or asks more often.
const TRIES: Rate = Rate::PerMinute(10);

const ACCEPT_FORM: Form<Accepted> =
    Form::body("AcceptQuoteByLink", noun("an acceptance", "una aceptación"), read_acceptance, "{}");
const REJECT_FORM: Form<Rejected> =
    Form::body("RejectQuoteByLink", noun("a rejection", "un rechazo"), read_rejection, "{}");
const QUESTION_FORM: Form<Asked> =
    Form::body("AskAboutQuote", noun("a question", "una pregunta"), read_question, "{}");

/// That a quote is accepted, as it was sent.
struct Accepted {
    form: String,
    revision: String,
    name: String,
}

/// That a quote is turned down, as it was sent.
struct Rejected {
    form: String,
    revision: String,
    reason: String,
}

/// A question, as it was sent.
struct Asked {
    form: String,
    values: QuoteValues,
}

fn read_acceptance(fields: &mut Fields<'_>) -> Option<Accepted> {
    let mut read = |name| fields.optional(name, anything()).unwrap_or_default();
    Some(Accepted { form: read("form"), revision: read("revision"), name: read("acceptName") })
}

/// Any text of several lines: what it must be like is told on the page, which shows it again.
fn prose() -> impl Check<Value = String> {
    let read = |text: &str| match text.chars().nth(PROSE_CHARS_MAX) {
        None => Ok(text.replace("\r\n", "\n").trim().to_owned()),
        Some(_) => Err(message!(
            "must have at most {PROSE_CHARS_MAX} characters",
            "debe tener como máximo {PROSE_CHARS_MAX} caracteres"
        )),
    };
    text(read).chars(0, PROSE_CHARS_MAX)
}

fn read_rejection(fields: &mut Fields<'_>) -> Option<Rejected> {
    let mut read = |name| fields.optional(name, anything()).unwrap_or_default();
    Some(Rejected { form: read("form"), revision: read("revision"), reason: read("reason") })
}

fn read_question(fields: &mut Fields<'_>) -> Option<Asked> {
    let prose = fields.optional("question", prose()).unwrap_or_default();
    let mut read = |name| fields.optional(name, anything()).unwrap_or_default();
    let values = QuoteValues {
        name: read("name"),
        email: read("email"),
        question: prose,
        ..QuoteValues::default()
    };
    Some(Asked { form: read("form"), values })
}

/// The endpoints without a key.
pub(super) fn endpoints() -> [Endpoint; 5] {
    let looks = |path, handler| Endpoint::public(Method::GET, path, handler).limited(LOOKS);
    let acts = |path, handler| {
        Endpoint::public(Method::POST, path, handler).limited(TRIES).refused_by(refused)
    };
    [
        looks(PAGE, taking(TOKEN, show)).refused_by(refused),
        looks(PDF, taking(TOKEN, pdf)),
        acts(ACCEPT, taking((TOKEN, urlencoded(ACCEPT_FORM)), accept)),
        acts(REJECT, taking((TOKEN, urlencoded(REJECT_FORM)), reject)),
        acts(QUESTIONS, taking((TOKEN, urlencoded(QUESTION_FORM)), ask)),
    ]
}

/// A quote that somebody holds the link of.
struct Holding {
    account: AccountId,
    token: Token,
    quote: Quote,
}

impl Holding {
    /// Where its page lies.
    fn path(&self) -> String {
        path_of_link(LinkKind::Quote, &self.token)
    }

    /// What tells a form of that purpose from others, and that it was shown by this page.
    fn form(&self, purpose: &str) -> String {
        let nonce = Ulid::generate().to_string();
        format!("{nonce}.{}", self.token.proof(&format!("{purpose} {nonce}")))
    }

    /// What tells a form from others, if this page has shown it for that purpose.
    fn nonce<'a>(&self, call: &Call<()>, purpose: &str, form: &'a str) -> Option<&'a str> {
        let (nonce, proof) = form.split_once('.')?;
        let is_own = self.token.proves(&format!("{purpose} {nonce}"), proof) && !is_foreign(call);
        is_own.then_some(nonce)
    }

    /// The circumstances of a form that is one however often it is sent.
    fn once(&self, call: &Call<()>, purpose: &str, nonce: &str, sent: &str) -> Ctx {
        let digest = format!("{:016x}", kernel::digest::of_text(sent));
        let operation = format!("POST /quotes/{} {purpose}", self.quote.root);
        let key = format!("{nonce} {digest}");
        let idempotency = Some(Idempotency { operation, key, digest });
        let by_link = Ctx::system(self.account, call.now).by(Actor::Public);
        Ctx { idempotency, trace: Some(call.trace()), ..by_link }
    }
}

/// The quote that a token leads to: its newest revision that was sent.
async fn held(call: &Call<()>, token: Option<Token>) -> Result<Option<Holding>, ApiError> {
    let Some(token) = token else { return Ok(None) };
    let Some((account, subject)) = followed(call, Some(token.clone()), LinkKind::Quote).await?
    else {
        return Ok(None);
    };
    let Some(root) = QuoteId::parse(&subject) else { return Ok(None) };
    let quote = answered(call.services().quotes.offered(account, root)).await?;
    Ok(quote.map(|quote| Holding { account, token, quote }))
}

async fn show(call: Call<()>, token: Option<Token>) -> Result<Answer, ApiError> {
    let Some(holding) = held(&call, token).await? else { return nothing(&call) };
    shown(&call, &holding, QuoteNews::None, QuoteValues::default(), Vec::new()).await
}

/// The page, with what has just happened, what was entered and what is wrong with it.
async fn shown(
    call: &Call<()>,
    holding: &Holding,
    news: QuoteNews,
    values: QuoteValues,
    faults: Vec<Fault>,
) -> Result<Answer, ApiError> {
    let language = reader(call.headers());
    let (quote, offered) = (&holding.quote, &holding.quote.offered);
    let currency = offered.currency;
    let (merchant, is_test) = merchant(call, holding.account).await?;
    let customer = customer_name(call, holding).await?;
    let stage = stage(call, holding).await?;
    let (number, address) = (quote.number_text(), holding.path());
    let zero = Amount::ZERO;
    let lines = offered.items.iter().map(|item| {
        let own = item.discount.map(|discounted| discounted.amount).filter(|it| *it > zero);
        QuoteLine {
            name: &item.name,
            sku: item.given_sku(),
            note: item.note.as_deref(),
            quantity: item.ordered().to_string(),
            unit_price: money(item.unit_price, currency),
            amount: money(item.line_total(), currency),
            discount: own.map(|amount| money(amount, currency)),
            plus_taxes: !item.tax_included,
        }
    });
    let shipping = offered.shipping.as_ref();
    let discount = Some(offered.discount_total()).filter(|amount| *amount > zero);
    let status = match faults.is_empty() {
        false => StatusCode::UNPROCESSABLE_ENTITY,
        true => StatusCode::OK,
    };
    let html = QuotePage {
        language,
        sandbox: is_test,
        merchant: &merchant,
        customer: &customer,
        number: &number,
        revision: quote.revision,
        title: quote.title.as_deref(),
        notes: quote.notes.as_deref(),
        lines: lines.collect(),
        subtotal: money(offered.subtotal(), currency),
        discount: discount.map(|amount| money(amount, currency)),
        shipping: shipping.map(|it| (it.name.as_str(), money(it.amount, currency))),
        tax: money(offered.tax_total, currency),
        total: money(offered.total, currency),
        valid_until: quote.valid_until,
        zone: zone_time(quote.zone).in_language(language),
        stage,
        news,
        question_form: &holding.form("ask"),
        address: &address,
        values,
        faults,
    }
    .html();
    page(status, html, language)
}

async fn customer_name(call: &Call<()>, holding: &Holding) -> Result<String, ApiError> {
    let id = crm::CustomerId::from_u128(holding.quote.customer.to_u128());
    let customer = answered(call.services().customers.get(holding.account, id)).await?;
    Ok(customer.map(|customer| customer.legal_name.unwrap_or(customer.name)).unwrap_or_default())
}

/// Where a quote stands, for its customer.
async fn stage(call: &Call<()>, holding: &Holding) -> Result<QuoteStage, ApiError> {
    let quote = &holding.quote;
    Ok(match quote.status(call.now) {
        Status::Draft | Status::Sent => {
            QuoteStage::Open { form: holding.form("accept"), reject_form: holding.form("reject") }
        }
        Status::Rejected | Status::Superseded => QuoteStage::Rejected,
        Status::Expired => QuoteStage::Expired,
        Status::Accepted => QuoteStage::Accepted { order_number: None, pay: None },
        Status::Ordered => {
            let order = match quote.order {
                Some(id) => answered(call.services().orders.get(holding.account, id)).await?,
                None => None,
            };
            let number = order.map(|order| order_number(order.number));
            QuoteStage::Accepted { order_number: number, pay: pay(call, holding).await? }
        }
    })
}

/// Where the order can be paid.
async fn pay(call: &Call<()>, holding: &Holding) -> Result<Option<String>, ApiError> {
    let Some(link) = holding.quote.link else { return Ok(None) };
    let target = Target { kind: LinkKind::Payment, subject: link.to_string() };
    let link = answered(call.services().links.get(holding.account, target, call.now)).await?;
    Ok(link.map(|link| path_of_link(LinkKind::Payment, &link.token)))
}

fn money(amount: Amount, currency: Currency) -> Money {
    let digits = cfdi::decimal::digits(amount, currency.decimals());
    Money { digits, currency: currency.code().to_owned() }
}

async fn accept(
    call: Call<()>,
    (token, sent): (Option<Token>, Accepted),
) -> Result<Answer, ApiError> {
    let Some(holding) = held(&call, token).await? else { return nothing(&call) };
    let Some(nonce) = holding.nonce(&call, "accept", &sent.form) else {
        // A form that was not shown on this page has no effect but that it is.
        return shown(&call, &holding, QuoteNews::None, QuoteValues::default(), Vec::new()).await;
    };
    let language = reader(call.headers());
    let name = given(&sent.name);
    if let Some(problem) = name.and_then(|name| words::line(name, NAME_CHARS_MAX).err()) {
        let values = QuoteValues { accept_name: sent.name.clone(), ..QuoteValues::default() };
        let faults = vec![fault("acceptName", &problem, language)];
        return shown(&call, &holding, QuoteNews::None, values, faults).await;
    }
    let command = AcceptQuote {
        id: holding.quote.id,
        // What cannot be read is no revision that was shown.
        revision: Some(sent.revision.parse().unwrap_or_default()),
        via: Via::Customer,
        name: name.map(str::to_owned),
    };
    let ctx = holding.once(&call, "accept", nonce, &format!("{}\n{}", sent.revision, sent.name));
    let accepted = outcome(call.services().quotes.accept(ctx, command)).await?;
    acted(&call, holding, accepted).await
}

/// The page again after an act on the revision that it showed; what is offered now where that is another.
async fn acted<T>(
    call: &Call<()>,
    holding: Holding,
    done: Result<T, Refused<QuoteError>>,
) -> Result<Answer, ApiError> {
    match done {
        Ok(_) => see(&holding.path()),
        Err(Refused::Rule(
            QuoteError::OtherRevision { .. } | QuoteError::InvalidTransition { .. },
        )) => {
            // What is offered now is what the page shows, or else what has become of it.
            let Some(now) = held(call, Some(holding.token)).await? else { return nothing(call) };
            let news = match now.quote.status(call.now) {
                Status::Sent => QuoteNews::Changed,
                _ => QuoteNews::None,
            };
            let mut answer = shown(call, &now, news, QuoteValues::default(), Vec::new()).await?;
            answer.status = StatusCode::CONFLICT;
            Ok(answer)
        }
        Err(refused) => Err(refused.into()),
    }
}

async fn reject(
    call: Call<()>,
    (token, sent): (Option<Token>, Rejected),
) -> Result<Answer, ApiError> {
    let Some(holding) = held(&call, token).await? else { return nothing(&call) };
    let values = QuoteValues { reason: sent.reason.clone(), ..QuoteValues::default() };
    let Some(nonce) = holding.nonce(&call, "reject", &sent.form) else {
        return shown(&call, &holding, QuoteNews::None, values, Vec::new()).await;
    };
    let reason = given(&sent.reason);
    if let Some(problem) = reason.and_then(|reason| words::line(reason, REASON_CHARS_MAX).err()) {
        let faults = vec![fault("reason", &problem, reader(call.headers()))];
        return shown(&call, &holding, QuoteNews::None, values, faults).await;
    }
    let command = RejectQuote {
        id: holding.quote.id,
        revision: Some(sent.revision.parse().unwrap_or_default()),
        via: Via::Customer,
        reason: reason.map(str::to_owned),
    };
    let ctx = holding.once(&call, "reject", nonce, &format!("{}\n{}", sent.revision, sent.reason));
    let rejected = outcome(call.services().quotes.reject(ctx, command)).await?;
    acted(&call, holding, rejected).await
}

async fn ask(call: Call<()>, (token, sent): (Option<Token>, Asked)) -> Result<Answer, ApiError> {
    let Some(holding) = held(&call, token).await? else { return nothing(&call) };
    let Asked { form, values } = sent;
    let Some(nonce) = holding.nonce(&call, "ask", &form) else {
        return shown(&call, &holding, QuoteNews::None, values, Vec::new()).await;
    };
    let language = reader(call.headers());
    let faults = wrong(&values, language);
    if !faults.is_empty() {
        return shown(&call, &holding, QuoteNews::None, values, faults).await;
    }
    let owned = |text: &str| given(text).map(str::to_owned);
    let email = given(&values.email).and_then(|email| words::email(email).ok());
    let command = AskQuestion {
        quote: holding.quote.id,
        name: owned(&values.name),
        email,
        text: values.question.clone(),
    };
    let sent = [&values.question, &values.name, &values.email].map(String::as_str).join("\n");
    let ctx = holding.once(&call, "ask", nonce, &sent);
    outcome(call.services().quotes.ask(ctx, command)).await??;
    shown(&call, &holding, QuoteNews::Asked, QuoteValues::default(), Vec::new()).await
}

/// What is wrong with a question.
fn wrong(values: &QuoteValues, language: Language) -> Vec<Fault> {
    let mut faults = Vec::new();
    if values.question.is_empty() {
        let problem = message!("must not be empty", "no debe estar vacía");
        faults.push(fault("question", &problem, language));
    } else if let Err(problem) = words::paragraph(&values.question, QUESTION_CHARS_MAX) {
        faults.push(fault("question", &problem, language));
    }
    let name = given(&values.name);
    if let Some(problem) = name.and_then(|name| words::line(name, NAME_CHARS_MAX).err()) {
        faults.push(fault("name", &problem, language));
    }
    if let Some(problem) = given(&values.email).and_then(|email| words::email(email).err()) {
        faults.push(fault("email", &problem, language));
    }
    faults
}

fn fault(field: &str, problem: &Message, language: Language) -> Fault {
    let clause = format!("{}.", problem.in_language(language));
    Fault { field: field.to_owned(), clause }
}

fn given(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

async fn pdf(call: Call<()>, token: Option<Token>) -> Result<Answer, ApiError> {
    let Some(holding) = held(&call, token).await? else { return nothing(&call) };
    let (merchant, sandbox) = merchant(&call, holding.account).await?;
    let customer = customer_name(&call, &holding).await?;
    let language = reader(call.headers());
    let name = format!("{}.pdf", holding.quote.number_text());
    let names = (merchant, customer);
    let printed = PrintedQuote::of(holding.quote, names, (sandbox, language), call.now);
    let pdf = print_quote((&call.context, holding.account), printed).await?;
    Answer::file(PDF_TYPE, &name, pdf)?.with(CACHE_CONTROL, "no-store")
}
