//! Forms: their fields, what is wrong with them, and the buttons below.

use std::borrow::Cow;

use askama::{Template, filters::HtmlSafe};
use kernel::{FieldFault, Language};

use crate::{form::Values, markup::Markup};

/// One of the values of a field.
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) label: String,
    /// What it means, if its label does not say so.
    pub(crate) hint: Option<String>,
    pub(crate) is_chosen: bool,
}

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
    autocomplete: Option<&'static str>,
    is_ticked: bool,
    is_lined: bool,
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
        Self::of(Kind::Input(kind), name.into(), label.into(), values)
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
        name: &'static str,
        label: impl Into<String>,
        choices: Vec<(String, String)>,
        values: &Values,
    ) -> Self {
        let given = values.shown(name).to_owned();
        let choice = |(value, label): (String, String)| {
            let is_chosen = value == given;
            Choice { value, label, hint: None, is_chosen }
        };
        let choices = choices.into_iter().map(choice).collect();
        Self::of(Kind::Select(choices), name.into(), label.into(), values)
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

    /// Fields that most people leave as they are, behind their heading.
    pub(crate) fn behind(
        name: impl Into<Cow<'static, str>>,
        label: impl Into<String>,
        fields: Vec<Field>,
    ) -> Self {
        Self::of(Kind::Behind(fields), name.into(), label.into(), &Values::default())
    }

    /// Whether something inside of it is filled in or wrong.
    fn is_opened(&self) -> bool {
        match &self.kind {
            Kind::Group(fields) | Kind::Behind(fields) => fields.iter().any(Self::is_opened),
            _ => self.fault.is_some() || !self.value.is_empty(),
        }
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
            autocomplete: None,
            is_ticked: false,
            is_lined: false,
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

    /// Whether a fault is of this field, or of one of its boxes.
    fn is_meant(&self, field: &str) -> bool {
        let rest = field.trim_matches('"').strip_prefix(&*self.name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    }

    /// The field that a fault is of: this one, or one inside of it.
    fn meant(&self, fault: &str) -> Option<&Field> {
        match &self.kind {
            Kind::Group(fields) | Kind::Behind(fields) => {
                fields.iter().find_map(|field| field.meant(fault))
            }
            _ => self.is_meant(fault).then_some(self),
        }
    }

    fn blame(&mut self, faults: &[FieldFault], language: Language) {
        if let Kind::Group(fields) | Kind::Behind(fields) = &mut self.kind {
            fields.iter_mut().for_each(|field| field.blame(faults, language));
            return;
        }
        let fault = faults.iter().find(|fault| self.is_meant(&fault.field));
        let told = fault.map(|fault| told(&self.label, fault, language));
        if told.is_some() {
            self.fault = told;
        }
        self.describe();
    }

    fn describe(&mut self) {
        let hint = self.hint.is_some().then(|| format!("{}-hint", self.name));
        let fault = self.fault.is_some().then(|| format!("{}-fault", self.name));
        let parts: Vec<_> = hint.into_iter().chain(fault).collect();
        self.described_by = parts.join(" ");
    }
}

/// A fault as a sentence that begins with the field's label.
fn told(label: &str, fault: &FieldFault, language: Language) -> String {
    let clause = fault.problem.in_language(language);
    if label.is_empty() { clause.to_owned() } else { format!("{label} {clause}") }
}

/// What is wrong with a form: a line for each fault, which leads to its field.
#[derive(Template)]
#[template(path = "parts/problems.html", whitespace = "minimize")]
pub(crate) struct Problems {
    title: &'static str,
    lines: Vec<Problem>,
}

impl HtmlSafe for Problems {}

struct Problem {
    /// The field's name, if it has one.
    field: Option<Cow<'static, str>>,
    sentence: String,
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
    is_dangerous: bool,
    has_files: bool,
    hidden: Vec<(Cow<'static, str>, String)>,
    /// What stands above its fields and is sent with them.
    above: Option<Markup>,
    /// Where else one can go from it: what that is called, and its place.
    ways: Vec<(String, String)>,
    /// Another button: the name and value that it sends, and what it says.
    other: Option<(&'static str, &'static str, String)>,
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
            is_dangerous: false,
            has_files: false,
            hidden: Vec::new(),
            above: None,
            ways: Vec::new(),
            other: None,
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

    /// With another button, which sends a value.
    pub(crate) fn or(
        mut self,
        label: impl Into<String>,
        name: &'static str,
        value: &'static str,
    ) -> Self {
        self.other = Some((name, value, label.into()));
        self
    }

    /// Which takes away what is not easily brought back.
    pub(crate) fn dangerous(mut self) -> Self {
        self.is_dangerous = true;
        self
    }

    /// Which sends files.
    pub(crate) fn with_files(mut self) -> Self {
        self.has_files = true;
        self
    }

    /// With a value that nobody fills in.
    pub(crate) fn hidden(
        mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<String>,
    ) -> Self {
        self.hidden.push((name.into(), value.into()));
        self
    }

    /// With what is wrong, each fault at its field and all of them above, under a title.
    pub(crate) fn faulty(
        mut self,
        title: &'static str,
        faults: &[FieldFault],
        language: Language,
    ) -> Self {
        for field in &mut self.fields {
            field.blame(faults, language);
        }
        let line = |fault: &FieldFault| {
            let field = self.fields.iter().find_map(|field| field.meant(&fault.field));
            let label = field.map_or(fault.field.as_str(), |field| field.label.as_str());
            let sentence = told(label, fault, language);
            Problem { field: field.map(|field| field.name.clone()), sentence }
        };
        let lines: Vec<_> = faults.iter().map(line).collect();
        self.problems = (!lines.is_empty()).then_some(Problems { title, lines });
        self
    }
}

#[cfg(test)]
mod tests {
    use kernel::message;

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
