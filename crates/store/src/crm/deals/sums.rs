//! What the deals of a stage come to, changed with them: once before the commit for all commands of a transaction.

use std::collections::BTreeMap;

use ::crm::{
    StageId,
    board::{StageSum, SumChange},
};
use diesel::{prelude::*, upsert::excluded};
use engine::Late;
use kernel::{AccountId, Sum};

use crate::{
    db::{Db, on},
    rows::{currency, read},
    schema::deal_sums::{self as table, dsl},
    tx::Tx,
};

/// Millionths of a whole unit.
const UNIT: i64 = 1_000_000;

#[derive(Clone, Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct SumRow {
    account_id: String,
    pipeline_id: String,
    stage_id: String,
    currency: String,
    deal_count: i64,
    units: i64,
    micros: i64,
}

impl Late for SumRow {
    fn write(rows: Vec<Self>, tx: &mut Tx<'_>) -> QueryResult<()> {
        // In one order, so that nodes do not wait for each other in a circle.
        let mut changes: BTreeMap<_, Self> = BTreeMap::new();
        for row in rows {
            let key = (
                row.account_id.clone(),
                row.pipeline_id.clone(),
                row.stage_id.clone(),
                row.currency.clone(),
            );
            match changes.get_mut(&key) {
                Some(known) => {
                    known.deal_count += row.deal_count;
                    known.units += row.units;
                    known.micros += row.micros;
                }
                None => drop(changes.insert(key, row)),
            }
        }
        for row in changes.values() {
            if (row.deal_count, row.units, row.micros) != (0, 0, 0) {
                add(tx.db, row)?;
            }
        }
        Ok(())
    }
}

fn add(db: &mut Db, row: &SumRow) -> QueryResult<()> {
    let key = (&row.account_id, &row.pipeline_id, &row.stage_id, &row.currency);
    let this = dsl::deal_sums
        .filter(dsl::account_id.eq(key.0))
        .filter(dsl::pipeline_id.eq(key.1))
        .filter(dsl::stage_id.eq(key.2))
        .filter(dsl::currency.eq(key.3));
    let changed = diesel::update(this)
        .set((
            dsl::deal_count.eq(dsl::deal_count + row.deal_count),
            dsl::units.eq(dsl::units + row.units),
            dsl::micros.eq(dsl::micros + row.micros),
        ))
        .execute(db)?;
    if changed == 0 {
        on!(db, |conn| diesel::insert_into(table::table)
            .values(row)
            .on_conflict((dsl::account_id, dsl::pipeline_id, dsl::stage_id, dsl::currency))
            .do_update()
            .set((
                dsl::deal_count.eq(dsl::deal_count + excluded(dsl::deal_count)),
                dsl::units.eq(dsl::units + excluded(dsl::units)),
                dsl::micros.eq(dsl::micros + excluded(dsl::micros)),
            ))
            .execute(conn))?;
    }
    Ok(())
}

/// Has sums changed before the commit.
pub(super) fn change(tx: &mut Tx<'_>, account: AccountId, changes: Vec<SumChange>) {
    let row = |change: SumChange| SumRow {
        account_id: account.to_string(),
        pipeline_id: change.pipeline.to_string(),
        stage_id: change.stage.to_string(),
        currency: change.currency.to_string(),
        deal_count: change.count,
        units: change.value.micros() / UNIT,
        micros: change.value.micros() % UNIT,
    };
    tx.effects.leave(changes.into_iter().map(row).collect());
}

/// The sums of the stages of a pipeline.
pub(super) fn of_pipeline(
    db: &mut Db,
    account: AccountId,
    pipeline: ::crm::PipelineId,
) -> QueryResult<Vec<(StageId, StageSum)>> {
    let rows: Vec<SumRow> = dsl::deal_sums
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::pipeline_id.eq(pipeline.to_string()))
        .select(SumRow::as_select())
        .load(db)?;
    let sum = |row: SumRow| {
        let value = i128::from(row.units) * i128::from(UNIT) + i128::from(row.micros);
        let sum = StageSum {
            currency: currency(&row.currency)?,
            count: u64::try_from(row.deal_count).unwrap_or_default(),
            value: Sum::from_micros(value),
        };
        Ok((read(&row.stage_id, StageId::parse)?, sum))
    };
    rows.into_iter().map(sum).collect()
}
