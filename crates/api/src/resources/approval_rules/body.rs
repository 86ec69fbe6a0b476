//! How the API shows a rule.

use std::fmt::Display;

use approvals::{Condition, Level, Person, Rule, RuleId, Value};
use kernel::{Amount, Currency, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// What needs whose approval.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ApprovalRule)]
pub(super) struct RuleBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "arl_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    id: RuleId,
    /// What is to be approved.
    #[schema(value_type = shapes::ApprovalEntity)]
    entity_type: &'static str,
    /// Name, as the account calls the rule.
    name: Option<String>,
    /// Currency of the amounts in the conditions; the rule is for this currency only. `null` for every currency.
    #[schema(value_type = Option<shapes::Currency>)]
    currency: Option<Currency>,
    /// Conditions, all of which a call must meet; without any, every call of its kind does.
    conditions: Vec<ConditionBody>,
    /// Who must agree, one level after the other.
    levels: Vec<LevelBody>,
    /// Whether who makes the call may approve it, too.
    allow_self_approval: bool,
    /// Hours after which an approval that was not decided expires.
    expires_after_hours: u32,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// A condition on one field of what is to be approved.
#[derive(Serialize, ToSchema)]
#[schema(as = ApprovalCondition)]
struct ConditionBody {
    /// The field. `discountPct`, `belowPricePct` and `share` are percentages, rounded up to 6 decimal places.
    #[schema(value_type = shapes::ApprovalField)]
    field: &'static str,
    /// How it is compared; texts by `eq`, `ne` and `in` only.
    #[schema(value_type = shapes::ApprovalOp)]
    op: &'static str,
    /// What it is compared with: a number or a text, or with `in` a list of them.
    value: ComparedBody,
}

/// What a field is compared with.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ApprovalComparedValue)]
enum ComparedBody {
    /// One value.
    One(ValueBody),
    /// Several, with `in`.
    Many(Vec<ValueBody>),
}

/// A value of a field.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ApprovalValue)]
pub(in crate::resources) enum ValueBody {
    /// A number or an amount.
    #[schema(value_type = shapes::Amount)]
    Number(Amount),
    /// A text.
    Text(String),
}

/// Those of whom some must agree.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ApprovalLevel)]
pub(in crate::resources) struct LevelBody {
    /// Who may.
    approvers: Vec<PersonBody>,
    /// How many of them must.
    min_approvals: u32,
}

/// Somebody who asks or approves.
#[derive(Serialize, ToSchema)]
#[schema(as = Approver)]
pub(in crate::resources) struct PersonBody {
    /// `key`: an API key; `user`: a user of the panel.
    #[schema(pattern = "^(key|user)$", example = "key")]
    r#type: &'static str,
    /// Identifier of the key or user.
    #[schema(example = "key_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    id: String,
}

/// What rules would ask for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ApprovalEvaluation)]
pub(super) struct VerdictBody {
    /// Whether anybody would have to approve.
    required: bool,
    /// The rules that would have to be satisfied.
    rules: Vec<NamedBody>,
}

/// A rule by its identifier and name.
#[derive(Serialize, ToSchema)]
#[schema(as = NamedApprovalRule)]
struct NamedBody {
    /// Its identifier.
    #[schema(value_type = String, example = "arl_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    id: RuleId,
    /// Its name.
    name: Option<String>,
}

impl VerdictBody {
    /// What these rules ask for.
    pub(super) fn new(wanting: &[&Rule]) -> Self {
        let named = |rule: &&Rule| NamedBody { id: rule.id, name: rule.name.clone() };
        Self { required: !wanting.is_empty(), rules: wanting.iter().map(named).collect() }
    }
}

impl Resource for RuleBody {
    type Thing = Rule;

    const PATH: &'static str = "/approval-rules";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<Rule> for RuleBody {
    fn from(rule: Rule) -> Self {
        Self {
            id: rule.id,
            entity_type: rule.entity.name(),
            name: rule.name,
            currency: rule.currency,
            conditions: rule.conditions.into_iter().map(ConditionBody::from).collect(),
            levels: levels_of(rule.levels),
            allow_self_approval: rule.allow_self_approval,
            expires_after_hours: rule.expires_after_hours,
            created_at: rule.created_at,
            updated_at: rule.updated_at,
            version: rule.version,
        }
    }
}

impl From<Condition> for ConditionBody {
    fn from(condition: Condition) -> Self {
        let is_list = condition.op == approvals::Op::In;
        let mut values = condition.values.into_iter().map(ValueBody::from);
        let value = match values.next() {
            Some(only) if !is_list => ComparedBody::One(only),
            first => ComparedBody::Many(first.into_iter().chain(values).collect()),
        };
        Self { field: condition.field.name(), op: condition.op.name(), value }
    }
}

impl From<Value> for ValueBody {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) => Self::Number(number),
            Value::Text(text) => Self::Text(text),
        }
    }
}

impl From<Person> for PersonBody {
    fn from(person: Person) -> Self {
        match person {
            Person::Key(id) => Self { r#type: "key", id: id.to_string() },
            Person::User(id) => Self { r#type: "user", id: id.to_string() },
        }
    }
}

/// Levels as they are shown.
pub(in crate::resources) fn levels_of(levels: Vec<Level>) -> Vec<LevelBody> {
    let shown = levels.into_iter().map(|level| LevelBody {
        approvers: level.approvers.into_iter().map(PersonBody::from).collect(),
        min_approvals: level.min_approvals,
    });
    shown.collect()
}
