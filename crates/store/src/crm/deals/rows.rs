//! Deals as rows.

use ::crm::{CustomerId, Deal, DealId, DealPlace, DealStatus, LeadId, PipelineId, Rank, StageId};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{AccountId, Amount, Day, Timestamp};

use crate::{
    db::{Db, first_locked, on},
    lookups::Key,
    rows::{currency, micros, moment, read, read_name, read_optional},
    schema::deals::{self as table, dsl},
    statement::update,
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
pub(in crate::crm) struct DealRow {
    account_id: String,
    pub(super) id: String,
    title: String,
    value: i64,
    currency: String,
    status: String,
    customer_id: Option<String>,
    lead_id: Option<String>,
    owner_id: Option<String>,
    created_at: i64,
    pub(super) updated_at: i64,
    version: i64,
    pipeline_id: Option<String>,
    stage_id: Option<String>,
    pub(super) rank: Option<String>,
    left_stage_id: Option<String>,
    lost_reason: Option<String>,
    expected_close: Option<String>,
    won_at: Option<i64>,
    lost_at: Option<i64>,
}

impl DealRow {
    pub(in crate::crm) fn of(account: AccountId, deal: &Deal) -> Self {
        let place = deal.place.as_ref();
        Self {
            account_id: account.to_string(),
            id: deal.id.to_string(),
            title: deal.title.clone(),
            value: deal.value.micros(),
            currency: deal.currency.to_string(),
            status: deal.status.name().to_owned(),
            customer_id: deal.customer.map(|id| id.to_string()),
            lead_id: deal.lead.map(|id| id.to_string()),
            owner_id: deal.owner.clone(),
            created_at: deal.created_at.micros(),
            updated_at: deal.updated_at.micros(),
            version: deal.version,
            pipeline_id: place.map(|place| place.pipeline.to_string()),
            stage_id: place.map(|place| place.stage.to_string()),
            rank: place.map(|place| place.rank.to_string()),
            left_stage_id: deal.left.map(|id| id.to_string()),
            lost_reason: deal.lost_reason.clone(),
            expected_close: deal.expected_close.map(|day| day.to_string()),
            won_at: micros(deal.won_at),
            lost_at: micros(deal.lost_at),
        }
    }

    pub(super) fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    pub(in crate::crm) fn deal(self) -> Result<Deal, DieselError> {
        let place = match (self.pipeline_id, self.stage_id, self.rank) {
            (Some(pipeline), Some(stage), Some(rank)) => Some(DealPlace {
                pipeline: read(&pipeline, PipelineId::parse)?,
                stage: read(&stage, StageId::parse)?,
                rank: read(&rank, Rank::parse)?,
            }),
            _ => None,
        };
        Ok(Deal {
            id: read(&self.id, DealId::parse)?,
            title: self.title,
            value: Amount::from_micros(self.value),
            currency: currency(&self.currency)?,
            status: read_name(&self.status, DealStatus::EVERY, DealStatus::name)?,
            place,
            left: read_optional(self.left_stage_id, StageId::parse)?,
            lost_reason: self.lost_reason,
            customer: read_optional(self.customer_id, CustomerId::parse)?,
            lead: read_optional(self.lead_id, LeadId::parse)?,
            owner: self.owner_id,
            expected_close: read_optional(self.expected_close, Day::parse)?,
            won_at: moment(self.won_at),
            lost_at: moment(self.lost_at),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, id: DealId) -> _ {
    let (account, id): (String, String) = (account.to_string(), id.to_string());
    table::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id))
}

pub(crate) fn by_id(db: &mut Db, account: AccountId, id: DealId) -> QueryResult<Option<Deal>> {
    let row: Option<DealRow> =
        this(account, id).select(DealRow::as_select()).first(db).optional()?;
    row.map(DealRow::deal).transpose()
}

pub(in crate::crm) fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: DealId,
) -> QueryResult<Option<Deal>> {
    let row = first_locked!(tx.db, DealRow, this(account, id))?;
    row.map(DealRow::deal).transpose()
}

/// A deal that cannot be deleted until the end of the transaction.
pub(crate) fn kept(tx: &mut Tx<'_>, account: AccountId, id: DealId) -> QueryResult<Option<Deal>> {
    locked(tx, account, id)
}

pub(super) fn save(tx: &mut Tx<'_>, account: AccountId, deal: &Deal) -> QueryResult<()> {
    let row = DealRow::of(account, deal);
    let update = update!(
        "deals", row as DealRow,
        set title, value, currency, status, customer_id, lead_id, owner_id, created_at, updated_at, version, pipeline_id,
            stage_id, rank, left_stage_id, lost_reason, expected_close, won_at, lost_at;
        key account_id, id
    );
    on!(tx.db, |conn| update.execute(conn)).map(drop)
}
