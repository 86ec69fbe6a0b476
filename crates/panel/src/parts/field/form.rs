//! Forms: their fields, what is sent with them, and the buttons below.

use std::borrow::Cow;

use askama::{Template, filters::HtmlSafe};

use super::{Field, faults::Problems};
use crate::{assets, form::Values, markup::Markup};

/// A form with its fields.
#[derive(Template)]
#[template(path = "parts/form.html", whitespace = "minimize")]
pub(crate) struct FormPart {
    action: String,
    csrf: String,
    /// The same whenever the page is sent: the second time has no further effect.
    once: String,
    pub(super) problems: Option<Problems>,
    pub(super) fields: Vec<Field>,
    submit: String,
    /// What the button sends of itself.
    submit_as: Option<(&'static str, &'static str)>,
    /// Further buttons, each with what it sends of itself.
    others: Vec<(String, &'static str, &'static str)>,
    is_judged: bool,
    is_dangerous: bool,
    has_files: bool,
    pub(super) hidden: Vec<(Cow<'static, str>, String)>,
    /// What stands above its fields and is sent with them.
    above: Option<Markup>,
    /// Where else one can go from it: what that is called, and its place.
    ways: Vec<(String, String)>,
    /// Where it is kept while it is filled in, if it is.
    keeping: Option<String>,
    /// What it was filled in with, if it is shown as it was.
    pub(super) restored: Option<Values>,
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
    fn whoever_sends_what_is_not_offered_reads_what_is() {
        let choices = [("", "—"), ("cash", "Efectivo"), ("transfer", "Transferencia")];
        let choices = choices.map(|(value, label)| (value.to_owned(), label.to_owned()));
        let problem = message!("must be one of cash, transfer", "debe ser uno de cash, transfer");
        let told = |sent: &str| {
            let values = Values::with(&[("method", sent)]);
            let fields = vec![Field::select("method", "Método", choices.to_vec(), &values)];
            let form = FormPart::new("/panel/x", ("c".to_owned(), "o".to_owned()), fields, "Save");
            let fault = FieldFault::new("method", problem.clone());
            form.faulty("Corrige:", &[fault], Language::Spanish).render().unwrap()
        };
        let html = told("bitcoin");
        let own = "Método debe ser una de las opciones: Efectivo; Transferencia<";
        assert_eq!(html.matches(own).count(), 2, "{html}");
        assert!(!html.contains("cash, transfer"), "{html}");
        let events = Field::boxes("events", "Eventos", Vec::new()).subject("Los eventos");
        let form =
            FormPart::new("/panel/x", ("c".to_owned(), "o".to_owned()), vec![events], "Save");
        let fault = FieldFault::new("events", message!("must be", "deben incluir al menos uno"));
        let html = form.faulty("Corrige:", &[fault], Language::Spanish).render().unwrap();
        assert_eq!(html.matches("Los eventos deben incluir al menos uno").count(), 2, "{html}");
        assert!(html.contains("Eventos</"), "{html}");
        // What is wrong with a choice itself is told as it is.
        assert_eq!(told("cash").matches("debe ser uno de cash").count(), 2);
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
