//! Sending a file of rows: it waits until somebody has said what its columns hold.

use std::sync::Arc;

use aws_lc_rs::digest::{Context, SHA256};
use imports::{
    FILE_BYTES_MAX, ImportKind, NewUpload, NotKept, Receiving, Upload, UploadId, file_name,
};
use intake::{Form, checks::text, noun};
use kernel::{FieldFault, Refused, message};

use super::super::view::{Cell, Table, all_of, asking, figures, words};
use super::{Offer, on_disk};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::RETRY_SECONDS,
    failure::Failure,
    form::Values,
    format::{moment, size},
    multipart,
    parts::{Empty, Field},
    reply::{answered, found, stopped, whole},
};

/// The field that rows are pasted into.
const ROWS: &str = "rows";
/// The field of the file, the last one.
const FILE: &str = "file";
/// Bytes that are written to the disk at once.
const WRITTEN_BYTES: usize = 256 << 10;

const PASTED: Form<Option<String>> = Form::body(
    "NewImport",
    noun("this form", "este formulario"),
    |fields| Some(fields.optional(ROWS, text(|rows| Ok(rows.to_owned())))),
    "",
);

pub(super) async fn ask(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    Ok(page(&call, offer, &[]))
}

fn page(call: &Call<Member>, offer: &Offer, faults: &[FieldFault]) -> Answer {
    let (say, values) = (call.say(), call.sent.values());
    let hint = match offer.kind {
        ImportKind::Products => say.rows_of_products_hint(),
        ImportKind::Customers => say.rows_of_customers_hint(),
        ImportKind::Stock => say.rows_of_stock_hint(),
    };
    // What proves the form stands before the file, which is taken only then; so do the rows.
    let fields = vec![
        Field::area(ROWS, say.paste_rows(), 6, values).hint(hint),
        Field::input("file", FILE, say.import_file(), &Values::default())
            .hint(say.import_file_hint()),
    ];
    let form = call.form(call.href(offer.new), fields, say.send_file(), faults).with_files();
    let back = ((offer.title)(say), offer.list);
    let title = say.new_import().to_owned();
    asking(call, (title, say.import_intro()), &form, !faults.is_empty(), back)
}

/// What has come of a form.
struct Arrived {
    receiving: Box<dyn Receiving>,
    digest: String,
    name: String,
    bytes: usize,
}

pub(super) async fn receive(
    mut call: Call<Member>,
    offer: &'static Offer,
) -> Result<Answer, Failure> {
    let upload = call.upload.take();
    let rows = match call.read(&PASTED)? {
        Ok(rows) => rows,
        Err(faults) => return Ok(page(&call, offer, &faults)),
    };
    let mut arrived = match upload {
        Some(upload) => match taken(&call, upload).await? {
            Ok(arrived) => Some(arrived),
            Err(fault) => return Ok(page(&call, offer, &[fault])),
        },
        None => None,
    };
    // A field of files that was left empty is sent as a file of nothing.
    arrived = arrived.filter(|arrived| arrived.bytes > 0);
    let arrived = match (arrived, rows) {
        (Some(arrived), None) => arrived,
        (None, Some(rows)) => pasted(&call, rows).await?,
        (Some(_), Some(_)) => return Ok(page(&call, offer, &[either()])),
        (None, None) => return Ok(page(&call, offer, &[nothing()])),
    };
    let (kind, name) = (offer.kind, arrived.name);
    let (receiving, digest) = (arrived.receiving, arrived.digest);
    let file = match on_disk(move || receiving.keep_unmapped(kind, digest)).await? {
        Ok(file) => file,
        Err(NotKept::Refused(refusal)) => {
            return Ok(page(&call, offer, &[whole(refusal.message)]));
        }
        Err(NotKept::Fault(fault)) => return Err(fault.into()),
    };
    let upload = recorded(&call, NewUpload { kind, name, file }).await?;
    Ok(call.done_at(&offer.file_place(upload.id), "file.sent"))
}

/// Takes a file as it comes; or says what is wrong with it.
async fn taken(
    call: &Call<Member>,
    mut upload: multipart::Upload,
) -> Result<Result<Arrived, FieldFault>, Failure> {
    let mut receiving = begun(call).await?;
    let (mut digest, mut waiting) = (Context::new(&SHA256), Vec::with_capacity(WRITTEN_BYTES));
    let mut bytes: usize = 0;
    while let Some(piece) = upload.next().await? {
        bytes += piece.len();
        if bytes > FILE_BYTES_MAX {
            return Ok(Err(too_large()));
        }
        digest.update(&piece);
        waiting.extend_from_slice(&piece);
        if waiting.len() >= WRITTEN_BYTES {
            receiving = appended(receiving, std::mem::take(&mut waiting)).await?;
        }
    }
    let receiving = appended(receiving, waiting).await?;
    let digest = hex::encode(digest.finish());
    Ok(Ok(Arrived { receiving, digest, name: file_name(&upload.name), bytes }))
}

/// Takes rows that were pasted as the file that they were copied from.
async fn pasted(call: &Call<Member>, rows: String) -> Result<Arrived, Failure> {
    let (bytes, mut digest) = (rows.len(), Context::new(&SHA256));
    digest.update(rows.as_bytes());
    let receiving = appended(begun(call).await?, rows.into_bytes()).await?;
    let digest = hex::encode(digest.finish());
    Ok(Arrived { receiving, digest, name: String::new(), bytes })
}

async fn begun(call: &Call<Member>) -> Result<Box<dyn Receiving>, Failure> {
    let (files, account) = (Arc::clone(&call.services().import_files), call.account());
    on_disk(move || files.receive(account)).await??.ok_or(Failure::TooOften(RETRY_SECONDS))
}

async fn appended(
    mut receiving: Box<dyn Receiving>,
    bytes: Vec<u8>,
) -> Result<Box<dyn Receiving>, Failure> {
    let written = on_disk(move || receiving.write(&bytes).map(|()| receiving)).await?;
    Ok(written?)
}

/// Puts a file on record, and removes what nobody needs any more.
async fn recorded(call: &Call<Member>, new: NewUpload) -> Result<Upload, Failure> {
    let name = new.file.name.clone();
    let kept = call.services().uploads.keep(call.ctx(), new).await;
    let kept = kept.ok_or_else(stopped)?;
    let (outcome, left) = match kept {
        Ok(done) => (Ok(done.value.upload), done.value.left),
        // It may be on record all the same.
        Err(Refused::Fault(fault)) => (Err(fault.into()), Vec::new()),
        Err(_) => (Err(Failure::Internal("a file was refused".to_owned())), vec![name]),
    };
    let files = Arc::clone(&call.services().import_files);
    on_disk(move || left.iter().for_each(|name| files.remove(name))).await?;
    outcome
}

fn nothing() -> FieldFault {
    let problem =
        message!("is missing: choose one, or paste rows", "falta: elige uno, o pega filas");
    FieldFault::new(FILE, problem)
}

fn either() -> FieldFault {
    let problem = message!(
        "was chosen, and rows were pasted: send one of them",
        "se eligió y también se pegaron filas: envía solo uno de los dos"
    );
    FieldFault::new(FILE, problem)
}

fn too_large() -> FieldFault {
    FieldFault::new(FILE, message!("must have at most 1 GiB", "debe tener a lo más 1 GiB"))
}

/// The files that wait.
pub(super) async fn list(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let uploads = answered(call.services().uploads.uploads(call.account(), offer.kind)).await?;
    let heads = vec![
        words(say.import_file()),
        figures(say.size()),
        words(say.date()),
        words(say.waits_until()),
    ];
    let row = |upload: &Upload| {
        vec![
            Cell::link(name_of(&call, upload), call.href(&offer.file_place(upload.id))),
            Cell::text(size(upload.file.size)),
            Cell::at(moment(upload.created_at, zone, call.language)),
            Cell::at(moment(upload.expires_at, zone, call.language)),
        ]
    };
    let table = Table::new(heads, uploads.iter().map(row));
    let nothing = Empty::new(say.no_import_files());
    let nothing = nothing.action(say.new_import(), call.href(offer.new));
    let sheet = all_of((offer.files_title)(say), table, nothing);
    let sheet = sheet.action(say.new_import(), call.href(offer.new));
    Ok(call.page(sheet.back((offer.title)(say), call.href(offer.list))))
}

/// What a file is called.
pub(super) fn name_of(call: &Call<Member>, upload: &Upload) -> String {
    match upload.name.as_str() {
        "" => call.say().pasted_rows().to_owned(),
        name => name.to_owned(),
    }
}

/// The file of the path, as long as it waits.
pub(super) async fn one(call: &Call<Member>, offer: &Offer) -> Result<Upload, Failure> {
    let id = UploadId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().uploads.upload(call.account(), offer.kind, id)).await
}

pub(super) async fn forget(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let id = UploadId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let discarded = call.services().uploads.discard(call.ctx(), offer.kind, id).await;
    let [list, ..] = offer.files;
    match discarded.ok_or_else(stopped)? {
        Ok(done) => {
            let files = Arc::clone(&call.services().import_files);
            on_disk(move || files.remove(&done.value.file.name)).await?;
        }
        // A second click finds it gone, which is what was wanted.
        Err(Refused::NotFound) => {}
        Err(Refused::Fault(fault)) => return Err(fault.into()),
        Err(_) => return Err(Failure::Internal("a file cannot be forgotten".to_owned())),
    }
    Ok(call.done_at(list, "file.forgotten"))
}
