//! Medians and the spread of what several rounds gave.

use std::fmt;

/// The median of some rounds with the least and the greatest of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Spread {
    /// `None` without a single value.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        Some(Self { median: median(&sorted)?, min: *sorted.first()?, max: *sorted.last()? })
    }

    /// The spread of `measured / limit`, each pair from one round.
    pub(crate) fn of_ratios(measured: &[f64], limit: &[f64]) -> Option<Self> {
        let ratios: Vec<f64> = measured
            .iter()
            .zip(limit)
            .filter(|(_, limit)| **limit > 0.0)
            .map(|(measured, limit)| measured / limit)
            .collect();
        Self::of(&ratios)
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision().unwrap_or(2);
        write!(f, "{:.places$} ({:.places$}–{:.places$})", self.median, self.min, self.max)
    }
}

/// The middle value, or the mean of the two middle ones; `None` without values.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = *sorted.get(middle.checked_sub(1)?)?;
    Some(f64::midpoint(lower, upper))
}

/// A count as the nearest number a ratio can be made of.
#[expect(clippy::cast_precision_loss, reason = "counts here stay far below 2^52")]
pub(crate) const fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[9.0, 1.0, 3.0]), Some(3.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 100.0]), Some(3.0));
    }

    #[test]
    fn a_ratio_pairs_what_one_round_measured() {
        // The machine was twice as slow in the second round: the ratio does not care.
        let spread = Spread::of_ratios(&[50.0, 25.0, 60.0], &[100.0, 50.0, 100.0]);
        assert_eq!(spread, Some(Spread { median: 0.5, min: 0.5, max: 0.6 }));
    }

    #[test]
    fn a_limit_of_zero_gives_no_ratio() {
        assert_eq!(Spread::of_ratios(&[50.0], &[0.0]), None);
    }

    #[test]
    fn a_spread_is_written_with_its_ends() {
        let spread = Spread { median: 0.512, min: 0.4, max: 0.625 };
        assert_eq!(spread.to_string(), "0.51 (0.40–0.62)");
        assert_eq!(format!("{spread:.1}"), "0.5 (0.4–0.6)");
    }
}
