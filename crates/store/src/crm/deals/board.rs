//! Boards, read from the sums, with the first deals of their stages.

use ::crm::{
    Board, DealId, PipelineId, StageId,
    board::{Card, board as with_sums},
    deal::default_of,
};
use diesel::{
    QueryResult, RunQueryDsl,
    sql_types::{BigInt, Nullable, Text},
};
use kernel::{AccountId, Amount};

use super::{pipelines, sums};
use crate::{
    db::Db,
    rows::{currency, read},
    statement::{Bound, Statement},
    unreadable::readable,
};

/// The first deals of each stage of a pipeline, each stage entered by the index of its order and left after so many: takes how
/// many, the account and the pipeline.
const CARDS: &str = "SELECT d.id, s.id, d.title, d.value, d.currency, d.owner_id FROM pipeline_stages s \
    CROSS JOIN LATERAL (SELECT e.id, e.title, e.value, e.currency, e.owner_id, e.rank FROM deals e \
    WHERE e.account_id = s.account_id AND e.stage_id = s.id ORDER BY e.rank LIMIT ?) d \
    WHERE s.account_id = ? AND s.pipeline_id = ? ORDER BY s.place, d.rank";

/// The same where nothing is joined laterally: up to the rank of the last one, of which it takes the place, if there are so many.
const CARDS_BY_RANK: &str = "SELECT d.id, s.id, d.title, d.value, d.currency, d.owner_id FROM pipeline_stages s CROSS JOIN deals d \
    WHERE d.account_id = s.account_id AND d.stage_id = s.id AND d.rank <= COALESCE((SELECT e.rank FROM deals e \
    WHERE e.account_id = s.account_id AND e.stage_id = s.id ORDER BY e.rank LIMIT 1 OFFSET ?), '~') \
    AND s.account_id = ? AND s.pipeline_id = ? ORDER BY s.place, d.rank";

type Columns = (Text, Text, Text, BigInt, Text, Nullable<Text>);

type Row = (String, String, String, i64, String, Option<String>);

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

pub(super) fn cards(
    db: &mut Db,
    account: AccountId,
    pipeline: PipelineId,
    each: u32,
) -> QueryResult<Vec<Card>> {
    if each == 0 {
        return Ok(Vec::new());
    }
    let (own, each) = (account.to_string(), i64::from(each));
    let (place, pipeline) = (own.clone(), pipeline.to_string());
    let rows: Vec<Row> = match db {
        Db::Postgres(conn) => {
            let values: [Bound; 3] = [each.into(), place.into(), pipeline.into()];
            Statement::<Columns>::new(CARDS, values).load(conn)?
        }
        Db::Sqlite(conn) => {
            let values: [Bound; 3] = [(each - 1).into(), place.into(), pipeline.into()];
            Statement::<Columns>::new(CARDS_BY_RANK, values).load(conn)?
        }
    };
    readable("deal", rows.into_iter().map(|row| ((own.clone(), row.0.clone()), card(row))))
}

fn card((deal, stage, title, value, code, owner): Row) -> QueryResult<Card> {
    Ok(Card {
        deal: read(&deal, DealId::parse)?,
        stage: read(&stage, StageId::parse)?,
        title,
        value: Amount::from_micros(value),
        currency: currency(&code)?,
        owner,
    })
}
