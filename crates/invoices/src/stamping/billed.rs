//! What has become of the orders that a draft bills.

use kernel::{FieldFault, message};

use crate::Draft;

/// What has become of the orders that a draft bills since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Billed {
    /// Whether one of them is cancelled.
    pub is_cancelled: bool,
    /// Whether taxes were withheld of them when they were paid, of which the draft states less.
    pub lacks_withheld: bool,
    /// Whether another invoice than the one whose place it is to take has one of them by now.
    pub is_taken: bool,
}

impl Billed {
    /// Whether nothing keeps the draft from being stamped.
    #[must_use]
    pub const fn is_sold(self) -> bool {
        !self.is_cancelled && !self.lacks_withheld
    }

    /// What keeps the draft from being stamped.
    pub(crate) fn faults(self, draft: &Draft) -> Vec<FieldFault> {
        let mut faults = Vec::new();
        let (field, names, are_of) = match draft.orders.as_slice() {
            [_] => ("orderId", "names", "corresponde a"),
            _ => ("orderIds", "name", "incluyen"),
        };
        if self.is_cancelled {
            let problem = message!(
                "{names} an order that has been cancelled",
                "{are_of} un pedido que ya fue cancelado"
            );
            faults.push(FieldFault::new(field, problem));
        }
        if self.is_taken {
            let problem = message!(
                "{names} an order that another invoice bills by now",
                "{are_of} un pedido que ya se facturó en otro comprobante"
            );
            faults.push(FieldFault::new(field, problem));
        }
        if self.lacks_withheld {
            let problem = message!(
                "{names} an order whose customer withheld taxes when they paid it, of which the invoice states less: make it out \
                 to the legal person who withheld them, with all of them, or first record a payment of the difference, with \
                 allowOverpayment",
                "{are_of} un pedido cuyo cliente retuvo impuestos al pagarlo, y la factura incluye menos: facturar a la persona \
                 moral que los retuvo, con todas las retenciones, o registrar antes el pago de la diferencia, con allowOverpayment"
            );
            faults.push(FieldFault::new(field, problem));
        }
        faults
    }
}
