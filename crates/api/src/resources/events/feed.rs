//! The feed of events: how it is asked for and how it is answered.

use intake::{Check, Fields, Form, checks::moment};
use kernel::{Timestamp, id::EventId, page::Cursor};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use webhooks::{Feed, FeedPosition, FeedQuery};

use super::names::topics_in_line;
use crate::{
    error::ApiError,
    page::{cursor, limit, list_at, not_a_cursor, write_cursor},
    resources::shapes,
};

/// What is asked for, and what cursors call the feed where it was asked.
pub(super) const FEED: Form<(FeedQuery, u32)> = Form::query(read_query);

/// What cursors of the feed call its order.
const ORDER: &str = "events";

/// A page of the event feed, oldest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = EventFeed)]
pub(super) struct FeedBody {
    /// The events, oldest first.
    #[schema(value_type = Vec<EventBody>)]
    data: Vec<Box<RawValue>>,
    /// Position to continue from, now or later: pass it as `cursor`. `null` only while no event has ever been
    /// returned.
    next_cursor: Option<String>,
    /// Whether more events are available now.
    has_more: bool,
}

/// An event, as webhooks receive it.
#[derive(ToSchema)]
#[schema(as = Event, rename_all = "camelCase")]
#[expect(dead_code, reason = "events are shown in the very bytes in which they are kept")]
struct EventBody {
    /// Unique identifier, the same in every delivery of the event: use it to detect duplicates.
    #[schema(value_type = String, example = "evt_01KG8X3V5W6X7Y8Z9A0B1C2D3E")]
    id: EventId,
    /// Display name.
    #[schema(example = "order.created")]
    event: String,
    /// When the event occurred.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// Payload of the event; its fields are listed by `GET /webhooks/events`.
    #[schema(value_type = shapes::Payload)]
    data: Box<RawValue>,
}

impl FeedBody {
    /// The part that follows `after`, which is where to read on when there was nothing new; `list` is what cursors call
    /// the feed.
    pub(super) fn new(
        part: Feed,
        after: Option<FeedPosition>,
        list: u32,
    ) -> Result<Self, ApiError> {
        let events = part.events.into_iter().map(RawValue::from_string);
        let events: Result<Vec<_>, _> = events.collect();
        let place = part.next.or(after);
        Ok(Self {
            data: events.map_err(|error| ApiError::internal(format!("an event: {error}")))?,
            next_cursor: place.map(|place| write_cursor(&cursor_of(place), list)),
            has_more: part.more,
        })
    }
}

fn read_query(fields: &mut Fields<'_>) -> Option<(FeedQuery, u32)> {
    let about = "`nextCursor` of the previous response; defaults to the oldest retained event.";
    let list = list_at(fields.address());
    let after = cursor(fields, (list, ORDER), |cursor| place_of(cursor).is_some(), about);
    let place = after.as_ref().and_then(place_of);
    if after.is_some() && place.is_none() {
        fields.refuse::<()>("cursor", not_a_cursor());
    }
    let since = moment().about("Only events that occurred at or after this time.");
    let events = topics_in_line().about("Only events with these names, comma-separated.");
    let query = FeedQuery {
        after: place,
        since: fields.change("since", since),
        events: fields.change("events", events),
        limit: limit(fields),
    };
    Some((query, list))
}

fn cursor_of(place: FeedPosition) -> Cursor {
    let FeedPosition { position, event } = place;
    Cursor { sort: ORDER.to_owned(), key: position.to_string(), id: event.to_string() }
}

fn place_of(cursor: &Cursor) -> Option<FeedPosition> {
    let (position, event) = (cursor.key.parse().ok()?, EventId::parse(&cursor.id)?);
    Some(FeedPosition { position, event })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::resources::events::examples;

    const PLACE: FeedPosition = FeedPosition { position: 77, event: EventId::from_u128(7) };

    fn shown(next: Option<FeedPosition>, after: Option<FeedPosition>, events: &[&str]) -> String {
        let events = events.iter().map(|event| (*event).to_owned()).collect();
        let feed = Feed { events, next, more: false };
        let body = FeedBody::new(feed, after, list_at("")).unwrap();
        serde_json::to_string(&body).unwrap()
    }

    #[test]
    fn a_poller_always_has_a_cursor_once_it_has_read_something() {
        assert_eq!(shown(None, None, &[]), r#"{"data":[],"nextCursor":null,"hasMore":false}"#);
        let first: Value = serde_json::from_str(&shown(Some(PLACE), None, &["{}"])).unwrap();
        let cursor = first["nextCursor"].as_str().unwrap();
        let (query, _) = FEED.read_query(&format!("cursor={cursor}")).unwrap();
        assert_eq!(query.after, Some(PLACE));
        let again: Value = serde_json::from_str(&shown(None, query.after, &[])).unwrap();
        assert_eq!(again["nextCursor"], cursor);
        let example: Value = serde_json::from_str(examples::FEED).unwrap();
        let cursor = example["nextCursor"].as_str().unwrap();
        let asked = format!("cursor={cursor}");
        let ((query, list), ()) = FEED.read_query_at("/api/v1/events", &asked, |_| ()).unwrap();
        assert_eq!(cursor, write_cursor(&cursor_of(query.after.unwrap()), list));
    }

    #[test]
    fn events_keep_their_bytes() {
        let event = r#"{"id":"evt_1","data":{"total":39.980, "a":1}}"#;
        assert!(shown(None, None, &[event]).contains(event));
        let feed = Feed { events: vec!["{".to_owned()], next: None, more: false };
        assert!(FeedBody::new(feed, None, list_at("")).is_err());
    }

    #[test]
    fn the_feed_is_narrowed_by_names_and_time() {
        let query = "events=order.created,%20order.paid&since=2026-01-31T18:00:00Z&limit=500";
        let (query, _) = FEED.read_query(query).unwrap();
        assert_eq!(query.events.unwrap().names(), ["order.created", "order.paid"]);
        assert_eq!((query.limit, query.after), (100, None));
        assert!(query.since.is_some());
        let other = Cursor { sort: "-createdAt".to_owned(), ..cursor_of(PLACE) };
        let broken = Cursor { key: "x".to_owned(), ..cursor_of(PLACE) };
        let (here, elsewhere) = (list_at(""), list_at("/orders"));
        let of = |cursor: &Cursor, list| format!("cursor={}", write_cursor(cursor, list));
        for (query, problem) in [
            ("events=order.paid,order.payed", "events \"order.payed\" is not an event"),
            ("events=", "events \"\" is not an event"),
            ("page=1", "\"page\" is not a parameter"),
            ("cursor=x", "cursor must be the nextCursor"),
            (&of(&other, here), "cursor belongs to a list in another order"),
            (&of(&broken, here), "cursor must be the nextCursor"),
            (&of(&cursor_of(PLACE), elsewhere), "cursor belongs to another list"),
        ] {
            let message = FEED.read_query(query).unwrap_err().to_string();
            assert!(message.starts_with(problem), "{query}: {message}");
        }
    }
}
