//! The XML, on one line and without a byte order mark.

use std::borrow::Cow;

use super::Sink;

pub(super) struct Xml {
    text: String,
    /// Whether the last opening tag still takes attributes.
    in_tag: bool,
}

impl Xml {
    pub(super) fn new() -> Self {
        Self { text: String::from(r#"<?xml version="1.0" encoding="UTF-8"?>"#), in_tag: false }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    fn end_tag(&mut self) {
        if self.in_tag {
            self.text.push('>');
            self.in_tag = false;
        }
    }
}

impl Sink for Xml {
    fn open(&mut self, name: &'static str) {
        self.end_tag();
        self.text.push('<');
        self.text.push_str(name);
        self.in_tag = true;
    }

    fn attribute(&mut self, name: &'static str, value: &str) {
        for part in [" ", name, "=\"", &escaped(value), "\""] {
            self.text.push_str(part);
        }
    }

    fn close(&mut self, name: &'static str) {
        if self.in_tag {
            self.text.push_str("/>");
            self.in_tag = false;
        } else {
            for part in ["</", name, ">"] {
                self.text.push_str(part);
            }
        }
    }

    fn xml_only(&mut self, name: &'static str, value: &str) {
        self.attribute(name, value);
    }
}

/// Text as an attribute's value, within double quotes.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    quick_xml::escape::escape(text)
}
