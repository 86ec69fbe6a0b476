//! Answers that show only the fields that were asked for.

use std::sync::Arc;

use utoipa::openapi::{
    Components, Ref, RefOr,
    schema::{
        AdditionalProperties, AnyOfBuilder, ArrayBuilder, ArrayItems, Object, ObjectBuilder, Schema,
    },
};

use crate::endpoint::{Content, Endpoint};

/// The parameter that asks for fields.
const FIELDS: &str = "fields";

/// What an endpoint answers: a schema, or some of its fields where the endpoint shows those that are asked for.
pub(super) fn answer(endpoint: &Endpoint, schema: &str) -> RefOr<Schema> {
    let whole = Ref::from_schema_name(schema);
    if !shows_fields(endpoint) {
        return whole.into();
    }
    let some = Ref::from_schema_name(name_of(schema));
    RefOr::T(AnyOfBuilder::new().item(whole).item(some).build().into())
}

/// Adds the schemas of such answers.
pub(super) fn add_to(components: &mut Components, endpoints: &[Arc<Endpoint>]) {
    for endpoint in endpoints.iter().filter(|endpoint| shows_fields(endpoint)) {
        for success in endpoint.doc.successes() {
            let Content::Json { schema_name, .. } = &success.content else { continue };
            add(components, &schema_name());
        }
    }
}

fn shows_fields(endpoint: &Endpoint) -> bool {
    let query = endpoint.takes.query.as_ref();
    query.is_some_and(|sketch| sketch().fields.iter().any(|field| field.name == FIELDS))
}

fn name_of(schema: &str) -> String {
    format!("Partial{schema}")
}

fn add(components: &mut Components, schema: &str) {
    let Some(RefOr::T(Schema::Object(whole))) = components.schemas.get(schema) else { return };
    let some = match listed(whole) {
        None => fields_of(schema, whole),
        Some(row) => {
            let rows = ArrayBuilder::new()
                .items(Ref::from_schema_name(name_of(&row)))
                .description(Some("Rows of this page."));
            let mut page = whole.clone();
            page.properties.insert("data".to_owned(), Schema::Array(rows.build()).into());
            add(components, &row);
            page
        }
    };
    components.schemas.insert(name_of(schema), Schema::Object(some).into());
}

/// Some fields of a schema, each as it is there.
fn fields_of(schema: &str, whole: &Object) -> Object {
    let named = |object: ObjectBuilder, name: &String| {
        object.property(name, Ref::new(format!("#/components/schemas/{schema}/properties/{name}")))
    };
    let description = format!("The fields of `{schema}` that `{FIELDS}` asks for.");
    let object = ObjectBuilder::new()
        .description(Some(description))
        .additional_properties(Some(AdditionalProperties::FreeForm(false)));
    whole.properties.keys().fold(object, named).build()
}

/// The schema of the rows of a page.
fn listed(page: &Object) -> Option<String> {
    page.properties.get("nextCursor")?;
    let RefOr::T(Schema::Array(rows)) = page.properties.get("data")? else { return None };
    let ArrayItems::RefOrSchema(row) = &rows.items else { return None };
    let RefOr::Ref(row) = row.as_ref() else { return None };
    row.ref_location.rsplit('/').next().map(str::to_owned)
}
