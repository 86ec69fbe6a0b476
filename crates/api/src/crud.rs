//! The handlers that every resource has: list, create, show, update and delete. Each is given what it reads
//! and the method of the service that carries it out.

use std::fmt::Display;

use intake::{Form, SentBack};
use kernel::{AccountId, Ctx, Done, Fault, Page, PageRequest, Pending, Written};
use serde::Serialize;

use crate::{
    Services,
    answer::{Answer, Resource},
    call::Call,
    endpoint::{Handler, Segment, changes, json, taking},
    error::ApiError,
    etag::ETag,
    reply::{answered, found, written},
    view::{view, viewed},
};

/// A query for one page of a list.
pub(crate) trait Paged {
    /// The page that is asked for.
    fn page(&self) -> &PageRequest;
}

macro_rules! paged {
    ($($query:ty),+ $(,)?) => {
        $(impl Paged for $query {
            fn page(&self) -> &PageRequest {
                &self.page
            }
        })+
    };
}

paged!(
    accounts::ApiKeyQuery,
    accounts::AuditQuery,
    catalog::ProductQuery,
    crm::ActivityQuery,
    crm::CustomerQuery,
    crm::LeadQuery,
    inventory::CostQuery,
    inventory::CountQuery,
    inventory::MovementQuery,
    inventory::StockQuery,
    inventory::TransferQuery,
    invoices::InvoiceQuery,
    invoices::LedgerQuery,
    invoices::withholding::WithholdingQuery,
    orders::OrderQuery,
    payments::PaymentQuery,
    payments::RefundQuery,
    webhooks::SubscriptionQuery,
);

/// Lists what a query asks for.
pub(crate) fn list<R, Q, L>(form: Form<Q>, list: L) -> Handler
where
    R: Resource,
    Q: Paged + 'static,
    L: Fn(&Services, AccountId, Q) -> Pending<Result<Page<R::Thing>, Fault>>
        + Send
        + Sync
        + 'static,
{
    taking(viewed::<R, _>(form), move |call, (query, view)| {
        let (asked, language) = (query.page().clone(), call.language());
        let page = list(call.services(), call.account, query);
        async move {
            let page = answered(page).await?.map(|thing| R::in_language(thing, language));
            view.page::<R>(page, &asked)?.told_if(R::IS_TOLD.then_some(language))
        }
    })
}

/// Creates what a body says.
pub(crate) fn create<R, N, E, C>(form: Form<N>, create: C) -> Handler
where
    R: Resource,
    N: Send + 'static,
    E: Into<ApiError> + 'static,
    C: Fn(&Services, Ctx, N) -> Pending<Written<R::Thing, E>> + Send + Sync + 'static,
{
    taking(json(form), move |call, command| {
        let done = call.ctx().map(|ctx| create(call.services(), ctx, command));
        async move { Answer::created::<R>(written(done?).await?) }
    })
}

/// Shows the one that the path names.
pub(crate) fn show<R, I, G>(id: Segment<I>, get: G) -> Handler
where
    R: Resource,
    I: 'static,
    G: Fn(&Services, AccountId, I) -> Pending<Result<Option<R::Thing>, Fault>>
        + Send
        + Sync
        + 'static,
{
    taking((id, view::<R>()), move |call, (id, ((), view))| {
        let thing = get(call.services(), call.account, id);
        async move {
            let thing = R::in_language(found(thing).await?, call.language());
            view.one(call.headers(), &R::from(thing))
        }
    })
}

/// Changes the one that the path names, if it has the version that the caller expects, and what the caller sends of
/// what the service sets. A repeat is not asked about either.
pub(crate) fn update<R, I, N, E, G, U>(id: Segment<I>, form: Form<N>, get: G, update: U) -> Handler
where
    R: Resource,
    I: Copy + 'static,
    N: Send + 'static,
    E: Into<ApiError> + 'static,
    G: Fn(&Services, AccountId, I) -> Pending<Result<Option<R::Thing>, Fault>>
        + Clone
        + Send
        + Sync
        + 'static,
    U: Fn(&Services, Ctx, (I, Option<ETag>), N) -> Pending<Written<R::Thing, E>>
        + Clone
        + Send
        + Sync
        + 'static,
{
    taking((id, changes(form)), move |call, (id, (changes, sent_back))| {
        let (get, update) = (get.clone(), update.clone());
        async move {
            if !sent_back.is_empty() && !call.is_repeat().await? {
                let thing = found(get(call.services(), call.account, id)).await?;
                let thing = R::in_language(thing, call.language());
                unchanged(&call, sent_back, &R::from(thing))?;
            }
            let (named, language) = ((id, call.expected()), call.language());
            let done = written(update(call.services(), call.ctx()?, named, changes)).await?;
            let value = R::in_language(done.value, language);
            Answer::changed::<R>(Done { value, replayed: done.replayed })?
                .told_if(R::IS_TOLD.then_some(language))
        }
    })
}

/// Refuses what a caller sends of what the service sets, unless it is what the resource shows.
pub(crate) fn unchanged<R: Resource>(
    call: &Call,
    sent_back: SentBack,
    resource: &R,
) -> Result<(), ApiError> {
    unchanged_at(call, sent_back, resource, resource.etag())
}

/// The same of a resource with this tag. Who expects an older version is told that first.
pub(crate) fn unchanged_at(
    call: &Call,
    sent_back: SentBack,
    shown: &impl Serialize,
    tag: ETag,
) -> Result<(), ApiError> {
    if sent_back.is_empty() {
        return Ok(());
    }
    call.expect_version(Some(tag.of_version()))?;
    let shown = serde_json::to_value(shown);
    let shown = shown.map_err(|error| ApiError::internal(error.to_string()))?;
    sent_back.compare(&shown).map_err(|faults| ApiError::of_faults(&faults))
}

/// Deletes the one that the path names, if it has the version that the caller expects.
pub(crate) fn delete<I, E, D>(id: Segment<I>, delete: D) -> Handler
where
    I: Display + 'static,
    E: Into<ApiError> + 'static,
    D: Fn(&Services, Ctx, I, Option<i64>) -> Pending<Written<I, E>> + Send + Sync + 'static,
{
    taking(id, move |call, id| {
        let version = call.expected_version();
        let done = call.ctx().map(|ctx| delete(call.services(), ctx, id, version));
        async move { Answer::deleted(&written(done?).await?) }
    })
}
