//! How lists and details of stock are shown.

use askama::{Template, filters::HtmlSafe};

use crate::{
    answer::Answer,
    call::{Call, Member},
    form::Values,
    layout::Sheet,
    markup::Markup,
    parts::{Choice, Empty, FormPart, Moment, Pager, Pill},
    texts::Say,
};

/// What stands in a place of a table.
#[derive(Template, Default)]
#[template(path = "stock/cell.html", whitespace = "minimize")]
pub(super) struct Cell {
    text: String,
    href: Option<String>,
    hint: Option<String>,
    pill: Option<Pill>,
    at: Option<Moment>,
}

impl HtmlSafe for Cell {}

impl Cell {
    /// A text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A text that leads somewhere.
    pub(super) fn link(text: impl Into<String>, href: impl Into<String>) -> Self {
        Self { href: Some(href.into()), ..Self::text(text) }
    }

    /// A state.
    pub(super) fn pill(pill: Pill) -> Self {
        Self { pill: Some(pill), ..Self::default() }
    }

    /// A moment.
    pub(super) fn at(at: Moment) -> Self {
        Self { at: Some(at), ..Self::default() }
    }

    /// With a second line below it, unless that is empty.
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into()).filter(|hint| !hint.is_empty());
        self
    }
}

/// What stands above a column.
#[derive(Clone, Copy)]
pub(super) struct Head {
    label: &'static str,
    is_figure: bool,
}

/// Above words.
pub(super) const fn words(label: &'static str) -> Head {
    Head { label, is_figure: false }
}

/// Above numbers.
pub(super) const fn figures(label: &'static str) -> Head {
    Head { label, is_figure: true }
}

/// Rows below their heads; the first cell of each names it.
#[derive(Template)]
#[template(path = "stock/table.html", whitespace = "minimize")]
pub(super) struct Table {
    heads: Vec<Head>,
    rows: Vec<Vec<(Head, Cell)>>,
}

impl HtmlSafe for Table {}

impl Table {
    /// Rows with a cell for each head.
    pub(super) fn new(heads: Vec<Head>, rows: impl IntoIterator<Item = Vec<Cell>>) -> Self {
        let row = |cells: Vec<Cell>| heads.iter().copied().zip(cells).collect();
        let rows = rows.into_iter().map(row).collect();
        Self { heads, rows }
    }
}

/// A field of the form that filters a list.
pub(super) enum Filter {
    /// Its type, name, label and what was typed.
    Input(&'static str, &'static str, &'static str, String),
    /// Its name, label and choices.
    Select(&'static str, &'static str, Vec<Choice>),
    /// What is kept without being shown: its name and value.
    Kept(&'static str, String),
}

impl Filter {
    /// A field of a type, with what the query has in it.
    pub(super) fn input(
        kind: &'static str,
        name: &'static str,
        label: &'static str,
        query: &Values,
    ) -> Self {
        Self::Input(kind, name, label, query.shown(name).to_owned())
    }

    /// One of some values, by value and label; all of them if none is chosen.
    pub(super) fn select(
        name: &'static str,
        label: &'static str,
        choices: impl IntoIterator<Item = (String, String)>,
        query: &Values,
    ) -> Self {
        let choice = |(value, label): (String, String)| {
            let is_chosen = query.filled(name) == Some(&value);
            Choice { value, label, hint: None, is_chosen }
        };
        Self::Select(name, label, choices.into_iter().map(choice).collect())
    }

    /// What the query says of something that has no field, if it does.
    pub(super) fn kept(name: &'static str, query: &Values) -> Option<Self> {
        query.filled(name).map(|value| Self::Kept(name, value.to_owned()))
    }

    fn is_set(&self) -> bool {
        match self {
            Self::Input(.., text) | Self::Kept(_, text) => !text.trim().is_empty(),
            Self::Select(.., choices) => choices.iter().any(|choice| choice.is_chosen),
        }
    }
}

/// A list.
#[derive(Template)]
#[template(path = "stock/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    path: String,
    filters: Vec<Filter>,
    is_filtered: bool,
    table: Table,
    empty: Option<Empty>,
    pager: Option<Pager>,
}

/// A page with a list, which says what would be there where it has nothing in it.
pub(super) fn listed(
    call: &Call<Member>,
    path: &str,
    filters: Vec<Filter>,
    (table, pager): (Table, Option<Pager>),
    nothing: Empty,
) -> impl FnOnce(&'static str) -> Sheet {
    let say = call.say();
    let path = call.href(path);
    let is_filtered = filters.iter().any(Filter::is_set);
    let empty = table.rows.is_empty().then(|| match is_filtered {
        true => Empty::new(say.no_matches()).action(say.clear_filters(), path.clone()),
        false => nothing,
    });
    move |title| Sheet::new(title, &Listed { say, path, filters, is_filtered, table, empty, pager })
}

/// One thing: what is known of it, a form, and tables below.
#[derive(Template, Default)]
#[template(path = "stock/detail.html", whitespace = "minimize")]
pub(super) struct Detail {
    pub(super) facts: Vec<(&'static str, String)>,
    pub(super) form: Option<Markup>,
    pub(super) tables: Vec<(&'static str, Table)>,
    pub(super) pager: Option<Pager>,
}

/// A page that asks for something, or asks before something is done.
#[derive(Template)]
#[template(path = "orders/act.html", whitespace = "minimize")]
struct Act {
    text: String,
    form: Markup,
}

/// Such a page, with the way back.
pub(super) fn asking(
    call: &Call<Member>,
    (title, text): (String, &str),
    form: &FormPart,
    is_wrong: bool,
    (back, path): (&str, &str),
) -> Answer {
    let body = Act { text: text.to_owned(), form: Markup::of(form) };
    call.page(Sheet::new(title, &body).wrong_if(is_wrong).back(back, call.href(path)))
}
