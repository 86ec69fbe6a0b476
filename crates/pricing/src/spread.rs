//! Dividing an amount into parts that add up to it.

use std::cmp::Reverse;

use kernel::Amount;

/// The smallest step of amounts with that many decimals, in millionths.
#[must_use]
pub const fn step(decimals: u32) -> i64 {
    10_i64.pow(6_u32.saturating_sub(decimals))
}

/// Divides `amount` in proportion to `weights` by the largest remainder: every part is a whole number of steps of
/// `decimals`, and together they are the amount, which is such a number itself. Of equal remainders the first gets
/// the step that is left. No part is larger than its weight where the amount is not larger than all weights and those are
/// whole numbers of steps, too. Without any weight there is nothing to go by, and all parts are zero.
#[must_use]
pub fn spread(amount: Amount, weights: &[Amount], decimals: u32) -> Vec<Amount> {
    let step = i128::from(step(decimals));
    let whole: i128 = weights.iter().map(|weight| i128::from(weight.micros())).sum();
    if whole == 0 {
        return vec![Amount::ZERO; weights.len()];
    }
    let steps = i128::from(amount.micros()) / step;
    let shares = weights.iter().map(|weight| {
        let share = steps * i128::from(weight.micros());
        (share.div_euclid(whole), share.rem_euclid(whole))
    });
    let (mut parts, remainders): (Vec<i128>, Vec<i128>) = shares.unzip();
    let left = steps - parts.iter().sum::<i128>();
    let mut by_remainder: Vec<usize> = (0..parts.len()).collect();
    by_remainder.sort_by_key(|index| Reverse(remainders.get(*index).copied()));
    let takers = usize::try_from(left).unwrap_or_default();
    for index in by_remainder.into_iter().take(takers) {
        if let Some(part) = parts.get_mut(index) {
            *part += 1;
        }
    }
    let micros = |part: i128| i64::try_from(part * step).unwrap_or(i64::MAX);
    parts.into_iter().map(|part| Amount::from_micros(micros(part))).collect()
}
