//! What the endpoints of customer groups read.

use crm::{CustomerGroupChanges, CustomerGroupId, NewCustomerGroup, group::GROUP_NAME_CHARS_MAX};
use intake::{
    Check, Fields, Form,
    checks::{id, line},
    noun,
};
use kernel::PageRequest;

use super::examples;
use crate::page::page_request_of;

pub(super) const LIST: Form<PageRequest> = Form::query(read_page);
pub(super) const CREATE: Form<NewCustomerGroup> = Form::body(
    "CreateCustomerGroup",
    noun("a customer group", "un grupo de clientes"),
    read_new,
    examples::CREATE,
);
pub(super) const UPDATE: Form<CustomerGroupChanges> = Form::body(
    "UpdateCustomerGroup",
    noun("a customer group", "un grupo de clientes"),
    read_changes,
    examples::UPDATE,
);

/// Sort order named in the cursors of the list.
pub(super) const ORDER: &str = "-createdAt";

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &["id", "createdAt", "updatedAt"];

/// The identifier of a customer group.
pub(in crate::resources) fn group() -> impl Check<Value = CustomerGroupId> {
    let noun = noun("a customer group", "un grupo de clientes");
    id(noun, CustomerGroupId::PREFIX, CustomerGroupId::parse)
}

fn read_page(fields: &mut Fields<'_>) -> Option<PageRequest> {
    Some(page_request_of(fields, ORDER, CustomerGroupId::PREFIX))
}

fn read_new(fields: &mut Fields<'_>) -> Option<NewCustomerGroup> {
    let name = fields.required("name", line(GROUP_NAME_CHARS_MAX));
    fields.read_only(READ_ONLY);
    Some(NewCustomerGroup { name: name.unwrap_or_default() })
}

fn read_changes(fields: &mut Fields<'_>) -> Option<CustomerGroupChanges> {
    let name = fields.change("name", line(GROUP_NAME_CHARS_MAX));
    fields.read_only(READ_ONLY);
    Some(CustomerGroupChanges { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert!(CREATE.read_body(examples::CREATE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(CREATE.read_body(examples::GROUP.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::GROUP.as_bytes()).is_ok());
    }
}
