//! What a page is made of, whatever it says.

/// Attributes whose values decide how something looks or what it is taken for.
const TELLING: [&str; 4] = [" class=", " type=", " role=", " aria-sort="];

/// The elements of the content of a page, and which of them say something. What is the same in two pages looks the same in both.
pub(super) fn shape(html: &str) -> String {
    let content = html.split_once("<main ").map_or(html, |(_, content)| content);
    let mut shape = String::new();
    for part in content.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        // There are as many of them as there is to be chosen from.
        if tag.trim_start_matches('/').starts_with("option") {
            continue;
        }
        let mut parts = tag.split('"');
        while let Some(named) = parts.next() {
            shape.push_str(named);
            let value = parts.next().unwrap_or_default();
            if TELLING.iter().any(|name| named.ends_with(name)) {
                shape.push_str(value);
            }
        }
        shape.push(if text.trim().is_empty() { '\n' } else { '.' });
    }
    shape
}
