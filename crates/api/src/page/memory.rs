//! Pages of lists that are held in memory.

use kernel::{
    Page, PageRequest,
    page::{Cursor, Total},
};

/// How many rows lie before the page that is asked for of a list that never changes, such as a catalog: its cursors hold
/// that number.
pub(crate) fn rows_before(asked: &PageRequest) -> usize {
    let place = asked.cursor.as_ref().and_then(|cursor| cursor.key.parse().ok());
    place.or_else(|| usize::try_from(asked.offset()).ok()).unwrap_or(usize::MAX)
}

/// The page with these rows, of `total`; `sort` and `list` are what its cursors call the order and the list.
pub(crate) fn in_memory<T>(
    items: Vec<T>,
    total: usize,
    asked: &PageRequest,
    (sort, list): (&str, &str),
) -> Page<T> {
    let behind = rows_before(asked).saturating_add(items.len());
    let next = (behind < total && !items.is_empty()).then(|| Cursor {
        sort: sort.to_owned(),
        key: behind.to_string(),
        id: list.to_owned(),
    });
    Page { items, total: Total::exact(total as u64), next }
}

/// Which way the keys of a list go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Up,
    Down,
}

/// The page that is asked for of a list that is here as a whole, whose rows have keys in the order of the list. Its
/// cursors hold the key of the last row, so that rows that come and go do not shift the walk.
pub(crate) fn page_of_all<T>(
    rows: Vec<T>,
    asked: &PageRequest,
    (sort, way): (&str, Way),
    key: impl Fn(&T) -> String,
) -> Page<T> {
    let total = rows.len();
    let before = match &asked.cursor {
        None => rows_before(asked),
        Some(last) => rows.partition_point(|row| match way {
            Way::Up => key(row) <= last.id,
            Way::Down => key(row) >= last.id,
        }),
    };
    let items: Vec<T> = rows.into_iter().skip(before).take(asked.limit as usize).collect();
    let is_last = before.saturating_add(items.len()) >= total;
    let last = items.last().filter(|_| !is_last);
    let next = last.map(|last| Cursor { sort: sort.to_owned(), key: String::new(), id: key(last) });
    Page { items, total: Total::exact(total as u64), next }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(rows: &[u32], asked: &PageRequest) -> Page<u32> {
        page_of_all(rows.to_vec(), asked, ("code", Way::Up), |row| format!("{row:03}"))
    }

    #[test]
    fn cursors_walk_the_whole_list() {
        let rows: Vec<u32> = (0..25).collect();
        let mut asked = PageRequest { limit: 10, ..PageRequest::default() };
        let mut seen = Vec::new();
        loop {
            let page = page(&rows, &asked);
            assert_eq!(page.total, Total::exact(25));
            seen.extend(page.items);
            match page.next {
                Some(next) => asked.cursor = Some(next),
                None => break,
            }
        }
        assert_eq!(seen, rows);
    }

    #[test]
    fn rows_that_come_and_go_do_not_shift_the_walk() {
        for (way, rows, others, rest) in [
            (Way::Up, [2, 4, 6, 8], vec![1, 2, 3, 6, 7, 8], vec![6, 7, 8]),
            (Way::Down, [8, 6, 4, 2], vec![9, 8, 7, 5, 2, 1], vec![5, 2, 1]),
        ] {
            let key = |row: &u32| row.to_string();
            let mut asked = PageRequest { limit: 2, ..PageRequest::default() };
            asked.cursor = page_of_all(rows.to_vec(), &asked, ("id", way), key).next;
            asked.limit = 10;
            assert_eq!(page_of_all(others, &asked, ("id", way), key).items, rest);
        }
    }

    #[test]
    fn pages_begin_at_their_number_and_end_with_the_list() {
        let rows: Vec<u32> = (0..25).collect();
        let asked = |page| PageRequest { page, limit: 10, ..PageRequest::default() };
        assert_eq!(page(&rows, &asked(3)).items, [20, 21, 22, 23, 24]);
        assert_eq!(page(&rows, &asked(3)).next, None);
        let beyond = page(&rows, &asked(1_000_000_000));
        assert_eq!((beyond.items.len(), beyond.total, beyond.next), (0, Total::exact(25), None));
    }
}
