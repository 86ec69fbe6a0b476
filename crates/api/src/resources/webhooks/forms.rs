//! What the webhooks' endpoints read.

use intake::{
    Check, Fields, Form, Read,
    checks::{moment, paragraph, text},
    noun,
};
use kernel::Timestamp;
use webhooks::{
    NewSubscription, Reach, SubscriptionChanges, SubscriptionId, SubscriptionQuery, Topics,
    subscription::DESCRIPTION_CHARS_MAX,
    target::{self, URL_CHARS_MAX},
};

use super::examples;
use crate::{filters, page::page_request_of, resources::events::topics};

pub(super) const LIST: Form<SubscriptionQuery> = Form::query(read_query);
pub(super) const CREATE: Form<NewSubscription> =
    created(|fields| webhook(fields, Reach::Development));
pub(super) const CREATE_PUBLIC: Form<NewSubscription> =
    created(|fields| webhook(fields, Reach::Public));
pub(super) const UPDATE: Form<SubscriptionChanges> =
    changed(|fields| changes(fields, Reach::Development));
pub(super) const UPDATE_PUBLIC: Form<SubscriptionChanges> =
    changed(|fields| changes(fields, Reach::Public));
pub(super) const REPLAY: Form<WantedReplay> =
    Form::body("ReplayEvents", noun("a replay", "una repetición"), read_replay, examples::REPLAY);

/// Fields that the service sets itself or that have endpoints of their own.
const READ_ONLY: &[&str] = &[
    "id",
    "secret",
    "status",
    "disabledReason",
    "disabledAt",
    "consecutiveFailures",
    "previousSecretExpiresAt",
    "createdAt",
    "updatedAt",
];

/// The events to deliver again.
#[derive(Debug)]
pub(super) struct WantedReplay {
    pub(super) since: Timestamp,
    pub(super) until: Option<Timestamp>,
    pub(super) events: Option<Topics>,
}

fn read_query(fields: &mut Fields<'_>) -> Option<SubscriptionQuery> {
    let page = page_request_of(fields, "-createdAt", SubscriptionId::PREFIX);
    Some(SubscriptionQuery { page, ..SubscriptionQuery::default() })
}

const fn created(read: Read<NewSubscription>) -> Form<NewSubscription> {
    Form::body("CreateWebhook", noun("a webhook", "un webhook"), read, examples::CREATE)
}

const fn changed(read: Read<SubscriptionChanges>) -> Form<SubscriptionChanges> {
    Form::body("UpdateWebhook", noun("a webhook", "un webhook"), read, examples::UPDATE)
}

fn webhook(fields: &mut Fields<'_>, reach: Reach) -> Option<NewSubscription> {
    let url = fields.required("url", url(reach));
    let events = fields.required("events", topics());
    let description = fields.optional("description", note());
    fields.read_only(READ_ONLY);
    Some(NewSubscription { url: url?, events: events?, description })
}

fn changes(fields: &mut Fields<'_>, reach: Reach) -> Option<SubscriptionChanges> {
    let changes = SubscriptionChanges {
        url: fields.change("url", url(reach)),
        events: fields.change("events", topics()),
        description: fields.patch("description", note()),
    };
    fields.read_only(READ_ONLY);
    Some(changes)
}

fn read_replay(fields: &mut Fields<'_>) -> Option<WantedReplay> {
    let since = fields.required("since", moment());
    let until = fields.optional("until", moment());
    let events = fields.optional("events", topics());
    filters::refuse_backwards(fields, [("since", since), ("until", until)]);
    Some(WantedReplay { since: since?, until, events })
}

/// A URL that may be called.
fn url(reach: Reach) -> impl Check<Value = String> {
    let check = text(move |url| target::checked(url, reach));
    check.chars(1, URL_CHARS_MAX).format("uri").example("https://example.com/webhooks")
}

fn note() -> impl Check<Value = String> {
    paragraph(DESCRIPTION_CHARS_MAX)
}

#[cfg(test)]
mod tests {
    use intake::Unreadable;

    use super::*;

    fn refused<T: std::fmt::Debug>(form: Form<T>, body: &str) -> String {
        form.read_body(body.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert!(CREATE.read_body(examples::CREATE.as_bytes()).is_ok());
        assert!(CREATE.read_body(examples::ISSUED.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::ISSUED.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::DISABLED.as_bytes()).is_ok());
        assert!(REPLAY.read_body(examples::REPLAY.as_bytes()).is_ok());
    }

    #[test]
    fn every_fault_of_a_webhook_is_named() {
        let body = r#"{"url": "ftp://example.com", "events": ["*", "order.create", 7]}"#;
        assert_eq!(
            refused(CREATE, body),
            "url must start with https://; events[1] \"order.create\" is not an event, see GET \
             /webhooks/events; events[2] must be a string"
        );
        assert_eq!(
            refused(CREATE, r#"{"url": "https://e.com", "events": []}"#),
            "events must not be empty"
        );
        assert_eq!(refused(CREATE, "{}"), "url is required; events is required");
        // What only the service's reach forbids is told with the rest.
        let body = br#"{"url": "http://e.com", "events": []}"#;
        let faulty = |read: Result<(), Unreadable>| match read {
            Err(Unreadable::Faulty(faults)) => {
                faults.into_iter().map(|fault| fault.field).collect::<Vec<_>>()
            }
            other => panic!("{other:?}"),
        };
        for read in [CREATE.read_body(body).map(drop), UPDATE.read_body(body).map(drop)] {
            assert_eq!(faulty(read), ["events"]);
        }
        let public =
            [CREATE_PUBLIC.read_body(body).map(drop), UPDATE_PUBLIC.read_body(body).map(drop)];
        for read in public {
            assert_eq!(faulty(read), ["url", "events"]);
        }
        assert_eq!(refused(UPDATE, r#"{"url": null}"#), "url must not be null");
        let long = format!(r#"{{"url": "https://e.com", "events": ["{}"]}}"#, "x".repeat(100_000));
        assert!(refused(CREATE, &long).len() < 200);
    }

    #[test]
    fn a_replay_ends_after_it_begins() {
        let body = r#"{"since": "2026-02-01T00:00:00Z", "until": "2026-01-31T00:00:00Z"}"#;
        assert_eq!(refused(REPLAY, body), "until must not be before since");
        let body = r#"{"since": "2026-02-01T00:00:00Z", "until": null, "events": null}"#;
        assert!(REPLAY.read_body(body.as_bytes()).unwrap().events.is_none());
    }
}
