//! Operations and events as they are shown.

use serde_json::Value;

use crate::{
    document::{Body, Document, Operation as Declared, Parameter, Response},
    fields::{self, Field, Kind, Link},
    html::Html,
    samples::{self, Sample},
};

/// What can be asked of the API.
#[derive(Debug)]
pub(crate) struct Operation {
    /// Its name in addresses.
    pub(crate) id: String,
    pub(crate) title: String,
    /// In lower case.
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) about: Html,
    pub(crate) in_path: Vec<Field>,
    pub(crate) in_query: Vec<Field>,
    /// The names of its headers, all of which are described for the API as a whole.
    pub(crate) headers: Vec<String>,
    pub(crate) body: Vec<Field>,
    /// Whether a request without a body is one too.
    pub(crate) body_is_optional: bool,
    pub(crate) answers: Vec<Answer>,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) sample: Sample,
}

/// An answer to a request that went well.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: String,
    pub(crate) about: Html,
    pub(crate) content: Shown,
    /// JSON over several lines.
    pub(crate) example: Option<Html>,
    /// The operation of the same chapter that shows the same example.
    pub(crate) shown_in: Option<Link>,
}

/// What an answer carries.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Nothing,
    File(String),
    Object(String),
    /// A page of a list of such objects.
    PageOf(String),
}

/// A refusal and what it means; without words where the overview has them.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: String,
    pub(crate) code: String,
    pub(crate) about: Option<Html>,
}

/// What the service sends by itself.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) about: Html,
    /// The fields of its `data`.
    pub(crate) data: Vec<Field>,
}

/// An operation as it is shown.
pub(crate) fn of(document: &Document, method: &str, path: &str, declared: &Declared) -> Operation {
    let placed = |place| move |parameter: &&Parameter| parameter.place == place;
    let field = |parameter: &Parameter| {
        let field = fields::field(document, &parameter.name, &parameter.schema, parameter.required);
        let example = parameter.example.as_ref().map(fields::plain).or(field.example);
        Field { about: Html::inline(&parameter.description), example, ..field }
    };
    let parameters = &declared.parameters;
    let body = declared.request_body.as_ref();
    let good = declared.responses.iter().filter(|(status, _)| status.starts_with('2'));
    let bad = declared.responses.iter().filter(|(status, _)| status.as_str() >= "400");
    Operation {
        id: declared.operation_id.clone(),
        title: declared.summary.clone(),
        method: method.to_owned(),
        path: format!("{}{path}", document.base_path()),
        about: Html::of(&declared.description),
        in_path: parameters.iter().filter(placed("path")).map(field).collect(),
        in_query: parameters.iter().filter(placed("query")).map(field).collect(),
        headers: parameters.iter().filter(placed("header")).map(|it| it.name.clone()).collect(),
        body: body.map(|body| body_fields(document, body)).unwrap_or_default(),
        body_is_optional: body.is_some_and(|body| !body.required),
        answers: good.map(|(status, response)| answer(document, status, response)).collect(),
        refusals: bad.flat_map(|(status, response)| refusals(document, status, response)).collect(),
        sample: samples::curl(document, method, path, declared),
    }
}

fn body_fields(document: &Document, body: &Body) -> Vec<Field> {
    let schema = body.content.values().find_map(|content| content.schema.as_ref());
    let Some(schema) = schema else { return Vec::new() };
    let named = schema.reference.as_deref().and_then(|reference| document.referred(reference));
    fields::of(document, named.map_or(schema, |(_, schema)| schema))
}

fn answer(document: &Document, status: &str, response: &Response) -> Answer {
    let response = document.response(response);
    let example = response.content.values().find_map(|content| {
        let json = samples::example(document, content.schema.as_ref()?, content.example()?);
        Some(Html::verbatim(&json))
    });
    Answer {
        status: status.to_owned(),
        about: Html::inline(&response.description),
        content: shown(document, response),
        example,
        shown_in: None,
    }
}

fn shown(document: &Document, response: &Response) -> Shown {
    let Some((media_type, content)) = response.content.first() else { return Shown::Nothing };
    let Some(schema) = &content.schema else { return Shown::File(media_type.clone()) };
    let Kind { object: Some(name), .. } = fields::kind(document, schema) else {
        return Shown::Nothing;
    };
    listed(document, &name).map_or(Shown::Object(name), Shown::PageOf)
}

/// What an object lists if it is a page.
pub(crate) fn listed(document: &Document, name: &str) -> Option<String> {
    let (_, page) = document.referred(name)?;
    page.properties.get("nextCursor")?;
    fields::kind(document, page.properties.get("data")?).object
}

/// The codes of an answer, which its examples are named after. What answers of several operations mean is said once,
/// in the overview.
fn refusals(document: &Document, status: &str, response: &Response) -> Vec<Refusal> {
    let is_shared = response.reference.is_some();
    let response = document.response(response);
    let meaning = |example: &Value| Some(Html::inline(example.get("message")?.as_str()?));
    let examples = response.content.values().flat_map(|content| &content.examples);
    let each = examples.map(|(code, example)| Refusal {
        status: status.to_owned(),
        code: code.clone(),
        about: meaning(&example.value).filter(|_| !is_shared),
    });
    each.collect()
}

/// An event as it is shown.
pub(crate) fn event(document: &Document, name: &str, declared: &Declared) -> Event {
    let body = declared.request_body.iter().flat_map(|body| body.content.values());
    let data = body.filter_map(|content| content.schema.as_ref()?.properties.get("data"));
    Event {
        id: declared.operation_id.clone(),
        name: name.to_owned(),
        about: Html::inline(&declared.description),
        data: data.flat_map(|data| fields::of(document, data)).collect(),
    }
}
