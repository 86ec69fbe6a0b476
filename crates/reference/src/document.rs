//! What is read of an OpenAPI document.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Number, Value};

/// The document.
#[derive(Deserialize)]
pub(crate) struct Document {
    pub(crate) info: Info,
    pub(crate) servers: Vec<Server>,
    pub(crate) tags: Vec<Tag>,
    /// Operations by path and method.
    pub(crate) paths: IndexMap<String, IndexMap<String, Operation>>,
    #[serde(default)]
    pub(crate) webhooks: IndexMap<String, IndexMap<String, Operation>>,
    pub(crate) components: Components,
}

#[derive(Deserialize)]
pub(crate) struct Info {
    pub(crate) title: String,
    #[serde(default)]
    pub(crate) description: String,
}

#[derive(Deserialize)]
pub(crate) struct Server {
    pub(crate) url: String,
}

#[derive(Deserialize)]
pub(crate) struct Tag {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
}

#[derive(Deserialize)]
pub(crate) struct Components {
    #[serde(default)]
    pub(crate) schemas: IndexMap<String, Schema>,
    #[serde(default)]
    pub(crate) responses: IndexMap<String, Response>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Operation {
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    pub(crate) operation_id: String,
    #[serde(default)]
    pub(crate) summary: String,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) request_body: Option<Body>,
    #[serde(default)]
    pub(crate) responses: IndexMap<String, Response>,
}

#[derive(Deserialize)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    #[serde(rename = "in")]
    pub(crate) place: String,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) required: bool,
    /// What examples have in its place, though it may be left out.
    pub(crate) example: Option<Value>,
    pub(crate) schema: Schema,
}

#[derive(Deserialize)]
pub(crate) struct Body {
    #[serde(default)]
    pub(crate) required: bool,
    pub(crate) content: IndexMap<String, Content>,
}

#[derive(Deserialize)]
pub(crate) struct Content {
    pub(crate) schema: Option<Schema>,
    #[serde(default)]
    pub(crate) examples: IndexMap<String, Example>,
}

#[derive(Deserialize)]
pub(crate) struct Example {
    pub(crate) value: Value,
}

/// An answer, or the name of one that several operations share.
#[derive(Deserialize)]
pub(crate) struct Response {
    #[serde(rename = "$ref")]
    pub(crate) reference: Option<String>,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) content: IndexMap<String, Content>,
}

/// What a value may be (JSON Schema 2020-12, as far as the document uses it).
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Schema {
    #[serde(rename = "$ref")]
    pub(crate) reference: Option<String>,
    #[serde(rename = "type")]
    pub(crate) kind: Kinds,
    pub(crate) format: Option<String>,
    pub(crate) description: String,
    #[serde(rename = "enum")]
    pub(crate) choices: Vec<Value>,
    pub(crate) example: Option<Value>,
    pub(crate) examples: Vec<Value>,
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
    pub(crate) minimum: Option<Number>,
    pub(crate) exclusive_minimum: Option<Number>,
    pub(crate) maximum: Option<Number>,
    pub(crate) min_items: Option<u64>,
    pub(crate) max_items: Option<u64>,
    pub(crate) max_properties: Option<u64>,
    pub(crate) read_only: bool,
    pub(crate) items: Option<Box<Schema>>,
    pub(crate) properties: IndexMap<String, Schema>,
    pub(crate) required: Vec<String>,
    /// The first is what it is without further parameters.
    #[serde(alias = "anyOf")]
    pub(crate) one_of: Vec<Schema>,
}

/// The JSON types of a value: one, or several.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Kinds {
    One(String),
    Several(Vec<String>),
}

impl Default for Kinds {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl Kinds {
    /// Their names.
    pub(crate) fn names(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

impl Document {
    /// The schema that a reference names, with that name.
    pub(crate) fn referred<'a>(&'a self, reference: &'a str) -> Option<(&'a str, &'a Schema)> {
        let name = last_segment(reference);
        self.components.schemas.get(name).map(|schema| (name, schema))
    }

    /// A response, wherever it is written.
    pub(crate) fn response<'a>(&'a self, response: &'a Response) -> &'a Response {
        let shared = response.reference.as_deref().map(last_segment);
        shared.and_then(|name| self.components.responses.get(name)).unwrap_or(response)
    }

    /// What all paths begin with.
    pub(crate) fn base_path(&self) -> &str {
        self.servers.first().map_or("", |server| server.url.as_str())
    }

    /// The operation that reads what a path names.
    pub(crate) fn reader(&self, path: &str) -> Option<&Operation> {
        self.paths.get(path)?.get("get")
    }
}

impl Operation {
    /// The example of what it answers.
    pub(crate) fn answered(&self) -> Option<&Value> {
        let good = self.responses.iter().find(|(status, _)| status.starts_with('2'))?;
        good.1.content.values().find_map(Content::example)
    }
}

impl Content {
    /// Its example.
    pub(crate) fn example(&self) -> Option<&Value> {
        self.examples.values().next().map(|example| &example.value)
    }
}

fn last_segment(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or(reference)
}
