//! What the endpoint of the audit log reads.

use accounts::{Action, AuditEntryId, AuditQuery, Whose};
use intake::{
    Check, Fields, Form,
    checks::{line, moment, one_of, text},
};

use crate::{filters, page::page_request_of};

pub(super) const LIST: Form<AuditQuery> = Form::query(read_query);

/// The most characters of what something was done to.
const CHARS_MAX: usize = 100;
/// What [`Whose`] takes.
const ACTOR_PATTERN: &str = r"^(system|public|key|user|operator|operator [^\u0000-\u001F\u007F-\u009F]{1,100}|(key|usr)_[0-7][0-9A-HJKMNP-TV-Z]{25})$";

fn read_query(fields: &mut Fields<'_>) -> Option<AuditQuery> {
    let actor = "The id of an API key or a user, or one of `key`, `user`, `operator`, `system`, `public`; of one \
                 operator `operator` and their name, e.g. `operator ana`.";
    let action = one_of(Action::EVERY, Action::name).about("What was done.");
    let from = "Only entries recorded at or after this time.";
    let query = AuditQuery {
        actor: fields.change("actor", text(Whose::parse).pattern(ACTOR_PATTERN).about(actor)),
        action: fields.change("action", action),
        resource: fields
            .change("resource", line(CHARS_MAX).about("The id of what it was done to.")),
        from: fields.change("createdFrom", moment().about(from)),
        to: fields.change("createdTo", moment().about("Only entries recorded before this time.")),
        page: page_request_of(fields, "-createdAt", AuditEntryId::PREFIX),
    };
    filters::refuse_backwards(fields, [("createdFrom", query.from), ("createdTo", query.to)]);
    Some(query)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_narrowed() {
        let query = LIST.read_query("actor=key&action=api_key.created&limit=5").unwrap();
        assert_eq!(query.actor, Some(Whose::Kind("key")));
        assert_eq!((query.action, query.page.limit), (Some(Action::ApiKeyCreated), 5));
        for wrong in ["createdFrom=yesterday", "actor=nope", "action=nope"] {
            assert!(LIST.read_query(wrong).is_err(), "{wrong}");
        }
    }
}
