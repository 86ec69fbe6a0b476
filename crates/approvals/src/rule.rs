//! Rules: what needs whose approval.

use kernel::{Currency, FieldFault, Refused, Timestamp, message};

use crate::{
    ApprovalError, Condition, EntityType, Facts, FieldKind, Level, Person,
    level::{self},
};

kernel::ids! {
    /// A rule's identifier.
    RuleId = "arl";
}

/// The most rules of an account.
pub const RULES_MAX: usize = 100;
/// The most conditions of a rule.
pub const CONDITIONS_MAX: usize = 20;
/// The most characters of a rule's name.
pub const NAME_CHARS_MAX: usize = 120;
/// Hours after which a request expires, unless its rule says otherwise.
pub const HOURS_DEFAULT: u32 = 72;
/// The most hours: thirty days.
pub const HOURS_MAX: u32 = 720;

/// What needs whose approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its identifier.
    pub id: RuleId,
    /// What it is about.
    pub entity: EntityType,
    /// What the account calls it.
    pub name: Option<String>,
    /// The currency that it is for; of every one where it names none.
    pub currency: Option<Currency>,
    /// What must be met, all of it; everything is, where there is nothing.
    pub conditions: Vec<Condition>,
    /// Who must agree, one level after the other.
    pub levels: Vec<Level>,
    /// Whether who asks may agree, too.
    pub allow_self_approval: bool,
    /// Hours after which a request expires.
    pub expires_after_hours: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Counts its changes.
    pub version: i64,
}

/// A rule to be made.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "as of a rule")]
pub struct NewRule {
    pub entity: EntityType,
    pub name: Option<String>,
    pub currency: Option<Currency>,
    pub conditions: Vec<Condition>,
    pub levels: Vec<Level>,
    pub allow_self_approval: bool,
    pub expires_after_hours: u32,
}

/// What to change of a rule; what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "as of a rule")]
pub struct RuleChanges {
    pub name: Option<Option<String>>,
    pub currency: Option<Option<Currency>>,
    pub conditions: Option<Vec<Condition>>,
    pub levels: Option<Vec<Level>>,
    pub allow_self_approval: Option<bool>,
    pub expires_after_hours: Option<u32>,
}

impl Rule {
    /// The rule that is made, beside so many others.
    ///
    /// # Errors
    /// What is wrong with it, and when there are too many.
    pub fn create(
        new: NewRule,
        id: RuleId,
        others: usize,
        now: Timestamp,
    ) -> Result<Self, Refused<ApprovalError>> {
        if others >= RULES_MAX {
            return Err(Refused::Rule(ApprovalError::TooManyRules));
        }
        let rule = Self {
            id,
            entity: new.entity,
            name: new.name,
            currency: new.currency,
            conditions: new.conditions,
            levels: new.levels,
            allow_self_approval: new.allow_self_approval,
            expires_after_hours: new.expires_after_hours,
            created_at: now,
            updated_at: now,
            version: 1,
        };
        rule.checked()
    }

    /// The rule as it is changed; requests that were made of it before stay as they are.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn changed(
        &self,
        changes: RuleChanges,
        now: Timestamp,
    ) -> Result<Self, Refused<ApprovalError>> {
        let rule = Self {
            name: changes.name.unwrap_or_else(|| self.name.clone()),
            currency: changes.currency.unwrap_or(self.currency),
            conditions: changes.conditions.unwrap_or_else(|| self.conditions.clone()),
            levels: changes.levels.unwrap_or_else(|| self.levels.clone()),
            allow_self_approval: changes.allow_self_approval.unwrap_or(self.allow_self_approval),
            expires_after_hours: changes.expires_after_hours.unwrap_or(self.expires_after_hours),
            ..self.clone()
        };
        if rule == *self {
            return Ok(rule);
        }
        Self { updated_at: now, version: self.version + 1, ..rule }.checked()
    }

    /// It as it is asked by somebody at a moment, when not everybody whom it names may still decide: owners of the account stand in
    /// where too few are left.
    #[must_use]
    pub fn staffed(&self, may: impl Fn(Person) -> bool, owners: &[Person], by: Person) -> Self {
        let without = (!self.allow_self_approval).then_some(by);
        Self { levels: level::staffed(&self.levels, may, owners, without), ..self.clone() }
    }

    fn checked(self) -> Result<Self, Refused<ApprovalError>> {
        let mut faults = Vec::new();
        for (index, condition) in self.conditions.iter().enumerate() {
            if let Err((part, problem)) = condition.check(self.entity) {
                faults.push(FieldFault::new(format!("conditions[{index}].{part}"), problem));
            }
        }
        let is_money = |condition: &&Condition| condition.field.kind() == FieldKind::Money;
        if let (None, Some(condition)) = (self.currency, self.conditions.iter().find(is_money)) {
            let field = condition.field.name();
            faults.push(FieldFault::new(
                "currency",
                message!(
                    "is required with a condition on {field}, which is money",
                    "es obligatorio con una condición sobre {field}, que es dinero"
                ),
            ));
        }
        faults.extend(level::faults(&self.levels));
        if faults.is_empty() { Ok(self) } else { Err(Refused::Invalid(faults)) }
    }

    /// Whether it wants to be asked about something of which this is known.
    #[must_use]
    pub fn wants(&self, facts: &Facts) -> bool {
        let is_of_currency = self.currency.is_none_or(|own| facts.currency == Some(own));
        is_of_currency && self.conditions.iter().all(|condition| condition.is_met(facts))
    }
}

/// The rules that want to be asked about something of which this is known.
#[must_use]
pub fn required<'a>(rules: &'a [Rule], facts: &Facts) -> Vec<&'a Rule> {
    rules.iter().filter(|rule| rule.wants(facts)).collect()
}

#[cfg(test)]
mod tests {
    use kernel::Amount;

    use super::*;
    use crate::{Field, KeyId, Op, Value};

    fn key(number: u128) -> Person {
        Person::Key(KeyId::from_u128(number))
    }

    fn new(field: Field, units: i64, currency: Option<Currency>) -> NewRule {
        let value = Value::Number(Amount::from_micros(units * 1_000_000));
        NewRule {
            entity: EntityType::OrderDiscount,
            name: None,
            currency,
            conditions: vec![Condition { field, op: Op::Gt, values: vec![value] }],
            levels: vec![Level { approvers: vec![key(1)], min_approvals: 1 }],
            allow_self_approval: false,
            expires_after_hours: HOURS_DEFAULT,
        }
    }

    fn made(new: NewRule) -> Result<Rule, Refused<ApprovalError>> {
        Rule::create(new, RuleId::from_u128(1), 0, Timestamp::from_micros(0))
    }

    fn fields(refused: Result<Rule, Refused<ApprovalError>>) -> Vec<String> {
        match refused {
            Err(Refused::Invalid(faults)) => faults.into_iter().map(|fault| fault.field).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_money_is_money_of_a_currency() {
        assert!(made(new(Field::DiscountPct, 15, None)).is_ok());
        assert_eq!(fields(made(new(Field::DiscountTotal, 15, None))), ["currency"]);
        let rule = made(new(Field::DiscountTotal, 15, Some(Currency::MXN))).unwrap();
        let facts = |currency| {
            Facts::new(currency).number(Field::DiscountTotal, Amount::from_micros(16_000_000))
        };
        assert!(rule.wants(&facts(Some(Currency::MXN))));
        assert!(!rule.wants(&facts(Currency::parse("USD").ok())));
        assert!(!rule.wants(&facts(None)));
        let cleared = RuleChanges { currency: Some(None), ..RuleChanges::default() };
        assert_eq!(fields(rule.changed(cleared, Timestamp::from_micros(1))), ["currency"]);
    }

    #[test]
    fn all_conditions_must_be_met() {
        let mut two = new(Field::DiscountPct, 15, None);
        two.conditions.push(Condition {
            field: Field::Channel,
            op: Op::Eq,
            values: vec![Value::Text("web".to_owned())],
        });
        let rule = made(two).unwrap();
        let facts = |percent: i64, channel: &str| {
            Facts::new(None)
                .number(Field::DiscountPct, Amount::from_micros(percent * 1_000_000))
                .text(Field::Channel, Some(channel.to_owned()))
        };
        assert!(rule.wants(&facts(16, "web")));
        assert!(!rule.wants(&facts(15, "web")) && !rule.wants(&facts(16, "store")));
        let none = Rule { conditions: Vec::new(), ..rule.clone() };
        let rules = [rule, none];
        assert_eq!(required(&rules, &facts(1, "store")).len(), 1);
        assert_eq!(required(&rules, &facts(20, "web")).len(), 2);
    }

    #[test]
    fn an_account_has_so_many_rules() {
        let full = Rule::create(
            new(Field::DiscountPct, 1, None),
            RuleId::from_u128(1),
            RULES_MAX,
            Timestamp::from_micros(0),
        );
        assert_eq!(full, Err(Refused::Rule(ApprovalError::TooManyRules)));
    }

    #[test]
    fn only_a_real_change_makes_a_version() {
        let rule = made(new(Field::DiscountPct, 15, None)).unwrap();
        let later = Timestamp::from_micros(9);
        let same =
            RuleChanges { expires_after_hours: Some(HOURS_DEFAULT), ..RuleChanges::default() };
        assert_eq!(rule.changed(same, later).unwrap(), rule);
        let other = RuleChanges { expires_after_hours: Some(1), ..RuleChanges::default() };
        let changed = rule.changed(other, later).unwrap();
        assert_eq!(
            (changed.version, changed.updated_at, changed.expires_after_hours),
            (2, later, 1)
        );
    }
}
