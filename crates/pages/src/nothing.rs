//! What is seen by who holds a link that leads nowhere.

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
}

/// The page of a link that was never made, was closed or has expired: it does not say which.
#[must_use]
pub fn nothing(language: Language) -> String {
    drawn(&Nothing { t: texts(language), sandbox: false })
}
