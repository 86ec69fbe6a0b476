//! Texts of the document as HTML.

use std::fmt;

use askama::filters::HtmlSafe;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html::push_html};

/// A text in HTML: what was markup in Markdown is markup, everything else is shown as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Html(String);

impl HtmlSafe for Html {}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Html {
    /// Paragraphs, lists and tables, with headings that can be linked to.
    pub(crate) fn document(markdown: &str) -> Self {
        Self::written(with_anchors(events(markdown).collect()).into_iter())
    }

    /// A description, which has no headings.
    pub(crate) fn of(markdown: &str) -> Self {
        Self::written(events(markdown))
    }

    /// The same without the paragraph around it, for the middle of a line.
    pub(crate) fn inline(markdown: &str) -> Self {
        let is_paragraph = |event: &Event<'_>| {
            matches!(event, Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph))
        };
        Self::written(events(markdown).filter(|event| !is_paragraph(event)))
    }

    /// Text as it is, line by line.
    pub(crate) fn verbatim(text: &str) -> Self {
        Self::written(std::iter::once(Event::Text(CowStr::from(text))))
    }

    /// Whether there is nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn written<'a>(events: impl Iterator<Item = Event<'a>>) -> Self {
        let mut html = String::new();
        push_html(&mut html, events);
        Self(html.trim_end().to_owned())
    }
}

/// The parts of a text; tags in it are text too.
fn events(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(tag) | Event::InlineHtml(tag) => Event::Text(tag),
        other => other,
    })
}

/// Headings named after their words.
fn with_anchors(mut events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    for at in 0..events.len() {
        let words = match events.get(at + 1) {
            Some(Event::Text(words)) => anchor(words),
            _ => continue,
        };
        if let Some(Event::Start(Tag::Heading { id, .. })) = events.get_mut(at) {
            *id = Some(CowStr::from(words));
        }
    }
    events
}

/// `Rate limits` becomes `rate-limits`.
pub(crate) fn anchor(words: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    words.chars().map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_markup_and_tags_are_text() {
        for (markdown, html) in [
            ("At most `limit` rows.", "At most <code>limit</code> rows."),
            ("a < b & <b>c</b>", "a &lt; b &amp; &lt;b&gt;c&lt;/b&gt;"),
            ("<script>x</script>", "&lt;script&gt;x&lt;/script&gt;"),
            ("", ""),
        ] {
            assert_eq!(Html::inline(markdown).to_string(), html);
        }
        assert_eq!(Html::of("one\n\ntwo").to_string(), "<p>one</p>\n<p>two</p>");
        let table = Html::of("| a | b |\n|---|---|\n| 1 | 2 |").to_string();
        assert!(table.contains("<td>2</td>"), "{table}");
    }

    #[test]
    fn headings_can_be_linked_to() {
        let html = Html::document("## Rate limits\nten").to_string();
        assert_eq!(html, "<h2 id=\"rate-limits\">Rate limits</h2>\n<p>ten</p>");
    }
}
