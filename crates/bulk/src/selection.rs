//! Which rows are acted on.

use invoices::InvoiceFilter;
use kernel::{Timestamp, id::EventId, search::Words};
use orders::{OrderFilter, number_in};
use webhooks::{DeliveryFilter, DeliveryId, DeliveryState, SubscriptionId};

/// Rows of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Orders.
    Orders(OrderSelection),
    /// Invoices.
    Invoices(InvoiceSelection),
    /// Deliveries of a webhook.
    Deliveries(DeliverySelection),
}

impl Selection {
    /// Whether its words are none that anything could be looked for by, so that a filter without them would match too
    /// much.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        match self {
            Self::Orders(chosen) => chosen.is_unreadable(),
            Self::Invoices(chosen) => chosen.is_unreadable(),
            Self::Deliveries(_) => false,
        }
    }
}

/// Orders that match a filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderSelection {
    filter: OrderFilter,
    words: Option<String>,
}

/// Invoices that match a filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InvoiceSelection {
    filter: InvoiceFilter,
    words: Option<String>,
}

/// Deliveries of a webhook: these, or all in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct DeliverySelection {
    pub subscription: SubscriptionId,
    /// Chosen one by one.
    pub ids: Option<Vec<DeliveryId>>,
    pub state: Option<DeliveryState>,
    /// The name of the event.
    pub event_name: Option<String>,
    pub event: Option<EventId>,
    /// Made at this moment or before; whatever is sent again is a delivery itself.
    pub until: Option<Timestamp>,
}

fn read(words: &str) -> Option<Words> {
    Words::parse(words).ok()
}

/// The bound before which lies what was there at a moment, and no more than before `bound`.
fn frozen(bound: Option<Timestamp>, at: Timestamp) -> Option<Timestamp> {
    let behind = Timestamp::from_micros(at.micros().saturating_add(1));
    Some(bound.map_or(behind, |bound| bound.min(behind)))
}

/// What selections have that match a filter of their own kind.
macro_rules! matching {
    ($($selection:ident of $filter:ident, numbered by $number:expr;)+) => {$(
        impl $selection {
            /// Those that match a filter and words, instead of what the filter itself looks for. Words are kept as somebody typed
            /// them, because rules of reading them change.
            #[must_use]
            pub fn matching(filter: $filter, words: Option<String>) -> Self {
                Self { filter: $filter { search: None, ..filter }, words }
            }

            /// The same of what was there at a moment: what has come since is not taken in.
            #[must_use]
            pub fn frozen_at(mut self, at: Timestamp) -> Self {
                self.filter.created_to = frozen(self.filter.created_to, at);
                self
            }

            /// The same without words that nothing could be looked for by: lists show all then.
            #[must_use]
            pub fn as_listed(self) -> Self {
                let words = self.words.filter(|words| read(words).is_some());
                Self { words, ..self }
            }

            /// As lists are filtered.
            #[must_use]
            pub fn filter(&self) -> $filter {
                let search = self.words.as_deref().and_then(read);
                let search = search.map(|words| words.or_numbers($number));
                $filter { search, ..self.filter.clone() }
            }

            /// The words.
            #[must_use]
            pub fn words(&self) -> Option<&str> {
                self.words.as_deref()
            }

            /// Whether its words are none that anything could be looked for by.
            #[must_use]
            pub fn is_unreadable(&self) -> bool {
                self.words.as_deref().is_some_and(|words| read(words).is_none())
            }
        }
    )+};
}

matching! {
    OrderSelection of OrderFilter, numbered by number_in;
    // Those that words name by their number are looked up where they are listed.
    InvoiceSelection of InvoiceFilter, numbered by |_: &str| None;
}

impl DeliverySelection {
    /// The same of what was there at a moment: what has come since is not taken in.
    #[must_use]
    pub fn frozen_at(self, at: Timestamp) -> Self {
        Self { until: Some(self.until.map_or(at, |until| until.min(at))), ..self }
    }

    /// As lists are filtered, which know no moments.
    #[must_use]
    pub fn filter(&self) -> DeliveryFilter {
        DeliveryFilter { state: self.state, event_name: self.event_name.clone(), event: self.event }
    }

    /// Whether one that was made at a moment is meant.
    #[must_use]
    pub fn includes(&self, created_at: Timestamp) -> bool {
        self.until.is_none_or(|until| created_at <= until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(words: &str) -> OrderSelection {
        OrderSelection::matching(OrderFilter::default(), Some(words.to_owned()))
    }

    #[test]
    fn what_has_come_since_is_not_taken_in() {
        let at = Timestamp::from_micros(1_000);
        let until = |micros: Option<i64>| {
            let created_to = micros.map(Timestamp::from_micros);
            let filter = OrderFilter { created_to, ..OrderFilter::default() };
            OrderSelection::matching(filter, None).frozen_at(at).filter().created_to
        };
        for (asked, frozen) in [(None, 1_001), (Some(10), 10), (Some(9_999), 1_001)] {
            assert_eq!(until(asked), Some(Timestamp::from_micros(frozen)), "{asked:?}");
        }
    }

    #[test]
    fn words_that_say_nothing_are_noticed() {
        let many: Vec<String> = (0..1_000).map(|number| format!("taza{number}")).collect();
        let many = many.join(" ");
        for words in ["  ", many.as_str()] {
            assert!(searched(words).is_unreadable(), "{words}");
            assert_eq!(searched(words).as_listed(), OrderSelection::default());
        }
        assert!(!searched("taza").is_unreadable());
        assert_eq!(searched("taza").as_listed(), searched("taza"));
        assert!(searched("taza").filter().search.is_some());
        let numbered = Words::parse("ord-7").unwrap().or_numbers(number_in);
        assert_eq!(searched("ord-7").filter().search, Some(numbered));
        assert!(!OrderSelection::default().is_unreadable());
    }

    #[test]
    fn words_stand_in_the_place_of_what_a_filter_looks_for() {
        let filter = searched("taza").filter();
        assert_eq!(OrderSelection::matching(filter, None), OrderSelection::default());
    }
}
