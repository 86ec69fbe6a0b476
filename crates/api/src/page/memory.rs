//! Pages of lists that are held in memory, whose rows are known by their place.

use kernel::{
    Page, PageRequest,
    page::{Cursor, Total},
};

/// How many rows lie before the page that is asked for. Cursors of such lists hold that number.
pub(crate) fn rows_before(asked: &PageRequest) -> usize {
    let place = asked.cursor.as_ref().and_then(|cursor| cursor.key.parse().ok());
    place.or_else(|| usize::try_from(asked.offset()).ok()).unwrap_or(usize::MAX)
}

/// The page with these rows, of `total`; `sort` is what its cursors call the order.
pub(crate) fn in_memory<T>(
    items: Vec<T>,
    total: usize,
    asked: &PageRequest,
    sort: &str,
) -> Page<T> {
    let behind = rows_before(asked).saturating_add(items.len());
    let next = (behind < total && !items.is_empty()).then(|| Cursor {
        sort: sort.to_owned(),
        key: behind.to_string(),
        id: String::new(),
    });
    Page { items, total: Total::exact(total as u64), next }
}

/// The page that is asked for of a list that is here as a whole.
pub(crate) fn page_of_all<T>(rows: Vec<T>, asked: &PageRequest, sort: &str) -> Page<T> {
    let total = rows.len();
    let rows = rows.into_iter().skip(rows_before(asked)).take(asked.limit as usize);
    in_memory(rows.collect(), total, asked, sort)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(rows: &[u32], asked: &PageRequest) -> Page<u32> {
        page_of_all(rows.to_vec(), asked, "code")
    }

    #[test]
    fn cursors_walk_the_whole_list() {
        let rows: Vec<u32> = (0..25).collect();
        let mut asked = PageRequest { page: 1, limit: 10, cursor: None };
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
    fn pages_begin_at_their_number_and_end_with_the_list() {
        let rows: Vec<u32> = (0..25).collect();
        let asked = |page| PageRequest { page, limit: 10, cursor: None };
        assert_eq!(page(&rows, &asked(3)).items, [20, 21, 22, 23, 24]);
        assert_eq!(page(&rows, &asked(3)).next, None);
        let beyond = page(&rows, &asked(1_000_000_000));
        assert_eq!((beyond.items.len(), beyond.total, beyond.next), (0, Total::exact(25), None));
    }
}
