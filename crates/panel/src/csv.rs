//! Lists as tables for spreadsheets, sent as they are read.

use std::sync::Arc;

use actix_web::web::{Bytes, Data};
use cfdi::catalogs::zones::Zone;
use futures_util::stream;
use kernel::{
    AccountId, Fault, Page, PageRequest, Pending, Timestamp,
    page::{Count, LIMIT_MAX},
    spreadsheet::guarded,
};
use tokio::sync::OwnedSemaphorePermit;

use crate::{
    Panel, Services,
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    reply::answered,
};

/// Lets spreadsheets know that a file is UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";
/// Seconds until an export may be tried again where all turns are taken.
const RETRY_SECONDS: u64 = 10;

/// A list that is sent as a table.
pub(crate) trait Table: 'static {
    /// What a row is of.
    type Row: 'static;

    /// What the columns are called.
    fn heading(&self) -> Vec<String>;

    /// A page of it.
    fn read(
        &self,
        services: &Services,
        account: AccountId,
        page: PageRequest,
    ) -> Pending<Result<Page<Self::Row>, Fault>>;

    /// A row, a text for each column.
    fn cells(&self, row: &Self::Row) -> Vec<String>;
}

/// What is still to be sent.
struct Rest<T> {
    panel: Data<Panel>,
    account: AccountId,
    table: T,
    heading: Option<String>,
    /// What is read next.
    page: Option<PageRequest>,
    _turn: OwnedSemaphorePermit,
}

/// Sends a table under this name. A page is read when the one before has been taken, so little is held while a slow client
/// takes its time; a failure breaks the file off, so that nobody takes a part for the whole.
pub(crate) fn sent<T: Table>(call: &Call<Member>, name: &str, table: T) -> Result<Answer, Failure> {
    let turn = Arc::clone(&call.panel.exports).try_acquire_owned();
    let turn = turn.map_err(|_| Failure::TooOften(RETRY_SECONDS))?;
    let first = PageRequest { limit: LIMIT_MAX, count: Count::Nothing, ..PageRequest::default() };
    let heading = format!("{BYTE_ORDER_MARK}{}", line(&table.heading()));
    let rest = Rest {
        panel: call.panel.clone(),
        account: call.account(),
        table,
        heading: Some(heading),
        page: Some(first),
        _turn: turn,
    };
    let pieces = stream::unfold(rest, |mut rest| async move {
        if let Some(heading) = rest.heading.take() {
            return Some((Ok(Bytes::from(heading)), rest));
        }
        let page = rest.page.take()?;
        Some((rest.read(page).await, rest))
    });
    Ok(Answer::file_in_pieces("text/csv; charset=utf-8", name, pieces))
}

impl<T: Table> Rest<T> {
    async fn read(&mut self, asked: PageRequest) -> Result<Bytes, BrokenOff> {
        let reading = self.table.read(&self.panel.services, self.account, asked.clone());
        let page = answered(reading).await.map_err(|failure| {
            failure.log();
            BrokenOff
        })?;
        let lines = page.items.iter().map(|row| line(&self.table.cells(row)));
        let text: String = lines.collect();
        self.page = page.next.map(|cursor| PageRequest { cursor: Some(cursor), ..asked });
        Ok(Bytes::from(text))
    }
}

/// Why a file ends before its end: the log says it.
#[derive(Debug)]
pub(crate) struct BrokenOff;

impl std::fmt::Display for BrokenOff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the file was broken off")
    }
}

impl std::error::Error for BrokenOff {}

/// A line of cells: RFC 4180, with an apostrophe before what a spreadsheet would take for a formula.
fn line(cells: &[String]) -> String {
    let cell = |text: &String| {
        let text = guarded(text);
        match text.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.into_owned(),
        }
    };
    let cells: Vec<_> = cells.iter().map(cell).collect();
    format!("{}\r\n", cells.join(","))
}

/// A moment on the clocks of a zone, as spreadsheets read it.
pub(crate) fn local(at: Timestamp, zone: Zone) -> String {
    let at = zone.local(at);
    let (year, month, day) = (at.year(), u8::from(at.month()), at.day());
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", at.hour(), at.minute(), at.second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_no_formula() {
        let cells = ["a", "b,c", "d\"e", "=1+1", "x\ny", ""].map(str::to_owned);
        assert_eq!(line(&cells), "a,\"b,c\",\"d\"\"e\",'=1+1,\"x\ny\",\r\n");
    }

    #[test]
    fn moments_are_local() {
        let at = Timestamp::parse("2026-11-22T19:05:59Z").unwrap();
        assert_eq!(local(at, Zone::Central), "2026-11-22 13:05:59");
    }
}
