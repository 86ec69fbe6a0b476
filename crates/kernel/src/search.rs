//! Full-text search: the terms under which something is found, and the words that look for them.
//!
//! Something is found when every word of a search is the beginning of one of its terms, in any order, accents and
//! case aside. What follows a sign counts too: `TAZA-AZ-01` is found as `taza-az`, `az-01` and `01`.

use std::{borrow::Cow, collections::BTreeSet};

use crate::{Message, Metadata, digest, json::value_text, message, text::folded};

/// The most words of a search.
pub const WORDS_MAX: usize = 10;
/// The most characters of a term; longer ones are cut, on both sides of the comparison.
const TERM_CHARS_MAX: usize = 64;
/// The first character of a term that is found as a whole only. No word begins with it.
const WHOLE: char = '#';
/// The digits of a number that people write in groups: a telephone number, a barcode.
const GROUPED_DIGITS: std::ops::RangeInclusive<usize> = 7..=15;
/// The digits of a Mexican telephone number without its country code.
const NATIONAL_DIGITS: usize = 10;

/// The terms under which something is found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms(BTreeSet<String>);

impl Terms {
    /// Adds the words of a text, each also from behind every sign in it: what follows may be searched for.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        for word in folded(text).split(' ').map(bare) {
            let mut is_behind_sign = true;
            for (place, c) in word.char_indices() {
                if is_behind_sign && (place == 0 || c.is_alphanumeric()) {
                    self.0.extend(word.get(place..).map(cut));
                }
                is_behind_sign = !c.is_alphanumeric();
            }
        }
        self
    }

    /// Adds the words of several texts.
    #[must_use]
    pub fn texts<'a>(self, texts: impl IntoIterator<Item = &'a str>) -> Self {
        texts.into_iter().fold(self, Self::text)
    }

    /// Adds a telephone number in the international form of ITU-T E.164, and without its country code if that is
    /// Mexico's.
    #[must_use]
    pub fn phone(mut self, phone: &str) -> Self {
        if let Some(national) = phone.strip_prefix("+52")
            && let Some(start) = national.len().checked_sub(NATIONAL_DIGITS)
        {
            self.0.extend(national.get(start..).map(str::to_owned));
        }
        self.text(phone)
    }

    /// Adds a number that is found as a whole only: 42 is not found as 4.
    #[must_use]
    pub fn number(mut self, number: i64) -> Self {
        self.0.insert(whole_number(number));
        self
    }

    /// Adds the entries of metadata, each found as a whole only.
    #[must_use]
    pub fn metadata(mut self, metadata: &Metadata) -> Self {
        self.0.extend(metadata.texts().map(|(name, value)| entry(name, &value)));
        self
    }

    /// Adds the [joined](Self::joined) terms of something else, but for what is found as a whole only.
    #[must_use]
    pub fn words_of(mut self, terms: &str) -> Self {
        let words = terms.split(' ').filter(|term| !term.is_empty() && !term.starts_with(WHOLE));
        self.0.extend(words.map(str::to_owned));
        self
    }

    /// Adds all [joined](Self::joined) terms of something else.
    #[must_use]
    pub fn all_of(mut self, terms: &str) -> Self {
        self.0.extend(terms.split(' ').filter(|term| !term.is_empty()).map(str::to_owned));
        self
    }

    /// The terms, each once, with a space between two.
    #[must_use]
    pub fn joined(&self) -> String {
        self.0.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// What one word of a search is found by: any of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A term that begins with this.
    Prefix(String),
    /// This very term.
    Whole(String),
    /// This [number](Terms::number).
    Number(i64),
    /// Nothing of its terms: it is the row with this identifier.
    Row(String),
}

impl Wanted {
    /// The term that is looked for, or its beginning.
    #[must_use]
    pub fn term(&self) -> Cow<'_, str> {
        match self {
            Self::Prefix(term) | Self::Whole(term) | Self::Row(term) => Cow::Borrowed(term),
            Self::Number(number) => Cow::Owned(whole_number(*number)),
        }
    }

    /// Whether it is the beginning of a term that is looked for.
    #[must_use]
    pub const fn is_prefix(&self) -> bool {
        matches!(self, Self::Prefix(_))
    }
}

/// The words of a search, of which something must have every one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<Vec<Wanted>>);

impl Words {
    /// Reads what somebody typed. A number written in groups, such as `55 1234 5678`, is one word.
    ///
    /// # Errors
    /// A clause that follows the field's name.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let folded = folded(text);
        let digits: String = folded.chars().filter(char::is_ascii_digit).collect();
        let is_grouped = folded.chars().all(|c| c.is_ascii_digit() || " +-().".contains(c));
        if is_grouped && GROUPED_DIGITS.contains(&digits.len()) {
            let spellings = BTreeSet::from([digits, bare(&folded).replace(' ', "")]);
            return Ok(Self(vec![spellings.into_iter().map(Wanted::Prefix).collect()]));
        }
        let words: BTreeSet<&str> =
            folded.split(' ').map(bare).filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            return Err(message!("must not be empty", "no debe estar vacío"));
        }
        if words.len() > WORDS_MAX {
            return Err(message!(
                "must have at most {WORDS_MAX} words",
                "debe tener a lo más {WORDS_MAX} palabras"
            ));
        }
        Ok(Self(words.into_iter().map(|word| vec![Wanted::Prefix(cut(word))]).collect()))
    }

    /// The same words, where one that `number_in` reads as a number also finds what has that [number](Terms::number).
    #[must_use]
    pub fn or_numbers(mut self, number_in: impl Fn(&str) -> Option<i64>) -> Self {
        for alternatives in &mut self.0 {
            let number = match alternatives.first() {
                Some(Wanted::Prefix(word)) => number_in(word),
                _ => None,
            };
            alternatives.extend(number.map(Wanted::Number));
        }
        self
    }

    /// The same words, where each also finds the rows that `rows_of` gives for it.
    ///
    /// # Errors
    /// Those of `rows_of`.
    pub fn or_rows<E>(
        mut self,
        mut rows_of: impl FnMut(&str) -> Result<Vec<String>, E>,
    ) -> Result<Self, E> {
        for alternatives in &mut self.0 {
            let rows = match alternatives.first() {
                Some(Wanted::Prefix(word)) => rows_of(word)?,
                _ => Vec::new(),
            };
            alternatives.extend(rows.into_iter().map(Wanted::Row));
        }
        Ok(self)
    }

    /// Asks for an entry of [metadata](Terms::metadata) too.
    #[must_use]
    pub fn and_entry(mut self, name: &str, value: &str) -> Self {
        // A number may have been kept as a text, in the spelling that the caller gave it.
        let spellings = BTreeSet::from([entry(name, value), entry(name, &value_text(value))]);
        self.0.push(spellings.into_iter().map(Wanted::Whole).collect());
        self
    }

    /// The words of a search, if there is one, and entries of metadata.
    #[must_use]
    pub fn with_entries(search: Option<&Self>, entries: &[(String, String)]) -> Self {
        let words = search.cloned().unwrap_or_default();
        entries.iter().fold(words, |words, (name, value)| words.and_entry(name, value))
    }

    /// The word, if it is the only one and found by nothing else.
    #[must_use]
    pub fn only(&self) -> Option<&str> {
        match self.0.as_slice() {
            [alternatives] => match alternatives.as_slice() {
                [Wanted::Prefix(word)] => Some(word),
                _ => None,
            },
            _ => None,
        }
    }

    /// How many words there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Those of the words for which `keep` says so, by their place.
    #[must_use]
    pub fn some(&self, keep: impl Fn(usize) -> bool) -> Self {
        let kept = self.0.iter().enumerate().filter(|(place, _)| keep(*place));
        Self(kept.map(|(_, alternatives)| alternatives.clone()).collect())
    }

    /// The words with those of their alternatives for which `keep` says so.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(&Wanted) -> bool) -> Self {
        let kept = self.0.iter().map(|alternatives| {
            alternatives.iter().filter(|wanted| keep(wanted)).cloned().collect::<Vec<_>>()
        });
        Self(kept.filter(|alternatives| !alternatives.is_empty()).collect())
    }

    /// Each word's alternatives.
    pub fn each(&self) -> impl Iterator<Item = &[Wanted]> {
        self.0.iter().map(Vec::as_slice)
    }

    /// Whether anything is found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all words are found among [joined](Terms::joined) terms.
    #[must_use]
    pub fn match_terms(&self, joined: &str) -> bool {
        let has = |wanted: &Wanted| match wanted {
            Wanted::Prefix(word) => joined.split(' ').any(|term| term.starts_with(word.as_str())),
            whole => joined.split(' ').any(|term| term == whole.term()),
        };
        self.each().all(|alternatives| alternatives.iter().any(has))
    }
}

/// A word without the punctuation around it; one of nothing else stays as it is, but for what marks whole terms.
fn bare(word: &str) -> &str {
    match word.trim_matches(|c: char| !c.is_alphanumeric()) {
        "" => word.trim_start_matches(WHOLE),
        bare => bare,
    }
}

fn cut(word: &str) -> String {
    word.chars().take(TERM_CHARS_MAX).collect()
}

fn whole_number(number: i64) -> String {
    format!("{WHOLE}{number}")
}

/// The term of an entry of metadata, whose name and value may be of any length and in any script.
fn entry(name: &str, value: &str) -> String {
    format!("{WHOLE}m{:016x}", digest::of_text(&format!("{name}\0{value}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(search: &str, texts: &[&str]) -> bool {
        let terms = Terms::default().texts(texts.iter().copied()).joined();
        Words::parse(search).unwrap().match_terms(&terms)
    }

    #[test]
    fn every_word_must_begin_a_term_in_any_order() {
        let pot = ["Café de Olla (1 kg)", "CAFE-OLLA-01", "7501031311309"];
        for found in [
            "café olla",
            "olla café",
            "OLLA",
            "oll caf",
            "cafe-olla",
            "olla-01",
            "01",
            "7501031311309",
            "75010313",
            "750 103 131",
            "olla,",
            "\"café de olla\"",
            "(1 kg)",
            "kg",
        ] {
            assert!(finds(found, &pot), "{found}");
        }
        assert!(finds("1234-5678", &["1234-5678-X"]));
        for missed in ["afe", "café té", "olla-cafe", "1309", "%"] {
            assert!(!finds(missed, &pot), "{missed}");
        }
    }

    #[test]
    fn signs_alone_are_words() {
        assert!(finds("🌮", &["Taco 🌮 grande"]));
        assert!(finds("&", &["Ana & Luis"]));
        assert!(!finds("&", &["Ana y Luis"]));
        assert!(Words::parse("#").is_err(), "nothing is left of it");
        assert!(Words::parse(" \t").is_err());
        assert!(Words::parse("a b c d e f g h i j").is_ok());
        assert!(Words::parse("a b c d e f g h i j k").is_err());
    }

    #[test]
    fn telephone_numbers_are_found_with_and_without_their_country() {
        let terms = Terms::default().phone("+525512345678").joined();
        for found in ["+52 55 1234 5678", "5512345678", "55 1234 5678", "(55) 1234-5678", "551234"]
        {
            assert!(Words::parse(found).unwrap().match_terms(&terms), "{found}");
        }
        assert!(!Words::parse("1234 5678").unwrap().match_terms(&terms));
        assert_eq!(Terms::default().phone("+5212").joined(), "5212");
    }

    #[test]
    fn whole_terms_are_not_found_by_their_beginning() {
        let notes = r#"{"channel":"Tienda física","weight":1.50,"code":"007","fragile":true}"#;
        let notes: Metadata = serde_json::from_str(notes).unwrap();
        let terms = Terms::default().number(420).metadata(&notes).joined();
        let number_in = |word: &str| word.parse().ok();
        let numbered = |search: &str| Words::parse(search).unwrap().or_numbers(number_in);
        assert!(numbered("420").match_terms(&terms));
        for missed in ["42", "channel", "tienda", "#420"] {
            let words = numbered(missed);
            assert_eq!(words.match_terms(&terms), missed == "#420", "{missed}: {words:?}");
        }
        for (name, value, found) in [
            ("channel", "Tienda física", true),
            ("channel", "tienda física", false),
            ("channel", "Tienda", false),
            ("weight", "1.5", true),
            ("weight", "1.500", true),
            ("weight", "1.51", false),
            ("code", "007", true),
            ("code", "7", false),
            ("fragile", "true", true),
            ("fragil", "true", false),
        ] {
            let words = Words::default().and_entry(name, value);
            assert_eq!(words.match_terms(&terms), found, "{name}={value}");
        }
        assert_eq!(Terms::default().words_of(&format!("ana {terms}")).joined(), "ana");
    }

    #[test]
    fn words_name_rows_beside_their_terms() {
        let rows_of = |word: &str| match word {
            "f-123" => Ok(vec!["inv_1".to_owned()]),
            "gone" => Err("no rows"),
            _ => Ok(Vec::new()),
        };
        let words = Words::parse("F-123 ana").unwrap().or_rows(rows_of).unwrap();
        let (ana, folio) = (Wanted::Prefix("ana".to_owned()), Wanted::Prefix("f-123".to_owned()));
        let each: Vec<&[Wanted]> = words.each().collect();
        assert_eq!(each, [&[ana][..], &[folio, Wanted::Row("inv_1".to_owned())]]);
        assert!(!words.match_terms("ana"), "terms alone do not tell");
        assert_eq!(Words::parse("gone").unwrap().or_rows(rows_of), Err("no rows"));
    }

    #[test]
    fn long_words_are_cut_on_both_sides() {
        let long = "x".repeat(5_000);
        assert_eq!(Terms::default().text(&long).joined().len(), TERM_CHARS_MAX);
        assert!(finds(&long, &[&long]));
    }
}
