//! What was seen of files lately: a page of one is looked at more than once, and a large one is long in opening.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{Mutex, PoisonError},
};

use imports::{ImportKind, ImportOptions, Peek};

/// So many beginnings are known at once.
const KNOWN_MAX: usize = 16;

/// Which file was looked at, and how it was read. What a name stands for never changes.
#[derive(PartialEq, Eq)]
pub(super) struct Look {
    file: String,
    kind: ImportKind,
    encoding: Option<String>,
    sheet: Option<String>,
    mapped: BTreeSet<String>,
}

impl Look {
    /// At a file that is read as these options say.
    pub(super) fn of(file: &str, kind: ImportKind, options: &ImportOptions) -> Self {
        Self {
            file: file.to_owned(),
            kind,
            encoding: options.encoding.clone(),
            sheet: options.sheet.clone(),
            mapped: options.mapping.keys().cloned().collect(),
        }
    }
}

/// The last ones, the latest first.
#[derive(Default)]
pub(super) struct Peeked(Mutex<VecDeque<(Look, Peek)>>);

impl Peeked {
    /// What such a look has shown.
    pub(super) fn find(&self, look: &Look) -> Option<Peek> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(other, _)| other == look).map(|(_, peek)| peek.clone())
    }

    pub(super) fn keep(&self, look: Look, peek: Peek) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.push_front((look, peek));
        known.truncate(KNOWN_MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_looks_are_known() {
        let (peeked, options) = (Peeked::default(), ImportOptions::default());
        let look = |number: usize| Look::of(&number.to_string(), ImportKind::Products, &options);
        let peek = |name: &str| Peek::of(ImportKind::Products, &[name.to_owned()], &[]);
        for number in 0..=KNOWN_MAX {
            peeked.keep(look(number), peek(&number.to_string()));
        }
        assert_eq!(peeked.find(&look(0)), None);
        assert_eq!(peeked.find(&look(KNOWN_MAX)), Some(peek(&KNOWN_MAX.to_string())));
        let sheet = ImportOptions { sheet: Some("Hoja2".to_owned()), ..options.clone() };
        assert_eq!(peeked.find(&Look::of("1", ImportKind::Products, &sheet)), None);
        assert_eq!(peeked.find(&Look::of("1", ImportKind::Stock, &options)), None);
    }
}
