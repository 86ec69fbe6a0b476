//! What a reader asks for, written down as a schema.

use serde_json::Value;
use utoipa::openapi::{
    RefOr,
    schema::{AdditionalProperties, ArrayBuilder, Object, ObjectBuilder, Schema, SchemaType, Type},
};

/// The questions of a reader in their order.
#[derive(Debug, Default)]
pub(crate) struct Sketch {
    /// The fields asked for.
    pub(crate) fields: Vec<SketchedField>,
    /// The names accepted and ignored.
    ignored: Vec<&'static str>,
}

/// One question of a reader.
pub(crate) struct SketchedField {
    /// The name asked for.
    pub(crate) name: &'static str,
    /// Whether it must be there.
    pub(crate) required: bool,
    /// What it may be.
    pub(crate) schema: Schema,
}

impl std::fmt::Debug for SketchedField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.name, if self.required { "" } else { "?" })
    }
}

impl Sketch {
    pub(super) fn required(&mut self, name: &'static str, schema: Schema) {
        self.fields.push(SketchedField { name, required: true, schema });
    }

    pub(super) fn optional(&mut self, name: &'static str, schema: Schema) {
        self.fields.push(SketchedField { name, required: false, schema });
    }

    pub(super) fn nullable(&mut self, name: &'static str, schema: Schema) {
        self.optional(name, or_null(schema));
    }

    pub(super) fn ignored(&mut self, names: &[&'static str]) {
        self.ignored.extend(names);
    }

    /// The object with these fields and no others.
    pub(crate) fn object(&self) -> Object {
        let fields = self.fields.iter();
        let object = fields.fold(ObjectBuilder::new(), |object, field| {
            let object = object.property(field.name, field.schema.clone());
            if field.required { object.required(field.name) } else { object }
        });
        let object = object.additional_properties(Some(AdditionalProperties::FreeForm(false)));
        let asked = |name: &&str| self.fields.iter().any(|field| field.name == *name);
        let ignored: Vec<_> = self.ignored.iter().copied().filter(|name| !asked(name)).collect();
        if ignored.is_empty() {
            return object.build();
        }
        let note = "Accepted and ignored, so that what was read can be sent back:";
        object.description(Some(format!("{note} {}.", ignored.join(", ")))).build()
    }
}

/// A list of so many elements of this kind.
pub(crate) fn list(element: Schema, count: &std::ops::RangeInclusive<usize>) -> Schema {
    let least = Some(*count.start()).filter(|least| *least > 0);
    ArrayBuilder::new()
        .items(RefOr::T(element))
        .min_items(least)
        .max_items(Some(*count.end()))
        .build()
        .into()
}

/// What a schema says of its meaning; readers draw objects and arrays only.
pub(crate) fn description_mut(schema: &mut Schema) -> Option<&mut Option<String>> {
    match schema {
        Schema::Object(object) => Some(&mut object.description),
        Schema::Array(array) => Some(&mut array.description),
        _ => None,
    }
}

/// The same or `null`.
pub(crate) fn or_null(schema: Schema) -> Schema {
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
