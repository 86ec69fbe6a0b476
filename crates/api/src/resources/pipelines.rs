//! `/crm/pipelines`: the stages that deals pass through.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use crm::{NewPipeline, Pipeline, PipelineChanges, PipelineId, UpdatePipeline};
use intake::SentBack;
use kernel::PageRequest;

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud::{self, unchanged},
    endpoint::{Endpoint, Segment, changes, id, json, query, taking},
    error::{ApiError, Code},
    page::{Way, page_of_all},
    reply::{answered, not_found, written},
};
use body::PipelineBody;
pub(super) use forms::{pipeline, stage};

const ALL: &str = PipelineBody::PATH;
const ONE: &str = "/crm/pipelines/{id}";
const ID: Segment<PipelineId> = id(PipelineId::PREFIX, PipelineId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Deals, taking(query(forms::LIST), list))
            .summary("List pipelines")
            .describes(
                "Oldest first. An account begins with one, whose names are Spanish; rename what you like.",
            )
            .pages::<PipelineBody>("A page of pipelines.", examples::PAGE),
        Endpoint::post(ALL, Scope::Deals, taking(json(forms::CREATE), create))
            .summary("Create a pipeline")
            .describes("Stages are in the order given; there must be one of each kind at least.")
            .answers::<PipelineBody>(201, "The pipeline.", examples::PIPELINE)
            .refuses(&[Code::Conflict]),
        Endpoint::get(ONE, Scope::Deals, taking(ID, show))
            .summary("Get a pipeline")
            .answers::<PipelineBody>(200, "The pipeline.", examples::PIPELINE),
        Endpoint::patch(ONE, Scope::Deals, taking((ID, changes(forms::UPDATE)), update))
            .summary("Update a pipeline")
            .describes(
                "Changes only the fields that are sent. `stages` is replaced as a whole: a stage with the `id` that it has \
                 is kept, one without is new, and one that is not there is removed, which takes that no deal is in it. \
                 The same holds for a stage that becomes one of another `kind`.",
            )
            .answers::<PipelineBody>(200, "The updated pipeline.", examples::PIPELINE)
            .refuses(&[Code::Conflict]),
        Endpoint::delete(
            ONE,
            Scope::Deals,
            crud::delete(ID, |services, ctx, id, version| {
                services.pipelines.delete(ctx, id, version)
            }),
        )
        .summary("Delete a pipeline")
        .describes("Deletes a pipeline without deals that is not the default one.")
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED)
        .refuses(&[Code::Conflict]),
    ]
}

/// Gives the account its default pipeline, and every deal a place in one, the first time that it looks at them.
pub(super) async fn ready(call: &Call) -> Result<(), ApiError> {
    let pipelines = &call.services().pipelines;
    while !answered(pipelines.is_ready(call.account)).await? {
        let ctx = kernel::Ctx::system(call.account, call.now);
        written(pipelines.prepare(ctx)).await?;
    }
    Ok(())
}

async fn all(call: &Call) -> Result<Vec<Pipeline>, ApiError> {
    ready(call).await?;
    answered(call.services().pipelines.all(call.account)).await
}

async fn one(call: &Call, id: PipelineId) -> Result<Pipeline, ApiError> {
    let found = all(call).await?.into_iter().find(|pipeline| pipeline.id == id);
    found.ok_or_else(not_found)
}

async fn list(call: Call, asked: PageRequest) -> Result<Answer, ApiError> {
    let pipelines = all(&call).await?;
    let page =
        page_of_all(pipelines, &asked, (forms::ORDER, Way::Up), |pipeline| pipeline.id.to_string());
    Answer::page::<PipelineBody>(page, &asked)
}

async fn create(call: Call, command: NewPipeline) -> Result<Answer, ApiError> {
    let done = call.services().pipelines.create(call.ctx()?, command);
    Answer::created::<PipelineBody>(written(done).await?)
}

async fn show(call: Call, id: PipelineId) -> Result<Answer, ApiError> {
    Answer::shown::<PipelineBody>(call.headers(), one(&call, id).await?)
}

async fn update(
    call: Call,
    (id, (changes, sent_back)): (PipelineId, (PipelineChanges, SentBack)),
) -> Result<Answer, ApiError> {
    if !sent_back.is_empty() {
        unchanged(&call, sent_back, &PipelineBody::from(one(&call, id).await?))?;
    }
    let command = UpdatePipeline { id, version: call.expected_version(), changes };
    let done = call.services().pipelines.update(call.ctx()?, command);
    Answer::changed::<PipelineBody>(written(done).await?)
}
