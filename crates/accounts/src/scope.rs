//! What an API key may do.

use std::fmt;

macro_rules! scopes {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)+) => {
        /// A part of the service that a key can be given.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Scope {
            $($(#[$doc])* $name,)+
        }

        impl Scope {
            /// Every scope, in the order of the contract.
            pub const EVERY: &'static [Self] = &[$(Self::$name,)+];

            /// What a list of scopes may hold: `*` and the name of each.
            pub const NAMES: &'static [&'static str] = &["*", $($text,)+];

            /// The name that the contract gives it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

scopes! {
    /// Products, variants, SKU and EAN, inventory.
    Products = "products";
    /// Listing, creating and updating orders and their fulfilment.
    Orders = "orders";
    /// Customers and contacts.
    Customers = "customers";
    /// Leads and their conversion to deals.
    Leads = "leads";
    /// The sales pipeline.
    Deals = "deals";
    /// CFDI 4.0, complements, SAT cancellation.
    Invoices = "invoices";
    /// Messaging channels.
    Inbox = "inbox";
    /// Campaigns and automations.
    Campaigns = "campaigns";
    /// Charges, payment links, refunds.
    Payments = "payments";
    /// Event subscriptions.
    Webhooks = "webhooks";
    /// Dashboards and reports.
    Analytics = "analytics";
    /// Stock, transfers, warehouse management.
    Warehouses = "warehouses";
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The scopes of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes {
    all: bool,
    some: Vec<Scope>,
}

impl Scopes {
    /// Every module, present and future: `*`.
    #[must_use]
    pub const fn all() -> Self {
        Self { all: true, some: Vec::new() }
    }

    /// These only.
    #[must_use]
    pub fn only(scopes: &[Scope]) -> Self {
        Self { all: false, some: scopes.to_vec() }
    }

    /// Reads scope names separated by commas or blanks, `*` for all; no name gives no scope.
    ///
    /// # Errors
    /// A sentence that names the unknown scope and lists the known ones.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut scopes = Self::default();
        for name in text.split([',', ' ']).filter(|name| !name.is_empty()) {
            if name == "*" {
                scopes.all = true;
            } else if let Some(scope) = Scope::EVERY.iter().find(|scope| scope.name() == name) {
                scopes.some.push(*scope);
            } else {
                let known: Vec<_> = Scope::EVERY.iter().map(|scope| scope.name()).collect();
                return Err(format!(
                    "{name:?} is not a scope; the scopes are {} and *",
                    known.join(", ")
                ));
            }
        }
        scopes.some.sort_unstable();
        scopes.some.dedup();
        Ok(scopes)
    }

    /// Whether these are `*`.
    #[must_use]
    pub const fn is_all(&self) -> bool {
        self.all
    }

    /// Whether `scope` is one of those named; `*` names none.
    #[must_use]
    pub fn names(&self, scope: Scope) -> bool {
        self.some.contains(&scope)
    }

    /// The names of these, `*` first.
    #[must_use]
    pub fn list(&self) -> Vec<&'static str> {
        let all = self.all.then_some("*");
        all.into_iter().chain(self.some.iter().map(|scope| scope.name())).collect()
    }

    /// Whether a key with these may call what `scope` covers. A key without scopes may call nothing.
    #[must_use]
    pub fn allow(&self, scope: Scope) -> bool {
        self.all || self.some.contains(&scope)
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.list().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_allow_what_they_name() {
        let scopes = Scopes::parse("orders, products").unwrap();
        assert!(scopes.allow(Scope::Orders) && scopes.allow(Scope::Products));
        assert!(!scopes.allow(Scope::Leads));
        assert_eq!(scopes.to_string(), "products,orders");
        assert!(Scopes::parse("*").unwrap().allow(Scope::Warehouses));
        assert!(Scope::EVERY.iter().all(|scope| !Scopes::parse("").unwrap().allow(*scope)));
        assert!(Scopes::parse("order").unwrap_err().contains("\"order\" is not a scope"));
    }
}
