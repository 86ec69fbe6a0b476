//! Fields, and the forms that they stand in.

mod beside;
mod choice;
mod faults;
mod form;

use std::borrow::Cow;

use askama::{Template, filters::HtmlSafe};

use crate::{
    form::{Values, is_secret},
    markup::Markup,
};

pub(crate) use choice::Choice;
pub(crate) use faults::Elsewhere;
pub(crate) use form::FormPart;

/// How a field is filled in.
enum Kind {
    Input(&'static str),
    /// Several lines, so many of which are shown at first.
    Area(u8),
    Select(Vec<Choice>),
    Boxes(Vec<Choice>),
    Tick,
    /// Several fields side by side.
    Group(Vec<Field>),
    /// Fields that most people leave as they are.
    Behind(Vec<Field>),
}

/// A field with its label above it.
#[derive(Template)]
#[template(path = "parts/field.html", whitespace = "minimize")]
pub(crate) struct Field {
    name: Cow<'static, str>,
    label: String,
    /// How sentences about it begin, where that is not its label.
    subject: Option<&'static str>,
    value: String,
    kind: Kind,
    hint: Option<String>,
    fault: Option<String>,
    /// What somebody else has saved there meanwhile, as a sentence.
    theirs: Option<String>,
    autocomplete: Option<&'static str>,
    /// The field that says which of its choices are offered.
    narrowed_by: Option<&'static str>,
    is_ticked: bool,
    is_lined: bool,
    is_leading: bool,
    is_wide: bool,
    is_quiet: bool,
    /// Whether one types there at once.
    is_first: bool,
    described_by: String,
}

impl HtmlSafe for Field {}

impl Field {
    /// A line of text of a type of HTML, with what was filled in.
    pub(crate) fn input(
        kind: &'static str,
        name: impl Into<Cow<'static, str>>,
        label: impl Into<String>,
        values: &Values,
    ) -> Self {
        let name: Cow<'static, str> = name.into();
        debug_assert!(kind != "password" || is_secret(&name), "{name} would be shown and kept");
        Self::of(Kind::Input(kind), name, label.into(), values)
    }

    /// Text of several lines, so many of which are shown at first.
    pub(crate) fn area(
        name: &'static str,
        label: impl Into<String>,
        lines: u8,
        values: &Values,
    ) -> Self {
        Self::of(Kind::Area(lines), name.into(), label.into(), values)
    }

    /// A line of text.
    pub(crate) fn text(name: &'static str, label: impl Into<String>, values: &Values) -> Self {
        Self::input("text", name, label, values)
    }

    /// One of some values, by value and label.
    pub(crate) fn select(
        name: impl Into<Cow<'static, str>>,
        label: impl Into<String>,
        choices: Vec<(String, String)>,
        values: &Values,
    ) -> Self {
        let name: Cow<'static, str> = name.into();
        let given = values.shown(&name).to_owned();
        let choice = |(value, label): (String, String)| {
            let is_chosen = value == given;
            Choice { is_chosen, ..Choice::new(value, label) }
        };
        let choices = choices.into_iter().map(choice).collect();
        Self::of(Kind::Select(choices), name, label.into(), values)
    }

    /// One of some values, of which those are offered that fit what another field says; what was chosen is kept in any case.
    pub(crate) fn narrowed(
        name: &'static str,
        label: impl Into<String>,
        choices: Vec<Choice>,
        (by, word): (&'static str, Option<&str>),
        values: &Values,
    ) -> Self {
        let given = values.shown(name).to_owned();
        let choice = |choice: Choice| {
            let is_chosen = choice.value == given;
            let fits = |word: &str| choice.fits.split(' ').any(|known| known == word);
            let is_away = !is_chosen && !choice.fits.is_empty() && !word.is_none_or(fits);
            Choice { is_chosen, is_away, ..choice }
        };
        let choices = choices.into_iter().map(choice).collect();
        let field = Self::of(Kind::Select(choices), name.into(), label.into(), values);
        Self { narrowed_by: Some(by), ..field }
    }

    /// Some of several values, each with a box of its own; the value of a choice is the name of its box.
    pub(crate) fn boxes(
        name: &'static str,
        label: impl Into<String>,
        choices: Vec<Choice>,
    ) -> Self {
        Self::of(Kind::Boxes(choices), name.into(), label.into(), &Values::default())
    }

    /// Yes or no.
    pub(crate) fn tick(name: &'static str, label: impl Into<String>, values: &Values) -> Self {
        let is_ticked = values.has(name);
        Self { is_ticked, ..Self::of(Kind::Tick, name.into(), label.into(), values) }
    }

    /// Several fields side by side, under a heading.
    pub(crate) fn group(
        name: impl Into<Cow<'static, str>>,
        label: impl Into<String>,
        fields: Vec<Field>,
    ) -> Self {
        Self::of(Kind::Group(fields), name.into(), label.into(), &Values::default())
    }

    /// The same as a line among others: on wide screens the labels of the first one stand for all.
    pub(crate) fn lined(mut self) -> Self {
        self.is_lined = true;
        self
    }

    /// Which needs twice the room of others of its group.
    pub(crate) fn wide(self) -> Self {
        Self { is_wide: true, ..self }
    }

    /// Such a line whose first field has the most room.
    pub(crate) fn led(self) -> Self {
        Self { is_leading: true, ..self.lined() }
    }

    /// Fields that most people leave as they are, behind their heading.
    pub(crate) fn behind(
        name: impl Into<Cow<'static, str>>,
        label: impl Into<String>,
        fields: Vec<Field>,
    ) -> Self {
        Self::of(Kind::Behind(fields), name.into(), label.into(), &Values::default())
    }

    /// Whether what is filled in is kept nowhere.
    fn is_secret(&self) -> bool {
        is_secret(&self.name)
    }

    /// Has what was filled in once in the place of what it has.
    fn refill(&mut self, values: &Values) {
        match &mut self.kind {
            Kind::Group(fields) | Kind::Behind(fields) => {
                fields.iter_mut().for_each(|field| field.refill(values));
            }
            Kind::Boxes(choices) => {
                for choice in choices {
                    choice.is_chosen = values.has(&choice.value);
                }
            }
            Kind::Tick => self.is_ticked = values.has(&self.name),
            Kind::Select(choices) => {
                let Some(given) = values.get(&self.name) else { return };
                for choice in choices {
                    choice.is_chosen = choice.value == given;
                    choice.is_away &= !choice.is_chosen;
                }
                self.value = given.to_owned();
            }
            Kind::Input(_) | Kind::Area(_) => self.value = values.shown(&self.name).to_owned(),
        }
    }

    /// Whether something inside of it is filled in or wrong.
    fn is_opened(&self) -> bool {
        match &self.kind {
            Kind::Group(fields) | Kind::Behind(fields) if self.is_quiet => {
                fields.iter().any(Self::is_wrong)
            }
            Kind::Group(fields) | Kind::Behind(fields) => fields.iter().any(Self::is_opened),
            _ => self.is_wrong() || !self.value.is_empty(),
        }
    }

    /// Whether something inside of it is wrong, or was changed by somebody else.
    pub(super) fn is_wrong(&self) -> bool {
        match &self.kind {
            Kind::Group(fields) | Kind::Behind(fields) => fields.iter().any(Self::is_wrong),
            _ => self.fault.is_some() || self.theirs.is_some(),
        }
    }

    /// Which is not opened by what is filled in inside of it, only by what is wrong or was changed there.
    pub(crate) fn quiet(mut self) -> Self {
        self.is_quiet = true;
        self
    }

    fn of(kind: Kind, name: Cow<'static, str>, label: String, values: &Values) -> Self {
        let value = values.shown(&name).to_owned();
        Self {
            name,
            label,
            subject: None,
            value,
            kind,
            hint: None,
            fault: None,
            theirs: None,
            autocomplete: None,
            narrowed_by: None,
            is_ticked: false,
            is_lined: false,
            is_leading: false,
            is_wide: false,
            is_quiet: false,
            is_first: false,
            described_by: String::new(),
        }
    }

    /// With how sentences about it begin: a label has no article.
    pub(crate) fn subject(mut self, subject: &'static str) -> Self {
        self.subject = Some(subject);
        self
    }

    /// With a sentence that helps to fill it in.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self.describe();
        self
    }

    /// Which is typed into at once, as by a scanner.
    pub(crate) fn first(mut self) -> Self {
        self.is_first = true;
        self
    }

    /// With what browsers may fill in by themselves.
    pub(crate) fn autocomplete(mut self, token: &'static str) -> Self {
        self.autocomplete = Some(token);
        self
    }

    /// Has the keyboard begin in the field of that name, if it is this one or inside of it.
    fn begin(&mut self, name: &str) -> bool {
        match &mut self.kind {
            Kind::Group(fields) | Kind::Behind(fields) => {
                fields.iter_mut().any(|field| field.begin(name))
            }
            _ => {
                self.is_first = self.name == name;
                self.is_first
            }
        }
    }

    fn describe(&mut self) {
        let hint = self.hint.is_some().then(|| format!("{}-hint", self.name));
        let fault = self.fault.is_some().then(|| format!("{}-fault", self.name));
        let theirs = self.theirs.is_some().then(|| format!("{}-theirs", self.name));
        let parts: Vec<_> = hint.into_iter().chain(fault).chain(theirs).collect();
        self.described_by = parts.join(" ");
    }
}
