//! What a step has found, slice after slice, whatever may be the matter with some of it.

use kernel::Fault;

use super::{ExpiredRows, Slice};

/// Places in a row that take too long or cannot be reached are nobody's fault but the database's.
const FAULTS_MAX: u32 = 3;

/// What there is to be removed. A place from which nothing can be removed keeps no other from its turn.
#[derive(Debug)]
pub struct Slices {
    left: Vec<ExpiredRows>,
    /// How many places are tried at once.
    at_once: usize,
    faults: u32,
}

impl Slices {
    /// All that was found.
    #[must_use]
    pub const fn of(expired: Vec<ExpiredRows>) -> Self {
        Self { left: expired, at_once: usize::MAX, faults: 0 }
    }

    /// What is to be removed now; none when all is done.
    pub fn take(&mut self) -> Option<Vec<ExpiredRows>> {
        let rest = self.left.split_off(self.at_once.min(self.left.len()));
        Some(std::mem::replace(&mut self.left, rest)).filter(|tried| !tried.is_empty())
    }

    /// A slice of it was removed.
    pub fn done(&mut self, slice: Slice) {
        drop(self.left.splice(..0, slice.left));
        (self.at_once, self.faults) = (usize::MAX, 0);
    }

    /// Nothing of it could be removed: it is tried place by place, and a place by itself is left for another time, whether it
    /// takes too long or something is wrong with it.
    ///
    /// # Errors
    /// The last one, when places in a row took too long or could not be reached.
    pub fn failed(&mut self, tried: Vec<ExpiredRows>, fault: Fault) -> Result<(), Fault> {
        self.at_once = 1;
        if tried.len() > 1 {
            drop(self.left.splice(..0, tried));
            return Ok(());
        }
        // Others are wrong with the place itself.
        self.faults += u32::from(matches!(fault, Fault::Unavailable(_)));
        if self.faults >= FAULTS_MAX {
            return Err(fault);
        }
        tracing::warn!(%fault, place = ?tried, "expired rows of a place could not be removed");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(names: &str) -> Vec<ExpiredRows> {
        names.chars().map(|place| ExpiredRows { chore: 0, place: place.to_string() }).collect()
    }

    /// Removes what is named, of two places at a time, but for some; tells what was removed, and whether it was given up.
    fn removed(names: &str, bad: &str) -> (String, bool) {
        let mut slices = Slices::of(places(names));
        let mut removed = String::new();
        while let Some(tried) = slices.take() {
            let slice: String = tried.iter().take(2).map(|rows| rows.place.as_str()).collect();
            if slice.contains(|place| bad.contains(place)) {
                let fault = Fault::Unavailable("canceled".to_owned());
                if slices.failed(tried, fault).is_err() {
                    return (removed, true);
                }
                continue;
            }
            removed.push_str(&slice);
            let left = tried.get(2..).unwrap_or_default().to_vec();
            slices.done(Slice { removed: 2, left });
        }
        (removed, false)
    }

    #[test]
    fn a_place_that_cannot_be_cleaned_up_keeps_no_other_from_it() {
        for (names, bad, gone, is_given_up) in [
            ("", "", "", false),
            ("abcde", "", "abcde", false),
            ("abcde", "a", "bcde", false),
            ("abcde", "c", "abde", false),
            ("abcde", "e", "abcd", false),
            ("abcde", "bd", "ace", false),
            ("abcde", "bc", "ade", false),
            ("abcdef", "bcd", "a", true),
            ("abcdef", "abcdef", "", true),
            ("a", "a", "", false),
        ] {
            assert_eq!(removed(names, bad), (gone.to_owned(), is_given_up), "{names} {bad}");
        }
    }

    #[test]
    fn what_is_wrong_with_places_says_nothing_of_the_database() {
        let mut slices = Slices::of(places("abcde"));
        let mut tried = 0;
        while let Some(places) = slices.take() {
            tried += places.len();
            slices.failed(places, Fault::Internal("a defect".to_owned())).unwrap();
        }
        assert_eq!(tried, 10, "all at once, and each");
    }
}
