//! Which events a subscription wants.

use kernel::{Message, message};
use serde::{Deserialize, Serialize};

use crate::catalog::{EVERY_EVENT, event_type, every_type, is_of_contract};

/// A set of event names from the catalog, or all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Topics(Vec<String>);

impl Topics {
    /// Every event of the contract, present and future: `*`.
    #[must_use]
    pub fn all() -> Self {
        Self(vec![EVERY_EVENT.to_owned()])
    }

    /// Reads names as a caller sent them. Repeated names count once; their order is kept.
    ///
    /// # Errors
    /// The place of the first name that is not in the catalog, with a clause that says so, or none when
    /// there is no name at all.
    pub fn parse<T: AsRef<str>>(names: &[T]) -> Result<Self, (Option<usize>, Message)> {
        let mut topics = Vec::with_capacity(names.len());
        for (place, name) in names.iter().map(AsRef::as_ref).enumerate() {
            if name != EVERY_EVENT && event_type(name).is_none() {
                let clause = message!(
                    "{name:?} is not an event; see GET /webhooks/events, or use \"*\" for all",
                    "{name:?} no es un evento; véase GET /webhooks/events, o bien \"*\" para todos"
                );
                return Err((Some(place), clause));
            }
            if topics.iter().all(|known| known != name) {
                topics.push(name.to_owned());
            }
        }
        if topics.is_empty() {
            return Err((
                None,
                message!(
                    "must name at least one event, or \"*\" for all",
                    "debe nombrar al menos un evento, o \"*\" para todos"
                ),
            ));
        }
        Ok(Self(topics))
    }

    /// Whether an event of that name is wanted. `*` covers the events of the contract, neither its extensions nor test
    /// deliveries.
    #[must_use]
    pub fn want(&self, name: &str) -> bool {
        self.0.iter().any(|topic| topic == name)
            || (self.0.iter().any(|topic| topic == EVERY_EVENT) && is_of_contract(name))
    }

    /// The names, as they were given.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// The names of the catalog that are wanted.
    #[must_use]
    pub fn wanted(&self) -> Vec<&'static str> {
        every_type().map(|event| event.name).filter(|name| self.want(name)).collect()
    }

    /// The names of the catalog that both want.
    #[must_use]
    pub fn common(&self, other: &Self) -> Vec<&'static str> {
        let mut names = self.wanted();
        names.retain(|name| other.want(name));
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_want_what_they_name() {
        let topics = Topics::parse(&["order.paid", "order.created", "order.paid"]).unwrap();
        assert_eq!(topics.names(), ["order.paid", "order.created"]);
        assert!(topics.want("order.paid") && !topics.want("order.shipped"));
        assert!(Topics::all().want("approval.decided"));
        assert!(!Topics::all().want(crate::catalog::TEST_EVENT));
        assert_eq!(topics.common(&Topics::all()), ["order.created", "order.paid"]);
        let extended = Topics::parse(&["*", "invoice.stamped"]).unwrap();
        assert!(extended.want("invoice.stamped") && extended.want("order.paid"));
        assert!(!Topics::all().want("invoice.stamped") && !extended.want("invoice.cancelled"));
        assert_eq!(extended.wanted().len(), 19);
    }

    #[test]
    fn unknown_names_are_refused_with_their_place() {
        assert_eq!(Topics::parse(&["*", "order.create"]).unwrap_err().0, Some(1));
        assert_eq!(Topics::parse::<&str>(&[]).unwrap_err().0, None);
        assert!(Topics::parse(&["webhook.test"]).is_err());
    }
}
