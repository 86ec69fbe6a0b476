//! How the API shows an approval.

use std::{collections::BTreeMap, fmt::Display};

use approvals::{Approval, ApprovalId, CommandKind, Decision, Outcome, Refusal, RuleId};
use kernel::{Currency, Language, Timestamp};
use quotes::QuoteId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{
        approval_rules::{LevelBody, PersonBody, ValueBody, levels_of},
        invoices::InvoiceBody,
        orders::OrderBody,
        refunds::RefundBody,
        returns::ReturnBody,
        shapes,
        stock::{AdjustmentBody, CountBody},
        transfers::TransferBody,
    },
};

/// The answer to a call that waits for an approval.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ApprovalTicket)]
pub(in crate::resources) struct TicketBody {
    /// The approval that the call waits for: see `GET /approvals/{id}`.
    #[schema(value_type = String, example = "apr_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    approval_id: ApprovalId,
    /// Always `pending`.
    #[schema(pattern = "^pending$", example = "pending")]
    status: &'static str,
}

impl TicketBody {
    /// Of this approval.
    pub(super) const fn new(approval_id: ApprovalId) -> Self {
        Self { approval_id, status: "pending" }
    }
}

/// What may only happen once others have agreed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Approval)]
pub(super) struct ApprovalBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "apr_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    id: ApprovalId,
    /// What is to be approved.
    #[schema(value_type = shapes::ApprovalEntity)]
    entity_type: &'static str,
    /// Identifier of the order, invoice, payment, count or transfer; of an order or adjustment to be created the one that it will have.
    #[schema(example = "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    entity_id: String,
    /// Current status.
    #[schema(value_type = shapes::ApprovalStatus)]
    status: &'static str,
    /// The level that is to be decided, starting at 1; past the last one once all have agreed.
    level: u32,
    /// Who must agree, for each rule that wants to be asked.
    requirements: Vec<RequirementBody>,
    /// What was known when it was asked for.
    #[schema(value_type = shapes::ApprovalFacts)]
    facts: BTreeMap<&'static str, ValueBody>,
    /// Currency of the amounts among the facts.
    #[schema(value_type = Option<shapes::Currency>)]
    currency: Option<Currency>,
    /// Why it is asked for.
    reason: Option<String>,
    /// Who has asked.
    requested_by: PersonBody,
    /// Who has decided, in that order.
    decisions: Vec<DecisionBody>,
    /// What has become of the call: `none` while it waits, for good if it is not approved and where there is none;
    /// `queued` while a provider is asked; `applied`, or `failed` if it was refused when it was tried.
    #[schema(value_type = shapes::ApprovalEffect)]
    effect: &'static str,
    /// What the call would have been answered with; `null` unless `effect` is `applied` or `failed`.
    result: Option<ResultBody>,
    /// When it was asked for.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When it was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    /// When it expires if it is not decided.
    #[schema(value_type = shapes::Timestamp)]
    expires_at: Timestamp,
    /// When it ended.
    #[schema(value_type = Option<shapes::Timestamp>)]
    ended_at: Option<Timestamp>,
    #[serde(skip)]
    version: i64,
}

/// Who must agree because of a rule, as it was when it was asked.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ApprovalRequirement)]
struct RequirementBody {
    /// The rule; `null` where the request itself names its approvers.
    #[schema(value_type = Option<String>, example = "arl_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    rule_id: Option<RuleId>,
    /// Who must agree, one level after the other.
    levels: Vec<LevelBody>,
    /// Whether who has asked may approve, too.
    allow_self_approval: bool,
}

/// A decision.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalDecision)]
struct DecisionBody {
    /// Whose.
    by: PersonBody,
    /// What was decided.
    #[schema(value_type = shapes::ApprovalVerdict)]
    decision: &'static str,
    /// On which level, starting at 1.
    level: u32,
    /// What was said.
    comment: Option<String>,
    /// When.
    #[schema(value_type = shapes::Timestamp)]
    at: Timestamp,
}

/// What a call would have been answered with.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalResult)]
struct ResultBody {
    /// The status of the answer.
    #[schema(example = 201)]
    status: u16,
    /// Its body.
    body: MadeBody,
}

/// The body of an answer.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ApprovalResultBody)]
pub(super) enum MadeBody {
    /// The order that was created or cancelled.
    Order(Box<OrderBody>),
    /// The invoice whose cancellation was asked for.
    Invoice(Box<InvoiceBody>),
    /// The refund that was made.
    Refund(Box<RefundBody>),
    /// The return that was recorded.
    Return(Box<ReturnBody>),
    /// The quote that was sent.
    Quote(SentQuoteBody),
    /// The adjustment that was made.
    Adjustment(Box<AdjustmentBody>),
    /// The count that was posted.
    Count(Box<CountBody>),
    /// The transfer that was sent.
    Transfer(Box<TransferBody>),
    /// Why the call was refused.
    Refused(RefusedBody),
}

/// A quote that was sent: `GET /crm/quotes/{id}` shows it.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovedQuote)]
pub(super) struct SentQuoteBody {
    /// Unique identifier, by which it is told from what else a call is answered with.
    #[schema(
        value_type = String,
        pattern = "^quo_[0-7][0-9A-HJKMNP-TV-Z]{25}$",
        example = "quo_01KGB5F7H9K1M3P5R7T9V1X3Z5"
    )]
    pub(super) id: QuoteId,
}

/// The body of an error.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ApprovalRefusal)]
pub(super) struct RefusedBody {
    /// The HTTP status code.
    #[schema(example = 409)]
    status_code: u16,
    /// A sentence that names the problem and the fix.
    message: String,
    /// A stable code.
    #[schema(example = "insufficient_stock")]
    error: String,
}

impl RefusedBody {
    fn new(refusal: &Refusal, language: Language) -> Self {
        Self {
            status_code: refusal.status,
            message: refusal.message.in_language(language).to_owned(),
            error: refusal.code.clone(),
        }
    }
}

impl Resource for ApprovalBody {
    type Thing = Self;

    const PATH: &'static str = "/approvals";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }

    fn weight(_: &Self) -> usize {
        10
    }
}

impl ApprovalBody {
    /// A request with what its call has made.
    pub(super) fn new(approval: Approval, made: Option<MadeBody>, language: Language) -> Self {
        let result = match (&approval.outcome, made) {
            (Some(Outcome::Refused(refusal)), _) => Some(ResultBody {
                status: refusal.status,
                body: MadeBody::Refused(RefusedBody::new(refusal, language)),
            }),
            (Some(Outcome::Made(_)), Some(body)) => {
                Some(ResultBody { status: success_of(approval.command), body })
            }
            _ => None,
        };
        let requirements = approval.requirements.into_iter().map(|requirement| RequirementBody {
            rule_id: requirement.rule,
            levels: levels_of(requirement.levels),
            allow_self_approval: requirement.allow_self_approval,
        });
        let known = approval.facts.known.into_iter();
        Self {
            id: approval.id,
            entity_type: approval.entity.name(),
            entity_id: approval.entity_id,
            status: approval.status.name(),
            level: approval.level.saturating_add(1),
            requirements: requirements.collect(),
            facts: known.map(|(field, value)| (field.name(), value.into())).collect(),
            currency: approval.facts.currency,
            reason: approval.reason,
            requested_by: approval.requested_by.into(),
            decisions: approval.decisions.into_iter().map(DecisionBody::from).collect(),
            effect: approval.effect.name(),
            result,
            created_at: approval.created_at,
            updated_at: approval.updated_at,
            expires_at: approval.expires_at,
            ended_at: approval.ended_at,
            version: approval.version,
        }
    }
}

/// What the call answers when all goes well.
const fn success_of(command: Option<CommandKind>) -> u16 {
    match command {
        Some(
            CommandKind::PlaceOrder
            | CommandKind::RefundPayment
            | CommandKind::ReturnItems
            | CommandKind::AdjustStock,
        ) => 201,
        _ => 200,
    }
}

impl From<Decision> for DecisionBody {
    fn from(decision: Decision) -> Self {
        Self {
            by: decision.by.into(),
            decision: decision.verdict.name(),
            level: decision.level.saturating_add(1),
            comment: decision.comment,
            at: decision.at,
        }
    }
}
