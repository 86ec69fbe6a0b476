//! The rows of an import that were refused, as a table to be corrected and sent again.

use std::{
    borrow::Cow,
    time::{Duration, Instant},
};

use actix_web::web::{Bytes, Data};
use futures_util::stream;
use imports::{ImportId, RefusedRows};
use kernel::{AccountId, Language};

use super::{Offer, one};
use crate::{
    Panel,
    answer::Answer,
    call::{Call, Member},
    csv::{BYTE_ORDER_MARK, BrokenOff, RETRY_SECONDS, Turn, line_as_is},
    failure::Failure,
    reply::answered,
};

/// So many characters are sent at once, if there are as many.
const PIECE_CHARS: usize = 64 * 1024;

/// What is still to be sent.
struct Rest {
    panel: Data<Panel>,
    account: AccountId,
    import: ImportId,
    language: Language,
    rows: RefusedRows,
    is_begun: bool,
    request_id: String,
    /// How long somebody may take over a piece, for the turns of others, and when the last one was handed over.
    patience: Duration,
    handed_at: Instant,
    _turn: Turn,
}

/// Sends the rows as they are read, a few at a time.
pub(super) async fn send(call: Call<Member>, offer: &'static Offer) -> Result<Answer, Failure> {
    let import = one(&call, offer).await?;
    let turn = call.panel.exports.take(call.account());
    let turn = turn.ok_or(Failure::TooOften(RETRY_SECONDS))?;
    let name = format!("{}-errors.csv", import.id);
    let rest = Rest {
        panel: call.panel.clone(),
        account: call.account(),
        import: import.id,
        language: call.language,
        rows: RefusedRows::of(import.understood),
        is_begun: false,
        request_id: call.request_id().to_owned(),
        patience: call.panel.settings.request_timeout,
        handed_at: Instant::now(),
        _turn: turn,
    };
    // Nothing follows what is broken off.
    let pieces = stream::unfold(Some(rest), |rest| async move {
        let mut rest = rest?;
        match rest.next().await {
            Ok(None) => None,
            Ok(Some(piece)) => {
                rest.handed_at = Instant::now();
                Some((Ok(Bytes::from(piece)), Some(rest)))
            }
            Err(failure) => {
                failure.log(&rest.request_id);
                Some((Err(BrokenOff), None))
            }
        }
    });
    Ok(Answer::file_in_pieces("text/csv; charset=utf-8", &name, pieces))
}

impl Rest {
    /// The next rows; `None` at the end.
    async fn next(&mut self) -> Result<Option<String>, Failure> {
        if !self.is_begun {
            self.is_begun = true;
            let separator = self.rows.separator();
            let heading = line_as_is(separator, self.rows.heading().map(Cow::Borrowed));
            return Ok(Some(format!("{BYTE_ORDER_MARK}{heading}")));
        }
        if self.handed_at.elapsed() > self.patience {
            return Err(Failure::Unavailable("a table is not taken in time".to_owned()));
        }
        let mut piece = String::new();
        while piece.len() < PIECE_CHARS {
            if let Some(row) = self.rows.next(self.language) {
                let cells = row.into_iter().map(Cow::Owned);
                piece.push_str(&line_as_is(self.rows.separator(), cells));
                continue;
            }
            // What there is is sent before more is read.
            let Some(behind) = self.rows.reads_on().filter(|_| piece.is_empty()) else { break };
            let imports = &self.panel.services.imports;
            let read = RefusedRows::READ;
            let reading = imports.refused_rows(self.account, self.import, behind, read);
            let errors = answered(reading).await?;
            self.rows.take_in(errors);
        }
        Ok(Some(piece).filter(|piece| !piece.is_empty()))
    }
}
