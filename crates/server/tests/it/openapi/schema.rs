//! Whether a value is what a schema describes, with exactly the fields that it has.

use serde_json::Value;

use super::Document;

/// What is wrong with `value`; `exact` wants every declared field to be there.
pub(crate) fn faults(
    document: &Document,
    schema: &Value,
    value: &Value,
    exact: bool,
) -> Vec<String> {
    let mut judge = Judge { document, exact, faults: Vec::new() };
    judge.check("$", schema, value);
    judge.faults
}

struct Judge<'a> {
    document: &'a Document,
    exact: bool,
    faults: Vec<String>,
}

impl Judge<'_> {
    fn check(&mut self, path: &str, schema: &Value, value: &Value) {
        let document = self.document;
        let schema = document.resolved(schema);
        if let Some(choices) = schema["anyOf"].as_array() {
            // What is answered without further parameters comes first: the others fit parts of it too.
            self.check(path, &choices[0], value);
            return;
        }
        if let Some(choices) = schema["oneOf"].as_array() {
            let fits = |choice: &&Value| faults(document, choice, value, self.exact).is_empty();
            if choices.iter().filter(fits).count() != 1 {
                self.refuse(path, "fits none or several of the choices", value);
            }
            return;
        }
        self.check_type(path, &schema["type"], value);
        if schema["enum"].as_array().is_some_and(|names| !names.contains(value)) {
            self.refuse(path, "is none of the enum", value);
        }
        self.check_bounds(path, schema, value);
        if let Some(fields) = value.as_object() {
            self.check_fields(path, schema, fields);
        }
        for (index, element) in value.as_array().into_iter().flatten().enumerate() {
            self.check(&format!("{path}[{index}]"), &schema["items"], element);
        }
    }

    fn check_type(&mut self, path: &str, kinds: &Value, value: &Value) {
        let is = |kind: &Value| match kind.as_str().unwrap_or_default() {
            "string" => value.is_string(),
            "number" => value.is_number(),
            "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            "boolean" => value.is_boolean(),
            "object" => value.is_object(),
            "array" => value.is_array(),
            "null" => value.is_null(),
            _ => false,
        };
        let fits = match kinds {
            Value::Null => true,
            Value::Array(kinds) => kinds.iter().any(is),
            kind => is(kind),
        };
        if !fits {
            self.refuse(path, &format!("is not of type {kinds}"), value);
        }
    }

    fn check_bounds(&mut self, path: &str, schema: &Value, value: &Value) {
        let within = |size: f64, least: &str, most: &str| {
            schema[least].as_f64().is_none_or(|least| size >= least)
                && schema[most].as_f64().is_none_or(|most| size <= most)
        };
        let fits = match value {
            Value::Number(number) => {
                number.as_f64().is_none_or(|number| within(number, "minimum", "maximum"))
            }
            Value::String(text) => {
                let chars = text.chars().count() as f64;
                // Callers may write a moment in any form; answers have one.
                let written = |at: kernel::Timestamp| !self.exact || at.to_string() == *text;
                let moment = schema["format"] != "date-time"
                    || kernel::Timestamp::parse(text).is_ok_and(written);
                within(chars, "minLength", "maxLength") && moment
            }
            Value::Array(elements) => within(elements.len() as f64, "minItems", "maxItems"),
            _ => true,
        };
        if !fits {
            self.refuse(path, "is out of bounds or has another form", value);
        }
    }

    fn check_fields(
        &mut self,
        path: &str,
        schema: &Value,
        fields: &serde_json::Map<String, Value>,
    ) {
        let declared = schema["properties"].as_object();
        for (name, value) in fields {
            let path = format!("{path}.{name}");
            match (
                declared.and_then(|declared| declared.get(name)),
                &schema["additionalProperties"],
            ) {
                (Some(schema), _) | (None, schema @ Value::Object(_)) => {
                    self.check(&path, schema, value);
                }
                (None, _) => self.refuse(&path, "is not declared", value),
            }
        }
        let required = schema["required"].as_array().into_iter().flatten();
        let wanted = required.filter_map(Value::as_str).map(str::to_owned);
        // What is there on demand only says so.
        let is_expanded = |property: &Value| property.to_string().contains("With `expand` only");
        let always = declared.into_iter().flatten().filter(|(_, it)| !is_expanded(it));
        let all = always.map(|(name, _)| name.clone());
        let wanted: Vec<_> =
            if self.exact { wanted.chain(all).collect() } else { wanted.collect() };
        for name in wanted {
            if !fields.contains_key(&name) {
                self.faults.push(format!("{path}.{name} is missing"));
            }
        }
    }

    fn refuse(&mut self, path: &str, problem: &str, value: &Value) {
        self.faults.push(format!("{path} {problem}: {value}"));
    }
}
