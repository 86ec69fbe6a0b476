//! A deal is opened, changed and deleted.

use accounts::{Right, Scope};
use crm::{
    CustomerId, Deal, DealChanges, DealError, DealStatus, NewDeal, Pipeline, PipelineId, StageId,
    UpdateDeal, deal::TITLE_CHARS_MAX, lead::LINE_CHARS_MAX,
};
use intake::{
    Fields, Form,
    checks::{currency, id, line, number, text, whole_from},
    noun,
};
use kernel::{Amount, Currency, Day, FieldFault};

use super::{
    PATH,
    acts::{WRITE, back, done, here, place, told},
    deal, ready,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::{
        money::{asking, not_negative},
        orders::meant,
        reading::day,
    },
    parts::{Field, Link},
    reply::{answered, carried_out},
};

/// What a form says of a deal.
struct Filled {
    title: String,
    value: Amount,
    currency: Currency,
    stage: Option<StageId>,
    /// Whom it is for, in words.
    customer: Option<String>,
    /// Whom the words meant when the form was shown.
    known: Option<CustomerId>,
    owner: Option<String>,
    expected_close: Option<Day>,
    /// The version that the form was filled in on.
    version: Option<i64>,
}

const FORM: Form<Filled> = Form::body("Deal", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let title = fields.required("title", line(TITLE_CHARS_MAX));
    let value = fields.optional("value", number(Some(0), not_negative));
    let currency = fields.optional("currency", currency());
    let stage = id(noun("a stage", "una etapa"), StageId::PREFIX, StageId::parse);
    let stage = fields.optional("stage", stage);
    let customer = fields.optional("customer", line(LINE_CHARS_MAX));
    let known = id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse);
    let known = fields.optional("customerId", known);
    let owner = fields.optional("owner", line(LINE_CHARS_MAX));
    let expected_close = fields.optional("expectedClose", text(day));
    let version = fields.optional("version", whole_from(1));
    Some(Filled {
        title: title?,
        value: value.unwrap_or(Amount::ZERO),
        currency: currency.unwrap_or(Currency::MXN),
        stage,
        customer,
        known,
        owner,
        expected_close,
        version,
    })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("deals/new", WRITE, ask_new),
        Page::post("deals/new", WRITE, open),
        Page::get("deals/{id}/edit", WRITE, ask_edit),
        Page::post("deals/{id}/edit", WRITE, edit),
        Page::get("deals/{id}/delete", WRITE, ask_delete),
        Page::post("deals/{id}/delete", WRITE, delete),
    ]
}

/// Where a deal is opened, for who may do that: in a pipeline, or in the default one.
pub(super) fn offered(call: &Call<Member>, pipeline: Option<PipelineId>) -> Option<String> {
    let place = call.href("deals/new");
    call.may(WRITE).then(|| match pipeline {
        Some(pipeline) => format!("{place}?pipeline={pipeline}"),
        None => place,
    })
}

/// The name of a customer and the identifier, as a form keeps them; empty of nobody, or where the member may not look.
async fn named(call: &Call<Member>, id: Option<CustomerId>) -> Result<(String, String), Failure> {
    let customer = match id {
        Some(id) if call.may(Right::read(Scope::Customers)) => {
            answered(call.services().customers.get(call.account(), id)).await?
        }
        _ => None,
    };
    Ok(customer.map(|customer| (customer.name, customer.id.to_string())).unwrap_or_default())
}

/// The fields that a deal has whether it is new or not, with what is between its value and its customer.
fn fields(call: &Call<Member>, values: &Values, between: Option<Field>) -> Vec<Field> {
    let say = call.say();
    let about = vec![
        Field::text("title", say.deal_title(), values),
        Field::text("value", say.deal_value(), values),
        Field::text("currency", say.currency(), values).hint(say.pesos_if_left_out()),
    ];
    let customer = Field::text("customer", say.customer(), values).autocomplete("off");
    let terms = vec![
        customer.hint(say.customer_hint()),
        Field::text("owner", say.lead_owner(), values),
        Field::input("date", "expectedClose", say.expected_close(), values),
    ];
    about.into_iter().chain(between).chain(terms).collect()
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    ready(&call).await?;
    let customer = call.query.filled("customer").and_then(CustomerId::parse);
    let (name, id) = named(&call, customer).await?;
    let values = Values::with(&[("customer", name.as_str()), ("customerId", id.as_str())]);
    opening(&call, &values, &[]).await
}

async fn opening(
    call: &Call<Member>,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let pipelines = answered(call.services().pipelines.all(call.account())).await?;
    let asked = call.query.filled("pipeline").and_then(PipelineId::parse);
    let stage = Field::select("stage", say.deal_stage(), stages(&pipelines, asked), values);
    // It is opened where it was asked for.
    let action = offered(call, asked).unwrap_or_default();
    let form = call.form(action, fields(call, values, Some(stage)), say.open_deal(), faults);
    let form = form.hidden("customerId", values.shown("customerId"));
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

/// A fault at the field of this form that it is about.
fn placed(fault: FieldFault) -> FieldFault {
    match fault.field.as_str() {
        "customerId" => FieldFault::new("customer", fault.problem),
        _ => here(fault),
    }
}

async fn open(call: Call<Member>) -> Result<Answer, Failure> {
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return opening(&call, call.sent.values(), &faults).await,
    };
    let customer = match meant(&call, filled.customer.as_deref(), filled.known).await? {
        Ok(customer) => customer,
        Err(fault) => return opening(&call, call.sent.values(), &[fault]).await,
    };
    let new = NewDeal {
        title: filled.title,
        value: filled.value,
        currency: filled.currency,
        pipeline: None,
        stage: filled.stage,
        customer,
        lead: None,
        owner: filled.owner,
        expected_close: filled.expected_close,
    };
    let opening_it = call.services().deals.create(call.ctx(), new);
    match carried_out(opening_it, |error: DealError| told(&error)).await? {
        Ok(deal) => Ok(done(&call, &deal, "deal.opened")),
        Err(faults) => {
            let faults: Vec<_> = faults.into_iter().map(placed).collect();
            opening(&call, call.sent.values(), &faults).await
        }
    }
}

/// A deal as the form has it.
async fn values_of(call: &Call<Member>, deal: &Deal) -> Result<Values, Failure> {
    let (name, id) = named(call, deal.customer).await?;
    let day = deal.expected_close.map(|day| day.to_string()).unwrap_or_default();
    Ok(Values::with(&[
        ("title", deal.title.as_str()),
        ("value", deal.value.to_string().as_str()),
        ("currency", deal.currency.to_string().as_str()),
        ("customer", name.as_str()),
        ("customerId", id.as_str()),
        ("owner", deal.owner.as_deref().unwrap_or_default()),
        ("expectedClose", day.as_str()),
        ("version", deal.version.to_string().as_str()),
    ]))
}

async fn ask_edit(call: Call<Member>) -> Result<Answer, Failure> {
    let deal = deal(&call).await?;
    let now = values_of(&call, &deal).await?;
    Ok(editing(&call, (&deal, &now), &now, &[]))
}

fn editing(
    call: &Call<Member>,
    (deal, now): (&Deal, &Values),
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let action = format!("{}/edit", place(call, deal));
    let form = call.form(action, fields(call, values, None), say.save(), faults);
    let form = form.hidden("customerId", values.shown("customerId"));
    let form = call.over(form, now);
    let told = (say.edit().to_owned(), say.edit_deal_intro().to_owned());
    asking(call, told, &form, faults, back(call, deal))
}

async fn edit(call: Call<Member>) -> Result<Answer, Failure> {
    let deal = deal(&call).await?;
    let now = values_of(&call, &deal).await?;
    let again = |faults: &[FieldFault]| editing(&call, (&deal, &now), call.sent.values(), faults);
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(again(&faults)),
    };
    let customer = match meant(&call, filled.customer.as_deref(), filled.known).await? {
        // Who may not look at customers leaves them alone.
        Ok(customer) => call.may(Right::read(Scope::Customers)).then_some(customer),
        Err(fault) => return Ok(again(&[fault])),
    };
    let changes = DealChanges {
        title: Some(filled.title),
        value: Some(filled.value),
        currency: Some(filled.currency),
        customer,
        owner: Some(filled.owner),
        expected_close: Some(filled.expected_close),
    };
    let command = UpdateDeal { id: deal.id, version: filled.version, changes };
    let editing_it = call.services().deals.update(call.ctx(), command);
    Ok(match carried_out(editing_it, |error| told(&error)).await? {
        Ok(_) => done(&call, &deal, "deal.changed"),
        Err(faults) => {
            let faults: Vec<_> = faults.into_iter().map(placed).collect();
            again(&faults)
        }
    })
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let deal = deal(&call).await?;
    Ok(deleting(&call, &deal, &[]))
}

fn deleting(call: &Call<Member>, deal: &Deal, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let action = format!("{}/delete", place(call, deal));
    let form = call.form(action, Vec::new(), say.delete_deal(), faults).dangerous();
    let told = (say.delete_deal().to_owned(), say.delete_deal_intro(&deal.title));
    asking(call, told, &form, faults, back(call, deal))
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let deal = deal(&call).await?;
    let deleting_it = call.services().deals.delete(call.ctx(), deal.id, None);
    Ok(match carried_out(deleting_it, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "deal.deleted"),
        Err(faults) => deleting(&call, &deal, &faults),
    })
}
