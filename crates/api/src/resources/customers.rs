//! `/customers`: customers, with the tax details that their invoices need.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use crm::{CustomerChanges, CustomerId, CustomerQuery, NewCustomer, UpdateCustomer};

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    endpoint::{Endpoint, body, plain, query},
    error::{ApiError, Code},
    page::PageOf,
    reply::{answered, found, written},
};
pub(super) use body::CustomerBody;
pub(super) use examples::customer;

const ALL: &str = CustomerBody::PATH;
const ONE: &str = "/customers/{id}";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Customers, query(forms::LIST, list))
            .summary("List customers")
            .describes("Newest first.")
            .answers::<PageOf<CustomerBody>>(200, "A page of customers.", examples::PAGE),
        Endpoint::post(ALL, Scope::Customers, body(forms::CREATE, create))
            .summary("Create a customer")
            .describes("Creates a customer. Emits `contact.created`.")
            .answers::<CustomerBody>(201, "The customer.", examples::CUSTOMER)
            .refuses(&[Code::DuplicateEmail]),
        Endpoint::get(ONE, Scope::Customers, plain(show))
            .summary("Get a customer")
            .answers::<CustomerBody>(200, "The customer.", examples::CUSTOMER),
        Endpoint::patch(ONE, Scope::Customers, body(forms::UPDATE, update))
            .summary("Update a customer")
            .describes("Changes only the fields that are sent; `null` clears an optional field.")
            .answers::<CustomerBody>(200, "The updated customer.", examples::CUSTOMER)
            .refuses(&[Code::DuplicateEmail]),
        Endpoint::delete(ONE, Scope::Customers, plain(delete))
            .summary("Delete a customer")
            .describes(
                "Deletes a customer and its personal data. A customer with orders, deals or \
                 invoices cannot be deleted (409).",
            )
            .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED)
            .refuses(&[Code::Conflict]),
    ]
}

async fn list(call: Call, query: CustomerQuery) -> Result<Answer, ApiError> {
    let asked = query.page.clone();
    let page = answered(call.services().customers.list(call.account, query)).await?;
    Answer::page::<CustomerBody>(page, &asked)
}

async fn create(call: Call, command: NewCustomer) -> Result<Answer, ApiError> {
    let done = written(call.services().customers.create(call.ctx()?, command)).await?;
    Answer::created::<CustomerBody>(done)
}

async fn show(call: Call) -> Result<Answer, ApiError> {
    let id = call.id(CustomerId::parse)?;
    let customer = found(call.services().customers.get(call.account, id)).await?;
    Answer::shown::<CustomerBody>(&call, customer)
}

async fn update(call: Call, changes: CustomerChanges) -> Result<Answer, ApiError> {
    let id = call.id(CustomerId::parse)?;
    let command = UpdateCustomer { id, version: call.expected_version(), changes };
    let done = written(call.services().customers.update(call.ctx()?, command)).await?;
    Answer::changed::<CustomerBody>(done)
}

async fn delete(call: Call) -> Result<Answer, ApiError> {
    let id = call.id(CustomerId::parse)?;
    let version = call.expected_version();
    let done = written(call.services().customers.delete(call.ctx()?, id, version)).await?;
    Answer::deleted(&done)
}
