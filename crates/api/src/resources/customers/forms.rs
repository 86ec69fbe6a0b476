//! What the customers' endpoints read.

use crm::{
    Address, CustomerChanges, CustomerFilter, CustomerId, CustomerQuery, NewCustomer,
    customer::{
        ADDRESS_CHARS_MAX, ADDRESSES_MAX, FOREIGN_ID_CHARS_MAX, NAME_CHARS_MAX, checked_country,
    },
};
use intake::{
    Check, Fields, Form,
    checks::{email, line, metadata, objects, phone, text},
    noun,
};

use kernel::search::Words;

use super::examples;
use crate::{
    filters,
    page::page_request_of,
    resources::{
        customer_groups::group,
        fiscal::{known_country, known_regime, known_use, known_zip, rfc},
    },
};

pub(super) const LIST: Form<CustomerQuery> = Form::query(read_query);
pub(super) const CREATE: Form<NewCustomer> =
    Form::body("CreateCustomer", noun("a customer", "un cliente"), read_customer, examples::CREATE);
pub(super) const UPDATE: Form<CustomerChanges> =
    Form::body("UpdateCustomer", noun("a customer", "un cliente"), read_changes, examples::UPDATE);

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &["id", "taxStatus", "createdAt", "updatedAt"];

const RESIDENCE: &str = "Country of residence of a foreigner (RFC `XEXX010101000`).";

const GROUP: &str = "Group that the customer is in, for which price lists can be.";

fn read_query(fields: &mut Fields<'_>) -> Option<CustomerQuery> {
    let filter = CustomerFilter {
        ids: filters::ids(
            fields,
            noun("a customer", "un cliente"),
            CustomerId::PREFIX,
            CustomerId::parse,
        ),
        search: filters::search(
            fields,
            Words::parse,
            "Words in the name, email address, phone number, RFC and legal name. Every word must match the beginning of \
             one, in any order; accents and case are ignored.",
        ),
        external_id: filters::by_external_id(fields),
        email: fields.change("email", email().about("Exact email address.")),
        phone: fields.change("phone", phone().about("Exact phone number.")),
        rfc: fields.change("rfc", rfc().about("Exact RFC.")),
        group: fields.change("groupId", group().about("Only customers in this group.")),
        updated_since: filters::updated_since(fields),
        metadata: filters::metadata(fields),
    };
    let (sort, name) = filters::record_sort(fields);
    Some(CustomerQuery { filter, sort, page: page_request_of(fields, name, CustomerId::PREFIX) })
}

fn read_customer(fields: &mut Fields<'_>) -> Option<NewCustomer> {
    let name = fields.required("name", line(NAME_CHARS_MAX));
    let customer = NewCustomer {
        external_id: fields.optional("externalId", filters::external_id()),
        name: name.unwrap_or_default(),
        email: fields.optional("email", email()),
        phone: fields.optional("phone", phone()),
        rfc: fields.optional("rfc", rfc()),
        legal_name: fields.optional("legalName", line(NAME_CHARS_MAX)),
        tax_regime: fields.optional("taxRegime", known_regime()),
        tax_zip: fields.optional("taxZip", known_zip()),
        cfdi_use: fields.optional("cfdiUse", known_use()),
        tax_residence: fields.optional("taxResidence", known_country().about(RESIDENCE)),
        foreign_tax_id: fields.optional("foreignTaxId", foreign_tax_id()),
        group: fields.optional("groupId", group().about(GROUP)),
        addresses: fields.optional("addresses", addresses()).unwrap_or_default(),
        metadata: fields.optional("metadata", metadata()).unwrap_or_default(),
    };
    fields.read_only(READ_ONLY);
    Some(customer)
}

fn read_changes(fields: &mut Fields<'_>) -> Option<CustomerChanges> {
    let changes = CustomerChanges {
        external_id: fields.patch("externalId", filters::external_id()),
        name: fields.change("name", line(NAME_CHARS_MAX)),
        email: fields.patch("email", email()),
        phone: fields.patch("phone", phone()),
        rfc: fields.patch("rfc", rfc()),
        legal_name: fields.patch("legalName", line(NAME_CHARS_MAX)),
        tax_regime: fields.patch("taxRegime", known_regime()),
        tax_zip: fields.patch("taxZip", known_zip()),
        cfdi_use: fields.patch("cfdiUse", known_use()),
        tax_residence: fields.patch("taxResidence", known_country().about(RESIDENCE)),
        foreign_tax_id: fields.patch("foreignTaxId", foreign_tax_id()),
        group: fields.patch("groupId", group().about(GROUP)),
        addresses: fields.change("addresses", addresses()),
        metadata: fields.patch("metadata", metadata()).map(Option::unwrap_or_default),
    };
    fields.read_only(READ_ONLY);
    Some(changes)
}

fn read_address(fields: &mut Fields<'_>) -> Option<Address> {
    let street = fields.required("street", line(ADDRESS_CHARS_MAX));
    Some(Address {
        label: fields.optional("label", line(ADDRESS_CHARS_MAX)),
        street: street.unwrap_or_default(),
        neighborhood: fields.optional("neighborhood", line(ADDRESS_CHARS_MAX)),
        city: fields.optional("city", line(ADDRESS_CHARS_MAX)),
        state: fields.optional("state", line(ADDRESS_CHARS_MAX)),
        zip: fields.optional("zip", line(ADDRESS_CHARS_MAX)),
        country: fields.optional("country", country()).unwrap_or_else(|| "MX".to_owned()),
    })
}

fn addresses() -> impl Check<Value = Vec<Address>> {
    objects(noun("an address", "una dirección"), 0..=ADDRESSES_MAX, read_address)
}

fn foreign_tax_id() -> impl Check<Value = String> {
    line(FOREIGN_ID_CHARS_MAX).about("Tax identifier of a foreigner, who needs a taxResidence.")
}

fn country() -> impl Check<Value = String> {
    text(checked_country).pattern("^[A-Z]{2}$").example("MX")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert!(CREATE.read_body(examples::CREATE.as_bytes()).is_ok());
        assert!(CREATE.read_body(examples::CUSTOMER.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::CUSTOMER.as_bytes()).is_ok());
    }
}
