//! How the API shows a board.

use crm::{
    Board, DealStatus, PipelineId, Stage, StageId,
    board::{StageSum, weighted},
};
use kernel::{Currency, Sum};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::shapes;

/// What the deals of a pipeline come to, stage by stage.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Board)]
pub(super) struct BoardBody {
    /// The pipeline.
    #[schema(value_type = String, example = "pipe_01KGB2N4Q6S8V0X2Z4B6D8F0H2")]
    pipeline_id: PipelineId,
    /// Its name.
    name: String,
    /// Its stages, in their order.
    stages: Vec<ColumnBody>,
}

/// A stage of a board.
#[derive(Serialize, ToSchema)]
#[schema(as = BoardStage)]
struct ColumnBody {
    /// The stage.
    #[schema(value_type = String, example = "stage_01KGB2N4Q7T9W1Y3A5C7E9G1J3")]
    id: StageId,
    /// Its name.
    name: String,
    /// What deals in it are.
    #[schema(value_type = shapes::DealStatus)]
    kind: DealStatus,
    /// How likely a deal in it is won, in percent.
    probability: u8,
    /// How many deals there are, in all currencies.
    count: u64,
    /// By currency, of those there are.
    sums: Vec<StageSumBody>,
}

/// What the deals of one stage in one currency come to.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BoardSum)]
struct StageSumBody {
    /// The currency.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// How many deals there are.
    count: u64,
    /// What they are worth.
    #[schema(value_type = shapes::Sum)]
    value: Sum,
    /// The same times the probability of the stage.
    #[schema(value_type = shapes::Sum)]
    weighted_value: Sum,
}

impl ColumnBody {
    fn new(stage: Stage, sums: &[StageSum]) -> Self {
        let Stage { id, name, kind, probability } = stage;
        let sum = |sum: &StageSum| StageSumBody {
            currency: sum.currency,
            count: sum.count,
            value: sum.value,
            weighted_value: weighted(sum.value, probability),
        };
        let count = sums.iter().map(|sum| sum.count).sum();
        Self { id, name, kind, probability, count, sums: sums.iter().map(sum).collect() }
    }
}

impl From<Board> for BoardBody {
    fn from(Board { pipeline, columns }: Board) -> Self {
        let stages = pipeline.stages.into_iter().zip(&columns);
        Self {
            pipeline_id: pipeline.id,
            name: pipeline.name,
            stages: stages.map(|(stage, column)| ColumnBody::new(stage, &column.sums)).collect(),
        }
    }
}
