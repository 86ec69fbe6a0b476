//! What has happened to an order and to what belongs to it, in one list.

use std::collections::HashMap;

use kernel::{Amount, Currency, Measure, Timestamp, id::EventId};

use crate::{Order, Shipment};

/// The most entries of a timeline; of one that is longer the oldest are shown.
pub const ENTRIES_MAX: usize = 1_000;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When.
    pub at: Timestamp,
    /// What: the name of its event, or one formed like that where no event tells of it.
    pub name: String,
    /// The identifier of what it happened to.
    pub subject: String,
    /// The type of the document that it happened to, where that is an invoice, in the words of invoices.
    pub document: Option<String>,
    /// How much, where no event tells.
    pub money: Option<(Amount, Currency)>,
    /// The event that tells of it.
    pub event: Option<Told>,
}

/// An order with what its page shows of it, read at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// The order.
    pub order: Order,
    /// Its shipments, the oldest first and at most [`ENTRIES_MAX`], without what lies in them.
    pub shipments: Vec<Shipment>,
    /// How much of each of its items is out.
    pub shipped: Vec<Measure>,
    /// Its timeline, without to whom events were delivered, and with what goods that came back were worth.
    pub entries: Vec<Entry>,
    /// What the documents of its timeline are called, by their identifiers.
    pub papers: HashMap<String, Paper>,
    /// Its invoice, while it has one.
    pub invoice: Option<OrderInvoice>,
}

/// What a document is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paper {
    /// The series that it is numbered in and its number, once it has one.
    pub number: Option<(String, u64)>,
    /// Those of the invoices that it replaces.
    pub replaces: Vec<(String, u64)>,
}

/// The invoice of an order, as its page names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderInvoice {
    /// Its identifier.
    pub id: String,
    /// The series that it is numbered in.
    pub series: String,
    /// Its number, once it has one.
    pub folio: Option<u64>,
}

/// An event, and whom it was delivered to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its identifier.
    pub id: EventId,
    /// What was delivered: JSON, with its payload under `data`.
    pub body: String,
    /// Its deliveries, one for each webhook that wanted it.
    pub deliveries: Vec<Delivered>,
}

/// A delivery of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// Its identifier.
    pub id: String,
    /// The webhook.
    pub webhook: String,
    /// Where it stands, in the words of webhooks.
    pub state: String,
    /// How often it was tried.
    pub attempts: u32,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

/// Entries in the order in which they happened. What happened in one moment stays as it is given.
#[must_use]
pub fn in_order(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.sort_by_key(|entry| entry.at);
    entries.truncate(ENTRIES_MAX);
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_first_stands_first() {
        let entry = |at, name: &str| Entry {
            at: Timestamp::from_micros(at),
            name: name.to_owned(),
            subject: "ord_1".to_owned(),
            document: None,
            money: None,
            event: None,
        };
        let entries = in_order(vec![entry(2, "c"), entry(1, "a"), entry(1, "b")]);
        let names: Vec<_> = entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        let many = (0..2_000).map(|at| entry(at, "x")).collect();
        assert_eq!(in_order(many).last().unwrap().at.micros(), 999);
    }
}
