//! The order of things that people drag about: keys between any two of which there is room for another, so that a move
//! writes one row.
//!
//! The keys are those of the library `fractional-indexing` (CC0), in base 62 and in the order of their bytes: an integer
//! whose first character says how long it is, then a fraction without a zero at its end.

use std::fmt;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ZERO: u8 = b'0';
const LAST: u8 = b'z';
/// The longest integers: a head and 26 digits.
const SMALLEST_HEAD: u8 = b'A';

/// The most characters of a rank that is kept; where one would be longer, those around it are made anew.
pub const CHARS_MAX: usize = 32;
/// The most ranks that are made anew at once.
pub const RENEWED_MAX: usize = 1_000;

/// A place in an order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(String);

impl Rank {
    /// Reads a rank.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let is_base62 = bytes.iter().all(u8::is_ascii_alphanumeric);
        let (integer, fraction) = split(bytes)?;
        let is_least = is_smallest(integer) && fraction.is_empty();
        let is_rank = is_base62 && !is_least && fraction.last() != Some(&ZERO);
        is_rank.then(|| Self(text.to_owned()))
    }

    /// Its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is longer than a rank should be.
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        self.0.len() > CHARS_MAX
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A rank between two, or at an end of the order; `None` where `low` is not below `high`, or the order has no end any
/// more, which takes more than 62²⁶ places.
#[must_use]
pub fn between(low: Option<&Rank>, high: Option<&Rank>) -> Option<Rank> {
    if low.zip(high).is_some_and(|(low, high)| low >= high) {
        return None;
    }
    let low = low.map(|rank| split(rank.0.as_bytes())).map_or(Some(None), |parts| parts.map(Some));
    let high =
        high.map(|rank| split(rank.0.as_bytes())).map_or(Some(None), |parts| parts.map(Some));
    let bytes = match (low?, high?) {
        (None, None) => b"a0".to_vec(),
        (None, Some((integer, fraction))) if is_smallest(integer) => {
            joined(integer, &middle(&[], Some(fraction))?)
        }
        (None, Some((integer, fraction))) if !fraction.is_empty() => integer.to_vec(),
        (None, Some((integer, _))) => match decremented(integer)? {
            least if is_smallest(&least) => joined(&least, &middle(&[], None)?),
            less => less,
        },
        (Some((integer, fraction)), None) => match incremented(integer) {
            Some(more) => more,
            None => joined(integer, &middle(fraction, None)?),
        },
        (Some((low, from)), Some((high, to))) if low == high => {
            joined(low, &middle(from, Some(to))?)
        }
        (Some((low, from)), Some((high, to))) => match incremented(low)? {
            more if more < joined(high, to) => more,
            _ => joined(low, &middle(from, None)?),
        },
    };
    String::from_utf8(bytes).ok().map(Rank)
}

/// So many ranks between two, in order and as short as can be.
#[must_use]
pub fn spread(low: Option<&Rank>, high: Option<&Rank>, count: usize) -> Option<Vec<Rank>> {
    let mut ranks = Vec::with_capacity(count);
    fill(low, high, count, &mut ranks)?;
    Some(ranks)
}

fn fill(
    low: Option<&Rank>,
    high: Option<&Rank>,
    count: usize,
    ranks: &mut Vec<Rank>,
) -> Option<()> {
    if count == 0 {
        return Some(());
    }
    if high.is_none() {
        // At the end integers follow each other.
        let mut last = between(low, None)?;
        for _ in 1..count {
            let next = between(Some(&last), None)?;
            ranks.push(std::mem::replace(&mut last, next));
        }
        ranks.push(last);
        return Some(());
    }
    let before = count / 2;
    let middle = between(low, high)?;
    fill(low, Some(&middle), before, ranks)?;
    ranks.push(middle.clone());
    fill(Some(&middle), high, count - before - 1, ranks)
}

/// The integer of a key, by its head, and its fraction.
fn split(key: &[u8]) -> Option<(&[u8], &[u8])> {
    let head = *key.first()?;
    let length = match head {
        b'a'..=b'z' => head - b'a' + 2,
        b'A'..=b'Z' => b'Z' - head + 2,
        _ => return None,
    };
    key.split_at_checked(length.into())
}

fn joined(integer: &[u8], fraction: &[u8]) -> Vec<u8> {
    [integer, fraction].concat()
}

fn is_smallest(integer: &[u8]) -> bool {
    integer.first() == Some(&SMALLEST_HEAD) && integer.iter().skip(1).all(|digit| *digit == ZERO)
}

fn value(digit: u8) -> Option<usize> {
    DIGITS.iter().position(|known| *known == digit)
}

/// The next integer.
fn incremented(integer: &[u8]) -> Option<Vec<u8>> {
    let (head, digits) = integer.split_first()?;
    let mut digits = digits.to_vec();
    for digit in digits.iter_mut().rev() {
        if *digit == LAST {
            *digit = ZERO;
        } else {
            *digit = *DIGITS.get(value(*digit)? + 1)?;
            return Some(joined(&[*head], &digits));
        }
    }
    match *head {
        b'Z' => Some(b"a0".to_vec()),
        b'z' => None,
        head => {
            // One more digit above zero, one fewer below.
            if head < b'Z' {
                digits.pop();
            } else {
                digits.push(ZERO);
            }
            Some(joined(&[head + 1], &digits))
        }
    }
}

/// The integer before.
fn decremented(integer: &[u8]) -> Option<Vec<u8>> {
    let (head, digits) = integer.split_first()?;
    let mut digits = digits.to_vec();
    for digit in digits.iter_mut().rev() {
        if *digit == ZERO {
            *digit = LAST;
        } else {
            *digit = *DIGITS.get(value(*digit)?.checked_sub(1)?)?;
            return Some(joined(&[*head], &digits));
        }
    }
    match *head {
        b'a' => Some(b"Zz".to_vec()),
        SMALLEST_HEAD => None,
        head => {
            if head > b'a' {
                digits.pop();
            } else {
                digits.push(LAST);
            }
            Some(joined(&[head - 1], &digits))
        }
    }
}

/// A fraction between two; `None` as the upper one is the end.
fn middle(low: &[u8], high: Option<&[u8]>) -> Option<Vec<u8>> {
    if let Some(high) = high {
        let digit = |place: usize| low.get(place).copied().unwrap_or(ZERO);
        let same = high.iter().enumerate().take_while(|(place, known)| digit(*place) == **known);
        let same = same.count();
        if same > 0 {
            let (begin, rest) = high.split_at_checked(same)?;
            let low = low.get(same..).unwrap_or_default();
            return Some(joined(begin, &middle(low, Some(rest))?));
        }
    }
    let from = low.first().map_or(Some(0), |digit| value(*digit))?;
    let to = match high {
        Some(high) => value(*high.first()?)?,
        None => DIGITS.len(),
    };
    if to.checked_sub(from)? > 1 {
        return Some(vec![*DIGITS.get((from + to).div_ceil(2))?]);
    }
    match high {
        Some(high) if high.len() > 1 => Some(high.get(..1)?.to_vec()),
        _ => {
            let rest = middle(low.get(1..).unwrap_or_default(), None)?;
            Some(joined(&[*DIGITS.get(from)?], &rest))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, sample::Index};

    use super::*;

    fn rank(text: &str) -> Rank {
        Rank::parse(text).unwrap_or_else(|| panic!("{text} is no rank"))
    }

    /// Examples of the library's own tests.
    #[test]
    fn keys_are_those_of_the_library() {
        for (low, high, expected) in [
            ("", "", "a0"),
            ("", "a0", "Zz"),
            ("", "Zz", "Zy"),
            ("a0", "", "a1"),
            ("a1", "", "a2"),
            ("a0", "a1", "a0V"),
            ("a1", "a2", "a1V"),
            ("a0V", "a1", "a0l"),
            ("Zz", "a0", "ZzV"),
            ("Zz", "a1", "a0"),
            ("", "Y00", "Xzzz"),
            ("bzz", "", "c000"),
            ("a0", "a0V", "a0G"),
            ("a0", "a0G", "a08"),
            ("b125", "b129", "b127"),
            ("a0", "a1V", "a1"),
            ("Zz", "a01", "a0"),
            ("", "a0V", "a0"),
            ("", "b999", "b99"),
        ] {
            let optional = |text: &str| (!text.is_empty()).then(|| rank(text));
            let made = between(optional(low).as_ref(), optional(high).as_ref());
            assert_eq!(made.map(|rank| rank.0).as_deref(), Some(expected), "{low} {high}");
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", "a", "a00", "0", "a0é", "A00000000000000000000000000", "b1", "a0-"] {
            assert_eq!(Rank::parse(text), None, "{text}");
        }
        assert_eq!(between(Some(&rank("a1")), Some(&rank("a0"))), None);
        assert_eq!(between(Some(&rank("a1")), Some(&rank("a1"))), None);
    }

    proptest! {
        /// Wherever things are put, they stay in the order in which they were put.
        #[test]
        fn there_is_always_room(places in prop::collection::vec(any::<Index>(), 1..200)) {
            let mut ranks: Vec<Rank> = Vec::new();
            for place in places {
                let place = place.index(ranks.len() + 1);
                let low = place.checked_sub(1).and_then(|before| ranks.get(before));
                let made = between(low, ranks.get(place)).unwrap();
                prop_assert_eq!(Rank::parse(made.as_str()), Some(made.clone()));
                ranks.insert(place, made);
            }
            prop_assert!(ranks.is_sorted_by(|a, b| a < b), "{:?}", ranks);
        }

        #[test]
        fn ranks_are_spread_in_order(count in 0_usize..1_500, ends in 0..4_u8) {
            let (low, high) = (rank("a0V"), rank("a0W"));
            let low = (ends & 1 > 0).then_some(&low);
            let high = (ends & 2 > 0).then_some(&high);
            let ranks = spread(low, high, count).unwrap();
            prop_assert_eq!(ranks.len(), count);
            prop_assert!(ranks.is_sorted_by(|a, b| a < b));
            prop_assert!(ranks.first().zip(low).is_none_or(|(first, low)| first > low));
            prop_assert!(ranks.last().zip(high).is_none_or(|(last, high)| last < high));
            prop_assert!(ranks.iter().all(|rank| !rank.is_too_long()));
        }
    }

    #[test]
    fn one_place_grows_longer_until_it_is_made_anew() {
        let (low, mut high) = (rank("a0"), rank("a1"));
        let mut moves = 0;
        while !high.is_too_long() {
            high = between(Some(&low), Some(&high)).unwrap();
            moves += 1;
        }
        assert!(moves > 100, "{moves}");
    }
}
