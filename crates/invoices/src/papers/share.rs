//! What of an invoice was sold under which taxes, and how money that is given back is shared among them.

use cfdi::{
    decimal,
    document::{Document, Item},
    pricing::{spread, step},
    tax::{Factor, TaxRate},
    totals::Totals,
};
use kernel::Amount;

use crate::Invoice;

/// What of a document bears the same taxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxSet {
    /// Its taxes.
    pub taxes: Vec<TaxRate>,
    /// A code of c_ObjetoImp.
    pub tax_object: String,
    /// What is paid for it, with all taxes, before anything is withheld: together the sets are what is paid for the
    /// document, to the cent.
    pub gross: Amount,
    /// What is withheld of it, unrounded.
    pub withheld: Amount,
    /// What it is before taxes and discounts.
    pub amount: Amount,
    /// The discounts.
    pub discount: Amount,
    /// How many units: those of what bears an amount per unit.
    pub units: Amount,
}

impl TaxSet {
    /// Whether it bears an amount per unit.
    #[must_use]
    pub fn is_by_unit(&self) -> bool {
        self.taxes.iter().any(|rate| rate.factor == Factor::Cuota)
    }

    fn is_of(&self, taxes: &[TaxRate], tax_object: &str) -> bool {
        self.taxes == taxes && self.tax_object == tax_object
    }

    /// What is paid for so much of it once its own taxes are withheld, unrounded.
    fn net_of(&self, gross: Amount) -> Amount {
        decimal::share(decimal::less(self.gross, self.withheld), gross, self.gross)
    }
}

/// The sets of taxes that occur in a document, of the order with that number alone if one is told: in a global invoice an
/// order is a ticket.
#[must_use]
pub fn sets(document: &Document, ticket: Option<&str>) -> Vec<TaxSet> {
    let decimals = document.decimals();
    let is_wanted = |item: &&Item| ticket.is_none() || item.sku.as_deref() == ticket;
    let items: Vec<Item> = document.items.iter().filter(is_wanted).cloned().collect();
    let mut sets: Vec<TaxSet> = Vec::new();
    for one in items.iter().map(alone) {
        match sets.iter_mut().find(|set| set.is_of(&one.taxes, &one.tax_object)) {
            Some(set) => {
                set.gross = decimal::sum([set.gross, one.gross]);
                set.withheld = decimal::sum([set.withheld, one.withheld]);
                set.amount = decimal::sum([set.amount, one.amount]);
                set.discount = decimal::sum([set.discount, one.discount]);
                set.units = decimal::sum([set.units, one.units]);
            }
            None => sets.push(one),
        }
    }
    // What is given away is not given back.
    sets.retain(|set| set.gross > Amount::ZERO);
    let weights: Vec<Amount> = sets.iter().map(|set| set.gross).collect();
    let whole = Totals::of_items(&items, decimals).before_withholding();
    for (set, gross) in sets.iter_mut().zip(spread(whole, &weights, decimals)) {
        set.gross = gross;
    }
    sets
}

/// What is paid for an invoice of the order with this number, which amounts to `total` and of which `returned` has come back:
/// neither what came back before the invoice was made, nor what its receiver withholds.
#[must_use]
pub fn invoiced(invoice: &Invoice, number: &str, (total, returned): (Amount, Amount)) -> Amount {
    let document = &invoice.document;
    let ticket = document.global.is_some().then_some(number);
    let stated = decimal::sum(sets(document, ticket).into_iter().map(|set| set.gross));
    // A ticket is rounded together with the others of its invoice.
    let rounding = Amount::from_micros(step(document.decimals()));
    let is_whole = stated >= decimal::less(total, rounding);
    let sold = if returned == Amount::ZERO || is_whole { total } else { stated };
    // The public withholds nothing.
    let totals = Some(invoice.totals()).filter(|_| ticket.is_none());
    let withheld = totals.map(|totals| decimal::less(totals.before_withholding(), totals.total));
    decimal::less(sold, withheld.unwrap_or_default())
}

/// What one item is, unrounded.
pub(super) fn alone(item: &Item) -> TaxSet {
    let discount = item.discount.unwrap_or_default();
    let net = decimal::less(item.amount, discount);
    let charged = item.taxes.iter().filter(|tax| !tax.rate.withheld).map(|tax| tax.amount);
    let withheld = item.taxes.iter().filter(|tax| tax.rate.withheld).map(|tax| tax.amount);
    // One sale of a global invoice may be of several units.
    let by_unit = item.taxes.iter().find(|tax| tax.rate.factor == Factor::Cuota);
    TaxSet {
        taxes: item.taxes.iter().map(|tax| tax.rate).collect(),
        tax_object: item.tax_object.clone(),
        gross: decimal::sum(charged.chain([net])),
        withheld: decimal::sum(withheld),
        amount: item.amount,
        discount,
        units: by_unit.map_or(item.quantity, |tax| tax.base),
    }
}

/// What credit notes have left of each set.
#[must_use]
pub fn left<'a>(sets: &[TaxSet], notes: impl Iterator<Item = &'a Document>) -> Vec<Amount> {
    let mut left: Vec<Amount> = sets.iter().map(|set| set.gross).collect();
    for credited in notes.flat_map(|note| super::sets(note, None)) {
        let place = sets.iter().position(|set| set.is_of(&credited.taxes, &credited.tax_object));
        if let Some(of_set) = place.and_then(|place| left.get_mut(place)) {
            *of_set = decimal::less(*of_set, credited.gross).max(Amount::ZERO);
        }
    }
    left
}

/// Which set bears these taxes, or else the same without what is withheld: the ticket of a global invoice withholds nothing, and
/// who corrects an invoice may withhold what its order does not.
pub(super) fn place_of(sets: &[TaxSet], taxes: &[TaxRate]) -> Option<usize> {
    let place = sets.iter().position(|set| set.taxes == taxes);
    place.or_else(|| sets.iter().position(|set| charged(&set.taxes).eq(charged(taxes))))
}

fn charged(taxes: &[TaxRate]) -> impl Iterator<Item = &TaxRate> {
    taxes.iter().filter(|rate| !rate.withheld)
}

/// What is paid for these parts of an invoice, by the taxes of their lines, once their own taxes are withheld; unrounded.
pub(super) fn net_of(totals: &Totals, sets: &[TaxSet], parts: &[(Vec<TaxRate>, Amount)]) -> Amount {
    let gross = decimal::sum(sets.iter().map(|set| set.gross));
    let net = decimal::sum(sets.iter().map(|set| set.net_of(set.gross)));
    let nets = parts.iter().map(|(taxes, amount)| {
        let set = place_of(sets, taxes).and_then(|place| sets.get(place));
        set.map_or_else(|| decimal::share(net, *amount, gross), |set| set.net_of(*amount))
    });
    // Local taxes bear the proportion that they have in the invoice.
    decimal::share(decimal::sum(nets), totals.total, without_local(totals))
}

/// What is to be sold, of what is left of the sets, so that so much is paid once their own taxes are withheld: first the
/// `wanted` parts of them, as far as there is so much of those.
pub(super) fn gross_for(
    amount: Amount,
    totals: &Totals,
    sets: &[TaxSet],
    (left, wanted): (&[Amount], Option<&[Amount]>),
) -> Amount {
    let paid_for = |parts: &[Amount]| {
        decimal::sum(sets.iter().zip(parts).map(|(set, part)| set.net_of(*part)))
    };
    let amount = decimal::share(amount, without_local(totals), totals.total);
    let first = preferred(left, wanted);
    let (of_first, paid) = (decimal::sum(first.iter().copied()), paid_for(&first));
    if amount <= paid {
        return decimal::share(of_first, amount, paid);
    }
    let rest = less_parts(left, &first);
    let (of_rest, to_pay) = (decimal::sum(rest.iter().copied()), paid_for(&rest));
    let more = decimal::less(amount, paid);
    let more = if to_pay == Amount::ZERO { more } else { decimal::share(of_rest, more, to_pay) };
    decimal::sum([of_first, more])
}

/// What is paid but for what states and municipalities levy.
fn without_local(totals: &Totals) -> Amount {
    decimal::less(decimal::sum([totals.total, totals.local_withheld]), totals.local_charged)
}

/// The wanted parts of what is left, or all of it.
fn preferred(left: &[Amount], wanted: Option<&[Amount]>) -> Vec<Amount> {
    match wanted {
        Some(wanted) => left.iter().zip(wanted).map(|(left, wanted)| *left.min(wanted)).collect(),
        None => left.to_vec(),
    }
}

fn less_parts(left: &[Amount], parts: &[Amount]) -> Vec<Amount> {
    left.iter().zip(parts).map(|(left, part)| decimal::less(*left, *part)).collect()
}

/// Shares `amount` among what is left of the sets by the largest remainder: first among the `wanted` parts of them, as far
/// as there is so much of those, then among the rest. `None` where there is not so much left in all.
#[must_use]
pub fn shared(
    amount: Amount,
    left: &[Amount],
    wanted: Option<&[Amount]>,
    decimals: u32,
) -> Option<Vec<Amount>> {
    if amount > decimal::sum(left.iter().copied()) {
        return None;
    }
    let first = preferred(left, wanted);
    let of_first = amount.min(decimal::sum(first.iter().copied()));
    let parts = spread(of_first, &first, decimals);
    let still = less_parts(left, &parts);
    let rest = spread(decimal::less(amount, of_first), &still, decimals);
    Some(parts.into_iter().zip(rest).map(|(part, more)| decimal::sum([part, more])).collect())
}
