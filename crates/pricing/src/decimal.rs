//! Arithmetic on amounts of six decimals, rounded half up as SAT rounds.

use kernel::Amount;

const SCALE: i128 = 1_000_000;

/// `a` times `b`, to six decimals.
#[must_use]
pub fn product(a: Amount, b: Amount) -> Amount {
    narrow(divided(i128::from(a.micros()) * i128::from(b.micros()), SCALE))
}

/// `a` divided by `b`, to six decimals; zero when `b` is.
#[must_use]
pub fn quotient(a: Amount, b: Amount) -> Amount {
    match b.micros() {
        0 => Amount::ZERO,
        divisor => narrow(divided(i128::from(a.micros()) * SCALE, i128::from(divisor))),
    }
}

/// The share `part / whole` of `a`, to six decimals; zero when `whole` is.
#[must_use]
pub fn share(a: Amount, part: Amount, whole: Amount) -> Amount {
    match whole.micros() {
        0 => Amount::ZERO,
        divisor => {
            narrow(divided(i128::from(a.micros()) * i128::from(part.micros()), i128::from(divisor)))
        }
    }
}

/// So many percent of `a`, rounded once, to that many decimals.
#[must_use]
pub fn percent(a: Amount, percent: Amount, decimals: u32) -> Amount {
    let step = 10_i128.pow(6_u32.saturating_sub(decimals));
    let scaled = i128::from(a.micros()) * i128::from(percent.micros());
    narrow(divided(scaled, 100 * SCALE * step) * step)
}

/// The sum; beyond what an amount holds it stays at the limit, which the rules then refuse.
pub fn sum(amounts: impl IntoIterator<Item = Amount>) -> Amount {
    Amount::from_micros(amounts.into_iter().fold(0, |sum, next| next.micros().saturating_add(sum)))
}

/// `a` less `b`.
#[must_use]
pub fn less(a: Amount, b: Amount) -> Amount {
    Amount::from_micros(a.micros().saturating_sub(b.micros()))
}

/// Digits with at least `least` decimals, and more only where they are not zero: `100.00`, `86.206897`.
#[must_use]
pub fn digits(amount: Amount, least: u32) -> String {
    let shortest = amount.to_string();
    let decimals = shortest.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let missing = (least as usize).saturating_sub(decimals);
    match (decimals, missing) {
        (_, 0) => shortest,
        (0, missing) => format!("{shortest}.{:0<missing$}", ""),
        (_, missing) => format!("{shortest}{:0<missing$}", ""),
    }
}

/// How many decimals an amount needs.
#[must_use]
pub fn places(amount: Amount) -> u32 {
    (0..6).find(|decimals| amount.fits(*decimals)).unwrap_or(6)
}

/// The quotient, rounded half away from zero.
#[must_use]
pub fn divided(numerator: i128, divisor: i128) -> i128 {
    // An odd divisor has no exact half, so nothing is ever halfway and flooring its half is right.
    (numerator + divisor.abs() / 2 * numerator.signum()) / divisor
}

/// That many millionths; beyond what an amount holds it stays at the limit, which the rules then refuse.
#[must_use]
pub fn narrow(micros: i128) -> Amount {
    let limit = if micros < 0 { i64::MIN } else { i64::MAX };
    Amount::from_micros(i64::try_from(micros).unwrap_or(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_half_up() {
        let amount = Amount::from_micros;
        assert_eq!(product(amount(86_206_897), amount(160_000)), amount(13_793_104));
        assert_eq!(product(amount(5), amount(500_000)), amount(3));
        assert_eq!(quotient(amount(100_000_000), amount(1_160_000)), amount(86_206_897));
        assert_eq!(quotient(amount(1), amount(2_000_000)), amount(1));
        assert_eq!(
            share(amount(16_000_000), amount(1_000_000), amount(3_000_000)),
            amount(5_333_333)
        );
    }

    #[test]
    fn rounds_a_percentage_once() {
        let cases = [
            ("399.80", "10", 2, "39.98"),
            // 0.0049995, which rounding to six decimals first would make 0.005 and then 0.01.
            ("99.99", "0.005", 2, "0"),
            ("10.10", "12.5", 2, "1.26"),
            ("333", "3.3333", 0, "11"),
            ("0.000001", "50", 6, "0.000001"),
        ];
        for (whole, share, decimals, expected) in cases {
            let [whole, share] = [whole, share].map(|text| Amount::parse(text).unwrap());
            assert_eq!(
                percent(whole, share, decimals).to_string(),
                expected,
                "{share} % of {whole}"
            );
        }
    }

    #[test]
    fn writes_the_decimals_asked_for() {
        let cases = [
            (100_000_000, 2, "100.00"),
            (86_206_897, 2, "86.206897"),
            (5_500_000, 2, "5.50"),
            (5_000_000, 0, "5"),
            (160_000, 6, "0.160000"),
            (0, 2, "0.00"),
        ];
        for (micros, least, text) in cases {
            assert_eq!(digits(Amount::from_micros(micros), least), text);
        }
    }
}
