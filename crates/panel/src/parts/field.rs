//! Forms: their fields, what is wrong with them, and the buttons below.

mod beside;
mod choice;
mod faults;

use std::borrow::Cow;

use askama::{Template, filters::HtmlSafe};

use crate::{
    assets,
    form::{Values, is_secret},
    markup::Markup,
};

pub(crate) use choice::Choice;
pub(crate) use faults::Elsewhere;
use faults::Problems;

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
    fn is_wrong(&self) -> bool {
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

/// A form with its fields.
#[derive(Template)]
#[template(path = "parts/form.html", whitespace = "minimize")]
pub(crate) struct FormPart {
    action: String,
    csrf: String,
    /// The same whenever the page is sent: the second time has no further effect.
    once: String,
    problems: Option<Problems>,
    fields: Vec<Field>,
    submit: String,
    /// What the button sends of itself.
    submit_as: Option<(&'static str, &'static str)>,
    /// Further buttons, each with what it sends of itself.
    others: Vec<(String, &'static str, &'static str)>,
    is_judged: bool,
    is_dangerous: bool,
    has_files: bool,
    hidden: Vec<(Cow<'static, str>, String)>,
    /// What stands above its fields and is sent with them.
    above: Option<Markup>,
    /// Where else one can go from it: what that is called, and its place.
    ways: Vec<(String, String)>,
    /// Where it is kept while it is filled in, if it is.
    keeping: Option<String>,
    /// What it was filled in with, if it is shown as it was.
    restored: Option<Values>,
}

impl HtmlSafe for FormPart {}

impl FormPart {
    /// A form that is sent to this place, with what its button says.
    pub(crate) fn new(
        action: impl Into<String>,
        (csrf, once): (String, String),
        fields: Vec<Field>,
        submit: impl Into<String>,
    ) -> Self {
        Self {
            action: action.into(),
            csrf,
            once,
            problems: None,
            fields,
            submit: submit.into(),
            submit_as: None,
            others: Vec::new(),
            is_judged: false,
            is_dangerous: false,
            has_files: false,
            hidden: Vec::new(),
            above: None,
            ways: Vec::new(),
            keeping: None,
            restored: None,
        }
    }

    /// With more to be filled in, above its fields.
    pub(crate) fn above(mut self, above: &impl Template) -> Self {
        self.above = Some(Markup::of(above));
        self
    }

    /// With a way elsewhere beside its button.
    pub(crate) fn leads_to(mut self, label: impl Into<String>, href: impl Into<String>) -> Self {
        self.ways.push((label.into(), href.into()));
        self
    }

    /// Which is kept at a place while it is filled in, and is filled in as it was, if it was before.
    pub(crate) fn kept(mut self, place: Option<String>, values: Option<Values>) -> Self {
        self.keeping = place.filter(|_| !self.fields.is_empty());
        if let Some(values) = &values {
            self.fields.iter_mut().for_each(|field| field.refill(values));
        }
        self.restored = values;
        self
    }

    /// Which takes away what is not easily brought back.
    pub(crate) fn dangerous(mut self) -> Self {
        self.is_dangerous = true;
        self
    }

    /// Whose button sends this of itself.
    pub(crate) fn submit_as(mut self, name: &'static str, value: &'static str) -> Self {
        self.submit_as = Some((name, value));
        self
    }

    /// With another button, which sends this of itself.
    pub(crate) fn or(
        mut self,
        label: impl Into<String>,
        name: &'static str,
        value: &'static str,
    ) -> Self {
        self.others.push((label.into(), name, value));
        self
    }

    /// Which is judged by the page whenever something of it was changed, without being carried out.
    pub(crate) fn judged(mut self) -> Self {
        self.is_judged = true;
        self
    }

    /// Which sends files.
    pub(crate) fn with_files(mut self) -> Self {
        self.has_files = true;
        self
    }

    /// Which is typed into at a field at once, as far as it has one of that name.
    pub(crate) fn begun_at(mut self, name: &str) -> Self {
        let _ = self.fields.iter_mut().any(|field| field.begin(name));
        self
    }

    /// With a value that nobody fills in.
    pub(crate) fn hidden(
        mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<String>,
    ) -> Self {
        let name: Cow<'static, str> = name.into();
        let before = self.restored.as_ref().and_then(|values| values.get(&name));
        let value: String = before.map_or_else(|| value.into(), str::to_owned);
        self.hidden.push((name, value));
        self
    }
}

#[cfg(test)]
mod tests {
    use kernel::{FieldFault, Language, message};

    use super::*;

    fn form(values: &Values) -> FormPart {
        let fields = vec![
            Field::text("name", "Name", values).hint("As on the door"),
            Field::input("password", "password", "Password", values),
        ];
        FormPart::new("/panel/x", ("c".to_owned(), "o".to_owned()), fields, "Save")
    }

    #[test]
    fn fields_side_by_side_have_their_faults_too() {
        let inner = vec![Field::text("items[0].quantity", "Quantity", &Values::default())];
        let fields = vec![Field::group("items[0]", "Item 1", inner)];
        let form = FormPart::new("/panel/x", ("c".to_owned(), "o".to_owned()), fields, "Save");
        let fault = FieldFault::new("items[0].quantity", message!("is wrong", "está mal"));
        let html = form.faulty("Wrong:", &[fault], Language::English).render().unwrap();
        assert!(html.contains("<legend>Item 1</legend>"), "{html}");
        assert!(html.contains("<a href=\"#items[0].quantity\">Quantity is wrong</a>"), "{html}");
        assert!(html.contains("id=\"items[0].quantity-fault\""), "{html}");
    }

    #[test]
    fn what_was_filled_in_is_text_and_secrets_are_gone() {
        let values = Values::with(&[("name", "\"><script>x</script>"), ("password", "hunter2")]);
        let html = form(&values).render().unwrap();
        assert!(!html.contains("<script>") && !html.contains("hunter2"), "{html}");
        assert!(
            html.contains("script") && html.contains("aria-describedby=\"name-hint\""),
            "{html}"
        );
    }

    #[test]
    fn a_form_is_filled_in_as_it_was() {
        let now = Values::with(&[("name", "Ana"), ("kind", "b"), ("tick", "true")]);
        let choices = vec![("a".to_owned(), "A".to_owned()), ("b".to_owned(), "B".to_owned())];
        let fields = vec![
            Field::group("one", "One", vec![Field::text("name", "Name", &now)]),
            Field::select("kind", "Kind", choices, &now),
            Field::tick("tick", "Tick", &now),
            Field::input("password", "password", "Password", &now),
        ];
        let tokens = ("c".to_owned(), "o".to_owned());
        let before =
            Values::with(&[("name", "Be"), ("kind", "a"), ("password", "x"), ("version", "3")]);
        let form = FormPart::new("/panel/x/y", tokens, fields, "Save");
        let form = form.kept(Some("/panel/x/forms".to_owned()), Some(before));
        let html = form.hidden("version", "4").render().unwrap();
        assert!(html.contains("value=\"Be\"") && !html.contains("Ana"), "{html}");
        assert!(html.contains("<option value=\"a\" selected>"), "{html}");
        assert!(!html.contains("checked") && !html.contains("value=\"x\""), "{html}");
        assert!(html.contains("name=\"version\" value=\"3\""), "{html}");
        assert!(html.contains("data-keep=\"/panel/x/forms\""), "{html}");
        assert!(html.contains(" data-secret"), "{html}");
    }

    #[test]
    fn faults_stand_at_their_fields_and_above() {
        let faults = [
            FieldFault::new("name", message!("is required", "es obligatorio")),
            FieldFault::new("", message!("too late", "demasiado tarde")),
        ];
        let form = form(&Values::default()).faulty("Please correct", &faults, Language::Spanish);
        let html = form.render().unwrap();
        assert!(html.contains("<a href=\"#name\">Name es obligatorio</a>"), "{html}");
        assert!(html.contains("id=\"name-fault\"") && html.contains("demasiado tarde"), "{html}");
        assert!(html.contains("aria-describedby=\"name-hint name-fault\""), "{html}");
    }
}
