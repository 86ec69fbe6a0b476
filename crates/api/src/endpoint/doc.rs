//! What the document says of an endpoint.

use utoipa::{
    ToSchema,
    openapi::{RefOr, schema::Schema},
};

use crate::error::Code;

/// What the document says of an endpoint.
#[derive(Default)]
pub(crate) struct Doc {
    pub(crate) summary: &'static str,
    pub(crate) description: &'static str,
    /// What of its query examples have, by name.
    pub(crate) asks: &'static [(&'static str, &'static str)],
    pub(crate) success: Option<Success>,
    /// What it answers when it has created something instead, or the work goes on after the answer.
    pub(crate) other_success: Option<Success>,
    /// Codes beyond those that follow from what the endpoint takes.
    pub(crate) refusals: &'static [Code],
    /// Whether its answer has sentences in the caller's language even when all goes well.
    pub(crate) is_translated: bool,
    /// Whether an act is of the version that `If-Match` names.
    pub(crate) is_conditional: bool,
    /// Whether a change takes an `Idempotency-Key`, because to make it twice is something else.
    pub(crate) is_repeatable: bool,
}

/// What an endpoint answers when all goes well.
pub(crate) struct Success {
    pub(crate) status: u16,
    pub(crate) meaning: &'static str,
    pub(crate) content: Content,
}

/// What is in an answer.
pub(crate) enum Content {
    /// JSON.
    Json {
        /// An example of it.
        example: &'static str,
        /// The name of its schema.
        schema_name: fn() -> String,
        /// The schema and those it refers to: many, and of use to nobody who does not draw the document.
        schemas: fn() -> Vec<(String, RefOr<Schema>)>,
    },
    /// A file of this media type.
    File(&'static [&'static str]),
}

impl Doc {
    /// Whatever it answers when all goes well.
    pub(crate) fn successes(&self) -> impl Iterator<Item = &Success> {
        self.success.iter().chain(&self.other_success)
    }
}

impl Success {
    pub(crate) fn json<B: ToSchema>(
        status: u16,
        meaning: &'static str,
        example: &'static str,
    ) -> Self {
        let (schema_name, schemas) = (name_of::<B>, schemas_of::<B>);
        Self { status, meaning, content: Content::Json { example, schema_name, schemas } }
    }
}

fn name_of<B: ToSchema>() -> String {
    B::name().into_owned()
}

fn schemas_of<B: ToSchema>() -> Vec<(String, RefOr<Schema>)> {
    let mut schemas = vec![(name_of::<B>(), B::schema())];
    B::schemas(&mut schemas);
    schemas
}
