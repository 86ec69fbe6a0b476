//! The form of a rule: what it says, and how it is drawn.

use approvals::{
    Condition, EntityType, Field as Fact, FieldKind, HOURS_DEFAULT, HOURS_MAX, IN_MAX, Level,
    NAME_CHARS_MAX, Op, Person, Rule, TEXT_CHARS_MAX, Value,
};
use intake::{
    Fields, Form,
    checks::{currency, flag, line, one_of, whole, whole_from},
    noun, typed_number,
};
use kernel::{Amount, Currency, FieldFault, Message, message};

use super::super::{comparison, field_name};
use crate::{
    form::Values,
    pages::reading::{required, row_of, rows_filled},
    parts::{Choice, Field},
    texts::Say,
};

/// The names of the fields of a condition, which are those that the API has.
struct Row {
    group: &'static str,
    field: &'static str,
    op: &'static str,
    value: &'static str,
}

/// The names of the fields of a level.
struct Step {
    group: &'static str,
    approvers: &'static str,
    /// What its boxes are called where all fields are listed.
    boxes: &'static str,
    min_approvals: &'static str,
}

macro_rules! rows {
    ($($place:literal)+) => {
        &[$(Row {
            group: concat!("conditions[", $place, "]"),
            field: concat!("conditions[", $place, "].field"),
            op: concat!("conditions[", $place, "].op"),
            value: concat!("conditions[", $place, "].value"),
        }),+]
    };
}

macro_rules! steps {
    ($($place:literal)+) => {
        &[$(Step {
            group: concat!("levels[", $place, "]"),
            approvers: concat!("levels[", $place, "].approvers"),
            boxes: concat!("levels[", $place, "].approvers[…]"),
            min_approvals: concat!("levels[", $place, "].minApprovals"),
        }),+]
    };
}

/// As many as a rule may have.
const ROWS: &[Row] = rows!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
const STEPS: &[Step] = steps!(0 1 2 3 4);
/// Empty rows and levels below those that are filled in.
const ROWS_MORE: usize = 2;
const STEPS_MORE: usize = 1;
/// Between several values of one condition, and before one of these that stands within a value.
const BETWEEN: char = ';';
const MEANT: char = '\\';
/// The most characters of all values of a condition.
const VALUES_CHARS_MAX: usize = IN_MAX * (2 * TEXT_CHARS_MAX + 2);

/// What a form says of a rule, with the places of the rows and levels that are filled in.
pub(super) struct Filled {
    pub(super) entity: EntityType,
    pub(super) name: Option<String>,
    pub(super) currency: Option<Currency>,
    pub(super) conditions: Vec<Condition>,
    pub(super) levels: Vec<Level>,
    pub(super) allow_self_approval: bool,
    pub(super) expires_after_hours: u32,
    /// The version that the form was filled in on.
    pub(super) version: Option<i64>,
    places: (Vec<usize>, Vec<usize>),
}

pub(super) const FORM: Form<Filled> =
    Form::body("Rule", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let entity = fields.required("entityType", one_of(EntityType::EVERY, EntityType::name));
    let name = fields.optional("name", line(NAME_CHARS_MAX));
    let currency = fields.optional("currency", currency());
    let rows = ROWS.iter().enumerate();
    let rows = rows.filter_map(|(place, row)| Some((place, read_condition(fields, row)?)));
    let (rows, conditions) = rows.unzip();
    let steps = STEPS.iter().enumerate();
    let steps = steps.filter_map(|(place, step)| Some((place, read_level(fields, step)?)));
    let (steps, levels): (Vec<_>, Vec<_>) = steps.unzip();
    if let Some(first) = STEPS.first()
        && levels.is_empty()
    {
        fields.refuse::<()>(
            first.approvers,
            message!("must name somebody", "debe indicar a alguien"),
        );
    }
    let allow_self_approval = fields.optional("allowSelfApproval", flag()).unwrap_or_default();
    let hours = fields.optional("expiresAfterHours", whole(1..=HOURS_MAX.into()));
    let hours = hours.and_then(|hours| u32::try_from(hours).ok());
    let version = fields.optional("version", whole_from(1));
    Some(Filled {
        entity: entity?,
        name,
        currency,
        conditions,
        levels,
        allow_self_approval,
        expires_after_hours: hours.unwrap_or(HOURS_DEFAULT),
        version,
        places: (rows, steps),
    })
}

fn read_condition(fields: &mut Fields<'_>, row: &Row) -> Option<Condition> {
    let field = fields.optional(row.field, one_of(Fact::EVERY, Fact::name));
    let op = fields.optional(row.op, one_of(Op::EVERY, Op::name));
    let value = fields.optional(row.value, line(VALUES_CHARS_MAX));
    if fields.gives(row.value) && !fields.gives(row.field) {
        return fields.refuse(row.field, required());
    }
    if fields.gives(row.field) && !fields.gives(row.value) {
        return fields.refuse(row.value, required());
    }
    let (field, op, value) = (field?, op?, value?);
    match values(field, op, &value) {
        Ok(values) => Some(Condition { field, op, values }),
        Err(problem) => fields.refuse(row.value, problem),
    }
}

/// One value, or with `in` several.
fn values(field: Fact, op: Op, text: &str) -> Result<Vec<Value>, Message> {
    let value = |text: &str| match field.kind() {
        FieldKind::Text => kernel::text::line(text, TEXT_CHARS_MAX).map(Value::Text),
        FieldKind::Money | FieldKind::Number => {
            Amount::parse(&typed_number(text)).map(Value::Number)
        }
    };
    if op != Op::In {
        return value(text).map(|value| vec![value]);
    }
    let parts = parts(text);
    match parts.len() <= IN_MAX {
        true => parts.iter().map(|part| value(part)).collect(),
        false => Err(message!(
            "must have at most {IN_MAX} values",
            "debe tener a lo más {IN_MAX} valores"
        )),
    }
}

/// What stands between semicolons; one that is meant has a backslash before it.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let meant = match character {
            BETWEEN => None,
            MEANT => Some(characters.next().unwrap_or(MEANT)),
            other => Some(other),
        };
        match (meant, parts.last_mut()) {
            (Some(meant), Some(part)) => part.push(meant),
            _ => parts.push(String::new()),
        }
    }
    let parts = parts.into_iter().map(|part| part.trim().to_owned());
    parts.filter(|part| !part.is_empty()).collect()
}

/// The values of a condition as [`values`] reads them.
fn written(condition: &Condition) -> String {
    let is_list = condition.op == Op::In;
    let value = |value: &Value| match value {
        Value::Number(number) => number.to_string(),
        Value::Text(text) if is_list => text
            .replace(MEANT, &format!("{MEANT}{MEANT}"))
            .replace(BETWEEN, &format!("{MEANT}{BETWEEN}")),
        Value::Text(text) => text.clone(),
    };
    let values: Vec<_> = condition.values.iter().map(value).collect();
    values.join(&format!("{BETWEEN} "))
}

fn read_level(fields: &mut Fields<'_>, step: &Step) -> Option<Level> {
    let ticked = fields.entries(step.approvers, step.boxes, flag());
    let least = fields.optional(step.min_approvals, whole(1..=i64::from(u8::MAX)));
    let mut approvers = Vec::new();
    for (id, _) in ticked {
        match Person::parse(&id) {
            Some(person) => approvers.push(person),
            None => {
                return fields
                    .refuse(step.approvers, message!("names nobody", "no corresponde a nadie"));
            }
        }
    }
    let min_approvals = least.and_then(|least| u32::try_from(least).ok()).unwrap_or(1);
    (!approvers.is_empty()).then_some(Level { approvers, min_approvals })
}

impl Filled {
    /// It, with its approvers in the order in which a rule has them already.
    pub(super) fn beside(mut self, before: &Rule) -> Self {
        for (level, place) in self.levels.iter_mut().zip(&self.places.1) {
            let was = before.levels.get(*place);
            if let Some(was) = was.filter(|was| is_same(was, level)) {
                *level = was.clone();
            }
        }
        self
    }

    /// A fault at the field of the form: rows and levels that were left out count there.
    pub(super) fn placed(&self, fault: FieldFault) -> FieldFault {
        let (rows, steps) = &self.places;
        let moved = |part: &str, places: &[usize]| {
            let (index, rest) = row_of(part, &fault.field)?;
            let place = places.get(index)?;
            Some(format!("{part}[{place}]{rest}"))
        };
        let first = || STEPS.first().map(|step| step.approvers.to_owned());
        let field = match fault.field.as_str() {
            "levels" => first(),
            _ => moved("conditions", rows).or_else(|| moved("levels", steps)),
        };
        match field {
            Some(field) => FieldFault { field, ..fault },
            None => fault,
        }
    }
}

fn is_same(one: &Level, other: &Level) -> bool {
    let holds = |one: &Level, other: &Level| {
        one.approvers.iter().all(|person| other.approvers.contains(person))
    };
    one.min_approvals == other.min_approvals && holds(one, other) && holds(other, one)
}

/// What a rule would have been filled in as.
pub(super) fn of_rule(rule: &Rule) -> Vec<(String, String)> {
    let mut pairs = vec![
        ("name".to_owned(), rule.name.clone().unwrap_or_default()),
        ("currency".to_owned(), rule.currency.map(|it| it.to_string()).unwrap_or_default()),
        ("expiresAfterHours".to_owned(), rule.expires_after_hours.to_string()),
        ("version".to_owned(), rule.version.to_string()),
    ];
    if rule.allow_self_approval {
        pairs.push(("allowSelfApproval".to_owned(), "true".to_owned()));
    }
    for (row, condition) in ROWS.iter().zip(&rule.conditions) {
        pairs.push((row.field.to_owned(), condition.field.name().to_owned()));
        pairs.push((row.op.to_owned(), condition.op.name().to_owned()));
        pairs.push((row.value.to_owned(), written(condition)));
    }
    for (step, level) in STEPS.iter().zip(&rule.levels) {
        let ticked = level.approvers.iter();
        pairs.extend(ticked.map(|person| (box_of(step, *person), "true".to_owned())));
        pairs.push((step.min_approvals.to_owned(), level.min_approvals.to_string()));
    }
    pairs
}

fn box_of(step: &Step, person: Person) -> String {
    format!("{}[{person}]", step.approvers)
}

/// The fields of a rule about such things, which may name these people; with rows for all that any of `shown` has.
pub(super) fn drawn(
    say: Say,
    entity: EntityType,
    people: &[(Person, String)],
    values: &Values,
    shown: &[&Values],
) -> Vec<Field> {
    let facts = || {
        let none = (String::new(), say.no_condition().to_owned());
        let facts = entity.fields().iter();
        let facts = facts.map(|fact| (fact.name().to_owned(), field_name(say, *fact).to_owned()));
        std::iter::once(none).chain(facts).collect::<Vec<_>>()
    };
    let op = |op: &Op| (op.name().to_owned(), comparison(say, *op).to_owned());
    let ops = || Op::EVERY.iter().map(op).collect();
    let row = |row: &Row| {
        let fields = vec![
            Field::select(row.field, say.condition(), facts(), values),
            Field::select(row.op, say.comparison(), ops(), values),
            Field::text(row.value, say.compared_with(), values).autocomplete("off"),
        ];
        Field::group(row.group, say.condition(), fields).led()
    };
    let is_filled = |name: &str| shown.iter().any(|values| values.filled(name).is_some());
    let is_row = |row: &Row| is_filled(row.field) || is_filled(row.value);
    let rows = rows_filled(ROWS, is_row) + ROWS_MORE;
    let step = |(place, step): (usize, &Step)| {
        let choice = |(person, name): &(Person, String)| {
            let value = box_of(step, *person);
            let is_chosen = values.has(&value);
            Choice { is_chosen, ..Choice::new(value, name.clone()) }
        };
        let fields = vec![
            Field::boxes(step.approvers, say.approvers(), people.iter().map(choice).collect()),
            Field::input("number", step.min_approvals, say.min_approvals(), values),
        ];
        Field::group(step.group, say.level(place + 1), fields)
    };
    let is_step = |step: &Step| {
        people.iter().any(|(person, _)| is_filled(&box_of(step, *person)))
            || is_filled(step.min_approvals)
    };
    let steps = rows_filled(STEPS, is_step) + STEPS_MORE;
    let about = vec![
        Field::text("name", say.name(), values),
        Field::text("currency", say.currency(), values).hint(say.rule_currency_hint()),
    ];
    let terms = vec![
        Field::tick("allowSelfApproval", say.self_approval(), values),
        Field::input("number", "expiresAfterHours", say.hours(), values)
            .hint(say.rule_hours_hint()),
    ];
    let rows = ROWS.iter().take(rows).map(row);
    let steps = STEPS.iter().take(steps).enumerate().map(step);
    about.into_iter().chain(rows).chain(steps).chain(terms).collect()
}

#[cfg(test)]
mod tests {
    use approvals::KeyId;
    use kernel::Timestamp;

    use super::*;
    use crate::list::encoded;

    fn read(pairs: &[(&str, &str)]) -> Result<Filled, Vec<String>> {
        let body: Vec<_> = pairs
            .iter()
            .filter(|(_, text)| !text.is_empty())
            .map(|(name, text)| format!("{}={}", encoded(name), encoded(text)))
            .collect();
        match FORM.read_urlencoded(body.join("&").as_bytes()) {
            Ok(filled) => Ok(filled),
            Err(intake::Unreadable::Faulty(faults)) => {
                Err(faults.iter().map(|fault| fault.field.trim_matches('"').to_owned()).collect())
            }
            Err(other) => panic!("{other}"),
        }
    }

    fn key(number: u128) -> Person {
        Person::Key(KeyId::from_u128(number))
    }

    fn rule() -> Rule {
        let condition = |field, op, values| Condition { field, op, values };
        let text = |text: &str| Value::Text(text.to_owned());
        Rule {
            id: approvals::RuleId::from_u128(1),
            entity: EntityType::OrderDiscount,
            name: Some("Descuentos".to_owned()),
            currency: Some(Currency::MXN),
            conditions: vec![
                condition(
                    Fact::DiscountPct,
                    Op::Gt,
                    vec![Value::Number(Amount::from_micros(15_500_000))],
                ),
                condition(Fact::Channel, Op::In, vec![text("web"), text("a;b"), text("c\\")]),
            ],
            levels: vec![
                Level { approvers: vec![key(2), key(1)], min_approvals: 2 },
                Level { approvers: vec![key(3)], min_approvals: 1 },
            ],
            allow_self_approval: true,
            expires_after_hours: 24,
            created_at: Timestamp::from_micros(0),
            updated_at: Timestamp::from_micros(0),
            version: 7,
        }
    }

    #[test]
    fn a_rule_that_is_shown_is_read_as_it_was() {
        let rule = rule();
        let pairs = of_rule(&rule);
        let mut pairs: Vec<_> =
            pairs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        pairs.push(("entityType", rule.entity.name()));
        let filled = read(&pairs).unwrap_or_else(|faults| panic!("{faults:?}")).beside(&rule);
        assert_eq!((&filled.conditions, &filled.levels), (&rule.conditions, &rule.levels));
        assert_eq!((filled.name, filled.currency), (rule.name, rule.currency));
        assert_eq!((filled.expires_after_hours, filled.version), (24, Some(7)));
        assert!(filled.allow_self_approval);
    }

    #[test]
    fn values_are_read_as_they_are_written() {
        for texts in [&["a"][..], &["a", "b c"], &["a;b", "\\", ";"], &["\\;", "x\\y", "a; b"]] {
            let values_of = |texts: &[&str]| -> Vec<Value> {
                texts.iter().map(|text| Value::Text((*text).to_owned())).collect()
            };
            let condition =
                Condition { field: Fact::Channel, op: Op::In, values: values_of(texts) };
            let read = values(Fact::Channel, Op::In, &written(&condition));
            assert_eq!(read, Ok(condition.values.clone()), "{texts:?}");
            // One alone stands as it is.
            let text = texts.join("");
            let alone = Condition { op: Op::Eq, values: values_of(&[&text]), ..condition };
            assert_eq!(values(Fact::Channel, Op::Eq, &written(&alone)), Ok(alone.values));
        }
        assert_eq!(parts(" a ;; b; "), ["a", "b"]);
        let many = "1;".repeat(IN_MAX + 1);
        assert!(values(Fact::Total, Op::In, &many).is_err());
    }

    #[test]
    fn rows_and_levels_may_be_left_out_and_faults_find_theirs() {
        let somebody = format!("levels[2].approvers[{}]", key(1));
        let filled = read(&[
            ("entityType", "refund"),
            ("conditions[3].field", "amount"),
            ("conditions[3].op", "gt"),
            ("conditions[3].value", "500"),
            (somebody.as_str(), "true"),
        ]);
        let filled = filled.unwrap_or_else(|faults| panic!("{faults:?}"));
        assert_eq!(
            (filled.levels[0].min_approvals, filled.expires_after_hours),
            (1, HOURS_DEFAULT)
        );
        for (given, wanted) in [
            ("conditions[0].op", "conditions[3].op"),
            ("levels[0].approvers[0].id", "levels[2].approvers[0].id"),
            ("levels", "levels[0].approvers"),
            ("currency", "currency"),
        ] {
            let fault = FieldFault::new(given, message!("is wrong", "está mal"));
            assert_eq!(filled.placed(fault).field, wanted);
        }
    }

    #[test]
    fn what_is_missing_is_told_at_its_field() {
        let somebody = format!("levels[0].approvers[{}]", key(1));
        for (pairs, wanted) in [
            (vec![("entityType", "refund")], "levels[0].approvers"),
            (
                vec![
                    ("entityType", "refund"),
                    (somebody.as_str(), "true"),
                    ("conditions[0].value", "1"),
                ],
                "conditions[0].field",
            ),
            (
                vec![
                    ("entityType", "refund"),
                    (somebody.as_str(), "true"),
                    ("conditions[1].field", "share"),
                ],
                "conditions[1].value",
            ),
            (
                vec![("entityType", "refund"), ("levels[0].approvers[x]", "true")],
                "levels[0].approvers",
            ),
        ] {
            let faults = read(&pairs).err().unwrap_or_default();
            assert_eq!(faults.first().map(String::as_str), Some(wanted), "{pairs:?}");
        }
    }
}
