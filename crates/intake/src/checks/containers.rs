//! Checks of what holds other values: lists, lists of objects, metadata.

use std::ops::RangeInclusive;

use kernel::{FieldFault, Message, Metadata, message};
use serde_json::value::RawValue;

use super::Check;
use crate::{
    Faults, Fields, Given, Noun, Read, Schema, clause, fields::repeated, given::json_text, json,
    quote::quoted, sketch::ValueKind,
};

/// A list of values.
pub struct List<C> {
    element: C,
    count: RangeInclusive<usize>,
}

/// A list of so many elements, each of which passes `element`.
pub const fn list<C: Check>(count: RangeInclusive<usize>, element: C) -> List<C> {
    List { element, count }
}

impl<C: Check> Check for List<C> {
    type Value = Vec<C::Value>;

    fn check(&self, given: &Given<'_>) -> Result<Self::Value, Faults> {
        let elements = given.elements()?;
        let (least, most) = (*self.count.start(), *self.count.end());
        if elements.len() < least {
            return Err(clause(message!("must not be empty", "no debe estar vacío")));
        }
        if elements.len() > most {
            return Err(clause(message!(
                "must have at most {most} elements",
                "debe tener a lo más {most} elementos"
            )));
        }
        let mut values = Vec::with_capacity(elements.len());
        let mut faults = Faults::new();
        for (index, element) in elements.into_iter().enumerate() {
            match self.element.check(&Given::Json(element)) {
                Ok(value) => values.push(value),
                Err(inside) => faults.extend(beneath(&format!("[{index}]"), inside)),
            }
        }
        if faults.is_empty() { Ok(values) } else { Err(faults) }
    }

    fn schema(&self) -> Schema {
        ValueKind::List(Box::new(self.element.schema()), self.count.clone()).into()
    }
}

/// A list of values in one parameter.
pub struct Several<C> {
    element: C,
    most: usize,
}

/// At most this many values with commas between them, each of which passes `element`.
pub const fn several<C: Check>(most: usize, element: C) -> Several<C> {
    Several { element, most }
}

impl<C: Check> Check for Several<C> {
    type Value = Vec<C::Value>;

    fn check(&self, given: &Given<'_>) -> Result<Self::Value, Faults> {
        let text = given.text()?;
        let most = self.most;
        if text.split(',').count() > most {
            return Err(clause(message!(
                "must have at most {most} values",
                "debe tener a lo más {most} valores"
            )));
        }
        let values = text.split(',').map(|value| self.element.check(&Given::Text(value.into())));
        values.collect()
    }

    fn schema(&self) -> Schema {
        ValueKind::List(Box::new(self.element.schema()), 1..=self.most).into()
    }
}

/// An object with a reader of its own.
pub struct Object<T> {
    noun: Noun,
    read: Read<T>,
}

/// An object, `noun`, read by `read`.
pub const fn object<T>(noun: Noun, read: Read<T>) -> Object<T> {
    Object { noun, read }
}

/// A list of so many objects, each `noun`, read by `read`.
pub const fn objects<T>(
    noun: Noun,
    count: RangeInclusive<usize>,
    read: Read<T>,
) -> List<Object<T>> {
    list(count, object(noun, read))
}

impl<T> Check for Object<T> {
    type Value = T;

    fn check(&self, given: &Given<'_>) -> Result<T, Faults> {
        let mut fields = Fields::of_json(self.noun, given.object()?).map_err(clause)?;
        let value = (self.read)(&mut fields);
        fields.finish(value).map_err(|faults| beneath(".", faults).collect())
    }

    fn schema(&self) -> Schema {
        let mut fields = Fields::sketching(self.noun);
        (self.read)(&mut fields);
        ValueKind::Object(fields.into_sketch()).into()
    }
}

/// The same faults, one level further up; a fault of the whole stays one.
fn beneath(path: &str, faults: Faults) -> impl Iterator<Item = FieldFault> {
    faults.into_iter().map(move |fault| {
        let field = match fault.field.as_str() {
            "" if path == "." => String::new(),
            inner => format!("{path}{inner}"),
        };
        FieldFault::new(field, fault.problem)
    })
}

/// The caller's own notes on a resource.
#[derive(Debug)]
pub struct Notes;

/// The caller's own notes on a resource: names with a text, number or boolean each.
pub const fn metadata() -> Notes {
    Notes
}

impl Check for Notes {
    type Value = Metadata;

    fn check(&self, given: &Given<'_>) -> Result<Metadata, Faults> {
        let members = json::members(given.object()?).map_err(clause)?;
        let mut metadata = Metadata::default();
        let mut faults = Faults::new();
        for (index, (name, value)) in members.iter().enumerate() {
            let outcome = if members.iter().take(index).any(|(earlier, _)| earlier == name) {
                Err(repeated())
            } else {
                legible(value).and_then(|()| metadata.insert(name, value))
            };
            if let Err(problem) = outcome {
                faults.push(FieldFault::new(format!("[{}]", quoted(name)), problem));
            }
        }
        if faults.is_empty() { Ok(metadata) } else { Err(faults) }
    }

    fn schema(&self) -> Schema {
        ValueKind::Notes.into()
    }
}

/// Values are kept as they were written: what cannot be decoded must not get in.
fn legible(value: &RawValue) -> Result<(), Message> {
    if !value.get().starts_with('"') {
        return Ok(());
    }
    match json_text(value) {
        Some(text) if text.contains('\0') => Err(message!(
            "must not contain control characters",
            "no debe contener caracteres de control"
        )),
        Some(_) => Ok(()),
        None => Err(message!("must be Unicode text", "debe ser texto Unicode")),
    }
}
