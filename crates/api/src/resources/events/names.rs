//! Event names in requests.

use intake::{
    Check, Faults, Given, Schema,
    checks::{List, list, text},
    clause, quoted,
    sketch::ValueKind,
};
use kernel::{Message, message};
use webhooks::{
    Topics,
    catalog::{EVENTS, EVERY_EVENT},
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
        EVENTS.iter().map(|event| event.name).chain([self.other])
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

/// Which events are wanted, as a list.
pub(in crate::resources) struct TopicList(List<EventName>);

/// Event names from the catalog, or `*` for all.
pub(in crate::resources) const fn topics() -> TopicList {
    TopicList(list(1..=EVENTS.len() + 1, event_name(EVERY_EVENT)))
}

impl Check for TopicList {
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
    let check = text(|names: &str| {
        let name = event_name(EVERY_EVENT);
        let names: Result<Vec<_>, _> =
            names.split(',').map(|text| name.find(text.trim())).collect();
        parse(&names?)
    });
    check.example("order.created,order.paid")
}

fn parse(names: &[&str]) -> Result<Topics, Message> {
    Topics::parse(names).map_err(|(_, problem)| problem)
}
