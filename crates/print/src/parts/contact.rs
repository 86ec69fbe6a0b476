//! Where the issuer is found.

use kernel::Language;

use crate::{
    block::Block,
    look::{ADDRESS_LINES_MAX, Contact},
    text::{Span, Style, clean, paragraph_of, shortened},
    texts,
};

/// Where the issuer is found; no text of any length takes more than a part of the masthead.
pub(crate) fn contact(contact: &Contact, span: Span, language: Language) -> Block {
    const STYLE: Style = Style::TEXT.sized(7.6, 9.8);
    let address = contact.address.iter().filter(|line| !line.trim().is_empty());
    let address = address.take(ADDRESS_LINES_MAX);
    let address = address.map(|line| paragraph_of(line, span, STYLE, ADDRESS_LINE_LINES_MAX));
    let phone = contact.phone.as_deref().filter(|text| !text.trim().is_empty());
    let phone = phone.map(|number| texts::PHONE.with(language, &[number]));
    let reached = [phone, contact.email.clone(), contact.website.clone()];
    let reached = reached.into_iter().flatten();
    let reached = reached.map(|text| shortened(clean(&text).trim(), span.width, STYLE));
    let reached = packed(reached.filter(|text| !text.is_empty()), span.width, STYLE);
    let reached = reached.iter().map(|line| paragraph_of(line, span, STYLE, 1)).collect();
    let lines = address.collect::<Block>().then(reached);
    if lines.height() > 0.0 { Block::space(2.5).then(lines) } else { lines }
}

/// In how many lines each line of the address is printed at most.
const ADDRESS_LINE_LINES_MAX: usize = 2;

/// Texts in lines of as many as fit beside each other.
fn packed(texts: impl Iterator<Item = String>, width: f32, style: Style) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for text in texts {
        let longer = lines.last().map(|line| format!("{line} · {text}"));
        match (lines.last_mut(), longer) {
            (Some(line), Some(longer)) if style.width(&longer) <= width => *line = longer,
            _ => lines.push(text),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_packed_into_lines() {
        let width = Style::TEXT.width("Tel. 55 · a@b.mx · ");
        let lines = |texts: &[&str]| {
            packed(texts.iter().map(|text| (*text).to_owned()), width, Style::TEXT)
        };
        assert_eq!(lines(&["Tel. 55", "a@b.mx"]), ["Tel. 55 · a@b.mx"]);
        assert_eq!(lines(&["Tel. 55", "a@b.mx", "b.mx"]), ["Tel. 55 · a@b.mx", "b.mx"]);
        assert!(lines(&[]).is_empty());
    }
}
