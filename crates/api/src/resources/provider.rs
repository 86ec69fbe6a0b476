//! `/invoices/cfdi/provider`: the certification provider (PAC) that stamps for the account.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::{StatusCode, header::ETAG};

use intake::SentBack;
use invoices::issuer::{self, Wanted};

use crate::{
    answer::Answer,
    call::Call,
    crud,
    endpoint::{Endpoint, changes, plain, taking},
    error::{ApiError, Code},
    reply::{answered, written},
};
use body::ProviderBody;

const PROVIDER: &str = "/invoices/cfdi/provider";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(PROVIDER, Scope::Invoices, plain(show))
            .of_only_one()
            .summary("Get the provider")
            .describes(
                "The certification provider (PAC) that stamps for the account. Secrets are never \
                 shown.",
            )
            .answers::<ProviderBody>(200, "The provider.", examples::PROVIDER),
        Endpoint::put(PROVIDER, Scope::Invoices, taking(changes(forms::CHOOSE), choose))
            .summary("Set the provider")
            .describes(
                "Selects the provider that stamps invoices: in a live account `sw` (SW sapien; \
                 `user` and `password`, or `token`) or `finkok` (`user` and `password`), in a test \
                 account the embedded `sandbox`, whose stamps have no fiscal value. Omitted secrets are kept as long as \
                 provider and user stay the same. Neither provider nor user can be changed while \
                 invoices are being stamped. `simulate` sets the outcomes that the sandbox \
                 simulates, for testing clients.",
            )
            .answers::<ProviderBody>(200, "The updated provider.", examples::PROVIDER)
            .refuses(&[Code::InProgress]),
    ]
}

async fn show(call: Call) -> Result<Answer, ApiError> {
    let choice = answered(call.services().issuers.provider(call.account)).await?;
    let shown = ProviderBody::from(choice);
    Answer::tagged(call.headers(), &shown, shown.etag())
}

async fn choose(call: Call, (wanted, sent_back): (Wanted, SentBack)) -> Result<Answer, ApiError> {
    let issuers = &call.services().issuers;
    let current = answered(issuers.provider(call.account)).await?;
    let shown = ProviderBody::from(current.clone());
    crud::unchanged_at(&call, sent_back, &shown, shown.etag())?;
    call.expect_version(Some(current.version()))?;
    let command =
        issuer::resolved(wanted, &current).map_err(|fault| ApiError::of_faults(&[fault]))?;
    // Somebody else may choose meanwhile.
    let seen = call.expected_version();
    let done = written(issuers.choose_provider(call.ctx()?, command, seen)).await?;
    let shown = ProviderBody::from(done.value);
    Answer::json(StatusCode::OK, &shown)?.with(ETAG, shown.etag())
}
