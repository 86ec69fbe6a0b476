//! Kinds of work.

/// A kind of work, as workers of one release know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskKind {
    /// Its name for ever, e.g. `invoices.stamp`. The part before the dot is the scope of API keys that see its tasks
    /// as jobs.
    pub name: &'static str,
    /// The newest version of its payload that this release can read. Tasks with a newer one are left to newer
    /// processes.
    pub version: u32,
    /// How many of it one process works on at once.
    pub at_once: usize,
    /// How many of these may be one account's.
    pub at_once_per_account: usize,
    /// Whether its tasks can be cancelled: nothing outside depends on their end.
    pub is_cancellable: bool,
}

/// Every kind of work that there is.
pub const KINDS: &[TaskKind] = &[
    STAMP,
    CANCEL,
    FOLLOW,
    STAMP_WITHHOLDING,
    CANCEL_WITHHOLDING,
    EMAIL,
    EXPORT,
    IMPORT_PRODUCTS,
    IMPORT_CUSTOMERS,
    IMPORT_STOCK,
    GLOBAL,
    PAYMENT_CALL,
    REFUND,
    PAYMENT_CHECK,
    PAYMENT_NOTICE,
    SANDBOX_NEWS,
    CANCEL_APPROVED,
    PAPER,
    MAIL,
    BULK_ORDERS,
    BULK_INVOICES,
    BULK_DELIVERIES,
];

/// Has an invoice stamped by its provider.
pub const STAMP: TaskKind = provider_call("invoices.stamp", 2);
/// Sends the request to cancel an invoice.
pub const CANCEL: TaskKind = provider_call("invoices.cancel", 2);
/// Sends the request to cancel an invoice that was approved.
pub const CANCEL_APPROVED: TaskKind = provider_call("invoices.cancel_approved", 1);
/// Asks the tax authority what became of a request to cancel.
pub const FOLLOW: TaskKind = provider_call("invoices.follow", 2);
/// Has a withholding stamped by its provider.
pub const STAMP_WITHHOLDING: TaskKind = provider_call("invoices.stamp_withholding", 1);
/// Sends the request to cancel a withholding.
pub const CANCEL_WITHHOLDING: TaskKind = provider_call("invoices.cancel_withholding", 1);
/// Hands an invoice to the mail server.
pub const EMAIL: TaskKind = TaskKind {
    name: "invoices.email",
    version: 1,
    at_once: 16,
    at_once_per_account: 8,
    is_cancellable: true,
};

/// Writes invoices into a file.
pub const EXPORT: TaskKind = TaskKind {
    name: "invoices.export",
    version: 1,
    at_once: 2,
    at_once_per_account: 1,
    is_cancellable: true,
};

/// Works off a file of products. It is canceled as an import, whose rows know how far they are.
pub const IMPORT_PRODUCTS: TaskKind = import("products.import");
/// Works off a file of customers.
pub const IMPORT_CUSTOMERS: TaskKind = import("customers.import");
/// Works off a file of stock.
pub const IMPORT_STOCK: TaskKind = import("warehouses.import");

const fn import(name: &'static str) -> TaskKind {
    TaskKind { name, version: 1, at_once: 2, at_once_per_account: 1, is_cancellable: false }
}

/// Makes the global invoices of a period, and opens the next one.
pub const GLOBAL: TaskKind = TaskKind {
    name: "invoices.global",
    version: 1,
    at_once: 8,
    at_once_per_account: 1,
    is_cancellable: false,
};

/// Calls a payment provider to create, capture or cancel a payment.
pub const PAYMENT_CALL: TaskKind = provider_call("payments.call", 1);
/// Has a payment provider give money back.
pub const REFUND: TaskKind = provider_call("payments.refund", 1);
/// Asks a payment provider what has become of a payment, in case that nobody tells of it.
pub const PAYMENT_CHECK: TaskKind = TaskKind {
    name: "payments.check",
    version: 1,
    at_once: 16,
    at_once_per_account: 5,
    is_cancellable: false,
};
/// Looks into a notification of a payment provider.
pub const PAYMENT_NOTICE: TaskKind = TaskKind {
    name: "payments.notification",
    version: 1,
    at_once: 32,
    at_once_per_account: 16,
    is_cancellable: false,
};
/// Tells of a payment of the sandbox as a provider would, by a notification.
pub const SANDBOX_NEWS: TaskKind = TaskKind {
    name: "payments.sandbox",
    version: 1,
    at_once: 16,
    at_once_per_account: 8,
    is_cancellable: false,
};

/// Drafts the receipt of a payment or the credit note of a refund, and stamps it where the issuer has it so.
pub const PAPER: TaskKind = TaskKind {
    name: "payments.paper",
    version: 1,
    at_once: 16,
    at_once_per_account: 4,
    is_cancellable: false,
};

/// Hands a mail to people to the mail server. No scope covers it: keys with all of them see its tasks.
pub const MAIL: TaskKind = TaskKind {
    name: "account.mail",
    version: 1,
    at_once: 8,
    at_once_per_account: 4,
    is_cancellable: true,
};

/// Acts on each of many orders. Two of one account at once would meet at the same orders.
pub const BULK_ORDERS: TaskKind = bulk("orders.bulk");
/// Acts on each of many invoices.
pub const BULK_INVOICES: TaskKind = bulk("invoices.bulk");
/// Acts on each of many deliveries.
pub const BULK_DELIVERIES: TaskKind = bulk("webhooks.bulk");

const fn bulk(name: &'static str) -> TaskKind {
    TaskKind { name, version: 1, at_once: 4, at_once_per_account: 1, is_cancellable: true }
}

/// A call to a provider: what was begun can only be finished.
const fn provider_call(name: &'static str, version: u32) -> TaskKind {
    TaskKind { name, version, at_once: 64, at_once_per_account: 32, is_cancellable: false }
}

impl TaskKind {
    /// The kind of that name, if this release knows it.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// The name of the scope that sees its tasks.
    #[must_use]
    pub fn scope(&self) -> &'static str {
        self.name.split_once('.').map_or(self.name, |(scope, _)| scope)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn kinds_have_names_of_their_own_and_share_their_room() {
        let names: HashSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), KINDS.len());
        for kind in KINDS {
            assert_eq!(TaskKind::named(kind.name), Some(kind));
            assert!(kind.name.split_once('.').is_some_and(|(scope, _)| scope == kind.scope()));
            assert!(kind.at_once_per_account * 2 <= kind.at_once, "{kind:?}");
        }
        assert_eq!(TaskKind::named("invoices.fold"), None);
    }
}
