//! Forms: their fields, what is wrong with them, and the buttons below.

use askama::{Template, filters::HtmlSafe};
use kernel::{FieldFault, Language};

use crate::form::Values;

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
    Select(Vec<Choice>),
    Boxes(Vec<Choice>),
    Tick,
}

/// A field with its label above it.
#[derive(Template)]
#[template(path = "parts/field.html", whitespace = "minimize")]
pub(crate) struct Field {
    name: &'static str,
    label: String,
    value: String,
    kind: Kind,
    hint: Option<String>,
    fault: Option<String>,
    autocomplete: Option<&'static str>,
    is_ticked: bool,
    described_by: String,
}

impl HtmlSafe for Field {}

impl Field {
    /// A line of text of a type of HTML, with what was filled in.
    pub(crate) fn input(
        kind: &'static str,
        name: &'static str,
        label: impl Into<String>,
        values: &Values,
    ) -> Self {
        Self::of(Kind::Input(kind), name, label.into(), values)
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
        Self::of(Kind::Select(choices), name, label.into(), values)
    }

    /// Some of several values, each with a box of its own; the value of a choice is the name of its box.
    pub(crate) fn boxes(
        name: &'static str,
        label: impl Into<String>,
        choices: Vec<Choice>,
    ) -> Self {
        Self::of(Kind::Boxes(choices), name, label.into(), &Values::default())
    }

    /// Yes or no.
    pub(crate) fn tick(name: &'static str, label: impl Into<String>, values: &Values) -> Self {
        let is_ticked = values.has(name);
        Self { is_ticked, ..Self::of(Kind::Tick, name, label.into(), values) }
    }

    fn of(kind: Kind, name: &'static str, label: String, values: &Values) -> Self {
        let value = values.shown(name).to_owned();
        Self {
            name,
            label,
            value,
            kind,
            hint: None,
            fault: None,
            autocomplete: None,
            is_ticked: false,
            described_by: String::new(),
        }
    }

    /// With a sentence that helps to fill it in.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self.describe();
        self
    }

    /// With what browsers may fill in by themselves.
    pub(crate) fn autocomplete(mut self, token: &'static str) -> Self {
        self.autocomplete = Some(token);
        self
    }

    /// Whether a fault is of this field, or of one of its boxes.
    fn is_meant(&self, field: &str) -> bool {
        let rest = field.trim_matches('"').strip_prefix(self.name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    }

    fn blame(&mut self, faults: &[FieldFault], language: Language) {
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
    field: Option<&'static str>,
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
    hidden: Vec<(&'static str, String)>,
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
            hidden: Vec::new(),
        }
    }

    /// Which takes away what is not easily brought back.
    pub(crate) fn dangerous(mut self) -> Self {
        self.is_dangerous = true;
        self
    }

    /// With a value that nobody fills in.
    pub(crate) fn hidden(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.hidden.push((name, value.into()));
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
            let field = self.fields.iter().find(|field| field.is_meant(&fault.field));
            let label = field.map_or(fault.field.as_str(), |field| field.label.as_str());
            let sentence = told(label, fault, language);
            Problem { field: field.map(|field| field.name), sentence }
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
