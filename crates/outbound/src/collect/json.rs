//! Reading what providers answer.

use serde_json::Value;

/// A text, by the names that lead to it.
pub(super) fn text<'a>(value: &'a Value, path: &[&str]) -> Option<&'a str> {
    at(value, path)?.as_str().filter(|text| !text.is_empty())
}

/// A text of one's own.
pub(super) fn owned(value: &Value, path: &[&str]) -> Option<String> {
    text(value, path).map(str::to_owned)
}

/// A whole number.
pub(super) fn whole(value: &Value, path: &[&str]) -> Option<i64> {
    at(value, path)?.as_i64()
}

/// What the names lead to.
pub(super) fn at<'a>(value: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, name| value.get(name)).filter(|value| !value.is_null())
}

/// The members of a list.
pub(super) fn each<'a>(value: &'a Value, path: &[&str]) -> &'a [Value] {
    at(value, path).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A provider's message, no longer than is worth keeping.
pub(super) fn message(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(300).collect()
}
