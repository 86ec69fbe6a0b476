//! A deal is opened.

use crm::{
    DealError, DealStatus, NewDeal, Pipeline, PipelineId, StageId, deal::TITLE_CHARS_MAX,
    lead::LINE_CHARS_MAX,
};
use intake::{
    Form,
    checks::{id, line, number, text},
    noun,
};
use kernel::{Amount, Currency, Day, FieldFault, Message, message};

use super::{
    PATH,
    acts::{WRITE, changed, here},
    ready,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::money::{asking, not_negative},
    parts::{Field, Link},
    reply::{answered, carried_out, whole},
};

const NEW: Form<NewDeal> = Form::body(
    "NewDeal",
    noun("this form", "este formulario"),
    |fields| {
        let title = fields.required("title", line(TITLE_CHARS_MAX));
        let value = fields.optional("value", number(Some(0), not_negative));
        let stage = id(noun("a stage", "una etapa"), StageId::PREFIX, StageId::parse);
        let stage = fields.optional("stage", stage);
        let owner = fields.optional("owner", line(LINE_CHARS_MAX));
        let expected_close = fields.optional("expectedClose", text(day));
        Some(NewDeal {
            title: title?,
            value: value.unwrap_or(Amount::ZERO),
            currency: Currency::MXN,
            pipeline: None,
            stage,
            customer: None,
            lead: None,
            owner,
            expected_close,
        })
    },
    "",
);

fn day(text: &str) -> Result<Day, Message> {
    Day::parse(text).ok_or_else(|| message!("must be a day", "debe ser una fecha"))
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("deals/new", WRITE, ask_new), Page::post("deals/new", WRITE, open)]
}

/// Where a deal is opened, for who may do that: in a pipeline, or in the default one.
pub(super) fn offered(call: &Call<Member>, pipeline: Option<PipelineId>) -> Option<String> {
    let place = call.href("deals/new");
    call.may(WRITE).then(|| match pipeline {
        Some(pipeline) => format!("{place}?pipeline={pipeline}"),
        None => place,
    })
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    ready(&call).await?;
    opening(&call, &Values::default(), &[]).await
}

async fn opening(
    call: &Call<Member>,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let pipelines = answered(call.services().pipelines.all(call.account())).await?;
    let asked = call.query.filled("pipeline").and_then(PipelineId::parse);
    let fields = vec![
        Field::text("title", say.deal_title(), values),
        Field::text("value", say.deal_value(), values).hint(say.in_pesos()),
        Field::select("stage", say.deal_stage(), stages(&pipelines, asked), values),
        Field::text("owner", say.lead_owner(), values),
        Field::input("date", "expectedClose", say.expected_close(), values),
    ];
    // It is opened where it was asked for.
    let action = offered(call, asked).unwrap_or_default();
    let form = call.form(action, fields, say.new_deal(), faults);
    let back = Link::new(say.deals(), call.href(PATH));
    let told = (say.new_deal().to_owned(), say.new_deal_intro().to_owned());
    Ok(asking(call, told, &form, faults, back))
}

/// The open stages of the pipeline that was asked for, or of the default one.
fn stages(pipelines: &[Pipeline], asked: Option<PipelineId>) -> Vec<(String, String)> {
    let named = pipelines.iter().find(|pipeline| Some(pipeline.id) == asked);
    let own = named.or_else(|| pipelines.iter().find(|pipeline| pipeline.is_default));
    let stages = own.into_iter().flat_map(|pipeline| &pipeline.stages);
    let open = stages.filter(|stage| stage.kind == DealStatus::Open);
    open.map(|stage| (stage.id.to_string(), stage.name.clone())).collect()
}

async fn open(call: Call<Member>) -> Result<Answer, Failure> {
    let new = match call.read(&NEW)? {
        Ok(new) => new,
        Err(faults) => return opening(&call, call.sent.values(), &faults).await,
    };
    let opening_it = call.services().deals.create(call.ctx(), new);
    match carried_out(opening_it, |_: DealError| whole(changed())).await? {
        Ok(deal) => Ok(call.done_at(&format!("{PATH}/{}", deal.id), "deal.opened")),
        Err(faults) => {
            let faults: Vec<_> = faults.into_iter().map(here).collect();
            opening(&call, call.sent.values(), &faults).await
        }
    }
}
