//! What the leads' endpoints read.

use crm::{
    CustomerId, LeadChanges, LeadFilter, LeadId, LeadQuery, LeadStatus, NewLead,
    customer::NAME_CHARS_MAX,
    deal::TITLE_CHARS_MAX,
    lead::{LINE_CHARS_MAX, NOTES_CHARS_MAX, TAG_CHARS_MAX, TAGS_MAX},
    merge::MERGED_MAX,
};
use intake::{
    Check, Fields, Form,
    checks::{currency, email, flag, id, line, list, metadata, number, one_of, paragraph, phone},
    noun,
};
use kernel::{Amount, Currency, PageRequest, message, search::Words};

use super::examples;
use crate::{filters, page::page_request_of};

pub(super) const LIST: Form<LeadQuery> = Form::query(read_query);
pub(super) const CREATE: Form<NewLead> =
    Form::body("CreateLead", noun("a lead", "un prospecto"), read_lead, examples::CREATE);
pub(super) const UPDATE: Form<LeadChanges> =
    Form::body("UpdateLead", noun("a lead", "un prospecto"), read_changes, examples::UPDATE);
pub(super) const CONVERT: Form<WantedDeal> =
    Form::body("ConvertLead", noun("a conversion", "una conversión"), read_deal, examples::CONVERT)
        .or_absent();

pub(super) const DUPLICATES: Form<PageRequest> =
    Form::query(|fields| Some(page_request_of(fields, ORDER, LeadId::PREFIX)));
pub(super) const MERGE: Form<Vec<LeadId>> =
    Form::body("MergeLeads", noun("a merger", "una combinación"), read_merger, examples::MERGE);

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &["id", "dealId", "customerId", "mergedInto", "createdAt", "updatedAt"];

/// Sort order named in the cursors of duplicates.
pub(super) const ORDER: &str = "-createdAt";

/// Statuses that a new lead may have.
const FIRST_STATUSES: &[LeadStatus] =
    &[LeadStatus::New, LeadStatus::Contacted, LeadStatus::Qualified, LeadStatus::Lost];

/// The deal that a conversion opens, as far as the caller specifies it.
pub(super) struct WantedDeal {
    pub(super) customer: Option<CustomerId>,
    pub(super) title: Option<String>,
    pub(super) value: Option<Amount>,
    pub(super) currency: Option<Currency>,
}

fn read_query(fields: &mut Fields<'_>) -> Option<LeadQuery> {
    let mut filter = LeadFilter {
        ids: filters::ids(fields, noun("a lead", "un prospecto"), LeadId::PREFIX, LeadId::parse),
        search: filters::search(
            fields,
            Words::parse,
            "Words in the name, company, email address, phone number and tags. Every word must match the beginning of \
             one, in any order; accents and case are ignored.",
        ),
        external_id: filters::by_external_id(fields),
        status: fields.change("status", status().about("Filter by status.")),
        source: fields.change("source", line(LINE_CHARS_MAX).about("Filter by source.")),
        owner: fields.change("ownerId", line(LINE_CHARS_MAX).about("Filter by owner.")),
        updated_since: filters::updated_since(fields),
        metadata: filters::metadata(fields),
        without_merged: false,
    };
    let merged = flag().about(
        "Whether leads that were merged into others (`mergedInto`) are listed, too. `false` by default, but `true` with `ids` \
         and `updatedSince`: who follows changes learns that they were merged.",
    );
    let merged = fields.change("includeMerged", merged);
    let is_default = filter.ids.is_some() || filter.updated_since.is_some();
    filter.without_merged = !merged.unwrap_or(is_default);
    let (sort, name) = filters::record_sort(fields);
    Some(LeadQuery { filter, sort, page: page_request_of(fields, name, LeadId::PREFIX) })
}

fn read_lead(fields: &mut Fields<'_>) -> Option<NewLead> {
    let name = fields.required("name", line(NAME_CHARS_MAX));
    let lead = NewLead {
        external_id: fields.optional("externalId", filters::external_id()),
        name: name.unwrap_or_default(),
        email: fields.optional("email", email()),
        phone: fields.optional("phone", phone()),
        company: fields.optional("company", line(LINE_CHARS_MAX)),
        source: fields.optional("source", line(LINE_CHARS_MAX)),
        status: fields
            .optional("status", one_of(FIRST_STATUSES, LeadStatus::name))
            .unwrap_or_default(),
        estimated_value: fields.optional("estimatedValue", value()),
        currency: fields.optional("currency", currency()).unwrap_or(Currency::MXN),
        owner: fields.optional("ownerId", line(LINE_CHARS_MAX)),
        notes: fields.optional("notes", paragraph(NOTES_CHARS_MAX)),
        tags: fields.optional("tags", tags()).unwrap_or_default(),
        metadata: fields.optional("metadata", metadata()).unwrap_or_default(),
    };
    fields.read_only(READ_ONLY);
    Some(lead)
}

fn read_changes(fields: &mut Fields<'_>) -> Option<LeadChanges> {
    let changes = LeadChanges {
        external_id: fields.patch("externalId", filters::external_id()),
        name: fields.change("name", line(NAME_CHARS_MAX)),
        email: fields.patch("email", email()),
        phone: fields.patch("phone", phone()),
        company: fields.patch("company", line(LINE_CHARS_MAX)),
        source: fields.patch("source", line(LINE_CHARS_MAX)),
        status: fields.change("status", status()),
        estimated_value: fields.patch("estimatedValue", value()),
        currency: fields.change("currency", currency()),
        owner: fields.patch("ownerId", line(LINE_CHARS_MAX)),
        notes: fields.patch("notes", paragraph(NOTES_CHARS_MAX)),
        tags: fields.change("tags", tags()),
        metadata: fields.patch("metadata", metadata()).map(Option::unwrap_or_default),
    };
    fields.read_only(READ_ONLY);
    Some(changes)
}

fn read_deal(fields: &mut Fields<'_>) -> Option<WantedDeal> {
    Some(WantedDeal {
        customer: fields.optional(
            "customerId",
            id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse).about(
                "The customer to link; otherwise the one with the lead's e-mail address, otherwise \
                 a new one.",
            ),
        ),
        title: fields.optional(
            "title",
            line(TITLE_CHARS_MAX)
                .about("Title of the deal; defaults to the lead's company or name."),
        ),
        value: fields.optional(
            "value",
            value().about(
                "Value of the deal, with at most 6 decimal places; defaults to the lead's \
                 estimated value.",
            ),
        ),
        currency: fields.optional(
            "currency",
            currency().about("Currency of the value; defaults to the lead's."),
        ),
    })
}

fn read_merger(fields: &mut Fields<'_>) -> Option<Vec<LeadId>> {
    let lead = id(noun("a lead", "un prospecto"), LeadId::PREFIX, LeadId::parse);
    let about = "Leads that become part of this one; the first that knows a field fills it.";
    fields.required("from", list(1..=MERGED_MAX, lead).about(about))
}

fn status() -> impl Check<Value = LeadStatus> {
    one_of(LeadStatus::EVERY, LeadStatus::name)
}

fn tags() -> impl Check<Value = Vec<String>> {
    list(0..=TAGS_MAX, line(TAG_CHARS_MAX))
}

/// The value of a deal, which cannot be negative.
fn value() -> impl Check<Value = Amount> {
    number(Some(0), |value| {
        if value.is_negative() {
            Err(message!("must not be negative", "no debe ser negativo"))
        } else {
            Ok(value)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert!(CREATE.read_body(examples::CREATE.as_bytes()).is_ok());
        assert!(CREATE.read_body(examples::LEAD.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::LEAD.as_bytes()).is_ok());
        assert!(CONVERT.read_body(examples::CONVERT.as_bytes()).is_ok());
        assert!(CONVERT.read_body(b"").is_ok());
    }
}
