//! JSON that the service keeps for others without reading meaning into it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{Amount, Message, message};

/// The most entries of a [`Metadata`].
pub const METADATA_ENTRIES_MAX: usize = 50;
/// The most characters of a metadata name.
pub const METADATA_NAME_CHARS_MAX: usize = 40;
/// The most characters of a metadata value.
pub const METADATA_VALUE_CHARS_MAX: usize = 500;

/// The caller's own notes on a resource: names with a text, number or boolean each. Numbers keep the digits
/// they were written with; two are equal when their values are, so `1.50` sent back as `1.5` is no change.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Metadata(BTreeMap<String, Box<RawValue>>);

impl PartialEq for Metadata {
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&RawValue, &RawValue)| {
            a.get() == b.get() || number(a).is_some_and(|n| Some(n) == number(b))
        };
        self.0.len() == other.0.len()
            && self.0.keys().eq(other.0.keys())
            && self.0.values().zip(other.0.values()).all(|(a, b)| same((a, b)))
    }
}

impl Eq for Metadata {}

impl Metadata {
    /// Adds an entry; `value` is JSON.
    ///
    /// # Errors
    /// A clause that follows the entry's name.
    pub fn insert(&mut self, name: &str, value: &RawValue) -> Result<(), Message> {
        if self.0.len() >= METADATA_ENTRIES_MAX {
            return Err(message!(
                "is one entry too many: at most {METADATA_ENTRIES_MAX} are kept",
                "es una entrada de más: se guardan a lo más {METADATA_ENTRIES_MAX}"
            ));
        }
        crate::text::line(name, METADATA_NAME_CHARS_MAX)?;
        let text = value.get();
        if text.starts_with(['{', '[', 'n']) {
            return Err(message!(
                "must be a string, a number or a boolean",
                "debe ser un texto, un número o un booleano"
            ));
        }
        let value = spelled(value)?;
        if chars(&value) > METADATA_VALUE_CHARS_MAX {
            return Err(message!(
                "must have at most {METADATA_VALUE_CHARS_MAX} characters",
                "debe tener a lo más {METADATA_VALUE_CHARS_MAX} caracteres"
            ));
        }
        self.0.insert(name.to_owned(), value);
        Ok(())
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the entries of another whose names are not here, however many that makes.
    pub fn add_missing(&mut self, other: &Self) {
        for (name, value) in &other.0 {
            if !self.0.contains_key(name) {
                self.0.insert(name.clone(), value.clone());
            }
        }
    }

    /// Names and values as texts; numbers of equal value have one text.
    pub fn texts(&self) -> impl Iterator<Item = (&str, String)> {
        self.0.iter().map(|(name, value)| {
            let json = value.get();
            let text = serde_json::from_str::<String>(json).unwrap_or_else(|_| value_text(json));
            (name.as_str(), text)
        })
    }
}

/// The one text of a number as somebody may write it; any other text as it is.
#[must_use]
pub(crate) fn value_text(text: &str) -> String {
    Amount::parse(text).map_or_else(|_| text.to_owned(), |number| number.to_string())
}

/// A text in its one spelling, without needless escapes; anything else as it was written.
fn spelled(value: &RawValue) -> Result<Box<RawValue>, Message> {
    if !value.get().starts_with('"') {
        return Ok(value.to_owned());
    }
    let wrong = |_| message!("must be a string", "debe ser un texto");
    let decoded: String = serde_json::from_str(value.get()).map_err(wrong)?;
    serde_json::value::to_raw_value(&decoded).map_err(wrong)
}

/// The characters of a value: of a text, those between its quotes.
fn chars(value: &RawValue) -> usize {
    let json = value.get();
    serde_json::from_str(json).map_or(json.chars().count(), |text: String| text.chars().count())
}

fn number(value: &RawValue) -> Option<Amount> {
    Amount::parse(value.get()).ok()
}

/// The top-level fields in which `after` differs from `before`, with their new values; names in `except`
/// do not count. `None` when nothing differs.
///
/// Both must serialise as JSON objects; numbers are compared as written, so exactness is kept.
pub fn changes<T: Serialize>(
    before: &T,
    after: &T,
    except: &[&str],
) -> Option<BTreeMap<String, Box<RawValue>>> {
    let before = fields(before);
    let mut changed = fields(after);
    changed.retain(|name, value| {
        !except.contains(&name.as_str())
            && before.get(name).map(|old| old.get()) != Some(value.get())
    });
    (!changed.is_empty()).then_some(changed)
}

fn fields<T: Serialize>(value: &T) -> BTreeMap<String, Box<RawValue>> {
    // Domain types always serialise as objects.
    serde_json::to_string(value).and_then(|json| serde_json::from_str(&json)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(json: &str) -> Metadata {
        let mut metadata = Metadata::default();
        metadata.insert("a", &serde_json::from_str::<Box<RawValue>>(json).unwrap()).unwrap();
        metadata
    }

    #[test]
    fn values_have_as_many_characters_as_their_text() {
        for (json, is_short) in [
            (format!("\"{}\"", "ñ".repeat(METADATA_VALUE_CHARS_MAX)), true),
            (format!("\"{}\"", "\\u00f1".repeat(METADATA_VALUE_CHARS_MAX)), true),
            (format!("\"{}\"", "x".repeat(METADATA_VALUE_CHARS_MAX + 1)), false),
            ("9".repeat(METADATA_VALUE_CHARS_MAX), true),
            ("9".repeat(METADATA_VALUE_CHARS_MAX + 1), false),
        ] {
            let value: Box<RawValue> = serde_json::from_str(&json).unwrap();
            assert_eq!(Metadata::default().insert("a", &value).is_ok(), is_short, "{json}");
        }
    }

    #[test]
    fn two_spellings_of_a_value_are_equal() {
        let equal = [
            (r#""fr\u00e1gil""#, r#""frágil""#),
            (r#""1\/2""#, r#""1/2""#),
            ("1.50", "1.5"),
            ("2e0", "2"),
        ];
        for (one, other) in equal {
            assert_eq!(noted(one), noted(other));
        }
        for (one, other) in [("1", "2"), (r#""1""#, "1"), ("true", "false")] {
            assert_ne!(noted(one), noted(other));
        }
    }

    #[test]
    fn numbers_keep_their_digits() {
        for json in ["1.50", "2e0", "123456789012345678901234567890"] {
            assert_eq!(serde_json::to_string(&noted(json)).unwrap(), format!(r#"{{"a":{json}}}"#));
        }
    }
}
