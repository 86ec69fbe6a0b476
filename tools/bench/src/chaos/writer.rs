//! A customer who places, repeats and cancels orders until the server dies.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time;

use crate::chaos::book::Book;
use crate::chaos::verdict::Invariant;
use crate::http::{Lost, Request};
use crate::random::SplitMix64;
use crate::service::{Answer, ApiClient};

/// Before the next try when the server cannot be reached though nobody killed it.
const RECONNECT_PAUSE: Duration = Duration::from_millis(5);

/// The book, shared by all writers of one thread; never locked across a wait.
pub(crate) type SharedBook = Arc<Mutex<Book>>;

pub(crate) fn open(book: &SharedBook) -> MutexGuard<'_, Book> {
    book.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One writer with a connection, and a second one for doing a thing twice at once.
pub(crate) struct Writer {
    pub(crate) client: ApiClient,
    pub(crate) twin: ApiClient,
    pub(crate) book: SharedBook,
    pub(crate) random: SplitMix64,
    /// After each thing done.
    pub(crate) pause: Duration,
    pub(crate) server_killed: Arc<AtomicBool>,
}

impl Writer {
    /// Works until the server is killed.
    pub(crate) async fn work(mut self) {
        while !self.server_killed.load(Ordering::Relaxed) {
            match self.random.below(100) {
                0..=54 => self.place().await,
                55..=64 => self.place_twice_at_once().await,
                65..=74 => self.place_and_repeat().await,
                75..=79 => self.repeat_an_old_one().await,
                80..=91 => self.cancel().await,
                92..=94 => self.cancel_twice_at_once().await,
                _ => self.read_stock().await,
            }
            if !self.pause.is_zero() {
                time::sleep(self.pause).await;
            }
        }
    }

    async fn place(&mut self) {
        let ask = open(&self.book).ask(&mut self.random);
        self.send_order(ask).await;
    }

    async fn place_and_repeat(&mut self) {
        let ask = open(&self.book).ask(&mut self.random);
        self.send_order(ask).await;
        self.send_order(ask).await;
    }

    async fn repeat_an_old_one(&mut self) {
        let asked = open(&self.book).asks.len();
        if asked > 0 {
            let ask = self.random.below(asked);
            self.send_order(ask).await;
        }
    }

    async fn place_twice_at_once(&mut self) {
        let (ask, request) = {
            let mut book = open(&self.book);
            let ask = book.ask(&mut self.random);
            (ask, book.order_request(ask))
        };
        let (one, other) =
            tokio::join!(self.client.exchange(&request), self.twin.exchange(&request));
        self.order_came(ask, one, false).await;
        self.order_came(ask, other, false).await;
    }

    async fn send_order(&mut self, ask: usize) {
        let (request, repeated) = {
            let book = open(&self.book);
            (book.order_request(ask), book.is_placed(ask))
        };
        let came = self.client.exchange(&request).await;
        self.order_came(ask, came, repeated).await;
    }

    async fn order_came(&mut self, ask: usize, came: Result<Answer, Lost>, repeated: bool) {
        match came {
            Ok(answer) => open(&self.book).order_answered(ask, &answer, repeated),
            Err(_) => {
                open(&self.book).order_lost(ask);
                time::sleep(RECONNECT_PAUSE).await;
            }
        }
    }

    async fn cancel(&mut self) {
        let Some((order, request)) = self.pick_cancel() else { return };
        let came = self.client.exchange(&request).await;
        self.cancel_came(order, came, false).await;
    }

    async fn cancel_twice_at_once(&mut self) {
        let Some((order, request)) = self.pick_cancel() else { return };
        let (one, other) =
            tokio::join!(self.client.exchange(&request), self.twin.exchange(&request));
        self.cancel_came(order, one, true).await;
        self.cancel_came(order, other, true).await;
    }

    fn pick_cancel(&mut self) -> Option<(usize, Vec<u8>)> {
        let mut book = open(&self.book);
        let order = book.pick_cancel(&mut self.random)?;
        Some((order, book.cancel_request(order)))
    }

    async fn cancel_came(&mut self, order: usize, came: Result<Answer, Lost>, twice: bool) {
        match came {
            Ok(answer) => open(&self.book).cancel_answered(order, &answer, twice),
            Err(_) => {
                open(&self.book).cancel_lost(order);
                time::sleep(RECONNECT_PAUSE).await;
            }
        }
    }

    /// Stock must not be negative at any moment, not only when all is quiet.
    async fn read_stock(&mut self) {
        let request = {
            let book = open(&self.book);
            let product = book.products.get(self.random.below(book.products.len()));
            let path = format!("/api/v1/products/{}", product.map_or("", |product| &product.id));
            Request::get(&path, Some(&book.api_key)).render()
        };
        match self.client.exchange(&request).await {
            Ok(answer) if answer.status == 200 => {
                let stock = answer.json().get("inventory").and_then(serde_json::Value::as_i64);
                let held = stock.is_some_and(|stock| stock >= 0);
                let mut book = open(&self.book);
                book.verdict.check(Invariant::StockIsNotNegative, held, || answer.excerpt());
            }
            Ok(answer) => {
                let mut book = open(&self.book);
                let expected = answer.status == 503;
                book.verdict.check(Invariant::ExpectedAnswer, expected, || answer.excerpt());
            }
            Err(_) => time::sleep(RECONNECT_PAUSE).await,
        }
    }
}
