//! What is done about each row.

use accounts::{Right, Scope};
use payments::Method;
use tasks::{TaskKind, kind};

/// One act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// What is due for an order is recorded as paid in hand.
    PayOrders {
        /// How.
        method: Method,
    },
    /// What is left of an order is shipped.
    ShipOrders,
    /// An order is cancelled.
    CancelOrders {
        /// Why.
        reason: String,
        /// Whether what was paid is given back; otherwise paid orders stay as they are.
        refund: bool,
    },
    /// An invoice is made of an order.
    InvoiceOrders {
        /// Whether it is stamped at once, or stays a draft.
        stamp: bool,
    },
    /// The draft of an invoice is stamped.
    StampInvoices,
    /// An invoice is sent to its customer by email.
    EmailInvoices,
    /// A delivery is sent again.
    ResendDeliveries,
}

impl Action {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::PayOrders { .. } => "orders.pay",
            Self::ShipOrders => "orders.ship",
            Self::CancelOrders { .. } => "orders.cancel",
            Self::InvoiceOrders { .. } => "orders.invoice",
            Self::StampInvoices => "invoices.stamp",
            Self::EmailInvoices => "invoices.email",
            Self::ResendDeliveries => "deliveries.resend",
        }
    }

    /// The kind of its tasks.
    #[must_use]
    pub const fn kind(&self) -> &'static TaskKind {
        match self {
            Self::PayOrders { .. }
            | Self::ShipOrders
            | Self::CancelOrders { .. }
            | Self::InvoiceOrders { .. } => &kind::BULK_ORDERS,
            Self::StampInvoices | Self::EmailInvoices => &kind::BULK_INVOICES,
            Self::ResendDeliveries => &kind::BULK_DELIVERIES,
        }
    }

    /// What its actor needs to be allowed, all of it, at each row.
    #[must_use]
    pub const fn rights(&self) -> &'static [Right] {
        const ORDERS: Right = Right::write(Scope::Orders);
        const PAYMENTS: Right = Right::write(Scope::Payments);
        const INVOICES: Right = Right::write(Scope::Invoices);
        const WEBHOOKS: Right = Right::write(Scope::Webhooks);
        match self {
            Self::PayOrders { .. } => &[PAYMENTS],
            Self::ShipOrders | Self::CancelOrders { refund: false, .. } => &[ORDERS],
            Self::CancelOrders { refund: true, .. } => &[ORDERS, PAYMENTS],
            Self::InvoiceOrders { .. } | Self::StampInvoices | Self::EmailInvoices => &[INVOICES],
            Self::ResendDeliveries => &[WEBHOOKS],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every() -> Vec<Action> {
        let cancelling = |refund| Action::CancelOrders { reason: "x".to_owned(), refund };
        vec![
            Action::PayOrders { method: Method::Cash },
            Action::ShipOrders,
            cancelling(false),
            cancelling(true),
            Action::InvoiceOrders { stamp: true },
            Action::StampInvoices,
            Action::EmailInvoices,
            Action::ResendDeliveries,
        ]
    }

    #[test]
    fn each_needs_a_right_and_is_a_kind_of_bulk_task() {
        for action in every() {
            assert!(!action.rights().is_empty(), "{action:?}");
            assert!(crate::is_bulk(action.kind().name), "{action:?}");
            assert!(action.name().split_once('.').is_some(), "{action:?}");
        }
        assert!(!crate::is_bulk("invoices.stamp"));
    }

    #[test]
    fn who_only_ships_gives_no_money_back() {
        use accounts::Role;
        let may =
            |role: Role, action: &Action| action.rights().iter().all(|right| role.allows(*right));
        let of_warehouse: Vec<_> =
            every().into_iter().filter(|action| may(Role::Warehouse, action)).collect();
        let wanted =
            [Action::ShipOrders, Action::CancelOrders { reason: "x".to_owned(), refund: false }];
        assert_eq!(of_warehouse, wanted);
        assert!(every().iter().all(|action| may(Role::Owner, action)));
        assert!(!every().iter().any(|action| may(Role::Viewer, action)));
    }
}
