//! `/audit`: who did what.

mod body;
mod examples;
mod forms;

use crate::{
    answer::Resource,
    crud,
    endpoint::{EVERYTHING, Endpoint},
};
use body::EntryBody;

pub(super) fn endpoints() -> [Endpoint; 1] {
    [Endpoint::get(
        EntryBody::PATH,
        EVERYTHING,
        crud::list::<EntryBody, _, _>(forms::LIST, |services, account, query| {
            services.audit_log.entries(account, query)
        }),
    )
    .summary("List audit entries")
    .describes(
        "What was done about keys, members, sign-ins and settings, newest first: by whom, from where, and the fields as they \
         were and as they are, without secrets. The log is append-only.",
    )
    .pages::<EntryBody>("A page of entries.", examples::PAGE)]
}
