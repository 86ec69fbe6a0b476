//! `/products/export`, `/customers/export`, `/orders/export`: everything of a kind as one table, sent as it is read.
//!
//! A few resources are read at a time, by a query of their own, and sent in pieces of the same size however many rows they
//! have: no transaction is open and little is held while a slow client takes its time. What is made after the request is
//! left out, so that an export ends.

mod customers;
mod orders;
mod products;

use std::{
    collections::VecDeque,
    future::{Future, ready},
};

use actix_web::web::Bytes;
use futures_util::stream;
use imports::Value;
use intake::{Check, Fields, checks::one_of};
use kernel::{Page, PageRequest, page::Count};

use crate::{
    answer::Answer,
    call::Call,
    endpoint::Endpoint,
    error::ApiError,
    pieces,
    table::{CSV_TYPE, Format, JSON_LINES_TYPE},
    turns::Turn,
};

/// What an export may be sent as.
const MEDIA_TYPES: &[&str] = &[CSV_TYPE, JSON_LINES_TYPE];
/// Resources that are read at once, as long as they have few rows.
const MANY: u32 = 100;
/// Those that are read at once at first, and where they have very many rows.
const FEW: u32 = 8;
/// Rows that are read at once, about.
const ROWS: usize = 4_000;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![products::endpoint(), customers::endpoint(), orders::endpoint()]
}

/// A kind of resource that is exported.
trait Exported: Send + 'static {
    /// What is exported, and of which kind.
    type Resource: 'static;

    /// The name of the file.
    const FILE: &'static str;

    /// The columns of the table.
    fn columns() -> Vec<&'static str>;

    /// A page of the resources: the newest first, or the oldest. Where they have very many rows, only the first of them.
    fn read(
        &mut self,
        call: &Call,
        page: PageRequest,
        ascending: bool,
    ) -> impl Future<Output = Result<Page<Self::Resource>, ApiError>>;

    /// The next of those that are left of the page that was read last; none at its end.
    fn read_left(
        &mut self,
        _: &Call,
    ) -> impl Future<Output = Result<Vec<Self::Resource>, ApiError>> {
        ready(Ok(Vec::new()))
    }

    /// The number of its identifier, which grows with the moment that it was made.
    fn number(resource: &Self::Resource) -> u128;

    /// How many rows it has.
    fn rows(resource: &Self::Resource) -> usize;

    /// One of its rows, counted from 0: a value for each column.
    fn row<'r>(&self, resource: &'r Self::Resource, place: usize) -> Vec<Value<'r>>;
}

/// Asks for `format`.
fn format(fields: &mut Fields<'_>) -> Format {
    let format = one_of(Format::EVERY, Format::name).about(
        "`csv`, the default, is for spreadsheets: text that they would take for a formula has an apostrophe in front. \
         `jsonl` has one object a line.",
    );
    fields.change("format", format).unwrap_or_default()
}

/// What is still to be sent.
struct Rest<E: Exported> {
    call: Call,
    wanted: E,
    format: Format,
    columns: Vec<&'static str>,
    /// The last one that there was at the start.
    last: u128,
    /// What is read next.
    page: Option<PageRequest>,
    /// What is read, the first of it as far as its next row.
    read: VecDeque<E::Resource>,
    row: usize,
    heading: Option<Vec<u8>>,
    _turn: Turn,
}

/// Sends everything that is wanted, once the account has its turn at a file.
async fn export<E: Exported>(call: Call, wanted: E, format: Format) -> Result<Answer, ApiError> {
    let turn = call.turn_at_file().await?;
    export_in(turn, call, wanted, format).await
}

/// Sends everything that is wanted in a turn.
async fn export_in<E: Exported>(
    turn: Turn,
    call: Call,
    mut wanted: E,
    format: Format,
) -> Result<Answer, ApiError> {
    let few = PageRequest { limit: FEW, count: Count::Nothing, ..PageRequest::default() };
    let newest = PageRequest { limit: 1, ..few.clone() };
    let newest = wanted.read(&call, newest, false).await?;
    let last = newest.items.first().map(E::number);
    let page = last.map(|_| few);
    let columns = E::columns();
    let heading = Some(format.heading(&columns));
    let name = format!("{}.{}", E::FILE, format.name());
    let last = last.unwrap_or(0);
    let (read, row) = (VecDeque::new(), 0);
    let rest = Rest { call, wanted, format, columns, last, page, read, row, heading, _turn: turn };
    let pieces = stream::unfold(rest, |mut rest| async move {
        let piece = rest.next().await.transpose()?;
        Some((piece.map(Bytes::from), rest))
    });
    Answer::streamed(format.media_type(), pieces).named(&name)
}

impl<E: Exported> Rest<E> {
    /// The next rows; `None` at the end.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, ApiError> {
        let mut piece = self.heading.take().unwrap_or_default();
        while self.add_rows(&mut piece)? {
            if !self.read_more().await? {
                break;
            }
        }
        Ok(Some(piece).filter(|piece| !piece.is_empty()))
    }

    /// Adds rows of what is read until they are enough for a piece; whether there are none left.
    fn add_rows(&mut self, piece: &mut Vec<u8>) -> Result<bool, ApiError> {
        while let Some(resource) = self.read.front() {
            while self.row < E::rows(resource) {
                if piece.len() >= pieces::BYTES {
                    return Ok(false);
                }
                let values = self.wanted.row(resource, self.row);
                self.format.row(piece, &self.columns, &values)?;
                self.row += 1;
            }
            self.read.pop_front();
            self.row = 0;
        }
        Ok(true)
    }

    /// Reads what is left of a page, or else the next one, in the account's turn at work; whether there is anything.
    async fn read_more(&mut self) -> Result<bool, ApiError> {
        let turn = self.call.turn_at_work().await;
        let mut read = self.wanted.read_left(&self.call).await?;
        if read.is_empty() {
            let Some(page) = self.page.take() else { return Ok(false) };
            let Page { items, next, .. } = self.wanted.read(&self.call, page.clone(), true).await?;
            let limit = limit_behind(items.len(), items.iter().map(E::rows).sum());
            self.page = next.map(|cursor| PageRequest { cursor: Some(cursor), limit, ..page });
            read = items;
        }
        drop(turn);
        self.take(read);
        Ok(true)
    }

    /// Takes what was read, as far as there was something at the start.
    fn take(&mut self, resources: Vec<E::Resource>) {
        if resources.iter().any(|resource| E::number(resource) >= self.last) {
            self.page = None;
        }
        self.read.extend(resources.into_iter().filter(|one| E::number(one) <= self.last));
    }
}

/// How many resources are read at once behind so many that have so many rows.
fn limit_behind(resources: usize, rows: usize) -> u32 {
    let as_many = ROWS * resources.max(1) / rows.max(1);
    u32::try_from(as_many).unwrap_or(MANY).clamp(FEW, MANY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_are_read_at_once_as_have_some_thousands_of_rows() {
        for (resources, rows, limit) in [
            (8, 8, MANY),
            (100, 200, MANY),
            (100, 4_000, MANY),
            (100, 10_000, 40),
            (8, 4_000, FEW),
            (20, 10_000, FEW),
            (100, 50_000, FEW),
            (0, 0, MANY),
        ] {
            assert_eq!(limit_behind(resources, rows), limit, "{resources} with {rows} rows");
        }
    }
}
