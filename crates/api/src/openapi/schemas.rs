//! The schemas of bodies and answers.

use std::{mem, sync::Arc};

use utoipa::openapi::{
    Components, RefOr,
    schema::{ArrayItems, Object, Schema},
};

use super::sketches::{self, description_mut};
use crate::endpoint::{BodyContent, Content, Endpoint, Success};

/// How the meaning of a field begins that an answer has on demand only.
const EXPANDED: &str = "With `expand` only";
/// How the meaning of a field ends that a page has unless its caller wants nothing counted.
const UNLESS_COUNTED: &str = "Absent if `count` is `false`.";

/// Every schema that the endpoints name.
pub(super) fn components(endpoints: &[Arc<Endpoint>]) -> Components {
    let mut components = Components::new();
    for success in endpoints.iter().flat_map(|endpoint| endpoint.doc.successes()) {
        if let Content::Json { schemas, .. } = &success.content {
            components.schemas.extend(schemas());
        }
    }
    components.schemas.values_mut().for_each(complete);
    for endpoint in endpoints {
        let body = endpoint.takes.body.as_ref().map(|body| &body.content);
        if let Some(BodyContent::Fields { name, sketch, .. }) = body {
            let mut object = sketches::object(&sketch());
            if let Some(answer) = answer_object(&components, endpoint.doc.success.as_ref()) {
                describe(&mut object, answer, &components);
            }
            components.schemas.insert((*name).to_owned(), RefOr::T(object.into()));
        }
    }
    components
}

/// Answers carry all of their fields, `null` where there is nothing, but for those that are there on demand or left out on demand.
fn complete(schema: &mut RefOr<Schema>) {
    let RefOr::T(Schema::Object(object)) = schema else { return };
    let always = object
        .properties
        .iter()
        .filter(|(_, property)| !is_expanded(property) && !is_counted(property));
    object.required = always.map(|(name, _)| name.clone()).collect();
    object.properties.values_mut().for_each(explain_choice);
}

/// Whether a property is there on demand only.
fn is_expanded(property: &RefOr<Schema>) -> bool {
    match property {
        RefOr::T(Schema::OneOf(choice)) => choice.items.iter().any(|item| match item {
            RefOr::Ref(value) => value.description.starts_with(EXPANDED),
            RefOr::T(_) => false,
        }),
        property => meaning(property).starts_with(EXPANDED),
    }
}

/// Whether a property of a page is left out where nothing is counted.
fn is_counted(property: &RefOr<Schema>) -> bool {
    meaning(property).ends_with(UNLESS_COUNTED)
}

/// The derive macro puts the meaning of an optional value beside its reference, where few programs look for it.
fn explain_choice(property: &mut RefOr<Schema>) {
    let RefOr::T(Schema::OneOf(choice)) = property else { return };
    let meaning = choice.items.iter_mut().find_map(|item| match item {
        RefOr::Ref(value) => Some(mem::take(&mut value.description)),
        RefOr::T(_) => None,
    });
    choice.description = choice.description.take().or(meaning);
}

fn referred<'a>(location: &str, components: &'a Components) -> Option<&'a Object> {
    match components.schemas.get(location.rsplit('/').next()?)? {
        RefOr::T(Schema::Object(object)) => Some(object),
        _ => None,
    }
}

fn answer_object<'a>(components: &'a Components, success: Option<&Success>) -> Option<&'a Object> {
    match &success?.content {
        Content::Json { schema_name, .. } => referred(&schema_name(), components),
        Content::File(_) => None,
    }
}

/// A field of a body means what the field of the same name in the answer means, unless it says otherwise.
fn describe(body: &mut Object, answer: &Object, components: &Components) {
    for (name, field) in &mut body.properties {
        let (RefOr::T(field), Some(shown)) = (field, answer.properties.get(name)) else { continue };
        if let Some(description) = description_mut(field) {
            description.get_or_insert_with(|| meaning(shown));
        }
        if let (Some(inner), Some(shown)) = (inner_mut(field), inner(shown, components)) {
            describe(inner, shown, components);
        }
    }
}

/// What a property is said to mean.
fn meaning(property: &RefOr<Schema>) -> String {
    match property {
        RefOr::Ref(reference) => reference.description.clone(),
        RefOr::T(schema) => {
            description_mut(&mut schema.clone()).and_then(Option::take).unwrap_or_default()
        }
    }
}

/// The object that a field of a body is, or the objects in a list.
fn inner_mut(schema: &mut Schema) -> Option<&mut Object> {
    match schema {
        Schema::Object(object) => Some(object).filter(|object| !object.properties.is_empty()),
        Schema::Array(array) => match &mut array.items {
            ArrayItems::RefOrSchema(items) => match items.as_mut() {
                RefOr::T(Schema::Object(object)) => Some(object),
                _ => None,
            },
            ArrayItems::False => None,
        },
        _ => None,
    }
}

/// The same of an answer.
fn inner<'a>(property: &'a RefOr<Schema>, components: &'a Components) -> Option<&'a Object> {
    match property {
        RefOr::Ref(reference) => referred(&reference.ref_location, components),
        RefOr::T(Schema::Object(object)) => Some(object),
        RefOr::T(Schema::Array(array)) => match &array.items {
            ArrayItems::RefOrSchema(items) => inner(items, components),
            ArrayItems::False => None,
        },
        RefOr::T(Schema::OneOf(choice)) => {
            choice.items.iter().find_map(|item| inner(item, components))
        }
        RefOr::T(_) => None,
    }
}
