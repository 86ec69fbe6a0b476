//! What readers ask for, as schemas.

use intake::{
    Schema as Sketched, Sketch,
    checks::LINE_PATTERN,
    sketch::{TextKind, ValueKind},
};
use kernel::json::{METADATA_ENTRIES_MAX, METADATA_NAME_CHARS_MAX, METADATA_VALUE_CHARS_MAX};
use serde_json::Value;
use utoipa::openapi::{
    RefOr,
    schema::{
        AdditionalProperties, ArrayBuilder, Object, ObjectBuilder, OneOfBuilder, Schema,
        SchemaFormat, SchemaType, Type,
    },
};

/// The object with these fields and no others.
pub(crate) fn object(sketch: &Sketch) -> Object {
    let object = sketch.fields.iter().fold(ObjectBuilder::new(), |object, field| {
        let object = object.property(field.name, schema(&field.schema));
        if field.required { object.required(field.name) } else { object }
    });
    let read_only = ObjectBuilder::new()
        .schema_type(SchemaType::AnyValue)
        .read_only(true)
        .description(Some("Set by the service; accepted only with the value that it has."))
        .build();
    let object = sketch
        .read_only()
        .fold(object, |object, name| object.property(name, Schema::from(read_only.clone())));
    object.additional_properties(Some(AdditionalProperties::FreeForm(false))).build()
}

/// What a value may be.
pub(crate) fn schema(sketched: &Sketched) -> Schema {
    let mut schema = kind(&sketched.kind);
    if let (Some(about), Some(description)) = (sketched.about, description_mut(&mut schema)) {
        *description = Some(about.to_owned());
    }
    if sketched.nullable { or_null(schema) } else { schema }
}

fn kind(kind: &ValueKind) -> Schema {
    let plain = |kind| ObjectBuilder::new().schema_type(kind);
    let bound = |number: i64| isize::try_from(number).ok();
    match kind {
        ValueKind::Flag => plain(Type::Boolean).into(),
        ValueKind::Number { range, is_above_min } => {
            let number = plain(Type::Number).maximum(bound(*range.end()));
            let least = bound(*range.start());
            let number =
                if *is_above_min { number.exclusive_minimum(least) } else { number.minimum(least) };
            number.into()
        }
        ValueKind::Whole(range) => {
            let number = plain(Type::Integer).minimum(bound(*range.start()));
            number.maximum(bound(*range.end())).into()
        }
        ValueKind::OneNumber(numbers) => {
            plain(Type::Integer).enum_values(Some(numbers.iter().copied())).into()
        }
        ValueKind::Text(text) => of_text(text),
        ValueKind::OneOf(names) => {
            plain(Type::String).enum_values(Some(names.iter().map(AsRef::as_ref))).into()
        }
        ValueKind::List(element, count) => ArrayBuilder::new()
            .items(RefOr::T(schema(element)))
            .min_items(Some(*count.start()).filter(|least| *least > 0))
            .max_items(Some(*count.end()))
            .build()
            .into(),
        ValueKind::Object(sketch) => object(sketch).into(),
        ValueKind::Notes => notes(),
        ValueKind::Choice(kinds) => {
            let choice =
                kinds.iter().fold(OneOfBuilder::new(), |choice, one| choice.item(schema(one)));
            Schema::OneOf(choice.build())
        }
        ValueKind::Entries(value) => {
            let value = schema(&Sketched { about: None, ..(**value).clone() });
            let name = plain(Type::String).min_length(Some(1)).build();
            plain(Type::Object)
                .property_names(Some(Schema::from(name)))
                .additional_properties(Some(AdditionalProperties::from(value)))
                .into()
        }
    }
}

fn of_text(text: &TextKind) -> Schema {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(text.format.map(|format| SchemaFormat::Custom(format.to_owned())))
        .min_length(text.chars_min)
        .max_length(text.chars_max)
        .pattern(text.pattern.as_deref())
        .examples(text.example)
        .into()
}

fn notes() -> Schema {
    let value = ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Number, Type::Boolean]))
        .max_length(Some(METADATA_VALUE_CHARS_MAX))
        .build();
    let name = ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(METADATA_NAME_CHARS_MAX))
        .pattern(Some(LINE_PATTERN))
        .build();
    ObjectBuilder::new()
        .property_names(Some(Schema::from(name)))
        .additional_properties(Some(AdditionalProperties::from(Schema::from(value))))
        .max_properties(Some(METADATA_ENTRIES_MAX))
        .into()
}

/// What a schema says of its meaning; readers draw objects and arrays only.
pub(super) fn description_mut(schema: &mut Schema) -> Option<&mut Option<String>> {
    match schema {
        Schema::Object(object) => Some(&mut object.description),
        Schema::Array(array) => Some(&mut array.description),
        Schema::OneOf(choice) => Some(&mut choice.description),
        _ => None,
    }
}

/// The same or `null`.
pub(super) fn or_null(schema: Schema) -> Schema {
    match schema {
        Schema::Object(mut object) => {
            if let SchemaType::Type(kind) = object.schema_type {
                object.schema_type = SchemaType::from_iter([kind, Type::Null]);
            }
            if let Some(values) = &mut object.enum_values {
                values.push(Value::Null);
            }
            object.into()
        }
        Schema::Array(mut array) => {
            array.schema_type = SchemaType::from_iter([Type::Array, Type::Null]);
            array.into()
        }
        other => other,
    }
}
