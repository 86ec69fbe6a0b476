//! `/invoices/cfdi/branches`: the places that the account sells at.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use invoices::{BranchId, UpdateBranch};
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
use body::BranchBody;

const ALL: &str = BranchBody::PATH;
const ONE: &str = "/invoices/cfdi/branches/{id}";
const ID: Segment<BranchId> = id(BranchId::PREFIX, BranchId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Invoices, taking(query(forms::LIST), list))
            .summary("List branches")
            .describes("Newest first.")
            .pages::<BranchBody>("A page of branches.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Invoices,
            crud::create::<BranchBody, _, _, _>(forms::CREATE, |services, ctx, command| {
                services.branches.create_branch(ctx, command)
            }),
        )
        .summary("Create a branch")
        .describes(
            "Creates a place that the account sells at. An invoice that names it (`branchId`) takes its place \
             of issue, its series and its issuer, and has its address on the PDF.",
        )
        .answers::<BranchBody>(201, "The branch.", examples::BRANCH)
        .refuses(&[Code::Conflict]),
        Endpoint::get(
            ONE,
            Scope::Invoices,
            crud::show::<BranchBody, _, _>(ID, |services, account, id| {
                services.branches.branch(account, id)
            }),
        )
        .summary("Get a branch")
        .answers::<BranchBody>(200, "The branch.", examples::BRANCH),
        Endpoint::patch(
            ONE,
            Scope::Invoices,
            crud::update::<BranchBody, _, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, account, id| services.branches.branch(account, id),
                |services, ctx, (id, tag), changes| {
                    services.branches.update_branch(
                        ctx,
                        UpdateBranch { id, version: tag.map(ETag::of_version), changes },
                    )
                },
            ),
        )
        .summary("Update a branch")
        .describes(
            "Changes only the fields that are sent; `null` clears an optional field. `series` is replaced as a \
             whole. Drafts keep the place of issue and the series that they have.",
        )
        .answers::<BranchBody>(200, "The updated branch.", examples::BRANCH)
        .refuses(&[Code::Conflict]),
        Endpoint::delete(
            ONE,
            Scope::Invoices,
            crud::delete(ID, |services, ctx, id, version| {
                services.branches.delete_branch(ctx, id, version)
            }),
        )
        .summary("Delete a branch")
        .describes("Invoices keep its identifier, and are printed without its address.")
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED),
    ]
}

async fn list(call: Call, asked: PageRequest) -> Result<Answer, ApiError> {
    let branches = answered(call.services().branches.branches(call.account)).await?;
    let page =
        page_of_all(branches, &asked, (forms::ORDER, Way::Down), |branch| branch.id.to_string());
    Answer::page::<BranchBody>(page, &asked)
}
