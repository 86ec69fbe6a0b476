//! In which order a list is shown: its address says so, and the heads of its columns lead there.

use askama::{Template, filters::HtmlSafe};
use kernel::{
    PageRequest,
    page::{RecordSort, Sorting},
};

use crate::{form::Values, list};

/// The order of a list where no other is asked for.
const NEWEST: &str = "-createdAt";

/// By what records are sorted that have no other order.
pub(crate) const RECORDS: &[(&str, RecordSort)] =
    &[("createdAt", RecordSort::CreatedAt), ("updatedAt", RecordSort::UpdatedAt)];

/// The order that a query asks for.
pub(crate) struct Sorted<K> {
    pub(crate) sorting: Sorting<K>,
    /// As the address has it; a leading `-` is descending.
    name: String,
}

impl<K: Copy + Default> Sorted<K> {
    /// One of those that a list can have; the newest first where none of them is asked for.
    pub(crate) fn asked(query: &Values, sorts: &[(&str, K)]) -> Self {
        let name = query.filled(list::SORT).unwrap_or(NEWEST);
        let (column, ascending) = match name.strip_prefix('-') {
            Some(column) => (column, false),
            None => (name, true),
        };
        match sorts.iter().find(|(known, _)| *known == column) {
            Some(&(_, by)) => Self { sorting: Sorting { by, ascending }, name: name.to_owned() },
            None => Self { sorting: Sorting::default(), name: NEWEST.to_owned() },
        }
    }

    /// The page that a query asks for. A place in another order is none in this one.
    pub(crate) fn page(&self, query: &Values) -> PageRequest {
        let page = list::asked(query);
        PageRequest { cursor: page.cursor.filter(|cursor| cursor.sort == self.name), ..page }
    }

    /// What stands above a column of the list at a path, by which it can be sorted.
    pub(crate) fn head(&self, path: &str, query: &Values, column: &Column) -> SortHead {
        let Column { name, label, is_figure, is_first_ascending } = *column;
        let descending = format!("-{name}");
        let (order, ascends_next) = match self.name.as_str() {
            now if now == name => (Some("ascending"), false),
            now if now == descending => (Some("descending"), true),
            _ => (None, is_first_ascending),
        };
        let next = if ascends_next { name } else { descending.as_str() };
        let href = list::sorted(path, query, (next != NEWEST).then_some(next));
        SortHead { label, href, order, is_figure }
    }
}

/// A column that a list is sorted by.
pub(crate) struct Column {
    name: &'static str,
    label: &'static str,
    is_figure: bool,
    /// Whether one asks for it from its beginning first.
    is_first_ascending: bool,
}

impl Column {
    /// Of words: from A on first.
    pub(crate) const fn words(name: &'static str, label: &'static str) -> Self {
        Self { name, label, is_figure: false, is_first_ascending: true }
    }

    /// Of moments: the newest first.
    pub(crate) const fn moments(name: &'static str, label: &'static str) -> Self {
        Self { name, label, is_figure: false, is_first_ascending: false }
    }

    /// Of figures: the greatest first.
    pub(crate) const fn figures(name: &'static str, label: &'static str) -> Self {
        Self { name, label, is_figure: true, is_first_ascending: false }
    }
}

/// The head of a column, which leads to the list in its order.
#[derive(Template)]
#[template(path = "parts/sort_head.html", whitespace = "minimize")]
pub(crate) struct SortHead {
    label: &'static str,
    href: String,
    /// As `aria-sort` has it, where the list is in this order.
    order: Option<&'static str>,
    is_figure: bool,
}

impl HtmlSafe for SortHead {}

impl SortHead {
    /// What shows the order to who sees it.
    fn mark(&self) -> &'static str {
        match self.order {
            Some("ascending") => "↑",
            Some(_) => "↓",
            None => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(query: &str) -> Sorted<RecordSort> {
        Sorted::asked(&Values::of_query(query), RECORDS)
    }

    fn head(query: &str, column: &Column) -> String {
        let values = Values::of_query(query);
        asked(query).head("/panel/x/orders", &values, column).render().unwrap()
    }

    #[test]
    fn an_order_is_one_of_those_that_there_are() {
        let newest = Sorting { by: RecordSort::CreatedAt, ascending: false };
        for query in ["", "sort=", "sort=price", "sort=--createdAt", "sort=-createdAt"] {
            assert_eq!(asked(query).sorting, newest, "{query}");
            assert_eq!(asked(query).name, NEWEST, "{query}");
        }
        let oldest = Sorting { by: RecordSort::UpdatedAt, ascending: true };
        assert_eq!(asked("sort=updatedAt").sorting, oldest);
    }

    #[test]
    fn heads_turn_the_order_round_and_keep_the_filter() {
        let date = || Column::moments("createdAt", "Date");
        let html = head("status=paid&after=zzz", &date());
        assert!(html.contains("aria-sort=\"descending\""), "{html}");
        assert!(html.contains("href=\"/panel/x/orders?status=paid&#38;sort=createdAt\""), "{html}");
        let html = head("sort=createdAt", &date());
        assert!(html.contains("aria-sort=\"ascending\""), "{html}");
        assert!(html.contains("href=\"/panel/x/orders\""), "{html}");
        let html = head("sort=updatedAt", &date());
        assert!(!html.contains("aria-sort"), "{html}");
        assert!(html.contains("href=\"/panel/x/orders\""), "{html}");
        let html = head("", &Column::words("name", "Name"));
        assert!(html.contains("sort=name\"") && !html.contains("class=\"figure\""), "{html}");
        assert!(head("", &Column::figures("price", "Price")).contains("sort=%2Dprice\""));
    }
}
