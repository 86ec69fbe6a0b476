//! Stamping what a request has just made, under the same idempotency key.

use std::time::Duration;

use actix_web::http::header::{HeaderValue, LOCATION, RETRY_AFTER};
use invoices::{Certified, Certifier, InvoiceError, Status};
use kernel::{AccountId, Ctx, Done, Fault, Message, Pending, Refused};
use tokio::time::timeout;

use crate::{
    BASE_PATH, Services,
    answer::{Answer, Resource},
    call::Call,
    error::{ApiError, Code},
    reply::{found, outcome},
};

/// So long the answer to a new resource waits for its stamp: longer than it may wait in line before the provider is called.
const STAMP_PATIENCE: Duration = Duration::from_secs(20);

/// A resource that can be stamped as it is made.
pub(super) trait Stampable: Resource<Thing: Certified> {
    /// Who stamps it.
    fn certifier(services: &Services) -> &dyn Certifier<Self::Thing>;

    /// It, as it is now.
    fn get(
        services: &Services,
        account: AccountId,
        id: <Self::Thing as Certified>::Id,
    ) -> Pending<Result<Option<Self::Thing>, Fault>>;

    /// What is said where the draft has been made, and its turn to be stamped has not come.
    fn still_a_draft() -> Message;
}

/// Stamps a new draft. Who sends the request again is shown what has become of it.
pub(super) async fn stamped_at_once<B: Stampable>(
    call: &Call,
    mut ctx: Ctx,
    Done { value: draft, replayed }: Done<B::Thing>,
) -> Result<Answer, ApiError> {
    if let Some(idempotency) = &mut ctx.idempotency {
        idempotency.operation.push_str(" (stamp)");
    }
    let id = draft.id();
    let still_a_draft = || {
        let error =
            ApiError::new(Code::RateLimited, B::still_a_draft()).with(RETRY_AFTER, 5.into());
        Ok::<_, ApiError>(error.with(LOCATION, location::<B>(id)?))
    };
    let stamping = outcome(B::certifier(call.services()).stamp(ctx, id, None));
    match timeout(STAMP_PATIENCE, stamping).await {
        Ok(Ok(Ok(Done { value, .. }))) => {
            let value = B::in_language(value, call.language());
            Answer::created::<B>(Done { value, replayed })
        }
        Err(_) | Ok(Ok(Err(Refused::Rule(InvoiceError::OutcomeUnknown { .. })))) => {
            let seen = found(B::get(call.services(), call.account, id)).await?;
            match seen.status() {
                // Nothing is on record that would be resumed.
                Status::Draft => Err(still_a_draft()?),
                _ => {
                    let seen = B::in_language(seen, call.language());
                    Answer::accepted(&Done { value: B::from(seen), replayed })
                }
            }
        }
        Ok(Ok(Err(Refused::Busy))) => Err(still_a_draft()?),
        Ok(Ok(Err(refused))) => Err(ApiError::from(refused).with(LOCATION, location::<B>(id)?)),
        Ok(Err(stopped)) => Err(stopped),
    }
}

fn location<B: Stampable>(id: <B::Thing as Certified>::Id) -> Result<HeaderValue, ApiError> {
    let location = HeaderValue::from_str(&format!("{BASE_PATH}{}/{id}", B::PATH));
    location.map_err(|error| ApiError::internal(error.to_string()))
}
