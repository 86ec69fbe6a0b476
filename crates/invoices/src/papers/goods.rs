//! Credit notes of goods that come back before they are paid: no money is given back of them, and they are owed no longer.

use cfdi::{decimal, tax::TaxRate, totals::Totals};
use kernel::{Amount, Currency};

use super::GivenBack;
use crate::{Invoice, ReturnId, credit_notes};

/// How the credit note of an invoice that is not paid yet settles what it takes off it (SAT's guide, appendix 5 about
/// documents of type E): by waiving it (*condonación*).
pub(super) const WAIVED: &str = "15";

/// What an order amounts to without what has come back of it, and what of that was paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bought {
    /// What it amounts to.
    pub charged: Amount,
    /// What was paid for it, in all.
    pub paid: Amount,
}

/// Goods that came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CameBack {
    /// What they are worth, taxes included.
    pub worth: Amount,
    /// What came back later and is not credited yet: what came back first may have done so before the invoice was drafted.
    pub later: Amount,
}

/// What of goods is to be credited: what is open of the invoice beyond what is still to be paid for its order, less what its
/// `notes` have credited. What was paid is credited when it is given back.
#[must_use]
pub fn unpaid(invoice: &Invoice, notes: &[Invoice], bought: Bought, goods: CameBack) -> Amount {
    let document = &invoice.document;
    let sold = Totals::of_items(&document.items, document.decimals()).before_withholding();
    let total = invoice.totals().total;
    let of_goods = notes.iter().filter(|note| note.draft.refund.is_none());
    let credited = of_goods
        .map(|note| credit_notes::taken(note, invoice).unwrap_or_else(|| note.totals().total));
    // Orders know nothing of what the receiver withholds.
    let credited = decimal::share(decimal::sum(credited), sold, total);
    // What is withheld is paid with the rest, to somebody else.
    let paid = decimal::share(bought.paid, sold, total);
    let open = decimal::less(above(sold, paid), credited);
    let due = above(bought.charged, paid);
    let lost = decimal::less(decimal::less(open, due), goods.later);
    let amount = goods.worth.min(lost).max(Amount::ZERO);
    let amount = decimal::share(amount, total, sold).rounded(document.decimals());
    amount.min(invoice.outstanding().unwrap_or_default())
}

fn above(amount: Amount, other: Amount) -> Amount {
    decimal::less(amount, other).max(Amount::ZERO)
}

impl GivenBack {
    /// Goods that came back before they were paid, by the taxes of their lines.
    #[must_use]
    pub fn goods(
        goods: ReturnId,
        amount: Amount,
        currency: Currency,
        returned: Vec<(Vec<TaxRate>, Amount)>,
    ) -> Self {
        Self {
            refund: None,
            goods: Some(goods),
            amount,
            currency,
            payment_form: Some(WAIVED.to_owned()),
            ticket: None,
            returned: Some(returned),
        }
    }
}
