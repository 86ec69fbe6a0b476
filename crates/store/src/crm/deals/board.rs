//! Boards, read from the sums.

use ::crm::{Board, PipelineId, board::board as with_sums, deal::default_of};
use diesel::QueryResult;
use kernel::AccountId;

use super::{pipelines, sums};
use crate::db::Db;

pub(super) fn board(
    db: &mut Db,
    account: AccountId,
    wanted: Option<PipelineId>,
) -> QueryResult<Option<Board>> {
    let pipelines = pipelines::all(db, account)?;
    let found = match wanted {
        Some(id) => pipelines.iter().find(|pipeline| pipeline.id == id),
        None => default_of(&pipelines),
    };
    let Some(pipeline) = found else { return Ok(None) };
    let sums = sums::of_pipeline(db, account, pipeline.id)?;
    Ok(Some(with_sums(pipeline.clone(), &sums)))
}
