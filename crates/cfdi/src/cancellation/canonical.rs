//! Text as Canonical XML 1.0 writes it, so that what is signed is what is sent.

/// The value of an attribute.
pub(super) fn attribute(value: &str) -> String {
    escaped(value, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '"' => Some("&quot;"),
        '\t' => Some("&#x9;"),
        '\n' => Some("&#xA;"),
        '\r' => Some("&#xD;"),
        _ => None,
    })
}

/// The text of an element.
pub(super) fn text(value: &str) -> String {
    escaped(value, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '\r' => Some("&#xD;"),
        _ => None,
    })
}

fn escaped(value: &str, reference: impl Fn(char) -> Option<&'static str>) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        match reference(c) {
            Some(reference) => out.push_str(reference),
            None => out.push(c),
        }
    }
    out
}
