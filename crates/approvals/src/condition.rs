//! Conditions on what is known of something to be approved.

use kernel::{Amount, Message, message};

use crate::{EntityType, Facts, Field, FieldKind};

/// The most values of one condition.
pub const IN_MAX: usize = 100;
/// The most characters of a text that a field is compared with.
pub const TEXT_CHARS_MAX: usize = 200;

/// A value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number, or an amount.
    Number(Amount),
    /// A text.
    Text(String),
}

/// How a field is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Equal to it.
    Eq,
    /// Not equal to it, or not known.
    Ne,
    /// Above it.
    Gt,
    /// At least it.
    Gte,
    /// Below it.
    Lt,
    /// At most it.
    Lte,
    /// One of them.
    In,
}

impl Op {
    /// Every one.
    pub const EVERY: &'static [Self] =
        &[Self::Eq, Self::Ne, Self::Gt, Self::Gte, Self::Lt, Self::Lte, Self::In];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Eq => "eq",
            Self::Ne => "ne",
            Self::Gt => "gt",
            Self::Gte => "gte",
            Self::Lt => "lt",
            Self::Lte => "lte",
            Self::In => "in",
        }
    }

    /// Whether it asks which of two comes first: texts have no order.
    const fn is_of_order(self) -> bool {
        matches!(self, Self::Gt | Self::Gte | Self::Lt | Self::Lte)
    }
}

/// A condition on one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Which.
    pub field: Field,
    /// How it is compared.
    pub op: Op,
    /// With what: one value, or several with [`Op::In`].
    pub values: Vec<Value>,
}

impl Condition {
    /// What is wrong with it as a condition on that kind of things: the part of it and a clause that follows.
    ///
    /// # Errors
    /// When the field is none of theirs, or cannot be compared so.
    pub fn check(&self, entity: EntityType) -> Result<(), (&'static str, Message)> {
        let Self { field, op, values } = self;
        if !entity.fields().contains(field) {
            let names: Vec<_> = entity.fields().iter().map(|field| field.name()).collect();
            let (names, entity) = (names.join(", "), entity.name());
            return Err((
                "field",
                message!(
                    "must be one of {names} for {entity}",
                    "debe ser uno de {names} para {entity}"
                ),
            ));
        }
        let is_text = field.kind() == FieldKind::Text;
        if is_text && op.is_of_order() {
            let name = field.name();
            return Err((
                "op",
                message!(
                    "must be eq, ne or in, since {name} is text",
                    "debe ser eq, ne o in, porque {name} es un texto"
                ),
            ));
        }
        let fits = |value: &Value| matches!(value, Value::Text(_)) == is_text;
        if !values.iter().all(fits) || values.is_empty() {
            let name = field.name();
            let problem = match is_text {
                true => message!(
                    "must be a string, since {name} is one",
                    "debe ser un texto, porque {name} lo es"
                ),
                false => message!(
                    "must be a number, since {name} is one",
                    "debe ser un número, porque {name} lo es"
                ),
            };
            return Err(("value", problem));
        }
        Ok(())
    }

    /// Whether what is known meets it.
    #[must_use]
    pub fn is_met(&self, facts: &Facts) -> bool {
        let Some(known) = facts.known.get(&self.field) else { return self.op == Op::Ne };
        if self.op == Op::In {
            return self.values.contains(known);
        }
        let Some(value) = self.values.first() else { return false };
        match (self.op, known, value) {
            (Op::Eq, known, value) => known == value,
            (Op::Ne, known, value) => known != value,
            (Op::Gt, Value::Number(known), Value::Number(value)) => known > value,
            (Op::Gte, Value::Number(known), Value::Number(value)) => known >= value,
            (Op::Lt, Value::Number(known), Value::Number(value)) => known < value,
            (Op::Lte, Value::Number(known), Value::Number(value)) => known <= value,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(units: i64) -> Value {
        Value::Number(Amount::from_micros(units * 1_000_000))
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn on(field: Field, op: Op, values: &[Value]) -> Condition {
        Condition { field, op, values: values.to_vec() }
    }

    #[test]
    fn numbers_and_texts_are_compared_as_they_are_asked_for() {
        let facts = Facts::new(None)
            .number(Field::DiscountPct, Amount::from_micros(15_000_000))
            .text(Field::Channel, Some("web".to_owned()));
        for (op, below, same, above) in [
            (Op::Eq, false, true, false),
            (Op::Ne, true, false, true),
            (Op::Gt, true, false, false),
            (Op::Gte, true, true, false),
            (Op::Lt, false, false, true),
            (Op::Lte, false, true, true),
            (Op::In, false, true, false),
        ] {
            let met = |value| on(Field::DiscountPct, op, &[number(value)]).is_met(&facts);
            assert_eq!((met(14), met(15), met(16)), (below, same, above), "{op:?}");
        }
        assert!(on(Field::Channel, Op::In, &[text("store"), text("web")]).is_met(&facts));
        assert!(!on(Field::Channel, Op::Ne, &[text("web")]).is_met(&facts));
        assert!(!on(Field::Channel, Op::Eq, &[text("Web")]).is_met(&facts));
    }

    #[test]
    fn what_is_not_known_only_differs() {
        let facts = Facts::new(None);
        for op in Op::EVERY {
            let met = on(Field::Channel, *op, &[text("web")]).is_met(&facts);
            assert_eq!(met, *op == Op::Ne, "{op:?}");
        }
    }

    #[test]
    fn a_condition_is_one_of_its_kind_of_things() {
        let check = |condition: Condition| {
            condition.check(EntityType::OrderDiscount).err().map(|(part, _)| part)
        };
        assert_eq!(check(on(Field::DiscountPct, Op::Gt, &[number(15)])), None);
        assert_eq!(check(on(Field::Motive, Op::Eq, &[text("02")])), Some("field"));
        assert_eq!(check(on(Field::Channel, Op::Gt, &[text("web")])), Some("op"));
        assert_eq!(check(on(Field::Channel, Op::Eq, &[number(1)])), Some("value"));
        assert_eq!(check(on(Field::Total, Op::In, &[number(1), text("1")])), Some("value"));
        assert_eq!(check(on(Field::Total, Op::In, &[])), Some("value"));
    }

    proptest! {
        #[test]
        fn above_is_the_opposite_of_at_most(known in any::<i32>(), value in any::<i32>()) {
            let facts = Facts::new(None).number(Field::Units, Amount::from_micros(known.into()));
            let values = [Value::Number(Amount::from_micros(value.into()))];
            let met = |op| on(Field::Units, op, &values).is_met(&facts);
            prop_assert_ne!(met(Op::Gt), met(Op::Lte));
            prop_assert_ne!(met(Op::Lt), met(Op::Gte));
            prop_assert_ne!(met(Op::Eq), met(Op::Ne));
        }
    }
}
