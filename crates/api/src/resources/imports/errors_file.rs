//! The rows of an import that were refused, as a file to be corrected and sent again.

use std::{borrow::Cow, collections::VecDeque};

use actix_web::{http::header::CONTENT_LANGUAGE, web::Bytes};
use futures_util::stream;
use imports::{ErrorPlace, ImportError, ImportId, ImportKind, REPORT, Understood, codes};
use kernel::{Language, spreadsheet::guarded};

use crate::{
    answer::Answer,
    call::Call,
    error::ApiError,
    pieces,
    reply::{answered, found},
    table::{CSV_TYPE, MARK, write_row},
    turns::Turn,
};

/// Errors that are read at once.
const ROWS: usize = 100;

/// What is still to be sent.
struct Rest {
    call: Call,
    id: ImportId,
    width: usize,
    /// The names of columns, and the fields that they hold.
    columns: Vec<(String, String)>,
    behind: Option<ErrorPlace>,
    waiting: VecDeque<ImportError>,
    is_over: bool,
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
    let import = found(getting).await?;
    let Understood { mut header, columns, .. } = import.understood.unwrap_or_default();
    // Of a file of refused rows that were refused again.
    header.retain(|name| !REPORT.contains(&name.trim()));
    let name = format!("{id}-errors.csv");
    let mut heading = Vec::from(MARK);
    write_row(&mut heading, header.iter().map(String::as_str).chain(REPORT));
    let language = call.language();
    let rest = Rest {
        call,
        id,
        width: header.len(),
        columns,
        behind: None,
        waiting: VecDeque::new(),
        is_over: false,
        heading: Some(heading),
        _turn: turn,
    };
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
        let mut piece = Vec::new();
        while piece.is_empty() && !(self.is_over && self.waiting.is_empty()) {
            // A row ends where the next one begins, which may be read with the next.
            let is_whole = self.waiting.front().map(|first| first.row)
                != self.waiting.back().map(|last| last.row);
            if !self.is_over && !is_whole {
                self.read().await?;
            }
            let last = if self.is_over { None } else { self.waiting.back().map(|last| last.row) };
            let language = self.call.language();
            while let Some(first) = self.waiting.front().map(|first| first.row) {
                if Some(first) == last || piece.len() >= pieces::BYTES {
                    break;
                }
                let of_row = self.waiting.iter().take_while(|error| error.row == first).count();
                let errors: Vec<ImportError> = self.waiting.drain(..of_row).collect();
                self.write(&mut piece, &errors, language);
            }
        }
        Ok(Some(piece).filter(|piece| !piece.is_empty()))
    }

    async fn read(&mut self) -> Result<(), ApiError> {
        let services = self.call.services();
        let reading = services.imports.refused_rows(self.call.account, self.id, self.behind, ROWS);
        let read = answered(reading).await?;
        self.is_over = read.len() < ROWS;
        self.behind = read.last().map(|last| (last.row, last.place)).or(self.behind);
        self.waiting.extend(read);
        Ok(())
    }

    /// A row with all that was wrong with it.
    fn write(&self, out: &mut Vec<u8>, errors: &[ImportError], language: Language) {
        let Some(first) = errors.first() else { return };
        let mut cells = first.cells.clone().unwrap_or_default();
        // A row that has too many has them still.
        let width = cells.len().max(self.width);
        cells.resize(width, String::new());
        let columns: Vec<&str> =
            errors.iter().filter_map(|error| error.column.as_deref()).collect();
        let texts =
            errors.iter().map(|error| error.code.message().in_language(language).to_owned());
        let field = |error: &ImportError| {
            let name = error.column.as_deref()?;
            let found = self.columns.iter().find(|(column, _)| column == name);
            found.map(|(_, field)| field.as_str())
        };
        let said = codes(errors.iter().map(|error| (error.code, field(error))), &cells);
        let texts = texts.collect::<Vec<_>>().join("; ");
        let report = [first.row.to_string(), columns.join("; "), texts, said];
        // The row's own cells are given back as they came: they are read again.
        let own = cells.iter().map(|cell| Cow::Borrowed(cell.as_str()));
        write_row(out, own.chain(report.iter().map(|text| guarded(text))));
    }
}
