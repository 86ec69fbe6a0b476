//! The language that a reader reads best: `Accept-Language` (RFC 9110 §12.5.4).

use crate::Language;

/// The most ranges of the header that are looked at.
const RANGES_MAX: usize = 20;
/// A weight of one, in thousandths.
const WHOLE: u32 = 1_000;

/// The language preferred by the values of the header, of those that messages are written in; English where it is all
/// the same.
pub fn language<'a>(values: impl Iterator<Item = &'a str>) -> Language {
    let ranges: Vec<_> =
        values.flat_map(|value| value.split(',')).take(RANGES_MAX).filter_map(range).collect();
    let weight = |language: &str| {
        let of = |wanted: &str| {
            let weights = ranges.iter().filter(|(range, _)| range == wanted);
            weights.map(|(_, weight)| *weight).max()
        };
        of(language).or_else(|| of("*")).unwrap_or_default()
    };
    if weight("es") > weight("en") { Language::Spanish } else { Language::English }
}

/// The language of a range, small and without its region, and its weight in thousandths.
fn range(text: &str) -> Option<(String, u32)> {
    let mut parts = text.split(';').map(str::trim);
    let tag = parts.next()?;
    let language = tag.split('-').next().filter(|language| !language.is_empty())?;
    let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
    Some((language.to_ascii_lowercase(), weight.map_or(Some(WHOLE), thousandths)?))
}

/// A weight such as `0.8`.
fn thousandths(text: &str) -> Option<u32> {
    let weight: f32 = text.trim().parse().ok()?;
    // The range is checked, so the number fits.
    (0.0..=1.0).contains(&weight).then_some((weight * 1_000.0).round() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spanish_only_where_it_is_preferred() {
        for (value, wanted) in [
            ("es", Language::Spanish),
            ("es-MX", Language::Spanish),
            ("ES-mx, en;q=0.8", Language::Spanish),
            ("fr, es;q=0.5, en;q=0.4", Language::Spanish),
            ("es;q=0.5, *;q=0.4", Language::Spanish),
            ("en-US,en;q=0.9,es;q=0.8", Language::English),
            ("en, es", Language::English),
            ("*", Language::English),
            ("fr", Language::English),
            ("es;q=0", Language::English),
            ("es;q=x", Language::English),
            (",;-", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(language(std::iter::once(value)), wanted, "{value}");
        }
        assert_eq!(language(std::iter::empty()), Language::English);
    }
}
