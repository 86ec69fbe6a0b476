//! Domain events: what happened, written in the transaction of its cause.

use serde::Serialize;

use crate::{Timestamp, id::EventId};

/// An event as a rule states it, before it has an identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// Its name in the event catalog, e.g. `order.created`.
    pub name: &'static str,
    /// Identifier of the resource that the event is about.
    pub entity: String,
    /// Its payload: a JSON object with exactly the fields of the catalog.
    pub data: String,
}

impl NewEvent {
    /// States an event with its payload.
    pub fn new(name: &'static str, entity: impl std::fmt::Display, data: &impl Serialize) -> Self {
        // Payloads are structs of strings and numbers, which always serialise; an empty object would
        // be caught by the tests of each domain's events.
        let data = serde_json::to_string(data).unwrap_or_else(|_| "{}".to_owned());
        Self { name, entity: entity.to_string(), data }
    }

    /// Gives it an identity: the very bytes that every subscriber will receive.
    #[must_use]
    pub fn recorded(self, id: EventId, at: Timestamp) -> Event {
        let Self { name, entity, data } = self;
        let body = format!(r#"{{"id":"{id}","event":"{name}","createdAt":"{at}","data":{data}}}"#);
        Event { id, name, entity, body, created_at: at }
    }
}

/// An event on record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Event {
    /// Its identity, the same in every delivery.
    pub id: EventId,
    /// Its name in the event catalog.
    pub name: &'static str,
    /// Identifier of the resource that the event is about.
    pub entity: String,
    /// The JSON body of its deliveries: `{id, event, createdAt, data}`.
    pub body: String,
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn body_is_the_documented_envelope() {
        #[derive(Serialize)]
        struct Data {
            id: &'static str,
        }
        let event = NewEvent::new("order.created", "ord_1", &Data { id: "ord_1" })
            .recorded(EventId::from_u128(0), Timestamp::from_micros(0));
        assert_eq!(
            event.body,
            r#"{"id":"evt_00000000000000000000000000","event":"order.created","createdAt":"1970-01-01T00:00:00.000Z","data":{"id":"ord_1"}}"#
        );
    }
}
