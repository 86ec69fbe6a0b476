//! The rows of an import that were refused, as a file to be corrected and sent again.

use actix_web::{http::header::CONTENT_LANGUAGE, web::Bytes};
use futures_util::stream;
use imports::{ErrorPlace, ImportId, ImportKind, RefusedRows};

use crate::{
    answer::Answer,
    call::Call,
    error::ApiError,
    pieces,
    reply::{answered, found},
    table::{CSV_TYPE, MARK, write_separated},
    turns::Turn,
};

/// What is still to be sent.
struct Rest {
    call: Call,
    id: ImportId,
    rows: RefusedRows,
    heading: Option<Vec<u8>>,
    _turn: Turn,
}

/// Sends the rows as they are read, a few at a time.
pub(super) async fn download(
    call: Call,
    kind: ImportKind,
    id: ImportId,
) -> Result<Answer, ApiError> {
    let turn = call.turn_at_file().await?;
    let getting = call.services().imports.get(call.account, kind, id);
    let rows = RefusedRows::of(found(getting).await?.understood);
    let name = format!("{id}-errors.csv");
    let mut heading = Vec::from(MARK);
    write_separated(&mut heading, rows.separator(), rows.heading());
    let language = call.language();
    let rest = Rest { call, id, rows, heading: Some(heading), _turn: turn };
    let pieces = stream::unfold(rest, |mut rest| async move {
        let piece = rest.next().await.transpose()?;
        Some((piece.map(Bytes::from), rest))
    });
    Answer::streamed(CSV_TYPE, pieces).named(&name)?.with(CONTENT_LANGUAGE, language.tag())
}

impl Rest {
    /// The next rows; `None` at the end.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, ApiError> {
        if let Some(heading) = self.heading.take() {
            return Ok(Some(heading));
        }
        let language = self.call.language();
        let mut piece = Vec::new();
        while piece.len() < pieces::BYTES {
            if let Some(row) = self.rows.next(language) {
                let cells = row.iter().map(String::as_str);
                write_separated(&mut piece, self.rows.separator(), cells);
                continue;
            }
            // What there is is sent before more is read.
            match self.rows.reads_on().filter(|_| piece.is_empty()) {
                Some(behind) => self.read(behind).await?,
                None => break,
            }
        }
        Ok(Some(piece).filter(|piece| !piece.is_empty()))
    }

    async fn read(&mut self, behind: Option<ErrorPlace>) -> Result<(), ApiError> {
        let imports = &self.call.services().imports;
        let reading = imports.refused_rows(self.call.account, self.id, behind, RefusedRows::READ);
        let read = answered(reading).await?;
        self.rows.take_in(read);
        Ok(())
    }
}
