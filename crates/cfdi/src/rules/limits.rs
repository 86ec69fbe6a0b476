//! Between which amounts a product may lie, given the decimals its factors are written with.
//!
//! A provider does not multiply: it asks whether the stated amount can come from factors that were rounded
//! to the decimals they have (Anexo 20, on `Importe`). Arithmetic is exact, in 128 bits.

use kernel::Amount;

use super::finding::{At, Findings};

/// The least and the most that an amount may be, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    least: i128,
    most: i128,
}

impl Limits {
    /// Of quantity times unit price, for an amount of that many decimals; the price has at least `decimals`.
    pub(super) fn of_item(quantity: Amount, price: Amount, decimals: u32, written: u32) -> Self {
        let (quantity, half_quantity) = halves(quantity, 0);
        let (price, half_price) = halves(price, decimals);
        let low = (quantity - half_quantity).saturating_mul(price - half_price);
        let high = (quantity + half_quantity).saturating_mul(price + half_price);
        Self::rounded(low, high, 4_000_000, written)
    }

    /// Of base times rate, for a tax of that many decimals; the base has at least `decimals`.
    pub(super) fn of_tax(base: Amount, rate: Amount, decimals: u32, written: u32) -> Self {
        let (base, half_base) = halves(base, decimals);
        let rate = i128::from(rate.micros());
        let low = (base - half_base).saturating_mul(rate);
        let high = (base + half_base).saturating_mul(rate);
        Self::rounded(low, high, 2_000_000, written)
    }

    /// Of amounts of that many decimals in dollars, to the cent: times the pesos for one unit of their currency, if
    /// that is not the peso, by the pesos for one dollar, which is above zero.
    pub(super) fn of_dollars(
        amounts: impl Iterator<Item = Amount>,
        decimals: u32,
        (rate, usd_rate): (Option<Amount>, Amount),
    ) -> Self {
        let (low, high) = amounts.fold((0i128, 0i128), |(low, high), amount| {
            let (amount, half) = halves(amount, decimals);
            (low + amount - half, high + amount + half)
        });
        let (rate, half_rate) = rate.map_or((2_000_000, 0), |rate| halves(rate, 0));
        let (dollar, half_dollar) = halves(usd_rate, 0);
        let cents = 2 * i128::from(step(2));
        let low = low.saturating_mul(rate - half_rate) / (dollar + half_dollar);
        let high = high.saturating_mul(rate + half_rate) / (dollar - half_dollar);
        Self { least: low / cents * cents / 2, most: (high / cents + 1).saturating_mul(cents) / 2 }
    }

    /// Cuts the least and rounds the most up, to that many decimals. `scale` makes millionths of them.
    fn rounded(low: i128, high: i128, scale: i128, decimals: u32) -> Self {
        let step = i128::from(step(decimals));
        let divisor = scale * step;
        let above = i128::from(high % divisor > 0);
        Self { least: low / divisor * step, most: (high / divisor + above) * step }
    }

    pub(super) fn include(self, amount: Amount) -> bool {
        (self.least..=self.most).contains(&i128::from(amount.micros()))
    }

    /// Both, to be shown.
    pub(super) fn ends(self) -> (Amount, Amount) {
        (crate::decimal::narrow(self.least), crate::decimal::narrow(self.most))
    }
}

/// The least of an amount in the currency of a payment, given the amount in the document's and the units
/// of that for one of the payment's, in ten-thousand-millionths (guide of the payment complement).
pub(super) fn least_in_payment(paid: Amount, ten_decimals: u64, decimals: (u32, u32)) -> i128 {
    let (of_document, of_payment) = decimals;
    let (paid, half) = halves(paid, of_document);
    let step = i128::from(step(of_payment));
    let micros = (paid - half) * 10_000_000_000 / (2 * i128::from(ten_decimals) + 1);
    micros / step * step
}

/// How many decimals [`digits`](crate::decimal::digits) writes.
pub(super) fn written_decimals(amount: Amount, least: u32) -> u32 {
    (least..6).find(|decimals| amount.micros() % step(*decimals) == 0).unwrap_or(6)
}

/// Whether an amount can be of a document: not negative, and not beyond what is accepted (301).
pub(super) fn is_possible(amount: Amount, at: &At<'_>, found: &mut Findings) -> bool {
    if amount.is_negative() {
        found.add(
            "301",
            at,
            format_args!(
                "is {amount}, but must not be negative: state reductions as a positive discount, \
                 or in a credit note",
            ),
            format_args!(
                "es {amount}, pero no debe ser negativo: indicar las reducciones como descuento en \
                 positivo, o en una nota de crédito",
            ),
        );
    }
    if amount > Amount::MAX {
        let most = Amount::MAX;
        found.add(
            "301",
            at,
            format_args!(
                "is {amount}, but must be at most {most}: check the amount or split the document",
            ),
            format_args!(
                "es {amount}, pero debe ser de {most} como máximo: revisar el importe o dividir el \
                 comprobante",
            ),
        );
    }
    !amount.is_negative() && amount <= Amount::MAX
}

/// Twice the amount, and twice half a unit of its last decimal, in millionths.
fn halves(amount: Amount, least: u32) -> (i128, i128) {
    (2 * i128::from(amount.micros()), i128::from(step(written_decimals(amount, least))))
}

/// Millionths in a unit of that decimal.
fn step(decimals: u32) -> i64 {
    10i64.pow(6u32.saturating_sub(decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    #[track_caller]
    fn ends(limits: Limits, least: &str, most: &str) {
        assert_eq!(limits.ends(), (amount(least), amount(most)));
    }

    #[test]
    fn products_lie_as_far_as_their_factors_are_rounded() {
        // (3 - 0.5) * (10.00 - 0.005), (3 + 0.5) * (10.00 + 0.005)
        ends(Limits::of_item(amount("3"), amount("10"), 2, 2), "24.98", "35.02");
        ends(Limits::of_item(amount("1.5"), amount("86.206897"), 2, 6), "124.999999", "133.620692");
        ends(Limits::of_item(amount("1"), amount("0"), 2, 2), "0", "0.01");
        // (100.00 - 0.005) * 0.16, (100.00 + 0.005) * 0.16
        ends(Limits::of_tax(amount("100"), amount("0.16"), 2, 2), "15.99", "16.01");
        ends(Limits::of_tax(amount("86.206897"), amount("0.16"), 2, 6), "13.793103", "13.793104");
        ends(Limits::of_tax(amount("100"), amount("0"), 2, 2), "0", "0");
    }

    #[test]
    fn amounts_in_dollars_lie_as_far_as_the_rates_are_rounded() {
        let of = |amounts: &[&str], rate: Option<&str>, usd_rate: &str| {
            let amounts = amounts.iter().map(|text| amount(text));
            Limits::of_dollars(amounts, 2, (rate.map(amount), amount(usd_rate)))
        };
        // (185.00 - 0.005) / 18.55, (185.00 + 0.005) / 18.45
        ends(of(&["185"], None, "18.5"), "9.97", "10.03");
        // Twice (50.00 - 0.005) * 20.05 / 18.55, twice (50.00 + 0.005) * 20.15 / 18.45
        ends(of(&["50", "50"], Some("20.1"), "18.5"), "108.07", "109.23");
        ends(of(&[], None, "18.5"), "0", "0.01");
    }

    #[test]
    fn decimals_are_counted_as_they_are_written() {
        for (text, least, decimals) in
            [("100", 2, 2), ("100", 0, 0), ("1.5", 0, 1), ("86.206897", 2, 6), ("0.000001", 0, 6)]
        {
            let amount = amount(text);
            assert_eq!(written_decimals(amount, least), decimals, "{text}");
            let written = crate::decimal::digits(amount, least);
            let after_point = written.split_once('.').map_or(0, |(_, fraction)| fraction.len());
            assert_eq!(after_point, decimals as usize, "{written}");
        }
    }

    #[test]
    fn what_was_paid_abroad_is_turned_with_its_margin() {
        // (100.00 - 0.005) / 17.00000000005
        let least = least_in_payment(amount("100"), 170_000_000_000, (2, 2));
        assert_eq!(least, 5_880_000);
    }
}
