//! What is done about several rows of a list at once.

use askama::{Template, filters::HtmlSafe};
use kernel::page::Total;

use crate::{form::Values, format::grouped, texts::Say};

/// A form that the boxes of rows belong to: its buttons lead to pages that ask what is to be done about those that are
/// ticked, or about all that match.
#[derive(Template)]
#[template(path = "parts/many.html", whitespace = "minimize")]
pub(crate) struct Many {
    say: Say,
    /// Which page asks about what, and what its button says.
    acts: Vec<(String, &'static str)>,
    /// Where those that are ticked are printed, and what the button says.
    print: Option<(String, &'static str)>,
    /// What the list is narrowed to: the same goes for what is done about all of it.
    kept: Vec<(String, String)>,
    all: String,
}

impl HtmlSafe for Many {}

impl Many {
    /// With these acts, where there are any, on a list that a query narrows by what has these names.
    pub(crate) fn of(
        say: Say,
        acts: Vec<(String, &'static str)>,
        query: &Values,
        narrowed_by: &[&str],
        total: Total,
    ) -> Option<Self> {
        let filled = |name: &&str| Some(((*name).to_owned(), query.filled(name)?.to_owned()));
        let kept = narrowed_by.iter().filter_map(filled).collect();
        let all = match (total.is_exact, total.rows) {
            (true, 1) => say.the_one_that_matches().to_owned(),
            (true, rows) => say.all_that_match(&grouped(rows)),
            (false, _) => say.all_matching().to_owned(),
        };
        (!acts.is_empty()).then_some(Self { say, acts, print: None, kept, all })
    }

    /// Which also prints those that are ticked.
    pub(crate) fn printed(self, place: String, label: &'static str) -> Self {
        Self { print: Some((place, label)), ..self }
    }
}
