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
        let mut bar = Self { words, ..Self::without_words(say, action, query, total) };
        let unread = bar.unread(query, "q");
        bar.chips.extend(unread);
        bar
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

    /// That something was read in vain, with the way to the list without it.
    fn unread(&self, query: &Values, name: &'static str) -> Option<Link> {
        let value = query.filled(name).filter(|_| query.is_unread(name))?;
        let label = self.say.unread_filter(name, value);
        Some(Link::new(label, list::without(&self.action, query, name)))
    }

    /// With fields behind a button. Each that is filled in stands beside it as a chip that leads to the list without it;
    /// `told` says what a value is called. One that was read in vain says so.
    pub(crate) fn add(
        mut self,
        label: &'static str,
        query: &Values,
        fields: Vec<(&'static str, Field)>,
        told: impl Fn(&'static str, &str) -> Option<String>,
    ) -> Self {
        for &(name, _) in &fields {
            let value = query.filled(name).filter(|_| !query.is_unread(name));
            let value = value.and_then(|value| told(name, value));
            let chip =
                value.map(|value| Link::new(value, list::without(&self.action, query, name)));
            self.chips.extend(chip);
        }
        let unread = self.say.unread();
        let judged = |(name, field): (&'static str, Field)| {
            let is_told = field.is_wrong() || !query.is_unread(name);
            if is_told { field } else { field.wrong(unread) }
        };
        let fields: Vec<Field> = fields.into_iter().map(judged).collect();
        let is_open = fields.iter().any(Field::is_wrong);
        self.adds.push(Add { label, fields, is_open });
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
        let day = |name: &'static str| day_field(say, query, (name, label(name)));
        let until = match list::is_backwards(query) {
            true => day("to").wrong(say.not_before_from()),
            false => day("to"),
        };
        let fields = vec![("from", day("from")), ("to", until)];
        self.add(say.date(), query, fields, |name, value| day_told(say, label(name), value))
    }

    /// With one day.
    pub(crate) fn day(self, query: &Values, (name, label): (&'static str, &'static str)) -> Self {
        let say = self.say;
        let field = day_field(say, query, (name, label));
        self.add(label, query, vec![(name, field)], |_, value| day_told(say, label, value))
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
        let told = self.unread(query, name).or(chip);
        self.chips.extend(told);
        self.keep(query, name)
    }
}

/// A field for a day, which says so where the query has something else there.
fn day_field(say: Say, query: &Values, (name, label): (&'static str, &'static str)) -> Field {
    let field = Field::input("date", name, label, query);
    if list::is_no_day(query, name) { field.wrong(say.not_a_day()) } else { field }
}

/// What a day is called that a list is narrowed to.
fn day_told(say: Say, label: &str, value: &str) -> Option<String> {
    let day = Day::parse(value)?;
    Some(format!("{label}: {}", format::day(day.date(), say.0)))
}
