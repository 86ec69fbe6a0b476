//! The pages: what their templates are given.

use askama::{Template, filters::HtmlSafe};

use crate::{
    Reference,
    chapters::Chapter,
    fields::Field,
    operations::Shown,
    search::{self, Found},
};

#[derive(Template)]
#[template(path = "overview.html", whitespace = "minimize")]
struct Overview<'a> {
    reference: &'a Reference,
    current: Option<&'a Chapter>,
    words: &'a str,
    origin: &'a str,
}

#[derive(Template)]
#[template(path = "chapter.html", whitespace = "minimize")]
struct ChapterPage<'a> {
    reference: &'a Reference,
    chapter: &'a Chapter,
    current: Option<&'a Chapter>,
    words: &'a str,
    origin: &'a str,
}

#[derive(Template)]
#[template(path = "search.html", whitespace = "minimize")]
struct Results<'a> {
    reference: &'a Reference,
    current: Option<&'a Chapter>,
    words: &'a str,
    found: Vec<Found<'a>>,
}

#[derive(Template)]
#[template(path = "nothing.html", whitespace = "minimize")]
struct Nothing<'a> {
    reference: &'a Reference,
    current: Option<&'a Chapter>,
    words: &'a str,
}

/// A list of fields, with the lists within it.
#[derive(Template)]
#[template(path = "fields.html", whitespace = "minimize")]
struct FieldList<'a> {
    reference: &'a Reference,
    title: &'a str,
    /// Where a request carries them; nowhere if an answer does.
    place: &'a str,
    fields: &'a [Field],
}

impl HtmlSafe for FieldList<'_> {}

pub(crate) fn overview(reference: &Reference, origin: &str) -> String {
    written(&Overview { reference, current: None, words: "", origin })
}

pub(crate) fn chapter(reference: &Reference, chapter: &Chapter, origin: &str) -> String {
    let current = Some(chapter);
    written(&ChapterPage { reference, chapter, current, words: "", origin })
}

pub(crate) fn search(reference: &Reference, words: &str) -> String {
    let found = search::find(reference, words);
    written(&Results { reference, current: None, words, found })
}

pub(crate) fn nothing(reference: &Reference) -> String {
    written(&Nothing { reference, current: None, words: "" })
}

/// Templates over plain data do not fail.
fn written(page: &impl Template) -> String {
    page.render().unwrap_or_default()
}

impl Reference {
    /// Where an object is described.
    fn home(&self, name: &str) -> String {
        let describes = |chapter: &&Chapter| chapter.objects.iter().any(|it| it.name == name);
        match self.chapters.iter().find(describes) {
            Some(chapter) => format!("/docs/{}#{name}", chapter.slug),
            None => format!("#{name}"),
        }
    }

    /// Fields of a request, under a title.
    fn fields<'a>(&'a self, title: &'a str, place: &'a str, fields: &'a [Field]) -> FieldList<'a> {
        FieldList { reference: self, title, place, fields }
    }

    /// Fields of an object.
    fn nested<'a>(&'a self, fields: &'a [Field], place: &'a str) -> FieldList<'a> {
        FieldList { reference: self, title: "", place, fields }
    }

    /// Whether this chapter is the one that is shown.
    fn is_shown(chapter: &Chapter, current: Option<&Chapter>) -> bool {
        current.is_some_and(|current| current.slug == chapter.slug)
    }
}
