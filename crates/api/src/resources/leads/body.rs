//! How the API shows a lead and the outcome of a conversion.

use std::fmt::Display;

use crm::{Conversion, CustomerId, DealId, Duplicate, Lead, LeadId, LeadStatus, Likeness};
use kernel::{Amount, Currency, Metadata, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{customers::CustomerBody, deals::DealBody, shapes},
};

/// A lead.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Lead)]
pub(super) struct LeadBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "lead_01KG8W7V0B4D6F8H1J3K5M7N9P")]
    id: LeadId,
    /// Your own identifier of the resource, unique among those of its kind.
    #[schema(max_length = 100)]
    external_id: Option<String>,
    /// Name of the person or company.
    name: String,
    /// Email address.
    email: Option<String>,
    /// Phone number in E.164 format, with the leading `+`.
    phone: Option<String>,
    /// Company that the lead works for.
    company: Option<String>,
    /// Source of the lead, e.g. `web`.
    source: Option<String>,
    /// Status of the lead; defaults to `new`.
    #[schema(value_type = shapes::LeadStatus)]
    status: LeadStatus,
    /// Estimated value, with at most 6 decimal places.
    #[schema(value_type = Option<shapes::Amount>)]
    estimated_value: Option<Amount>,
    /// Currency of the estimated value; defaults to MXN.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Owner of the lead, by your own identifier of that person.
    owner_id: Option<String>,
    /// Free-text notes.
    notes: Option<String>,
    /// Tags, at most 50, each once.
    tags: Vec<String>,
    /// Arbitrary key-value pairs of your own.
    #[schema(value_type = shapes::Metadata)]
    metadata: Metadata,
    /// Deal created by the conversion.
    #[schema(value_type = Option<String>, example = "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7")]
    deal_id: Option<DealId>,
    /// Customer linked by the conversion.
    #[schema(value_type = Option<String>, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    customer_id: Option<CustomerId>,
    /// Lead that this one has become part of.
    #[schema(value_type = Option<String>, example = "lead_01KG8W7V0B4D6F8H1J3K5M7N9Q")]
    merged_into: Option<LeadId>,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// A lead that may be the same as another.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LeadDuplicate)]
pub(super) struct DuplicateBody {
    /// The other lead.
    lead: LeadBody,
    /// By what it looks the same.
    #[schema(value_type = Vec<shapes::Likeness>)]
    matched_by: Vec<&'static str>,
}

impl Resource for DuplicateBody {
    type Thing = Duplicate;

    const PATH: &'static str = LeadBody::PATH;

    fn id(&self) -> impl Display {
        self.lead.id
    }

    fn etag(&self) -> ETag {
        self.lead.etag()
    }
}

impl From<Duplicate> for DuplicateBody {
    fn from(Duplicate { lead, by }: Duplicate) -> Self {
        Self { lead: lead.into(), matched_by: by.into_iter().map(Likeness::name).collect() }
    }
}

/// A converted lead with its deal and customer.
#[derive(Serialize, ToSchema)]
#[schema(as = Conversion)]
pub(super) struct ConversionBody {
    /// The updated lead.
    lead: LeadBody,
    /// The customer, either an existing or a new one.
    customer: CustomerBody,
    /// The deal.
    deal: DealBody,
}

impl Resource for LeadBody {
    type Thing = Lead;

    const PATH: &'static str = "/crm/leads";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<Lead> for LeadBody {
    fn from(lead: Lead) -> Self {
        Self {
            id: lead.id,
            external_id: lead.external_id,
            name: lead.name,
            email: lead.email,
            phone: lead.phone,
            company: lead.company,
            source: lead.source,
            status: lead.status,
            estimated_value: lead.estimated_value,
            currency: lead.currency,
            owner_id: lead.owner,
            notes: lead.notes,
            tags: lead.tags,
            metadata: lead.metadata,
            deal_id: lead.deal,
            customer_id: lead.customer,
            merged_into: lead.merged_into,
            created_at: lead.created_at,
            updated_at: lead.updated_at,
            version: lead.version,
        }
    }
}

impl From<Conversion> for ConversionBody {
    fn from(conversion: Conversion) -> Self {
        let Conversion { lead, customer, deal } = conversion;
        Self { lead: lead.into(), customer: customer.into(), deal: deal.into() }
    }
}
