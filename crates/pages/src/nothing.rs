//! What is seen by who holds a link that leads nowhere, or nowhere now.

use askama::Template;
use kernel::Language;

use crate::{
    drawn,
    texts::{Texts, texts},
};

#[derive(Template)]
#[template(path = "nothing.html", whitespace = "minimize")]
struct Nothing {
    t: &'static Texts,
    sandbox: bool,
    title: &'static str,
    text: &'static str,
}

/// The page of a link that was never made, was closed or has expired: it does not say which.
#[must_use]
pub fn nothing(language: Language) -> String {
    let t = texts(language);
    drawn(&Nothing { t, sandbox: false, title: t.nothing_title, text: t.nothing_text })
}

/// What is seen while the service cannot answer.
#[must_use]
pub fn unavailable(language: Language) -> String {
    let t = texts(language);
    drawn(&Nothing { t, sandbox: false, title: t.down_title, text: t.down_text })
}

/// What is seen by who comes too often.
#[must_use]
pub fn too_many(language: Language) -> String {
    let t = texts(language);
    drawn(&Nothing { t, sandbox: false, title: t.too_often_title, text: t.too_often_text })
}
