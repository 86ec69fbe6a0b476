//! Pipelines and their stages as rows.

use ::crm::{
    DealStatus, NewPipeline, Pipeline, PipelineError, PipelineId, Pipelines, Stage, StageId,
    UpdatePipeline,
    pipeline::{self, PIPELINES_MAX},
};
use diesel::{dsl::exists, prelude::*, select};
use kernel::{AccountId, Ctx, Fault, Pending, Refused, Timestamp, Written};

use super::desk::{self, Desk};
use crate::{
    db::{Db, on},
    error::{Failure, refuse_stale},
    readers::{Cost, snapshot},
    rows::{corrupt, read, read_name},
    schema::{deal_settings, deals, pipeline_stages, pipelines as table, pipelines::dsl},
    store::Store,
    tx::Tx,
};

type Outcome<T> = Result<T, Failure<PipelineError>>;

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = table, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct PipelineRow {
    account_id: String,
    id: String,
    name: String,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = pipeline_stages, treat_none_as_default_value = false)]
struct StageRow {
    account_id: String,
    pipeline_id: String,
    id: String,
    place: i64,
    name: String,
    kind: String,
    probability: i64,
}

impl PipelineRow {
    fn of(account: AccountId, pipeline: &Pipeline) -> Self {
        Self {
            account_id: account.to_string(),
            id: pipeline.id.to_string(),
            name: pipeline.name.clone(),
            created_at: pipeline.created_at.micros(),
            updated_at: pipeline.updated_at.micros(),
            version: pipeline.version,
        }
    }

    fn pipeline(self, default: Option<&str>, stages: &[StageRow]) -> QueryResult<Pipeline> {
        let own = stages.iter().filter(|stage| stage.pipeline_id == self.id);
        Ok(Pipeline {
            id: read(&self.id, PipelineId::parse)?,
            is_default: default == Some(self.id.as_str()),
            name: self.name,
            stages: own.map(StageRow::stage).collect::<QueryResult<_>>()?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

impl StageRow {
    fn stage(&self) -> QueryResult<Stage> {
        Ok(Stage {
            id: read(&self.id, StageId::parse)?,
            name: self.name.clone(),
            kind: read_name(&self.kind, DealStatus::EVERY, DealStatus::name)?,
            probability: u8::try_from(self.probability)
                .map_err(|_| corrupt("a probability that is none"))?,
        })
    }
}

/// The pipelines of an account, oldest first.
pub(super) fn all(db: &mut Db, account: AccountId) -> QueryResult<Vec<Pipeline>> {
    let account_id = account.to_string();
    let of_account = deal_settings::account_id.eq(dsl::account_id);
    let rows: Vec<(PipelineRow, Option<String>)> = on!(db, |conn| table::table
        .left_join(deal_settings::table.on(of_account))
        .filter(dsl::account_id.eq(&account_id))
        .order(dsl::id)
        .select((PipelineRow::as_select(), deal_settings::default_pipeline_id.nullable()))
        .load::<(PipelineRow, Option<String>)>(conn))?;
    let stages: Vec<StageRow> = pipeline_stages::table
        .filter(pipeline_stages::account_id.eq(&account_id))
        .order((pipeline_stages::pipeline_id, pipeline_stages::place))
        .select(StageRow::as_select())
        .load(db)?;
    rows.into_iter().map(|(row, default)| row.pipeline(default.as_deref(), &stages)).collect()
}

pub(super) fn insert(tx: &mut Tx<'_>, account: AccountId, pipeline: &Pipeline) -> QueryResult<()> {
    let row = PipelineRow::of(account, pipeline);
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    insert_stages(tx, account, pipeline)
}

fn insert_stages(tx: &mut Tx<'_>, account: AccountId, pipeline: &Pipeline) -> QueryResult<()> {
    for (place, stage) in (0_i64..).zip(&pipeline.stages) {
        let row = StageRow {
            account_id: account.to_string(),
            pipeline_id: pipeline.id.to_string(),
            id: stage.id.to_string(),
            place,
            name: stage.name.clone(),
            kind: stage.kind.name().to_owned(),
            probability: stage.probability.into(),
        };
        diesel::insert_into(pipeline_stages::table).values(&row).execute(tx.db)?;
    }
    Ok(())
}

fn delete_stages(tx: &mut Tx<'_>, account: AccountId, pipeline: PipelineId) -> QueryResult<()> {
    let own = pipeline_stages::table
        .filter(pipeline_stages::account_id.eq(account.to_string()))
        .filter(pipeline_stages::pipeline_id.eq(pipeline.to_string()));
    diesel::delete(own).execute(tx.db).map(drop)
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, id: PipelineId) -> _ {
    let (account, id): (String, String) = (account.to_string(), id.to_string());
    table::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id))
}

impl Pipelines for Store {
    fn is_ready(&self, account: AccountId) -> Pending<Result<bool, Fault>> {
        self.engine.read(Cost::Small, move |db| desk::is_ready(db, account))
    }

    fn prepare(&self, ctx: Ctx) -> Pending<Written<PipelineId, PipelineError>> {
        self.write(ctx, |tx, ctx| Ok(Desk::open(tx, ctx)?.first()?.0))
    }

    fn all(&self, account: AccountId) -> Pending<Result<Vec<Pipeline>, Fault>> {
        self.engine.read(Cost::Small, move |db| snapshot(db, |db| all(db, account)))
    }

    fn create(&self, ctx: Ctx, command: NewPipeline) -> Pending<Written<Pipeline, PipelineError>> {
        self.write(ctx, move |tx, ctx| create(tx, ctx, &command))
    }

    fn update(
        &self,
        ctx: Ctx,
        command: UpdatePipeline,
    ) -> Pending<Written<Pipeline, PipelineError>> {
        self.write(ctx, move |tx, ctx| update(tx, ctx, &command))
    }

    fn delete(
        &self,
        ctx: Ctx,
        id: PipelineId,
        version: Option<i64>,
    ) -> Pending<Written<PipelineId, PipelineError>> {
        self.write(ctx, move |tx, ctx| delete(tx, ctx, id, version))
    }
}

fn create(tx: &mut Tx<'_>, ctx: &Ctx, command: &NewPipeline) -> Outcome<Pipeline> {
    let desk = Desk::open(tx, ctx)?;
    if desk.pipelines.len() >= PIPELINES_MAX {
        return Err(Refused::Rule(PipelineError::TooMany).into());
    }
    let (ids, id) = (tx.ids, PipelineId::from_u128(tx.ids.next()));
    let new_stage = || StageId::from_u128(ids.next());
    let made = pipeline::create(command.clone(), id, new_stage, ctx.now);
    let made = made.map_err(Refused::Invalid)?;
    insert(tx, ctx.account, &made)?;
    if made.is_default {
        take_over(tx, ctx, &desk, id)?;
    }
    Ok(made)
}

/// Makes a pipeline the default one; the one before is changed by that.
fn take_over(tx: &mut Tx<'_>, ctx: &Ctx, desk: &Desk, id: PipelineId) -> QueryResult<()> {
    for pipeline in desk.pipelines.iter().filter(|pipeline| pipeline.is_default) {
        diesel::update(this(ctx.account, pipeline.id))
            .set((dsl::updated_at.eq(ctx.now.micros()), dsl::version.eq(dsl::version + 1)))
            .execute(tx.db)?;
    }
    desk::set_default(tx.db, ctx.account, id)
}

/// The pipeline, at the version that the caller has seen.
fn seen(desk: &Desk, id: PipelineId, version: Option<i64>) -> Outcome<&Pipeline> {
    let found = desk.pipelines.iter().find(|pipeline| pipeline.id == id);
    let found = found.ok_or(Refused::NotFound)?;
    refuse_stale(version, found.version)?;
    Ok(found)
}

fn update(tx: &mut Tx<'_>, ctx: &Ctx, command: &UpdatePipeline) -> Outcome<Pipeline> {
    let desk = Desk::open(tx, ctx)?;
    let before = seen(&desk, command.id, command.version)?;
    let ids = tx.ids;
    let new_stage = || StageId::from_u128(ids.next());
    let changed = pipeline::update(before, command.changes.clone(), new_stage, ctx.now);
    let changed = changed.map_err(Refused::Invalid)?;
    refuse_used(tx.db, ctx.account, &changed.emptied)?;
    let after = changed.pipeline;
    if after != *before {
        let row = PipelineRow::of(ctx.account, &after);
        diesel::update(this(ctx.account, after.id)).set(&row).execute(tx.db)?;
    }
    if after.stages != before.stages {
        delete_stages(tx, ctx.account, after.id)?;
        insert_stages(tx, ctx.account, &after)?;
    }
    if after.is_default && !before.is_default {
        take_over(tx, ctx, &desk, after.id)?;
    }
    Ok(after)
}

fn delete(tx: &mut Tx<'_>, ctx: &Ctx, id: PipelineId, version: Option<i64>) -> Outcome<PipelineId> {
    let desk = Desk::open(tx, ctx)?;
    let pipeline = seen(&desk, id, version)?;
    if pipeline.is_default {
        return Err(Refused::Rule(PipelineError::IsDefault).into());
    }
    refuse_used(tx.db, ctx.account, &pipeline.stages)?;
    delete_stages(tx, ctx.account, id)?;
    diesel::delete(this(ctx.account, id)).execute(tx.db)?;
    Ok(id)
}

/// Refuses to take away stages that deals are in.
fn refuse_used(db: &mut Db, account: AccountId, stages: &[Stage]) -> Outcome<()> {
    for stage in stages {
        let inside = deals::table
            .filter(deals::account_id.eq(account.to_string()))
            .filter(deals::stage_id.eq(stage.id.to_string()));
        if select(exists(inside)).get_result(db)? {
            let name = stage.name.clone();
            return Err(Refused::Rule(PipelineError::StageInUse { stage: stage.id, name }).into());
        }
    }
    Ok(())
}
