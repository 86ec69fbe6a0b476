//! Downloading the file that a job has made.

use actix_web::web::Bytes;
use futures_util::stream;
use invoices::export::{Content, ExportedInvoices};
use kernel::message;
use tasks::{Task, TaskId};

use super::visible;
use crate::{
    answer::Answer,
    call::Call,
    error::{ApiError, Code},
    reply::found,
};

pub(super) const ZIP_TYPE: &str = "application/zip";
pub(super) const CSV_TYPE: &str = "text/csv; charset=utf-8";

/// Sends a file piece by piece, each read when the one before is on its way.
pub(super) async fn download(call: Call, id: TaskId) -> Result<Answer, ApiError> {
    let task = visible(&call, id).await?;
    let made = call.services().exports.exported(&task)?.ok_or_else(|| nothing_made(&task))?;
    let ExportedInvoices { name, content, size, pieces, expires_at, .. } = made;
    if expires_at <= call.now {
        return Err(removed());
    }
    let media_type = match content {
        Content::XmlAndPdf | Content::Xml | Content::Pdf => ZIP_TYPE,
        Content::Csv => CSV_TYPE,
    };
    let pieces = stream::unfold(0, move |position| {
        let (files, account) = (call.services().files.clone(), call.account);
        async move {
            if position >= pieces {
                return None;
            }
            let piece = found(files.piece(account, id, position)).await;
            Some((piece.map(Bytes::from), position + 1))
        }
    });
    Answer::streamed(media_type, pieces).of_size(size).named(&name)
}

fn nothing_made(task: &Task) -> ApiError {
    let message = match task.ended_at {
        None => message!(
            "the job has not made its file yet: poll it until endedAt is set",
            "el trabajo aún no genera su archivo: consúltelo hasta que endedAt tenga valor"
        ),
        Some(_) => message!(
            "the job has made no file: see its kind, status and lastError",
            "el trabajo no generó ningún archivo: revise su kind, status y lastError"
        ),
    };
    ApiError::new(Code::Conflict, message)
}

fn removed() -> ApiError {
    let message = message!(
        "the file was kept for 7 days and has been removed; request it anew",
        "el archivo se conservó 7 días y ya se eliminó; solicítelo de nuevo"
    );
    ApiError::new(Code::NotFound, message)
}
