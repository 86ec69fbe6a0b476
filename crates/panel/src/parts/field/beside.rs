//! Forms about what somebody else has changed meanwhile: what is saved now stands beside what was filled in.

use std::borrow::Cow;

use super::{Choice, Field, FormPart, Kind};
use crate::{form::Values, texts::Say};

/// The field of the version that was seen.
const VERSION: &str = "version";

impl FormPart {
    /// Which changes what is saved as these values by now. What was filled in over an earlier version stays, with what is saved
    /// now wherever that is something else; sent again, it is sent over what is shown.
    pub(crate) fn over(mut self, say: Say, sent: &Values, now: &Values) -> Self {
        let seen = self.restored.as_ref().unwrap_or(sent).filled(VERSION);
        let version = now.shown(VERSION);
        if seen.is_some_and(|seen| seen != version) {
            self.fields.iter_mut().for_each(|field| field.beside(say, now));
        }
        self.hidden.push((Cow::Borrowed(VERSION), version.to_owned()));
        self
    }
}

impl Field {
    fn beside(&mut self, say: Say, now: &Values) {
        if let Kind::Group(fields) | Kind::Behind(fields) = &mut self.kind {
            fields.iter_mut().for_each(|field| field.beside(say, now));
            return;
        }
        let saved = self.saved(say, now);
        self.theirs = saved.map(|saved| {
            let saved = if saved.is_empty() { say.nothing_saved() } else { saved.as_str() };
            say.saved_now(saved)
        });
        self.describe();
    }

    /// What is saved in the place of what is filled in, if that is something else.
    fn saved(&self, say: Say, now: &Values) -> Option<String> {
        match &self.kind {
            Kind::Group(_) | Kind::Behind(_) => None,
            Kind::Input(_) | Kind::Area(_) if self.is_secret() => None,
            Kind::Input(_) | Kind::Area(_) => {
                let saved = now.shown(&self.name);
                (lines(saved) != lines(&self.value)).then(|| saved.to_owned())
            }
            Kind::Tick => {
                let is_ticked = now.has(&self.name);
                (is_ticked != self.is_ticked).then(|| say.whether(is_ticked).to_owned())
            }
            Kind::Select(choices) => {
                let given = now.shown(&self.name);
                // A browser shows the first one where none is chosen.
                let one = |is_it: &dyn Fn(&Choice) -> bool| {
                    choices.iter().find(|choice| is_it(choice)).or(choices.first())
                };
                let (ours, theirs) =
                    (one(&|choice| choice.is_chosen)?, one(&|choice| choice.value == given)?);
                (ours.value != theirs.value).then(|| theirs.label.clone())
            }
            Kind::Boxes(choices) => {
                let is_same = choices.iter().all(|it| it.is_chosen == now.has(&it.value));
                let saved = choices.iter().filter(|it| now.has(&it.value));
                let saved: Vec<_> = saved.map(|it| it.label.as_str()).collect();
                (!is_same).then(|| saved.join(", "))
            }
        }
    }
}

/// Text without what browsers change about it.
fn lines(text: &str) -> String {
    text.trim().replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use askama::Template;
    use kernel::Language;

    use super::*;

    const SAY: Say = Say(Language::English);

    fn form(values: &Values) -> FormPart {
        let kinds = [("a", "Alpha"), ("b", "Beta")];
        let kinds = kinds.map(|(value, label)| (value.to_owned(), label.to_owned())).into();
        let choice = |name: &str| {
            let is_chosen = values.has(name);
            Choice { is_chosen, ..Choice::new(name.to_owned(), name.to_owned()) }
        };
        let fields = vec![
            Field::text("name", "Name", values).hint("As on the door"),
            Field::area("notes", "Notes", 2, values),
            Field::select("kind", "Kind", kinds, values),
            Field::group("g", "Group", vec![Field::tick("tick", "Tick", values)]),
            Field::boxes("boxes", "Boxes", ["one", "two"].map(choice).into()),
            Field::input("password", "password", "Password", values),
        ];
        FormPart::new("/panel/x", ("c".to_owned(), "o".to_owned()), fields, "Save")
    }

    #[test]
    fn what_is_saved_now_stands_beside_what_was_filled_in() {
        let ours = Values::with(&[
            ("name", "Ana"),
            ("notes", "one\r\ntwo"),
            ("kind", "a"),
            ("one", "true"),
            ("version", "3"),
        ]);
        let now = Values::with(&[
            ("name", "<Bea>"),
            ("notes", "one\ntwo"),
            ("kind", "b"),
            ("tick", "true"),
            ("one", "true"),
            ("two", "true"),
            ("password", "hunter2"),
            ("version", "4"),
        ]);
        let html = form(&ours).over(SAY, &ours, &now).render().unwrap();
        for saved in ["&#60;Bea&#62;", "Beta", "yes", "one, two"] {
            assert!(html.contains(&format!("Saved now: {saved}</p>")), "{saved}: {html}");
        }
        assert_eq!(html.matches("Saved now").count(), 4, "{html}");
        assert!(html.contains("aria-describedby=\"name-hint name-theirs\""), "{html}");
        assert!(html.contains("value=\"Ana\"") && !html.contains("hunter2"), "{html}");
        assert!(html.contains("name=\"version\" value=\"4\""), "{html}");
        let emptied = Values::with(&[("kind", "a"), ("one", "true"), ("version", "4")]);
        let html = form(&ours).over(SAY, &ours, &emptied).render().unwrap();
        assert_eq!(html.matches("Saved now: (empty)").count(), 2, "{html}");
    }

    #[test]
    fn nothing_stands_beside_what_nobody_has_changed() {
        let ours = Values::with(&[("name", "Ana"), ("version", "3")]);
        let now = Values::with(&[("name", "Bea"), ("version", "3")]);
        for sent in [&ours, &Values::default()] {
            let html = form(&ours).over(SAY, sent, &now).render().unwrap();
            assert!(!html.contains("Saved now"), "{html}");
            assert!(html.contains("name=\"version\" value=\"3\""), "{html}");
        }
    }

    #[test]
    fn a_form_that_is_shown_as_it_was_is_sent_over_what_is_saved_now() {
        let before = Values::with(&[("name", "Ana"), ("version", "3")]);
        let now = Values::with(&[("name", "Bea"), ("version", "4")]);
        let form = form(&now).kept(Some("/panel/x/forms".to_owned()), Some(before));
        let html = form.over(SAY, &Values::default(), &now).render().unwrap();
        assert!(html.contains("Saved now: Bea</p>") && html.contains("value=\"Ana\""), "{html}");
        assert!(html.contains("name=\"version\" value=\"4\""), "{html}");
    }
}
