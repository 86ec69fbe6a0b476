//! The forms of the statement that records a batch: what of it is the same for all batches of a kind, so that it is planned
//! once for them.

use diesel::{QueryResult, pg::Pg, query_builder::AstPass};

use crate::statement::{Column, unnest, values};

/// What a statement has room for. A batch that has less leaves rows of it NULL.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Room {
    /// Orders, their events, answers and customers.
    pub(super) orders: usize,
    /// Items, movements, levels and what is offered.
    pub(super) lines: usize,
    pub(super) deliveries: usize,
}

/// A form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    /// Of any size, of any accounts.
    Many { is_spread: bool },
    /// Of any size, of one account.
    One { is_spread: bool },
    /// A few orders of one account that take from its first warehouse alone.
    Few(Room),
}

const fn few(orders: usize, lines: usize, deliveries: usize) -> Form {
    Form::Few(Room { orders, lines, deliveries })
}

/// What any batch fits in.
pub(super) const ANY: Form = Form::Many { is_spread: true };
/// All forms, in the order in which they are tried. Arrays of more orders cost as little, and each form is planned anew now
/// and then, which takes as long as recording several orders.
pub(super) const FORMS: [Form; 10] = [
    few(1, 2, 0),
    few(1, 2, 1),
    few(4, 8, 0),
    few(4, 8, 4),
    few(8, 16, 0),
    few(8, 16, 8),
    Form::One { is_spread: false },
    Form::One { is_spread: true },
    Form::Many { is_spread: false },
    ANY,
];
/// The place of the form that any batch fits in.
pub(super) const LAST: usize = FORMS.len() - 1;

/// What a form is chosen by.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) accounts: usize,
    pub(super) is_spread: bool,
    pub(super) room: Room,
}

impl Form {
    /// The place among [`FORMS`] of the first one that a batch fits in.
    pub(super) fn of(size: Size) -> usize {
        let fits = FORMS.iter().position(|form| form.fits(size));
        fits.unwrap_or(LAST)
    }

    fn fits(self, Size { accounts, is_spread, room }: Size) -> bool {
        match self {
            Self::Many { is_spread: own } => own || !is_spread,
            Self::One { is_spread: own } => accounts == 1 && (own || !is_spread),
            Self::Few(own) => {
                accounts == 1
                    && !is_spread
                    && room.orders <= own.orders
                    && room.lines <= own.lines
                    && room.deliveries <= own.deliveries
            }
        }
    }

    pub(super) fn is_spread(self) -> bool {
        matches!(self, Self::Many { is_spread: true } | Self::One { is_spread: true })
    }

    pub(super) fn is_of_one_account(self) -> bool {
        !matches!(self, Self::Many { .. })
    }

    /// How rows are written of which there are as many as the room says.
    pub(super) fn rows(self, of: impl FnOnce(Room) -> usize) -> Rows {
        match self {
            Self::Few(room) => Rows::Values(of(room)),
            Self::Many { .. } | Self::One { .. } => Rows::Arrays,
        }
    }
}

/// How rows are written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Rows {
    /// As an array of each column.
    Arrays,
    /// As so many rows.
    Values(usize),
}

impl Rows {
    /// Writes and binds them.
    pub(super) fn of<'b>(
        self,
        out: &mut AstPass<'_, 'b, Pg>,
        columns: &'b [Column],
    ) -> QueryResult<()> {
        match self {
            Self::Arrays => unnest(out, columns),
            Self::Values(rows) => values(out, columns, rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(
        accounts: usize,
        is_spread: bool,
        orders: usize,
        lines: usize,
        deliveries: usize,
    ) -> Form {
        let room = Room { orders, lines, deliveries };
        FORMS.get(Form::of(Size { accounts, is_spread, room })).copied().unwrap()
    }

    #[test]
    fn a_batch_takes_the_smallest_form_that_it_fits_in() {
        for (accounts, is_spread, orders, lines, deliveries, expected) in [
            (1, false, 1, 1, 0, few(1, 2, 0)),
            (1, false, 1, 2, 1, few(1, 2, 1)),
            (1, false, 1, 3, 0, few(4, 8, 0)),
            (1, false, 2, 4, 1, few(4, 8, 4)),
            (1, false, 3, 9, 0, few(8, 16, 0)),
            (1, false, 1, 1, 5, few(8, 16, 8)),
            (1, false, 1, 17, 0, Form::One { is_spread: false }),
            (1, false, 9, 9, 0, Form::One { is_spread: false }),
            (1, false, 1, 1, 9, Form::One { is_spread: false }),
            (1, true, 1, 1, 0, Form::One { is_spread: true }),
            (2, false, 2, 2, 0, Form::Many { is_spread: false }),
            (2, true, 2, 2, 0, Form::Many { is_spread: true }),
        ] {
            let chosen = form(accounts, is_spread, orders, lines, deliveries);
            assert_eq!(chosen, expected, "{accounts} {is_spread} {orders} {lines} {deliveries}");
        }
    }

    #[test]
    fn every_batch_fits_in_its_form() {
        for (orders, lines, deliveries) in
            (0..10).flat_map(|o| (0..20).flat_map(move |l| (0..6).map(move |d| (o, l, d))))
        {
            for (accounts, is_spread) in [(1, false), (1, true), (2, false), (2, true)] {
                let chosen = form(accounts, is_spread, orders, lines, deliveries);
                let room = Room { orders, lines, deliveries };
                assert!(chosen.fits(Size { accounts, is_spread, room }));
            }
        }
    }
}
