//! JSON that the service keeps for others without reading meaning into it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::Amount;

/// The most entries of a [`Metadata`].
pub const METADATA_ENTRIES_MAX: usize = 50;
/// The most characters of a metadata name.
pub const METADATA_NAME_CHARS_MAX: usize = 40;
/// The most characters of a metadata value.
pub const METADATA_VALUE_CHARS_MAX: usize = 500;

/// The caller's own notes on a resource: names with a text, number or boolean each. Each is kept in one
/// spelling, so that two ways to write the same JSON are no difference; numbers stay exact.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Metadata(BTreeMap<String, Box<RawValue>>);

impl PartialEq for Metadata {
    fn eq(&self, other: &Self) -> bool {
        let texts = |metadata: &Self| {
            metadata
                .0
                .iter()
                .map(|(name, value)| (name.clone(), value.get().to_owned()))
                .collect::<Vec<_>>()
        };
        texts(self) == texts(other)
    }
}

impl Eq for Metadata {}

impl Metadata {
    /// Adds an entry; `value` is JSON.
    ///
    /// # Errors
    /// A clause that follows the entry's name.
    pub fn insert(&mut self, name: &str, value: &RawValue) -> Result<(), String> {
        if self.0.len() >= METADATA_ENTRIES_MAX {
            return Err(format!("is one entry too many: at most {METADATA_ENTRIES_MAX} are kept"));
        }
        crate::text::line(name, METADATA_NAME_CHARS_MAX)?;
        let text = value.get();
        match text.bytes().next() {
            Some(b'{' | b'[' | b'n') => {
                return Err("must be a text, a number or a boolean".to_owned());
            }
            _ if text.chars().count() > METADATA_VALUE_CHARS_MAX => {
                return Err(format!("must have at most {METADATA_VALUE_CHARS_MAX} characters"));
            }
            _ => {}
        }
        self.0.insert(name.to_owned(), canonical(value)?);
        Ok(())
    }
}

/// The one spelling of a text, number or boolean: without needless escapes, zeros and exponents. A number
/// beyond the range of an [`Amount`] stays as it was written.
fn canonical(value: &RawValue) -> Result<Box<RawValue>, String> {
    let unreadable = |_| "must be a text, a number or a boolean".to_owned();
    let text = value.get();
    let spelled = if text.starts_with('"') {
        let decoded: String = serde_json::from_str(text).map_err(unreadable)?;
        serde_json::to_string(&decoded).map_err(unreadable)?
    } else {
        Amount::parse(text).map_or_else(|_| text.to_owned(), |number| number.to_string())
    };
    RawValue::from_string(spelled).map_err(unreadable)
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

    #[test]
    fn one_value_has_one_spelling() {
        let kept = |json: &str| {
            let mut metadata = Metadata::default();
            metadata.insert("a", &serde_json::from_str::<Box<RawValue>>(json).unwrap()).unwrap();
            serde_json::to_string(&metadata).unwrap()
        };
        let cases = [
            (r#""fr\u00e1gil""#, r#"{"a":"frágil"}"#),
            (r#""1\/2""#, r#"{"a":"1/2"}"#),
            ("1.50", r#"{"a":1.5}"#),
            ("2e0", r#"{"a":2}"#),
            ("123456789012345678901234567890", r#"{"a":123456789012345678901234567890}"#),
            ("true", r#"{"a":true}"#),
        ];
        for (json, expected) in cases {
            assert_eq!(kept(json), expected);
        }
    }
}
