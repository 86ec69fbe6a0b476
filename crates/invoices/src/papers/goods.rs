//! Credit notes of goods that come back before they are paid, or are not sold after all since their order is cancelled: no money
//! is given back of them, and they are owed no longer.

use cfdi::{decimal, pricing::step, tax::TaxRate};
use kernel::{Amount, Currency};

use super::{
    GivenBack,
    credit::rounded_off,
    share::{by_sets, left, net_of, sets},
    tiers::Tiers,
};
use crate::{Invoice, OrderId, ReturnId, credit_notes};

/// How the credit note of an invoice that is not paid yet settles what it takes off it (SAT's guide, appendix 5 about
/// documents of type E): by waiving it (*condonación*).
pub(super) const WAIVED: &str = "15";

/// Parts of an order, by the taxes of its lines.
type Parts = Vec<(Vec<TaxRate>, Amount)>;

/// What an order amounts to without what has come back of it, and what of that was paid. What came back later and is not
/// credited yet counts as if it had not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bought {
    /// What its customer is asked for, who withholds the taxes that are withheld of it.
    pub asked: Amount,
    /// What it is before that, by the taxes of its lines.
    pub kept: Parts,
    /// What was paid for it, in all.
    pub paid: Amount,
}

/// Goods that came back, or were left of an order that was cancelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CameBack {
    /// What less the customer is asked for since.
    pub worth: Amount,
    /// What they are before taxes are withheld, by the taxes of the lines.
    pub returned: Parts,
}

/// What of goods is to be credited: what is open of the invoice beyond what is still to be paid for its order, less what its
/// `notes` have credited. What was paid is credited when it is given back.
#[must_use]
pub fn unpaid(invoice: &Invoice, notes: &[Invoice], bought: &Bought, goods: &CameBack) -> Amount {
    let totals = invoice.totals();
    let decimals = invoice.document.decimals();
    let sets = sets(&invoice.document, None);
    let rounding = rounded_off(&totals, 1, 1, Amount::from_micros(step(decimals)));
    // Orders do not know what was withheld otherwise, or levied besides, in an invoice that somebody has corrected.
    let of_invoice = |by_order: Amount, parts: &[(Vec<TaxRate>, Amount)]| {
        let by_taxes = net_of(&totals, &sets, parts);
        let off = decimal::less(by_taxes, by_order).micros().abs();
        if off <= rounding.micros() { by_order } else { by_taxes.rounded(decimals) }
    };
    let worth = of_invoice(goods.worth, &goods.returned);
    if worth <= Amount::ZERO {
        return Amount::ZERO;
    }
    let of_goods = notes.iter().filter(|note| note.draft.refund.is_none());
    let credited = of_goods
        .map(|note| credit_notes::taken(note, invoice).unwrap_or_else(|| note.totals().total));
    let open = decimal::less(above(totals.total, bought.paid), decimal::sum(credited));
    let asked = of_invoice(bought.asked, &bought.kept);
    let due = above(asked, bought.paid);
    let lost = decimal::less(open, due);
    // Where more than these goods is to be credited, only what was due of them is.
    let own = decimal::less(above(decimal::sum([asked, worth]), bought.paid), due);
    // A step that other notes were rounded by is made good, so that what is then open is what is due.
    let is_all = lost <= decimal::sum([worth, rounding]);
    let amount = if is_all { lost } else { own };
    amount.max(Amount::ZERO).min(invoice.outstanding().unwrap_or_default())
}

fn above(amount: Amount, other: Amount) -> Amount {
    decimal::less(amount, other).max(Amount::ZERO)
}

impl GivenBack {
    /// The same of money that is given back without a return, of an order of which so much came back and so much is kept: as far as
    /// the notes have left something of what came back, it settles that first, and discounts what is kept by the rest.
    #[must_use]
    pub fn settling(
        self,
        invoice: &Invoice,
        notes: &[Invoice],
        (came_back, kept): (Parts, Parts),
    ) -> Self {
        let whole = sets(&invoice.document, self.ticket.as_deref());
        let rest = left(&whole, notes.iter().map(|note| &note.document));
        let back = by_sets(&whole, &came_back);
        let open = Tiers::of(&rest, Some(&back), &by_sets(&whole, &kept)).came_back();
        // The lines of an order and the sets of its invoice are rounded apart, and these in each note.
        let steps = i64::try_from(whole.len().saturating_mul(notes.len() + 1)).unwrap_or(i64::MAX);
        let rounding = step(invoice.document.decimals()).saturating_mul(steps);
        match open.micros() > rounding {
            true => Self { returned: Some(came_back), kept, discounts_kept: true, ..self },
            false => self,
        }
    }

    /// Goods that came back before they were paid, and what is left of their order, by the taxes of the lines.
    #[must_use]
    pub fn goods(
        goods: ReturnId,
        amount: Amount,
        currency: Currency,
        returned: Parts,
        kept: Parts,
    ) -> Self {
        Self {
            refund: None,
            goods: Some(goods),
            cancelled_order: None,
            amount,
            currency,
            payment_form: Some(WAIVED.to_owned()),
            ticket: None,
            returned: Some(returned),
            kept,
            discounts_kept: false,
        }
    }

    /// What was left of an order when it was cancelled, by the taxes of the lines, and was never paid: nothing is kept of it.
    #[must_use]
    pub fn cancelled(order: OrderId, amount: Amount, currency: Currency, left: Parts) -> Self {
        Self {
            refund: None,
            goods: None,
            cancelled_order: Some(order),
            amount,
            currency,
            payment_form: Some(WAIVED.to_owned()),
            ticket: None,
            returned: Some(left),
            kept: Vec::new(),
            discounts_kept: false,
        }
    }
}
