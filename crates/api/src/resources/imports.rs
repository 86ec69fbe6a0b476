//! `/products/imports`, `/customers/imports` and `/stock/imports`: files of rows that are worked off behind their requests.

mod body;
mod errors_file;
mod examples;
mod forms;

use std::time::Duration;

use accounts::Scope;
use actix_web::{
    http::{StatusCode, header::CONTENT_LANGUAGE},
    web,
};
use imports::{
    FILE_BYTES_MAX, FileRefusal, ImportId, ImportKind, ImportOptions, ImportQuery, KeptFile,
    NewImport, NotKept, Receiving,
};
use kernel::{Done, Page, PageRequest, Refused};

use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, Segment, id, query, streamed, taking},
    error::{ApiError, Code},
    page::PageOf,
    payload::Upload,
    reply::{answered, found, outcome, written},
    table::CSV_TYPE,
    turns::busy,
};
use body::{ErrorBody, ImportBody, Shown};

const ID: Segment<ImportId> = id(ImportId::PREFIX, ImportId::parse);

/// What a file may be sent as. What it is is told by its bytes.
const MEDIA_TYPES: &[&str] = &[
    "text/csv",
    "text/tab-separated-values",
    "text/plain",
    "application/csv",
    "application/jsonl",
    "application/x-ndjson",
    "application/gzip",
    "application/vnd.ms-excel",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/octet-stream",
];
/// How long the whole of it may take to come.
const UPLOAD_TIME: Duration = Duration::from_secs(60 * 60);
/// Bytes that are written to the disk at once.
const WRITTEN_BYTES: usize = 256 << 10;

/// How a kind of import is offered.
struct Offer {
    kind: ImportKind,
    scope: Scope,
    /// Where all are, one is, its errors, those as a file, and what cancels it.
    paths: [&'static str; 5],
    /// What each of them does, sending one first.
    summaries: [&'static str; 6],
    /// What rows say and how they are found.
    about: &'static str,
}

macro_rules! offer {
    ($kind:ident, $scope:ident, $path:literal, $noun:literal, $about:literal) => {
        Offer {
            kind: ImportKind::$kind,
            scope: Scope::$scope,
            paths: [
                $path,
                concat!($path, "/{id}"),
                concat!($path, "/{id}/errors"),
                concat!($path, "/{id}/errors.csv"),
                concat!($path, "/{id}/cancel"),
            ],
            summaries: [
                concat!("Import ", $noun),
                concat!("List imports of ", $noun),
                concat!("Get an import of ", $noun),
                concat!("List errors of an import of ", $noun),
                concat!("Download refused rows of an import of ", $noun),
                concat!("Cancel an import of ", $noun),
            ],
            about: concat!(
                $about,
                " Columns that are not there and empty cells leave fields alone. Poll the import until `endedAt` is set. At \
                 most 1 GiB (4 GiB inflated), 2,000,000 rows, and 1 MiB in a row; 50 MiB and 200,000 rows in a workbook. \
                 Imports of an account of one kind are worked off one after the other."
            ),
        }
    };
}

const OFFERS: &[Offer] = &[
    offer!(
        Products,
        Products,
        "/products/imports",
        "products",
        "Takes a table of products and their variants and works it off row by row: CSV as Excel, Google Sheets, Shopify and \
         WooCommerce write it, JSON Lines, or an Excel workbook (`.xlsx`); text may be compressed by gzip. The first row \
         names the columns, in English or Spanish and in any order; separator, encoding and decimal mark are recognised. \
         Rows are found by their `sku`, or their `externalId` where they have none; a variant names its product as \
         `parentSku`."
    ),
    offer!(
        Customers,
        Customers,
        "/customers/imports",
        "customers",
        "Takes a table of customers, in any form that `POST /products/imports` takes. Rows are found by their `externalId` or \
         their `email`, or by their `phone` where they have neither; a number of 10 digits is one in Mexico. `street` to \
         `country` are of the first address."
    ),
    offer!(
        Stock,
        Warehouses,
        "/stock/imports",
        "stock",
        "Takes a table of what lies in warehouses, in any form that `POST /products/imports` takes. Each row names a product \
         or variant by its `sku` or `ean`, the `warehouse` by its name or identifier (the default one where it is empty), \
         and how many a person has counted there (`onHand`, as `countedQuantity` of `POST /stock/adjustments`) or how many \
         more or fewer there are (`delta`). What is promised to orders is not taken. Rows of the ledger say `import`, with \
         the identifier of the import."
    ),
];

pub(super) fn endpoints() -> Vec<Endpoint> {
    OFFERS.iter().flat_map(offered).collect()
}

fn offered(offer: &Offer) -> Vec<Endpoint> {
    let Offer { kind, scope, paths, summaries, about } = *offer;
    let [all, one, of_errors, errors_file, canceling] = paths;
    let [to_send, to_list, to_get, to_list_errors, to_download, to_cancel] = summaries;
    let upload = (query(forms::options(kind)), streamed(MEDIA_TYPES, FILE_BYTES_MAX));
    vec![
        Endpoint::post(all, scope, taking(upload, move |call, sent| create(call, kind, sent)))
            .summary(to_send)
            .describes(about)
            .within(UPLOAD_TIME)
            .answers::<ImportBody>(202, "The import, queued.", examples::QUEUED)
            .refuses(&[
                Code::UnsupportedFile,
                Code::EmptyFile,
                Code::UnknownEncoding,
                Code::InvalidFile,
                Code::Conflict,
            ])
            .translated(),
        Endpoint::get(all, scope, taking(query(forms::list(kind)), list))
            .summary(to_list)
            .describes("Newest first. Ended imports are kept as long as events.")
            .pages::<ImportBody>("A page of imports.", examples::PAGE)
            .translated(),
        Endpoint::get(one, scope, taking(ID, move |call, id| show(call, kind, id)))
            .summary(to_get)
            .describes("How far it is, and what has become of its rows so far.")
            .answers::<ImportBody>(200, "The import.", examples::ENDED)
            .translated(),
        Endpoint::get(
            of_errors,
            scope,
            taking((ID, query(forms::ERRORS)), move |call, asked| errors(call, kind, asked)),
        )
        .summary(to_list_errors)
        .describes("What was wrong with rows, or was made of them with a warning, in the order of the file.")
        .pages::<ErrorBody>("A page of errors.", examples::ERRORS)
        .translated(),
        Endpoint::get(
            errors_file,
            scope,
            taking(ID, move |call, id| errors_file::download(call, kind, id)),
        )
        .summary(to_download)
        .describes(
            "The rows that were refused as CSV, with the columns of the file and `_row`, `_column`, `_error` and `_code`: \
             correct them and send them again, alone. Those four columns are left alone then; a row that only its file \
             has kept from being taken, such as the second of a SKU, is refused again until it is changed.",
        )
        .answers_file(&[CSV_TYPE], "The rows that were refused.")
        .translated(),
        Endpoint::post(canceling, scope, taking(ID, move |call, id| cancel(call, kind, id)))
            .summary(to_cancel)
            .describes("Rows that are done stay done; the others are left alone.")
            .answers::<ImportBody>(200, "The import.", examples::CANCELED)
            .refuses(&[Code::InvalidTransition])
            .translated(),
    ]
}

/// An answer with sentences, and the language that they are in.
fn spoken(call: &Call, answer: Result<Answer, ApiError>) -> Result<Answer, ApiError> {
    answer?.with(CONTENT_LANGUAGE, call.language().tag())
}

fn shown(call: &Call, import: imports::Import) -> Shown {
    Shown { import, language: call.language() }
}

async fn create(
    call: Call,
    kind: ImportKind,
    (options, mut upload): (ImportOptions, Upload),
) -> Result<Answer, ApiError> {
    // A malformed key is told before anything is sent.
    drop(call.ctx()?);
    let file = received(&call, kind, &mut upload, &options).await?;
    let (ctx, name) = (call.ctx_after(&upload)?, file.name.clone());
    let new = NewImport { kind, options, file };
    let opened = outcome(call.services().imports.open(ctx, new)).await?;
    // A repeat has its file already, and what is refused needs none. After a fault the import may be on record all the same.
    if !matches!(&opened, Ok(Done { replayed: false, .. }) | Err(Refused::Fault(_))) {
        let files = call.services().import_files.clone();
        blocking(move || files.remove(&name)).await?;
    }
    let Done { value, replayed } = opened?;
    let value = ImportBody::from(shown(&call, value));
    spoken(&call, Answer::accepted(&Done { value, replayed }))
}

/// Keeps a file as it comes.
async fn received(
    call: &Call,
    kind: ImportKind,
    upload: &mut Upload,
    options: &ImportOptions,
) -> Result<KeptFile, ApiError> {
    let files = call.services().import_files.clone();
    let account = call.account;
    let receiving = blocking(move || files.receive(account)).await??;
    let mut receiving = receiving.ok_or_else(busy)?;
    let mut waiting: Vec<u8> = Vec::with_capacity(WRITTEN_BYTES);
    while let Some(piece) = upload.next().await? {
        waiting.extend_from_slice(&piece);
        if waiting.len() >= WRITTEN_BYTES {
            let more = std::mem::replace(&mut waiting, Vec::with_capacity(WRITTEN_BYTES));
            receiving = appended(receiving, more).await?;
        }
    }
    let receiving = appended(receiving, waiting).await?;
    let (options, digest) = (options.clone(), upload.digest());
    let kept = blocking(move || receiving.keep(kind, &options, digest)).await?;
    kept.map_err(|why| match why {
        NotKept::Refused(refusal) => refused(refusal),
        NotKept::Fault(fault) => fault.into(),
    })
}

async fn appended(
    mut receiving: Box<dyn Receiving>,
    bytes: Vec<u8>,
) -> Result<Box<dyn Receiving>, ApiError> {
    blocking(move || receiving.write(&bytes).map(|()| receiving)).await?.map_err(ApiError::from)
}

/// Waits for a disk, off the threads that answer requests.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    web::block(work).await.map_err(|_| ApiError::internal("a file was left without an outcome"))
}

fn refused(FileRefusal { code, message }: FileRefusal) -> ApiError {
    let code = match code {
        "unsupported_file" => Code::UnsupportedFile,
        "empty_file" => Code::EmptyFile,
        "unknown_encoding" => Code::UnknownEncoding,
        _ => Code::InvalidFile,
    };
    ApiError::new(code, message)
}

async fn list(call: Call, query: ImportQuery) -> Result<Answer, ApiError> {
    let asked = query.page.clone();
    let page = answered(call.services().imports.list(call.account, query)).await?;
    let page: Page<Shown> = page.map(|import| shown(&call, import));
    spoken(&call, Answer::json(StatusCode::OK, &PageOf::<ImportBody>::new(page, &asked)))
}

async fn show(call: Call, kind: ImportKind, id: ImportId) -> Result<Answer, ApiError> {
    let getting = call.services().imports.get(call.account, kind, id);
    let import = found(getting).await?;
    spoken(&call, Answer::shown::<ImportBody>(call.headers(), shown(&call, import)))
}

async fn errors(
    call: Call,
    kind: ImportKind,
    (id, asked): (ImportId, PageRequest),
) -> Result<Answer, ApiError> {
    let reading = call.services().imports.errors(call.account, kind, id, asked.clone());
    let page = found(reading).await?;
    let language = call.language();
    let page = page.map(|error| ErrorBody::of(error, language));
    spoken(&call, Answer::json(StatusCode::OK, &PageOf::<ErrorBody>::new(page, &asked)))
}

async fn cancel(call: Call, kind: ImportKind, id: ImportId) -> Result<Answer, ApiError> {
    let canceling = call.services().imports.cancel(call.ctx()?, kind, id);
    let Done { value, replayed } = written(canceling).await?;
    spoken(&call, Answer::acted::<ImportBody, _>(Done { value: shown(&call, value), replayed }))
}
