//! `/crm/leads`: prospective customers, and their conversion to customers with a deal.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use crm::{ConvertLead, Duplicate, LeadId, MergeLeads, UpdateLead};
use kernel::PageRequest;

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, id, json, query, taking},
    error::{ApiError, Code},
    etag::ETag,
    page::{Way, page_of_all},
    reply::{found, written},
};
use body::{ConversionBody, DuplicateBody, LeadBody};

const ALL: &str = LeadBody::PATH;
const ONE: &str = "/crm/leads/{id}";
const ID: Segment<LeadId> = id(LeadId::PREFIX, LeadId::parse);
const CONVERT: &str = "/crm/leads/{id}/convert";
const DUPLICATES: &str = "/crm/leads/{id}/duplicates";
const MERGE: &str = "/crm/leads/{id}/merge";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            ALL,
            Scope::Leads,
            crud::list::<LeadBody, _, _>(forms::LIST, |services, account, query| {
                services.leads.list(account, query)
            }),
        )
        .summary("List leads")
        .describes("Newest first.")
        .pages::<LeadBody>("A page of leads.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Leads,
            crud::create::<LeadBody, _, _, _>(forms::CREATE, |services, ctx, command| {
                services.leads.create(ctx, command)
            }),
        )
        .summary("Create a lead")
        .describes("Creates a lead. Emits `lead.created`.")
        .answers::<LeadBody>(201, "The lead.", examples::LEAD)
        .refuses(&[Code::DuplicateExternalId]),
        Endpoint::get(
            ONE,
            Scope::Leads,
            crud::show::<LeadBody, _, _>(ID, |services, account, id| {
                services.leads.get(account, id)
            }),
        )
        .summary("Get a lead")
        .answers::<LeadBody>(200, "The lead.", examples::LEAD),
        Endpoint::patch(
            ONE,
            Scope::Leads,
            crud::update::<LeadBody, _, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, account, id| services.leads.get(account, id),
                |services, ctx, (id, tag), changes| {
                    services
                        .leads
                        .update(ctx, UpdateLead { id, version: tag.map(ETag::of_version), changes })
                },
            ),
        )
        .summary("Update a lead")
        .describes(
            "Changes only the fields that are sent; `null` clears an optional field. A lead \
                 becomes `converted` only through `POST /crm/leads/{id}/convert`.",
        )
        .answers::<LeadBody>(200, "The updated lead.", examples::LEAD)
        .refuses(&[Code::InvalidTransition, Code::DuplicateExternalId]),
        Endpoint::delete(
            ONE,
            Scope::Leads,
            crud::delete(ID, |services, ctx, id, version| services.leads.delete(ctx, id, version)),
        )
        .summary("Delete a lead")
        .describes("Deletes a lead; a deal created from it is kept.")
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED),
        Endpoint::post(CONVERT, Scope::Leads, taking((ID, json(forms::CONVERT)), convert))
            .summary("Convert a lead")
            .describes(
                "Opens a deal for a lead and links it to a customer: the one given, otherwise the \
                 one with the lead's email address, otherwise a new one created from the lead. A \
                 repeated call returns the same deal. Emits `lead.converted`, and \
                 `contact.created` for a new customer.",
            )
            .answers::<ConversionBody>(
                200,
                "The lead with its deal and customer.",
                examples::CONVERSION,
            )
            .refuses(&[Code::InvalidTransition, Code::Conflict]),
        Endpoint::get(DUPLICATES, Scope::Leads, taking((ID, query(forms::DUPLICATES)), duplicates))
            .summary("List possible duplicates of a lead")
            .describes(
                "Other leads with the same email address, in whatever case, or the same phone number; newest first. Leads \
                 that are part of another one are not among them.",
            )
            .pages::<DuplicateBody>("A page of leads.", examples::DUPLICATES),
        Endpoint::post(MERGE, Scope::Leads, taking((ID, json(forms::MERGE)), merge))
            .summary("Merge leads")
            .describes(
                "Makes one lead of several: empty fields are filled from the others in their order, notes are appended, tags \
                 united; their activities and deals become the lead's own, a conversion too. The others stay on record \
                 with `mergedInto` and are not changed any more. 409 where more than one was converted.",
            )
            .answers::<LeadBody>(200, "The lead that stays.", examples::LEAD)
            .refuses(&[Code::Conflict]),
    ]
}

async fn duplicates(call: Call, (id, asked): (LeadId, PageRequest)) -> Result<Answer, ApiError> {
    let found = found(call.services().leads.duplicates(call.account, id)).await?;
    let key = |duplicate: &Duplicate| duplicate.lead.id.to_string();
    let page = page_of_all(found, &asked, (forms::ORDER, Way::Down), key);
    Answer::page::<DuplicateBody>(page, &asked)
}

async fn merge(call: Call, (into, from): (LeadId, Vec<LeadId>)) -> Result<Answer, ApiError> {
    let done = written(call.services().leads.merge(call.ctx()?, MergeLeads { into, from })).await?;
    Answer::acted::<LeadBody, _>(done)
}

async fn convert(call: Call, (id, deal): (LeadId, forms::WantedDeal)) -> Result<Answer, ApiError> {
    let forms::WantedDeal { customer, title, value, currency } = deal;
    let command = ConvertLead { id, customer, title, value, currency };
    let done = written(call.services().leads.convert(call.ctx()?, command)).await?;
    Answer::acted::<ConversionBody, _>(done)
}
