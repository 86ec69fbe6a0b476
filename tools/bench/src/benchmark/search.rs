//! Rows about finding: searches and filters of lists of a million products and a million orders.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::benchmark::filled::{COLOURS, Filled, NAMES, NOUNS, SURNAMES, customer_id, moment};
use crate::benchmark::line::{Goal, Line};
use crate::benchmark::rounds::Rounds;
use crate::benchmark::stage::{Measured, Stage};
use crate::http::{Request, Response};
use crate::load::Script;
use crate::random::SplitMix64;

/// Rows of each list.
pub(crate) const ROWS: u64 = 1_000_000;
const GOAL_MS: f64 = 20.0;

/// So that no two runs ask the same.
static SEEDS: AtomicU64 = AtomicU64::new(1);

/// What is asked of a list.
pub(super) struct Question {
    pub(super) what: &'static str,
    pub(super) path: fn(&mut SplitMix64, &Filled) -> String,
}

pub(super) static QUESTIONS: [Question; 16] = [
    Question {
        what: "products: one word that a tenth has",
        path: |random, _| format!("products?search={}", one_of(random, &NOUNS)),
    },
    Question {
        what: "products: two words of many",
        path: |random, _| {
            format!("products?search={}+{}", one_of(random, &COLOURS), one_of(random, &NOUNS))
        },
    },
    Question {
        what: "products: a word of many and one of few",
        path: |random, filled| {
            let maker = below(random, filled.few);
            format!("products?search={}+m{maker:05}", one_of(random, &NOUNS))
        },
    },
    Question {
        what: "products: two letters",
        path: |random, _| {
            let word = one_of(random, &NOUNS).get(..2).unwrap_or_default();
            format!("products?search={word}")
        },
    },
    Question {
        what: "products: a SKU",
        path: |random, filled| format!("products?search=sku-{}", below(random, filled.rows)),
    },
    Question {
        what: "products: a word that none has",
        path: |random, _| format!("products?search=zz{}", random.below(1_000)),
    },
    Question {
        what: "products: by price, a word of few",
        path: |random, filled| {
            format!("products?sort=price&search=m{:05}", below(random, filled.few))
        },
    },
    Question {
        what: "orders: a customer's name",
        path: |random, _| {
            format!("orders?search={}+{}", one_of(random, &NAMES), one_of(random, &SURNAMES))
        },
    },
    Question {
        what: "orders: a customer's email",
        path: |random, filled| format!("orders?search=c{}@correo.mx", below(random, filled.few)),
    },
    Question {
        what: "orders: a SKU",
        path: |random, filled| format!("orders?search=sku-{}", below(random, filled.rows)),
    },
    Question {
        what: "orders: a number",
        path: |random, filled| format!("orders?search=ORD-{}", 2 + below(random, filled.rows)),
    },
    Question {
        what: "orders: a status of many, or of few",
        path: |random, _| {
            let status = one_of(random, &["delivered", "shipped", "cancelled", "pending"]);
            format!("orders?status={status}")
        },
    },
    Question {
        what: "orders: a customer and a status",
        path: |random, filled| {
            let customer = customer_id(below(random, filled.few) as u64);
            format!("orders?customerId={customer}&status=delivered")
        },
    },
    Question {
        what: "orders: a day",
        path: |random, filled| {
            let day = random.below(10) as u64;
            let from = filled.now_ms - (day + 1) * 86_400_000;
            format!("orders?createdFrom={}&createdTo={}", moment(from), moment(from + 86_400_000))
        },
    },
    Question {
        what: "orders: changed in the last minutes",
        path: |random, filled| {
            let since = filled.now_ms - 60_000 * (1 + random.below(60) as u64);
            format!("orders?updatedSince={}", moment(since))
        },
    },
    Question {
        what: "orders: by the last change, a status",
        path: |random, _| {
            format!("orders?sort=-updatedAt&status={}", one_of(random, &["delivered", "pending"]))
        },
    },
];

/// Fills the lists and asks each question.
pub(crate) fn measure(stage: &Stage<'_>, rows: u64) -> anyhow::Result<Vec<Line>> {
    let filled = Arc::new(Filled::load(stage, &stage.shop, rows)?);
    let mut lines = Vec::new();
    for question in &QUESTIONS {
        let ask = || question.measure(stage, &stage.shop.api_key, &filled);
        let rounds = Rounds::repeat(&stage.bench.plan, ask)?;
        let p99 = |round: &Measured| round.tally.latency(0.99).as_secs_f64() * 1e3;
        let what = format!("{} of {rows}", question.what);
        lines.push(rounds.absolute_line(stage, what, (p99, "ms"), Goal::AtMost(GOAL_MS))?);
    }
    Ok(lines)
}

impl Question {
    /// Asks it over one connection, each time of something else.
    pub(super) fn measure(
        &self,
        stage: &Stage<'_>,
        api_key: &str,
        filled: &Arc<Filled>,
    ) -> anyhow::Result<Measured> {
        stage.closed(1, |_| Asking {
            path: self.path,
            key: api_key.to_owned(),
            random: SplitMix64::new(SEEDS.fetch_add(1, Ordering::Relaxed)),
            filled: Arc::clone(filled),
        })
    }
}

struct Asking {
    path: fn(&mut SplitMix64, &Filled) -> String,
    key: String,
    random: SplitMix64,
    filled: Arc<Filled>,
}

impl Script for Asking {
    fn write(&mut self, bytes: &mut Vec<u8>) {
        let path = format!("/api/v1/{}", (self.path)(&mut self.random, &self.filled));
        bytes.extend(Request::get(&path, Some(&self.key)).render());
    }

    fn check(&mut self, response: &Response<'_>) -> Result<(), String> {
        let body = std::str::from_utf8(response.body).map_err(|error| error.to_string())?;
        let whole = response.status == 200 && body.contains("\"total\":") && body.ends_with('}');
        if whole { Ok(()) } else { Err(format!("status {}: {body}", response.status)) }
    }
}

pub(super) fn one_of(random: &mut SplitMix64, words: &[&'static str]) -> &'static str {
    words.get(random.below(words.len())).copied().unwrap_or_default()
}

fn below(random: &mut SplitMix64, rows: u64) -> usize {
    random.below(usize::try_from(rows).unwrap_or(usize::MAX))
}
