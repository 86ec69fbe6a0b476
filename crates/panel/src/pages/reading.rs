//! What forms of several pages read alike: days, what is missing, and how many rows they show.

use kernel::{Day, Message, message};

use crate::form::Values;

/// A day as browsers send it.
pub(super) fn day(text: &str) -> Result<Day, Message> {
    let wrong = || message!("must be a day such as 2026-12-31", "debe ser un día como 2026-12-31");
    Day::parse(text).ok_or_else(wrong)
}

/// What is said of a field that what is in another one asks for.
pub(super) fn required() -> Message {
    message!("is required", "es obligatorio")
}

/// How many of the rows of a form are shown: as many as a query asks for, at least the first ones, and all down to the
/// last one that is filled in.
pub(super) fn rows_shown<R>(
    query: &Values,
    rows: &[R],
    first: usize,
    is_filled: impl Fn(&R) -> bool,
) -> usize {
    let asked = query.filled("rows").and_then(|count| count.parse().ok());
    asked.unwrap_or(first).max(rows_filled(rows, is_filled)).clamp(first, rows.len())
}

/// How many rows there are down to the last one that is filled in.
pub(super) fn rows_filled<R>(rows: &[R], is_filled: impl Fn(&R) -> bool) -> usize {
    rows.iter().rposition(is_filled).map_or(0, |place| place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_shown_down_to_the_last_that_is_filled_in() {
        let shown = |query: &str, filled: &[bool]| {
            rows_shown(&Values::of_query(query), filled, 2, |is_filled| *is_filled)
        };
        assert_eq!(shown("", &[false; 5]), 2);
        assert_eq!(shown("", &[false, false, true, false, false]), 3);
        assert_eq!(shown("rows=4", &[false; 3]), 3);
        assert_eq!(shown("rows=4", &[false; 5]), 4);
        assert_eq!(shown("rows=none", &[false; 5]), 2);
    }
}
