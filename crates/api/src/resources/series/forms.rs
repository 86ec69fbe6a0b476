//! What the endpoints of series read.

use intake::{Check, Fields, Form, checks::whole, noun};
use invoices::{
    IssuerId,
    series::{FOLIO_MAX, ORDER, SERIES_CHARS_MAX},
};
use kernel::PageRequest;

use super::examples;
use crate::{page::page_request_of, resources::issuers::issuer_id};

pub(super) const LIST: Form<(Option<IssuerId>, PageRequest)> = Form::query(read_list);
pub(super) const OF: Form<Option<IssuerId>> = Form::query(read_issuer);
pub(super) const SET: Form<u64> =
    Form::body("SetSeries", noun("a series", "una serie"), read_next, examples::WANTED);

fn read_list(fields: &mut Fields<'_>) -> Option<(Option<IssuerId>, PageRequest)> {
    let issuer = fields.change("issuerId", issuer_id().about("Filter by issuer."));
    Some((issuer, page_request_of(fields, ORDER, IssuerId::PREFIX)))
}

fn read_issuer(fields: &mut Fields<'_>) -> Option<Option<IssuerId>> {
    let about = "Issuer whose series it is; the default one where none is named.";
    Some(fields.change("issuerId", issuer_id().about(about)))
}

fn read_next(fields: &mut Fields<'_>) -> Option<u64> {
    let next = fields.required("nextFolio", whole(1..=FOLIO_MAX));
    fields.read_only(&["issuerId", "series"]);
    next.and_then(|next| u64::try_from(next).ok())
}

/// A series as a path names it: what SAT's schema allows of one (cfdv40).
pub(super) fn parse_series(text: &str) -> Option<String> {
    // What is no UTF-8 in the path is not what somebody calls a series.
    let is_allowed = |c: char| !c.is_control() && c != '|' && c != char::REPLACEMENT_CHARACTER;
    let fits = (1..=SERIES_CHARS_MAX).contains(&text.chars().count());
    (fits && text.trim() == text && text.chars().all(is_allowed)).then(|| text.to_owned())
}
