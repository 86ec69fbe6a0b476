//! What the endpoint of the audit log reads.

use accounts::{AuditEntryId, AuditQuery};
use intake::{
    Check, Fields, Form,
    checks::{line, moment},
};

use crate::{filters, page::page_request_of};

pub(super) const LIST: Form<AuditQuery> = Form::query(read_query);

/// The most characters of what entries are filtered by.
const CHARS_MAX: usize = 100;

fn read_query(fields: &mut Fields<'_>) -> Option<AuditQuery> {
    let actor =
        "The id of an API key or a user, or one of `key`, `user`, `operator`, `system`, `public`.";
    let from = "Only entries recorded at or after this time.";
    let query = AuditQuery {
        actor: fields.change("actor", line(CHARS_MAX).about(actor)),
        action: fields
            .change("action", line(CHARS_MAX).about("What was done, e.g. `api_key.created`.")),
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
        assert_eq!(query.actor.as_deref(), Some("key"));
        assert_eq!((query.action.as_deref(), query.page.limit), (Some("api_key.created"), 5));
        assert!(LIST.read_query("createdFrom=yesterday").is_err());
    }
}
