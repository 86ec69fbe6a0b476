//! The board of a pipeline: how many deals are in each stage, and what they are worth.
//!
//! Counts and sums are kept beside the deals and changed with them, so that a board takes no longer for more deals.

use kernel::{Amount, Currency, Sum};

use crate::{Deal, DealId, Pipeline, PipelineId, StageId, pipeline::CERTAIN};

/// What the deals of one stage in one currency come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageSum {
    /// The currency.
    pub currency: Currency,
    /// How many there are.
    pub count: u64,
    /// What they are worth.
    pub value: Sum,
}

/// A stage as the board shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The stage.
    pub stage: StageId,
    /// By currency, of those there are.
    pub sums: Vec<StageSum>,
}

/// A deal as a board shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "self-explanatory")]
pub struct Card {
    pub deal: DealId,
    /// The stage that it is in.
    pub stage: StageId,
    pub title: String,
    pub value: Amount,
    pub currency: Currency,
    pub owner: Option<String>,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Its pipeline.
    pub pipeline: Pipeline,
    /// One for each stage, in their order.
    pub columns: Vec<Column>,
}

/// The board of a pipeline with the sums of its stages, in any order.
#[must_use]
pub fn board(pipeline: Pipeline, sums: &[(StageId, StageSum)]) -> Board {
    let column = |stage: StageId| {
        let own = sums.iter().filter(|(of, sum)| *of == stage && sum.count > 0);
        let mut sums: Vec<StageSum> = own.map(|(_, sum)| *sum).collect();
        sums.sort_by_key(|sum| sum.currency.to_string());
        Column { stage, sums }
    };
    let columns = pipeline.stages.iter().map(|stage| column(stage.id)).collect();
    Board { pipeline, columns }
}

/// A sum as far as it is likely to be won, rounded half away from zero to millionths.
#[must_use]
pub fn weighted(value: Sum, probability: u8) -> Sum {
    let certain = i128::from(CERTAIN);
    let times = value.micros().saturating_mul(probability.into());
    let half = certain / 2 * times.signum();
    Sum::from_micros(times.saturating_add(half) / certain)
}

/// What changes of the sums of one stage and currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SumChange {
    /// The pipeline of the stage.
    pub pipeline: PipelineId,
    /// The stage.
    pub stage: StageId,
    /// The currency.
    pub currency: Currency,
    /// By how many there are more; negative: fewer.
    pub count: i64,
    /// By how much they are worth more.
    pub value: Amount,
}

/// What changes when a deal becomes another; `before` is none of a new one, `after` of one that goes.
#[must_use]
pub fn changes(before: Option<&Deal>, after: Option<&Deal>) -> Vec<SumChange> {
    let of = |deal: &Deal, times: i64| {
        let place = deal.place.as_ref()?;
        Some(SumChange {
            pipeline: place.pipeline,
            stage: place.stage,
            currency: deal.currency,
            count: times,
            value: Amount::from_micros(deal.value.micros().saturating_mul(times)),
        })
    };
    let gone = before.and_then(|deal| of(deal, -1));
    let come = after.and_then(|deal| of(deal, 1));
    let is_same = gone.zip(come).is_some_and(|(gone, come)| {
        (gone.stage, gone.currency, -gone.value.micros())
            == (come.stage, come.currency, come.value.micros())
    });
    if is_same { Vec::new() } else { gone.into_iter().chain(come).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_likely_is_rounded_half_away() {
        for (micros, percent, expected) in
            [(1_000_000, 40, 400_000), (1, 50, 1), (-1, 50, -1), (1, 49, 0), (7, 100, 7), (9, 0, 0)]
        {
            let sum = weighted(Sum::from_micros(micros), percent);
            assert_eq!(sum.micros(), expected, "{micros} {percent}");
        }
    }

    #[test]
    fn stages_are_in_order_and_those_without_deals_empty() {
        let pipeline = crate::pipeline::tests::pipeline();
        let sum = |code: &str, count| StageSum {
            currency: Currency::parse(code).unwrap(),
            count,
            value: Sum::default(),
        };
        let stage = pipeline.stages[2].id;
        let sums = vec![(stage, sum("USD", 1)), (stage, sum("MXN", 2)), (stage, sum("EUR", 0))];
        let board = board(pipeline, &sums);
        let counts: Vec<_> = board.columns.iter().map(|column| column.sums.len()).collect();
        assert_eq!(counts, [0, 0, 2, 0, 0]);
        assert_eq!(board.columns[2].sums[0].currency, Currency::MXN);
    }
}
