//! The declaration of an endpoint: one value that mounts it and documents it.

use std::{future::Future, pin::Pin, sync::Arc};

use accounts::Scope;
use actix_web::{HttpRequest, http::Method, web::Data};
use intake::{Form, Sketch};
use utoipa::{
    ToSchema,
    openapi::{RefOr, schema::Schema},
};

use crate::{
    Api, BASE_PATH,
    answer::Answer,
    call::Call,
    error::{ApiError, Code},
    refusals::{unreadable_body, unreadable_query},
    route::in_braces,
};

/// The answer under way; it stays on the thread that received the request.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Result<Answer, ApiError>>>>;
type Keyed = Arc<dyn Fn(Call) -> Answering + Send + Sync>;
type Open = Arc<dyn Fn(Data<Api>, HttpRequest) -> Answering + Send + Sync>;

/// An endpoint.
pub(crate) struct Endpoint {
    /// The method.
    pub(crate) method: Method,
    /// The path below its root, e.g. `/orders/{id}`.
    path: &'static str,
    /// Who may call it, and what answers.
    pub(crate) access: Access,
    /// What it takes besides the path.
    pub(crate) input: Input,
    /// What it waits for.
    pub(crate) waits: Waits,
    /// Whether its path is that of a thing of which an account has one.
    is_of_only_one: bool,
    /// What the document says of it.
    pub(crate) doc: Doc,
}

/// Who may call an endpoint, and what answers.
pub(crate) enum Access {
    /// Anybody, without a key and without limits.
    Open(Open),
    /// The holder of a key with this scope, within the limits.
    Keyed(Scope, Keyed),
}

/// What an endpoint takes besides the path.
pub(crate) enum Input {
    /// Nothing.
    None,
    /// Query parameters.
    Query(Sketch),
    /// A JSON body.
    Body(Body),
}

/// A JSON body that an endpoint takes.
pub(crate) struct Body {
    pub(crate) name: &'static str,
    pub(crate) example: &'static str,
    pub(crate) may_be_absent: bool,
    pub(crate) sketch: Sketch,
}

/// What the document says of an endpoint.
#[derive(Default)]
pub(crate) struct Doc {
    pub(crate) summary: &'static str,
    pub(crate) description: &'static str,
    pub(crate) success: Option<Success>,
    /// Codes beyond those that follow from what the endpoint takes.
    pub(crate) refusals: &'static [Code],
    /// Whether its answer has sentences in the caller's language even when all goes well.
    pub(crate) is_translated: bool,
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
        schema_name: String,
        /// The schema and those it refers to.
        schemas: Vec<(String, RefOr<Schema>)>,
    },
    /// A file of this media type.
    File(&'static str),
}

/// How long an endpoint may take to answer, and what it says beyond that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Waits {
    /// As long as the database may take.
    #[default]
    Database,
    /// As long as a certification provider may take.
    Provider,
    /// As long as a mail server may take.
    Mail,
}

/// What answers a keyed endpoint: see [`plain`], [`query`] and [`body`].
pub(crate) struct Handler {
    input: Input,
    run: Keyed,
}

/// A handler that takes nothing but the path.
pub(crate) fn plain<F, A>(handle: F) -> Handler
where
    F: Fn(Call) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Answer, ApiError>> + 'static,
{
    Handler { input: Input::None, run: Arc::new(move |call| Box::pin(handle(call))) }
}

/// A handler that takes the query parameters of `form`.
pub(crate) fn query<T, F, A>(form: Form<T>, handle: F) -> Handler
where
    T: 'static,
    F: Fn(Call, T) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Answer, ApiError>> + 'static,
{
    let run: Keyed = Arc::new(move |call| match form.read_query(call.request.query_string()) {
        Ok(query) => Box::pin(handle(call, query)),
        Err(why) => Box::pin(std::future::ready(Err(unreadable_query(why)))),
    });
    Handler { input: Input::Query(form.sketch()), run }
}

/// A handler that takes the JSON body of `form`.
pub(crate) fn body<T, F, A>(form: Form<T>, handle: F) -> Handler
where
    T: 'static,
    F: Fn(Call, T) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Answer, ApiError>> + 'static,
{
    coded_body(form, &[], handle)
}

/// The same, where faults of some fields have a code of their own.
pub(crate) fn coded_body<T, F, A>(
    form: Form<T>,
    codes: &'static [(&'static str, Code)],
    handle: F,
) -> Handler
where
    T: 'static,
    F: Fn(Call, T) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Answer, ApiError>> + 'static,
{
    let run: Keyed = Arc::new(move |call| match form.read_body(&call.body) {
        Ok(body) => Box::pin(handle(call, body)),
        Err(why) => Box::pin(std::future::ready(Err(unreadable_body(why, codes)))),
    });
    let Form { name, example, may_be_absent, .. } = form;
    let input = Input::Body(Body { name, example, may_be_absent, sketch: form.sketch() });
    Handler { input, run }
}

impl Endpoint {
    /// Reads.
    pub(crate) fn get(path: &'static str, scope: Scope, handler: Handler) -> Self {
        Self::keyed(Method::GET, path, scope, handler)
    }

    /// Creates or acts; its caller can make it idempotent.
    pub(crate) fn post(path: &'static str, scope: Scope, handler: Handler) -> Self {
        Self::keyed(Method::POST, path, scope, handler)
    }

    /// Replaces what there is one of.
    pub(crate) fn put(path: &'static str, scope: Scope, handler: Handler) -> Self {
        Self { is_of_only_one: true, ..Self::keyed(Method::PUT, path, scope, handler) }
    }

    /// Changes.
    pub(crate) fn patch(path: &'static str, scope: Scope, handler: Handler) -> Self {
        Self::keyed(Method::PATCH, path, scope, handler)
    }

    /// Deletes.
    pub(crate) fn delete(path: &'static str, scope: Scope, handler: Handler) -> Self {
        Self::keyed(Method::DELETE, path, scope, handler)
    }

    /// Reads, for anybody; `path` is a whole one.
    pub(crate) fn open<F, A>(path: &'static str, answer: F) -> Self
    where
        F: Fn(Data<Api>, HttpRequest) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Answer, ApiError>> + 'static,
    {
        let access = Access::Open(Arc::new(move |api, request| Box::pin(answer(api, request))));
        let (method, input, doc) = (Method::GET, Input::None, Doc::default());
        let waits = Waits::default();
        Self { method, path, access, input, waits, is_of_only_one: false, doc }
    }

    fn keyed(method: Method, path: &'static str, scope: Scope, handler: Handler) -> Self {
        let Handler { input, run } = handler;
        let (access, waits, doc) = (Access::Keyed(scope, run), Waits::default(), Doc::default());
        Self { method, path, access, input, waits, is_of_only_one: false, doc }
    }

    /// In a few words.
    pub(crate) fn summary(mut self, text: &'static str) -> Self {
        self.doc.summary = text;
        self
    }

    /// In sentences.
    pub(crate) fn describes(mut self, text: &'static str) -> Self {
        self.doc.description = text;
        self
    }

    /// What it answers when all goes well.
    pub(crate) fn answers<B: ToSchema>(
        mut self,
        status: u16,
        meaning: &'static str,
        example: &'static str,
    ) -> Self {
        let schema_name = B::name().into_owned();
        let mut schemas = vec![(schema_name.clone(), B::schema())];
        B::schemas(&mut schemas);
        let content = Content::Json { example, schema_name, schemas };
        self.doc.success = Some(Success { status, meaning, content });
        self
    }

    /// A file is the answer when all goes well.
    pub(crate) fn answers_file(mut self, media_type: &'static str, meaning: &'static str) -> Self {
        let content = Content::File(media_type);
        self.doc.success = Some(Success { status: 200, meaning, content });
        self
    }

    /// With sentences in the language that `Accept-Language` prefers even when all goes well.
    pub(crate) fn translated(mut self) -> Self {
        self.doc.is_translated = true;
        self
    }

    /// Waiting for somebody outside.
    pub(crate) fn waits_for(mut self, waits: Waits) -> Self {
        self.waits = waits;
        self
    }

    /// Its path is that of a thing of which an account has one, with an `ETag`.
    pub(crate) fn of_only_one(mut self) -> Self {
        self.is_of_only_one = true;
        self
    }

    /// With what it refuses besides what follows from its declaration.
    pub(crate) fn refuses(mut self, codes: &'static [Code]) -> Self {
        self.doc.refusals = codes;
        self
    }

    /// The path below its root.
    pub(crate) fn path(&self) -> &'static str {
        self.path
    }

    /// The whole path.
    pub(crate) fn mounted_at(&self) -> String {
        match self.access {
            Access::Open(_) => self.path.to_owned(),
            Access::Keyed(..) => format!("{BASE_PATH}{}", self.path),
        }
    }

    /// The name of what stands in braces in its path, which names one resource.
    pub(crate) fn parameter(&self) -> Option<&'static str> {
        self.path.split('/').find_map(in_braces)
    }

    /// Whether its path is the one of a resource with an `ETag`, not of something beneath it.
    pub(crate) fn is_of_one(&self) -> bool {
        self.is_of_only_one || self.path.ends_with("{id}")
    }
}
