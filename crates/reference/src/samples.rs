//! Requests as commands to be copied.

use std::fmt::Write;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;

use crate::{
    document::{Body, Content, Document, Operation, Parameter, Schema},
    fields,
    html::Html,
};

/// A request with `curl`, but for the origin, which the reader's page knows.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    /// What stands before the origin.
    pub(crate) before: String,
    /// The path, with examples in it, and the query.
    pub(crate) path: String,
    pub(crate) headers: String,
    /// The body, as it stands between the quotes of a shell.
    pub(crate) body: Option<Html>,
    /// What stands behind all that.
    pub(crate) end: String,
}

/// The request of an operation.
pub(crate) fn curl(document: &Document, method: &str, path: &str, operation: &Operation) -> Sample {
    let mut sample = Sample { before: "curl ".to_owned(), ..Sample::default() };
    if method != "get" {
        let _ = write!(sample.before, "-X {} ", method.to_uppercase());
    }
    let (path, query) = (with_examples(document, path), shown_query(operation));
    sample.path = format!("{}{path}{query}", document.base_path());
    sample.headers.push_str(" \\\n  -H \"Authorization: Bearer $API_KEY\"");
    if let Some((media_type, content)) = operation.request_body.as_ref().and_then(sent) {
        let _ = write!(sample.headers, " \\\n  -H 'Content-Type: {media_type}'");
        match content.schema.as_ref().zip(content.example()) {
            Some((schema, json)) => {
                sample.headers.push_str(" \\\n  -d '");
                let body = quoted(&example(document, schema, json));
                sample.body = Some(Html::verbatim(&body));
                sample.end.push('\'');
            }
            None => sample.headers.push_str(" \\\n  --data-binary @FILE"),
        }
    }
    if let Some(extension) = file(operation) {
        let _ = write!(sample.end, " \\\n  -o document.{extension}");
    }
    sample
}

/// What a body is sent as.
fn sent(body: &Body) -> Option<(&str, &Content)> {
    body.content.first().map(|(media_type, content)| (media_type.as_str(), content))
}

/// What the file is that an operation answers with.
fn file(operation: &Operation) -> Option<&str> {
    let good = operation.responses.iter().find(|(status, _)| status.starts_with('2'))?;
    let media_type = good.1.content.keys().next()?;
    media_type.strip_prefix("application/").filter(|kind| *kind != "json")
}

/// A path in which names in braces are replaced by what the examples have in their place.
fn with_examples(document: &Document, path: &str) -> String {
    let mut written = String::new();
    let mut read = String::new();
    for segment in path.split('/').skip(1) {
        read = format!("{read}/{segment}");
        let name = segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let shown = name.map(|name| {
            let example = document.reader(&read).and_then(Operation::answered);
            let value = example.and_then(|example| {
                let fields = [name, "id", "code", "name"];
                fields.into_iter().find_map(|field| example.get(field)?.as_str())
            });
            value.map_or_else(|| in_capitals(name), str::to_owned)
        });
        let _ = write!(written, "/{}", shown.as_deref().unwrap_or(segment));
    }
    written
}

/// `variantId` becomes `VARIANT_ID`.
fn in_capitals(name: &str) -> String {
    let mut capitals = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            capitals.push('_');
        }
        capitals.push(c.to_ascii_uppercase());
    }
    capitals
}

/// The parameters that a query must have, and those with an example of their own.
fn shown_query(operation: &Operation) -> String {
    let is_shown = |it: &&Parameter| it.place == "query" && (it.required || it.example.is_some());
    let pairs = operation.parameters.iter().filter(is_shown).map(|parameter| {
        let Parameter { example, schema, .. } = parameter;
        let example = example.as_ref().or(schema.example.as_ref()).or(schema.examples.first());
        let value = example.or(schema.choices.first()).map(fields::plain);
        format!("{}={}", parameter.name, value.unwrap_or_else(|| in_capitals(&parameter.name)))
    });
    let pairs: Vec<String> = pairs.collect();
    if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
}

/// An example over several lines, with its fields in the order in which the schema has them.
pub(crate) fn example(document: &Document, schema: &Schema, json: &Value) -> String {
    serde_json::to_string_pretty(&ordered(document, schema, json)).unwrap_or_default()
}

/// JSON whose objects keep the order of their fields.
#[derive(Serialize)]
#[serde(untagged)]
enum Ordered<'a> {
    Object(IndexMap<&'a str, Ordered<'a>>),
    List(Vec<Ordered<'a>>),
    Plain(&'a Value),
}

fn ordered<'a>(document: &'a Document, schema: &'a Schema, json: &'a Value) -> Ordered<'a> {
    let schema = fields::followed(document, schema);
    match json {
        Value::Object(values) => {
            let known = schema.properties.iter().filter_map(|(name, schema)| {
                Some((name.as_str(), ordered(document, schema, values.get(name)?)))
            });
            let is_other = |name: &str| !schema.properties.contains_key(name);
            let others = values.iter().filter(|(name, _)| is_other(name));
            let others = others.map(|(name, value)| (name.as_str(), Ordered::Plain(value)));
            Ordered::Object(known.chain(others).collect())
        }
        Value::Array(values) => {
            let items = schema.items.as_deref().unwrap_or(schema);
            Ordered::List(values.iter().map(|value| ordered(document, items, value)).collect())
        }
        plain => Ordered::Plain(plain),
    }
}

/// A text as it stands between single quotes in a shell.
fn quoted(text: &str) -> String {
    text.replace('\'', r"'\''")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_quotes_fit_a_shell() {
        assert_eq!(in_capitals("variantId"), "VARIANT_ID");
        assert_eq!(quoted("Toño's"), r"Toño'\''s");
    }
}
