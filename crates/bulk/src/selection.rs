//! Which rows are acted on.

use kernel::{Timestamp, search::Words};
use orders::{CustomerId, OrderFilter, OrderId, OrderStatus};

/// Rows of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Orders.
    Orders(OrderSelection),
}

/// Orders: these, or all that match every field that is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct OrderSelection {
    /// Chosen one by one.
    pub ids: Option<Vec<OrderId>>,
    pub status: Option<OrderStatus>,
    pub customer: Option<CustomerId>,
    pub created_from: Option<Timestamp>,
    /// Before this moment.
    pub created_to: Option<Timestamp>,
    /// As somebody typed them; they are kept like that because rules of reading them change.
    pub words: Option<String>,
}

/// The bound before which lies what was there at a moment, and no more than before `bound`.
fn frozen(bound: Option<Timestamp>, at: Timestamp) -> Option<Timestamp> {
    let behind = Timestamp::from_micros(at.micros().saturating_add(1));
    Some(bound.map_or(behind, |bound| bound.min(behind)))
}

impl OrderSelection {
    /// The same of what was there at a moment: what has come since is not taken in.
    #[must_use]
    pub fn frozen_at(self, at: Timestamp) -> Self {
        Self { created_to: frozen(self.created_to, at), ..self }
    }

    /// As lists are filtered.
    #[must_use]
    pub fn filter(&self) -> OrderFilter {
        OrderFilter {
            ids: self.ids.clone(),
            status: self.status,
            customer: self.customer,
            created_from: self.created_from,
            created_to: self.created_to,
            search: self.words.as_deref().and_then(|words| Words::parse(words).ok()),
            ..OrderFilter::default()
        }
    }

    /// Whether its words are none that anything could be looked for by, so that a filter without them would match too
    /// much.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.words.as_deref().is_some_and(|words| Words::parse(words).is_err())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_come_since_is_not_taken_in() {
        let at = Timestamp::from_micros(1_000);
        let all = OrderSelection::default().frozen_at(at);
        assert_eq!(all.created_to, Some(Timestamp::from_micros(1_001)));
        let before = OrderSelection { created_to: Some(Timestamp::from_micros(10)), ..all.clone() };
        assert_eq!(before.clone().frozen_at(at), before);
        let later =
            OrderSelection { created_to: Some(Timestamp::from_micros(9_999)), ..all.clone() };
        assert_eq!(later.frozen_at(at), all);
    }

    #[test]
    fn words_that_say_nothing_are_noticed() {
        let of = |words: &str| OrderSelection {
            words: Some(words.to_owned()),
            ..OrderSelection::default()
        };
        assert!(of(" . ").is_unreadable() && !of("taza").is_unreadable());
        assert!(of("taza").filter().search.is_some());
        assert!(!OrderSelection::default().is_unreadable());
    }
}
