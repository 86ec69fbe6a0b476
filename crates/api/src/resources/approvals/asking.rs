//! What calls are answered with that need an approval first.

use actix_web::http::{StatusCode, header::LOCATION};
use approvals::{ApprovalId, Gate, Passed};
use kernel::{Done, Refused};

use super::{TicketBody, person};
use crate::{
    BASE_PATH,
    answer::{Answer, Resource},
    call::Call,
    error::ApiError,
    reply::{answered, outcome},
};

/// What has come of a call at its gate.
pub(in crate::resources) enum Passage<T> {
    /// It waits for an approval, which this answer names.
    Waits(Answer),
    /// It was carried out.
    Done(Done<T>),
    /// It is to be carried out as if there were no gate.
    Free,
}

/// Takes a command through its gate: what comes of it, or why it is refused.
pub(in crate::resources) async fn passage<C, T, E>(
    call: &Call,
    gate: &dyn Gate<C, T, E>,
    command: &C,
) -> Result<Result<Passage<T>, Refused<E>>, ApiError>
where
    C: Clone,
{
    let ctx = call.ctx()?;
    if !answered(gate.is_guarded(&ctx)).await? {
        return Ok(Ok(Passage::Free));
    }
    let done = match outcome(gate.ask(ctx, person(call)?, command.clone())).await? {
        Ok(done) => done,
        Err(refused) => return Ok(Err(refused)),
    };
    Ok(Ok(match done {
        Done { value: Passed::Asked(id), replayed } => Passage::Waits(ticket(id, replayed)?),
        Done { value: Passed::Done(value), replayed } => Passage::Done(Done { value, replayed }),
        Done { value: Passed::Free, .. } => Passage::Free,
    }))
}

fn ticket(id: ApprovalId, replayed: bool) -> Result<Answer, ApiError> {
    let location = format!("{BASE_PATH}{}/{id}", super::ApprovalBody::PATH);
    let answer = Answer::json(StatusCode::ACCEPTED, &TicketBody::new(id))?;
    answer.with(LOCATION, location)?.replayed(replayed)
}
