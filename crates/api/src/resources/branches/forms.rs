//! What the endpoints of branches read.

use intake::{
    Check, Fields, Form,
    checks::{line, object, phone},
    noun,
};
use invoices::{BranchChanges, BranchId, BranchSeries, NewBranch, series::SERIES_CHARS_MAX};
use kernel::PageRequest;

use super::examples;
use crate::{
    page::page_request_of,
    resources::{fiscal::known_zip, issuers::issuer_id, sheet::printed_address},
};

pub(super) const LIST: Form<PageRequest> = Form::query(read_page);
pub(super) const CREATE: Form<NewBranch> =
    Form::body("CreateBranch", noun("a branch", "una sucursal"), read_new, examples::CREATE);
pub(super) const UPDATE: Form<BranchChanges> =
    Form::body("UpdateBranch", noun("a branch", "una sucursal"), read_changes, examples::UPDATE);

/// Sort order named in the cursors of the list.
pub(super) const ORDER: &str = "-createdAt";

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &["id", "createdAt", "updatedAt"];
/// Maximum characters of a name.
const NAME_CHARS_MAX: usize = 120;

fn read_page(fields: &mut Fields<'_>) -> Option<PageRequest> {
    Some(page_request_of(fields, ORDER, BranchId::PREFIX))
}

fn read_new(fields: &mut Fields<'_>) -> Option<NewBranch> {
    let name = fields.required("name", line(NAME_CHARS_MAX));
    let place_of_issue = fields.required("placeOfIssue", known_zip());
    let branch = NewBranch {
        name: name.unwrap_or_default(),
        issuer: fields.optional("issuerId", issuer_id()),
        place_of_issue: place_of_issue.unwrap_or_default(),
        series: fields.optional("series", series()).unwrap_or_default(),
        address: fields.optional("address", address()).unwrap_or_default(),
        phone: fields.optional("phone", phone()),
    };
    fields.read_only(READ_ONLY);
    Some(branch)
}

fn read_changes(fields: &mut Fields<'_>) -> Option<BranchChanges> {
    let changes = BranchChanges {
        name: fields.change("name", line(NAME_CHARS_MAX)),
        issuer: fields.patch("issuerId", issuer_id()),
        place_of_issue: fields.change("placeOfIssue", known_zip()),
        series: fields.change("series", series()),
        address: fields.change("address", address()),
        phone: fields.patch("phone", phone()),
    };
    fields.read_only(READ_ONLY);
    Some(changes)
}

fn series() -> impl Check<Value = BranchSeries> {
    object(noun("series", "las series"), read_series)
}

fn read_series(fields: &mut Fields<'_>) -> Option<BranchSeries> {
    let mut series = |name| fields.optional(name, line(SERIES_CHARS_MAX));
    Some(BranchSeries {
        income: series("income"),
        credit: series("credit"),
        payment: series("payment"),
        transfer: series("transfer"),
    })
}

fn address() -> impl Check<Value = Vec<String>> {
    printed_address().about("Postal address, line by line.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert!(CREATE.read_body(examples::CREATE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(CREATE.read_body(examples::BRANCH.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::BRANCH.as_bytes()).is_ok());
    }
}
