//! Pipelines: listed with their stages, added, changed and deleted.

mod fields;

use askama::Template;
use crm::{
    DealStatus, NewPipeline, Pipeline, PipelineChanges, PipelineError, PipelineId, UpdatePipeline,
};
use kernel::{FieldFault, message};

use self::fields::{FORM, drawn, of_pipeline, stage_ids};
use super::{PATH as DEALS, READ, acts::WRITE, ready, status_name};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    page::Page,
    pages::money::asking,
    parts::{FormPart, Link},
    reply::{answered, carried_out, whole},
    texts::Say,
};

const PATH: &str = "deals/pipelines";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show),
        Page::get("deals/pipelines/new", WRITE, ask_new),
        Page::post("deals/pipelines/new", WRITE, add),
        Page::get("deals/pipelines/{id}/edit", WRITE, ask_edit),
        Page::post("deals/pipelines/{id}/edit", WRITE, edit),
        Page::get("deals/pipelines/{id}/delete", WRITE, ask_delete),
        Page::post("deals/pipelines/{id}/delete", WRITE, delete),
    ]
}

/// Where pipelines are looked at.
pub(super) fn place(call: &Call<Member>) -> String {
    call.href(PATH)
}

#[derive(Template)]
#[template(path = "deals/pipelines.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    lines: Vec<Line>,
}

struct Line {
    name: String,
    board: String,
    /// Where it is changed and deleted, by who may.
    place: Option<String>,
    is_default: bool,
    stages: Vec<String>,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    ready(&call).await?;
    let pipelines = answered(call.services().pipelines.all(call.account())).await?;
    let may_write = call.may(WRITE);
    let line = |pipeline: Pipeline| Line {
        board: format!("{}?pipeline={}", call.href(DEALS), pipeline.id),
        place: may_write.then(|| format!("{}/{}", call.href(PATH), pipeline.id)),
        is_default: pipeline.is_default,
        stages: pipeline
            .stages
            .iter()
            .map(|stage| match stage.kind {
                DealStatus::Open => format!("{} {}%", stage.name, stage.probability),
                closed => format!("{} ({})", stage.name, status_name(say, closed)),
            })
            .collect(),
        name: pipeline.name,
    };
    let body = Listed { say, lines: pipelines.into_iter().map(line).collect() };
    let sheet = Sheet::new(say.pipelines(), &body).back(say.deals(), call.href(DEALS));
    Ok(call.page(match may_write {
        true => sheet.action(say.new_pipeline(), call.href("deals/pipelines/new")),
        false => sheet,
    }))
}

fn form(
    call: &Call<Member>,
    pipeline: Option<&Pipeline>,
    values: &Values,
    faults: &[FieldFault],
) -> FormPart {
    let say = call.say();
    let action = match pipeline {
        Some(pipeline) => format!("{}/{}/edit", call.href(PATH), pipeline.id),
        None => call.href("deals/pipelines/new"),
    };
    let values = call.restored(&action).map_or(values, |restored| &restored.values);
    let may_become_default = pipeline.is_none_or(|pipeline| !pipeline.is_default);
    let now = pipeline.map(values_of).unwrap_or_default();
    let fields = drawn(say, values, &[values, &now], may_become_default);
    let form = call.form(action, fields, say.save(), faults);
    let form = match pipeline {
        Some(_) => call.over(form, &now),
        None => form,
    };
    // What a stage is known by goes along, whatever it is called.
    let ids = stage_ids(values, &now);
    ids.into_iter().fold(form, |form, (name, id)| form.hidden(name, id))
}

/// A pipeline as the form has it.
fn values_of(pipeline: &Pipeline) -> Values {
    let pairs = of_pipeline(pipeline);
    let pairs: Vec<_> = pairs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Values::with(&pairs)
}

fn page(
    call: &Call<Member>,
    pipeline: Option<&Pipeline>,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let form = form(call, pipeline, values, faults);
    let title = match pipeline {
        Some(pipeline) => pipeline.name.clone(),
        None => say.new_pipeline().to_owned(),
    };
    let told = (title, say.pipeline_intro().to_owned());
    asking(call, told, &form, faults, Link::new(say.pipelines(), call.href(PATH)))
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let values = Values::with(&[
        ("stages[1].name", say.deal_won()),
        ("stages[1].kind", DealStatus::Won.name()),
        ("stages[2].name", say.deal_lost()),
        ("stages[2].kind", DealStatus::Lost.name()),
    ]);
    Ok(page(&call, None, &values, &[]))
}

async fn add(call: Call<Member>) -> Result<Answer, Failure> {
    let values = call.sent.values();
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(page(&call, None, values, &faults)),
    };
    let new = NewPipeline {
        name: filled.name.clone(),
        is_default: filled.is_default,
        stages: filled.stages.clone(),
    };
    let adding = call.services().pipelines.create(call.ctx(), new);
    Ok(match carried_out(adding, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "pipeline.added"),
        Err(faults) => {
            let faults: Vec<_> = faults.into_iter().map(|fault| filled.placed(fault)).collect();
            page(&call, None, values, &faults)
        }
    })
}

/// The pipeline of the path.
async fn pipeline(call: &Call<Member>) -> Result<Pipeline, Failure> {
    let id = PipelineId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let pipelines = answered(call.services().pipelines.all(call.account())).await?;
    pipelines.into_iter().find(|pipeline| pipeline.id == id).ok_or(Failure::Nothing)
}

async fn ask_edit(call: Call<Member>) -> Result<Answer, Failure> {
    let pipeline = pipeline(&call).await?;
    Ok(page(&call, Some(&pipeline), &values_of(&pipeline), &[]))
}

async fn edit(call: Call<Member>) -> Result<Answer, Failure> {
    let pipeline = pipeline(&call).await?;
    let values = call.sent.values();
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(page(&call, Some(&pipeline), values, &faults)),
    };
    let changes = PipelineChanges {
        name: Some(filled.name.clone()),
        is_default: filled.is_default.then_some(true),
        stages: Some(filled.stages.clone()),
    };
    let command = UpdatePipeline { id: pipeline.id, version: filled.version, changes };
    let editing = call.services().pipelines.update(call.ctx(), command);
    Ok(match carried_out(editing, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "pipeline.changed"),
        Err(faults) => {
            let faults: Vec<_> = faults.into_iter().map(|fault| filled.placed(fault)).collect();
            page(&call, Some(&pipeline), values, &faults)
        }
    })
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let pipeline = pipeline(&call).await?;
    Ok(deleting(&call, &pipeline, &[]))
}

fn deleting(call: &Call<Member>, pipeline: &Pipeline, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let action = format!("{}/{}/delete", call.href(PATH), pipeline.id);
    let form = call.form(action, Vec::new(), say.delete_pipeline(), faults).dangerous();
    let told = (say.delete_pipeline().to_owned(), say.delete_pipeline_intro(&pipeline.name));
    asking(call, told, &form, faults, Link::new(say.pipelines(), call.href(PATH)))
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let pipeline = pipeline(&call).await?;
    let deleting_it = call.services().pipelines.delete(call.ctx(), pipeline.id, None);
    Ok(match carried_out(deleting_it, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "pipeline.deleted"),
        Err(faults) => deleting(&call, &pipeline, &faults),
    })
}

/// Why a pipeline stays as it is.
fn told(error: &PipelineError) -> FieldFault {
    whole(match error {
        PipelineError::TooMany => message!(
            "The account already has the maximum of pipelines.",
            "La cuenta ya tiene el máximo de embudos."
        ),
        PipelineError::IsDefault => message!(
            "New deals go to this pipeline. Make another one the default first.",
            "Las oportunidades nuevas van a este embudo. Primero haz que otro sea el predeterminado."
        ),
        PipelineError::StageInUse { name, .. } => message!(
            "There are deals in {name}: move them first.",
            "Hay oportunidades en {name}: muévelas primero."
        ),
    })
}
