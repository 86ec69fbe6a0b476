//! What is done about a quote: it is sent to its customer, accepted or rejected on their word, or revised.

use accounts::{Right, Scope};
use approvals::{Passed, Person};
use intake::{Form, checks::line, noun};
use kernel::{FieldFault, message};
use orders::PlaceError;
use quotes::{
    AcceptQuote, NAME_CHARS_MAX, Quote, QuoteError, REASON_CHARS_MAX, RejectQuote, SendQuote,
    Status, Via,
};

use super::{PATH, numbered, quote};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{day, money},
    page::Page,
    pages::money::asking,
    parts::{Field, Link},
    reply::{answered, carried_out, whole},
};

pub(super) const WRITE: Right = Right::write(Scope::Deals);

const ACCEPTANCE: Form<Option<String>> = Form::body(
    "Acceptance",
    noun("this form", "este formulario"),
    |fields| Some(fields.optional("name", line(NAME_CHARS_MAX))),
    "",
);
const REJECTION: Form<Option<String>> = Form::body(
    "Rejection",
    noun("this form", "este formulario"),
    |fields| Some(fields.optional("reason", line(REASON_CHARS_MAX))),
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("quotes/{id}/send", WRITE, ask_send),
        Page::post("quotes/{id}/send", WRITE, send),
        Page::get("quotes/{id}/accept", WRITE, ask_accept),
        Page::post("quotes/{id}/accept", WRITE, accept),
        Page::get("quotes/{id}/reject", WRITE, ask_reject),
        Page::post("quotes/{id}/reject", WRITE, reject),
        Page::get("quotes/{id}/revise", WRITE, ask_revise),
        Page::post("quotes/{id}/revise", WRITE, revise),
        Page::get("quotes/{id}/order", WRITE, ask_order),
        Page::post("quotes/{id}/order", WRITE, order),
    ]
}

/// What the member may do about a quote as it stands: what it is called, and its path below that of the quote.
pub(super) fn offered(call: &Call<Member>, quote: &Quote) -> Vec<(&'static str, &'static str)> {
    let say = call.say();
    if !call.may(WRITE) {
        return Vec::new();
    }
    match quote.status(call.now()) {
        Status::Draft => {
            vec![(say.send_quote(), "send"), (say.edit(), "edit"), (say.delete(), "delete")]
        }
        Status::Sent => vec![
            (say.accept_quote(), "accept"),
            (say.reject_quote(), "reject"),
            (say.revise_quote(), "revise"),
        ],
        Status::Expired => {
            vec![(say.accept_quote(), "accept"), (say.revise_quote(), "revise")]
        }
        Status::Rejected => vec![(say.revise_quote(), "revise")],
        Status::Accepted => {
            vec![(say.order_quote(), "order"), (say.reject_quote(), "reject")]
        }
        Status::Ordered | Status::Superseded => Vec::new(),
    }
}

pub(super) fn place(call: &Call<Member>, quote: &Quote) -> String {
    format!("{}/{}", call.href(PATH), quote.id)
}

pub(super) fn done(call: &Call<Member>, quote: &Quote, word: &str) -> Answer {
    call.done_at(&format!("{PATH}/{}", quote.id), word)
}

/// Asks before something is done: what it is called, and its path; what it means; and what is to be filled in.
fn ask(
    call: &Call<Member>,
    quote: &Quote,
    (label, path): (&'static str, &'static str),
    text: String,
    fields: Vec<Field>,
    faults: &[FieldFault],
) -> Answer {
    let form = call.form(format!("{}/{path}", place(call, quote)), fields, label, faults);
    let back = Link::new(numbered(quote), place(call, quote));
    asking(call, (label.to_owned(), text), &form, faults, back)
}

async fn ask_send(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = quote(&call).await?;
    Ok(sending(&call, &quote, &[]))
}

fn sending(call: &Call<Member>, quote: &Quote, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let total = money(quote.offered.total, quote.offered.currency);
    let text = say.send_quote_intro(&total, &day(quote.valid_until.date(), call.language));
    let action = format!("{}/send", place(call, quote));
    let form = call.form(action, Vec::new(), say.send_quote(), faults);
    let form = form.hidden("version", quote.version.to_string());
    let back = Link::new(numbered(quote), place(call, quote));
    asking(call, (say.send_quote().to_owned(), text), &form, faults, back)
}

async fn send(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = quote(&call).await?;
    // What the customer is bound to be offered is what was looked at.
    let command = SendQuote { id: quote.id, version: call.seen_version() };
    let gate = &call.services().quoting_gate;
    if answered(gate.is_guarded(&call.ctx())).await? {
        let by = Person::User(call.who.person.0.user.id);
        let asked = gate.ask(call.ctx(), by, command.clone());
        match carried_out(asked, |error| told(&error)).await? {
            Ok(Passed::Free) => {}
            Ok(Passed::Asked(_)) => return Ok(done(&call, &quote, "approval.asked")),
            Ok(Passed::Done(_)) => return Ok(done(&call, &quote, "quote.sent")),
            Err(faults) => return unsent(&call, &faults).await,
        }
    }
    let sending_it = call.services().quotes.send(call.ctx(), command);
    match carried_out(sending_it, |error| told(&error)).await? {
        Ok(_) => Ok(done(&call, &quote, "quote.sent")),
        Err(faults) => unsent(&call, &faults).await,
    }
}

/// Asks again about the quote as it is by now.
async fn unsent(call: &Call<Member>, faults: &[FieldFault]) -> Result<Answer, Failure> {
    let quote = quote(call).await?;
    Ok(sending(call, &quote, faults))
}

async fn ask_accept(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = quote(&call).await?;
    Ok(accepting(&call, &quote, &Values::default(), &[]))
}

fn accepting(call: &Call<Member>, quote: &Quote, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let name = Field::text("name", say.accepted_by(), values);
    let text = say.accept_quote_intro().to_owned();
    ask(call, quote, (say.accept_quote(), "accept"), text, vec![name], faults)
}

async fn accept(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = quote(&call).await?;
    let name = match call.read(&ACCEPTANCE)? {
        Ok(name) => name,
        Err(faults) => return Ok(accepting(&call, &quote, call.sent.values(), &faults)),
    };
    let revision = Some(quote.revision);
    let command = AcceptQuote { id: quote.id, revision, via: Via::Merchant, name };
    let accepting_it = call.services().quotes.accept(call.ctx(), command);
    Ok(match carried_out(accepting_it, |error| told(&error)).await? {
        Ok(_) => done(&call, &quote, "quote.accepted"),
        Err(faults) => accepting(&call, &quote, call.sent.values(), &faults),
    })
}

async fn ask_reject(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = quote(&call).await?;
    Ok(rejecting(&call, &quote, &Values::default(), &[]))
}

fn rejecting(call: &Call<Member>, quote: &Quote, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let reason = Field::text("reason", say.reason(), values);
    let text = say.reject_quote_intro().to_owned();
    ask(call, quote, (say.reject_quote(), "reject"), text, vec![reason], faults)
}

async fn reject(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = quote(&call).await?;
    let reason = match call.read(&REJECTION)? {
        Ok(reason) => reason,
        Err(faults) => return Ok(rejecting(&call, &quote, call.sent.values(), &faults)),
    };
    let revision = Some(quote.revision);
    let command = RejectQuote { id: quote.id, revision, via: Via::Merchant, reason };
    let rejecting_it = call.services().quotes.reject(call.ctx(), command);
    Ok(match carried_out(rejecting_it, |error| told(&error)).await? {
        Ok(_) => done(&call, &quote, "quote.rejected"),
        Err(faults) => rejecting(&call, &quote, call.sent.values(), &faults),
    })
}

async fn ask_revise(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = quote(&call).await?;
    Ok(revising(&call, &quote, &[]))
}

fn revising(call: &Call<Member>, quote: &Quote, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let text = say.revise_quote_intro().to_owned();
    ask(call, quote, (say.revise_quote(), "revise"), text, Vec::new(), faults)
}

async fn revise(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = quote(&call).await?;
    let revising_it = call.services().quotes.revise(call.ctx(), quote.id);
    Ok(match carried_out(revising_it, |error| told(&error)).await? {
        Ok(revision) => done(&call, &revision, "quote.revised"),
        Err(faults) => revising(&call, &quote, &faults),
    })
}

async fn ask_order(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = quote(&call).await?;
    Ok(ordering(&call, &quote, &[]))
}

fn ordering(call: &Call<Member>, quote: &Quote, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let text = say.order_quote_intro().to_owned();
    ask(call, quote, (say.order_quote(), "order"), text, Vec::new(), faults)
}

/// Tries again to place the order of a quote that was accepted.
async fn order(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = quote(&call).await?;
    let ordering_it = call.services().quotes.order(call.ctx(), quote.id);
    Ok(match carried_out(ordering_it, |error| told(&error)).await? {
        Ok(_) => done(&call, &quote, "quote.ordered"),
        Err(faults) => ordering(&call, &quote, &faults),
    })
}

/// Why a quote stays as it is.
pub(super) fn told(error: &QuoteError) -> FieldFault {
    whole(match error {
        QuoteError::InvalidTransition { .. } | QuoteError::NotDraft { .. } => message!(
            "A quote in this state does not allow this.",
            "Una cotización en este estado no lo permite."
        ),
        QuoteError::OtherRevision { .. } => message!(
            "A later revision has been offered. Look at that one.",
            "Ya se ofrece otra versión. Revisa esa."
        ),
        QuoteError::RevisionExists { .. } => message!(
            "There is a draft of the next revision already.",
            "Ya hay un borrador de la siguiente versión."
        ),
        QuoteError::AlreadyAccepted { .. } => {
            message!("An earlier revision was accepted.", "Ya se aceptó una versión anterior.")
        }
        QuoteError::NoProvider { .. } => message!(
            "No payment provider collects such an amount by a link.",
            "Ningún proveedor de pagos cobra un importe así con una liga."
        ),
        QuoteError::Place(PlaceError::OutOfStock(_)) => {
            message!("There is too little in stock.", "No hay existencias suficientes.")
        }
        QuoteError::Place(_) => message!(
            "No order can be created from it as it stands.",
            "Así como está no se puede hacer un pedido."
        ),
    })
}
