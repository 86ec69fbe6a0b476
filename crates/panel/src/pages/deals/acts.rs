//! What is done with a deal: it goes to another stage, is won or lost there, or is taken up again.

use accounts::{Right, Scope};
use crm::{
    Act, ActOnDeal, Deal, DealError, DealFilter, DealId, DealQuery, DealSort, DealStatus, StageId,
    deal::{Beside, REASON_CHARS_MAX},
};
use intake::{
    Fields, Form,
    checks::{flag, id, line},
    noun,
};
use kernel::{FieldFault, PageRequest, message, page::Sorting};

use super::{CARDS_MAX, PATH, deal};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::money::{asking, refused},
    parts::{Field, Link},
    reply::{answered, carried_out, whole},
};

pub(super) const WRITE: Right = Right::write(Scope::Deals);

/// Where a deal goes.
struct Going {
    stage: StageId,
    beside: Beside,
    /// Why, if it is lost there.
    reason: Option<String>,
    /// Whether it was moved on the board, which is then shown again.
    is_on_board: bool,
}

const MOVE: Form<Going> = Form::body("Move", noun("this form", "este formulario"), read_move, "");

fn read_move(fields: &mut Fields<'_>) -> Option<Going> {
    let stage = id(noun("a stage", "una etapa"), StageId::PREFIX, StageId::parse);
    let stage = fields.required("stage", stage);
    let deal = || id(noun("a deal", "una oportunidad"), DealId::PREFIX, DealId::parse);
    let before = fields.optional("before", deal());
    let after = fields.optional("after", deal());
    let reason = fields.optional("reason", line(REASON_CHARS_MAX));
    let is_on_board = fields.optional("board", flag()).unwrap_or_default();
    let beside = match (before, after) {
        (Some(_), Some(_)) => {
            return fields
                .refuse("before", message!("goes without after", "no va junto con after"));
        }
        (Some(id), None) => Beside::Before(id),
        (None, Some(id)) => Beside::After(id),
        (None, None) => Beside::Last,
    };
    Some(Going { stage: stage?, beside, reason, is_on_board })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("deals/{id}/move", WRITE, ask_move),
        Page::post("deals/{id}/move", WRITE, go),
        Page::get("deals/{id}/reopen", WRITE, ask_reopen),
        Page::post("deals/{id}/reopen", WRITE, reopen),
    ]
}

/// What the member may do about a deal as it stands: what it is called, and its path below that of the deal.
pub(super) fn offered(call: &Call<Member>, deal: &Deal) -> Vec<(&'static str, &'static str)> {
    let say = call.say();
    let others = [(say.move_it(), "move"), (say.edit(), "edit"), (say.delete_deal(), "delete")];
    let reopening = match deal.status {
        DealStatus::Open => None,
        DealStatus::Won | DealStatus::Lost => Some((say.take_up(), "reopen")),
    };
    match call.may(WRITE) {
        true => reopening.into_iter().chain(others).collect(),
        false => Vec::new(),
    }
}

pub(super) fn place(call: &Call<Member>, deal: &Deal) -> String {
    format!("{}/{}", call.href(PATH), deal.id)
}

pub(super) fn back(call: &Call<Member>, deal: &Deal) -> Link {
    Link::new(deal.title.clone(), place(call, deal))
}

pub(super) fn done(call: &Call<Member>, deal: &Deal, word: &str) -> Answer {
    call.done_at(&format!("{PATH}/{}", deal.id), word)
}

async fn ask_move(call: Call<Member>) -> Result<Answer, Failure> {
    let deal = deal(&call).await?;
    let own = deal.stage().map(|stage| stage.to_string()).unwrap_or_default();
    let stage = call.query.filled("stage").unwrap_or(&own);
    moving(&call, &deal, &Values::with(&[("stage", stage)]), &[]).await
}

async fn moving(
    call: &Call<Member>,
    deal: &Deal,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let pipelines = answered(call.services().pipelines.all(call.account())).await?;
    let own = deal.place.as_ref().map(|place| place.pipeline);
    let own = pipelines.iter().find(|pipeline| Some(pipeline.id) == own);
    let stages = own.into_iter().flat_map(|pipeline| &pipeline.stages);
    let choices = stages.map(|stage| (stage.id.to_string(), stage.name.clone())).collect();
    let fields = vec![
        Field::select("stage", say.deal_stage(), choices, values),
        Field::select("before", say.move_before(), neighbours(call, deal).await?, values),
        Field::text("reason", say.reason(), values).hint(say.lost_hint()),
    ];
    let action = format!("{}/move", place(call, deal));
    let form = call.form(action, fields, say.move_it(), faults);
    let is_on_board = values.has("board") || call.query.has("board");
    let form = if is_on_board { form.hidden("board", "true") } else { form };
    let told = (say.move_it().to_owned(), say.move_intro().to_owned());
    Ok(asking(call, told, &form, faults, back(call, deal)))
}

/// The deals of its stage that a deal may be put before, as far as the board shows them; none is behind them all.
async fn neighbours(call: &Call<Member>, deal: &Deal) -> Result<Vec<(String, String)>, Failure> {
    let last = (String::new(), call.say().move_behind().to_owned());
    let Some(stage) = deal.stage() else { return Ok(vec![last]) };
    let filter = DealFilter { stage: Some(stage), ..DealFilter::default() };
    let sort = Sorting { by: DealSort::Rank, ascending: true };
    let page = PageRequest { limit: CARDS_MAX, ..PageRequest::default() };
    let query = DealQuery { filter, sort, page };
    let listed = answered(call.services().deals.list(call.account(), query)).await?.items;
    let others = listed.into_iter().filter(|other| other.id != deal.id);
    Ok([last].into_iter().chain(others.map(|one| (one.id.to_string(), one.title))).collect())
}

async fn go(call: Call<Member>) -> Result<Answer, Failure> {
    let deal = deal(&call).await?;
    let Going { stage, beside, reason, is_on_board } = match call.read(&MOVE)? {
        Ok(going) => going,
        Err(faults) => return moving(&call, &deal, call.sent.values(), &faults).await,
    };
    let act = Act::Move { stage, beside, reason };
    let acting = call.services().deals.act(call.ctx(), ActOnDeal { id: deal.id, act });
    match carried_out(acting, |error| told(&error)).await? {
        Ok(moved) => Ok(match moved.place.filter(|_| is_on_board) {
            Some(place) => {
                let board = format!("{}?pipeline={}", call.href(PATH), place.pipeline);
                Answer::see(&format!("{board}&did=deal.moved"))
            }
            None => done(&call, &deal, "deal.moved"),
        }),
        Err(faults) => {
            let faults: Vec<_> = faults.into_iter().map(here).collect();
            moving(&call, &deal, call.sent.values(), &faults).await
        }
    }
}

/// A fault at the field of this form that it is about.
pub(super) fn here(fault: FieldFault) -> FieldFault {
    match fault.field.as_str() {
        "stageId" => FieldFault::new("stage", fault.problem),
        "after" => FieldFault::new("before", fault.problem),
        _ => fault,
    }
}

async fn ask_reopen(call: Call<Member>) -> Result<Answer, Failure> {
    let deal = deal(&call).await?;
    let say = call.say();
    let form = call.form(format!("{}/reopen", place(&call, &deal)), Vec::new(), say.take_up(), &[]);
    let told = (say.take_up().to_owned(), say.take_up_intro().to_owned());
    Ok(asking(&call, told, &form, &[], back(&call, &deal)))
}

async fn reopen(call: Call<Member>) -> Result<Answer, Failure> {
    let deal = deal(&call).await?;
    let command = ActOnDeal { id: deal.id, act: Act::Reopen };
    let acting = call.services().deals.act(call.ctx(), command);
    match carried_out(acting, |error| told(&error)).await? {
        Ok(_) => Ok(done(&call, &deal, "deal.reopened")),
        Err(faults) => Err(refused(&faults)),
    }
}

/// Why a deal stays where it is.
pub(super) fn told(error: &DealError) -> FieldFault {
    match error {
        DealError::NotBeside { .. } => FieldFault::new(
            "before",
            message!("is not in that stage any more", "ya no está en esa etapa"),
        ),
        DealError::HasQuotes => whole(message!(
            "The deal has quotes, so it cannot be deleted.",
            "La oportunidad tiene cotizaciones, por eso no se puede eliminar."
        )),
    }
}
