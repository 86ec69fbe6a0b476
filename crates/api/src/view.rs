//! What of a resource an answer shows: the fields that are asked for, and resources that it names.

use std::{
    io::Write,
    sync::{Arc, LazyLock},
};

use actix_web::http::{
    StatusCode,
    header::{ETAG, HeaderMap},
};
use intake::{
    Check, Faults, Fields, Form, Given, Schema,
    checks::{one_of, several},
    clause, quoted,
    sketch::ValueKind,
};
use kernel::{Page, PageRequest, message, threads::give_way};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;
use utoipa::{
    ToSchema,
    openapi::{RefOr, schema},
};

use crate::{
    answer::{Answer, JSON_TYPE, Resource, tag_told},
    call::Call,
    endpoint::{Declared, Takes},
    error::ApiError,
    json::{Counted, Json},
    page::PageOf,
    refusals::unreadable_query,
};

/// The most fields that are asked for by name.
const FIELDS_MAX: usize = 100;
/// So many lines of orders are written where the request is answered: about 200 KiB.
const LINES_QUICK: usize = 400;
/// What a line usually takes, so that what is written of many of them seldom moves.
pub(crate) const LINE_BYTES: usize = 520;

/// The parameters of a query with what the answer is to show.
pub(crate) struct Viewed<T> {
    form: Form<T>,
    names: FieldNames,
    expansions: &'static [&'static str],
}

/// The parameters of a form, and which fields of the resource are shown.
pub(crate) fn viewed<R: ToSchema, T>(form: Form<T>) -> Viewed<T> {
    let names: LazyLock<Vec<String>> = LazyLock::new(names_of::<R>);
    Viewed { form, names: FieldNames(Arc::new(names)), expansions: &[] }
}

fn names_of<R: ToSchema>() -> Vec<String> {
    match R::schema() {
        RefOr::T(schema::Schema::Object(object)) => object.properties.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

/// No parameters of its own, and which fields of the resource are shown.
pub(crate) fn view<R: ToSchema>() -> Viewed<()> {
    viewed::<R, ()>(Form::query(|_| Some(())))
}

impl<T> Viewed<T> {
    /// With resources that can be shown where they are named.
    pub(crate) fn expanding(self, expansions: &'static [&'static str]) -> Self {
        Self { expansions, ..self }
    }

    fn read(&self, fields: &mut Fields<'_>) -> View {
        let about = "Only these fields of the resource, separated by commas.";
        let shown = fields.change("fields", several(FIELDS_MAX, self.names.clone()).about(about));
        let expand = (!self.expansions.is_empty()).then(|| {
            let about = "What to show besides, separated by commas; resources where they are named, whose scopes are required too.";
            let one = one_of(self.expansions, |name| name);
            fields.change("expand", several(self.expansions.len(), one).about(about))
        });
        View { shown, expand: expand.flatten().unwrap_or_default() }
    }
}

impl<T: 'static> Takes for Viewed<T> {
    type Value = (T, View);

    fn declare(&self, declared: &mut Declared) {
        let own = Self { names: self.names.clone(), ..*self };
        let draw = move || own.form.sketch_with(|fields| drop(own.read(fields)));
        declared.query = Some(Box::new(draw));
    }

    async fn take<A>(&self, call: &mut Call<A>) -> Result<(T, View), ApiError> {
        let query = call.request.query_string();
        let read = self.form.read_query_at(call.path(), query, |fields| self.read(fields));
        read.map_err(unreadable_query)
    }
}

/// The names of a resource's fields.
#[derive(Clone)]
struct FieldNames(Arc<LazyLock<Vec<String>>>);

impl Check for FieldNames {
    type Value = String;

    fn check(&self, given: &Given<'_>) -> Result<String, Faults> {
        let text = given.text()?;
        let found = self.0.iter().find(|name| name.as_str() == text);
        found.cloned().ok_or_else(|| {
            let (shown, names) = (quoted(&text), self.0.join(", "));
            clause(message!(
                "names {shown}, which is not a field here; there are {names}",
                "nombra {shown}, que no es un campo de la respuesta; hay {names}"
            ))
        })
    }

    fn schema(&self) -> Schema {
        ValueKind::OneOf(self.0.iter().map(|name| name.clone().into()).collect()).into()
    }
}

/// What an answer is to show.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    shown: Option<Vec<String>>,
    expand: Vec<&'static str>,
}

impl View {
    /// Whether a resource is to be shown where it is named.
    pub(crate) fn expands(&self, name: &str) -> bool {
        self.expand.contains(&name)
    }

    /// One resource, unless the caller has it already. What is shown with it may have changed all the same.
    pub(crate) fn one<R: Resource>(
        &self,
        headers: &HeaderMap,
        resource: &R,
    ) -> Result<Answer, ApiError> {
        let (tag, language) = tag_told(headers, resource);
        if !self.expand.is_empty() {
            return self.json(resource)?.with(ETAG, tag)?.told_if(language);
        }
        let answer = match &self.shown {
            None => Answer::tagged(headers, resource, tag),
            Some(names) => Answer::tagged(headers, &Picked::of(resource, names)?, tag),
        };
        answer?.told_if(language)
    }

    /// A page of things, each of which becomes its resource when it is its turn to be written.
    pub(crate) fn page<R: Resource>(
        &self,
        page: Page<R::Thing>,
        asked: &PageRequest,
    ) -> Result<Answer, ApiError> {
        let page = PageOf::<R::Thing>::new(page, asked);
        let lines = page.lines(R::weight);
        self.written(page, lines, R::from)
    }

    /// A page whose first things are read. It is long, and sent while `more` reads the others, until it gives none.
    pub(crate) fn page_with<R: Resource>(
        &self,
        page: Page<R::Thing>,
        asked: &PageRequest,
        more: impl FnMut() -> Result<Vec<R::Thing>, ApiError> + Send + 'static,
    ) -> Answer {
        let (page, shown) = (PageOf::<R::Thing>::new(page, asked), self.shown.clone());
        Answer::written(page.lines(R::weight), move |json| {
            page.write_with(more, json, |row, json| show(&R::from(row), shown.as_deref(), json))
        })
    }

    /// A page of resources that show others, of so many lines in all.
    pub(crate) async fn expanded<R: Resource + Send>(
        &self,
        page: PageOf<R>,
        lines: usize,
    ) -> Result<Answer, ApiError> {
        if lines <= LINES_QUICK {
            return self.written(page, lines, |resource| resource);
        }
        // How much it is does not follow from how many there are, and who asks for too much is told before the first of it.
        let shown = self.shown.clone();
        let page = counted(page, move |page, json| {
            let row =
                |resource: &R, json: &mut Json<Counted>| show(resource, shown.as_deref(), json);
            page.borrowed().write(json, row)
        });
        self.written(page.await?, lines, |resource| resource)
    }

    /// A page of resources that show others, of which so many lines are read. It is long: `count` gives the others to be counted,
    /// `more` those to be written, each until it gives none. So they are read twice, and never held all at once.
    pub(crate) async fn expanded_with<R: Resource + Send>(
        &self,
        page: PageOf<R>,
        lines: usize,
        mut count: impl FnMut() -> Result<Vec<R>, ApiError> + Send + 'static,
        more: impl FnMut() -> Result<Vec<R>, ApiError> + Send + 'static,
    ) -> Result<Answer, ApiError> {
        let (shown, names) = (self.shown.clone(), self.shown.clone());
        let page = counted(page, move |page, json| {
            let row =
                |resource: &R, json: &mut Json<Counted>| show(resource, names.as_deref(), json);
            page.borrowed().write(json, row)?;
            loop {
                let rows = count()?;
                if rows.is_empty() {
                    return Ok(());
                }
                rows.iter().try_for_each(|resource| row(resource, json))?;
            }
        });
        let page = page.await?;
        Ok(Answer::written(lines, move |json| {
            page.write_with(more, json, |resource, json| show(&resource, shown.as_deref(), json))
        }))
    }

    /// One resource that shows others, of so many lines in all.
    pub(crate) async fn one_expanded<R: Resource + Send>(
        &self,
        headers: &HeaderMap,
        resource: R,
        lines: usize,
    ) -> Result<Answer, ApiError> {
        if lines <= LINES_QUICK {
            return self.one(headers, &resource);
        }
        let ((tag, language), shown) = (tag_told(headers, &resource), self.shown.clone());
        let names = shown.clone();
        let resource =
            counted(resource, move |resource, json| show(resource, names.as_deref(), json));
        let resource = resource.await?;
        Answer::written(lines, move |json| show(&resource, shown.as_deref(), json))
            .with(ETAG, tag)?
            .told_if(language)
    }

    /// Writes a page; a long one while it is sent, since a hundred orders of 500 lines are 25 MiB.
    fn written<T: Send + 'static, R: Resource>(
        &self,
        page: PageOf<T>,
        lines: usize,
        resource: impl Fn(T) -> R + Send + 'static,
    ) -> Result<Answer, ApiError> {
        let shown = self.shown.clone();
        if lines > LINES_QUICK {
            return Ok(Answer::written(lines, move |json| {
                page.write(json, |row, json| show(&resource(row), shown.as_deref(), json))
            }));
        }
        let room = if shown.is_none() { lines * LINE_BYTES } else { 0 };
        let mut json = Json::with_room(room);
        page.write(&mut json, |row, json| show(&resource(row), shown.as_deref(), json))?;
        Ok(Answer::new(StatusCode::OK, JSON_TYPE, Vec::from(json)))
    }

    /// Whether anything is shown with it.
    pub(crate) fn expands_something(&self) -> bool {
        !self.expand.is_empty()
    }

    fn json<R: Serialize>(&self, resource: &R) -> Result<Answer, ApiError> {
        match &self.shown {
            None => Answer::json(StatusCode::OK, resource),
            Some(names) => Answer::json(StatusCode::OK, &Picked::of(resource, names)?),
        }
    }
}

/// What is written as `write` says is not too much for an answer: it is written once to be counted, on a thread that gives way.
async fn counted<T: Send + 'static>(
    value: T,
    write: impl FnOnce(&T, &mut Json<Counted>) -> Result<(), ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let counting = actix_web::web::block(move || {
        give_way();
        write(&value, &mut Json::counted()).map(|()| value)
    });
    counting.await.map_err(|_| ApiError::internal("an answer was not counted"))?
}

/// Writes a resource, or of it what is asked for.
fn show<W: Write>(
    resource: &impl Serialize,
    names: Option<&[String]>,
    json: &mut Json<W>,
) -> Result<(), ApiError> {
    match names {
        None => json.write(resource),
        Some(names) => json.write(&Picked::of(resource, names)?),
    }
}

/// Some fields of a resource, as it writes them.
struct Picked(Vec<(String, Box<RawValue>)>);

impl Picked {
    fn of(resource: &impl Serialize, names: &[String]) -> Result<Self, ApiError> {
        let wrong = |error: &dyn std::fmt::Display| ApiError::internal(error.to_string());
        let json = serde_json::to_string(resource).map_err(|error| wrong(&error))?;
        let members = intake::members(&json).map_err(|error| wrong(&error))?;
        let picked = members.into_iter().filter(|(name, _)| names.iter().any(|it| it == name));
        Ok(Self(picked.map(|(name, value)| (name.into_owned(), value.to_owned())).collect()))
    }
}

impl Serialize for Picked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
