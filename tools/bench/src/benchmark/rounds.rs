//! Rounds in which the service and its limit take turns.

use crate::benchmark::Plan;
use crate::benchmark::line::{Goal, Line};
use crate::benchmark::stage::{Measured, Stage};
use crate::load::Tally;
use crate::statistics::{Spread, median};

/// What all rounds gave, the warm-up left out.
pub(crate) struct Rounds {
    service: Vec<Measured>,
    limit: Vec<f64>,
}

impl Rounds {
    /// Measures A B A B after one of each to warm up.
    pub(crate) fn alternate(
        plan: &Plan,
        mut service: impl FnMut() -> anyhow::Result<Measured>,
        mut limit: impl FnMut() -> anyhow::Result<f64>,
    ) -> anyhow::Result<Self> {
        service()?;
        limit()?;
        let mut rounds = Self { service: Vec::new(), limit: Vec::new() };
        for _ in 0..plan.rounds {
            rounds.service.push(service()?);
            rounds.limit.push(limit()?);
        }
        Ok(rounds)
    }

    /// Measures what has no limit to be measured against.
    pub(crate) fn repeat(
        plan: &Plan,
        service: impl FnMut() -> anyhow::Result<Measured>,
    ) -> anyhow::Result<Self> {
        Self::alternate(plan, service, || Ok(0.0))
    }

    fn column(&self, value: impl Fn(&Measured) -> f64) -> Vec<f64> {
        self.service.iter().map(value).collect()
    }

    /// The median rate of the service.
    pub(crate) fn rate(&self) -> f64 {
        median(&self.column(|round| round.tally.rate())).unwrap_or_default()
    }

    /// The line of the table: the rate over the limit's.
    pub(crate) fn rate_line(
        &self,
        stage: &Stage<'_>,
        what: String,
        goal: Option<Goal>,
    ) -> anyhow::Result<Line> {
        let rates = self.column(|round| round.tally.rate());
        let ratio = Spread::of_ratios(&rates, &self.limit);
        let limit = median(&self.limit).map(|rate| format!("{}/s", super::table::grouped(rate)));
        self.line(stage, what, limit, ratio, goal)
    }

    /// The line of the table: the slowest hundredth over the limit, both in microseconds.
    pub(crate) fn latency_line(
        &self,
        stage: &Stage<'_>,
        what: String,
        goal: Goal,
    ) -> anyhow::Result<Line> {
        let slowest = self.column(|round| round.tally.latency(0.99).as_secs_f64() * 1e6);
        let ratio = Spread::of_ratios(&slowest, &self.limit);
        let limit = median(&self.limit).map(|micros| format!("{micros:.0} µs"));
        self.line(stage, what, limit, ratio, Some(goal))
    }

    /// The line of the table: a value of its own instead of a ratio.
    pub(crate) fn absolute_line(
        &self,
        stage: &Stage<'_>,
        what: String,
        (value, unit): (impl Fn(&Measured) -> f64, &'static str),
        goal: Goal,
    ) -> anyhow::Result<Line> {
        let value = Spread::of(&self.column(value));
        Ok(Line { unit, ..self.line(stage, what, None, value, Some(goal))? })
    }

    fn line(
        &self,
        stage: &Stage<'_>,
        what: String,
        limit: Option<String>,
        value: Option<Spread>,
        goal: Option<Goal>,
    ) -> anyhow::Result<Line> {
        let mut all = Tally::new()?;
        for round in &self.service {
            all.absorb(&round.tally)?;
        }
        // A server that answers nothing has no slow answers either.
        let value = value.filter(|_| all.answers > 0);
        let database: Option<Vec<f64>> =
            self.service.iter().map(Measured::database_micros).collect();
        let line = Line {
            what,
            database: stage.database.name(),
            rate: Some(self.rate()),
            latencies: Some([0.5, 0.99, 0.999].map(|share| all.latency(share))),
            limit,
            value,
            unit: "",
            goal,
            server_micros: median(&self.column(Measured::server_micros)),
            database_micros: database.as_deref().and_then(median),
            generator_micros: median(&self.column(Measured::generator_micros)),
            memory_mib: Some(stage.resident_mib()?),
            errors: all.errors,
            replays: all.replays,
        };
        if let Some(fault) = all.faults.first() {
            eprintln!("bench: {} on {}: {fault}", line.what, line.database);
        }
        Ok(line)
    }
}
