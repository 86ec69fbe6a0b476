//! `/categories`: the tree that products are found by.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use catalog::{CategoryId, UpdateCategory};

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
use body::CategoryBody;
pub(super) use forms::category;

const ALL: &str = CategoryBody::PATH;
const ONE: &str = "/categories/{id}";
const ID: Segment<CategoryId> = id(CategoryId::PREFIX, CategoryId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Products, taking(query(forms::LIST), list))
            .summary("List categories")
            .describes("Newest first. Those of the whole tree, or those directly in one with `parentId`.")
            .pages::<CategoryBody>("A page of categories.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Products,
            crud::create::<CategoryBody, _, _, _>(forms::CREATE, |services, ctx, new| {
                services.categories.create(ctx, new)
            }),
        )
        .summary("Create a category")
        .describes(
            "The tree is at most 8 categories deep, and an account has at most 2,000. Categories directly in the same one \
             have different names.",
        )
        .answers::<CategoryBody>(201, "The category.", examples::CATEGORY)
        .refuses(&[Code::Conflict]),
        Endpoint::get(
            ONE,
            Scope::Products,
            crud::show::<CategoryBody, _, _>(ID, |services, account, id| {
                services.categories.get(account, id)
            }),
        )
        .summary("Get a category")
        .answers::<CategoryBody>(200, "The category.", examples::CATEGORY),
        Endpoint::patch(
            ONE,
            Scope::Products,
            crud::update::<CategoryBody, _, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, account, id| services.categories.get(account, id),
                |services, ctx, (id, tag), changes| {
                    let version = tag.map(ETag::of_version);
                    services.categories.update(ctx, UpdateCategory { id, version, changes })
                },
            ),
        )
        .summary("Update a category")
        .describes(
            "Changes only the fields that are sent. Another `parentId` moves it with all that is in it; `null` makes it one \
             of the top.",
        )
        .answers::<CategoryBody>(200, "The updated category.", examples::CATEGORY)
        .refuses(&[Code::Conflict]),
        Endpoint::delete(
            ONE,
            Scope::Products,
            crud::delete(ID, |services, ctx, id, version| {
                services.categories.delete(ctx, id, version)
            }),
        )
        .summary("Delete a category")
        .describes("Only one with no categories and no products in it.")
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED)
        .refuses(&[Code::Conflict]),
    ]
}

async fn list(call: Call, asked: forms::Asked) -> Result<Answer, ApiError> {
    let forms::Asked { parent, page } = asked;
    let mut all = answered(call.services().categories.all(call.account)).await?;
    all.retain(|category| parent.is_none() || category.parent == parent);
    let shown = page_of_all(all, &page, (forms::ORDER, Way::Down), |it| it.id.to_string());
    Answer::page::<CategoryBody>(shown, &page)
}
