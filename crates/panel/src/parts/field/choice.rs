//! What can be chosen in a field.

/// One of the values of a field.
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) label: String,
    /// What it means, if its label does not say so.
    pub(crate) hint: Option<String>,
    pub(crate) is_chosen: bool,
    /// What another field must say for it to be a choice, words with spaces between; nothing if it always is one.
    pub(crate) fits: String,
    /// Whether the other field says something else.
    pub(crate) is_away: bool,
}

impl Choice {
    /// A choice that there always is.
    pub(crate) fn new(value: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            label: label.into(),
            hint: None,
            is_chosen: false,
            fits: String::new(),
            is_away: false,
        }
    }

    /// Which is one only where another field says one of these words.
    pub(crate) fn fitting(mut self, words: &[&str]) -> Self {
        self.fits = words.join(" ");
        self
    }
}
