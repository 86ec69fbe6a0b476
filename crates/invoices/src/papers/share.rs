//! What of an invoice was sold under which taxes.

use cfdi::{
    decimal,
    document::{Document, Item},
    pricing::{spread, step},
    tax::{Factor, TaxRate},
    totals::Totals,
};
use kernel::Amount;

use crate::{Invoice, sales::charged};

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
    pub(super) fn net_of(&self, gross: Amount) -> Amount {
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
fn place_of(sets: &[TaxSet], taxes: &[TaxRate]) -> Option<usize> {
    let place = sets.iter().position(|set| set.taxes == taxes);
    place.or_else(|| sets.iter().position(|set| charged(&set.taxes) == charged(taxes)))
}

/// How much of each set these parts are, by the taxes of their lines.
pub(super) fn by_sets(sets: &[TaxSet], parts: &[(Vec<TaxRate>, Amount)]) -> Vec<Amount> {
    let mut of_sets = vec![Amount::ZERO; sets.len()];
    for (taxes, amount) in parts {
        let place = place_of(sets, taxes);
        if let Some(of_set) = place.and_then(|place| of_sets.get_mut(place)) {
            *of_set = decimal::sum([*of_set, *amount]);
        }
    }
    of_sets
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

/// What is paid but for what states and municipalities levy.
pub(super) fn without_local(totals: &Totals) -> Amount {
    decimal::less(decimal::sum([totals.total, totals.local_withheld]), totals.local_charged)
}
