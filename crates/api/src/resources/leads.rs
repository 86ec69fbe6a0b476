//! `/crm/leads`: prospective customers, and their conversion to customers with a deal.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use crm::{ConvertLead, LeadChanges, LeadId, LeadQuery, NewLead, UpdateLead};

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    endpoint::{Endpoint, body, plain, query},
    error::{ApiError, Code},
    page::PageOf,
    reply::{answered, found, written},
};
use body::{ConversionBody, LeadBody};

const ALL: &str = LeadBody::PATH;
const ONE: &str = "/crm/leads/{id}";
const CONVERT: &str = "/crm/leads/{id}/convert";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Leads, query(forms::LIST, list))
            .summary("List leads")
            .describes("Newest first.")
            .answers::<PageOf<LeadBody>>(200, "A page of leads.", examples::PAGE),
        Endpoint::post(ALL, Scope::Leads, body(forms::CREATE, create))
            .summary("Create a lead")
            .describes("Creates a lead. Emits `lead.created`.")
            .answers::<LeadBody>(201, "The lead.", examples::LEAD),
        Endpoint::get(ONE, Scope::Leads, plain(show)).summary("Get a lead").answers::<LeadBody>(
            200,
            "The lead.",
            examples::LEAD,
        ),
        Endpoint::patch(ONE, Scope::Leads, body(forms::UPDATE, update))
            .summary("Update a lead")
            .describes(
                "Changes only the fields that are sent; `null` clears an optional field. A lead \
                 becomes `converted` only through `POST /crm/leads/{id}/convert`.",
            )
            .answers::<LeadBody>(200, "The updated lead.", examples::LEAD)
            .refuses(&[Code::InvalidTransition]),
        Endpoint::delete(ONE, Scope::Leads, plain(delete))
            .summary("Delete a lead")
            .describes("Deletes a lead; a deal created from it is kept.")
            .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED),
        Endpoint::post(CONVERT, Scope::Leads, body(forms::CONVERT, convert))
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
            .refuses(&[Code::InvalidTransition]),
    ]
}

async fn list(call: Call, query: LeadQuery) -> Result<Answer, ApiError> {
    let asked = query.page.clone();
    let page = answered(call.services().leads.list(call.account, query)).await?;
    Answer::page::<LeadBody>(page, &asked)
}

async fn create(call: Call, command: NewLead) -> Result<Answer, ApiError> {
    let done = written(call.services().leads.create(call.ctx()?, command)).await?;
    Answer::created::<LeadBody>(done)
}

async fn show(call: Call) -> Result<Answer, ApiError> {
    let id = call.id(LeadId::parse)?;
    let lead = found(call.services().leads.get(call.account, id)).await?;
    Answer::shown::<LeadBody>(&call, lead)
}

async fn update(call: Call, changes: LeadChanges) -> Result<Answer, ApiError> {
    let id = call.id(LeadId::parse)?;
    let command = UpdateLead { id, version: call.expected_version(), changes };
    let done = written(call.services().leads.update(call.ctx()?, command)).await?;
    Answer::changed::<LeadBody>(done)
}

async fn delete(call: Call) -> Result<Answer, ApiError> {
    let id = call.id(LeadId::parse)?;
    let version = call.expected_version();
    let done = written(call.services().leads.delete(call.ctx()?, id, version)).await?;
    Answer::deleted(&done)
}

async fn convert(call: Call, deal: forms::WantedDeal) -> Result<Answer, ApiError> {
    let id = call.id(LeadId::parse)?;
    let forms::WantedDeal { customer, title, value, currency } = deal;
    let command = ConvertLead { id, customer, title, value, currency };
    let done = written(call.services().leads.convert(call.ctx()?, command)).await?;
    Answer::acted::<ConversionBody, _>(done)
}
