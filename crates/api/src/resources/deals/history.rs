//! How the API shows what has happened to a deal.

use std::fmt::Display;

use crm::{HistoryEntry, HistoryId, StageId};
use kernel::{Amount, Currency, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// Something that has happened to a deal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DealHistoryEntry)]
pub(super) struct HistoryBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "dhe_01KGB3C5E7G9J1M3P5R7T9V1X3")]
    id: HistoryId,
    /// What happened.
    #[schema(value_type = shapes::DealHappening)]
    event: &'static str,
    /// Stage before.
    #[schema(value_type = Option<String>, example = "stage_01KGB2N4Q7T9W1Y3A5C7E9G1J3")]
    from_stage_id: Option<StageId>,
    /// Stage since.
    #[schema(value_type = Option<String>, example = "stage_01KGB2N4Q8V0X2Z4B6D8F0H2K4")]
    to_stage_id: Option<StageId>,
    /// Value since.
    #[schema(value_type = shapes::Amount)]
    value: Amount,
    /// Currency of the value.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Owner since.
    owner_id: Option<String>,
    /// Why it was lost.
    reason: Option<String>,
    /// When it happened.
    #[schema(value_type = shapes::Timestamp)]
    at: Timestamp,
}

impl Resource for HistoryBody {
    type Thing = HistoryEntry;

    const PATH: &'static str = "/crm/deals";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(1)
    }
}

impl From<HistoryEntry> for HistoryBody {
    fn from(entry: HistoryEntry) -> Self {
        let HistoryEntry { id, what, from, to, value, currency, owner, reason, at } = entry;
        Self {
            id,
            event: what.name(),
            from_stage_id: from,
            to_stage_id: to,
            value,
            currency,
            owner_id: owner,
            reason,
            at,
        }
    }
}
