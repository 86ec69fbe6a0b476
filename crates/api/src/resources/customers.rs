//! `/customers`: customers, with the tax details that their invoices need.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::{StatusCode, header::CONTENT_LANGUAGE};
use crm::{CustomerId, UpdateCustomer};
use invoices::{
    KnownCustomer,
    tax_data::{self, TaxCheck},
};

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, id, taking},
    error::{ApiError, Code},
    etag::ETag,
    reply::{answered, found},
    resources::invoices::{RECEIVER_VERDICT, VerdictBody},
};
pub(super) use body::CustomerBody;
pub(super) use examples::customer;

const ALL: &str = CustomerBody::PATH;
const ONE: &str = "/customers/{id}";
const TAX_CHECK: &str = "/customers/{id}/tax-check";
const ID: Segment<CustomerId> = id(CustomerId::PREFIX, CustomerId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            ALL,
            Scope::Customers,
            crud::list::<CustomerBody, _, _>(forms::LIST, |services, account, query| {
                services.customers.list(account, query)
            }),
        )
        .summary("List customers")
        .describes("Newest first.")
        .pages::<CustomerBody>("A page of customers.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Customers,
            crud::create::<CustomerBody, _, _, _>(forms::CREATE, |services, ctx, command| {
                services.customers.create(ctx, command)
            }),
        )
        .summary("Create a customer")
        .describes("Creates a customer. Emits `contact.created`.")
        .answers::<CustomerBody>(201, "The customer.", examples::CUSTOMER)
        .refuses(&[Code::DuplicateEmail, Code::DuplicateExternalId]),
        Endpoint::get(
            ONE,
            Scope::Customers,
            crud::show::<CustomerBody, _, _>(ID, |services, account, id| {
                services.customers.get(account, id)
            }),
        )
        .summary("Get a customer")
        .answers::<CustomerBody>(200, "The customer.", examples::CUSTOMER),
        Endpoint::patch(
            ONE,
            Scope::Customers,
            crud::update::<CustomerBody, _, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, account, id| services.customers.get(account, id),
                |services, ctx, (id, tag), changes| {
                    let version = tag.map(ETag::of_version);
                    let command = UpdateCustomer { id, version, changes, is_submitted: false };
                    services.customers.update(ctx, command)
                },
            ),
        )
        .summary("Update a customer")
        .describes("Changes only the fields that are sent; `null` clears an optional field.")
        .answers::<CustomerBody>(200, "The updated customer.", examples::CUSTOMER)
        .refuses(&[Code::DuplicateEmail, Code::DuplicateExternalId]),
        Endpoint::delete(
            ONE,
            Scope::Customers,
            crud::delete(ID, |services, ctx, id, version| {
                services.customers.delete(ctx, id, version)
            }),
        )
        .summary("Delete a customer")
        .describes(
            "Deletes a customer and its personal data. A customer with orders, deals or \
                 invoices cannot be deleted (409).",
        )
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED)
        .refuses(&[Code::Conflict]),
        Endpoint::get(TAX_CHECK, Scope::Customers, taking(ID, check))
            .translated()
            .summary("Check the tax data of a customer")
            .describes(
                "What keeps the customer from being invoiced, each with SAT's code, the field and the \
                 cure, and what is nearly always a mistake. All that is missing comes first; then kind of person, tax regime, CFDI use and postal \
                 code, the check digit of the RFC, a name with corporate suffix. Whether RFC, name and \
                 postal code are the registered ones only SAT knows.",
            )
            .answers::<VerdictBody>(200, "The result of the check.", RECEIVER_VERDICT),
    ]
}

async fn check(call: Call, id: CustomerId) -> Result<Answer, ApiError> {
    let services = call.services();
    let customer = found(services.customers.get(call.account, id)).await?;
    let issuer = answered(services.issuers.issuer(call.account, None)).await?;
    let place = issuer.as_ref().map(|issuer| issuer.tax_zip.as_str());
    let TaxCheck { findings, doubts, .. } =
        tax_data::check(&KnownCustomer::from(&customer), place, call.now);
    let language = call.language();
    let verdict = VerdictBody::new(&findings, &doubts, language).of_receiver();
    Answer::json(StatusCode::OK, &verdict)?.with(CONTENT_LANGUAGE, language.tag())
}
