//! Exact sums of many amounts.

use std::{fmt, ops::AddAssign};

use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::value::RawValue;

use crate::{Amount, amount};

/// A sum of amounts, exact however many there are: an [`Amount`] has a limit.
///
/// Serialised as a JSON number with its shortest exact digits, like an amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sum(i128);

impl Sum {
    /// A sum from its millionths.
    #[must_use]
    pub const fn from_micros(micros: i128) -> Self {
        Self(micros)
    }

    /// Its millionths.
    #[must_use]
    pub const fn micros(self) -> i128 {
        self.0
    }
}

impl From<Amount> for Sum {
    fn from(amount: Amount) -> Self {
        Self(amount.micros().into())
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

impl std::iter::Sum for Sum {
    fn sum<I: Iterator<Item = Self>>(sums: I) -> Self {
        sums.fold(Self::default(), |mut all, sum| {
            all += sum;
            all
        })
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        amount::write_decimal(f, self.0)
    }
}

impl Serialize for Sum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.to_string()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_has_no_limit_and_loses_nothing() {
        let mut sum: Sum = std::iter::repeat_n(Sum::from(Amount::MAX), 10_000).sum();
        sum += Sum::from(Amount::from_micros(1));
        assert_eq!(sum.to_string(), "10000000000000000.000001");
        assert_eq!(serde_json::to_string(&sum).unwrap(), "10000000000000000.000001");
        assert_eq!(Sum::from_micros(-19_990_000).to_string(), "-19.99");
        assert_eq!(serde_json::to_string(&Sum::default()).unwrap(), "0");
    }
}
