//! Which orders no document is made of.

use cfdi::document::DocumentType;
use kernel::{Amount, Message, message};

use crate::sales::SoldOrder;

/// What decides whether a document is made of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Whether it is cancelled.
    pub is_cancelled: bool,
    /// Whether nothing of it is left, since all of it has come back.
    pub is_returned: bool,
    /// Whether all that was paid for it has been given back, and nothing is owed.
    pub is_refunded: bool,
}

impl SoldOrder {
    /// Why no document of that type is made of it, if none is.
    pub(crate) fn refused(&self, kind: DocumentType) -> Option<Message> {
        let is_sent_for_nothing =
            self.shipping.as_ref().is_none_or(|shipping| shipping.amount == Amount::ZERO);
        let standing = Standing {
            is_cancelled: self.is_cancelled,
            is_returned: self.items.is_empty() && is_sent_for_nothing,
            is_refunded: self.is_refunded,
        };
        standing.refused(kind)
    }
}

impl Standing {
    /// Why no document of that type is made of an order that stands so, if none is.
    #[must_use]
    pub fn refused(self, kind: DocumentType) -> Option<Message> {
        if self.is_cancelled {
            return Some(message!(
                "names an order that is cancelled",
                "corresponde a un pedido cancelado"
            ));
        }
        if self.is_returned {
            return Some(message!(
                "names an order of which everything has come back: nothing is left to be invoiced",
                "corresponde a un pedido devuelto por completo: no queda nada por facturar"
            ));
        }
        // A credit note is what is made of it.
        (self.is_refunded && kind == DocumentType::Income).then(|| {
            message!(
                "names an order that was refunded in full: nothing is left to be invoiced",
                "corresponde a un pedido reembolsado por completo: no queda nada por facturar"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sales::tests::{item, order as sold};

    /// An order of one piece.
    fn order() -> SoldOrder {
        let [one, price] = [1_000_000, 10_000_000].map(Amount::from_micros);
        sold(vec![item(one, price, Amount::ZERO, true)])
    }

    #[test]
    fn no_sale_is_stated_of_what_is_none_any_more() {
        let returned = || SoldOrder { items: Vec::new(), ..order() };
        let refunded = || SoldOrder { is_refunded: true, ..order() };
        for (order, kind, is_refused) in [
            (order(), DocumentType::Income, false),
            (SoldOrder { is_cancelled: true, ..order() }, DocumentType::Income, true),
            (returned(), DocumentType::Income, true),
            (returned(), DocumentType::Credit, true),
            (refunded(), DocumentType::Income, true),
            (refunded(), DocumentType::Credit, false),
        ] {
            assert_eq!(order.refused(kind).is_some(), is_refused, "{kind:?} {order:?}");
        }
    }
}
