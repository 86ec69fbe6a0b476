//! What the deliveries' endpoints read.

use intake::{
    Check, Fields, Form,
    checks::{id, one_of},
    noun,
};
use kernel::id::EventId;
use webhooks::{DeliveryFilter, DeliveryId, DeliveryQuery, DeliveryState, catalog::TEST_EVENT};

use crate::{page::page_request_of, resources::events::event_name};

pub(super) const LIST: Form<DeliveryQuery> = Form::query(read_query);

fn read_query(fields: &mut Fields<'_>) -> Option<DeliveryQuery> {
    let state = one_of(DeliveryState::EVERY, DeliveryState::name);
    let event = event_name(TEST_EVENT).about("Filter by event name.");
    let id = id(noun("an event", "un evento"), EventId::PREFIX, EventId::parse);
    let filter = DeliveryFilter {
        state: fields.change("state", state.about("Filter by state.")),
        event_name: fields.change("event", event).map(str::to_owned),
        event: fields.change("eventId", id.about("Filter by event identifier.")),
    };
    Some(DeliveryQuery { filter, page: page_request_of(fields, "-createdAt", DeliveryId::PREFIX) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deliveries_are_filtered() {
        let query = format!("state=failed&event=webhook.test&eventId={}", EventId::from_u128(7));
        let filter = LIST.read_query(&query).unwrap().filter;
        assert_eq!(filter.state, Some(DeliveryState::Failed));
        assert_eq!(filter.event_name.as_deref(), Some("webhook.test"));
        assert_eq!(filter.event, Some(EventId::from_u128(7)));
        let refused = LIST.read_query("state=lost&event=*&eventId=7").unwrap_err().to_string();
        assert_eq!(
            refused,
            "state must be one of attempting, delivered, failed; event \"*\" is not an event, see \
             GET /webhooks/events; eventId must be the id of an event"
        );
    }
}
