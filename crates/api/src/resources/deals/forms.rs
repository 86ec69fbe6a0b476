//! What the endpoints of deals read.

use crm::{
    Act, CustomerId, DealChanges, DealFilter, DealId, DealQuery, DealSort, DealStatus, HistoryId,
    LeadId, NewDeal, PipelineId,
    deal::{Beside, REASON_CHARS_MAX, TITLE_CHARS_MAX},
    lead::LINE_CHARS_MAX,
};
use intake::{
    Check, Fields, Form,
    checks::{currency, id, line, number, one_of, text},
    noun,
};
use kernel::{Amount, Currency, Day, PageRequest, message, page::Cursor};

use super::examples;
use crate::{
    filters,
    page::{begins_with, list_at, page_request_in, page_request_of},
    resources::pipelines::{pipeline, stage},
};

pub(super) const LIST: Form<DealQuery> = Form::query(read_query);
pub(super) const BOARD: Form<Option<PipelineId>> = Form::query(read_board);
pub(super) const HISTORY: Form<PageRequest> = Form::query(read_history);
pub(super) const CREATE: Form<NewDeal> =
    Form::body("CreateDeal", noun("a deal", "una oportunidad"), read_deal, examples::CREATE);
pub(super) const UPDATE: Form<DealChanges> =
    Form::body("UpdateDeal", noun("a deal", "una oportunidad"), read_changes, examples::UPDATE);
pub(super) const WIN: Form<Act> =
    Form::body("WinDeal", noun("a won deal", "una oportunidad ganada"), read_win, examples::WIN)
        .or_absent();
pub(super) const LOSE: Form<Act> = Form::body(
    "LoseDeal",
    noun("a lost deal", "una oportunidad perdida"),
    read_loss,
    examples::LOSE,
);
pub(super) const MOVE: Form<Act> =
    Form::body("MoveDeal", noun("a move", "un movimiento"), read_move, examples::MOVE);

/// Sort orders, by value of `sort`.
const SORTS: &[(&str, DealSort)] = &[
    ("-createdAt", DealSort::CreatedAt),
    ("createdAt", DealSort::CreatedAt),
    ("-updatedAt", DealSort::UpdatedAt),
    ("updatedAt", DealSort::UpdatedAt),
    ("rank", DealSort::Rank),
    ("-rank", DealSort::Rank),
];

/// Fields that the service sets itself.
const READ_ONLY: &[&str] =
    &["id", "status", "lostReason", "wonAt", "lostAt", "createdAt", "updatedAt"];
/// What is changed otherwise than by `PATCH`.
const MOVED: &[&str] = &["pipelineId", "stageId", "leadId"];

fn read_query(fields: &mut Fields<'_>) -> Option<DealQuery> {
    let filter = DealFilter {
        ids: filters::ids(fields, noun("a deal", "una oportunidad"), DealId::PREFIX, DealId::parse),
        pipeline: fields.change("pipelineId", pipeline().about("Filter by pipeline.")),
        stage: fields.change("stageId", stage().about("Filter by stage.")),
        status: fields.change(
            "status",
            one_of(DealStatus::EVERY, DealStatus::name).about("Filter by status."),
        ),
        customer: fields.change("customerId", customer().about("Filter by customer.")),
        lead: fields.change("leadId", lead().about("Filter by lead.")),
        owner: fields.change("ownerId", line(LINE_CHARS_MAX).about("Filter by owner.")),
        updated_since: filters::updated_since(fields),
    };
    let (sort, name) = filters::sort(fields, SORTS);
    let list = match filter.stage {
        // The order of one stage says nothing of that of another.
        Some(stage) if sort.by == DealSort::Rank => {
            list_at(&format!("{}?stageId={stage}", fields.address()))
        }
        _ => list_at(fields.address()),
    };
    let is_own = |cursor: &Cursor| begins_with(&cursor.id, DealId::PREFIX);
    let page = page_request_in(fields, list, name, is_own);
    if sort.by == DealSort::Rank && filter.stage.is_none() {
        return fields.refuse(
            "sort",
            message!(
                "takes stageId with rank: the order is that of one stage",
                "requiere stageId con rank: el orden es el de una etapa"
            ),
        );
    }
    Some(DealQuery { filter, sort, page })
}

fn read_board(fields: &mut Fields<'_>) -> Option<Option<PipelineId>> {
    let about = "The pipeline; the default one if absent.";
    Some(fields.change("pipelineId", pipeline().about(about)))
}

fn read_history(fields: &mut Fields<'_>) -> Option<PageRequest> {
    Some(page_request_of(fields, "-createdAt", HistoryId::PREFIX))
}

fn read_deal(fields: &mut Fields<'_>) -> Option<NewDeal> {
    let title = fields.required("title", line(TITLE_CHARS_MAX));
    let deal = NewDeal {
        title: title.unwrap_or_default(),
        value: fields
            .optional("value", value().about("Estimated value; 0 by default."))
            .unwrap_or(Amount::ZERO),
        currency: fields
            .optional("currency", currency().about("Currency of the value; MXN by default."))
            .unwrap_or(Currency::MXN),
        pipeline: fields.optional(
            "pipelineId",
            pipeline().about("Pipeline; that of `stageId`, otherwise the default one."),
        ),
        stage: fields.optional(
            "stageId",
            stage().about("Open stage; the first of the pipeline by default."),
        ),
        customer: fields.optional("customerId", customer()),
        lead: fields.optional("leadId", lead()),
        owner: fields.optional("ownerId", line(LINE_CHARS_MAX)),
        expected_close: fields.optional("expectedCloseDate", day()),
    };
    fields.read_only(READ_ONLY);
    Some(deal)
}

fn read_changes(fields: &mut Fields<'_>) -> Option<DealChanges> {
    let changes = DealChanges {
        title: fields.change("title", line(TITLE_CHARS_MAX)),
        value: fields.change("value", value()),
        currency: fields.change("currency", currency()),
        customer: fields.patch("customerId", customer()),
        owner: fields.patch("ownerId", line(LINE_CHARS_MAX)),
        expected_close: fields.patch("expectedCloseDate", day()),
    };
    fields.read_only(READ_ONLY);
    fields.read_only(MOVED);
    Some(changes)
}

fn read_win(fields: &mut Fields<'_>) -> Option<Act> {
    let about = "Stage of kind `won` in the deal's pipeline; the first one by default.";
    Some(Act::Win { stage: fields.optional("stageId", stage().about(about)) })
}

fn read_loss(fields: &mut Fields<'_>) -> Option<Act> {
    let about = "Stage of kind `lost` in the deal's pipeline; the first one by default.";
    let stage = fields.optional("stageId", stage().about(about));
    let reason = fields.required("reason", line(REASON_CHARS_MAX).about("Why it was lost."));
    Some(Act::Lose { stage, reason: reason? })
}

fn read_move(fields: &mut Fields<'_>) -> Option<Act> {
    let to = fields.required("stageId", stage().about("Stage to move to."));
    let before =
        fields.optional("before", deal().about("Deal of that stage to stand directly before."));
    let after =
        fields.optional("after", deal().about("Deal of that stage to stand directly behind."));
    let about = "Why the deal is lost; required for a stage of kind `lost`, and only there.";
    let reason = fields.optional("reason", line(REASON_CHARS_MAX).about(about));
    let beside = match (before, after) {
        (Some(_), Some(_)) => {
            return fields.refuse(
                "after",
                message!("must not be sent with before", "no debe enviarse junto con before"),
            );
        }
        (Some(id), None) => Beside::Before(id),
        (None, Some(id)) => Beside::After(id),
        (None, None) => Beside::Last,
    };
    Some(Act::Move { stage: to?, beside, reason })
}

/// The identifier of a deal.
pub(in crate::resources) fn deal() -> impl Check<Value = DealId> {
    id(noun("a deal", "una oportunidad"), DealId::PREFIX, DealId::parse)
}

/// The identifier of a customer.
pub(in crate::resources) fn customer() -> impl Check<Value = CustomerId> {
    id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse)
}

/// The identifier of a lead.
pub(in crate::resources) fn lead() -> impl Check<Value = LeadId> {
    id(noun("a lead", "un prospecto"), LeadId::PREFIX, LeadId::parse)
}

/// A day.
pub(in crate::resources) fn day() -> impl Check<Value = Day> {
    text(|text| {
        Day::parse(text).ok_or_else(|| {
            message!(
                "must be a day such as \"2026-01-31\"",
                "debe ser una fecha, como \"2026-01-31\""
            )
        })
    })
    .format("date")
    .pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
    .example("2026-01-31")
}

/// The value of a deal, which cannot be negative.
fn value() -> impl Check<Value = Amount> {
    number(Some(0), |value| {
        if value.is_negative() {
            Err(message!("must not be negative", "no debe ser negativo"))
        } else {
            Ok(value)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert!(CREATE.read_body(examples::CREATE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::DEAL.as_bytes()).is_ok());
        assert!(MOVE.read_body(examples::MOVE.as_bytes()).is_ok());
        assert!(LOSE.read_body(examples::LOSE.as_bytes()).is_ok());
        assert_eq!(WIN.read_body(b"").unwrap(), Act::Win { stage: None });
    }

    #[test]
    fn the_order_of_a_stage_is_that_of_one_stage() {
        let refused = LIST.read_query("sort=rank").unwrap_err().to_string();
        assert!(refused.contains("stageId"), "{refused}");
    }
}
