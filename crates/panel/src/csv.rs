//! Lists as tables for spreadsheets, sent as they are read.

use std::{
    borrow::Cow,
    collections::HashSet,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use actix_web::web::{Bytes, Data};
use cfdi::catalogs::zones::Zone;
use futures_util::stream;
use kernel::{
    AccountId, Amount, Currency, Fault, Measure, Page, PageRequest, Pending, Timestamp,
    page::{Count, LIMIT_MAX},
    spreadsheet::guarded,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    Panel, Services,
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    format::plain_money,
    list,
    reply::answered,
    texts::Say,
};

/// Lets spreadsheets know that a file is UTF-8.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";
/// So many lists are sent at once.
const EXPORTS_MAX: usize = 4;
/// Seconds until an export may be tried again where all turns are taken.
pub(crate) const RETRY_SECONDS: u64 = 10;

/// The turns at lists that are sent as tables: one for each account, some for all.
pub(crate) struct Exports {
    all: Arc<Semaphore>,
    under_way: Mutex<HashSet<AccountId>>,
}

/// A turn, for as long as it is held.
pub(crate) struct Turn {
    exports: Arc<Exports>,
    account: AccountId,
    _of_all: OwnedSemaphorePermit,
}

impl Exports {
    /// With nothing under way.
    pub(crate) fn new() -> Arc<Self> {
        let all = Arc::new(Semaphore::new(EXPORTS_MAX));
        Arc::new(Self { all, under_way: Mutex::default() })
    }

    /// A turn of an account, if there is one.
    pub(crate) fn take(self: &Arc<Self>, account: AccountId) -> Option<Turn> {
        let of_all = Arc::clone(&self.all).try_acquire_owned().ok()?;
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = under_way.insert(account);
        is_first.then(|| Turn { exports: Arc::clone(self), account, _of_all: of_all })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut under_way = self.exports.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = under_way.remove(&self.account);
    }
}

/// A page under way.
pub(crate) type Reading<R> = Pin<Box<dyn Future<Output = Result<Page<R>, Failure>>>>;
type Read<R> = Box<dyn Fn(&Services, AccountId, PageRequest) -> Reading<R>>;
type Cell<R> = Box<dyn Fn(&R) -> Content>;

/// What stands in a cell.
enum Content {
    Text(String),
    /// One that spreadsheets add up: marked as text it would be left out of their sums.
    Number(String),
}

impl Content {
    /// As it is written: no text is a formula.
    fn written(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => guarded(text),
            Self::Number(number) => Cow::Borrowed(number.as_str()),
        }
    }
}

/// A number that is no money.
pub(crate) trait Figure: ToString {}

impl Figure for i64 {}
impl Figure for Measure {}

/// What stands above a column.
enum Head {
    Words(String),
    /// Of moments, the clocks of which zone they are on.
    Clocks(String, Zone),
}

impl Head {
    fn told(&self, say: Say) -> String {
        match self {
            Self::Words(words) => words.clone(),
            Self::Clocks(words, zone) => format!("{words} ({})", zone_name(say, *zone)),
        }
    }
}

/// What people call a zone; in Spanish as SAT does.
const fn zone_name(say: Say, zone: Zone) -> &'static str {
    match zone {
        Zone::Central => say.zone_central(),
        Zone::CentralBorder => say.zone_central_border(),
        Zone::Pacific => say.zone_pacific(),
        Zone::Northwest => say.zone_northwest(),
        Zone::Southeast => say.zone_southeast(),
    }
}

/// What stands above the identifiers of something that rows name.
pub(crate) fn id_of(what: &str) -> String {
    format!("{what} (ID)")
}

/// A list that is sent as a table: how a page of it is read, and its columns, each with what stands above it.
pub(crate) struct Table<R> {
    read: Read<R>,
    heading: Vec<Head>,
    cells: Vec<Cell<R>>,
}

impl<R: 'static> Table<R> {
    /// Of a list that a service reads.
    pub(crate) fn new(
        read: impl Fn(&Services, AccountId, PageRequest) -> Pending<Result<Page<R>, Fault>> + 'static,
    ) -> Self {
        Self::reading(move |services, account, page| {
            Box::pin(answered(read(services, account, page)))
        })
    }

    /// Of a list that is read in another way.
    pub(crate) fn reading(
        read: impl Fn(&Services, AccountId, PageRequest) -> Reading<R> + 'static,
    ) -> Self {
        Self { read: Box::new(read), heading: Vec::new(), cells: Vec::new() }
    }

    /// With a column.
    pub(crate) fn column(
        self,
        head: impl Into<String>,
        cell: impl Fn(&R) -> String + 'static,
    ) -> Self {
        self.under(Head::Words(head.into()), move |row| Content::Text(cell(row)))
    }

    /// With a column of numbers that are no money.
    pub(crate) fn number<T: Figure + 'static>(
        self,
        head: impl Into<String>,
        figure: impl Fn(&R) -> T + 'static,
    ) -> Self {
        let number = move |row: &R| Content::Number(figure(row).to_string());
        self.under(Head::Words(head.into()), number)
    }

    /// With a column of amounts of money, each with the decimals of its currency.
    pub(crate) fn money<T: Into<Option<Amount>> + 'static>(
        self,
        head: impl Into<String>,
        currency: impl Fn(&R) -> Currency + 'static,
        amount: impl Fn(&R) -> T + 'static,
    ) -> Self {
        let number = move |row: &R| {
            let amount: Option<Amount> = amount(row).into();
            let told = amount.map(|amount| plain_money(amount, currency(row)));
            Content::Number(told.unwrap_or_default())
        };
        self.under(Head::Words(head.into()), number)
    }

    fn under(mut self, head: Head, cell: impl Fn(&R) -> Content + 'static) -> Self {
        self.heading.push(head);
        self.cells.push(Box::new(cell));
        self
    }

    /// With a column of what there may be.
    pub(crate) fn optional<T: ToString + 'static>(
        self,
        head: impl Into<String>,
        cell: impl Fn(&R) -> Option<T> + 'static,
    ) -> Self {
        self.column(head, move |row| cell(row).map(|value| value.to_string()).unwrap_or_default())
    }

    /// With a column of moments on the clocks of a zone, which its head names.
    pub(crate) fn moment<T: Into<Option<Timestamp>> + 'static>(
        self,
        head: &str,
        zone: Zone,
        at: impl Fn(&R) -> T + 'static,
    ) -> Self {
        let told = move |row: &R| {
            let at: Option<Timestamp> = at(row).into();
            Content::Text(at.map(|at| local(at, zone)).unwrap_or_default())
        };
        self.under(Head::Clocks(head.to_owned(), zone), told)
    }
}

/// What is still to be sent.
struct Rest<R> {
    panel: Data<Panel>,
    account: AccountId,
    table: Table<R>,
    heading: Option<String>,
    /// What is read next.
    page: Option<PageRequest>,
    /// By which the log calls the request.
    request_id: String,
    /// When the piece before was handed over.
    handed_at: Instant,
    _turn: Turn,
}

/// Sends a table under this name, unless something that narrows its list could not be read. A page is read when the one before
/// has been taken, so little is held while a slow client takes its time; a failure breaks the file off, so that nobody takes a
/// part for the whole, and so does whoever takes too long over a piece, for the turns of others.
pub(crate) fn sent<R: 'static>(
    call: &Call<Member>,
    name: &str,
    table: Table<R>,
) -> Result<Answer, Failure> {
    list::all_read(&call.query)?;
    let turn = call.panel.exports.take(call.account());
    let turn = turn.ok_or(Failure::TooOften(RETRY_SECONDS))?;
    let patience = call.panel.settings.request_timeout;
    let first = PageRequest { limit: LIMIT_MAX, count: Count::Nothing, ..PageRequest::default() };
    let told = |head: &Head| Content::Text(head.told(call.say()));
    let heads: Vec<_> = table.heading.iter().map(told).collect();
    let heading = format!("{BYTE_ORDER_MARK}{}", line(&heads));
    let rest = Rest {
        panel: call.panel.clone(),
        account: call.account(),
        table,
        heading: Some(heading),
        page: Some(first),
        request_id: call.request_id().to_owned(),
        handed_at: Instant::now(),
        _turn: turn,
    };
    let pieces = stream::unfold(rest, move |mut rest| async move {
        if let Some(heading) = rest.heading.take() {
            return Some((Ok(Bytes::from(heading)), rest));
        }
        let page = rest.page.take()?;
        let piece = rest.next(page, patience).await;
        rest.handed_at = Instant::now();
        Some((piece, rest))
    });
    Ok(Answer::file_in_pieces("text/csv; charset=utf-8", name, pieces))
}

impl<R: 'static> Rest<R> {
    /// The next piece, where the one before was taken in time; nothing follows what is broken off.
    async fn next(&mut self, asked: PageRequest, patience: Duration) -> Result<Bytes, BrokenOff> {
        if self.handed_at.elapsed() > patience {
            let request_id = self.request_id.as_str();
            tracing::info!(request_id, "a table is not taken in time");
            return Err(BrokenOff);
        }
        self.read(asked).await
    }

    async fn read(&mut self, asked: PageRequest) -> Result<Bytes, BrokenOff> {
        let reading = (self.table.read)(&self.panel.services, self.account, asked.clone());
        let page = reading.await.map_err(|failure| {
            failure.log(&self.request_id);
            BrokenOff
        })?;
        let cells = |row: &R| self.table.cells.iter().map(|cell| cell(row)).collect::<Vec<_>>();
        let lines = page.items.iter().map(|row| line(&cells(row)));
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

/// A line of cells: RFC 4180, with an apostrophe before text that a spreadsheet would take for a formula.
fn line(cells: &[Content]) -> String {
    line_as_is(',', cells.iter().map(Content::written))
}

/// The same of cells that stand there as they are, separated so.
pub(crate) fn line_as_is<'a>(separator: char, cells: impl Iterator<Item = Cow<'a, str>>) -> String {
    let cell = |text: Cow<'a, str>| match text.contains([',', ';', '\t', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.into_owned(),
    };
    let cells: Vec<_> = cells.map(cell).collect();
    format!("{}\r\n", cells.join(separator.to_string().as_str()))
}

/// A moment on the clocks of a zone, as spreadsheets read it.
pub(crate) fn local(at: Timestamp, zone: Zone) -> String {
    let at = zone.local(at);
    let (year, month, day) = (at.year(), u8::from(at.month()), at.day());
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", at.hour(), at.minute(), at.second())
}

#[cfg(test)]
mod tests {
    use kernel::Language;

    use super::*;

    #[test]
    fn cells_are_quoted_and_no_formula() {
        let cells = ["a", "b,c", "d\"e", "=1+1", "-6", "x\ny", ""];
        let cells = cells.map(|text| Content::Text(text.to_owned()));
        assert_eq!(line(&cells), "a,\"b,c\",\"d\"\"e\",'=1+1,'-6,\"x\ny\",\r\n");
    }

    #[test]
    fn numbers_are_no_text() {
        let pesos = |_: &i64| Currency::parse("MXN").unwrap();
        let cents = |row: &i64| Amount::from_micros(row * 10_000);
        let table = Table::<i64>::reading(|_, _, _| {
            Box::pin(async { Err::<Page<i64>, _>(Failure::Nothing) })
        });
        let table = table
            .number("a", |row| *row)
            .number("b", |row| Measure::from_thousandths(*row))
            .money("c", pesos, cents)
            .money("d", pesos, |_| None::<Amount>);
        let written =
            |row: i64| line(&table.cells.iter().map(|cell| cell(&row)).collect::<Vec<_>>());
        assert_eq!(written(-6), "-6,-0.006,-0.06,\r\n");
        assert_eq!(written(123_450), "123450,123.45,1234.50,\r\n");
    }

    #[test]
    fn heads_are_in_one_language() {
        let head = |say: Say| Head::Clocks(say.date().to_owned(), Zone::Central).told(say);
        assert_eq!(head(Say(Language::English)), "Date (Central Time)");
        for zone in
            [Zone::Central, Zone::CentralBorder, Zone::Pacific, Zone::Northwest, Zone::Southeast]
        {
            assert_eq!(zone_name(Say(Language::Spanish), zone), zone.name());
        }
    }

    #[test]
    fn an_account_has_one_turn() {
        let (exports, account) = (Exports::new(), AccountId::from_u128);
        let first = exports.take(account(1));
        assert!(first.is_some() && exports.take(account(1)).is_none());
        let others: Vec<_> = (2..=4).map(|number| exports.take(account(number))).collect();
        assert!(others.iter().all(Option::is_some) && exports.take(account(5)).is_none());
        drop(first);
        assert!(exports.take(account(1)).is_some());
    }

    #[test]
    fn moments_are_local() {
        let at = Timestamp::parse("2026-11-22T19:05:59Z").unwrap();
        assert_eq!(local(at, Zone::Central), "2026-11-22 13:05:59");
    }
}
