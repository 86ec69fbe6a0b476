//! How lists and details of stock are shown.

use askama::{Template, filters::HtmlSafe};
use kernel::page::Page;

use crate::{
    answer::Answer,
    call::{Call, Member},
    form::Values,
    layout::Sheet,
    list,
    markup::Markup,
    parts::{Asked, Empty, Field, Filters, FormPart, Moment, Pager, Pill, Progress},
    texts::Say,
};

/// What stands in a place of a table.
#[derive(Template, Default)]
#[template(path = "stock/cell.html", whitespace = "minimize")]
pub(in crate::pages) struct Cell {
    text: String,
    href: Option<String>,
    hint: Option<String>,
    pill: Option<Pill>,
    at: Option<Moment>,
}

impl HtmlSafe for Cell {}

impl Cell {
    /// A text.
    pub(in crate::pages) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A text that leads somewhere.
    pub(in crate::pages) fn link(text: impl Into<String>, href: impl Into<String>) -> Self {
        Self { href: Some(href.into()), ..Self::text(text) }
    }

    /// A state.
    pub(in crate::pages) fn pill(pill: Pill) -> Self {
        Self { pill: Some(pill), ..Self::default() }
    }

    /// A moment.
    pub(in crate::pages) fn at(at: Moment) -> Self {
        Self { at: Some(at), ..Self::default() }
    }

    /// With a second line below it, unless that is empty.
    pub(in crate::pages) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into()).filter(|hint| !hint.is_empty());
        self
    }
}

/// What stands above a column.
#[derive(Clone, Copy)]
pub(in crate::pages) struct Head {
    label: &'static str,
    is_figure: bool,
}

/// Above words.
pub(in crate::pages) const fn words(label: &'static str) -> Head {
    Head { label, is_figure: false }
}

/// Above numbers.
pub(in crate::pages) const fn figures(label: &'static str) -> Head {
    Head { label, is_figure: true }
}

/// Rows below their heads; the first cell of each names it.
#[derive(Template)]
#[template(path = "stock/table.html", whitespace = "minimize")]
pub(in crate::pages) struct Table {
    heads: Vec<Head>,
    rows: Vec<Vec<(Head, Cell)>>,
}

impl HtmlSafe for Table {}

impl Table {
    /// Rows with a cell for each head.
    pub(in crate::pages) fn new(
        heads: Vec<Head>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Self {
        let row = |cells: Vec<Cell>| heads.iter().copied().zip(cells).collect();
        let rows = rows.into_iter().map(row).collect();
        Self { heads, rows }
    }
}

/// By what a list can be narrowed.
pub(in crate::pages) enum Filter {
    /// Words or a code; where they find nothing for certain, why.
    Words(Option<String>),
    /// The days between which something happened.
    Days,
    /// A day: its name and label.
    Day(&'static str, &'static str),
    /// Its name and label, and its values with what they are called.
    Select(&'static str, &'static str, Vec<(String, String)>),
    /// What a link narrows it to: its name, what that is called, and the name of what it is narrowed to.
    Named(&'static str, &'static str, Option<String>),
}

impl Filter {
    /// One of some values.
    pub(in crate::pages) fn select(
        name: &'static str,
        label: &'static str,
        choices: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        Self::Select(name, label, choices.into_iter().collect())
    }

    /// Whether a query narrows by it.
    fn is_in(&self, query: &Values) -> bool {
        let has = |name: &str| query.filled(name).is_some();
        match self {
            Self::Words(_) => has("q"),
            Self::Days => has("from") || has("to"),
            Self::Day(name, _) | Self::Select(name, ..) | Self::Named(name, ..) => has(name),
        }
    }

    fn add_to(self, bar: Filters, say: Say, query: &Values) -> Filters {
        match self {
            Self::Words(_) => bar,
            Self::Days => bar.days(query),
            Self::Day(name, label) => bar.day(query, (name, label)),
            Self::Select(name, label, choices) => {
                let every = (String::new(), say.every().to_owned());
                let all = std::iter::once(every).chain(choices.iter().cloned()).collect();
                let field = Field::select(name, label, all, query);
                let told = |_: &'static str, value: &str| {
                    let (_, called) = choices.iter().find(|(known, _)| known == value)?;
                    Some(format!("{label}: {called}"))
                };
                bar.add(label, query, vec![(name, field)], told)
            }
            Self::Named(name, label, told) => {
                let given = query.filled(name).map(str::to_owned);
                let called = given.map(|given| format!("{label}: {}", told.unwrap_or(given)));
                bar.chip(called, query, name)
            }
        }
    }
}

/// A list.
#[derive(Template)]
#[template(path = "stock/list.html", whitespace = "minimize")]
struct Listed {
    filters: Option<Filters>,
    table: Table,
    empty: Option<Empty>,
    pager: Option<Pager>,
}

/// A page with all there is of something, or what would be there.
pub(in crate::pages) fn all_of(title: &'static str, table: Table, nothing: Empty) -> Sheet {
    let empty = table.rows.is_empty().then_some(nothing);
    Sheet::new(title, &Listed { filters: None, table, empty, pager: None })
}

/// The same of what can be narrowed by filters, at `path`.
pub(super) fn narrowed(
    call: &Call<Member>,
    (title, path): (&'static str, &str),
    filters: Vec<Filter>,
    table: Table,
    nothing: Empty,
) -> Sheet {
    let empty = table.rows.is_empty().then_some(nothing);
    let bar = Filters::without_words(call.say(), call.href(path), &call.query, String::new());
    let bar = filters.into_iter().fold(bar, |bar, one| one.add_to(bar, call.say(), &call.query));
    Sheet::new(title, &Listed { filters: Some(bar), table, empty, pager: None })
}

/// A page with a list that lies at `path`: its rows, and how they can be narrowed; what would be there where it has none.
pub(in crate::pages) fn listed<T>(
    call: &Call<Member>,
    (title, path): (&'static str, &str),
    filters: Vec<Filter>,
    (found, table): (&Page<T>, Table),
    nothing: Empty,
) -> Sheet {
    let (say, query, path) = (call.say(), &call.query, call.href(path));
    let is_filtered = filters.iter().any(|filter| filter.is_in(query));
    let words = filters.iter().find_map(|filter| match filter {
        Filter::Words(why) => Some(why.clone()),
        _ => None,
    });
    let is_searched = words.is_some();
    let empty = table.rows.is_empty().then(|| match (words.flatten(), is_filtered) {
        (Some(why), _) => Empty::new(why).action(say.clear_filters(), path.clone()),
        (None, true) => Empty::unmatched(say, path.clone()),
        (None, false) => nothing,
    });
    let pager = Some(list::pager(say, &path, query, found));
    let total = list::counted(say, found.total);
    let bar = match is_searched {
        true => Filters::new(say, path, query, total),
        false => Filters::without_words(say, path, query, total),
    };
    let bar = filters.into_iter().fold(bar, |bar, filter| filter.add_to(bar, say, query));
    Sheet::new(title, &Listed { filters: Some(bar), table, empty, pager })
}

/// One thing: what is known of it, a form, and tables below.
#[derive(Template, Default)]
#[template(path = "stock/detail.html", whitespace = "minimize")]
pub(in crate::pages) struct Detail {
    pub(in crate::pages) progress: Option<Progress>,
    pub(in crate::pages) facts: Vec<(&'static str, String)>,
    pub(in crate::pages) form: Option<Markup>,
    pub(in crate::pages) tables: Vec<(&'static str, Table)>,
    pub(in crate::pages) pager: Option<Pager>,
}

/// A page that asks for something, or before something is done, with the way back.
pub(in crate::pages) fn asking(
    call: &Call<Member>,
    (title, text): (String, &str),
    form: &FormPart,
    is_wrong: bool,
    (back, path): (&str, &str),
) -> Answer {
    let body = Asked { text: text.to_owned(), form: Markup::of(form) };
    call.page(Sheet::new(title, &body).wrong_if(is_wrong).back(back, call.href(path)))
}
