//! What the endpoints of approval rules read.

use approvals::{
    APPROVERS_MAX, CONDITIONS_MAX, Condition, EntityType, Facts, Field, FieldKind, HOURS_DEFAULT,
    HOURS_MAX, IN_MAX, LEVELS_MAX, Level, NAME_CHARS_MAX, NewRule, Op, Person, RuleChanges, RuleId,
    TEXT_CHARS_MAX, Value,
};
use intake::{
    Check, Faults, Fields, Form, Given, Schema,
    checks::{currency, flag, line, list, number, object, objects, one_of, text, whole},
    noun,
    sketch::ValueKind,
};
use kernel::{Amount, PageRequest, message};

use super::examples;
use crate::page::page_request_of;

pub(super) const LIST: Form<PageRequest> = Form::query(read_page);
pub(super) const CREATE: Form<NewRule> =
    Form::body("CreateApprovalRule", noun("a rule", "una regla"), read_new, examples::CREATE);
pub(super) const UPDATE: Form<RuleChanges> =
    Form::body("UpdateApprovalRule", noun("a rule", "una regla"), read_changes, examples::UPDATE);
pub(super) const EVALUATE: Form<WantedVerdict> = Form::body(
    "EvaluateApprovalRules",
    noun("an evaluation", "una evaluación"),
    read_wanted,
    examples::EVALUATE,
);

/// Sort order named in the cursors of the list.
pub(super) const ORDER: &str = "-createdAt";

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &["id", "createdAt", "updatedAt"];

/// What the rules are tried on.
#[derive(Debug)]
pub(super) struct WantedVerdict {
    pub(super) entity: EntityType,
    pub(super) facts: Facts,
}

fn read_page(fields: &mut Fields<'_>) -> Option<PageRequest> {
    Some(page_request_of(fields, ORDER, RuleId::PREFIX))
}

fn read_new(fields: &mut Fields<'_>) -> Option<NewRule> {
    let entity = fields.required("entityType", entity_type());
    let levels = fields.required("levels", levels());
    let hours = fields.optional("expiresAfterHours", expires_after_hours());
    let rule = NewRule {
        entity: entity.unwrap_or(EntityType::OrderDiscount),
        name: fields.optional("name", line(NAME_CHARS_MAX)),
        currency: fields.optional("currency", currency()),
        conditions: fields.optional("conditions", conditions()).unwrap_or_default(),
        levels: levels.unwrap_or_default(),
        allow_self_approval: fields.optional("allowSelfApproval", flag()).unwrap_or_default(),
        expires_after_hours: hours.unwrap_or(HOURS_DEFAULT),
    };
    fields.read_only(READ_ONLY);
    entity.map(|_| rule)
}

fn read_changes(fields: &mut Fields<'_>) -> Option<RuleChanges> {
    let changes = RuleChanges {
        name: fields.patch("name", line(NAME_CHARS_MAX)),
        currency: fields.patch("currency", currency()),
        conditions: fields.change("conditions", conditions()),
        levels: fields.change("levels", levels()),
        allow_self_approval: fields.change("allowSelfApproval", flag()),
        expires_after_hours: fields.change("expiresAfterHours", expires_after_hours()),
    };
    fields.read_only(&["entityType"]);
    fields.read_only(READ_ONLY);
    Some(changes)
}

/// What is to be approved.
pub(in crate::resources) fn entity_type() -> impl Check<Value = EntityType> {
    one_of(EntityType::EVERY, EntityType::name)
}

/// Hours until an approval expires.
pub(in crate::resources) fn expires_after_hours() -> impl Check<Value = u32> {
    Hours
}

struct Hours;

impl Check for Hours {
    type Value = u32;

    fn check(&self, given: &Given<'_>) -> Result<u32, Faults> {
        let hours = whole(1..=HOURS_MAX.into()).check(given)?;
        Ok(u32::try_from(hours).unwrap_or(HOURS_MAX))
    }

    fn schema(&self) -> Schema {
        whole(1..=HOURS_MAX.into()).schema()
    }
}

/// Who must agree, one level after the other.
pub(in crate::resources) fn levels() -> impl Check<Value = Vec<Level>> {
    objects(noun("a level", "un nivel"), 1..=LEVELS_MAX, read_level)
}

fn read_level(fields: &mut Fields<'_>) -> Option<Level> {
    let approvers = objects(noun("an approver", "un aprobador"), 1..=APPROVERS_MAX, read_approver);
    let approvers = fields.required("approvers", approvers.about("Who may agree."));
    let most = i64::try_from(APPROVERS_MAX).unwrap_or(i64::MAX);
    let least = fields.optional(
        "minApprovals",
        whole(1..=most).about("How many of them must agree; 1 by default."),
    );
    let min_approvals = least.and_then(|least| u32::try_from(least).ok()).unwrap_or(1);
    Some(Level { approvers: approvers?, min_approvals })
}

fn read_approver(fields: &mut Fields<'_>) -> Option<Person> {
    let kind = text(|kind| match kind {
        "key" => Ok(false),
        "user" => Ok(true),
        "role" => Err(message!(
            "must be key or user: roles cannot be approvers",
            "debe ser key o user: los roles no son aprobadores"
        )),
        _ => Err(message!("must be key or user", "debe ser key o user")),
    });
    let about = "`key`: an API key; `user`: a user of the panel.";
    let kind = kind.pattern("^(key|user)$").example("key").about(about);
    let is_user = fields.required("type", kind);
    let person = text(|text| {
        Person::parse(text).ok_or_else(|| {
            message!(
                "must be the id of an API key or of a user",
                "debe ser el id de una clave de API o de un usuario"
            )
        })
    });
    let about = "Identifier of a key that may approve, see `trastienda key list`; or of a member whose role approves, see the team in the \
                 panel.";
    let person = person
        .pattern("^(key|usr)_[0-7][0-9A-HJKMNP-TV-Z]{25}$")
        .example("key_01KG8W2X4N7QZ5T3R9B6C1D0EF")
        .about(about);
    let person = fields.required("id", person);
    match (is_user?, person?) {
        (true, Person::Key(_)) => fields
            .refuse("id", message!("must be the id of a user", "debe ser el id de un usuario")),
        (false, Person::User(_)) => fields.refuse(
            "id",
            message!("must be the id of an API key", "debe ser el id de una clave de API"),
        ),
        (_, person) => Some(person),
    }
}

fn conditions() -> impl Check<Value = Vec<Condition>> {
    objects(noun("a condition", "una condición"), 0..=CONDITIONS_MAX, read_condition)
}

fn read_condition(fields: &mut Fields<'_>) -> Option<Condition> {
    let field = fields.required("field", one_of(Field::EVERY, Field::name));
    let op = fields.required("op", one_of(Op::EVERY, Op::name));
    let value = fields.required("value", Compared);
    let (field, op, compared) = (field?, op?, value?);
    let values = match (compared, op) {
        (Sent::Many(values), Op::In) => values,
        (Sent::One(value), op) if op != Op::In => vec![value],
        (Sent::One(_), _) => {
            return fields
                .refuse("value", message!("must be a list with in", "debe ser una lista con in"));
        }
        (Sent::Many(_), _) => {
            return fields.refuse(
                "value",
                message!(
                    "must be one value unless op is in",
                    "debe ser un solo valor salvo que op sea in"
                ),
            );
        }
    };
    Some(Condition { field, op, values })
}

/// What a field is compared with, as it was sent.
enum Sent {
    One(Value),
    Many(Vec<Value>),
}

/// A number, a text, or a list of them.
struct Compared;

impl Check for Compared {
    type Value = Sent;

    fn check(&self, given: &Given<'_>) -> Result<Sent, Faults> {
        match given {
            Given::Json(raw) if raw.get().starts_with('[') => {
                list(1..=IN_MAX, Single).check(given).map(Sent::Many)
            }
            _ => Single.check(given).map(Sent::One),
        }
    }

    fn schema(&self) -> Schema {
        let ValueKind::Choice(mut kinds) = Single.schema().kind else { return Single.schema() };
        kinds.push(list(1..=IN_MAX, Single).schema());
        ValueKind::Choice(kinds).into()
    }
}

/// A number or a text.
struct Single;

fn a_number() -> impl Check<Value = Amount> {
    number(None, Ok)
}

impl Check for Single {
    type Value = Value;

    fn check(&self, given: &Given<'_>) -> Result<Value, Faults> {
        match given {
            Given::Json(raw) if raw.get().starts_with('"') => {
                line(TEXT_CHARS_MAX).check(given).map(Value::Text)
            }
            _ => a_number().check(given).map(Value::Number),
        }
    }

    fn schema(&self) -> Schema {
        ValueKind::Choice(vec![a_number().schema(), line(TEXT_CHARS_MAX).schema()]).into()
    }
}

fn read_wanted(fields: &mut Fields<'_>) -> Option<WantedVerdict> {
    let entity =
        fields.required("entityType", entity_type().about("What would have to be approved."));
    let currency = fields.optional("currency", currency().about("Currency of the amounts."));
    let facts = object(noun("the facts", "los datos"), read_facts);
    let facts = fields.required("facts", facts.about("What is known of it, by field."));
    let (entity, known) = (entity?, facts?);
    let strange = known.iter().find(|(field, _)| !entity.fields().contains(field));
    if let Some((field, _)) = strange {
        let (field, name) = (field.name(), entity.name());
        return fields.refuse(
            &format!("facts.{field}"),
            message!("is not known of {name}", "no aplica para {name}"),
        );
    }
    let money = known.iter().find(|(field, _)| field.kind() == FieldKind::Money);
    if let Some((field, _)) = money.filter(|_| currency.is_none()) {
        let field = field.name();
        return fields.refuse(
            "currency",
            message!(
                "is required beside facts.{field}, which is an amount",
                "es obligatorio junto con facts.{field}, que es un importe"
            ),
        );
    }
    let facts = Facts { currency, known: known.into_iter().collect() };
    Some(WantedVerdict { entity, facts })
}

fn read_facts(fields: &mut Fields<'_>) -> Option<Vec<(Field, Value)>> {
    let mut facts = Vec::new();
    for field in Field::EVERY {
        let (name, about) = (field.name(), meaning(*field));
        let value = match field.kind() {
            FieldKind::Text => {
                fields.optional(name, line(TEXT_CHARS_MAX).about(about)).map(Value::Text)
            }
            FieldKind::Money | FieldKind::Number => {
                fields.optional(name, a_number().about(about)).map(Value::Number)
            }
        };
        facts.extend(value.map(|value| (*field, value)));
    }
    Some(facts)
}

/// What a field means, for the documentation.
const fn meaning(field: Field) -> &'static str {
    match field {
        Field::DiscountPct => {
            "What all discounts take off, in percent of what the items cost without them."
        }
        Field::DiscountTotal => "What all discounts take off.",
        Field::BelowPricePct => {
            "How far the unit price of an item lies below what its customer pays otherwise, by price lists or the product, in \
             percent of that."
        }
        Field::Total => "What it comes to.",
        Field::CustomerId => "Identifier of the customer.",
        Field::Channel => "Where the order is sold.",
        Field::Status => "Status of the order.",
        Field::Motive => "Reason code of the cancellation.",
        Field::AgeDays => "Whole days since the stamp.",
        Field::Amount => "What is given back.",
        Field::Share => "What is given back, in percent of what was paid.",
        Field::Method => "How it was paid.",
        Field::DaysSincePaid => "Whole days since it was paid.",
        Field::Reason => "Why.",
        Field::Items => {
            "The goods, such as `2 × Taza`; of an adjustment `-2 × Taza` where they become fewer."
        }
        Field::Units => {
            "How many units: pieces, or kilograms and metres of what is sold by weight and length."
        }
        Field::Value => "What they are worth.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert!(CREATE.read_body(examples::CREATE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(EVALUATE.read_body(examples::EVALUATE.as_bytes()).is_ok());
        assert!(CREATE.read_body(examples::RULE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::RULE.as_bytes()).is_ok());
    }

    #[test]
    fn faults_have_their_place() {
        let refused = |conditions: &str, approver: &str| {
            let body = format!(
                r#"{{"entityType": "order_discount", "conditions": [{conditions}],
                    "levels": [{{"approvers": [{approver}]}}]}}"#
            );
            CREATE.read_body(body.as_bytes()).err().map(|why| why.to_string()).unwrap_or_default()
        };
        let key = r#"{"type": "key", "id": "key_01KG8W2X4N7QZ5T3R9B6C1D0EF"}"#;
        for (condition, problem) in [
            (r#"{"field": "total", "op": "in", "value": [1, 2]}"#, ""),
            (
                r#"{"field": "total", "op": "in", "value": 1}"#,
                "conditions[0].value must be a list with in",
            ),
            (
                r#"{"field": "total", "op": "eq", "value": [1]}"#,
                "conditions[0].value must be one value unless op is in",
            ),
            (
                r#"{"field": "total", "op": "eq", "value": true}"#,
                "conditions[0].value must be a number",
            ),
        ] {
            assert_eq!(refused(condition, key), problem, "{condition}");
        }
        let user = r#"{"type": "user", "id": "usr_01KG8W2X4N7QZ5T3R9B6C1D0EF"}"#;
        assert_eq!(refused("", user), "");
        let (no_key, no_user) = (user.replace("user", "key"), key.replace("\"key\"", "\"user\""));
        for (approver, field) in [
            (r#"{"type": "user", "id": "usr_1"}"#, "levels[0].approvers[0].id "),
            (r#"{"type": "role", "id": "owner"}"#, "levels[0].approvers[0].type "),
            (no_key.as_str(), "levels[0].approvers[0].id "),
            (no_user.as_str(), "levels[0].approvers[0].id "),
        ] {
            assert!(refused("", approver).starts_with(field), "{approver}");
        }
    }
}
