//! What a request is answered with.

use std::{
    fmt::{self, Display},
    iter,
    pin::Pin,
};

use actix_web::{
    http::{
        StatusCode,
        header::{
            CONTENT_DISPOSITION, CONTENT_LANGUAGE, CONTENT_TYPE, ETAG, HeaderMap, HeaderName,
            HeaderValue, LOCATION, X_CONTENT_TYPE_OPTIONS,
        },
    },
    web::Bytes,
};
use futures_util::{Stream, StreamExt, stream};
use kernel::{Done, Language, Page, PageRequest};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    BASE_PATH,
    error::ApiError,
    etag::{self, ETag},
    idempotency::IDEMPOTENT_REPLAYED,
    json::Json,
    language,
    page::PageOf,
    pieces,
    writing::{Pen, Writing},
};

/// What a JSON body is.
pub(crate) const JSON_TYPE: &str = "application/json";

/// How the API shows one thing of a domain.
pub(crate) trait Resource: Serialize + ToSchema + From<Self::Thing> + 'static {
    /// The thing of the domain.
    type Thing: Send + 'static;

    /// The path below which each has its own.
    const PATH: &'static str;

    /// The path below which this one has its own, if that depends on what it is.
    fn path(&self) -> &'static str {
        Self::PATH
    }

    /// Unique identifier.
    fn id(&self) -> impl Display;

    /// The entity tag.
    fn etag(&self) -> ETag;

    /// How much there is to write of a thing, in about as many lines of orders.
    fn weight(_: &Self::Thing) -> usize {
        1
    }

    /// Whether it says something to people, in their language.
    const IS_TOLD: bool = false;

    /// The thing with what it says to people in their language; most say nothing.
    fn in_language(thing: Self::Thing, _: Language) -> Self::Thing {
        thing
    }
}

/// The tag of a resource for whoever sent these headers, and the language in which it is told, if it tells anything.
pub(crate) fn tag_told<R: Resource>(headers: &HeaderMap, resource: &R) -> (ETag, Option<Language>) {
    let language = R::IS_TOLD.then(|| language::preferred(headers));
    let tag = resource.etag();
    (language.map_or(tag, |language| tag.in_language(language)), language)
}

/// An answer before it becomes a response.
pub struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: Body,
}

/// The body of an answer.
pub(crate) enum Body {
    /// All of it.
    Whole(Bytes),
    /// Piece by piece, so many bytes in all where that is known.
    Streamed(Pieces, Option<u64>),
    /// Piece by piece as well, written meanwhile.
    Written(Writing),
}

impl Body {
    /// For who asks for the headers alone: of what comes piece by piece, nothing is made.
    pub(crate) fn left_out(self) -> Self {
        match self {
            Self::Whole(bytes) => Self::Whole(bytes),
            Self::Streamed(_, size) => Self::Streamed(nothing(), size),
            Self::Written(_) => Self::Streamed(nothing(), None),
        }
    }
}

/// The pieces of a body; a failed one breaks the answer off.
type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, Broken>>>>;

fn nothing() -> Pieces {
    Box::pin(stream::empty::<Result<Bytes, Broken>>())
}

/// The answer to a deletion.
#[derive(Serialize, ToSchema)]
#[schema(as = Deleted)]
pub(crate) struct DeletedBody {
    /// Confirmation of the deletion.
    id: String,
    /// Always `true`.
    deleted: bool,
}

impl Answer {
    /// A body of this type.
    pub fn new(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self::of_type(status, content_type, Body::Whole(body.into()))
    }

    /// No body.
    #[must_use]
    pub fn empty(status: StatusCode) -> Self {
        Self { status, headers: Vec::new(), body: Body::Whole(Bytes::new()) }
    }

    /// A page for browsers.
    pub fn html(page: impl Into<Bytes>) -> Self {
        Self::new(StatusCode::OK, "text/html; charset=utf-8", page)
    }

    /// The way to another place.
    ///
    /// # Errors
    /// When `to` cannot stand in a header.
    pub fn redirect(status: StatusCode, to: &str) -> Result<Self, ApiError> {
        Self::empty(status).with(LOCATION, to)
    }

    /// A body that is sent piece by piece, of which nothing is held: how the pieces are made does not matter to how slow a
    /// client may be. An error breaks the answer off, so that nobody takes the part for the whole.
    pub fn streamed(
        content_type: &'static str,
        pieces: impl Stream<Item = Result<Bytes, ApiError>> + 'static,
    ) -> Self {
        let pieces = pieces.flat_map(|piece| stream::iter(cut(piece)));
        Self::of_type(StatusCode::OK, content_type, Body::Streamed(Box::pin(pieces), None))
    }

    /// A JSON body of about so many lines of orders that is written while it is sent, of which little is held. An error breaks
    /// the answer off.
    pub(crate) fn written(
        lines: usize,
        write: impl FnOnce(&mut Json<Pen>) -> Result<(), ApiError> + Send + 'static,
    ) -> Self {
        Self::of_type(StatusCode::OK, JSON_TYPE, Body::Written(Writing::new(lines, write)))
    }

    /// What of it has still to be written.
    pub(crate) const fn unwritten(&self) -> Option<&Writing> {
        match &self.body {
            Body::Written(writing) => Some(writing),
            Body::Whole(_) | Body::Streamed(..) => None,
        }
    }

    /// With the number of bytes that a [streamed](Self::streamed) body has.
    #[must_use]
    pub(crate) fn of_size(mut self, bytes: u64) -> Self {
        if let Body::Streamed(_, size) = &mut self.body {
            *size = Some(bytes);
        }
        self
    }

    /// To be kept as a file under this name.
    pub(crate) fn named(self, name: &str) -> Result<Self, ApiError> {
        self.with(CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))?
            .with(X_CONTENT_TYPE_OPTIONS, "nosniff")
    }

    fn of_type(status: StatusCode, content_type: &'static str, body: Body) -> Self {
        let content_type = (CONTENT_TYPE, HeaderValue::from_static(content_type));
        Self { status, headers: vec![content_type], body }
    }

    /// A JSON body.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn json(status: StatusCode, body: &impl Serialize) -> Result<Self, ApiError> {
        let mut json = Json::with_room(0);
        json.write(body)?;
        Ok(Self::new(status, JSON_TYPE, Vec::from(json)))
    }

    /// One resource, unless the caller has it already.
    pub(crate) fn shown<R: Resource>(
        headers: &HeaderMap,
        thing: R::Thing,
    ) -> Result<Self, ApiError> {
        let resource = R::from(thing);
        let (tag, language) = tag_told(headers, &resource);
        Self::tagged(headers, &resource, tag)?.told_if(language)
    }

    /// A body with this tag, unless the caller has it already.
    pub(crate) fn tagged(
        headers: &HeaderMap,
        body: &impl Serialize,
        tag: ETag,
    ) -> Result<Self, ApiError> {
        let tag = tag.to_string();
        if etag::is_known(headers, &tag) {
            return Self::not_modified().with(ETAG, &tag);
        }
        Self::json(StatusCode::OK, body)?.with(ETAG, &tag)
    }

    /// With what it tells people in this language; its tag is that of this language.
    pub(crate) fn told(mut self, language: Language) -> Result<Self, ApiError> {
        let tag = self.headers.iter().find(|(name, _)| *name == ETAG);
        let tag = tag.and_then(|(_, value)| value.to_str().ok()).and_then(etag::read);
        if let Some(tag) = tag {
            self.headers.retain(|(name, _)| *name != ETAG);
            self = self.with(ETAG, tag.in_language(language))?;
        }
        self.with(CONTENT_LANGUAGE, language.tag())
    }

    /// The same of what tells something in a language, and anything else as it is.
    pub(crate) fn told_if(self, language: Option<Language>) -> Result<Self, ApiError> {
        match language {
            Some(language) => self.told(language),
            None => Ok(self),
        }
    }

    /// A file to be kept under this name.
    pub(crate) fn file(
        content_type: &'static str,
        name: &str,
        bytes: impl Into<Bytes>,
    ) -> Result<Self, ApiError> {
        Self::new(StatusCode::OK, content_type, bytes).named(name)
    }

    /// A page of resources.
    pub(crate) fn page<R: Resource>(
        page: Page<R::Thing>,
        asked: &PageRequest,
    ) -> Result<Self, ApiError> {
        Self::json(StatusCode::OK, &PageOf::<R>::new(page, asked))
    }

    /// A new resource.
    pub(crate) fn created<R: Resource>(done: Done<R::Thing>) -> Result<Self, ApiError> {
        let resource = R::from(done.value);
        let location = format!("{BASE_PATH}{}/{}", resource.path(), resource.id());
        Self::json(StatusCode::CREATED, &resource)?
            .with(ETAG, resource.etag())?
            .with(LOCATION, location)?
            .replayed(done.replayed)
    }

    /// A changed resource.
    pub(crate) fn changed<R: Resource>(done: Done<R::Thing>) -> Result<Self, ApiError> {
        let resource = R::from(done.value);
        Self::json(StatusCode::OK, &resource)?.with(ETAG, resource.etag())?.replayed(done.replayed)
    }

    /// The outcome of an action.
    pub(crate) fn acted<B: Serialize, T: Into<B>>(done: Done<T>) -> Result<Self, ApiError> {
        Self::json(StatusCode::OK, &done.value.into())?.replayed(done.replayed)
    }

    /// Work that goes on after the answer: it can be followed where `Location` says.
    pub(crate) fn accepted<R: Resource>(done: &Done<R>) -> Result<Self, ApiError> {
        let location = format!("{BASE_PATH}{}/{}", done.value.path(), done.value.id());
        Self::json(StatusCode::ACCEPTED, &done.value)?
            .with(LOCATION, location)?
            .replayed(done.replayed)
    }

    /// A deleted resource.
    pub(crate) fn deleted(done: &Done<impl Display>) -> Result<Self, ApiError> {
        let body = DeletedBody { id: done.value.to_string(), deleted: true };
        Self::json(StatusCode::OK, &body)
    }

    /// A refusal, in this language.
    pub(crate) fn refused(error: ApiError, language: Language) -> Self {
        let body = error.to_json(language);
        let mut answer = Self::new(error.status(), JSON_TYPE, body);
        let tag = HeaderValue::from_static(language.tag());
        answer.headers.push((CONTENT_LANGUAGE, tag));
        answer.headers.extend(error.headers);
        answer
    }

    /// The caller has it already.
    pub(crate) fn not_modified() -> Self {
        Self::empty(StatusCode::NOT_MODIFIED)
    }

    /// With a header.
    ///
    /// # Errors
    /// When the value cannot stand in one.
    pub fn with(mut self, name: HeaderName, value: impl Display) -> Result<Self, ApiError> {
        let value = HeaderValue::from_str(&value.to_string())
            .map_err(|error| ApiError::internal(format!("{name}: {error}")))?;
        self.headers.push((name, value));
        Ok(self)
    }

    /// An answer that was given before, if it was.
    pub(crate) fn replayed(self, replayed: bool) -> Result<Self, ApiError> {
        if replayed { self.with(IDEMPOTENT_REPLAYED, true) } else { Ok(self) }
    }
}

/// A piece in such that are sent at once. An empty one would end the answer, and is left out.
fn cut(piece: Result<Bytes, ApiError>) -> impl Iterator<Item = Result<Bytes, Broken>> {
    let (mut rest, mut broken) = match piece {
        Ok(bytes) => (bytes, None),
        Err(error) => (Bytes::new(), Some(Broken::from(error))),
    };
    iter::from_fn(move || match broken.take() {
        Some(broken) => Some(Err(broken)),
        None if rest.is_empty() => None,
        None => Some(Ok(rest.split_to(rest.len().min(pieces::BYTES)))),
    })
}

/// Why an answer was broken off.
#[derive(Debug)]
pub(crate) struct Broken(String);

impl From<ApiError> for Broken {
    fn from(error: ApiError) -> Self {
        let ApiError { code, message, cause, .. } = error;
        let cause = cause.unwrap_or_else(|| message.to_string());
        tracing::error!(error = code.name(), cause, "an answer was broken off");
        Self(cause)
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Broken {}
