//! What the endpoints of pipelines read.

use crm::{
    DealStatus, NewPipeline, PipelineChanges, PipelineId, StageId, WantedStage,
    pipeline::{CERTAIN, NAME_CHARS_MAX, STAGES_MAX},
};
use intake::{
    Check, Fields, Form,
    checks::{flag, id, line, objects, one_of, whole},
    noun,
};
use kernel::PageRequest;

use super::examples;
use crate::page::page_request_of;

pub(super) const LIST: Form<PageRequest> = Form::query(read_page);
pub(super) const CREATE: Form<NewPipeline> =
    Form::body("CreatePipeline", noun("a pipeline", "un embudo"), read_new, examples::CREATE);
pub(super) const UPDATE: Form<PipelineChanges> =
    Form::body("UpdatePipeline", noun("a pipeline", "un embudo"), read_changes, examples::UPDATE);

/// Sort order named in the cursors of the list.
pub(super) const ORDER: &str = "createdAt";

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &["id", "createdAt", "updatedAt"];

const DEFAULT: &str = "Whether new deals go there that name no other pipeline; `true` takes over from the one before.";

fn read_page(fields: &mut Fields<'_>) -> Option<PageRequest> {
    Some(page_request_of(fields, ORDER, PipelineId::PREFIX))
}

fn read_new(fields: &mut Fields<'_>) -> Option<NewPipeline> {
    let name = fields.required("name", line(NAME_CHARS_MAX));
    let is_default = fields.optional("isDefault", flag().about(DEFAULT)).unwrap_or_default();
    let new = objects(noun("a stage", "una etapa"), 1..=STAGES_MAX, read_new_stage);
    let stages = fields.required("stages", new);
    fields.read_only(READ_ONLY);
    Some(NewPipeline { name: name?, is_default, stages: stages? })
}

fn read_changes(fields: &mut Fields<'_>) -> Option<PipelineChanges> {
    let changes = PipelineChanges {
        name: fields.change("name", line(NAME_CHARS_MAX)),
        is_default: fields.change("isDefault", flag().about(DEFAULT)),
        stages: fields.change("stages", stages()),
    };
    fields.read_only(READ_ONLY);
    Some(changes)
}

fn stages() -> impl Check<Value = Vec<WantedStage>> {
    objects(noun("a stage", "una etapa"), 1..=STAGES_MAX, read_stage)
}

fn read_stage(fields: &mut Fields<'_>) -> Option<WantedStage> {
    let id = fields.optional("id", stage().about("A stage of this pipeline that is kept."));
    read_new_stage(fields).map(|stage| WantedStage { id, ..stage })
}

fn read_new_stage(fields: &mut Fields<'_>) -> Option<WantedStage> {
    let percent = whole(0..=CERTAIN.into()).about(
        "How likely a deal in it is won, in percent; required of an open stage, 100 where deals are won and 0 where they \
         are lost.",
    );
    let name = fields.required("name", line(NAME_CHARS_MAX));
    let kind = one_of(DealStatus::EVERY, DealStatus::name).about("`open` by default.");
    let kind = fields.optional("kind", kind).unwrap_or(DealStatus::Open);
    let probability = fields.optional("probability", percent);
    let probability = probability.and_then(|percent| u8::try_from(percent).ok());
    Some(WantedStage { id: None, name: name?, kind, probability })
}

/// The identifier of a pipeline.
pub(in crate::resources) fn pipeline() -> impl Check<Value = PipelineId> {
    id(noun("a pipeline", "un embudo"), PipelineId::PREFIX, PipelineId::parse)
}

/// The identifier of a stage.
pub(in crate::resources) fn stage() -> impl Check<Value = StageId> {
    id(noun("a stage", "una etapa"), StageId::PREFIX, StageId::parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert_eq!(CREATE.read_body(examples::CREATE.as_bytes()).unwrap().stages.len(), 3);
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::PIPELINE.as_bytes()).is_ok());
    }
}
