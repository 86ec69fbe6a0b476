//! What was measured beside what must hold. A goal that is missed fails no run: machines that do other things are slow.

use std::time::Duration;

use super::limits::RATE_PER_HOUR;
use super::proxy::Routing;
use super::routing::Rate;
use crate::statistics::{Spread, float};

/// Goals of docs/performance.md.
const OTHERS_GOAL: Duration = Duration::from_millis(500);
const OWN_GOAL: Duration = Duration::from_secs(3);
const REVOKED_GOAL: Duration = Duration::from_millis(100);
const ROUTING_GOAL: f64 = 0.9;

/// What was done to the nodes, and what it cost.
#[derive(Debug, Default)]
pub(super) struct Measures {
    pub(super) kills: usize,
    pub(super) restarts: usize,
    pub(super) requests_meanwhile: u64,
    pub(super) failed_meanwhile: u64,
    pub(super) ready_after: Vec<Duration>,
    pub(super) stalls: usize,
    /// Of these, those in which the database waited for the paused node.
    pub(super) within_transaction: usize,
    /// The longest wait of the accounts that the paused node did not work on.
    pub(super) others: Vec<Duration>,
    /// The longest wait of the account that it worked on.
    pub(super) own: Vec<Duration>,
    /// From the end of the command to the first refusal of the slowest node.
    pub(super) revoked: Vec<Duration>,
    /// Requests of a burst that a limit has let pass while one server counted for all nodes.
    pub(super) passed_together: Vec<u64>,
    /// The same while each counted alone, because that server was killed.
    pub(super) passed_alone: Vec<u64>,
    /// Each way to choose nodes, of each cycle that compared them.
    pub(super) rates: Vec<Vec<Rate>>,
}

impl Measures {
    /// All of it as Markdown.
    pub(super) fn report(&self) -> String {
        let Self { kills, restarts, requests_meanwhile, failed_meanwhile, stalls, .. } = self;
        let slowest = self.ready_after.iter().max().copied().unwrap_or_default();
        let mut text = format!(
            "{kills} nodes killed, {restarts} rolling restarts with {failed_meanwhile} of {requests_meanwhile} \
             requests failed, slowest start {} ms, {stalls} pauses of which {} within a transaction\n",
            slowest.as_millis(),
            self.within_transaction
        );
        text.push_str(
            "\n| measured | times | ms: median (min–max) | goal | met |\n|---|---|---|---|---|\n",
        );
        for (what, waits, goal) in [
            (
                "longest wait of an account that a paused node does not work on",
                &self.others,
                OTHERS_GOAL,
            ),
            ("longest wait of the account that it works on", &self.own, OWN_GOAL),
            ("a revoked key, until the last node refuses it", &self.revoked, REVOKED_GOAL),
        ] {
            text.push_str(&row(what, waits, goal));
        }
        let least = RATE_PER_HOUR;
        text.push_str("\n| requests of 300 that pass a limit of 60 | times | median (min–max) | goal | met |\n|---|---|---|---|---|\n");
        text.push_str(&passed("counted together", &self.passed_together, least));
        text.push_str(&passed("with the server that counts killed", &self.passed_alone, 0));
        text.push_str(
            "\n| orders of 6 accounts | /s | over one node | for each processor second | over one node | goal | met |\n\
             |---|---|---|---|---|---|---|\n",
        );
        for routing in Routing::ALL {
            text.push_str(&self.routing(routing));
        }
        text
    }

    /// Each figure over that of one node in the same cycle.
    fn routing(&self, routing: Routing) -> String {
        let values = |routing: Routing, value: fn(&Rate) -> f64| -> Vec<f64> {
            let rates = self.rates.iter().flatten().filter(|rate| rate.routing == routing);
            rates.map(value).collect()
        };
        let speed: fn(&Rate) -> f64 = |rate| rate.orders_per_second;
        let thrift: fn(&Rate) -> f64 = |rate| rate.orders_per_processor_second;
        let over_one = |value: fn(&Rate) -> f64| {
            Spread::of_ratios(&values(routing, value), &values(Routing::One, value))
        };
        let shown = |spread: Option<Spread>, places: usize| match spread {
            Some(spread) => format!("{spread:.places$}"),
            None => "–".to_owned(),
        };
        let ratio = over_one(thrift);
        let (goal, met) = if routing == Routing::One {
            ("–".to_owned(), "–")
        } else {
            let met = ratio.map(|ratio| yes_or_no(ratio.median >= ROUTING_GOAL));
            (format!("≥ {ROUTING_GOAL}"), met.unwrap_or("–"))
        };
        format!(
            "| {} | {} | {} | {} | {} | {goal} | {met} |\n",
            routing.name(),
            shown(Spread::of(&values(routing, speed)), 0),
            shown(over_one(speed), 2),
            shown(Spread::of(&values(routing, thrift)), 0),
            shown(ratio, 2),
        )
    }
}

/// All of the waits must meet the goal.
fn row(what: &str, waits: &[Duration], goal: Duration) -> String {
    let ms: Vec<f64> = waits.iter().map(|wait| wait.as_secs_f64() * 1e3).collect();
    let goal_ms = goal.as_millis();
    match Spread::of(&ms) {
        Some(spread) => {
            let met = yes_or_no(waits.iter().all(|wait| *wait <= goal));
            format!("| {what} | {} | {spread:.1} | ≤ {goal_ms} | {met} |\n", ms.len())
        }
        None => format!("| {what} | 0 | – | ≤ {goal_ms} | – |\n"),
    }
}

/// As many as the key may send at once, and one that has come back meanwhile.
fn passed(what: &str, counts: &[u64], least: u64) -> String {
    let most = RATE_PER_HOUR + 1;
    let floats: Vec<f64> = counts.iter().map(|count| float(*count)).collect();
    let (times, shown) = (counts.len(), Spread::of(&floats));
    let shown = shown.map_or_else(|| "–".to_owned(), |spread| format!("{spread:.0}"));
    let met = counts.iter().all(|count| (least..=most).contains(count));
    let met = if counts.is_empty() { "–" } else { yes_or_no(met) };
    format!("| {what} | {times} | {shown} | {least} to {most} | {met} |\n")
}

const fn yes_or_no(is_met: bool) -> &'static str {
    if is_met { "yes" } else { "**no**" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_long_wait_misses_the_goal() {
        let waits = [Duration::from_millis(40), Duration::from_millis(600)];
        assert_eq!(
            row("x", &waits, OTHERS_GOAL),
            "| x | 2 | 320.0 (40.0–600.0) | ≤ 500 | **no** |\n"
        );
        assert_eq!(row("x", &waits, OWN_GOAL), "| x | 2 | 320.0 (40.0–600.0) | ≤ 3000 | yes |\n");
        assert_eq!(row("x", &[], OWN_GOAL), "| x | 0 | – | ≤ 3000 | – |\n");
    }

    #[test]
    fn a_limit_is_missed_by_one_burst_that_is_too_large_or_too_small() {
        assert_eq!(passed("x", &[60, 60, 61], 60), "| x | 3 | 60 (60–61) | 60 to 61 | yes |\n");
        assert_eq!(passed("x", &[60, 62], 60), "| x | 2 | 61 (60–62) | 60 to 61 | **no** |\n");
        assert_eq!(passed("x", &[45], 60), "| x | 1 | 45 (45–45) | 60 to 61 | **no** |\n");
        assert_eq!(passed("x", &[45], 0), "| x | 1 | 45 (45–45) | 0 to 61 | yes |\n");
        assert_eq!(passed("x", &[], 0), "| x | 0 | – | 0 to 61 | – |\n");
    }

    #[test]
    fn ways_are_compared_within_a_cycle() {
        let rate = |routing, orders_per_second, orders_per_processor_second| Rate {
            routing,
            orders_per_second,
            orders_per_processor_second,
        };
        let measures = Measures {
            rates: vec![
                vec![rate(Routing::One, 100.0, 200.0), rate(Routing::ByTurns, 50.0, 100.0)],
                vec![rate(Routing::ByTurns, 20.0, 40.0), rate(Routing::One, 50.0, 100.0)],
            ],
            ..Measures::default()
        };
        let report = measures.report();
        let turns = "| round robin | 35 (20–50) | 0.45 (0.40–0.50) | 70 (40–100) | 0.45 (0.40–0.50) | ≥ 0.9 | **no** |";
        assert!(report.contains(turns), "{report}");
        assert!(report.contains("| hash of the key | – | – | – | – | ≥ 0.9 | – |"), "{report}");
        assert!(
            report.contains("| one node | 75 (50–100) | 1.00 (1.00–1.00) | 150 (100–200) |"),
            "{report}"
        );
    }
}
