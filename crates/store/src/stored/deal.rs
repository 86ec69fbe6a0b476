//! Deals and their pipelines.

use crm::{
    CustomerId, Deal, DealId, DealPlace, DealStatus, LeadId, Pipeline, PipelineId, Rank, Stage,
    StageId,
};
use kernel::{Amount, Currency, Day, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::forms::{Each, Form, Maybe, forms};

forms!(DealForm of Deal, DealPlaceForm of DealPlace, PipelineForm of Pipeline, StageForm of Stage);

/// Release 0.1.0 knew no pipelines: what it wrote has neither place nor what follows from one.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Deal")]
pub(super) struct DealForm {
    id: DealId,
    title: String,
    value: Amount,
    currency: Currency,
    #[serde(with = "DealStatusForm")]
    status: DealStatus,
    #[serde(default, with = "Maybe::<DealPlaceForm>")]
    place: Option<DealPlace>,
    #[serde(default)]
    left: Option<StageId>,
    #[serde(default)]
    lost_reason: Option<String>,
    customer: Option<CustomerId>,
    lead: Option<LeadId>,
    owner: Option<String>,
    #[serde(default)]
    expected_close: Option<Day>,
    #[serde(default)]
    won_at: Option<Timestamp>,
    #[serde(default)]
    lost_at: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DealPlace")]
struct DealPlaceForm {
    pipeline: PipelineId,
    stage: StageId,
    #[serde(with = "RankForm")]
    rank: Rank,
}

/// A rank, as its text.
struct RankForm;

impl RankForm {
    fn serialize<S: Serializer>(rank: &Rank, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(rank.as_str())
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rank, D::Error> {
        let text = String::deserialize(deserializer)?;
        Rank::parse(&text).ok_or_else(|| D::Error::custom("must be a rank"))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DealStatus", rename_all = "lowercase")]
enum DealStatusForm {
    Open,
    Won,
    Lost,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Pipeline")]
pub(super) struct PipelineForm {
    id: PipelineId,
    name: String,
    is_default: bool,
    #[serde(with = "Each::<StageForm>")]
    stages: Vec<Stage>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Stage")]
struct StageForm {
    id: StageId,
    name: String,
    #[serde(with = "DealStatusForm")]
    kind: DealStatus,
    probability: u8,
}
