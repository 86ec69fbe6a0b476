//! Finding product keys by words or by the beginning of their codes.

use super::bits::Bits;
use super::{Product, RANKS, count_before, index, line, read};
use crate::catalogs::Found;
use crate::catalogs::fold::{fold, words};

/// A query of more words finds nothing.
pub const QUERY_WORDS_MAX: usize = 32;

/// The keys that match `query`: `limit` of them after the first `offset`.
///
/// Digits match the codes that begin with them, by code; an empty query matches every key. Else every word
/// must match a word of the name or of the similar words, whole or by its beginning, without regard to
/// accents and case. Keys whose names have every word whole come first, then those whose names have words
/// that begin so, then those that need their similar words, whole words first; in each group shorter
/// names first, then by code.
///
/// Keys that are no longer in force are found as well.
#[must_use]
pub fn search(query: &str, offset: usize, limit: usize) -> Found<Product> {
    let query = query.trim();
    if query.bytes().all(|byte| byte.is_ascii_digit()) {
        return by_code(query, offset, limit);
    }
    let folded = fold(query);
    let mut distinct: Vec<&str> = words(&folded).collect();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.is_empty() || distinct.len() > QUERY_WORDS_MAX {
        return Found { total: 0, items: Vec::new() };
    }
    let mut matches = Matches::every();
    for word in distinct {
        matches.narrow(word);
        if matches.begun_anywhere.is_empty() {
            break;
        }
    }
    matches.page(offset, limit)
}

fn by_code(start: &str, offset: usize, limit: usize) -> Found<Product> {
    let first = count_before(|code| code < start);
    let end = count_before(|code| code < start || code.starts_with(start));
    let page = (first..end).skip(offset).take(limit);
    Found { total: end - first, items: page.filter_map(line).map(read).collect() }
}

/// The products that match all words so far, by how well.
struct Matches {
    whole_in_name: Bits,
    begun_in_name: Bits,
    whole_anywhere: Bits,
    begun_anywhere: Bits,
}

impl Matches {
    fn every() -> Self {
        Self {
            whole_in_name: Bits::EVERY,
            begun_in_name: Bits::EVERY,
            whole_anywhere: Bits::EVERY,
            begun_anywhere: Bits::EVERY,
        }
    }

    /// Keeps the products that also match `word`.
    fn narrow(&mut self, word: &str) {
        let (mut in_name, mut in_similar) = (Bits::NONE, Bits::NONE);
        let mut entries = index::beginning_with(word).peekable();
        // The word itself comes first, if anything has it.
        if let Some(entry) = entries.next_if(|entry| entry.word == word.as_bytes()) {
            entry.in_name.for_each(|rank| in_name.insert(rank));
            entry.in_similar_only.for_each(|rank| in_similar.insert(rank));
        }
        self.whole_in_name.keep(&in_name);
        self.whole_anywhere.keep_either(&in_name, &in_similar);
        for entry in entries {
            entry.in_name.for_each(|rank| in_name.insert(rank));
            entry.in_similar_only.for_each(|rank| in_similar.insert(rank));
        }
        self.begun_in_name.keep(&in_name);
        self.begun_anywhere.keep_either(&in_name, &in_similar);
    }

    fn page(self, offset: usize, limit: usize) -> Found<Product> {
        let total = self.begun_anywhere.len();
        let (mut seen, mut skip) = (Bits::NONE, offset);
        let mut items = Vec::new();
        let groups =
            [self.whole_in_name, self.begun_in_name, self.whole_anywhere, self.begun_anywhere];
        for mut group in groups {
            group.remove(&seen);
            let size = group.len();
            if skip < size {
                let wanted = limit - items.len();
                items.extend(group.iter().skip(skip).take(wanted).filter_map(ranked));
            }
            skip = skip.saturating_sub(size);
            seen.add(&group);
        }
        Found { total, items }
    }
}

fn ranked(rank: u16) -> Option<Product> {
    let number = RANKS.get(usize::from(rank)).copied().map(u16::from_le_bytes)?;
    line(number.into()).map(read)
}

#[cfg(test)]
mod tests;
