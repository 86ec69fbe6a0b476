//! Bodies of requests in the document.

use intake::Sketch;
use utoipa::openapi::{
    ContentBuilder, Ref, RefOr, Required,
    request_body::{RequestBody, RequestBodyBuilder},
    schema::{Object, ObjectBuilder, Schema, SchemaFormat, Type},
};

use super::{operation::example, sketches};
use crate::endpoint::{Body, BodyContent, FilePart};

/// The body of a request, under each media type that it may have.
pub(super) fn draw(body: &Body) -> RequestBody {
    let required = if body.may_be_absent() { Required::False } else { Required::True };
    let drawn = RequestBodyBuilder::new().required(Some(required));
    let drawn = match (&body.content, body.wanted.bytes_max) {
        (BodyContent::Bytes, Some(most)) => {
            drawn.description(Some(format!("At most {most} bytes.")))
        }
        _ => drawn,
    };
    let each = body.wanted.media_types.iter();
    each.fold(drawn, |drawn, media_type| drawn.content(*media_type, content(body))).build()
}

fn content(body: &Body) -> utoipa::openapi::Content {
    let content = ContentBuilder::new();
    match &body.content {
        BodyContent::Bytes => content.schema(Some(RefOr::T(binary(None)))).build(),
        BodyContent::Fields { name, example: json, files: [], .. } => {
            let schema = Ref::from_schema_name(*name);
            content.schema(Some(schema)).examples_from_iter(example(json)).build()
        }
        BodyContent::Fields { sketch, files, .. } => {
            content.schema(Some(RefOr::T(with_files(&sketch(), files).into()))).build()
        }
    }
}

/// The fields of a form with files beside them.
fn with_files(fields: &Sketch, files: &[FilePart]) -> Object {
    let mut object = sketches::object(fields);
    for file in files {
        object.properties.insert(file.name.to_owned(), RefOr::T(binary(Some(file))));
        if file.required {
            object.required.push(file.name.to_owned());
        }
    }
    object
}

fn binary(file: Option<&FilePart>) -> Schema {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::Custom("binary".to_owned())))
        .description(
            file.map(|file| format!("{} As one of {}.", file.about, file.media_types.join(", "))),
        )
        .into()
}
