//! Rows about growth: what an account pays for its own rows, and for those of others.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::benchmark::filled::{self, COLOURS, Filled, NOUNS, PAGE_ROWS, moment};
use crate::benchmark::line::{Goal, Line};
use crate::benchmark::orders::OrderScript;
use crate::benchmark::reads::{ProductReads, first_page};
use crate::benchmark::rounds::Rounds;
use crate::benchmark::search::{QUESTIONS, Question, one_of};
use crate::benchmark::shop::{self, Shop};
use crate::benchmark::stage::{Measured, Stage};
use crate::benchmark::table::grouped;
use crate::benchmark::{Bench, set_stage, startup};
use crate::database::Database;
use crate::limits::ORDERED_PRODUCTS;
use crate::load::{Load, Tally, open};
use crate::random::SplitMix64;
use crate::service::Tenant;
use crate::statistics::{Spread, float};

/// At how many connections orders are placed.
const ORDERS: [(usize, &str); 3] = [
    (64, "POST order of 2 lines, 64 connections"),
    (16, "POST order of 2 lines, 16 connections"),
    (1, "POST order of 2 lines, 1 connection"),
];
const WATCHED_CONNECTIONS: usize = 16;
/// Orders a second while the service keeps house.
const HOUSEKEEPING_RATE: f64 = 20.0;
/// Others cost an account nothing that can be told from noise.
const GOAL: Goal = Goal::AtLeast(0.8);
/// Nor do a hundred times as many rows of its own, but for what docs/performance.md names.
const SLOPE_GOAL: Goal = Goal::AtMost(1.1);
const STALL_GOAL_MS: f64 = 100.0;
const IDLE_GOAL_PERCENT: f64 = 2.0;

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    /// Products and orders of the account.
    pub(crate) sizes: [u64; 3],
    /// How many other accounts there are.
    pub(crate) accounts: u64,
    /// Long enough for the service to keep house, as it does every minute.
    pub(crate) watched: Duration,
}

pub(crate) const FULL: Growth = Growth {
    sizes: [10_000, 100_000, 1_000_000],
    accounts: 20_000,
    watched: Duration::from_secs(65),
};
pub(crate) const QUICK: Growth =
    Growth { sizes: [800, 1_600, 3_200], accounts: 500, watched: Duration::from_secs(2) };

/// Pages of a whole list, which cost the same wherever they are.
static PAGES: [Question; 4] = [
    Question { what: "products: the first page", path: |_, _| "products".to_owned() },
    Question {
        what: "products: a page by its cursor, anywhere",
        path: |random, filled| {
            format!("products?cursor={}", any_of(random, &filled.product_cursors))
        },
    },
    Question { what: "orders: the first page", path: |_, _| "orders".to_owned() },
    Question {
        what: "orders: a page by its cursor, anywhere",
        path: |random, filled| format!("orders?cursor={}", any_of(random, &filled.order_cursors)),
    },
];

/// What grows with an account's own rows, as docs/performance.md says.
static GROWING: [Question; 6] = [
    Question {
        what: "products: the last page, by its number",
        path: |_, filled| format!("products?page={}", filled.rows / PAGE_ROWS),
    },
    Question {
        what: "orders: the last page, by its number",
        path: |_, filled| format!("orders?page={}", filled.rows / PAGE_ROWS),
    },
    Question {
        what: "orders: a status of many, all counted",
        path: |_, _| "orders?status=delivered&count=true".to_owned(),
    },
    Question {
        what: "orders: the older half, all counted",
        path: |_, filled| {
            let half = filled.now_ms - filled.rows * 500;
            format!("orders?createdTo={}&count=true", moment(half))
        },
    },
    Question {
        what: "products: one word that a tenth has, all counted",
        path: |random, _| format!("products?search={}&count=true", one_of(random, &NOUNS)),
    },
    Question {
        what: "products: by price, two words of many",
        path: |random, _| {
            let (colour, noun) = (one_of(random, &COLOURS), one_of(random, &NOUNS));
            format!("products?sort=price&search={colour}+{noun}")
        },
    },
];

/// What an account asks for.
#[derive(Clone, Copy)]
enum Probe {
    Get,
    Page,
    /// Over so many connections; what it is called.
    Order(usize, &'static str),
    Ask(&'static Question),
    /// What is known to grow with the account's own rows.
    Grow(&'static Question),
}

/// An account of some size on one of the databases.
struct Place<'a> {
    stage: &'a Stage<'a>,
    shop: Arc<Shop>,
    filled: Arc<Filled>,
}

/// An account of each size beside all others, over one of the same size by itself on another server, in alternation.
pub(crate) fn measure(
    bench: &Bench<'_>,
    database: &Database,
    growth: &Growth,
) -> anyhow::Result<Vec<Line>> {
    let crowd = set_stage(bench, database, "crowded", 1)?;
    filled::crowd(&crowd, growth.accounts)?;
    let mut medians: HashMap<&str, Vec<f64>> = HashMap::new();
    let mut lines = Vec::new();
    for rows in growth.sizes {
        let name = format!("alone{rows}");
        let database = database.another(bench.directory, &name)?;
        let alone = set_stage(bench, &database, &name, 1)?;
        let beside = Place::of_another_account(&crowd, rows)?;
        let by_itself = Place::fill(&alone, &alone.shop, rows)?;
        for probe in probes() {
            let what = format!(
                "{}, {} rows beside {} accounts over alone",
                probe.name(),
                grouped(float(rows)),
                grouped(float(growth.accounts))
            );
            eprintln!("bench: {what}");
            let rounds = Rounds::alternate(
                &bench.plan,
                || beside.measure(probe),
                || Ok(by_itself.measure(probe)?.tally.rate()),
            )?;
            let line = rounds.rate_line(&crowd, what, Some(GOAL))?;
            if let Some([median, ..]) = line.latencies {
                medians.entry(probe.name()).or_default().push(median.as_secs_f64());
            }
            lines.push(line);
        }
        lines.extend(watch(&beside, growth)?);
    }
    for probe in probes() {
        let medians = medians.remove(probe.name()).unwrap_or_default();
        lines.push(slope(&crowd, probe, growth, &medians));
    }
    let of_start = |line: Line| Line {
        what: format!("{}, beside {} accounts", line.what, grouped(float(growth.accounts))),
        ..line
    };
    lines.extend(startup::measure(crowd)?.into_iter().map(of_start));
    Ok(lines)
}

fn probes() -> impl Iterator<Item = Probe> {
    let orders = ORDERS.into_iter().map(|(connections, name)| Probe::Order(connections, name));
    let questions = PAGES.iter().chain(&QUESTIONS).map(Probe::Ask);
    let growing = GROWING.iter().map(Probe::Grow);
    [Probe::Get, Probe::Page].into_iter().chain(orders).chain(questions).chain(growing)
}

fn any_of<'a>(random: &mut SplitMix64, texts: &'a [String]) -> &'a str {
    texts.get(random.below(texts.len())).map_or("", String::as_str)
}

impl Probe {
    const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET one product, 64 connections",
            Self::Page => "GET the first page of products with total, 64 connections",
            Self::Order(_, name) => name,
            Self::Ask(question) | Self::Grow(question) => question.what,
        }
    }

    /// How much longer an account of the last size may wait than one of the first.
    const fn slope_goal(self) -> Option<Goal> {
        match self {
            Self::Grow(_) => None,
            Self::Get | Self::Page | Self::Order(..) | Self::Ask(_) => Some(SLOPE_GOAL),
        }
    }
}

impl<'a> Place<'a> {
    fn of_another_account(stage: &'a Stage<'a>, rows: u64) -> anyhow::Result<Self> {
        let tenant = Tenant::create(&stage.options)?;
        let filling = shop::fill(stage.service.address(), &tenant.api_key, 1);
        let shop = stage.bench.runtime.block_on(filling)?;
        Self::fill(stage, &shop, rows)
    }

    /// Fills the lists of a shop. What is read and ordered lies all over them.
    fn fill(stage: &'a Stage<'a>, shop: &Shop, rows: u64) -> anyhow::Result<Self> {
        let mut filled = Filled::load(stage, shop, rows)?;
        filled.find_cursors(stage, shop)?;
        let count = u64::from(ORDERED_PRODUCTS).min(rows);
        let product_ids = (0..count).map(|number| filled.product_id(number * rows / count));
        let shop = Shop {
            api_key: shop.api_key.clone(),
            customer_id: shop.customer_id.clone(),
            product_ids: product_ids.collect(),
        };
        Ok(Self { stage, shop: Arc::new(shop), filled: Arc::new(filled) })
    }

    fn measure(&self, probe: Probe) -> anyhow::Result<Measured> {
        let key = self.shop.api_key.as_str();
        match probe {
            Probe::Get => ProductReads::of(&self.shop).measure(self.stage),
            // One product was there before the list was filled.
            Probe::Page => first_page(self.stage, key, usize::try_from(self.filled.rows)? + 1),
            Probe::Order(connections, _) => {
                self.stage.closed(connections, |_| OrderScript::new(&self.shop))
            }
            Probe::Ask(question) | Probe::Grow(question) => {
                question.measure(self.stage, key, &self.filled)
            }
        }
    }
}

/// What housekeeping for all accounts costs: the slowest order meanwhile, and the processors while nobody asks for anything.
fn watch(place: &Place<'_>, growth: &Growth) -> anyhow::Result<Vec<Line>> {
    let (stage, bench) = (place.stage, place.stage.bench);
    let (accounts, rows) = (grouped(float(growth.accounts)), grouped(float(place.filled.rows)));
    let beside = format!("{rows} rows beside {accounts} accounts");
    let load = Load { duration: growth.watched, ..stage.load(WATCHED_CONNECTIONS) };
    let script = |_: usize| OrderScript::new(&place.shop);
    let ordered = bench.runtime.block_on(open::run(load, HOUSEKEEPING_RATE, script))?;
    let slowest = ordered.latency(1.0).as_secs_f64() * 1e3;
    let what = format!(
        "slowest POST order at {HOUSEKEEPING_RATE:.0}/s in {} s, {beside}",
        growth.watched.as_secs()
    );
    let (name, value) = (stage.database.name(), Spread::of(&[slowest]));
    let stall = Line::absolute(&what, name, value, "ms", Goal::AtMost(STALL_GOAL_MS));
    let stall = Line { errors: ordered.errors, replays: ordered.replays, ..stall };
    let idle = stage.account(|| {
        thread::sleep(growth.watched);
        Tally::new()
    })?;
    let (server, database) = idle.percent_of(growth.watched);
    let percent = |whose: &str, value: f64| {
        let what = format!("{whose}, idle, {beside}");
        let goal = Goal::AtMost(IDLE_GOAL_PERCENT);
        Line::absolute(&what, name, Spread::of(&[value]), "% of a core", goal)
    };
    let mut lines = vec![stall, percent("processor time of the service", server)];
    lines.extend(database.map(|share| percent("processor time of the database", share)));
    Ok(lines)
}

/// How long an account waits at each size, and how much longer at the last than at the first.
fn slope(stage: &Stage<'_>, probe: Probe, growth: &Growth, medians: &[f64]) -> Line {
    let waits: Vec<String> = medians.iter().map(|wait| format!("{:.2}", wait * 1e3)).collect();
    let sizes = growth.sizes.map(|rows| grouped(float(rows)));
    let what = format!(
        "{}: p50 of {} ms at {} rows, the last over the first",
        probe.name(),
        waits.join(", "),
        sizes.join(" and ")
    );
    let ratio = medians.first().zip(medians.last()).map(|(first, last)| last / first);
    let value = ratio.and_then(|ratio| Spread::of(&[ratio]));
    let line = Line::absolute(&what, stage.database.name(), value, "", SLOPE_GOAL);
    Line { goal: probe.slope_goal(), ..line }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn probes_have_names_of_their_own() {
        let names: HashSet<_> = probes().map(Probe::name).collect();
        assert_eq!(names.len(), probes().count());
    }
}
