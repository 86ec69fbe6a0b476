//! Whoever receives, moves, counts, ships and corrects until the server dies.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time;

use super::ask::{Ask, Goods, Kind};
use super::book::{Book, SharedBook, Thing, open};
use crate::http::Lost;
use crate::random::SplitMix64;
use crate::service::{Answer, ApiClient};

/// Before the next try when the server cannot be reached though nobody killed it.
const RECONNECT_PAUSE: Duration = Duration::from_millis(5);
/// Most of what is done is done to what is new.
const RECENT: usize = 40;
/// Costs of a unit, in pesos.
const COST_MAX: usize = 900;

/// One storekeeper with a connection, and a second one for doing a thing twice at once.
pub(super) struct Keeper {
    pub(super) client: ApiClient,
    pub(super) twin: ApiClient,
    pub(super) book: SharedBook,
    pub(super) random: SplitMix64,
    pub(super) server_killed: Arc<AtomicBool>,
}

impl Keeper {
    /// Works until the server is killed.
    pub(super) async fn work(mut self) {
        while !self.server_killed.load(Ordering::Relaxed) {
            let repeats = self.random.below(25) == 0;
            match (repeats, self.next_ask()) {
                (false, Some(ask)) => self.ask(ask).await,
                _ => self.repeat_an_old_one().await,
            }
        }
    }

    /// What to do next; nothing where that needs something that is not there yet.
    fn next_ask(&mut self) -> Option<Ask> {
        let shared = Arc::clone(&self.book);
        let book: &Book = &open(&shared);
        match self.random.below(100) {
            0..=17 => self.order(book),
            18..=29 => self.receipt(book),
            30..=32 => self.undo(book, Kind::Receipt, Kind::CancelReceipt),
            33..=42 => self.adjust(book),
            43..=49 => self.plan(book),
            50..=62 => self.act_on_a_transfer(book),
            63..=65 => Some(Ask::open_count(self.place(book)?)),
            66..=74 => self.scan(book),
            75..=78 => {
                let kind =
                    if self.random.below(4) > 0 { Kind::PostCount } else { Kind::CancelCount };
                Some(Ask::act(kind, &self.recent(book, Kind::OpenCount)?.id, Vec::new()))
            }
            79..=90 => self.act_on_an_order(book, Kind::Ship),
            91..=93 => self.undo(book, Kind::Ship, Kind::CancelShipment),
            94..=96 => self.act_on_an_order(book, Kind::Return),
            _ => self.act_on_an_order(book, Kind::Reallocate),
        }
    }

    fn order(&mut self, book: &Book) -> Option<Ask> {
        let lines = self.lines(book, 2, 4)?;
        Some(Ask::order(&book.customer, lines))
    }

    fn receipt(&mut self, book: &Book) -> Option<Ask> {
        let cost = Some(self.random.between(1, COST_MAX)).filter(|_| self.random.below(3) > 0);
        let lines = self.lines(book, 2, 8)?;
        Some(Ask::receipt(self.place(book)?, lines, cost))
    }

    fn adjust(&mut self, book: &Book) -> Option<Ask> {
        let goods = self.goods(book, 6)?;
        let sign = if self.random.below(2) == 0 { 1 } else { -1 };
        Some(Ask::adjust(self.place(book)?, &goods.with(sign * goods.quantity)))
    }

    fn plan(&mut self, book: &Book) -> Option<Ask> {
        let (from, to) = self.two_places(book)?;
        Some(Ask::plan(from, to, self.goods(book, 8)?))
    }

    /// Takes a thing back, with all that it has changed.
    fn undo(&mut self, book: &Book, made: Kind, kind: Kind) -> Option<Ask> {
        let Thing { id, lines } = self.recent(book, made)?;
        // What has come goes, and what has gone comes back.
        let sign = if made == Kind::Receipt { -1 } else { 1 };
        let moves = lines.iter().map(|goods| (goods.product.clone(), sign * goods.quantity));
        Some(Ask::act(kind, id, moves.collect()))
    }

    fn act_on_a_transfer(&mut self, book: &Book) -> Option<Ask> {
        let Thing { id, lines } = self.recent(book, Kind::Plan)?;
        match self.random.below(10) {
            0..=3 => Some(Ask::act(Kind::Dispatch, id, Vec::new())),
            4 => Some(Ask::act(Kind::CancelTransfer, id, Vec::new())),
            _ => {
                let goods = lines.first()?;
                let scale = if goods.is_weighed { 1_000 } else { 1 };
                let parts = [3, 1, 1, 1].map(|most| self.number(0, most * scale));
                Some(Ask::receive(id, goods, parts))
            }
        }
    }

    fn scan(&mut self, book: &Book) -> Option<Ask> {
        let ware = pick(&mut self.random, &book.wares)?;
        let quantity = self.number(1, 9 * ware.scale());
        let count = self.recent(book, Kind::OpenCount)?;
        Some(Ask::scan(&count.id, &ware.sku, ware.goods(quantity)))
    }

    fn act_on_an_order(&mut self, book: &Book, kind: Kind) -> Option<Ask> {
        let Thing { id, lines } = self.recent(book, Kind::Order)?;
        let index = self.random.below(lines.len());
        let ordered = lines.get(index)?;
        let goods = ordered.with(self.number(1, ordered.quantity));
        let line = index + 1;
        Some(match kind {
            Kind::Ship => Ask::ship(id, line, self.place(book)?, goods),
            Kind::Reallocate => Ask::reallocate(id, line, goods, self.two_places(book)?),
            _ => {
                let how = (self.random.below(2) == 0, self.random.below(3) > 0);
                Ask::give_back(id, line, &goods, how)
            }
        })
    }

    fn place<'a>(&mut self, book: &'a Book) -> Option<&'a str> {
        pick(&mut self.random, &book.places).map(String::as_str)
    }

    fn two_places<'a>(&mut self, book: &'a Book) -> Option<(&'a str, &'a str)> {
        let (one, other) = self.random.pair(book.places.len());
        Some((book.places.get(one)?, book.places.get(other)?))
    }

    /// So many units of a product at most.
    fn goods(&mut self, book: &Book, most: i64) -> Option<Goods> {
        let ware = pick(&mut self.random, &book.wares)?;
        Some(ware.goods(self.number(1, most * ware.scale())))
    }

    /// Some of different products.
    fn lines(&mut self, book: &Book, count: usize, most: i64) -> Option<Vec<Goods>> {
        let mut lines: Vec<Goods> = Vec::new();
        for _ in 0..self.random.between(1, count) {
            let line = self.goods(book, most)?;
            if lines.iter().all(|other| other.product != line.product) {
                lines.push(line);
            }
        }
        Some(lines)
    }

    /// One of the things of a kind, mostly of the last ones.
    fn recent<'a>(&mut self, book: &'a Book, kind: Kind) -> Option<&'a Thing> {
        let things = book.things.get(&kind)?;
        let (any, back) = (self.random.below(things.len()), self.random.below(RECENT));
        let place = match self.random.below(8) {
            0 => any,
            _ => things.len().saturating_sub(1 + back),
        };
        things.get(place)
    }

    /// A number from `low` to `high`, both included.
    fn number(&mut self, low: i64, high: i64) -> i64 {
        let more = usize::try_from(high - low).unwrap_or_default();
        low + i64::try_from(self.random.between(0, more)).unwrap_or_default()
    }

    async fn repeat_an_old_one(&mut self) {
        let asked = open(&self.book).asks.len();
        if asked > 0 {
            let ask = self.random.below(asked);
            self.send(ask).await;
        } else {
            time::sleep(RECONNECT_PAUSE).await;
        }
    }

    /// Asks for something: once, twice at once under its key, or again when it is answered.
    async fn ask(&mut self, ask: Ask) {
        let ask = open(&self.book).write(ask);
        match self.random.below(10) {
            0 => {
                let request = open(&self.book).request(ask);
                let twins =
                    tokio::join!(self.client.exchange(&request), self.twin.exchange(&request));
                self.came(ask, twins.0, false).await;
                self.came(ask, twins.1, false).await;
            }
            1 => {
                self.send(ask).await;
                self.send(ask).await;
            }
            _ => self.send(ask).await,
        }
    }

    async fn send(&mut self, ask: usize) {
        let (request, repeated) = {
            let book = open(&self.book);
            (book.request(ask), book.is_done(ask))
        };
        let came = self.client.exchange(&request).await;
        self.came(ask, came, repeated).await;
    }

    async fn came(&mut self, ask: usize, came: Result<Answer, Lost>, repeated: bool) {
        match came {
            Ok(answer) => open(&self.book).answered(ask, &answer, repeated),
            Err(_) => {
                open(&self.book).lost(ask);
                time::sleep(RECONNECT_PAUSE).await;
            }
        }
    }
}

fn pick<'a, T>(random: &mut SplitMix64, of: &'a [T]) -> Option<&'a T> {
    of.get(random.below(of.len()))
}
