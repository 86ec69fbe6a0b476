//! Requests for approval.

use kernel::{FieldFault, Message, NewEvent, Refused, Timestamp};

use crate::{
    ApprovalError, Decision, EntityType, Facts, Level, Person, Rule, RuleId, Verdict, events, level,
};

kernel::ids! {
    /// A request's identifier.
    ApprovalId = "apr";
}

/// The most characters of a comment or a reason.
pub const COMMENT_CHARS_MAX: usize = 500;
/// Seconds in an hour.
const HOUR_SECONDS: i64 = 3_600;

/// Where a request stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It waits for decisions.
    Pending,
    /// All that had to agree have.
    Approved,
    /// Somebody has not agreed.
    Rejected,
    /// Who asked has taken it back.
    Cancelled,
    /// Its time is over.
    Expired,
    /// What it was about is not any more as it was.
    Superseded,
}

impl Status {
    /// Every status.
    pub const EVERY: &'static [Self] = &[
        Self::Pending,
        Self::Approved,
        Self::Rejected,
        Self::Cancelled,
        Self::Expired,
        Self::Superseded,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Cancelled => "canceled",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
        }
    }
}

/// What has become of the command behind a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Nothing, or there is none.
    None,
    /// It is on its way.
    Queued,
    /// It was carried out.
    Applied,
    /// It was refused when it was tried.
    Failed,
}

impl Effect {
    /// Every effect.
    pub const EVERY: &'static [Self] = &[Self::None, Self::Queued, Self::Applied, Self::Failed];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Queued => "queued",
            Self::Applied => "applied",
            Self::Failed => "failed",
        }
    }
}

/// Which command waits for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommandKind {
    /// An order is placed.
    PlaceOrder,
    /// An order is cancelled.
    CancelOrder,
    /// The cancellation of an invoice is asked for.
    CancelInvoice,
    /// Money of a payment is given back.
    RefundPayment,
    /// Goods are taken back and what they were worth is given back.
    ReturnItems,
    /// A quote is sent to its customer.
    SendQuote,
    /// Stock is corrected by hand.
    AdjustStock,
    /// What was counted is posted.
    PostCount,
    /// Goods are sent to another warehouse.
    DispatchTransfer,
}

impl CommandKind {
    /// Every kind.
    pub const EVERY: &'static [Self] = &[
        Self::PlaceOrder,
        Self::CancelOrder,
        Self::CancelInvoice,
        Self::RefundPayment,
        Self::ReturnItems,
        Self::SendQuote,
        Self::AdjustStock,
        Self::PostCount,
        Self::DispatchTransfer,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PlaceOrder => "place_order",
            Self::CancelOrder => "cancel_order",
            Self::CancelInvoice => "cancel_invoice",
            Self::RefundPayment => "refund_payment",
            Self::ReturnItems => "return_items",
            Self::SendQuote => "send_quote",
            Self::AdjustStock => "adjust_stock",
            Self::PostCount => "post_count",
            Self::DispatchTransfer => "dispatch_transfer",
        }
    }

    /// What it is about.
    #[must_use]
    pub const fn entity(self) -> EntityType {
        match self {
            Self::PlaceOrder | Self::SendQuote => EntityType::OrderDiscount,
            Self::CancelOrder => EntityType::OrderCancellation,
            Self::CancelInvoice => EntityType::InvoiceCancellation,
            Self::RefundPayment | Self::ReturnItems => EntityType::Refund,
            Self::AdjustStock | Self::PostCount => EntityType::StockAdjustment,
            Self::DispatchTransfer => EntityType::StockTransfer,
        }
    }
}

/// Why a command was refused, as its caller would have been told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status of the answer.
    pub status: u16,
    /// The stable code.
    pub code: String,
    /// The sentence.
    pub message: Message,
}

/// What a command has led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was carried out: what it made, as whoever keeps approvals writes it down.
    Made(String),
    /// It was refused.
    Refused(Refusal),
}

/// Who must agree because of one rule, or because who asked said so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The rule, as it was when it was asked.
    pub rule: Option<RuleId>,
    /// Who must agree, one level after the other.
    pub levels: Vec<Level>,
    /// Whether who asks may agree, too.
    pub allow_self_approval: bool,
}

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// Its identifier.
    pub id: ApprovalId,
    /// What it is about.
    pub entity: EntityType,
    /// The identifier of what it is about; of an order to be placed, the one that it will have.
    pub entity_id: String,
    /// The command that waits for it, if any.
    pub command: Option<CommandKind>,
    /// What was known when it was made.
    pub facts: Facts,
    /// Equal as long as what it is about is as it was.
    pub digest: String,
    /// Who must agree, for each of several reasons.
    pub requirements: Vec<Requirement>,
    /// Why it is asked for.
    pub reason: Option<String>,
    /// Who asked.
    pub requested_by: Person,
    /// Where it stands.
    pub status: Status,
    /// The level that is to be decided; the first is 0.
    pub level: u32,
    /// Who has decided, in that order.
    pub decisions: Vec<Decision>,
    /// What has become of the command.
    pub effect: Effect,
    /// What it has led to.
    pub outcome: Option<Outcome>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// When its time is over.
    pub expires_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// Counts its changes.
    pub version: i64,
}

impl Approval {
    /// Whether somebody is asked to decide, at whichever level.
    #[must_use]
    pub fn names(&self, person: Person) -> bool {
        let levels = self.requirements.iter().flat_map(|requirement| &requirement.levels);
        levels.flat_map(|level| &level.approvers).any(|named| *named == person)
    }
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Petition {
    /// The command that is to wait.
    pub command: Option<CommandKind>,
    /// What it is about.
    pub entity: EntityType,
    /// Its identifier.
    pub entity_id: String,
    /// What is known of it.
    pub facts: Facts,
    /// See [`Approval::digest`].
    pub digest: String,
    /// Why.
    pub reason: Option<String>,
    /// Who asks.
    pub by: Person,
}

/// A request of which nothing follows by itself.
#[derive(Clone, Debug)]
pub struct AdHoc {
    /// What it is about.
    pub entity: EntityType,
    /// Its identifier.
    pub entity_id: String,
    /// Why.
    pub reason: Option<String>,
    /// Who must agree.
    pub levels: Vec<Level>,
    /// Hours after which it expires.
    pub expires_after_hours: u32,
    /// Who asks.
    pub by: Person,
}

/// A request to be taken back.
#[derive(Clone, Copy, Debug)]
pub struct TakeBack {
    /// Which.
    pub id: ApprovalId,
    /// Who wants it.
    pub by: Person,
    /// Whether they may approve.
    pub may_approve: bool,
    /// The version that they have seen, when what others have done since is to be looked at first.
    pub version: Option<i64>,
}

/// What comes of asking: all of it is recorded together, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The request.
    pub approval: Approval,
    /// What is told.
    pub events: Vec<NewEvent>,
}

/// Asks all of these rules; `None` when there are none.
#[must_use]
pub fn ask(petition: Petition, rules: &[&Rule], id: ApprovalId, now: Timestamp) -> Option<Asked> {
    let hours = rules.iter().map(|rule| rule.expires_after_hours).min()?;
    let requirements = rules.iter().map(|rule| Requirement {
        rule: Some(rule.id),
        levels: rule.levels.clone(),
        allow_self_approval: rule.allow_self_approval,
    });
    Some(asked(petition, requirements.collect(), hours, id, now))
}

/// Asks whom the request names.
///
/// # Errors
/// What is wrong with its levels, and when nobody is left who could agree.
pub fn ask_ad_hoc(
    command: AdHoc,
    (facts, digest): (Facts, String),
    id: ApprovalId,
    now: Timestamp,
) -> Result<Asked, Refused<ApprovalError>> {
    let mut faults = level::faults(&command.levels);
    if faults.is_empty() && !level::can_be_met(&command.levels, Some(command.by)) {
        faults.push(FieldFault::new("levels", nobody_left()));
    }
    if !faults.is_empty() {
        return Err(Refused::Invalid(faults));
    }
    let petition = Petition {
        command: None,
        entity: command.entity,
        entity_id: command.entity_id,
        facts,
        digest,
        reason: command.reason,
        by: command.by,
    };
    let levels = command.levels;
    let requirement = Requirement { rule: None, levels, allow_self_approval: false };
    Ok(asked(petition, vec![requirement], command.expires_after_hours, id, now))
}

fn nobody_left() -> Message {
    kernel::message!(
        "must name enough others: the API key that asks may not approve",
        "debe indicar a suficientes otros: la clave de API que solicita no puede aprobar"
    )
}

fn asked(
    petition: Petition,
    requirements: Vec<Requirement>,
    hours: u32,
    id: ApprovalId,
    now: Timestamp,
) -> Asked {
    let approval = Approval {
        id,
        entity: petition.entity,
        entity_id: petition.entity_id,
        command: petition.command,
        facts: petition.facts,
        digest: petition.digest,
        requirements,
        reason: petition.reason,
        requested_by: petition.by,
        status: Status::Pending,
        level: 0,
        decisions: Vec::new(),
        effect: Effect::None,
        outcome: None,
        created_at: now,
        updated_at: now,
        expires_at: now.plus_seconds(i64::from(hours) * HOUR_SECONDS),
        ended_at: None,
        version: 1,
    };
    let events = vec![events::requested(&approval)];
    Asked { approval, events }
}

impl Approval {
    /// Where it stands at a moment: what has expired since it was saved has.
    #[must_use]
    pub fn status_at(&self, now: Timestamp) -> Status {
        match self.status {
            Status::Pending if now >= self.expires_at => Status::Expired,
            status => status,
        }
    }

    /// It as it is at a moment.
    #[must_use]
    pub fn at(mut self, now: Timestamp) -> Self {
        if self.status_at(now) != self.status {
            self.status = Status::Expired;
            self.ended_at = Some(self.expires_at);
            self.updated_at = self.expires_at;
            self.version += 1;
        }
        self
    }

    /// How many levels there are.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.requirements
            .iter()
            .map(|requirement| requirement.levels.len())
            .max()
            .unwrap_or_default()
    }

    /// It, ended for another reason than a decision.
    #[must_use]
    pub fn ended(mut self, status: Status, now: Timestamp) -> Self {
        self.status = status;
        self.ended_at = Some(now);
        self.touched(now)
    }

    /// Taken back by who has asked, or by somebody who may approve: who has asked may be gone.
    ///
    /// # Errors
    /// When somebody else wants it, or nothing is to be decided any more. Once taken back it stays so.
    pub fn taken_back(&self, command: &TakeBack, now: Timestamp) -> Result<Self, ApprovalError> {
        if command.by != self.requested_by && !command.may_approve {
            return Err(ApprovalError::NotRequester);
        }
        match self.status_at(now) {
            Status::Pending => Ok(self.clone().ended(Status::Cancelled, now)),
            Status::Cancelled => Ok(self.clone()),
            closed => Err(ApprovalError::Closed(closed)),
        }
    }

    /// With its command on its way.
    #[must_use]
    pub fn queued(mut self, now: Timestamp) -> Self {
        self.effect = Effect::Queued;
        self.touched(now)
    }

    /// With what its command has led to.
    #[must_use]
    pub fn carried_out(mut self, outcome: Outcome, now: Timestamp) -> Self {
        self.effect = match outcome {
            Outcome::Made(_) => Effect::Applied,
            Outcome::Refused(_) => Effect::Failed,
        };
        self.outcome = Some(outcome);
        self.touched(now)
    }

    pub(crate) fn touched(mut self, now: Timestamp) -> Self {
        self.updated_at = now;
        self.version += 1;
        self
    }

    /// How many have approved of a level of a requirement.
    pub(crate) fn approvals(&self, level: &Level, number: u32) -> usize {
        let counts = self.decisions.iter().filter(|decision| {
            decision.verdict == Verdict::Approve
                && decision.level == number
                && level.approvers.contains(&decision.by)
        });
        counts.count()
    }
}
