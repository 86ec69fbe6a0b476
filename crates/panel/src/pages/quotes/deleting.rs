//! A draft of a quote is deleted: nobody has seen it.

use kernel::FieldFault;
use quotes::{Quote, Status};

use super::{
    PATH,
    acts::{WRITE, told},
    numbered, quote,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    page::Page,
    pages::deletion::{DELETION, Going},
    reply::carried_out,
};

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("quotes/{id}/delete", WRITE, ask),
        Page::post("quotes/{id}/delete", WRITE, delete),
    ]
}

async fn ask(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = quote(&call).await?;
    // One that was sent stays, and its page says what can be done about it.
    match quote.status(call.now()) {
        Status::Draft => Ok(asked(&call, &quote, &[])),
        _ => Ok(Answer::see(&call.href(&format!("{PATH}/{}", quote.id)))),
    }
}

fn asked(call: &Call<Member>, quote: &Quote, faults: &[FieldFault]) -> Answer {
    let (place, name) = (format!("{PATH}/{}", quote.id), numbered(quote));
    let text = call.say().delete_quote_intro();
    Going { place, name: &name, version: quote.version, text }.asked(call, faults)
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let quote = quote(&call).await?;
    let version = match call.read(&DELETION)? {
        Ok(version) => version,
        Err(faults) => return Ok(asked(&call, &quote, &faults)),
    };
    let going = call.services().quotes.delete(call.ctx(), quote.id, version);
    Ok(match carried_out(going, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "quote.deleted"),
        Err(faults) => asked(&call, &quote, &faults),
    })
}
