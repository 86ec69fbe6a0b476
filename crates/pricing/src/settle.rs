//! Rounding that meets what is paid to the cent.

use kernel::Amount;

use crate::{
    Line, amounts, decimal,
    spread::step,
    sums::Unrounded,
    tax::{ItemTax, TaxRate},
};

/// How many lines [`settle`] tries to move; the first nearly always serves.
const TRIED_MAX: usize = 20;

/// Moves the amount of one line with taxes inside by less than a cent or so, where the rounding of the separate sums
/// would make the total (before withholding) another than `paid`. Lines without taxes and
/// [those that must not move](Line::is_movable) are left alone. It takes time in proportion to the lines.
///
/// Whether the total is now `paid`: it is not only when no line is large enough to be moved.
pub fn settle<L: Line>(lines: &mut [L], paid: Amount, decimals: u32) -> bool {
    let mut sums = Unrounded::default();
    lines.iter().for_each(|line| sums.add(line));
    if sums.before_withholding(decimals) == paid {
        return true;
    }
    for index in largest(lines) {
        let Some(line) = lines.get_mut(index) else { continue };
        if let Some(moved) = moved(line, &sums.without(line), paid, decimals) {
            let Moved { amount, unit_price, taxes } = moved;
            line.set_amount(amount, unit_price, taxes);
            return true;
        }
    }
    false
}

/// The lines that may be moved, the largest first.
fn largest<L: Line>(lines: &[L]) -> impl Iterator<Item = usize> + use<L> {
    // Where there is no tax inside, the amount is what was said; what is given away has nothing to move.
    let may_move = |line: &&L| line.is_movable() && !line.taxes().is_empty();
    let nets = lines.iter().enumerate().filter(|(_, line)| may_move(line));
    let nets = nets.map(|(index, line)| (index, net(line))).filter(|(_, net)| net.micros() > 1);
    let mut movable: Vec<(usize, Amount)> = nets.collect();
    movable.sort_by_key(|(_, net)| std::cmp::Reverse(*net));
    movable.into_iter().map(|(index, _)| index).take(TRIED_MAX)
}

/// What is left of a line's amount after its discount.
fn net(line: &impl Line) -> Amount {
    decimal::less(line.amount(), line.discount().unwrap_or_default())
}

/// A line with another amount.
struct Moved {
    amount: Amount,
    unit_price: Amount,
    taxes: Vec<ItemTax>,
}

/// The line moved so that it and the others amount to what is paid, if so little can do that.
fn moved(line: &impl Line, others: &Unrounded, paid: Amount, decimals: u32) -> Option<Moved> {
    // The separate sums are at most a handful; each is off by half a step at most.
    let reach = (step(decimals) * 4).min(net(line).micros().saturating_sub(1)).max(0);
    let rates: Vec<TaxRate> = line.taxes().iter().map(|tax| tax.rate).collect();
    let by = |micros: i64| by(line, micros, &rates);
    let total_when_moved = |micros: i64| {
        let (mut sums, moved) = (others.clone(), by(micros));
        sums.add_parts(moved.amount, line.discount(), &moved.taxes);
        sums.before_withholding(decimals)
    };
    // The total only grows with the amount, so the smallest move is found by halving.
    let is_down = total_when_moved(0) > paid;
    let directed = |micros: i64| if is_down { -micros } else { micros };
    let (mut not_enough, mut enough) = (0, reach);
    while enough - not_enough > 1 {
        let middle = i64::midpoint(not_enough, enough);
        let total = total_when_moved(directed(middle));
        let is_reached = if is_down { total <= paid } else { total >= paid };
        if is_reached {
            enough = middle;
        } else {
            not_enough = middle;
        }
    }
    (total_when_moved(directed(enough)) == paid).then(|| by(directed(enough)))
}

/// The line with its amount moved by some millionths.
fn by(line: &impl Line, micros: i64, rates: &[TaxRate]) -> Moved {
    let amount = Amount::from_micros(line.amount().micros().saturating_add(micros));
    let net = decimal::less(amount, line.discount().unwrap_or_default());
    Moved {
        amount,
        unit_price: decimal::quotient(amount, line.quantity()),
        taxes: amounts::taxes(line.quantity(), net, rates),
    }
}
