//! Placing orders while noting when each was answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::benchmark::orders::OrderScript;
use crate::benchmark::webhooks::venue::Subscriber;
use crate::http::Response;
use crate::load::Script;
use crate::receiver::ids;
use crate::wall_clock::unix_micros;

/// An order that was acknowledged.
#[derive(Clone, Debug)]
pub(crate) struct Answered {
    pub(crate) order_id: String,
    pub(crate) unix_micros: u64,
    /// Where it must arrive.
    pub(crate) paths: Arc<[Box<str>]>,
}

/// What the connections of one measurement have sent and been told.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// When the first request was written.
    pub(crate) began_micros: Option<u64>,
    pub(crate) answered: Vec<Answered>,
}

/// Shared by the connections of one thread; never locked across a wait.
pub(crate) type SharedLog = Arc<Mutex<Log>>;

pub(crate) fn open(log: &SharedLog) -> MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The orders of one connection.
pub(crate) struct LoggedOrders {
    orders: OrderScript,
    paths: Arc<[Box<str>]>,
    log: SharedLog,
}

impl LoggedOrders {
    pub(crate) fn new(subscriber: &Subscriber, log: &SharedLog) -> Self {
        let paths = Arc::clone(&subscriber.paths);
        Self { orders: OrderScript::new(&subscriber.shop), paths, log: Arc::clone(log) }
    }
}

impl Script for LoggedOrders {
    fn write(&mut self, bytes: &mut Vec<u8>) {
        self.orders.write(bytes);
        open(&self.log).began_micros.get_or_insert_with(unix_micros);
    }

    fn check(&mut self, response: &Response<'_>) -> Result<(), String> {
        let unix_micros = unix_micros();
        self.orders.check(response)?;
        let order_id = ids::order_id(response.body).ok_or("an order without an id")?.to_owned();
        let paths = Arc::clone(&self.paths);
        open(&self.log).answered.push(Answered { order_id, unix_micros, paths });
        Ok(())
    }
}
