//! What the rows of all catalogs have in common.

use time::Date;
use time::macros::date;

/// Since when CFDI 4.0 and most of its codes are valid.
pub(super) const START: Date = date!(2022 - 01 - 01);

/// A row of a catalog.
pub trait Row {
    /// What documents say.
    fn code(&self) -> &str;

    /// What SAT calls it, in Spanish.
    fn name(&self) -> &str;

    /// The first day it may be used.
    fn valid_from(&self) -> Date;

    /// The last day it may be used, when SAT has set one.
    fn valid_until(&self) -> Option<Date>;

    /// Whether a document of that day may use it.
    fn in_force(&self, date: Date) -> bool {
        self.valid_from() <= date && self.valid_until().is_none_or(|last| date <= last)
    }
}

/// A row of a catalog that says no more than what a code means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What documents say.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

impl Entry {
    /// A code that is valid since CFDI 4.0 is.
    pub(super) const fn new(code: &'static str, name: &'static str) -> Self {
        Self::since(code, name, START)
    }

    /// A code that came later.
    pub(super) const fn since(code: &'static str, name: &'static str, valid_from: Date) -> Self {
        Self { code, name, valid_from, valid_until: None }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// How many rows match in all.
    pub total: usize,
    /// Those of the page, best first.
    pub items: Vec<T>,
}

/// The row with that code.
pub(super) fn find<'a, T: Row>(rows: &'a [T], code: &str) -> Option<&'a T> {
    rows.iter().find(|row| row.code() == code)
}

/// Makes a type with the four usual fields a [`Row`].
macro_rules! row {
    ($kind:ty) => {
        impl $crate::catalogs::Row for $kind {
            fn code(&self) -> &str {
                self.code
            }

            fn name(&self) -> &str {
                self.name
            }

            fn valid_from(&self) -> time::Date {
                self.valid_from
            }

            fn valid_until(&self) -> Option<time::Date> {
                self.valid_until
            }
        }
    };
}

/// Writes `all` and `find` of a catalog that is the constant `$rows`.
macro_rules! catalog {
    ($kind:ty, $rows:ident) => {
        /// The whole catalog, in SAT's order.
        #[must_use]
        pub const fn all() -> &'static [$kind] {
            $rows
        }

        /// The row with that code.
        #[must_use]
        pub fn find(code: &str) -> Option<&'static $kind> {
            $crate::catalogs::row::find($rows, code)
        }
    };
}

pub(super) use {catalog, row};

row!(Entry);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validity_includes_its_first_and_last_day() {
        let valid_until = Some(date!(2026 - 12 - 31));
        let entry = Entry { valid_until, ..Entry::new("01", "Uno") };
        for (date, in_force) in [
            (date!(2021 - 12 - 31), false),
            (date!(2022 - 01 - 01), true),
            (date!(2026 - 12 - 31), true),
            (date!(2027 - 01 - 01), false),
        ] {
            assert_eq!(entry.in_force(date), in_force, "{date}");
        }
    }
}
