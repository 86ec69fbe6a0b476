//! What the endpoints of warehouses read.

use crm::customer::checked_country;
use intake::{
    Check, Fields, Form,
    checks::{id, line, object, one_of, phone, text, whole},
    noun,
};
use inventory::{
    Address, Kind, NewWarehouse, StockFilter, StockQuery, WarehouseChanges, WarehouseId,
    warehouse::{LINE_CHARS_MAX, PRIORITY_DEFAULT, PRIORITY_MAX},
};
use kernel::PageRequest;

use super::examples;
use crate::{
    page::page_request_of,
    resources::stock::{below_threshold, page_of_lines},
};

pub(super) const LIST: Form<PageRequest> = Form::query(read_page);
pub(super) const CREATE: Form<NewWarehouse> =
    Form::body("CreateWarehouse", noun("a warehouse", "un almacén"), read_new, examples::CREATE);
pub(super) const UPDATE: Form<WarehouseChanges> = Form::body(
    "UpdateWarehouse",
    noun("a warehouse", "un almacén"),
    read_changes,
    examples::UPDATE,
);
pub(super) const STOCK: Form<StockQuery> = Form::query(read_stock);

/// Sort order named in the cursors of the list.
pub(super) const ORDER: &str = "-createdAt";

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &["id", "createdAt", "updatedAt"];

/// The identifier of a warehouse.
pub(in crate::resources) fn warehouse() -> impl Check<Value = WarehouseId> {
    id(noun("a warehouse", "un almacén"), WarehouseId::PREFIX, WarehouseId::parse)
}

fn read_page(fields: &mut Fields<'_>) -> Option<PageRequest> {
    Some(page_request_of(fields, ORDER, WarehouseId::PREFIX))
}

fn read_stock(fields: &mut Fields<'_>) -> Option<StockQuery> {
    let filter = StockFilter { below_threshold: below_threshold(fields), ..StockFilter::default() };
    Some(StockQuery { filter, page: page_of_lines(fields) })
}

fn read_new(fields: &mut Fields<'_>) -> Option<NewWarehouse> {
    let name = fields.required("name", line(LINE_CHARS_MAX));
    let kind = one_of(Kind::EVERY, Kind::name);
    let new = NewWarehouse {
        name: name.unwrap_or_default(),
        address: fields.optional("address", address()),
        kind: fields
            .optional("kind", kind.about("What it is for; `store` by default."))
            .unwrap_or_default(),
        priority: fields.optional("priority", priority()).unwrap_or(PRIORITY_DEFAULT),
    };
    fields.read_only(READ_ONLY);
    Some(new)
}

fn read_changes(fields: &mut Fields<'_>) -> Option<WarehouseChanges> {
    let changes = WarehouseChanges {
        name: fields.change("name", line(LINE_CHARS_MAX)),
        address: fields.patch("address", address()),
        priority: fields.change("priority", priority()),
    };
    fields.read_only(&["kind"]);
    fields.read_only(READ_ONLY);
    Some(changes)
}

fn priority() -> impl Check<Value = i64> {
    whole(0..=PRIORITY_MAX).about(
        "Orders that may take from any warehouse take from the one with the lowest number first; 100 by default.",
    )
}

fn address() -> impl Check<Value = Address> {
    object(noun("an address", "una dirección"), read_address).about("Where it is.")
}

fn read_address(fields: &mut Fields<'_>) -> Option<Address> {
    let street = fields.required("street", line(LINE_CHARS_MAX));
    Some(Address {
        street: street.unwrap_or_default(),
        neighborhood: fields.optional("neighborhood", line(LINE_CHARS_MAX)),
        city: fields.optional("city", line(LINE_CHARS_MAX)),
        state: fields.optional("state", line(LINE_CHARS_MAX)),
        zip: fields.optional("zip", line(LINE_CHARS_MAX)),
        country: fields
            .optional("country", text(checked_country).pattern("^[A-Z]{2}$").example("MX"))
            .unwrap_or_else(|| "MX".to_owned()),
        phone: fields.optional("phone", phone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        let new = CREATE.read_body(examples::CREATE.as_bytes()).unwrap();
        assert_eq!((new.kind, new.priority), (Kind::Store, 20));
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(CREATE.read_body(examples::WAREHOUSE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::WAREHOUSE.as_bytes()).is_ok());
        assert!(CREATE.read_body(br#"{"name": "X", "kind": "transit"}"#).is_err());
        assert!(CREATE.read_body(br#"{"name": "X", "priority": 1001}"#).is_err());
    }
}
