//! What a handler takes of a request: one declaration that reads it and documents it.

use std::{
    future::Future,
    sync::{Arc, OnceLock},
};

use intake::{Form, ReadOnly, SentBack, Sketch, Unreadable};
use webhooks::Reach;

use super::{Handler, body::Body};
use crate::{
    answer::Answer,
    call::Call,
    error::{ApiError, Code},
    payload::BYTES_QUICK,
    refusals::{unreadable_body, unreadable_query},
    reply,
};

/// Something that is taken of a request. Several are taken as a tuple, in its order.
pub trait Takes: Send + Sync + 'static {
    /// What the handler is given.
    type Value: 'static;

    /// States what is taken.
    fn declare(&self, declared: &mut Declared);

    /// Takes it.
    ///
    /// # Errors
    /// The refusal of a request that does not have it, or not as it must be.
    fn take<A>(&self, call: &mut Call<A>) -> impl Future<Output = Result<Self::Value, ApiError>>;
}

/// Draws what a form asks for, for whoever wants to know.
pub(crate) type Draw = Box<dyn Fn() -> Sketch + Send + Sync>;

/// All that a handler takes.
#[derive(Default)]
pub struct Declared {
    pub(crate) path: Vec<InPath>,
    pub(crate) query: Option<Draw>,
    pub(crate) body: Option<Body>,
    /// Whether a body with the number of a card is refused.
    pub(crate) is_card_free: bool,
}

/// A named part of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InPath {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
}

/// A named part of a path and its parser: what stands in place of `{name}`.
#[derive(Debug)]
pub struct Segment<T> {
    shown: InPath,
    /// What identifiers begin with, if it is one.
    prefix: Option<&'static str>,
    parse: fn(&str) -> Option<T>,
}

/// The part of a path that stands in place of `{name}`; what `parse` does not know names nothing, which is
/// a 404.
pub const fn segment<T>(
    name: &'static str,
    about: &'static str,
    parse: fn(&str) -> Option<T>,
) -> Segment<T> {
    Segment { shown: InPath { name, about }, prefix: None, parse }
}

/// The identifier of a resource, in place of `{id}`.
pub const fn id<T>(prefix: &'static str, parse: fn(&str) -> Option<T>) -> Segment<T> {
    named_id("id", "The identifier of the resource.", prefix, parse)
}

/// The identifier of a resource, in place of `{name}`.
pub const fn named_id<T>(
    name: &'static str,
    about: &'static str,
    prefix: &'static str,
    parse: fn(&str) -> Option<T>,
) -> Segment<T> {
    Segment { shown: InPath { name, about }, prefix: Some(prefix), parse }
}

impl<T: 'static> Takes for Segment<T> {
    type Value = T;

    fn declare(&self, declared: &mut Declared) {
        declared.path.push(self.shown);
    }

    async fn take<A>(&self, call: &mut Call<A>) -> Result<T, ApiError> {
        let text = call.parameter(self.shown.name).unwrap_or_default();
        (self.parse)(text).ok_or_else(|| match self.prefix {
            Some(prefix) => reply::not_an_id(text, prefix),
            None => reply::not_found(),
        })
    }
}

/// The parameters of a query.
pub struct Query<T>(Form<T>);

/// The parameters of a query, read by a form.
pub const fn query<T>(form: Form<T>) -> Query<T> {
    Query(form)
}

impl<T: 'static> Takes for Query<T> {
    type Value = T;

    fn declare(&self, declared: &mut Declared) {
        let form = self.0;
        declared.query = Some(Box::new(move || form.sketch()));
    }

    async fn take<A>(&self, call: &mut Call<A>) -> Result<T, ApiError> {
        let read = self.0.read_query_at(call.path(), call.request.query_string(), |_| ());
        read.map(|(value, ())| value).map_err(unreadable_query)
    }
}

/// A JSON body.
pub struct Json<T> {
    form: Form<T>,
    /// Reads in its place where only public addresses may be called.
    public: Option<Form<T>>,
    /// Known from the first body on.
    read_only: OnceLock<Arc<ReadOnly>>,
    codes: &'static [(&'static str, Code)],
}

/// A JSON body, read by a form. What the service sets itself is refused by name.
pub const fn json<T>(form: Form<T>) -> Json<T> {
    Json { form, public: None, read_only: OnceLock::new(), codes: &[] }
}

impl<T> Json<T> {
    /// With codes of their own for faults of some fields.
    #[must_use]
    pub fn coded(self, codes: &'static [(&'static str, Code)]) -> Self {
        Self { codes, ..self }
    }

    /// Read by another form of the same fields where only public addresses may be called.
    #[must_use]
    pub fn in_public(self, form: Form<T>) -> Self {
        Self { public: Some(form), ..self }
    }

    /// The form that reads what this call has sent.
    fn form<A>(&self, call: &Call<A>) -> Form<T> {
        match call.context.settings.reach {
            Reach::Public => self.public.unwrap_or(self.form),
            Reach::Development => self.form,
        }
    }

    fn read_only(&self) -> Arc<ReadOnly> {
        let read_only = || Arc::new(ReadOnly::of(&self.form.sketch()));
        Arc::clone(self.read_only.get_or_init(read_only))
    }
}

impl<T: Send + 'static> Takes for Json<T> {
    type Value = T;

    fn declare(&self, declared: &mut Declared) {
        declared.body = Some(Body::json(self.form));
    }

    async fn take<A>(&self, call: &mut Call<A>) -> Result<T, ApiError> {
        let (form, codes, read_only) = (self.form(call), self.codes, self.read_only());
        let reading = call.read_body(move |body| {
            match form.read_body(body) {
                Ok(value) => {
                    let sent = read_only.sent(body).refuse();
                    sent.map(|()| value).map_err(|faults| ApiError::of_faults(&faults))
                }
                // What is wrong is named at once; a large body may have too much of it to look again.
                Err(Unreadable::Faulty(mut faults)) if body.len() <= BYTES_QUICK => {
                    faults.extend(read_only.sent(body).refuse().err().unwrap_or_default());
                    Err(unreadable_body(Unreadable::Faulty(faults), codes))
                }
                Err(why) => Err(unreadable_body(why, codes)),
            }
        });
        reading.await
    }
}

/// A JSON body that changes what there is.
pub struct Changes<T>(Json<T>);

/// A JSON body that changes what there is, read by a form. What the service sets itself may be sent back as it was
/// read: it is handed over to be compared with what there is.
pub const fn changes<T>(form: Form<T>) -> Changes<T> {
    Changes(json(form))
}

impl<T> Changes<T> {
    /// Read by another form of the same fields where only public addresses may be called.
    #[must_use]
    pub fn in_public(self, form: Form<T>) -> Self {
        Self(self.0.in_public(form))
    }
}

impl<T: Send + 'static> Takes for Changes<T> {
    type Value = (T, SentBack);

    fn declare(&self, declared: &mut Declared) {
        declared.body = Some(Body::changes(self.0.form));
    }

    async fn take<A>(&self, call: &mut Call<A>) -> Result<(T, SentBack), ApiError> {
        let (form, codes, read_only) = (self.0.form(call), self.0.codes, self.0.read_only());
        let reading = call.read_body(move |body| {
            let value = form.read_body(body).map_err(|why| unreadable_body(why, codes))?;
            Ok((value, read_only.sent(body)))
        });
        reading.await
    }
}

macro_rules! tuples {
    ($($name:ident),*) => {
        #[expect(non_snake_case, reason = "one letter names both the type and the value")]
        impl<$($name: Takes),*> Takes for ($($name,)*) {
            type Value = ($($name::Value,)*);

            fn declare(&self, declared: &mut Declared) {
                let ($($name,)*) = self;
                $($name.declare(declared);)*
            }

            async fn take<A>(&self, call: &mut Call<A>) -> Result<Self::Value, ApiError> {
                let ($($name,)*) = self;
                Ok(($($name.take(call).await?,)*))
            }
        }
    };
}

tuples!(P, Q);
tuples!(P, Q, R);
tuples!(P, Q, R, S);

/// Nothing.
impl Takes for () {
    type Value = ();

    fn declare(&self, _: &mut Declared) {}

    async fn take<A>(&self, _: &mut Call<A>) -> Result<(), ApiError> {
        Ok(())
    }
}

/// A handler that is given what it takes.
pub fn taking<A, T, F, Answering>(takes: T, handle: F) -> Handler<A>
where
    A: 'static,
    T: Takes,
    F: Fn(Call<A>, T::Value) -> Answering + Send + Sync + 'static,
    Answering: Future<Output = Result<Answer, ApiError>> + 'static,
{
    let mut declared = Declared::default();
    takes.declare(&mut declared);
    let both = Arc::new((takes, handle));
    Handler::new(declared, move |mut call| {
        let both = Arc::clone(&both);
        Box::pin(async move {
            let (takes, handle) = &*both;
            let value = takes.take(&mut call).await?;
            handle(call, value).await
        })
    })
}

/// A handler that takes nothing but the call.
pub fn plain<A, F, Answering>(handle: F) -> Handler<A>
where
    A: 'static,
    F: Fn(Call<A>) -> Answering + Send + Sync + 'static,
    Answering: Future<Output = Result<Answer, ApiError>> + 'static,
{
    taking((), move |call, ()| handle(call))
}
