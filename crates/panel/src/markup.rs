//! Markup that a template has made.

use std::fmt;

use askama::{Template, filters::HtmlSafe};

/// HTML that is shown as it is. Only a template makes it, so that a text never becomes markup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Markup(String);

impl Markup {
    /// What a template draws. Writing to memory does not fail.
    pub(crate) fn of(template: &impl Template) -> Self {
        Self(template.render().unwrap_or_default())
    }

    /// Its HTML.
    pub(crate) fn into_html(self) -> String {
        self.0
    }
}

impl HtmlSafe for Markup {}

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
