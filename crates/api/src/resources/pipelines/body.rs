//! How the API shows a pipeline.

use std::fmt::Display;

use crm::{DealStatus, Pipeline, PipelineId, Stage, StageId};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// The stages that deals pass through.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Pipeline)]
pub(super) struct PipelineBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "pipe_01KGB2N4Q6S8V0X2Z4B6D8F0H2")]
    id: PipelineId,
    /// Name of the pipeline.
    name: String,
    /// Whether new deals go there that name no other pipeline.
    is_default: bool,
    /// Stages, in their order.
    stages: Vec<StageBody>,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// A stage of a pipeline.
#[derive(Serialize, ToSchema)]
#[schema(as = Stage)]
struct StageBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "stage_01KGB2N4Q7T9W1Y3A5C7E9G1J3")]
    id: StageId,
    /// Name of the stage.
    name: String,
    /// What deals in it are: moving a deal there opens, wins or loses it.
    #[schema(value_type = shapes::DealStatus)]
    kind: DealStatus,
    /// How likely a deal in it is won, in percent.
    probability: u8,
}

impl Resource for PipelineBody {
    type Thing = Pipeline;

    const PATH: &'static str = "/crm/pipelines";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<Stage> for StageBody {
    fn from(Stage { id, name, kind, probability }: Stage) -> Self {
        Self { id, name, kind, probability }
    }
}

impl From<Pipeline> for PipelineBody {
    fn from(pipeline: Pipeline) -> Self {
        Self {
            id: pipeline.id,
            name: pipeline.name,
            is_default: pipeline.is_default,
            stages: pipeline.stages.into_iter().map(StageBody::from).collect(),
            created_at: pipeline.created_at,
            updated_at: pipeline.updated_at,
            version: pipeline.version,
        }
    }
}
