//! Finding operations, events and objects by words.

use crate::{Reference, chapters::Chapter, fields::Field, operations::Operation};

/// More is not shown.
const FOUND_MAX: usize = 40;

/// Something with all of the words.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    pub(crate) chapter: &'a Chapter,
    /// Its name in the address of the page.
    pub(crate) id: &'a str,
    pub(crate) title: &'a str,
    /// Method and path, of an operation.
    pub(crate) route: Option<(&'a str, &'a str)>,
    rank: Rank,
}

/// Where the words are, the better place first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Title,
    About,
    Within,
}

/// What has all of these words, the best first.
pub(crate) fn find<'a>(reference: &'a Reference, words: &str) -> Vec<Found<'a>> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Found<'a>> =
        reference.chapters.iter().flat_map(|chapter| within(chapter, &words)).collect();
    found.sort_by_key(|found| found.rank);
    found.truncate(FOUND_MAX);
    found
}

fn within<'a>(chapter: &'a Chapter, words: &[String]) -> Vec<Found<'a>> {
    let operations = chapter.operations.iter().filter_map(|operation| {
        let title = [&operation.title, &operation.id, &operation.method, &operation.path];
        let title = title.map(String::as_str);
        let rank = rank(&title.join(" "), &operation.about.to_string(), &detail(operation), words)?;
        let route = Some((operation.method.as_str(), operation.path.as_str()));
        Some(Found { chapter, id: &operation.id, title: &operation.title, route, rank })
    });
    let events = chapter.events.iter().filter_map(|event| {
        let rank = rank(&event.name, &event.about.to_string(), &names(&event.data), words)?;
        Some(Found { chapter, id: &event.id, title: &event.name, route: None, rank })
    });
    let objects = chapter.objects.iter().filter_map(|object| {
        let rank = rank(&object.name, &object.about.to_string(), &names(&object.fields), words)?;
        Some(Found { chapter, id: &object.name, title: &object.name, route: None, rank })
    });
    operations.chain(events).chain(objects).collect()
}

/// The place in which all words are found, if there is one.
fn rank(title: &str, about: &str, detail: &str, words: &[String]) -> Option<Rank> {
    let mut text = String::new();
    for (part, rank) in [(title, Rank::Title), (about, Rank::About), (detail, Rank::Within)] {
        text.push_str(&part.to_lowercase());
        text.push(' ');
        if words.iter().all(|word| text.contains(word)) {
            return Some(rank);
        }
    }
    None
}

/// The names of parameters and fields, and the codes of refusals.
fn detail(operation: &Operation) -> String {
    let fields = [&operation.in_path, &operation.in_query, &operation.body];
    let mut detail: Vec<String> = fields.into_iter().map(|fields| names(fields)).collect();
    detail.extend(operation.refusals.iter().map(|refusal| refusal.code.clone()));
    detail.join(" ")
}

fn names(fields: &[Field]) -> String {
    let each = fields.iter().map(|field| format!("{} {}", field.name, names(&field.fields)));
    each.collect::<Vec<_>>().join(" ")
}
