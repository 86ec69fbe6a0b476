//! `/crm/activities`: calls, meetings, tasks and notes about deals, leads and customers.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use crm::{ActivityId, UpdateActivity};

use crate::{
    answer::{DeletedBody, Resource},
    crud,
    endpoint::{Endpoint, Segment, id},
    etag::ETag,
};
use body::ActivityBody;

const ALL: &str = ActivityBody::PATH;
const ONE: &str = "/crm/activities/{id}";
const ID: Segment<ActivityId> = id(ActivityId::PREFIX, ActivityId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            ALL,
            Scope::Deals,
            crud::list::<ActivityBody, _, _>(forms::LIST, |services, account, query| {
                services.activities.list(account, query)
            }),
        )
        .summary("List activities")
        .describes(
            "Newest first. What is overdue is found by `done=false&dueTo=` and the present time; with `sort=dueAt` and \
             `sort=-dueAt`, activities without a due date come last.",
        )
        .pages::<ActivityBody>("A page of activities.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Deals,
            crud::create::<ActivityBody, _, _, _>(forms::CREATE, |services, ctx, command| {
                services.activities.create(ctx, command)
            }),
        )
        .summary("Create an activity")
        .answers::<ActivityBody>(201, "The activity.", examples::ACTIVITY),
        Endpoint::get(
            ONE,
            Scope::Deals,
            crud::show::<ActivityBody, _, _>(ID, |services, account, id| {
                services.activities.get(account, id)
            }),
        )
        .summary("Get an activity")
        .answers::<ActivityBody>(200, "The activity.", examples::ACTIVITY),
        Endpoint::patch(
            ONE,
            Scope::Deals,
            crud::update::<ActivityBody, _, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, account, id| services.activities.get(account, id),
                |services, ctx, (id, tag), changes| {
                    let version = tag.map(ETag::of_version);
                    services.activities.update(ctx, UpdateActivity { id, version, changes })
                },
            ),
        )
        .summary("Update an activity")
        .describes(
            "Changes only the fields that are sent; `null` clears an optional field. `\"done\": true` says that it was done \
             now, and `false` that it is still to be done.",
        )
        .answers::<ActivityBody>(200, "The updated activity.", examples::ACTIVITY),
        Endpoint::delete(
            ONE,
            Scope::Deals,
            crud::delete(ID, |services, ctx, id, version| {
                services.activities.delete(ctx, id, version)
            }),
        )
        .summary("Delete an activity")
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED),
    ]
}
