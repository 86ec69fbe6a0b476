//! Versions of resources in `ETag`, `If-Match` and `If-None-Match`.
//!
//! A tag is the version that commands count, `"3"`. Where a resource shows numbers that change without a
//! command about it, such as the stock that orders take, their digest follows: `"3-9f2c51e0"`. Caches compare
//! the whole tag; `If-Match` compares the version only, for a sale in between is no lost update, unless the change sets
//! such a number itself. What tells people something has a tag of its own in each language: in Spanish `"3-es"`, which names
//! the same version.

use std::fmt;

use actix_web::http::header::{HeaderMap, HeaderName, IF_MATCH, IF_NONE_MATCH};
use kernel::{Language, digest::of_numbers, message};

use crate::error::{ApiError, Code};

/// A resource's tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ETag {
    version: i64,
    moving: Option<u32>,
    language: Language,
}

/// What follows in the tag of what is told in Spanish.
const SPANISH: &str = "-es";

impl ETag {
    /// Of a resource that changes by commands only.
    pub(crate) const fn version(version: i64) -> Self {
        Self { version, moving: None, language: Language::English }
    }

    /// Of a resource that also shows `numbers` that change by themselves.
    pub(crate) fn version_and(version: i64, numbers: impl Iterator<Item = i64>) -> Self {
        Self::version_and_digest(version, of_numbers(numbers))
    }

    /// The same, of numbers whose digest is known.
    pub(crate) const fn version_and_digest(version: i64, digest: u32) -> Self {
        Self { version, moving: Some(digest), language: Language::English }
    }

    /// Of what is told in this language.
    pub(crate) const fn in_language(self, language: Language) -> Self {
        Self { language, ..self }
    }
}

impl ETag {
    /// Of what is found at a path where another resource may be found later: versions of two may be alike.
    pub(crate) fn version_of(id: u128, version: i64) -> Self {
        let halves = [(id >> 64) as u64, id as u64];
        Self::version_and(version, halves.into_iter().map(u64::cast_signed))
    }

    /// The version that it is of.
    pub(crate) const fn of_version(self) -> i64 {
        self.version
    }

    /// The digest of the numbers that it is of.
    pub(crate) const fn digest(self) -> Option<u32> {
        self.moving
    }
}

impl fmt::Display for ETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let language = match self.language {
            Language::English => "",
            Language::Spanish => SPANISH,
        };
        match self.moving {
            None => write!(f, "\"{}{language}\"", self.version),
            Some(digest) => write!(f, "\"{}-{digest:08x}{language}\"", self.version),
        }
    }
}

/// What `If-Match` names, when it must be the current one. Of several the newest counts: versions only grow, so
/// of those that a caller has seen no other can be current. What is no tag of ours names a version below
/// zero, which no resource has.
pub(crate) fn expected(headers: &HeaderMap) -> Option<ETag> {
    if !headers.contains_key(IF_MATCH) || expects_anything(headers) {
        return None;
    }
    let none = ETag::version(-1);
    let newest = tags(headers, IF_MATCH).filter_map(read).max_by_key(|tag| tag.version);
    Some(newest.unwrap_or(none))
}

/// Refuses an `If-Match` that names no tag at all, such as one without its quotation marks: it would never be met.
///
/// # Errors
/// The refusal.
pub(crate) fn checked(headers: &HeaderMap) -> Result<(), ApiError> {
    if headers.get_all(IF_MATCH).all(|value| value.to_str().is_ok_and(is_list)) {
        return Ok(());
    }
    let message = message!(
        "If-Match must be an ETag as it was read, with its quotation marks, such as \"3\", or *",
        "If-Match debe ser un ETag tal como se leyó, con sus comillas, por ejemplo \"3\", o *"
    );
    Err(ApiError::new(Code::MalformedRequest, message))
}

/// Whether a header is entity tags with commas between them, or `*` (RFC 9110 §8.8.3): those of others may contain commas.
fn is_list(value: &str) -> bool {
    let is_between = |c: char| c == ',' || c.is_ascii_whitespace();
    let mut rest = value.trim_matches(is_between);
    if rest.is_empty() {
        return false;
    }
    while !rest.is_empty() {
        let tag = rest.strip_prefix("W/").unwrap_or(rest).strip_prefix('"');
        let behind = tag.and_then(|inner| inner.split_once('"')).map(|(_, behind)| behind);
        let Some(behind) = behind.or_else(|| rest.strip_prefix('*')) else { return false };
        if !behind.is_empty() && !behind.starts_with(is_between) {
            return false;
        }
        rest = behind.trim_start_matches(is_between);
    }
    true
}

/// A tag of ours.
pub(crate) fn read(tag: &str) -> Option<ETag> {
    let tag = tag.strip_prefix('"')?.strip_suffix('"')?;
    let (tag, language) = match tag.strip_suffix(SPANISH) {
        Some(tag) => (tag, Language::Spanish),
        None => (tag, Language::English),
    };
    let (version, digest) = tag.split_once('-').map_or((tag, None), |(a, b)| (a, Some(b)));
    let moving = digest.and_then(|digest| u32::from_str_radix(digest, 16).ok());
    Some(ETag { version: version.parse().ok()?, moving, language })
}

/// Whether the caller has this very tag already, by `If-None-Match`.
pub(crate) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    tags(headers, IF_NONE_MATCH)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

/// Whether the caller expects that there is nothing yet, by `If-None-Match`.
pub(crate) fn expects_nothing(headers: &HeaderMap) -> bool {
    tags(headers, IF_NONE_MATCH).any(|tag| tag == "*")
}

/// Whether the caller expects that there is something already, whatever its version, by `If-Match`.
pub(crate) fn expects_anything(headers: &HeaderMap) -> bool {
    tags(headers, IF_MATCH).any(|tag| tag == "*")
}

/// The tags in a header; ours contain no comma.
fn tags(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    headers
        .get_all(name)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(',').map(str::trim))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn expected(value: &str) -> Option<i64> {
        let mut headers = HeaderMap::new();
        headers.insert(IF_MATCH, HeaderValue::from_str(value).unwrap());
        super::expected(&headers).map(ETag::of_version)
    }

    #[test]
    fn if_match_names_a_version() {
        assert_eq!(super::expected(&HeaderMap::new()), None);
        for (value, version) in [
            ("*", None),
            ("\"3\"", Some(3)),
            ("\"3-9f2c51e0\"", Some(3)),
            ("\"3-es\"", Some(3)),
            ("\"3-9f2c51e0-es\"", Some(3)),
            ("\"2\", \"4\",\"3\"", Some(4)),
            ("W/\"3\"", Some(-1)),
            ("3", Some(-1)),
            ("\"abc\"", Some(-1)),
            ("", Some(-1)),
        ] {
            assert_eq!(expected(value), version, "{value}");
        }
    }

    #[test]
    fn what_is_no_entity_tag_is_refused() {
        let is_taken = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(IF_MATCH, HeaderValue::from_str(value).unwrap());
            checked(&headers).is_ok()
        };
        for tag in ["*", "\"3\"", "W/\"3\"", "\"2\", \"4\",W/\"3\"", "\"a,b\"", "\"\"", " \"3\" , "]
        {
            assert!(is_taken(tag), "{tag}");
        }
        for other in ["3", "abc", "", "\"3", "3\"", "\"3\" 4", "\"3\"\"4\"", "w/\"3\"", ","] {
            assert!(!is_taken(other), "{other}");
        }
        assert!(checked(&HeaderMap::new()).is_ok());
    }

    #[test]
    fn if_match_names_the_numbers_that_move() {
        let tag = ETag::version_and(3, [1, 2].into_iter());
        assert_eq!(read(&tag.to_string()), Some(tag));
        assert_eq!(read("\"3-x\"").map(ETag::digest), Some(None));
    }

    #[test]
    fn each_language_has_its_tag() {
        for tag in [ETag::version(3), ETag::version_and(3, [1, 2].into_iter())] {
            let told = Language::EVERY.map(|language| tag.in_language(language));
            assert_ne!(told[0].to_string(), told[1].to_string());
            assert_eq!(told.map(|one| read(&one.to_string())), told.map(Some));
            assert_eq!(told.map(ETag::digest), [tag.digest(); 2]);
        }
    }

    #[test]
    fn numbers_that_move_show_in_the_tag() {
        let tag = |numbers: &[i64]| ETag::version_and(3, numbers.iter().copied()).to_string();
        assert_eq!(tag(&[1, 2]), tag(&[1, 2]));
        assert_ne!(tag(&[1, 2]), tag(&[2, 1]));
        assert_eq!(ETag::version(3).to_string(), "\"3\"");
    }
}
