//! What forms of several pages read alike: days, what is missing, how many rows they show, and which row a fault is of.

use intake::{Check, checks::text};
use kernel::{Day, Message, message, text::written_phone};

/// A day as browsers send it.
pub(super) fn day(text: &str) -> Result<Day, Message> {
    let wrong = || message!("must be a day such as 2026-12-31", "debe ser un día como 2026-12-31");
    Day::parse(text).ok_or_else(wrong)
}

/// A telephone number as people write it: ten digits, or with the code of a country.
pub(super) fn phone() -> impl Check<Value = String> {
    text(|written| {
        written_phone(written).map_err(|_| {
            message!(
                "must have ten digits, or begin with the code of its country, such as +1",
                "debe tener diez dígitos o comenzar con la clave de su país, como +1"
            )
        })
    })
}

/// What is said of a field that what is in another one asks for.
pub(super) fn required() -> Message {
    message!("is required", "es obligatorio")
}

/// What is said of a code that there is not.
pub(super) fn not_in_catalog() -> Message {
    message!("is not in SAT's catalog", "no está en el catálogo del SAT")
}

/// How many of the rows of a form are shown: as many as are asked for, at least the first ones, and all down to the
/// last one that is filled in.
pub(super) fn rows_shown<R>(
    asked: usize,
    rows: &[R],
    first: usize,
    is_filled: impl Fn(&R) -> bool,
) -> usize {
    asked.max(rows_filled(rows, is_filled)).clamp(first, rows.len())
}

/// How many rows there are down to the last one that is filled in.
pub(super) fn rows_filled<R>(rows: &[R], is_filled: impl Fn(&R) -> bool) -> usize {
    rows.iter().rposition(is_filled).map_or(0, |place| place + 1)
}

/// Which one of a list a fault is of, counted from 0, and what of it: 2 and `.sku` of `items[2].sku`.
pub(super) fn row_of<'a>(list: &str, field: &'a str) -> Option<(usize, &'a str)> {
    let (place, part) = field.strip_prefix(list)?.strip_prefix('[')?.split_once(']')?;
    Some((place.parse().ok()?, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_of_a_row_and_of_a_part_of_it() {
        assert_eq!(row_of("items", "items[2].sku"), Some((2, ".sku")));
        assert_eq!(row_of("items", "items[10]"), Some((10, "")));
        for other in ["items", "items[x].sku", "items[2", "levels[2].sku", "items.sku[2]"] {
            assert_eq!(row_of("items", other), None, "{other}");
        }
    }

    #[test]
    fn rows_are_shown_down_to_the_last_that_is_filled_in() {
        let shown =
            |asked: usize, filled: &[bool]| rows_shown(asked, filled, 2, |is_filled| *is_filled);
        assert_eq!(shown(0, &[false; 5]), 2);
        assert_eq!(shown(0, &[false, false, true, false, false]), 3);
        assert_eq!(shown(4, &[false; 3]), 3);
        assert_eq!(shown(4, &[false; 5]), 4);
    }
}
