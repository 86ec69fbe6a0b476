//! `/invoices/cfdi/issuers`: the taxpayers that issue the account's invoices, with their logos; the default one is
//! also `/invoices/cfdi/issuer`.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::{StatusCode, header::ETAG};
use intake::SentBack;
use invoices::{Issuer, IssuerFields, IssuerId};
use kernel::{FieldFault, PageRequest, message};

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, changes, id, json, plain, query, taking},
    error::{ApiError, Code},
    etag::ETag,
    page::{Way, page_of_all},
    reply::{self, answered, computed, stale, written},
};
use body::IssuerBody;
pub(super) use body::issuer_tag;
pub(super) use forms::issuer_id;

const DEFAULT: &str = "/invoices/cfdi/issuer";
const DEFAULT_LOGO: &str = "/invoices/cfdi/issuer/logo";
const ALL: &str = IssuerBody::PATH;
const ONE: &str = "/invoices/cfdi/issuers/{id}";
const LOGO: &str = "/invoices/cfdi/issuers/{id}/logo";
pub(super) const ID: Segment<IssuerId> = id(IssuerId::PREFIX, IssuerId::parse);

/// The `id` in the answer to the deletion of a logo.
const LOGO_ID: &str = "logo";

pub(super) fn endpoints() -> Vec<Endpoint> {
    default().into_iter().chain(resources()).chain(logos()).collect()
}

/// The default issuer.
fn default() -> [Endpoint; 4] {
    [
        Endpoint::get(DEFAULT, Scope::Invoices, plain(show_default))
            .of_only_one()
            .summary("Get the default issuer")
            .describes(
                "The taxpayer that issues the account's invoices, unless they name another; 404 until one is \
                 configured.",
            )
            .answers::<IssuerBody>(200, "The issuer.", examples::ISSUER)
            .refuses(&[Code::NotFound]),
        Endpoint::put(DEFAULT, Scope::Invoices, taking(changes(forms::ISSUER), set_default))
            .summary("Set the default issuer")
            .describes(
                "Configures the taxpayer that issues the account's invoices. Replaces the whole \
                 resource; omitted fields take their defaults. Legal name, tax regime and postal \
                 code must match SAT's records. Drafts use the new issuer; stamped invoices are \
                 unaffected.",
            )
            .answers::<IssuerBody>(200, "The updated issuer.", examples::ISSUER)
            .refuses(&[Code::Conflict]),
        Endpoint::put(DEFAULT_LOGO, Scope::Invoices, taking(json(forms::LOGO), set_default_logo))
            .summary("Set the logo of the default issuer")
            .describes(LOGO_FORMAT)
            .answers::<IssuerBody>(200, "The updated issuer.", examples::ISSUER)
            .refuses(&[Code::IssuerMissing]),
        Endpoint::delete(DEFAULT_LOGO, Scope::Invoices, plain(delete_default_logo))
            .summary("Delete the logo of the default issuer")
            .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED_LOGO)
            .refuses(&[Code::IssuerMissing]),
    ]
}

/// Every issuer.
fn resources() -> [Endpoint; 5] {
    [
        Endpoint::get(ALL, Scope::Invoices, taking(query(forms::LIST), list))
            .summary("List issuers")
            .describes("The default one first, then in the order in which they were added.")
            .pages::<IssuerBody>("A page of issuers.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Invoices,
            crud::create::<IssuerBody, _, _, _>(forms::ADD, |services, ctx, fields| {
                services.issuers.add_issuer(ctx, fields)
            }),
        )
        .summary("Add an issuer")
        .describes(
            "Adds a taxpayer that invoices are issued on behalf of when they name it (`issuerId`), with \
             series, folios, logo and PDF settings of its own; its certificate is found by its RFC. Each \
             pair of RFC and tax regime can be added once, and issuers of one RFC have series of different names. Provider, credits and branches are the account's.",
        )
        .answers::<IssuerBody>(201, "The issuer.", examples::ISSUER)
        .refuses(&[Code::Conflict]),
        Endpoint::get(
            ONE,
            Scope::Invoices,
            crud::show::<IssuerBody, _, _>(ID, |services, account, id| {
                services.issuers.issuer(account, Some(id))
            }),
        )
        .summary("Get an issuer")
        .answers::<IssuerBody>(200, "The issuer.", examples::ISSUER),
        Endpoint::put(ONE, Scope::Invoices, taking((ID, changes(forms::ONE)), set_one))
            .summary("Set an issuer")
            .describes(
                "Replaces the whole resource; omitted fields take their defaults, except `isDefault`, which \
                 stays as it is. Drafts of the issuer change with it; stamped invoices are unaffected.",
            )
            .answers::<IssuerBody>(200, "The updated issuer.", examples::ISSUER)
            .refuses(&[Code::Conflict]),
        Endpoint::delete(
            ONE,
            Scope::Invoices,
            crud::delete(ID, |services, ctx, id, version| {
                services.issuers.delete_issuer(ctx, id, version)
            }),
        )
        .summary("Delete an issuer")
        .describes(
            "Deletes an issuer with its logo and PDF settings. The default one, and one that drafts, \
             invoices being stamped or branches name, cannot be deleted (409). Its stamped invoices stay.",
        )
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED)
        .refuses(&[Code::Conflict]),
    ]
}

const LOGO_FORMAT: &str =
    "Sets the image printed on the PDF of invoices: a PNG or JPEG of at most 256 KiB.";

/// The logos of all issuers.
fn logos() -> [Endpoint; 2] {
    [
        Endpoint::put(LOGO, Scope::Invoices, taking((ID, json(forms::LOGO)), set_logo))
            .summary("Set the logo of an issuer")
            .describes(LOGO_FORMAT)
            .answers::<IssuerBody>(200, "The updated issuer.", examples::ISSUER),
        Endpoint::delete(LOGO, Scope::Invoices, taking(ID, delete_logo))
            .summary("Delete the logo of an issuer")
            .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED_LOGO),
    ]
}

async fn list(call: Call, asked: PageRequest) -> Result<Answer, ApiError> {
    let issuers = answered(call.services().issuers.issuers(call.account)).await?;
    let key = |issuer: &Issuer| format!("{}{}", u8::from(!issuer.is_default), issuer.id);
    let page = page_of_all(issuers, &asked, (forms::ORDER, Way::Up), key);
    Answer::page::<IssuerBody>(page, &asked)
}

async fn show_default(call: Call) -> Result<Answer, ApiError> {
    let issuer = answered(call.services().issuers.issuer(call.account, None)).await?;
    let issuer = IssuerBody::from(issuer.ok_or_else(untold)?);
    Answer::tagged(call.headers(), &issuer, issuer.etag())
}

async fn set_default(call: Call, told: (IssuerFields, SentBack)) -> Result<Answer, ApiError> {
    set(call, None, told).await
}

async fn set_one(
    call: Call,
    (id, told): (IssuerId, (IssuerFields, SentBack)),
) -> Result<Answer, ApiError> {
    set(call, Some(id), told).await
}

async fn set(
    call: Call,
    which: Option<IssuerId>,
    (fields, sent_back): (IssuerFields, SentBack),
) -> Result<Answer, ApiError> {
    let which = seen(&call, which).await?;
    if !sent_back.is_empty() {
        let issuer = answered(call.services().issuers.issuer(call.account, which)).await?;
        match issuer.map(IssuerBody::from) {
            Some(issuer) => crud::unchanged(&call, sent_back, &issuer)?,
            None if which.is_some() => return Err(reply::not_found()),
            None => sent_back.refuse().map_err(|faults| ApiError::of_faults(&faults))?,
        }
    }
    let (issuers, version) = (&call.services().issuers, call.expected_version());
    let done = written(issuers.set_issuer(call.ctx()?, which, fields, version)).await?;
    changed(&IssuerBody::from(done.value))
}

/// Which issuer a change is of. At the path of the default one it is the one that the caller has seen, by `If-Match`: a
/// change is not to go to another that is the default one by now.
pub(super) async fn seen(
    call: &Call,
    which: Option<IssuerId>,
) -> Result<Option<IssuerId>, ApiError> {
    let expected = call.expected();
    let Some(digest) = expected.filter(|_| which.is_none()).and_then(ETag::digest) else {
        return Ok(which);
    };
    let default = answered(call.services().issuers.issuer(call.account, None)).await?;
    match default {
        Some(issuer) if issuer_tag(issuer.id, issuer.version).digest() == Some(digest) => {
            Ok(Some(issuer.id))
        }
        Some(_) => Err(stale()),
        None => Ok(None),
    }
}

async fn set_default_logo(call: Call, image: Vec<u8>) -> Result<Answer, ApiError> {
    keep_logo(call, None, image).await
}

async fn set_logo(call: Call, (id, image): (IssuerId, Vec<u8>)) -> Result<Answer, ApiError> {
    keep_logo(call, Some(id), image).await
}

async fn keep_logo(
    call: Call,
    which: Option<IssuerId>,
    image: Vec<u8>,
) -> Result<Answer, ApiError> {
    let which = seen(&call, which).await?;
    let printer = call.services().printer.clone();
    let image =
        computed((&call.context, call.account), move || printer.logo_to_keep(image)).await?;
    let image =
        image.map_err(|problem| ApiError::of_faults(&[FieldFault::new("image", problem)]))?;
    let (issuers, version) = (&call.services().issuers, call.expected_version());
    let done = written(issuers.set_logo(call.ctx()?, which, Some(image), version)).await?;
    changed(&IssuerBody::from(done.value))
}

async fn delete_default_logo(call: Call) -> Result<Answer, ApiError> {
    remove_logo(call, None).await
}

async fn delete_logo(call: Call, id: IssuerId) -> Result<Answer, ApiError> {
    remove_logo(call, Some(id)).await
}

async fn remove_logo(call: Call, which: Option<IssuerId>) -> Result<Answer, ApiError> {
    let which = seen(&call, which).await?;
    let version = call.expected_version();
    let done = written(call.services().issuers.set_logo(call.ctx()?, which, None, version)).await?;
    Answer::deleted(&kernel::Done { value: LOGO_ID, replayed: done.replayed })
}

fn changed(issuer: &IssuerBody) -> Result<Answer, ApiError> {
    Answer::json(StatusCode::OK, issuer)?.with(ETAG, issuer.etag())
}

fn untold() -> ApiError {
    let message = message!(
        "no issuer is configured: PUT /invoices/cfdi/issuer",
        "no hay un emisor configurado: PUT /invoices/cfdi/issuer"
    );
    ApiError::new(Code::NotFound, message)
}
