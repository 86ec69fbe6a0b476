//! `/products/export`, `/customers/export`, `/orders/export`: everything of a kind as one table, sent as it is read.
//!
//! A few hundred rows are read at a time, each in a query of its own: no transaction is open while a slow client takes
//! its time. What is made after the request is left out, so that an export ends.

mod customers;
mod orders;
mod products;

use actix_web::web::Bytes;
use futures_util::stream;
use imports::Value;
use intake::{Check, Fields, checks::one_of};
use kernel::{Fault, Page, PageRequest, Pending};

use crate::{
    answer::Answer,
    call::Call,
    endpoint::Endpoint,
    error::ApiError,
    reply::answered,
    table::{CSV_TYPE, Format, JSON_LINES_TYPE},
};

/// What an export may be sent as.
const MEDIA_TYPES: &[&str] = &[CSV_TYPE, JSON_LINES_TYPE];
/// Resources that are read at once.
const ROWS: u32 = 500;

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

    /// Calls `row` with each of its rows.
    fn rows(
        &self,
        resource: &Self::Resource,
        row: &mut dyn FnMut(&[Value<'_>]) -> Result<(), ApiError>,
    ) -> Result<(), ApiError>;
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
struct Rest<E> {
    call: Call,
    wanted: E,
    format: Format,
    /// The last one that there was at the start.
    last: u128,
    page: Option<PageRequest>,
    heading: Option<Vec<u8>>,
}

/// Sends everything that is wanted.
async fn export<E: Exported>(call: Call, wanted: E, format: Format) -> Result<Answer, ApiError> {
    let newest = PageRequest { limit: 1, ..PageRequest::default() };
    let newest = answered(wanted.read(&call, newest, false)).await?;
    let last = newest.items.first().map(E::number);
    let page = last.map(|_| PageRequest { limit: ROWS, ..PageRequest::default() });
    let heading = format.heading(&E::columns());
    let name = format!("{}.{}", E::FILE, format.name());
    let rest = Rest { call, wanted, format, last: last.unwrap_or(0), page, heading: Some(heading) };
    let pieces = stream::unfold(rest, |mut rest| async move {
        let piece = rest.next().await.transpose()?;
        Some((piece.map(Bytes::from), rest))
    });
    Answer::streamed(format.media_type(), pieces).named(&name)
}

impl<E: Exported> Rest<E> {
    /// The next rows; `None` at the end.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, ApiError> {
        if let Some(heading) = self.heading.take().filter(|heading| !heading.is_empty()) {
            return Ok(Some(heading));
        }
        // An empty piece would end the answer.
        while let Some(page) = self.page.take() {
            let rows = self.page_of(page).await?;
            if !rows.is_empty() {
                return Ok(Some(rows));
            }
        }
        Ok(None)
    }

    /// The rows of a page; the one behind it is the next.
    async fn page_of(&mut self, page: PageRequest) -> Result<Vec<u8>, ApiError> {
        let read = answered(self.wanted.read(&self.call, page.clone(), true)).await?;
        let is_over = read.items.iter().any(|resource| E::number(resource) >= self.last);
        let next = read.next.filter(|_| !is_over);
        self.page = next.map(|cursor| PageRequest { cursor: Some(cursor), ..page });
        let (columns, format) = (E::columns(), self.format);
        let mut out = Vec::new();
        for resource in &read.items {
            if E::number(resource) <= self.last {
                self.wanted.rows(resource, &mut |values| format.row(&mut out, &columns, values))?;
            }
        }
        Ok(out)
    }
}
