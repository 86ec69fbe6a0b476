//! Which sales belong in a global invoice, and how many of them in each.

use kernel::{Amount, Currency, Timestamp};

use crate::{InvoiceId, Known, OrderId, draft::ITEMS_MAX, sales};

/// An order, as far as it decides about its place in a global invoice.
#[derive(Clone, Debug, PartialEq)]
pub struct Sale {
    /// The order.
    pub order: OrderId,
    /// Its number as people know it: that of the ticket.
    pub number: String,
    /// When it was paid.
    pub paid_at: Option<Timestamp>,
    /// What it amounts to, without what has come back of it.
    pub total: Amount,
    /// Whether everything has come back.
    pub is_returned: bool,
    /// Whether all that was paid has been given back.
    pub is_refunded: bool,
    /// Whether its customer had withheld taxes when they paid it.
    pub is_withheld: bool,
    /// In which currency.
    pub currency: Currency,
    /// Whether it is cancelled.
    pub is_cancelled: bool,
    /// The invoice that it is in, or is about to be.
    pub invoice: Option<InvoiceId>,
}

/// Why a sale of a period is left out of its global invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// Another invoice has it, such as the one that its customer asked for.
    Invoiced,
    /// It was cancelled.
    Cancelled,
    /// Everything has come back of it: nothing is left that was sold.
    Returned,
    /// All that was paid of it has been given back, though nothing came back: it is a sale no more.
    Refunded,
    /// Whoever paid it withheld taxes: it is invoiced to them, since the public withholds nothing.
    Withheld,
    /// It is not paid: only what was paid goes into a global invoice (guide of filling in the global invoice).
    Unpaid,
    /// It was paid in another currency than pesos, of which nobody has told the exchange rate.
    OtherCurrency,
}

impl LeftOut {
    /// Every reason.
    pub const EVERY: &'static [Self] = &[
        Self::Invoiced,
        Self::Cancelled,
        Self::Returned,
        Self::Refunded,
        Self::Withheld,
        Self::Unpaid,
        Self::OtherCurrency,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invoiced => "invoiced",
            Self::Cancelled => "cancelled",
            Self::Returned => "returned",
            Self::Refunded => "refunded",
            Self::Withheld => "withheld",
            Self::Unpaid => "unpaid",
            Self::OtherCurrency => "otherCurrency",
        }
    }
}

impl Sale {
    /// Why it is left out, if it is.
    #[must_use]
    pub fn left_out(&self) -> Option<LeftOut> {
        let reasons = [
            (self.invoice.is_some(), LeftOut::Invoiced),
            (self.is_cancelled, LeftOut::Cancelled),
            (self.is_returned, LeftOut::Returned),
            (self.is_refunded, LeftOut::Refunded),
            (self.is_withheld, LeftOut::Withheld),
            (self.paid_at.is_none(), LeftOut::Unpaid),
            (self.currency != Currency::MXN, LeftOut::OtherCurrency),
        ];
        reasons.into_iter().find(|(applies, _)| *applies).map(|(_, reason)| reason)
    }

    /// Its place among the sales of a period.
    #[must_use]
    pub fn place(&self) -> Option<SalePlace> {
        self.paid_at.map(|paid_at| SalePlace { paid_at, order: self.order })
    }
}

/// A place among the sales of a period, which are in the order of their payment. It never changes, so that parts that
/// are made one after the other miss none and repeat none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SalePlace {
    /// When it was paid.
    pub paid_at: Timestamp,
    /// The order, among those paid at one moment.
    pub order: OrderId,
}

/// How many of these orders, from the first, the items of one invoice have room for: an order has an item for each set
/// of taxes.
#[must_use]
pub fn with_room(orders: &[OrderId], known: &Known) -> usize {
    let lines =
        |order| known.orders.get(order).map_or(1, |order| sales::ticket(order, known).len());
    fitting(orders.iter().map(lines))
}

/// How many of these numbers of items, from the first, have room in one invoice; one at least.
fn fitting(lines: impl Iterator<Item = usize>) -> usize {
    let so_far = lines.scan(0_usize, |sum, lines| {
        *sum = sum.saturating_add(lines);
        Some(*sum)
    });
    so_far.take_while(|sum| *sum <= ITEMS_MAX).count().max(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sale() -> Sale {
        Sale {
            order: OrderId::from_u128(1),
            number: "ORD-000001".to_owned(),
            paid_at: Some(Timestamp::from_micros(1)),
            total: Amount::from_micros(1),
            is_returned: false,
            is_refunded: false,
            is_withheld: false,
            currency: Currency::MXN,
            is_cancelled: false,
            invoice: None,
        }
    }

    #[test]
    fn a_paid_sale_that_nobody_has_invoiced_belongs() {
        assert_eq!(sale().left_out(), None);
        let invoiced = Sale { invoice: Some(InvoiceId::from_u128(7)), ..sale() };
        let cancelled = Sale { is_cancelled: true, ..sale() };
        let returned = Sale { is_returned: true, ..sale() };
        let refunded = Sale { is_refunded: true, ..sale() };
        let withheld = Sale { is_withheld: true, ..sale() };
        let unpaid = Sale { paid_at: None, ..sale() };
        let dollars = Sale { currency: Currency::parse("USD").unwrap(), ..sale() };
        for (sale, reason) in [
            (invoiced, LeftOut::Invoiced),
            (cancelled, LeftOut::Cancelled),
            (returned, LeftOut::Returned),
            (refunded, LeftOut::Refunded),
            (withheld, LeftOut::Withheld),
            (unpaid, LeftOut::Unpaid),
            (dollars, LeftOut::OtherCurrency),
        ] {
            assert_eq!(sale.left_out(), Some(reason));
        }
    }

    proptest! {
        #[test]
        fn parts_have_every_order_once_and_no_more_items_than_an_invoice(
            lines in prop::collection::vec(1_usize..=500, 1..200),
        ) {
            let mut rest = &lines[..];
            let mut parts = Vec::new();
            while !rest.is_empty() {
                let (part, others) = rest.split_at(fitting(rest.iter().copied()));
                prop_assert!(part.iter().sum::<usize>() <= ITEMS_MAX);
                let with_next = part.iter().chain(others.first()).sum::<usize>();
                prop_assert!(others.is_empty() || with_next > ITEMS_MAX, "no part is needlessly small");
                parts.extend_from_slice(part);
                rest = others;
            }
            prop_assert_eq!(parts, lines);
        }
    }
}
