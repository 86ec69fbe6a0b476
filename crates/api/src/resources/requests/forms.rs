//! What the endpoint of the log of requests reads.

use accounts::{RequestLineId, RequestQuery};
use intake::{
    Check, Fields, Form,
    checks::{line, moment, one_of, whole},
};

use crate::{filters, page::page_request_of};

pub(super) const LIST: Form<RequestQuery> = Form::query(read_query);

const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
/// The most characters of a route.
const CHARS_MAX: usize = 100;

fn read_query(fields: &mut Fields<'_>) -> Option<RequestQuery> {
    let method = one_of(METHODS, |name| name).about("Filter by method.");
    let method: Option<&'static str> = fields.change("method", method);
    let route = line(CHARS_MAX).about("Filter by route, e.g. `/orders/{id}`.");
    let route = fields.change("route", route);
    let status = fields.change("status", whole(100..=599).about("Filter by status."));
    let query = RequestQuery {
        key: None,
        method: method.map(str::to_owned),
        route,
        status: status.and_then(|status| u16::try_from(status).ok()),
        has_failed: false,
        from: fields.change("createdFrom", moment().about("Only requests from this time on.")),
        to: fields.change("createdTo", moment().about("Only requests before this time.")),
        page: page_request_of(fields, "-createdAt", RequestLineId::PREFIX),
    };
    filters::refuse_backwards(fields, [("createdFrom", query.from), ("createdTo", query.to)]);
    Some(query)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_narrowed() {
        let query =
            LIST.read_query("method=PATCH&route=%2Forders%2F%7Bid%7D&status=409&limit=5").unwrap();
        assert_eq!((query.method.as_deref(), query.status), (Some("PATCH"), Some(409)));
        assert_eq!((query.route.as_deref(), query.page.limit), (Some("/orders/{id}"), 5));
        assert!(LIST.read_query("status=7").is_err());
    }
}
