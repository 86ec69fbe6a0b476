//! How the API shows a deal.

use std::fmt::Display;

use crm::{CustomerId, Deal, DealId, DealStatus, LeadId, PipelineId, StageId};
use kernel::{Amount, Currency, Day, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A deal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Deal)]
pub(in crate::resources) struct DealBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7")]
    id: DealId,
    /// Title of the deal; that of a converted lead defaults to the lead's company or name.
    title: String,
    /// Value of the deal; that of a converted lead defaults to the lead's estimated value.
    #[schema(value_type = shapes::Amount)]
    value: Amount,
    /// Currency of the value.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Current status: the kind of its stage.
    #[schema(value_type = shapes::DealStatus)]
    status: DealStatus,
    /// Pipeline of its stage; `null` only in an answer that was given before there were pipelines.
    #[schema(value_type = Option<String>, example = "pipe_01KGB2N4Q6S8V0X2Z4B6D8F0H2")]
    pipeline_id: Option<PipelineId>,
    /// Stage that it is in.
    #[schema(value_type = Option<String>, example = "stage_01KGB2N4Q7T9W1Y3A5C7E9G1J3")]
    stage_id: Option<StageId>,
    /// Why it was lost.
    lost_reason: Option<String>,
    /// Customer of the deal.
    #[schema(value_type = Option<String>, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    customer_id: Option<CustomerId>,
    /// Lead that the deal was converted from.
    #[schema(value_type = Option<String>, example = "lead_01KG8W7V0B4D6F8H1J3K5M7N9P")]
    lead_id: Option<LeadId>,
    /// Owner of the deal, by your own identifier of that person.
    owner_id: Option<String>,
    /// Day on which it is expected to be won.
    #[schema(value_type = Option<shapes::Day>)]
    expected_close_date: Option<Day>,
    /// When it was won.
    #[schema(value_type = Option<shapes::Timestamp>)]
    won_at: Option<Timestamp>,
    /// When it was lost.
    #[schema(value_type = Option<shapes::Timestamp>)]
    lost_at: Option<Timestamp>,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

impl Resource for DealBody {
    type Thing = Deal;

    const PATH: &'static str = "/crm/deals";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<Deal> for DealBody {
    fn from(deal: Deal) -> Self {
        Self {
            pipeline_id: deal.place.as_ref().map(|place| place.pipeline),
            stage_id: deal.stage(),
            id: deal.id,
            title: deal.title,
            value: deal.value,
            currency: deal.currency,
            status: deal.status,
            lost_reason: deal.lost_reason,
            customer_id: deal.customer,
            lead_id: deal.lead,
            owner_id: deal.owner,
            expected_close_date: deal.expected_close,
            won_at: deal.won_at,
            lost_at: deal.lost_at,
            created_at: deal.created_at,
            updated_at: deal.updated_at,
            version: deal.version,
        }
    }
}
