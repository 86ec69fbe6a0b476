//! The page of an attempt: how to pay, and what has become of it.

use actix_web::http::StatusCode;
use intake::{Fields, Form, checks::one_of, noun};
use kernel::{Actor, Amount, Ctx, Language, Refused};
use links::{LinkKind, Token};
use pages::{AttemptPage, BankPage, PayStage};
use payments::{
    Flag, Instructions, Method, Payment, PaymentError, PaymentId, ProviderKind, Status,
    sandbox::Deed,
};

use super::{
    Holding,
    bill::{Payee, local, money, shut},
    held, is_foreign, nothing, page, reader, see,
};
use crate::{
    answer::Answer,
    call::Call,
    error::ApiError,
    linked::{anything, followed},
    reply::{answered, outcome},
};

pub(super) const BANK_FORM: Form<Decision> = Form::body(
    "DecideAtBank",
    noun("a decision", "una decisión"),
    read_decision,
    r#"{"event": "pay"}"#,
);

/// What the payer decides at the bank of the sandbox.
pub(super) struct Decision {
    event: Event,
    /// In how many of the installments that are offered; in one if absent.
    installments: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Pay,
    Decline,
}

const EVENTS: &[Event] = &[Event::Pay, Event::Decline];

const fn event_name(event: Event) -> &'static str {
    match event {
        Event::Pay => "pay",
        Event::Decline => "decline",
    }
}

fn read_decision(fields: &mut Fields<'_>) -> Option<Decision> {
    let event = fields.required("event", one_of(EVENTS, event_name));
    let months = fields.optional("installments", anything()).unwrap_or_default();
    let installments = months.parse().ok().filter(|months| *months > 1);
    Some(Decision { event: event?, installments })
}

/// An attempt that somebody holds the token of.
struct Tried {
    holding: Holding,
    payment: Payment,
    /// Where its page lies.
    path: String,
}

/// The attempt that two tokens lead to: that of the link, and its own.
async fn tried(
    call: &Call<()>,
    (token, own): (Option<Token>, Option<Token>),
) -> Result<Option<Tried>, ApiError> {
    let Some(own) = own else { return Ok(None) };
    let Some(holding) = held(call, token).await? else { return Ok(None) };
    let Some((account, subject)) = followed(call, Some(own.clone()), LinkKind::Attempt).await?
    else {
        return Ok(None);
    };
    let Some(id) = PaymentId::parse(&subject) else { return Ok(None) };
    let payment = answered(call.services().payments.get(account, id)).await?;
    let is_of_link = |payment: &Payment| {
        account == holding.account && payment.link == Some(holding.offer.link.id)
    };
    let Some(payment) = payment.filter(is_of_link) else { return Ok(None) };
    let path = format!("{}/a/{}", holding.path(), own.reveal());
    Ok(Some(Tried { holding, payment, path }))
}

pub(super) async fn show(
    call: Call<()>,
    tokens: (Option<Token>, Option<Token>),
) -> Result<Answer, ApiError> {
    let Some(tried) = tried(&call, tokens).await? else { return nothing(&call) };
    let Tried { holding, payment, path } = &tried;
    let language = reader(call.headers());
    let payee = Payee::of(&call, holding).await?;
    let html = AttemptPage {
        bill: payee.bill(&holding.offer, Some(shown(payment)), language),
        stage: stage(&tried, language),
        expires_at: payment.expires_at.map(local),
        address: path,
        link: &holding.path(),
        can_choose_again: shut(&holding.offer, call.now).is_none(),
    }
    .html();
    page(StatusCode::OK, html, language)
}

/// What was paid, or else what is to be paid.
fn shown(payment: &Payment) -> Amount {
    if payment.status == Status::Paid { payment.captured } else { payment.amount }
}

/// Where the attempt stands.
fn stage(tried: &Tried, language: Language) -> PayStage {
    let Tried { holding, payment, path } = tried;
    match payment.status {
        Status::Paid => PayStage::Paid {
            success_url: holding.offer.link.success_url.clone(),
            is_late: payment.flags.contains(&Flag::Late),
            is_short: payment.flags.contains(&Flag::Short),
            is_excess: payment.flags.contains(&Flag::Excess),
        },
        // Something is there that nobody has decided about, or that goes back.
        _ if payment.conflict.is_some() => PayStage::Unclear,
        Status::Canceled if payment.received > Amount::ZERO => PayStage::Unclear,
        Status::Pending => PayStage::Asking,
        Status::Processing | Status::Authorized => PayStage::Processing,
        Status::Failed => PayStage::Declined { problem: problem(payment, language) },
        Status::Canceled => PayStage::Canceled,
        Status::Expired => PayStage::Expired,
        Status::RequiresAction => waiting(payment, path, language),
    }
}

/// What the payer has to do.
fn waiting(payment: &Payment, path: &str, language: Language) -> PayStage {
    let known = payment.instructions.clone().unwrap_or_default();
    let Instructions { clabe, bank, reference, barcode, url, client_secret: _ } = known;
    match (payment.method, clabe, reference, url) {
        (Method::Spei, Some(clabe), reference, _) => {
            let received = Some(payment.received).filter(|received| *received > Amount::ZERO);
            let received = received.map(|received| money(received, payment.currency));
            let left = payment.amount.micros().saturating_sub(payment.received.micros());
            let left = money(Amount::from_micros(left.max(0)), payment.currency);
            PayStage::Transfer { clabe, bank, reference, received, left }
        }
        (Method::Oxxo, _, Some(reference), slip) => PayStage::Counter { reference, barcode, slip },
        (_, _, _, Some(url)) => PayStage::GoOn { url, problem: problem(payment, language) },
        (Method::Card, ..) if payment.provider == ProviderKind::Sandbox => {
            PayStage::GoOn { url: format!("{path}/bank"), problem: problem(payment, language) }
        }
        // It is to be confirmed in a way that the provider has not told.
        _ => PayStage::Processing,
    }
}

/// Why a card was refused, where it is known what that means.
fn problem(payment: &Payment, language: Language) -> Option<String> {
    let code = payment.failure.as_ref()?.code.as_str();
    let (english, spanish) = match code {
        "insufficient_funds" => {
            ("There is not enough money on the card.", "La tarjeta no tiene fondos suficientes.")
        }
        "expired_card" => ("The card has expired.", "La tarjeta está vencida."),
        "card_declined" => (
            "The bank declined the card; try another one, or call the bank.",
            "El banco rechazó la tarjeta; intente con otra o llame a su banco.",
        ),
        "incorrect_cvc" => (
            "The security code of the card is wrong.",
            "El código de seguridad de la tarjeta es incorrecto.",
        ),
        _ => return None,
    };
    Some(
        match language {
            Language::English => english,
            Language::Spanish => spanish,
        }
        .to_owned(),
    )
}

/// Gives an attempt up, so that the payer can choose again.
pub(super) async fn cancel(
    call: Call<()>,
    tokens: (Option<Token>, Option<Token>),
) -> Result<Answer, ApiError> {
    let Some(Tried { holding, payment, path }) = tried(&call, tokens).await? else {
        return nothing(&call);
    };
    if is_foreign(&call) {
        return see(&path);
    }
    let ctx = Ctx::system(holding.account, call.now).by(Actor::Public);
    match outcome(call.services().collector.cancel(ctx, payment.id)).await? {
        Ok(done) if done.value.status == Status::Canceled => see(&holding.path()),
        // It was paid meanwhile, or the provider has not answered yet: the page shows it.
        Ok(_) | Err(Refused::Rule(_)) => see(&path),
        Err(refused) => Err(refused.into()),
    }
}

/// The bank of the sandbox is there for what waits there.
fn is_at_bank(payment: &Payment) -> bool {
    payment.provider == ProviderKind::Sandbox
        && payment.method == Method::Card
        && payment.status == Status::RequiresAction
}

pub(super) async fn show_bank(
    call: Call<()>,
    tokens: (Option<Token>, Option<Token>),
) -> Result<Answer, ApiError> {
    let Some(Tried { holding, payment, path }) = tried(&call, tokens).await? else {
        return nothing(&call);
    };
    if !is_at_bank(&payment) {
        return see(&path);
    }
    let language = reader(call.headers());
    let payee = Payee::of(&call, &holding).await?;
    let bill = payee.bill(&holding.offer, Some(payment.amount), language);
    let action = &format!("{path}/bank");
    let installments = &payment.installments;
    let html = BankPage { bill, installments, action, back: &path }.html();
    page(StatusCode::OK, html, language)
}

pub(super) async fn decide(
    call: Call<()>,
    (token, own, decision): (Option<Token>, Option<Token>, Decision),
) -> Result<Answer, ApiError> {
    let Some(Tried { holding, payment, path }) = tried(&call, (token, own)).await? else {
        return nothing(&call);
    };
    if is_at_bank(&payment) && !is_foreign(&call) {
        let deed = match (decision.event, decision.installments) {
            (Event::Pay, None) => Deed::Pay(None),
            (Event::Pay, Some(months)) => Deed::PayIn(months),
            (Event::Decline, _) => Deed::Decline,
        };
        let ctx = Ctx::system(holding.account, call.now).by(Actor::Public);
        let simulating = call.services().collector.simulate(ctx, payment.id, deed);
        match outcome(simulating).await? {
            Ok(_) | Err(Refused::Rule(PaymentError::Denied(_))) => {}
            Err(refused) => return Err(refused.into()),
        }
    }
    see(&path)
}
