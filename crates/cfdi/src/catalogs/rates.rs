//! Rates that taxes may have (c_TasaOCuota).

use kernel::Amount;
use time::Date;
use time::macros::date;

use super::row::START;
use crate::tax::{Factor, Tax, TaxRate};

/// A rate, or a range of rates, of a tax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Which tax.
    pub tax: Tax,
    /// Whether it is a share of the base or an amount per unit.
    pub factor: Factor,
    /// The least it can be; the same as [`max`](Self::max) when it is fixed.
    pub min: Amount,
    /// The most it can be.
    pub max: Amount,
    /// Whether the tax can be charged to the receiver at this rate.
    pub transferred: bool,
    /// Whether the receiver can withhold the tax at this rate.
    pub withheld: bool,
    /// Whether it is only for where the border stimulus applies.
    pub border_only: bool,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

impl Rate {
    /// Whether it is one rate instead of a range.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.min == self.max
    }

    /// Whether a document of that day may use it.
    #[must_use]
    pub fn in_force(&self, date: Date) -> bool {
        self.valid_from <= date && self.valid_until.is_none_or(|last| date <= last)
    }

    /// Whether the tax of a document is of this rate.
    #[must_use]
    pub fn covers(&self, rate: &TaxRate) -> bool {
        let direction = if rate.withheld { self.withheld } else { self.transferred };
        direction
            && (self.tax, self.factor) == (rate.tax, rate.factor)
            && (self.min..=self.max).contains(&rate.rate)
    }
}

const ROWS: &[Rate] = &[
    transferred(Tax::Iva, 0),
    transferred(Tax::Iva, 160_000),
    Rate { withheld: true, transferred: false, ..range(Tax::Iva, Factor::Tasa, 160_000) },
    // SAT's row reads "IVA Crédito aplicado del 50%": the stimulus of the border regions.
    Rate { border_only: true, ..transferred(Tax::Iva, 80_000) },
    both(Tax::Ieps, 265_000),
    both(Tax::Ieps, 300_000),
    both(Tax::Ieps, 530_000),
    both(Tax::Ieps, 500_000),
    both(Tax::Ieps, 1_600_000),
    both(Tax::Ieps, 304_000),
    both(Tax::Ieps, 250_000),
    both(Tax::Ieps, 90_000),
    both(Tax::Ieps, 80_000),
    both(Tax::Ieps, 70_000),
    both(Tax::Ieps, 60_000),
    transferred(Tax::Ieps, 30_000),
    transferred(Tax::Ieps, 0),
    // SAT moves the upper end with the year's amounts per litre, and keeps only the latest.
    Rate {
        withheld: true,
        valid_from: date!(2026 - 01 - 01),
        ..range(Tax::Ieps, Factor::Cuota, 72_160_500)
    },
    Rate { withheld: true, transferred: false, ..range(Tax::Isr, Factor::Tasa, 350_000) },
];

/// The whole catalog, in SAT's order.
#[must_use]
pub const fn all() -> &'static [Rate] {
    ROWS
}

/// The rate in force on `date` that the tax of a document is of. Exempt taxes have none.
#[must_use]
pub fn find(rate: &TaxRate, date: Date) -> Option<&'static Rate> {
    ROWS.iter().find(|row| row.in_force(date) && row.covers(rate))
}

const fn range(tax: Tax, factor: Factor, max_micros: i64) -> Rate {
    Rate {
        tax,
        factor,
        min: Amount::ZERO,
        max: Amount::from_micros(max_micros),
        transferred: true,
        withheld: false,
        border_only: false,
        valid_from: START,
        valid_until: None,
    }
}

const fn transferred(tax: Tax, micros: i64) -> Rate {
    Rate { min: Amount::from_micros(micros), ..range(tax, Factor::Tasa, micros) }
}

const fn both(tax: Tax, micros: i64) -> Rate {
    Rate { withheld: true, ..transferred(tax, micros) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tax: Tax, factor: Factor, rate: &str, transferred: bool, withheld: bool) {
        let date = date!(2026 - 08 - 01);
        let rate = Amount::parse(rate).unwrap();
        for (direction, expected) in [(false, transferred), (true, withheld)] {
            let rate = TaxRate { tax, factor, rate, withheld: direction };
            assert_eq!(find(&rate, date).is_some(), expected, "{rate:?}");
        }
    }

    #[test]
    fn iva_is_charged_at_three_rates_and_withheld_up_to_sixteen_per_cent() {
        check(Tax::Iva, Factor::Tasa, "0.16", true, true);
        check(Tax::Iva, Factor::Tasa, "0.08", true, true);
        check(Tax::Iva, Factor::Tasa, "0", true, true);
        check(Tax::Iva, Factor::Tasa, "0.106667", false, true);
        check(Tax::Iva, Factor::Tasa, "0.160001", false, false);
        check(Tax::Iva, Factor::Cuota, "0.16", false, false);
        check(Tax::Iva, Factor::Exento, "0", false, false);
        assert!(find(&TaxRate::iva(80_000), START).unwrap().border_only);
        assert!(!find(&TaxRate::iva(160_000), START).unwrap().border_only);
    }

    #[test]
    fn isr_is_only_withheld() {
        check(Tax::Isr, Factor::Tasa, "0.35", false, true);
        check(Tax::Isr, Factor::Tasa, "0.0125", false, true);
        check(Tax::Isr, Factor::Tasa, "0.350001", false, false);
    }

    #[test]
    fn ieps_has_its_rates_and_a_range_per_unit() {
        check(Tax::Ieps, Factor::Tasa, "1.6", true, true);
        check(Tax::Ieps, Factor::Tasa, "0.265", true, true);
        check(Tax::Ieps, Factor::Tasa, "0.03", true, false);
        check(Tax::Ieps, Factor::Tasa, "0.1", false, false);
        check(Tax::Ieps, Factor::Cuota, "6.4555", true, true);
        check(Tax::Ieps, Factor::Cuota, "72.1605", true, true);
        check(Tax::Ieps, Factor::Cuota, "72.160501", false, false);
        assert_eq!(all().len(), 19);
        assert_eq!(all().iter().filter(|rate| !rate.is_fixed()).count(), 3);
    }
}
