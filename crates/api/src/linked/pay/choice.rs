//! The page where a payer chooses how to pay, and what they choose.

use actix_web::http::StatusCode;
use intake::{Fields, Form, noun};
use kernel::{
    Actor, Amount, Ctx, FieldFault, Idempotency, Language, Message, Refused, message, text as words,
};
use links::Token;
use pages::{Fault, PayNotice, PayPage, PayValues};
use payments::{
    LinkStatus, Payer, PaymentError, card_data,
    link::{Asks, Attempt, LINK_METHODS, Shut},
    payment::LINE_CHARS_MAX,
    provider::PayerNeeds,
};
use ulid::Ulid;

use super::{
    Holding, PAGES,
    bill::{Payee, local, money, pay_method, shut},
    held, is_foreign, nothing, page, reader, see,
};
use crate::{
    answer::Answer,
    call::Call,
    error::ApiError,
    linked::anything,
    reply::{answered, outcome},
};

pub(super) const FORM: Form<Sent> =
    Form::body("PayByLink", noun("a payment", "un pago"), read_form, "{}");

/// What was sent.
pub(super) struct Sent {
    form: String,
    values: PayValues,
}

fn read_form(fields: &mut Fields<'_>) -> Option<Sent> {
    let mut read = |name| fields.optional(name, anything()).unwrap_or_default();
    let form = read("form");
    let values = PayValues {
        method: read("method"),
        amount: read("amount"),
        name: read("name"),
        email: read("email"),
        phone: read("phone"),
    };
    Some(Sent { form, values })
}

pub(super) async fn show(call: Call<()>, token: Option<Token>) -> Result<Answer, ApiError> {
    let Some(holding) = held(&call, token).await? else { return nothing(&call) };
    asked(&call, &holding, PayValues::default(), Vec::new()).await
}

/// The form, or why there is nothing to choose.
async fn asked(
    call: &Call<()>,
    holding: &Holding,
    values: PayValues,
    faults: Vec<Fault>,
) -> Result<Answer, ApiError> {
    match shut(&holding.offer, call.now) {
        Some(shut) => noticed(call, holding, shut).await,
        None => chosen(call, holding, values, faults).await,
    }
}

/// The form, with what was entered and what is wrong with it.
async fn chosen(
    call: &Call<()>,
    holding: &Holding,
    values: PayValues,
    faults: Vec<Fault>,
) -> Result<Answer, ApiError> {
    let language = reader(call.headers());
    let payee = Payee::of(call, holding).await?;
    let (offer, link) = (&holding.offer, &holding.offer.link);
    let bounds = match link.asks {
        Asks::Between { min, max } => Some((money(min, link.currency), money(max, link.currency))),
        Asks::Fixed(_) | Asks::Due => None,
    };
    let methods: Vec<_> = offer.methods.iter().map(|(method, _)| pay_method(*method)).collect();
    let needs = |of: fn(&PayerNeeds) -> bool| offer.methods.iter().any(|(_, needs)| of(needs));
    let nonce = Ulid::generate().to_string();
    let form = format!("{nonce}.{}", holding.token.proof(&nonce));
    let status = match faults.is_empty() {
        true => StatusCode::OK,
        false => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let html = PayPage {
        bill: payee.bill(offer, offer.amount, language),
        bounds,
        methods: &methods,
        installments: offer.installments.last().copied(),
        needs_payer: needs(|needs| needs.name || needs.email),
        needs_phone: needs(|needs| needs.phone),
        expires_at: local(link.expires_at),
        action: &format!("{}/attempts", holding.path()),
        form: &form,
        values,
        faults,
    }
    .html();
    page(status, html, language)
}

/// The page that says why nothing can be paid now.
async fn noticed(call: &Call<()>, holding: &Holding, shut: Shut) -> Result<Answer, ApiError> {
    let (status, notice) = match shut {
        Shut::Closed(LinkStatus::Completed) => (StatusCode::GONE, PayNotice::Completed),
        Shut::Closed(LinkStatus::Expired) => (StatusCode::GONE, PayNotice::Expired),
        Shut::Closed(_) => (StatusCode::GONE, PayNotice::Inactive),
        Shut::Busy => (StatusCode::CONFLICT, PayNotice::Busy),
        Shut::TooMany => (StatusCode::TOO_MANY_REQUESTS, PayNotice::TooMany),
        Shut::NotOffered => (StatusCode::SERVICE_UNAVAILABLE, PayNotice::NoMethod),
    };
    let language = reader(call.headers());
    let payee = Payee::of(call, holding).await?;
    let amount = holding.offer.amount.filter(|amount| *amount > Amount::ZERO);
    let html = notice.html(&payee.bill(&holding.offer, amount, language), &holding.path());
    page(status, html, language)
}

pub(super) async fn begin(
    call: Call<()>,
    (token, sent): (Option<Token>, Sent),
) -> Result<Answer, ApiError> {
    let Some(holding) = held(&call, token).await? else { return nothing(&call) };
    let Sent { form, values } = sent;
    let shown = |(nonce, proof): &(&str, &str)| holding.token.proves(nonce, proof);
    let nonce = form.split_once('.').filter(shown).filter(|_| !is_foreign(&call));
    let Some((nonce, _)) = nonce else {
        // A form that was not shown on this page has no effect but that it is.
        return asked(&call, &holding, values, Vec::new()).await;
    };
    let language = reader(call.headers());
    let (values, cards) = without_cards(values, language);
    let (attempt, faults) = read(&call, &holding, &values, language);
    // A field that was emptied for the number of a card lacks nothing else.
    let is_other = |fault: &Fault| cards.iter().all(|card| card.field != fault.field);
    let faults: Vec<Fault> = faults.into_iter().filter(is_other).chain(cards.clone()).collect();
    let attempt = match attempt.filter(|_| faults.is_empty()) {
        Some(attempt) => attempt,
        None => return asked(&call, &holding, values, faults).await,
    };
    let ctx = Ctx {
        idempotency: Some(once(&holding, nonce, &values)),
        trace: Some(call.trace()),
        ..Ctx::system(holding.account, call.now).by(Actor::Public)
    };
    match outcome(call.services().collector.attempt(ctx, attempt)).await? {
        Ok(done) => {
            let id = done.value.id;
            let links = &call.services().payment_links;
            let own = answered(links.attempt_token(holding.account, id, call.now)).await?;
            let own = own.ok_or_else(|| ApiError::internal(format!("{id} has no token")))?;
            see(&format!("{}/a/{}", holding.path(), own.reveal()))
        }
        Err(refused) => unbegun(&call, &holding, values, refused).await,
    }
}

/// The same form with the same choice is one attempt.
fn once(holding: &Holding, nonce: &str, values: &PayValues) -> Idempotency {
    let PayValues { method, amount, name, email, phone } = values;
    let digest = kernel::digest::of_text(
        &[method, amount, name, email, phone].map(String::as_str).join("\n"),
    );
    let digest = format!("{digest:016x}");
    Idempotency {
        operation: format!("POST /pay/{}", holding.offer.link.id),
        key: format!("{nonce} {digest}"),
        digest,
    }
}

/// Why nobody has begun to pay.
async fn unbegun(
    call: &Call<()>,
    holding: &Holding,
    values: PayValues,
    refused: Refused<PaymentError>,
) -> Result<Answer, ApiError> {
    let shut = match refused {
        Refused::Invalid(faults) => {
            let language = reader(call.headers());
            let faults = faults.iter().map(|fault| said(fault, language)).collect();
            return asked(call, holding, values, faults).await;
        }
        Refused::Rule(PaymentError::Shut(Shut::NotOffered)) => {
            let problem = message!(
                "is not available now: choose another one",
                "no está disponible por ahora: elija otra"
            );
            let clause = sentence(&problem, reader(call.headers()));
            let fault = Fault { field: "method".to_owned(), clause };
            return asked(call, holding, values, vec![fault]).await;
        }
        Refused::Rule(PaymentError::Shut(shut)) => shut,
        Refused::Rule(PaymentError::OrderCancelled | PaymentError::InvoiceCancelled) => {
            Shut::Closed(LinkStatus::Inactive)
        }
        Refused::Rule(PaymentError::ExceedsDue { .. }) => Shut::Busy,
        Refused::Rule(PaymentError::NoProvider(_)) => Shut::NotOffered,
        refused => return Err(refused.into()),
    };
    noticed(call, holding, shut).await
}

fn said(fault: &FieldFault, language: Language) -> Fault {
    Fault { field: fault.field.clone(), clause: sentence(&fault.problem, language) }
}

fn sentence(problem: &Message, language: Language) -> String {
    format!("{}.", problem.in_language(language))
}

/// What the payer has entered, and what is wrong with it.
fn read(
    call: &Call<()>,
    holding: &Holding,
    values: &PayValues,
    language: Language,
) -> (Option<Attempt>, Vec<Fault>) {
    let mut faults = Vec::new();
    let mut wrong = |field: &str, problem: &Message| {
        faults.push(Fault { field: field.to_owned(), clause: sentence(problem, language) });
    };
    let method = LINK_METHODS.iter().copied().find(|method| method.name() == values.method);
    if method.is_none() {
        wrong("method", &message!("must be chosen", "debe elegirse"));
    }
    let amount = match holding.offer.link.asks {
        Asks::Between { .. } => match money_in(&values.amount) {
            Some(amount) => Some(amount),
            None => {
                wrong(
                    "amount",
                    &message!(
                        "must be a number, such as 250.00",
                        "debe ser un número, como 250.00"
                    ),
                );
                None
            }
        },
        Asks::Fixed(_) | Asks::Due => None,
    };
    let name = given(&values.name);
    if let Some(problem) = name.and_then(|name| words::line(name, LINE_CHARS_MAX).err()) {
        wrong("name", &problem);
    }
    let email = given(&values.email);
    if let Some(problem) = email.and_then(|email| words::email(email).err()) {
        wrong("email", &problem);
    }
    let phone = given(&values.phone);
    if let Some(problem) = phone.and_then(|phone| words::phone(phone).err()) {
        wrong("phone", &problem);
    }
    let offered = holding.offer.methods.iter().find(|(offered, _)| Some(*offered) == method);
    let needs = offered.map(|(_, needs)| *needs).unwrap_or_default();
    for (field, value, is_needed) in
        [("name", name, needs.name), ("email", email, needs.email), ("phone", phone, needs.phone)]
    {
        if is_needed && value.is_none() {
            wrong(field, &message!("is needed to pay this way", "es necesario para pagar así"));
        }
    }
    let email = email.and_then(|email| words::email(email).ok());
    let phone = phone.and_then(|phone| words::phone(phone).ok());
    let payer = Payer { name: name.map(str::to_owned), email, phone };
    let pages = call.public_url() + PAGES;
    let link = holding.offer.link.id;
    (method.map(|method| Attempt { link, method, amount, payer, pages }), faults)
}

/// The amount that a payer has written, as people in Mexico do: with or without the sign, and commas between thousands.
fn money_in(text: &str) -> Option<Amount> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.strip_prefix('$').unwrap_or(&text);
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(a, b)| (a, Some(b)));
    let mut groups = whole.split(',');
    let first = groups.next().filter(|first| !first.is_empty())?;
    let rest: Vec<&str> = groups.collect();
    let is_grouped = rest.is_empty() || (first.len() <= 3 && rest.iter().all(|g| g.len() == 3));
    if !is_grouped {
        // A comma for decimals would be a hundred times as much.
        return None;
    }
    let whole = std::iter::once(first).chain(rest).collect::<String>();
    let digits = fraction.map_or(whole.clone(), |fraction| format!("{whole}.{fraction}"));
    Amount::parse(&digits).ok()
}

/// The values without numbers of cards, which are typed at the provider alone; and where there was one.
fn without_cards(mut values: PayValues, language: Language) -> (PayValues, Vec<Fault>) {
    let mut faults = Vec::new();
    let PayValues { method, amount, name, email, phone } = &mut values;
    for (field, value) in
        [("method", method), ("amount", amount), ("name", name), ("email", email), ("phone", phone)]
    {
        if card_data::is_in(value) {
            value.clear();
            let problem = message!(
                "must not be the number of a card: type it on the payment provider's page",
                "no debe ser el número de una tarjeta: escríbalo en la página del proveedor de pagos"
            );
            faults.push(Fault { field: field.to_owned(), clause: sentence(&problem, language) });
        }
    }
    (values, faults)
}

fn given(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_they_are_written_in_mexico() {
        for (text, amount) in [
            ("250", Some("250")),
            ("$1,250.50", Some("1250.5")),
            (" $ 1,234,567 ", Some("1234567")),
            ("250,50", None),
            ("1,25", None),
            ("12,50.00", None),
            (",500", None),
            ("", None),
            ("many", None),
        ] {
            let expected = amount.map(|amount| Amount::parse(amount).unwrap());
            assert_eq!(money_in(text), expected, "{text:?}");
        }
    }
}
