//! Rows about payments: orders paid in cash, beside placing the orders.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::benchmark::line::{Goal, Line};
use crate::benchmark::orders::OrderScript;
use crate::benchmark::rounds::Rounds;
use crate::benchmark::stage::{Measured, Stage};
use crate::http::{Request, Response};
use crate::load::Script;

const CONNECTIONS: [usize; 3] = [64, 16, 1];
/// How many times as many orders are ready as the rate before would pay.
const RESERVE: f64 = 1.5;

/// A number of its own for every script, so that no two runs share an idempotency key.
static SCRIPTS: AtomicU64 = AtomicU64::new(0);

/// Orders that wait to be paid.
type Unpaid = Arc<Mutex<Vec<String>>>;

/// Payments of whole orders at three numbers of connections. What they are measured beside is placing orders at as many
/// connections in alternation; those orders are what is paid.
pub(crate) fn rates(stage: &Stage<'_>) -> anyhow::Result<Vec<Line>> {
    let unpaid = Unpaid::default();
    let mut lines = Vec::new();
    for connections in CONNECTIONS {
        let mut paid_before = 0.0;
        let pay = || {
            // More are paid in one run than are placed in another only if paying is the quicker.
            while count(&unpaid) == 0 || (count(&unpaid) as f64) < paid_before * RESERVE {
                place(stage, &unpaid, connections.max(16))?;
            }
            let paid = stage.closed(connections, |_| PayScript::new(stage, &unpaid))?;
            paid_before = paid.tally.answers as f64;
            Ok(paid)
        };
        let order = || Ok(place(stage, &unpaid, connections)?.tally.rate());
        let rounds = Rounds::alternate(&stage.bench.plan, pay, order)?;
        let what =
            format!("POST payment of an order in cash over POST order, {connections} connections");
        let goal = (connections == 64).then_some(Goal::AtLeast(0.5));
        lines.push(rounds.rate_line(stage, what, goal)?);
    }
    Ok(lines)
}

fn count(unpaid: &Unpaid) -> usize {
    unpaid.lock().unwrap_or_else(PoisonError::into_inner).len()
}

fn place(stage: &Stage<'_>, unpaid: &Unpaid, connections: usize) -> anyhow::Result<Measured> {
    stage.closed(connections, |_| PlaceScript {
        order: OrderScript::new(&stage.shop),
        unpaid: Arc::clone(unpaid),
    })
}

/// Places orders and remembers them.
struct PlaceScript {
    order: OrderScript,
    unpaid: Unpaid,
}

impl Script for PlaceScript {
    fn write(&mut self, bytes: &mut Vec<u8>) {
        self.order.write(bytes);
    }

    fn check(&mut self, response: &Response<'_>) -> Result<(), String> {
        self.order.check(response)?;
        let body = String::from_utf8_lossy(response.body);
        let id = body.split_once(r#""id":""#).and_then(|(_, rest)| rest.split_once('"'));
        let Some((id, _)) = id.filter(|(id, _)| id.starts_with("ord_")) else {
            return Err(format!("an order without an identifier: {body}"));
        };
        self.unpaid.lock().unwrap_or_else(PoisonError::into_inner).push(id.to_owned());
        Ok(())
    }
}

/// Pays one order after the other, each payment with a key of its own.
struct PayScript {
    api_key: String,
    unpaid: Unpaid,
    script: u64,
    payments: u64,
}

impl PayScript {
    fn new(stage: &Stage<'_>, unpaid: &Unpaid) -> Self {
        let script = SCRIPTS.fetch_add(1, Ordering::Relaxed);
        let api_key = stage.shop.api_key.clone();
        Self { api_key, unpaid: Arc::clone(unpaid), script, payments: 0 }
    }
}

impl Script for PayScript {
    fn write(&mut self, bytes: &mut Vec<u8>) {
        let order = self.unpaid.lock().unwrap_or_else(PoisonError::into_inner).pop();
        self.payments += 1;
        let key = format!("pay-{}-{}", self.script, self.payments);
        // When they have run out, the answer is no payment, which is told.
        let body = format!(r#"{{"orderId":"{}","method":"cash"}}"#, order.unwrap_or_default());
        let mut request = Request::with_body("POST", "/api/v1/payments", &self.api_key, &body);
        request.idempotency_key = Some(&key);
        request.render_into(bytes);
    }

    fn check(&mut self, response: &Response<'_>) -> Result<(), String> {
        let body = String::from_utf8_lossy(response.body);
        let is_paid = response.status == 201 && body.contains(r#""status":"paid""#);
        if is_paid { Ok(()) } else { Err(format!("not paid: {} {body}", response.status)) }
    }
}
