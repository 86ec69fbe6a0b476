//! What is wrong with a form: at its fields, and all of it above them.

use askama::{Template, filters::HtmlSafe};
use kernel::{FieldFault, Language};

use super::{Choice, Field, FormPart, Kind};
use crate::texts::Say;

/// So many choices of a field are named where something else was sent.
const NAMED_MAX: usize = 12;

/// A fault as a sentence that begins with the field's label.
fn told(label: &str, fault: &FieldFault, language: Language) -> String {
    let clause = fault.problem.in_language(language);
    if label.is_empty() { clause.to_owned() } else { format!("{label} {clause}") }
}

/// What is wrong with a form: a line for each fault, which leads to its field.
#[derive(Template)]
#[template(path = "parts/problems.html", whitespace = "minimize")]
pub(crate) struct Problems {
    title: String,
    lines: Vec<Problem>,
    /// Whether the keyboard goes there at once.
    takes_focus: bool,
}

impl HtmlSafe for Problems {}

struct Problem {
    /// Where it is corrected: its field, or another page.
    href: Option<String>,
    sentence: String,
}

/// What a fault is of that no field of the form is of.
pub(crate) struct Elsewhere {
    /// What people call it.
    pub(crate) label: String,
    /// The page where it is corrected, if there is one.
    pub(crate) href: Option<String>,
}

impl Field {
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

    /// How sentences about it begin.
    fn called(&self) -> &str {
        self.subject.unwrap_or(&self.label)
    }

    /// With what is wrong with it, as a clause that follows its label; for a field outside of a form that is refused.
    pub(crate) fn wrong(mut self, clause: &str) -> Self {
        self.fault = Some(format!("{} {clause}", self.called()));
        self.describe();
        self
    }

    /// A fault of it as a sentence. Where something was sent that it does not offer, that says what it does, in the words of the page:
    /// a form knows choices by the names that they have in the API.
    fn told(&self, fault: &FieldFault, language: Language) -> String {
        match self.offered_instead(Say(language)) {
            Some(clause) => format!("{} {clause}", self.called()),
            None => told(self.called(), fault, language),
        }
    }

    /// What it offers, where something else was sent, as a clause.
    fn offered_instead(&self, say: Say) -> Option<String> {
        let Kind::Select(choices) = &self.kind else { return None };
        let is_offered = self.value.is_empty() || choices.iter().any(|it| it.value == self.value);
        let is_named = |choice: &&Choice| !choice.value.is_empty() && !choice.is_away;
        let mut named = choices.iter().filter(is_named).map(|choice| choice.label.as_str());
        let first: Vec<&str> = named.by_ref().take(NAMED_MAX).collect();
        if is_offered {
            return None;
        }
        if first.is_empty() {
            return Some(say.offers_nothing().to_owned());
        }
        // Names of choices have commas.
        let rest = if named.next().is_some() { "; …" } else { "" };
        Some(say.must_be_offered(&format!("{}{rest}", first.join("; "))))
    }

    fn blame(&mut self, faults: &[FieldFault], language: Language) {
        if let Kind::Group(fields) | Kind::Behind(fields) = &mut self.kind {
            fields.iter_mut().for_each(|field| field.blame(faults, language));
            return;
        }
        let fault = faults.iter().find(|fault| self.is_meant(&fault.field));
        let told = fault.map(|fault| self.told(fault, language));
        if told.is_some() {
            self.fault = told;
        }
        self.describe();
    }
}

impl FormPart {
    /// With what is wrong, each fault at its field and all of them above, under a title.
    pub(crate) fn faulty(
        self,
        title: impl Into<String>,
        faults: &[FieldFault],
        language: Language,
    ) -> Self {
        self.faulty_or(title, faults, language, |_| None)
    }

    /// The same, where some faults are of what is corrected elsewhere.
    pub(crate) fn faulty_or(
        mut self,
        title: impl Into<String>,
        faults: &[FieldFault],
        language: Language,
        elsewhere: impl Fn(&FieldFault) -> Option<Elsewhere>,
    ) -> Self {
        for field in &mut self.fields {
            field.blame(faults, language);
        }
        let line = |fault: &FieldFault| {
            if let Some(field) = self.fields.iter().find_map(|field| field.meant(&fault.field)) {
                let sentence = field.told(fault, language);
                return Problem { href: Some(format!("#{}", field.name)), sentence };
            }
            let other = elsewhere(fault);
            let label = other.as_ref().map_or(fault.field.as_str(), |other| other.label.as_str());
            let sentence = told(label, fault, language);
            Problem { href: other.and_then(|other| other.href), sentence }
        };
        let lines: Vec<_> = faults.iter().map(line).collect();
        let title = title.into();
        self.problems = (!lines.is_empty()).then_some(Problems { title, lines, takes_focus: true });
        self
    }

    /// Which is typed into at once whatever is wrong with it: a scanner reads on without looking.
    pub(crate) fn scanned(mut self) -> Self {
        if let Some(problems) = &mut self.problems {
            problems.takes_focus = false;
        }
        self
    }
}
