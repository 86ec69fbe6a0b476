//! How far something is that goes on in the background.

use askama::{Template, filters::HtmlSafe};

/// A bar that fills. While it moves the page is looked at again.
#[derive(Template)]
#[template(path = "parts/progress.html", whitespace = "minimize")]
pub(crate) struct Progress {
    label: String,
    done: u64,
    /// Of how many, once that is known.
    total: Option<u64>,
    /// The same in words.
    text: String,
    is_moving: bool,
}

impl HtmlSafe for Progress {}

impl Progress {
    /// Between two looks.
    pub(crate) const SECONDS: u32 = 2;

    /// So many of those that there are, in words, too.
    pub(crate) fn new(
        label: impl Into<String>,
        (done, total): (u64, Option<u64>),
        text: String,
        is_moving: bool,
    ) -> Self {
        // A bar of nothing would be empty however far it is.
        let total = total.filter(|total| *total > 0);
        Self { label: label.into(), done, total, text, is_moving }
    }

    /// Whether it has not come to its end.
    pub(crate) const fn is_moving(&self) -> bool {
        self.is_moving
    }
}
