//! The schemas of bodies and answers.

use utoipa::openapi::{
    Components, RefOr,
    schema::{ArrayItems, Object, Schema},
};

use crate::{
    endpoint::{Endpoint, Input, Success},
    input::{description, set_description},
};

/// Every schema that the endpoints name.
pub(super) fn components(endpoints: &[Endpoint]) -> Components {
    let mut components = Components::new();
    for success in endpoints.iter().filter_map(|endpoint| endpoint.doc.success.as_ref()) {
        let answers = success.schemas.iter().cloned();
        components.schemas.extend(answers.map(|(name, schema)| (name, complete(schema))));
    }
    for endpoint in endpoints {
        if let Input::Body(body) = &endpoint.input {
            let mut object = body.sketch.object();
            if let Some(answer) = answer_object(&components, endpoint.doc.success.as_ref()) {
                describe(&mut object, answer, &components);
            }
            components.schemas.insert(body.name.to_owned(), RefOr::T(object.into()));
        }
    }
    components
}

/// Answers carry all of their fields, `null` where there is nothing.
fn complete(schema: RefOr<Schema>) -> RefOr<Schema> {
    match schema {
        RefOr::T(Schema::Object(mut object)) => {
            object.required = object.properties.keys().cloned().collect();
            RefOr::T(object.into())
        }
        other => other,
    }
}

fn answer_object<'a>(components: &'a Components, success: Option<&Success>) -> Option<&'a Object> {
    match components.schemas.get(&success?.schema_name)? {
        RefOr::T(Schema::Object(object)) => Some(object),
        _ => None,
    }
}

/// A field of a body means what the field of the same name in the answer means, unless it says otherwise.
fn describe(body: &mut Object, answer: &Object, components: &Components) {
    for (name, field) in &mut body.properties {
        let (RefOr::T(field), Some(shown)) = (field, answer.properties.get(name)) else { continue };
        if let Some(meaning) =
            meaning(shown).filter(|_| description(field).is_none_or(str::is_empty))
        {
            set_description(field, meaning);
        }
        if let (Some(inner), Some(shown)) = (element_mut(field), element(shown, components)) {
            describe(inner, shown, components);
        }
    }
}

/// What a property is said to mean, wherever the derive macro puts it.
fn meaning(property: &RefOr<Schema>) -> Option<&str> {
    match property {
        RefOr::Ref(reference) => Some(reference.description.as_str()),
        RefOr::T(Schema::OneOf(one_of)) => {
            one_of.description.as_deref().or_else(|| one_of.items.iter().find_map(meaning))
        }
        RefOr::T(schema) => description(schema),
    }
    .filter(|meaning| !meaning.is_empty())
}

/// The objects in a list of a body.
fn element_mut(schema: &mut Schema) -> Option<&mut Object> {
    match schema {
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

/// The objects in a list of an answer.
fn element<'a>(property: &RefOr<Schema>, components: &'a Components) -> Option<&'a Object> {
    let RefOr::T(Schema::Array(array)) = property else { return None };
    let ArrayItems::RefOrSchema(items) = &array.items else { return None };
    let RefOr::Ref(reference) = items.as_ref() else { return None };
    let name = reference.ref_location.rsplit('/').next()?;
    match components.schemas.get(name)? {
        RefOr::T(Schema::Object(object)) => Some(object),
        _ => None,
    }
}
