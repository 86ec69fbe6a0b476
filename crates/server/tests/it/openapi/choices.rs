//! Whether the choices of a `oneOf` are told apart by what the document says of them.

use serde_json::{Map, Value};

use super::Document;

/// The pairs of choices that something may be both of.
pub(crate) fn overlaps(document: &Document) -> Vec<String> {
    let mut found = Vec::new();
    look(document, "#", document.json(), &mut found);
    found
}

fn look(document: &Document, place: &str, value: &Value, found: &mut Vec<String>) {
    let choices = value["oneOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (number, one) in choices.iter().enumerate() {
        let others = choices.iter().skip(number + 1);
        for other in others.filter(|other| !are_apart(document, one, other)) {
            found.push(format!("{place}: {one} and {other}"));
        }
    }
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                look(document, &format!("{place}/{name}"), field, found);
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                look(document, &format!("{place}/{index}"), element, found);
            }
        }
        _ => {}
    }
}

fn are_apart(document: &Document, one: &Value, other: &Value) -> bool {
    let (one, other) = (document.resolved(one), document.resolved(other));
    let (Some(of_one), Some(of_other)) =
        (one["properties"].as_object(), other["properties"].as_object())
    else {
        return true;
    };
    let (more, less) = (wants_more(one, of_other), wants_more(other, of_one));
    let is_closed = |schema: &Value| schema["additionalProperties"] == false;
    if (more && (less || is_closed(other))) || (less && is_closed(one)) {
        return true;
    }
    let shared = of_one.iter().filter_map(|(name, field)| Some((field, of_other.get(name)?)));
    let shared: Vec<_> = shared.collect();
    let differ = |(one, other): &(&Value, &Value)| are_different(document, one, other);
    shared.is_empty() || shared.iter().any(differ)
}

/// Whether a schema requires a field that is not among these.
fn wants_more(schema: &Value, known: &Map<String, Value>) -> bool {
    let required = schema["required"].as_array().into_iter().flatten();
    required.filter_map(Value::as_str).any(|name| !known.contains_key(name))
}

/// Whether no value is of both; patterns are believed to see to that.
fn are_different(document: &Document, one: &Value, other: &Value) -> bool {
    let (one, other) = (document.resolved(one), document.resolved(other));
    if [one, other].iter().any(|schema| schema["pattern"].is_string()) {
        return true;
    }
    let all = |list: &Value| match list {
        Value::Null => None,
        Value::Array(all) => Some(all.clone()),
        single => Some(vec![single.clone()]),
    };
    ["enum", "type"].iter().any(|said| match (all(&one[*said]), all(&other[*said])) {
        (Some(these), Some(those)) => !these.iter().any(|it| those.contains(it)),
        _ => false,
    })
}
