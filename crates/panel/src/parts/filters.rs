//! The bar above a list: words, what the list is narrowed to, and by what else it can be.

use askama::{Template, filters::HtmlSafe};
use kernel::Day;

use super::{Field, Link};
use crate::{assets, form::Values, format, list, texts::Say};

/// Fields by which a list can be narrowed, behind a button.
struct Add {
    label: &'static str,
    fields: Vec<Field>,
    /// Whether they are shown at once, since there is something wrong with one.
    is_open: bool,
}

/// The bar above a list. Its form is sent with GET, so that the address says what is listed.
#[derive(Template)]
#[template(path = "parts/filters.html", whitespace = "minimize")]
pub(crate) struct Filters {
    say: Say,
    action: String,
    /// What is searched for; none where the list is not searched.
    words: Option<String>,
    chips: Vec<Link>,
    adds: Vec<Add>,
    /// What the list stays as without a field of the form.
    kept: Vec<(&'static str, String)>,
    total: String,
    icons: &'static str,
}

impl HtmlSafe for Filters {}

impl Filters {
    /// Over a list at this path, of which there are so many rows.
    pub(crate) fn new(say: Say, action: String, query: &Values, total: String) -> Self {
        let words = Some(query.shown("q").to_owned());
        Self { words, ..Self::without_words(say, action, query, total) }
    }

    /// The same over a list that is not searched by words.
    pub(crate) fn without_words(say: Say, action: String, query: &Values, total: String) -> Self {
        let (chips, adds) = (Vec::new(), Vec::new());
        let (kept, icons) = (Vec::new(), assets::icons());
        let bar = Self { say, action, words: None, chips, adds, kept, total, icons };
        [list::SORT, list::SIZE].into_iter().fold(bar, |bar, name| bar.keep(query, name))
    }

    /// With what a query has of something that no field of the form does.
    fn keep(mut self, query: &Values, name: &'static str) -> Self {
        self.kept.extend(query.filled(name).map(|value| (name, value.to_owned())));
        self
    }

    /// With fields behind a button. Each that is filled in stands beside it as a chip that leads to the list without it;
    /// `told` says what a value is called.
    pub(crate) fn add(
        mut self,
        label: &'static str,
        query: &Values,
        fields: Vec<(&'static str, Field)>,
        told: impl Fn(&'static str, &str) -> Option<String>,
    ) -> Self {
        for &(name, _) in &fields {
            let value = query.filled(name).and_then(|value| told(name, value));
            let chip =
                value.map(|value| Link::new(value, list::without(&self.action, query, name)));
            self.chips.extend(chip);
        }
        let fields = fields.into_iter().map(|(_, field)| field).collect();
        self.adds.push(Add { label, fields, is_open: false });
        self
    }

    /// With a choice of one of some values, each with what it is called.
    pub(crate) fn choice(
        self,
        query: &Values,
        (name, label): (&'static str, &'static str),
        known: &[(&'static str, &'static str)],
    ) -> Self {
        let every = (String::new(), self.say.every().to_owned());
        let choices =
            known.iter().map(|(value, called)| ((*value).to_owned(), (*called).to_owned()));
        let choices = std::iter::once(every).chain(choices).collect();
        let field = Field::select(name, label, choices, query);
        let told = |_: &'static str, value: &str| {
            let (_, called) = known.iter().find(|(known, _)| *known == value)?;
            Some(format!("{label}: {called}"))
        };
        self.add(label, query, vec![(name, field)], told)
    }

    /// With the days between which something happened.
    pub(crate) fn days(self, query: &Values) -> Self {
        let say = self.say;
        let label = move |name: &str| if name == "from" { say.from() } else { say.until() };
        let day = |name: &'static str| (name, Field::input("date", name, label(name), query));
        let (_, until) = day("to");
        let is_backwards = list::is_backwards(query);
        let until = if is_backwards { until.wrong(say.not_before_from()) } else { until };
        let fields = vec![day("from"), ("to", until)];
        let told = |name: &'static str, value: &str| {
            let day = Day::parse(value)?;
            Some(format!("{}: {}", label(name), format::day(day.date(), say.0)))
        };
        let mut bar = self.add(say.date(), query, fields, told);
        if let Some(days) = bar.adds.last_mut() {
            days.is_open = is_backwards;
        }
        bar
    }

    /// With a text that is typed.
    pub(crate) fn typed(self, query: &Values, (name, label): (&'static str, &'static str)) -> Self {
        let field = Field::text(name, label, query);
        self.add(label, query, vec![(name, field)], |_, value| Some(format!("{label}: {value}")))
    }

    /// With a chip for what the list is narrowed to without a field, such as by a link.
    pub(crate) fn chip(
        mut self,
        label: Option<String>,
        query: &Values,
        name: &'static str,
    ) -> Self {
        let chip = label.map(|label| Link::new(label, list::without(&self.action, query, name)));
        self.chips.extend(chip);
        self.keep(query, name)
    }
}
