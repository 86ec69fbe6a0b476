//! What calls are answered with that need an approval first.

use actix_web::http::{StatusCode, header::LOCATION};
use approvals::Gate;
use kernel::Done;

use super::{TicketBody, person};
use crate::{
    BASE_PATH,
    answer::{Answer, Resource},
    call::Call,
    error::ApiError,
    reply::{answered, written},
};

/// The answer to a call that waits for an approval from now on; `None` when nobody need be asked.
pub(in crate::resources) async fn ticket<C, T, E>(
    call: &Call,
    gate: &dyn Gate<C, T, E>,
    command: &C,
) -> Result<Option<Answer>, ApiError>
where
    C: Clone,
    E: Into<ApiError>,
{
    let ctx = call.ctx()?;
    if !answered(gate.is_guarded(&ctx)).await? {
        return Ok(None);
    }
    let Done { value, replayed } = written(gate.ask(ctx, person(call)?, command.clone())).await?;
    let Some(id) = value else { return Ok(None) };
    let location = format!("{BASE_PATH}{}/{id}", super::ApprovalBody::PATH);
    let answer = Answer::json(StatusCode::ACCEPTED, &TicketBody::new(id))?;
    Ok(Some(answer.with(LOCATION, location)?.replayed(replayed)?))
}
