//! The *cadena original*: values joined by bars.

use super::Sink;

pub(super) struct Cadena(String);

impl Cadena {
    pub(super) fn new() -> Self {
        Self(String::from("|"))
    }

    pub(super) fn finish(mut self) -> String {
        self.0.push_str("||");
        self.0
    }
}

impl Sink for Cadena {
    fn open(&mut self, _name: &'static str) {}

    fn close(&mut self, _name: &'static str) {}

    fn attribute(&mut self, _name: &'static str, value: &str) {
        self.0.push('|');
        // As the authority's style sheet normalises: ends trimmed, runs of white space made one.
        for (position, word) in value.split_ascii_whitespace().enumerate() {
            if position > 0 {
                self.0.push(' ');
            }
            self.0.push_str(word);
        }
    }

    fn cadena_only(&mut self, value: &str) {
        self.attribute("", value);
    }
}
