//! The declaration of an endpoint: one value that mounts it and documents it.

mod body;
mod card_free;
mod doc;
mod files;
mod takes;

use std::{future::Future, pin::Pin, sync::Arc, time::Duration};

use accounts::Scope;
use actix_web::http::{Method, header::HeaderMap};
use kernel::AccountId;
use utoipa::ToSchema;

use crate::{
    BASE_PATH,
    answer::Answer,
    call::Call,
    error::{ApiError, Code},
    limits::{OwnLimit, Rate},
    page::PageOf,
};

pub use crate::needs::Needs;
pub(crate) use body::{Body, Content as BodyContent, anything};
pub use body::{
    FilePart, Multipart, Raw, Streamed, UrlEncoded, multipart, raw, streamed, urlencoded,
};
pub(crate) use card_free::{card_free, card_free_notice};
pub(crate) use doc::{Content, Doc, Success};
pub(crate) use takes::InPath;
pub use takes::{
    Changes, Declared, Json, Query, Segment, Takes, changes, id, json, named_id, plain, query,
    segment, taking,
};

/// The answer under way; it stays on the thread that received the request.
pub(crate) type Answering = Pin<Box<dyn Future<Output = Result<Answer, ApiError>>>>;
type Run<A> = Arc<dyn Fn(Call<A>) -> Answering + Send + Sync>;

/// What answers an endpoint, with what it takes of a request; made by [`taking`].
pub struct Handler<A = AccountId> {
    declared: Declared,
    run: Run<A>,
}

impl<A> Handler<A> {
    pub(crate) fn new(
        declared: Declared,
        run: impl Fn(Call<A>) -> Answering + Send + Sync + 'static,
    ) -> Self {
        Self { declared, run: Arc::new(run) }
    }
}

/// An endpoint.
pub struct Endpoint {
    /// The method.
    pub(crate) method: Method,
    /// The path below its root, e.g. `/orders/{id}`.
    path: &'static str,
    /// Who may call it, and what answers.
    pub(crate) access: Access,
    /// What it takes of a request.
    pub(crate) takes: Declared,
    /// What it waits for.
    pub(crate) waits: Waits,
    /// How long it may take, where that does not follow from what it waits for.
    pub(crate) deadline: Option<Duration>,
    /// A limit of its own.
    pub(crate) own_limit: Option<OwnLimit>,
    /// What it answers instead of an error where people read its answers.
    pub(crate) refused_page: Option<RefusedPage>,
    /// Whether its path is that of a thing of which an account has one.
    is_of_only_one: bool,
    /// Whether its answers may be large: an account has a few of them at once.
    pub(crate) large: Large,
    /// Whether it shows the API, and nobody's data.
    pub(crate) is_documentation: bool,
    /// What the document says of it.
    pub(crate) doc: Doc,
}

/// A page instead of an error, where there is one.
pub(crate) type RefusedPage = fn(&HeaderMap, &ApiError) -> Option<Answer>;

/// Who may call an endpoint, and what answers.
pub(crate) enum Access {
    /// Anybody, without a key and without limits but its own.
    Public(Run<()>),
    /// The holder of a key with what it needs, within the limits.
    Keyed(Needs, Run<AccountId>),
}

/// Whether answers may be large.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Large {
    Never,
    /// Where the query has this parameter.
    With(&'static str),
    Always,
}

impl Large {
    /// Whether the answer to a request with this query may be.
    pub(crate) fn is_with(self, query: &str) -> bool {
        match self {
            Self::Never => false,
            Self::With(parameter) => query.contains(parameter),
            Self::Always => true,
        }
    }
}

/// The scope of an endpoint that takes any key, and answers with what the scopes of that key allow.
pub const ANY_KEY: Needs = Needs::Nothing;
/// The scope of an endpoint by which a key could give itself others.
pub const EVERYTHING: Needs = Needs::Everything;

/// How long an endpoint may take to answer, and what it says beyond that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Waits {
    /// As long as the database may take.
    #[default]
    Database,
    /// As long as a certification provider may take.
    Provider,
    /// As long as that, for what may be made before.
    Stamp,
    /// As long as a payment provider may take.
    Payment,
    /// As long as a mail server may take.
    Mail,
}

impl Endpoint {
    /// Reads.
    pub fn get(path: &'static str, scope: impl Into<Needs>, handler: Handler) -> Self {
        Self::keyed(Method::GET, path, scope, handler)
    }

    /// Creates or acts; its caller can make it idempotent.
    pub fn post(path: &'static str, scope: impl Into<Needs>, handler: Handler) -> Self {
        Self::keyed(Method::POST, path, scope, handler)
    }

    /// Replaces what there is one of.
    pub fn put(path: &'static str, scope: Scope, handler: Handler) -> Self {
        Self { is_of_only_one: true, ..Self::keyed(Method::PUT, path, scope, handler) }
    }

    /// Changes.
    pub fn patch(path: &'static str, scope: impl Into<Needs>, handler: Handler) -> Self {
        Self::keyed(Method::PATCH, path, scope, handler)
    }

    /// Deletes.
    pub fn delete(path: &'static str, scope: impl Into<Needs>, handler: Handler) -> Self {
        Self::keyed(Method::DELETE, path, scope, handler)
    }

    /// Any method, for anybody; `path` is a whole one. It is not in the OpenAPI document.
    pub fn public(method: Method, path: &'static str, handler: Handler<()>) -> Self {
        let Handler { declared, run } = handler;
        Self::new(method, path, Access::Public(run), declared)
    }

    fn keyed(
        method: Method,
        path: &'static str,
        scope: impl Into<Needs>,
        handler: Handler,
    ) -> Self {
        let Handler { declared, run } = handler;
        Self::new(method, path, Access::Keyed(scope.into(), run), declared)
    }

    fn new(method: Method, path: &'static str, access: Access, takes: Declared) -> Self {
        let (waits, doc) = (Waits::default(), Doc::default());
        let (deadline, own_limit) = (None, None);
        let (is_of_only_one, large, is_documentation) = (false, Large::Never, false);
        Self {
            method,
            path,
            access,
            takes,
            waits,
            deadline,
            own_limit,
            refused_page: None,
            is_of_only_one,
            large,
            is_documentation,
            doc,
        }
    }

    /// It shows the API, and nobody's data.
    pub(crate) fn documentation(mut self) -> Self {
        self.is_documentation = true;
        self
    }

    /// In a few words.
    #[must_use]
    pub fn summary(mut self, text: &'static str) -> Self {
        self.doc.summary = text;
        self
    }

    /// In sentences.
    #[must_use]
    pub fn describes(mut self, text: &'static str) -> Self {
        self.doc.description = text;
        self
    }

    /// With these values in the query of examples: where it needs one of several parameters, or values that fit each other.
    #[must_use]
    pub(crate) fn asks(mut self, query: &'static [(&'static str, &'static str)]) -> Self {
        self.doc.asks = query;
        self
    }

    /// What it answers when all goes well.
    #[must_use]
    pub fn answers<B: ToSchema>(
        mut self,
        status: u16,
        meaning: &'static str,
        example: &'static str,
    ) -> Self {
        self.doc.success = Some(Success::json::<B>(status, meaning, example));
        self
    }

    /// A page of a list is the answer when all goes well.
    #[must_use]
    pub(crate) fn pages<R: ToSchema>(self, meaning: &'static str, example: &'static str) -> Self {
        Self { large: Large::Always, ..self.answers::<PageOf<R>>(200, meaning, example) }
    }

    /// Its answers may be large where the query has this parameter.
    #[must_use]
    pub(crate) fn large_with(self, parameter: &'static str) -> Self {
        Self { large: Large::With(parameter), ..self }
    }

    /// What it answers when the work goes on after the answer.
    #[must_use]
    pub(crate) fn or_accepts<B: ToSchema>(
        mut self,
        meaning: &'static str,
        example: &'static str,
    ) -> Self {
        self.doc.other_success = Some(Success::json::<B>(202, meaning, example));
        self
    }

    /// What it answers when it has created something instead.
    #[must_use]
    pub(crate) fn or_creates<B: ToSchema>(
        mut self,
        meaning: &'static str,
        example: &'static str,
    ) -> Self {
        self.doc.other_success = Some(Success::json::<B>(201, meaning, example));
        self
    }

    /// A file is the answer when all goes well.
    #[must_use]
    pub fn answers_file(
        mut self,
        media_types: &'static [&'static str],
        meaning: &'static str,
    ) -> Self {
        let content = Content::File(media_types);
        self.doc.success = Some(Success { status: 200, meaning, content });
        self
    }

    /// With sentences in the language that `Accept-Language` prefers even when all goes well.
    #[must_use]
    pub(crate) fn translated(mut self) -> Self {
        self.doc.is_translated = true;
        self
    }

    /// An act that is of the version that `If-Match` names, where it names one.
    #[must_use]
    pub(crate) fn conditional(mut self) -> Self {
        self.doc.is_conditional = true;
        self
    }

    /// A change that takes an `Idempotency-Key`, because to make it twice is something else than to make it once.
    #[must_use]
    pub(crate) fn repeatable(mut self) -> Self {
        self.doc.is_repeatable = true;
        self
    }

    /// Waiting for somebody outside.
    #[must_use]
    pub(crate) fn waits_for(mut self, waits: Waits) -> Self {
        self.waits = waits;
        self
    }

    /// Answering within this time, body included, or not at all.
    #[must_use]
    pub fn within(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// With a limit of its own, beside those that hold for every key: counted by client where there is no
    /// key, otherwise by key.
    #[must_use]
    pub fn limited(mut self, rate: Rate) -> Self {
        self.own_limit = Some(OwnLimit::new(rate));
        self
    }

    /// Read by people: what keeps it from being served is told as a page.
    #[must_use]
    pub(crate) fn refused_by(mut self, page: RefusedPage) -> Self {
        self.refused_page = Some(page);
        self
    }

    /// Its path is that of a thing of which an account has one, with an `ETag`.
    #[must_use]
    pub(crate) fn of_only_one(mut self) -> Self {
        self.is_of_only_one = true;
        self
    }

    /// With what it refuses besides what follows from its declaration.
    #[must_use]
    pub fn refuses(mut self, codes: &'static [Code]) -> Self {
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
            Access::Public(_) => self.path.to_owned(),
            Access::Keyed(..) => format!("{BASE_PATH}{}", self.path),
        }
    }

    /// Whether it honours `If-Match`.
    pub(crate) fn is_conditional(&self) -> bool {
        self.doc.is_conditional
            || matches!(self.method, Method::PATCH | Method::PUT | Method::DELETE)
    }

    /// Whether it honours `Idempotency-Key`.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.doc.is_repeatable || self.method == Method::POST
    }

    /// Whether its path is the one of a resource with an `ETag`, not of something beneath it.
    pub(crate) fn is_of_one(&self) -> bool {
        self.is_of_only_one || self.path.ends_with("{id}")
    }
}
