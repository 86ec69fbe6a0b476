//! `/credits`: what stamping takes.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::StatusCode;

use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, plain},
    error::ApiError,
    page::PageOf,
    reply::answered,
};
use body::{BalanceBody, EntryBody};

const BALANCE: &str = "/credits";
const LEDGER: &str = EntryBody::PATH;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(BALANCE, Scope::Invoices, plain(show))
            .summary("Get the credits")
            .describes(
                "What the account can spend. Stamping sets its credits aside before the provider is \
                 called; they are spent with the stamp, and come back when there is none.",
            )
            .answers::<BalanceBody>(200, "The credits.", examples::BALANCE),
        Endpoint::get(LEDGER, Scope::Invoices, crud::list::<EntryBody, _, _>(forms::LEDGER, |services, account, query| {
                services.credits.ledger(account, query)
            }))
            .summary("List entries of the ledger of credits")
            .describes("Every change of the credits, newest first. Entries never change.")
            .answers::<PageOf<EntryBody>>(200, "A page of entries.", examples::LEDGER),
    ]
}

async fn show(call: Call) -> Result<Answer, ApiError> {
    let balance = answered(call.services().credits.balance(call.account)).await?;
    Answer::json(StatusCode::OK, &BalanceBody::from(balance))
}
