//! Event names in requests.

use intake::{
    Check, Faults, Given, Schema,
    checks::{List, list, several},
    clause, quoted,
    sketch::ValueKind,
};
use kernel::{Message, message};
use webhooks::{
    Topics,
    catalog::{EVERY_EVENT, TYPES, every_type},
};

/// The name of an event, or another word.
pub(in crate::resources) struct EventName {
    other: &'static str,
}

/// The name of an event of the catalog, or the word `other`.
pub(in crate::resources) const fn event_name(other: &'static str) -> EventName {
    EventName { other }
}

impl EventName {
    fn every(&self) -> impl Iterator<Item = &'static str> {
        every_type().map(|event| event.name).chain([self.other])
    }

    fn find(&self, name: &str) -> Result<&'static str, Message> {
        self.every().find(|known| *known == name).ok_or_else(|| {
            message!(
                "{name} is not an event, see GET /webhooks/events",
                "{name} no es un evento, consulte GET /webhooks/events",
                name = quoted(name)
            )
        })
    }
}

impl Check for EventName {
    type Value = &'static str;

    fn check(&self, given: &Given<'_>) -> Result<&'static str, Faults> {
        self.find(&given.text()?).map_err(clause)
    }

    fn schema(&self) -> Schema {
        ValueKind::OneOf(self.every().map(Into::into).collect()).into()
    }
}

/// Which events are wanted, of names that `C` reads.
pub(in crate::resources) struct TopicsOf<C>(C);

/// Event names from the catalog, or `*` for all of the contract.
pub(in crate::resources) const fn topics() -> TopicsOf<List<EventName>> {
    TopicsOf(list(1..=TYPES + 1, event_name(EVERY_EVENT)))
}

impl<C: Check<Value = Vec<&'static str>>> Check for TopicsOf<C> {
    type Value = Topics;

    fn check(&self, given: &Given<'_>) -> Result<Topics, Faults> {
        parse(&self.0.check(given)?).map_err(clause)
    }

    fn schema(&self) -> Schema {
        self.0.schema()
    }
}

/// The same in one text, between commas.
pub(super) fn topics_in_line() -> impl Check<Value = Topics> {
    TopicsOf(several(TYPES + 1, Trimmed(event_name(EVERY_EVENT))))
}

/// A name with blanks around it, as after a comma.
struct Trimmed(EventName);

impl Check for Trimmed {
    type Value = &'static str;

    fn check(&self, given: &Given<'_>) -> Result<&'static str, Faults> {
        self.0.find(given.text()?.trim()).map_err(clause)
    }

    fn schema(&self) -> Schema {
        self.0.schema()
    }
}

fn parse(names: &[&str]) -> Result<Topics, Message> {
    Topics::parse(names).map_err(|(_, problem)| problem)
}
