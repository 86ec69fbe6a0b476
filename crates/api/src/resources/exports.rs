//! `/products/export`, `/customers/export`, `/orders/export`: everything of a kind as one table, sent as it is read.
//!
//! A few resources are read at a time, by a query of their own, and sent in pieces of the same size however many rows they
//! have: no transaction is open and little is held while a slow client takes its time. What is made after the request is
//! left out, so that an export ends.

mod customers;
mod orders;
mod products;

use std::collections::VecDeque;

use actix_web::web::Bytes;
use futures_util::stream;
use imports::Value;
use intake::{Check, Fields, checks::one_of};
use kernel::{Fault, Page, PageRequest, Pending, page::Count};

use crate::{
    answer::Answer,
    call::Call,
    endpoint::Endpoint,
    error::ApiError,
    pieces,
    reply::answered,
    table::{CSV_TYPE, Format, JSON_LINES_TYPE},
    turns::Turn,
};

/// What an export may be sent as.
const MEDIA_TYPES: &[&str] = &[CSV_TYPE, JSON_LINES_TYPE];
/// Resources that are read at once, as long as they have few rows.
const MANY: u32 = 100;
/// Those that are read at once at first, and behind some that had many rows.
const FEW: u32 = 20;
/// More rows of what is read at once are many.
const ROWS_MANY: usize = 1_000;

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

    /// A page of the resources: the newest first, or the oldest.
    fn read(
        &self,
        call: &Call,
        page: PageRequest,
        ascending: bool,
    ) -> Pending<Result<Page<Self::Resource>, Fault>>;

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
    wanted: E,
    format: Format,
) -> Result<Answer, ApiError> {
    let few = PageRequest { limit: FEW, count: Count::Nothing, ..PageRequest::default() };
    let newest = PageRequest { limit: 1, ..few.clone() };
    let newest = answered(wanted.read(&call, newest, false)).await?;
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
            let Some(page) = self.page.take() else { break };
            self.read_page(page).await?;
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

    /// Reads a page; the one behind it is the next.
    async fn read_page(&mut self, page: PageRequest) -> Result<(), ApiError> {
        let read = answered(self.wanted.read(&self.call, page.clone(), true)).await?;
        let is_over = read.items.iter().any(|resource| E::number(resource) >= self.last);
        let next = read.next.filter(|_| !is_over);
        let rows: usize = read.items.iter().map(E::rows).sum();
        let limit = if rows > ROWS_MANY { FEW } else { MANY };
        self.page = next.map(|cursor| PageRequest { cursor: Some(cursor), limit, ..page });
        let items = read.items.into_iter();
        self.read.extend(items.filter(|resource| E::number(resource) <= self.last));
        Ok(())
    }
}
