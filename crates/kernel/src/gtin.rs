//! The check digit of article numbers (GTIN).

/// The check digit of what stands in front of it: weights 3 and 1 alternate from the right, and it completes the sum to a
/// multiple of ten (GS1 General Specifications, §7.9).
#[must_use]
pub fn check_digit(body: &[u32]) -> u32 {
    let weighted = body.iter().rev().zip([3, 1].iter().cycle());
    let sum: u32 = weighted.map(|(digit, weight)| digit * weight).sum();
    (10 - sum % 10) % 10
}

/// Whether digits end with the check digit of those before it.
#[must_use]
pub(crate) fn is_checked(digits: &str) -> bool {
    let digits: Option<Vec<u32>> = digits.chars().map(|letter| letter.to_digit(10)).collect();
    digits
        .as_ref()
        .and_then(|digits| digits.split_last())
        .is_some_and(|(check, body)| *check == check_digit(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_digit_completes_the_sum() {
        for good in ["7501031311309", "96385074", "036000291452", "10614141000415"] {
            assert!(is_checked(good), "{good}");
        }
        for bad in ["", "7501031311308", "75010313113o9", "2000420003509"] {
            assert!(!is_checked(bad), "{bad}");
        }
    }
}
