//! What the parser of trees lets pass, although XML 1.0 and its namespaces do not.

use quick_xml::{
    Reader,
    escape::resolve_predefined_entity,
    events::{BytesStart, Event},
};

use super::AddendaProblem;

/// The most namespaces that are declared, and the most attributes of an element. Trees are built in a time that grows
/// with their third power.
pub(super) const NAMES_MAX: usize = 64;

/// Refuses instructions, malformed names and references, and too many names.
pub(super) fn check(xml: &str) -> Result<(), AddendaProblem> {
    let mut reader = Reader::from_str(xml);
    let config = reader.config_mut();
    (config.check_comments, config.check_end_names) = (true, true);
    let mut declared = 0;
    loop {
        let before = position(xml, reader.buffer_position());
        let event = reader.read_event();
        let here = || malformed(before);
        match event.map_err(|_| here())? {
            Event::Eof => return Ok(()),
            Event::Start(element) | Event::Empty(element) => {
                // Before each is compared with the others.
                let count = element.attributes().with_checks(false).take(NAMES_MAX + 1).count();
                if count > NAMES_MAX {
                    return Err(AddendaProblem::TooManyNames);
                }
                declared += names(&element).ok_or_else(here)?;
                if declared > NAMES_MAX {
                    return Err(AddendaProblem::TooManyNames);
                }
            }
            Event::Text(text) if text.contains("]]>") => return Err(here()),
            Event::GeneralRef(reference) if !is_reference(&reference) => return Err(here()),
            Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {
                return Err(AddendaProblem::Instruction);
            }
            Event::Text(_)
            | Event::GeneralRef(_)
            | Event::End(_)
            | Event::CData(_)
            | Event::Comment(_) => {}
        }
    }
}

/// How many namespaces an element declares; `None` when a name, a value or a declaration of it is malformed.
fn names(element: &BytesStart<'_>) -> Option<usize> {
    let mut declared = 0;
    let name = element.name();
    if !is_qualified_name(name.as_ref()) || name.as_ref().starts_with("xmlns:") {
        return None;
    }
    // Duplicates are faults here, too.
    for attribute in element.attributes() {
        let attribute = attribute.ok()?;
        let (name, value) = (attribute.key.as_ref(), attribute.value.as_ref());
        if !is_qualified_name(name) || value.contains('<') || !are_references(value) {
            return None;
        }
        if name == "xmlns" {
            declared += 1;
        } else if let Some(prefix) = name.strip_prefix("xmlns:") {
            declared += 1;
            // A prefix can be bound, and not unbound (Namespaces in XML 1.0, section 2.2).
            if value.is_empty() || matches!(prefix, "xmlns" | "xml") {
                return None;
            }
        } else if name.ends_with(":xmlns") {
            return None;
        }
    }
    Some(declared)
}

/// A name, with a prefix or without (QName).
fn is_qualified_name(name: &str) -> bool {
    let mut parts = name.split(':');
    let (first, second) = (parts.next(), parts.next());
    parts.next().is_none() && first.is_some_and(is_name) && second.is_none_or(is_name)
}

/// A name without a colon; of the letters beyond ASCII those that a language has.
fn is_name(name: &str) -> bool {
    let starts = |c: char| c == '_' || c.is_alphabetic();
    let goes_on = |c: char| starts(c) || c.is_numeric() || matches!(c, '-' | '.' | '\u{b7}');
    name.starts_with(starts) && name.chars().all(goes_on)
}

/// Whether every `&` begins a reference to something.
fn are_references(value: &str) -> bool {
    let mut parts = value.split('&').skip(1);
    parts.all(|part| part.split_once(';').is_some_and(|(name, _)| is_reference(name)))
}

/// A predefined entity, or a character that XML has.
fn is_reference(name: &str) -> bool {
    let Some(number) = name.strip_prefix('#') else {
        return resolve_predefined_entity(name).is_some();
    };
    let code = match number.strip_prefix('x') {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    let character = code.ok().and_then(char::from_u32);
    character.is_some_and(|c| {
        matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
    })
}

fn position(xml: &str, offset: u64) -> &str {
    usize::try_from(offset).ok().and_then(|offset| xml.get(..offset)).unwrap_or(xml)
}

fn malformed(before: &str) -> AddendaProblem {
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    AddendaProblem::NotXml { line: number(line), column: number(column) }
}
