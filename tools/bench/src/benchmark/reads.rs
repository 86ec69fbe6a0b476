//! Rows about reading: one product, a page of products.

use std::sync::Arc;

use serde_json::Value;

use crate::benchmark::Bench;
use crate::benchmark::line::{Goal, Line};
use crate::benchmark::rounds::Rounds;
use crate::benchmark::shop::Shop;
use crate::benchmark::stage::{Measured, Stage};
use crate::benchmark::table::grouped;
use crate::database::Database;
use crate::http::{Request, Response};
use crate::limits::static_answer::StaticScript;
use crate::load::{Load, Script, Tally, closed};
use crate::process_usage::processor_time;
use crate::random::SplitMix64;
use crate::statistics::float;

const CONNECTIONS: usize = 64;
const PAGE: usize = 20;
/// Reading a whole page as JSON would cost the generator more than the server spends on it, so
/// most pages are only searched for their total.
const PAGES_PER_FULL_CHECK: u64 = 50;

/// GET of a random product.
pub(crate) fn get(stage: &Stage<'_>) -> anyhow::Result<Line> {
    let products = ProductReads::of(&stage.shop);
    let goal = goal(stage, 0.5, 0.4);
    let rounds =
        Rounds::alternate(&stage.bench.plan, || products.measure(stage), || static_rate(stage))?;
    rounds.rate_line(stage, "GET one product, 64 connections".to_owned(), Some(goal))
}

/// GET of the first page with the total.
pub(crate) fn page(stage: &Stage<'_>) -> anyhow::Result<Line> {
    let total = stage.shop.product_ids.len();
    let goal = goal(stage, 0.2, 0.12);
    let rounds = Rounds::alternate(
        &stage.bench.plan,
        || first_page(stage, &stage.shop.api_key, total),
        || static_rate(stage),
    )?;
    let what = format!("page of {PAGE} of {total} with total, 64 connections");
    rounds.rate_line(stage, what, Some(goal))
}

/// The first page of an account with so many products, read in a closed loop.
pub(super) fn first_page(
    stage: &Stage<'_>,
    api_key: &str,
    total: usize,
) -> anyhow::Result<Measured> {
    let path = format!("/api/v1/products?limit={PAGE}");
    let request: Arc<[u8]> = Request::get(&path, Some(api_key)).render().into();
    stage.closed(CONNECTIONS, |_| PageScript::new(Arc::clone(&request), total))
}

const fn goal(stage: &Stage<'_>, sqlite: f64, postgres: f64) -> Goal {
    match stage.database {
        Database::Sqlite { .. } => Goal::AtLeast(sqlite),
        Database::Postgres { .. } => Goal::AtLeast(postgres),
    }
}

/// What the generator gets out of the static server.
fn static_rate(stage: &Stage<'_>) -> anyhow::Result<f64> {
    Ok(static_run(stage.bench)?.rate())
}

/// What the generator itself is capable of, in a sentence.
pub(crate) fn generator_note(bench: &Bench<'_>) -> anyhow::Result<String> {
    static_run(bench)?;
    let before = processor_time(std::process::id())?;
    let tally = static_run(bench)?;
    let used = processor_time(std::process::id())?.saturating_sub(before).as_secs_f64();
    let micros = used * 1e6 / float(tally.answers.max(1));
    let rate = grouped(tally.rate());
    let busy = 100.0 * used / tally.elapsed.as_secs_f64();
    Ok(format!(
        "The load generator gets {rate}/s out of the static server, at {micros:.1} µs of its own \
         for each and {busy:.0} % of one core"
    ))
}

fn static_run(bench: &Bench<'_>) -> anyhow::Result<Tally> {
    let address = bench.static_server.address();
    let load = Load { address, connections: CONNECTIONS, duration: bench.plan.duration() };
    let tally = bench.runtime.block_on(closed::run(load, |_| StaticScript))?;
    anyhow::ensure!(tally.errors == 0, "the static server failed: {:?}", tally.faults);
    Ok(tally)
}

/// Reading the products of a shop: their identifiers, each with its request.
pub(crate) struct ProductReads(Arc<[(String, Vec<u8>)]>);

impl ProductReads {
    pub(crate) fn of(shop: &Shop) -> Self {
        let reads = shop.product_ids.iter().map(|id| {
            let path = format!("/api/v1/products/{id}");
            (id.clone(), Request::get(&path, Some(&shop.api_key)).render())
        });
        Self(reads.collect())
    }

    /// Random products, read in a closed loop.
    pub(crate) fn measure(&self, stage: &Stage<'_>) -> anyhow::Result<Measured> {
        stage.closed(CONNECTIONS, |number| ProductScript {
            products: Arc::clone(&self.0),
            random: SplitMix64::new(number as u64),
            asked: 0,
        })
    }
}

struct ProductScript {
    products: Arc<[(String, Vec<u8>)]>,
    random: SplitMix64,
    asked: usize,
}

impl Script for ProductScript {
    fn write(&mut self, bytes: &mut Vec<u8>) {
        self.asked = self.random.below(self.products.len());
        if let Some((_, request)) = self.products.get(self.asked) {
            bytes.extend_from_slice(request);
        }
    }

    fn check(&mut self, response: &Response<'_>) -> Result<(), String> {
        let body = body_of(response)?;
        let id = self.products.get(self.asked).map_or("", |(id, _)| id);
        let whole = body.starts_with('{') && body.ends_with('}') && body.contains("\"sku\":");
        if whole && body.contains(id) { Ok(()) } else { Err(format!("not product {id}: {body}")) }
    }
}

struct PageScript {
    request: Arc<[u8]>,
    total: usize,
    /// How the total stands in the envelope.
    total_field: String,
    answers: u64,
}

impl PageScript {
    fn new(request: Arc<[u8]>, total: usize) -> Self {
        Self { request, total, total_field: format!("\"total\":{total}"), answers: 0 }
    }
}

impl Script for PageScript {
    fn write(&mut self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.request);
    }

    fn check(&mut self, response: &Response<'_>) -> Result<(), String> {
        let body = body_of(response)?;
        if !body.starts_with('{') || !body.ends_with('}') || !body.contains(&self.total_field) {
            return Err(format!("not a page with {}", self.total_field));
        }
        self.answers += 1;
        if self.answers % PAGES_PER_FULL_CHECK != 1 {
            return Ok(());
        }
        let page: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
        let items = page.get("data").and_then(Value::as_array).map_or(0, Vec::len);
        let total = page.get("total").and_then(Value::as_u64);
        let right = items == PAGE && total == Some(self.total as u64);
        if right { Ok(()) } else { Err(format!("a page of {items} with total {total:?}")) }
    }
}

fn body_of<'a>(response: &Response<'a>) -> Result<&'a str, String> {
    let body = std::str::from_utf8(response.body).map_err(|error| error.to_string())?;
    match response.status {
        200 => Ok(body),
        status => Err(format!("status {status}: {body}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &mut PageScript, body: &str) -> Result<(), String> {
        script.check(&Response { status: 200, replayed: false, body: body.as_bytes() })
    }

    #[test]
    fn a_page_must_be_whole() {
        let mut script = PageScript::new(Arc::new([]), 21);
        let items = vec!["{}"; PAGE].join(",");
        let page = format!(r#"{{"data":[{items}],"total":21,"page":1,"limit":20}}"#);
        assert_eq!(check(&mut script, &page), Ok(()));
        script.answers = 0;
        assert!(check(&mut script, r#"{"data":[{}],"total":21,"page":1,"limit":20}"#).is_err());
        assert!(check(&mut script, r#"{"data":[],"total":20}"#).is_err());
    }
}
