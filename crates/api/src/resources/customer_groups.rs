//! `/customer-groups`: whom price lists are for.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use crm::{CustomerGroupId, UpdateCustomerGroup};
use kernel::PageRequest;

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, id, query, taking},
    error::{ApiError, Code},
    etag::ETag,
    page::{Way, page_of_all},
    reply::answered,
};
use body::CustomerGroupBody;
pub(super) use forms::group;

const ALL: &str = CustomerGroupBody::PATH;
const ONE: &str = "/customer-groups/{id}";
const ID: Segment<CustomerGroupId> = id(CustomerGroupId::PREFIX, CustomerGroupId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Customers, taking(query(forms::LIST), list))
            .summary("List customer groups")
            .describes("Newest first.")
            .pages::<CustomerGroupBody>("A page of customer groups.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Customers,
            crud::create::<CustomerGroupBody, _, _, _>(forms::CREATE, |services, ctx, new| {
                services.customer_groups.create(ctx, new)
            }),
        )
        .summary("Create a customer group")
        .describes(
            "Groups customers, such as wholesalers, for whom price lists can be. A customer is in at most one, by its \
             `groupId`. An account has at most 200 groups, with different names.",
        )
        .answers::<CustomerGroupBody>(201, "The customer group.", examples::GROUP)
        .refuses(&[Code::Conflict]),
        Endpoint::get(
            ONE,
            Scope::Customers,
            crud::show::<CustomerGroupBody, _, _>(ID, |services, account, id| {
                services.customer_groups.get(account, id)
            }),
        )
        .summary("Get a customer group")
        .answers::<CustomerGroupBody>(200, "The customer group.", examples::GROUP),
        Endpoint::patch(
            ONE,
            Scope::Customers,
            crud::update::<CustomerGroupBody, _, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, account, id| services.customer_groups.get(account, id),
                |services, ctx, (id, tag), changes| {
                    let version = tag.map(ETag::of_version);
                    let command = UpdateCustomerGroup { id, version, changes };
                    services.customer_groups.update(ctx, command)
                },
            ),
        )
        .summary("Update a customer group")
        .describes("Changes only the fields that are sent.")
        .answers::<CustomerGroupBody>(200, "The updated customer group.", examples::GROUP)
        .refuses(&[Code::Conflict]),
        Endpoint::delete(
            ONE,
            Scope::Customers,
            crud::delete(ID, |services, ctx, id, version| {
                services.customer_groups.delete(ctx, id, version)
            }),
        )
        .summary("Delete a customer group")
        .describes("Only one with no customers in it and no price list for it.")
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED)
        .refuses(&[Code::Conflict]),
    ]
}

async fn list(call: Call, asked: PageRequest) -> Result<Answer, ApiError> {
    let all = answered(call.services().customer_groups.all(call.account)).await?;
    let page = page_of_all(all, &asked, (forms::ORDER, Way::Down), |it| it.id.to_string());
    Answer::page::<CustomerGroupBody>(page, &asked)
}
