//! Fields that the service sets itself, found in what a caller sends: nothing is dropped without a word.

use kernel::{FieldFault, message};
use serde_json::Value;

use crate::{Faults, Sketch, given::Given, json, sketch::ValueKind};

/// The read-only fields of a body, at every depth, as its [`Sketch`] names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOnly {
    names: Vec<&'static str>,
    /// Fields with read-only fields inside.
    inside: Vec<(&'static str, ReadOnly)>,
}

/// Read-only fields that a caller has sent, each with its path and its value.
#[derive(Debug, Default, PartialEq, Eq)]
#[must_use = "what a caller sends is not dropped"]
pub struct SentBack(Vec<(String, Value)>);

impl ReadOnly {
    /// Those of the body that a sketch describes.
    #[must_use]
    pub fn of(sketch: &Sketch) -> Self {
        let inside = sketch.fields.iter().filter_map(|field| {
            let inner = match &field.schema.kind {
                ValueKind::Object(sketch) => Self::of(sketch),
                ValueKind::List(element, _) => match &element.kind {
                    ValueKind::Object(sketch) => Self::of(sketch),
                    _ => return None,
                },
                _ => return None,
            };
            (inner != Self::default()).then_some((field.name, inner))
        });
        Self { names: sketch.read_only().collect(), inside: inside.collect() }
    }

    /// The read-only fields in a body that was read before, so its JSON is well-formed.
    pub fn sent(&self, body: &[u8]) -> SentBack {
        let mut sent = SentBack::default();
        if let Ok(text) = std::str::from_utf8(body)
            && self.may_be_in(text)
        {
            self.find(text, "", &mut sent.0);
        }
        sent
    }

    /// Whether it is worth looking: most bodies have none.
    fn may_be_in(&self, text: &str) -> bool {
        // A name may be written with escapes.
        text.contains('\\') || self.names.iter().any(|name| text.contains(name)) || {
            self.inside.iter().any(|(_, inner)| inner.may_be_in(text))
        }
    }

    fn find(&self, object: &str, path: &str, found: &mut Vec<(String, Value)>) {
        for (name, value) in json::members(object).unwrap_or_default() {
            let place = place_of(path, &name);
            if self.names.contains(&name.as_ref()) {
                found.push((place, serde_json::from_str(value.get()).unwrap_or_default()));
            } else if let Some((_, inner)) = self.inside.iter().find(|(known, _)| *known == name) {
                let given = Given::Json(value);
                if let Ok(object) = given.object() {
                    inner.find(object, &place, found);
                }
                for (index, element) in given.elements().unwrap_or_default().iter().enumerate() {
                    if let Ok(object) = Given::Json(element).object() {
                        inner.find(object, &format!("{place}[{index}]"), found);
                    }
                }
            }
        }
    }
}

fn place_of(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

impl SentBack {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Refuses all of them: there is nothing yet that they could have been read from.
    ///
    /// # Errors
    /// A fault for each.
    pub fn refuse(self) -> Result<(), Faults> {
        let fault = |(path, _): (String, Value)| {
            let problem = message!(
                "is read-only: the service sets it",
                "es de solo lectura: lo asigna el servicio"
            );
            FieldFault::new(path, problem)
        };
        all(self.0.into_iter().map(fault).collect())
    }

    /// Refuses those that have another value than the resource has at present.
    ///
    /// # Errors
    /// A fault for each.
    pub fn compare(self, present: &Value) -> Result<(), Faults> {
        let other = self
            .0
            .into_iter()
            .filter(|(path, sent)| !at(present, path).is_some_and(|value| is_same(sent, value)));
        let fault = |(path, _): (String, Value)| {
            let problem = message!(
                "is read-only; leave it out, or send the value that it has",
                "es de solo lectura; hay que omitirlo o enviar el valor que tiene"
            );
            FieldFault::new(path, problem)
        };
        all(other.map(fault).collect())
    }
}

fn all(faults: Faults) -> Result<(), Faults> {
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// The value at a path such as `items[0].amount`.
fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split(['.', '[']).try_fold(value, |value, part| match part.strip_suffix(']') {
        Some(index) => value.get(index.parse::<usize>().ok()?),
        None => value.get(part),
    })
}

/// Whether two values are the same, however their numbers are written.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| {
                    other.get(name).is_some_and(|present| is_same(value, present))
                })
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        Fields, Form,
        checks::{line, objects},
        noun,
    };

    const FORM: Form<()> = Form::body("Thing", noun("a thing", "una cosa"), read, "{}");

    fn read(fields: &mut Fields<'_>) -> Option<()> {
        fields.optional("name", line(20));
        fields.optional("parts", objects(noun("a part", "una parte"), 0..=9, read_part));
        fields.read_only(&["id", "total"]);
        Some(())
    }

    fn read_part(fields: &mut Fields<'_>) -> Option<()> {
        fields.read_only(&["amount"]);
        Some(())
    }

    fn sent(body: &Value) -> SentBack {
        let body = body.to_string();
        FORM.read_body(body.as_bytes()).unwrap();
        ReadOnly::of(&FORM.sketch()).sent(body.as_bytes())
    }

    fn paths(outcome: Result<(), Faults>) -> Vec<String> {
        outcome.err().unwrap_or_default().into_iter().map(|fault| fault.field).collect()
    }

    #[test]
    fn what_is_sent_is_found_at_every_depth() {
        for plain in [json!({}), json!({"name": "total"}), json!({"parts": [{}]})] {
            assert!(sent(&plain).is_empty(), "{plain}");
        }
        let body = json!({"id": null, "parts": [{}, {"amount": 1}], "name": "a"});
        assert_eq!(paths(sent(&body).refuse()), ["id", "parts[1].amount"]);
        let escaped = br#"{"\u0069d": "x"}"#;
        assert!(!ReadOnly::of(&FORM.sketch()).sent(escaped).is_empty());
    }

    #[test]
    fn what_is_sent_back_must_be_what_there_is() {
        let present = json!({"id": "x", "total": 20, "parts": [{"amount": 19.98}, {"amount": 2}]});
        for same in [
            present.clone(),
            json!({"total": 20.0, "parts": [{"amount": 19.980}]}),
            json!({"name": "other"}),
        ] {
            assert_eq!(paths(sent(&same).compare(&present)), [""; 0], "{same}");
        }
        let other = json!({"id": "y", "parts": [{"amount": 19.98}, {"amount": 3}, {"amount": 1}]});
        let refused = ["id", "parts[1].amount", "parts[2].amount"];
        assert_eq!(paths(sent(&other).compare(&present)), refused);
    }
}
