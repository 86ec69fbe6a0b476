//! Schemas as lists of fields.

use std::fmt::Display;

use serde_json::Value;

use crate::{
    document::{Document, Schema},
    html::Html,
};

/// A field of a body or an answer, or a parameter.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) required: bool,
    pub(crate) about: Html,
    /// The values that it may have, if it is one of few.
    pub(crate) choices: Vec<String>,
    /// How long, how large or how many it may be.
    pub(crate) limits: Option<String>,
    pub(crate) example: Option<String>,
    /// The fields of the object that it is, or that it lists.
    pub(crate) fields: Vec<Field>,
    /// The operation of the same chapter that shows these fields.
    pub(crate) shown_in: Option<Link>,
}

impl Field {
    /// How many fields are shown within it.
    pub(crate) fn count(&self) -> usize {
        self.fields.iter().map(|field| 1 + field.count()).sum()
    }
}

/// An operation to be linked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) id: String,
    pub(crate) title: String,
}

/// What a value is, in words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// What stands before the name of an object.
    pub(crate) words: String,
    /// The object that it is or lists, if that has a name.
    pub(crate) object: Option<String>,
    pub(crate) or_null: bool,
}

/// The fields of an object. What only the service sets is not shown of bodies, whose callers cannot.
pub(crate) fn of(document: &Document, object: &Schema) -> Vec<Field> {
    let own = object.properties.iter().filter(|(_, schema)| !schema.read_only);
    own.map(|(name, schema)| field(document, name, schema, object.required.contains(name)))
        .collect()
}

/// One field.
pub(crate) fn field(document: &Document, name: &str, schema: &Schema, required: bool) -> Field {
    let Seen { value, .. } = seen(document, schema);
    let kind = kind(document, schema);
    let element = value.items.as_deref().map(|items| seen(document, items));
    let shown = element.as_ref().map_or(value, |element| element.value);
    let is_named = kind.object.is_some();
    let about =
        if schema.description.is_empty() { &value.description } else { &schema.description };
    Field {
        name: name.to_owned(),
        kind,
        required,
        about: Html::inline(about),
        choices: shown.choices.iter().filter(|choice| !choice.is_null()).map(plain).collect(),
        limits: limits(value),
        example: value.example.as_ref().or(value.examples.first()).map(plain),
        fields: if is_named { Vec::new() } else { of(document, shown) },
        shown_in: None,
    }
}

/// What a schema comes to once its references are followed.
struct Seen<'a> {
    value: &'a Schema,
    /// The object's name, if it has one.
    name: Option<&'a str>,
    or_null: bool,
}

/// What a schema comes to once its references are followed.
pub(crate) fn followed<'a>(document: &'a Document, schema: &'a Schema) -> &'a Schema {
    seen(document, schema).value
}

fn seen<'a>(document: &'a Document, schema: &'a Schema) -> Seen<'a> {
    let is_null = |schema: &Schema| schema.kind.names() == ["null"];
    let or_null =
        schema.kind.names().iter().any(|name| name == "null") || schema.one_of.iter().any(is_null);
    let chosen = schema.one_of.iter().find(|choice| !is_null(choice)).unwrap_or(schema);
    match chosen.reference.as_deref().and_then(|reference| document.referred(reference)) {
        Some((name, value)) => {
            let name = Some(name).filter(|_| !value.properties.is_empty());
            Seen { value, name, or_null }
        }
        None => Seen { value: chosen, name: None, or_null },
    }
}

/// What a value is.
pub(crate) fn kind(document: &Document, schema: &Schema) -> Kind {
    let Seen { value, name, or_null } = seen(document, schema);
    if name.is_some() {
        return Kind { words: String::new(), object: name.map(str::to_owned), or_null };
    }
    if let Some(items) = &value.items {
        let Kind { words, object, .. } = kind(document, items);
        let words = match &object {
            Some(_) => "list of ".to_owned(),
            None => format!("list of {}", plural(&words)),
        };
        return Kind { words, object, or_null };
    }
    let types = value.kind.names().iter().filter(|name| *name != "null");
    let words: Vec<&str> = types.map(|name| word(name, value.format.as_deref())).collect();
    Kind { words: words.join(" or "), object: None, or_null }
}

fn word<'a>(name: &'a str, format: Option<&str>) -> &'a str {
    match (name, format) {
        ("string", Some("date-time")) => "timestamp",
        ("string", Some("date")) => "date",
        ("string", Some("byte")) => "base64",
        ("string", Some("binary")) => "file",
        ("string", Some("uri")) => "URL",
        ("string", Some("email")) => "email address",
        _ => name,
    }
}

fn plural(words: &str) -> String {
    match words {
        "base64" => words.to_owned(),
        "email address" => "email addresses".to_owned(),
        _ => format!("{words}s"),
    }
}

fn limits(schema: &Schema) -> Option<String> {
    let Schema { min_length, max_length, minimum, maximum, .. } = schema;
    let Schema { min_items, max_items, max_properties, exclusive_minimum, .. } = schema;
    // At least one character or element is what anybody expects who sends a value.
    let some = |least: &Option<u64>| least.filter(|least| *least > 1);
    if let Some(least) = exclusive_minimum {
        return Some(format!("above {least}"));
    }
    between(some(min_length), *max_length, " characters")
        .or_else(|| between(minimum.clone(), maximum.clone(), ""))
        .or_else(|| between(some(min_items), *max_items, " elements"))
        .or_else(|| between(None, *max_properties, " entries"))
}

fn between<N: Display + PartialEq>(
    least: Option<N>,
    most: Option<N>,
    of_what: &str,
) -> Option<String> {
    match (least, most) {
        (Some(least), Some(most)) if least == most => Some(format!("{most}{of_what}")),
        (Some(least), Some(most)) => Some(format!("{least} to {most}{of_what}")),
        (Some(least), None) => Some(format!("at least {least}{of_what}")),
        (None, Some(most)) => Some(format!("at most {most}{of_what}")),
        (None, None) => None,
    }
}

/// A value as it is read: texts without quotes.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
