//! Approvals: rules, requests and what waits for them.

use std::marker::PhantomData;

use approvals::{
    Approval, ApprovalId, CommandKind, Condition, Decision, Effect, EntityType, Facts, Field,
    Level, Op, Outcome, Person, Refusal, Requirement, Rule, RuleId, Status, Value, Verdict,
};
use kernel::{Amount, Currency, Language, Message, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::forms::{Each, Form, Maybe, forms};

forms!(
    ApprovalForm of Approval,
    ConditionForm of Condition,
    DecisionForm of Decision,
    FactsForm of Facts,
    LevelForm of Level,
    OutcomeForm of Outcome,
    RefusalForm of Refusal,
    RequirementForm of Requirement,
    RuleForm of Rule,
    ValueForm of Value,
);

/// One of a few that have names.
trait Named: Copy + 'static {
    const EVERY: &'static [Self];

    fn named(self) -> &'static str;
}

macro_rules! named {
    ($($name:ty),+ $(,)?) => {$(
        impl Named for $name {
            const EVERY: &'static [Self] = <$name>::EVERY;

            fn named(self) -> &'static str {
                self.name()
            }
        }
    )+};
}

named!(CommandKind, Effect, EntityType, Field, Op, Status, Verdict);

/// By its name.
struct NameOf<T>(PhantomData<T>);

impl<T: Named> Form for NameOf<T> {
    type Of = T;

    fn serialize<S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(value.named())
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        let text = String::deserialize(deserializer)?;
        let found = T::EVERY.iter().copied().find(|one| one.named() == text);
        found.ok_or_else(|| D::Error::custom("a name that is not known"))
    }
}

/// A person, by the identifier.
struct PersonForm;

impl Form for PersonForm {
    type Of = Person;

    fn serialize<S: Serializer>(person: &Person, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(person)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Person, D::Error> {
        let text = String::deserialize(deserializer)?;
        Person::parse(&text).ok_or_else(|| D::Error::custom("nobody's identifier"))
    }
}

/// What was known, as a list.
struct KnownForm;

#[derive(Serialize, Deserialize)]
struct Fact {
    #[serde(with = "NameOf::<Field>")]
    field: Field,
    #[serde(with = "ValueForm")]
    value: Value,
}

impl Form for KnownForm {
    type Of = std::collections::BTreeMap<Field, Value>;

    fn serialize<S: Serializer>(known: &Self::Of, serializer: S) -> Result<S::Ok, S::Error> {
        let facts = known.iter().map(|(field, value)| Fact { field: *field, value: value.clone() });
        serializer.collect_seq(facts)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Of, D::Error> {
        let facts = Vec::<Fact>::deserialize(deserializer)?;
        Ok(facts.into_iter().map(|Fact { field, value }| (field, value)).collect())
    }
}

/// A sentence in every language.
struct MessageForm;

#[derive(Serialize, Deserialize)]
struct Sentence {
    en: String,
    es: String,
}

impl Form for MessageForm {
    type Of = Message;

    fn serialize<S: Serializer>(message: &Message, serializer: S) -> Result<S::Ok, S::Error> {
        let text = |language| message.in_language(language).to_owned();
        let [en, es] = Language::EVERY.map(text);
        Sentence { en, es }.serialize(serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Message, D::Error> {
        let Sentence { en, es } = Sentence::deserialize(deserializer)?;
        Ok(Message::both(|language| match language {
            Language::English => en.clone(),
            Language::Spanish => es.clone(),
        }))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Rule")]
pub(super) struct RuleForm {
    id: RuleId,
    #[serde(with = "NameOf::<EntityType>")]
    entity: EntityType,
    name: Option<String>,
    currency: Option<Currency>,
    #[serde(with = "Each::<ConditionForm>")]
    conditions: Vec<Condition>,
    #[serde(with = "Each::<LevelForm>")]
    levels: Vec<Level>,
    allow_self_approval: bool,
    expires_after_hours: u32,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Condition")]
pub(super) struct ConditionForm {
    #[serde(with = "NameOf::<Field>")]
    field: Field,
    #[serde(with = "NameOf::<Op>")]
    op: Op,
    #[serde(with = "Each::<ValueForm>")]
    values: Vec<Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Value", rename_all = "snake_case")]
enum ValueForm {
    Number(Amount),
    Text(String),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Level")]
pub(super) struct LevelForm {
    #[serde(with = "Each::<PersonForm>")]
    approvers: Vec<Person>,
    min_approvals: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Requirement")]
pub(super) struct RequirementForm {
    rule: Option<RuleId>,
    #[serde(with = "Each::<LevelForm>")]
    levels: Vec<Level>,
    allow_self_approval: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Facts")]
pub(super) struct FactsForm {
    currency: Option<Currency>,
    #[serde(with = "KnownForm")]
    known: std::collections::BTreeMap<Field, Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Refusal")]
pub(super) struct RefusalForm {
    status: u16,
    code: String,
    #[serde(with = "MessageForm")]
    message: Message,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Outcome", rename_all = "snake_case")]
enum OutcomeForm {
    Made(String),
    Refused(#[serde(with = "RefusalForm")] Refusal),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Decision")]
struct DecisionForm {
    #[serde(with = "PersonForm")]
    by: Person,
    #[serde(with = "NameOf::<Verdict>")]
    verdict: Verdict,
    level: u32,
    comment: Option<String>,
    at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Approval")]
pub(super) struct ApprovalForm {
    id: ApprovalId,
    #[serde(with = "NameOf::<EntityType>")]
    entity: EntityType,
    entity_id: String,
    #[serde(default, with = "Maybe::<NameOf<CommandKind>>")]
    command: Option<CommandKind>,
    #[serde(with = "FactsForm")]
    facts: Facts,
    digest: String,
    #[serde(with = "Each::<RequirementForm>")]
    requirements: Vec<Requirement>,
    reason: Option<String>,
    #[serde(with = "PersonForm")]
    requested_by: Person,
    #[serde(with = "NameOf::<Status>")]
    status: Status,
    level: u32,
    #[serde(with = "Each::<DecisionForm>")]
    decisions: Vec<Decision>,
    #[serde(with = "NameOf::<Effect>")]
    effect: Effect,
    #[serde(default, with = "Maybe::<OutcomeForm>")]
    outcome: Option<Outcome>,
    created_at: Timestamp,
    updated_at: Timestamp,
    expires_at: Timestamp,
    ended_at: Option<Timestamp>,
    version: i64,
}

/// What a call that waits for an approval was answered with. Calls of its kind that need none are answered with what they have
/// made, in which nothing of this is found.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Ticket {
    pub(crate) approval: Option<ApprovalId>,
}
