//! Approvals: what may only happen once others have agreed.
//!
//! A [`Rule`] says which commands it is for, by [conditions](Condition) on the [facts](Facts) of a command, and who must
//! agree, [level](Level) by level. [`ask()`] makes one request for all [rules that a command meets](required());
//! [`Approval::decide`] counts who has agreed. What a command does is no concern of this crate: whoever keeps
//! approvals carries the command out in the transaction of the last decision, or has it carried out from there.
//!
//! Approvers are API keys that may approve, and users whose role does.

mod approval;
mod condition;
mod decide;
mod entity;
pub mod events;
mod facts;
mod field;
mod level;
mod rule;
mod service;

pub use approval::{
    AdHoc, Approval, ApprovalId, Asked, COMMENT_CHARS_MAX, CommandKind, Effect, Outcome, Petition,
    Refusal, Requirement, Status, TakeBack, ask, ask_ad_hoc,
};
pub use condition::{Condition, IN_MAX, Op, TEXT_CHARS_MAX, Value};
pub use decide::{Decide, Decided, Decision, Verdict};
pub use entity::EntityType;
pub use facts::Facts;
pub use field::{Field, FieldKind};
pub use level::{APPROVERS_MAX, KeyId, LEVELS_MAX, Level, Person};
pub use rule::{
    CONDITIONS_MAX, HOURS_DEFAULT, HOURS_MAX, NAME_CHARS_MAX, NewRule, RULES_MAX, Rule,
    RuleChanges, RuleId, required,
};
pub use service::{ApprovalError, ApprovalQuery, Approvals, Gate, Passed, ReviseRule, Rules};
