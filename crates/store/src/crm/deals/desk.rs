//! What an account has of pipelines, made on first use.

use ::crm::{
    Deal, DealPlace, Pipeline, PipelineId, StageId,
    board::changes,
    deal::default_of,
    pipeline::{self},
    rank,
};
use diesel::prelude::*;
use kernel::{AccountId, Ctx};

use super::{note, pipelines, places, rows::DealRow, sums};
use crate::{
    db::{Db, first_locked},
    rows::corrupt,
    schema::{
        deal_settings::{self, dsl},
        deals,
    },
    tx::Tx,
};

/// How many deals that are in no pipeline are taken in at once.
const TAKEN_IN_MAX: i64 = 1_000;

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = deal_settings, treat_none_as_default_value = false)]
struct SettingsRow {
    account_id: String,
    default_pipeline_id: String,
}

/// The pipelines of an account, locked until the end of the transaction.
pub(in crate::crm) struct Desk {
    pub(in crate::crm) pipelines: Vec<Pipeline>,
}

impl Desk {
    /// Locks the pipelines of an account. The first time it gets its default one; deals that are in none are taken in.
    pub(in crate::crm) fn open(tx: &mut Tx<'_>, ctx: &Ctx) -> QueryResult<Self> {
        let own = deal_settings::table.filter(dsl::account_id.eq(ctx.account.to_string()));
        if first_locked!(tx.db, SettingsRow, own)?.is_none() {
            begin(tx, ctx)?;
        }
        let desk = Self { pipelines: pipelines::all(tx.db, ctx.account)? };
        desk.take_in(tx, ctx.account)?;
        Ok(desk)
    }

    /// The first stage of the default pipeline.
    pub(in crate::crm) fn first(&self) -> QueryResult<(PipelineId, StageId)> {
        let pipeline = default_of(&self.pipelines);
        let stage = pipeline.and_then(|pipeline| pipeline.first(::crm::DealStatus::Open));
        let found = pipeline.zip(stage).map(|(pipeline, stage)| (pipeline.id, stage.id));
        found.ok_or_else(|| corrupt("an account without an open stage"))
    }

    /// Takes in deals that a release without pipelines has made; all of them are open.
    fn take_in(&self, tx: &mut Tx<'_>, account: AccountId) -> QueryResult<()> {
        let outside: Vec<DealRow> = outside(account)
            .order(deals::id)
            .limit(TAKEN_IN_MAX)
            .select(DealRow::as_select())
            .load(tx.db)?;
        if outside.is_empty() {
            return Ok(());
        }
        let (pipeline, stage) = self.first()?;
        let next = places::last(tx, account, (pipeline, stage))?.rank;
        let more = rank::spread(Some(&next), None, outside.len().saturating_sub(1));
        let ranks = [next].into_iter().chain(more.unwrap_or_default());
        for (row, rank) in outside.into_iter().zip(ranks) {
            let before = row.deal()?;
            let after = Deal { place: Some(DealPlace { pipeline, stage, rank }), ..before };
            super::rows::save(tx, account, &after)?;
            note(tx, account, None, &after, after.created_at)?;
            sums::change(tx, account, changes(None, Some(&after)));
        }
        Ok(())
    }
}

#[diesel::dsl::auto_type(no_type_alias)]
fn outside(account: AccountId) -> _ {
    let account: String = account.to_string();
    deals::table.filter(deals::account_id.eq(account)).filter(deals::stage_id.is_null())
}

/// Whether an account has pipelines, and every deal is in one.
pub(super) fn is_ready(db: &mut Db, account: AccountId) -> QueryResult<bool> {
    if default(db, account)?.is_none() {
        return Ok(false);
    }
    let first: Option<String> = outside(account).select(deals::id).first(db).optional()?;
    Ok(first.is_none())
}

/// The identifier of the default pipeline.
fn default(db: &mut Db, account: AccountId) -> QueryResult<Option<String>> {
    deal_settings::table
        .filter(dsl::account_id.eq(account.to_string()))
        .select(dsl::default_pipeline_id)
        .first(db)
        .optional()
}

/// Makes another pipeline the default one.
pub(super) fn set_default(
    db: &mut Db,
    account: AccountId,
    pipeline: PipelineId,
) -> QueryResult<()> {
    let own = deal_settings::table.filter(dsl::account_id.eq(account.to_string()));
    diesel::update(own).set(dsl::default_pipeline_id.eq(pipeline.to_string())).execute(db).map(drop)
}

fn begin(tx: &mut Tx<'_>, ctx: &Ctx) -> QueryResult<()> {
    let id = PipelineId::from_u128(tx.ids.next());
    let row =
        SettingsRow { account_id: ctx.account.to_string(), default_pipeline_id: id.to_string() };
    // Another node that begins at the same time waits here, and finds this one's pipeline when it tries again.
    diesel::insert_into(deal_settings::table).values(&row).execute(tx.db)?;
    let ids = tx.ids;
    let standard = pipeline::standard(id, || StageId::from_u128(ids.next()), ctx.now);
    pipelines::insert(tx, ctx.account, &standard)
}
