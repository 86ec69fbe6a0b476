//! What a reader asks for, written down as plain data.

use std::{borrow::Cow, ops::RangeInclusive};

/// The questions of a reader in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sketch {
    /// The fields asked for.
    pub fields: Vec<SketchedField>,
    /// The names of what the service sets itself.
    read_only: Vec<&'static str>,
}

/// One question of a reader.
#[derive(Clone, Debug, PartialEq)]
pub struct SketchedField {
    /// The name asked for.
    pub name: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What it may be.
    pub schema: Schema,
}

/// What a value may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// Of what kind it is.
    pub kind: ValueKind,
    /// What it means, where the field of the same name in the answer does not say so.
    pub about: Option<&'static str>,
    /// Whether it may be `null` as well.
    pub nullable: bool,
}

/// A kind of value.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueKind {
    /// `true` or `false`.
    Flag,
    /// A decimal number.
    Number {
        /// The least and the most.
        range: RangeInclusive<i64>,
        /// Whether it must be more than the least.
        is_above_min: bool,
    },
    /// A whole number in this range.
    Whole(RangeInclusive<i64>),
    /// One of these whole numbers.
    OneNumber(&'static [u8]),
    /// A text.
    Text(TextKind),
    /// One of these names.
    OneOf(Vec<Cow<'static, str>>),
    /// A list of so many elements.
    List(Box<Schema>, RangeInclusive<usize>),
    /// An object with these fields and no others.
    Object(Sketch),
    /// The caller's own notes, see [`kernel::Metadata`].
    Notes,
    /// Of one of these kinds, which exclude each other.
    Choice(Vec<Schema>),
    /// Values of one kind under names of the caller's choice.
    Entries(Box<Schema>),
}

/// A kind of text; what is `None` is not bound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextKind {
    /// The fewest characters.
    pub chars_min: Option<usize>,
    /// The most characters.
    pub chars_max: Option<usize>,
    /// The format, as JSON Schema names it.
    pub format: Option<&'static str>,
    /// The regular expression (ECMA-262) that it fits.
    pub pattern: Option<Cow<'static, str>>,
    /// An example.
    pub example: Option<&'static str>,
}

impl From<ValueKind> for Schema {
    fn from(kind: ValueKind) -> Self {
        Self { kind, about: None, nullable: false }
    }
}

impl Sketch {
    /// The names of what the service sets itself, in their order.
    pub fn read_only(&self) -> impl Iterator<Item = &'static str> {
        let asked = |name: &&str| self.fields.iter().any(|field| field.name == *name);
        self.read_only.iter().copied().filter(move |name| !asked(name))
    }

    /// The same without what the service sets itself, at any depth.
    #[must_use]
    pub fn without_read_only(mut self) -> Self {
        self.read_only.clear();
        for field in &mut self.fields {
            let kind = match &mut field.schema.kind {
                ValueKind::List(element, _) => &mut element.kind,
                kind => kind,
            };
            if let ValueKind::Object(sketch) = kind {
                *sketch = std::mem::take(sketch).without_read_only();
            }
        }
        self
    }

    pub(super) fn required(&mut self, name: &'static str, schema: Schema) {
        self.fields.push(SketchedField { name, required: true, schema });
    }

    pub(super) fn optional(&mut self, name: &'static str, schema: Schema) {
        self.fields.push(SketchedField { name, required: false, schema });
    }

    pub(super) fn nullable(&mut self, name: &'static str, schema: Schema) {
        self.optional(name, Schema { nullable: true, ..schema });
    }

    pub(super) fn set_read_only(&mut self, names: &[&'static str]) {
        self.read_only.extend(names);
    }
}
