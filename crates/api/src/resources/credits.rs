//! `/credits`: the prepaid credits that stamping consumes.

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
    reply::answered,
};
use body::{BalanceBody, EntryBody};

const BALANCE: &str = "/credits";
const LEDGER: &str = EntryBody::PATH;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(BALANCE, Scope::Invoices, plain(show))
            .summary("Get the credit balance")
            .describes(
                "The account's credit balance. Stamping reserves credits before the provider is \
                 called; they are charged when the stamp is obtained and released otherwise.",
            )
            .answers::<BalanceBody>(200, "The balance.", examples::BALANCE),
        Endpoint::get(
            LEDGER,
            Scope::Invoices,
            crud::list::<EntryBody, _, _>(forms::LEDGER, |services, account, query| {
                services.credits.ledger(account, query)
            }),
        )
        .summary("List credit entries")
        .describes("Every change of the balance, newest first. The ledger is append-only.")
        .pages::<EntryBody>("A page of ledger entries.", examples::LEDGER),
    ]
}

async fn show(call: Call) -> Result<Answer, ApiError> {
    let balance = answered(call.services().credits.balance(call.account)).await?;
    Answer::json(StatusCode::OK, &BalanceBody::from(balance))
}
