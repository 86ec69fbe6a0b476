//! How the API shows a lead, a deal, and what a lead became.

use std::fmt::Display;

use crm::{Conversion, CustomerId, Deal, DealId, DealStatus, Lead, LeadId, LeadStatus};
use kernel::{Amount, Currency, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{customers::CustomerBody, shapes},
};

/// A lead.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Lead)]
pub(super) struct LeadBody {
    /// Its identifier.
    #[schema(value_type = String, example = "lead_01KG8W7V0B4D6F8H1J3K5M7N9P")]
    id: LeadId,
    /// Who it is.
    name: String,
    /// Its e-mail address.
    email: Option<String>,
    /// Its telephone number in international form, with the plus sign.
    phone: Option<String>,
    /// For whom it works.
    company: Option<String>,
    /// Where it came from, e.g. `web`.
    source: Option<String>,
    /// Where it stands; `new` unless given.
    #[schema(value_type = shapes::LeadStatus)]
    status: LeadStatus,
    /// What it may bring, with at most 6 decimals.
    #[schema(value_type = Option<shapes::Amount>)]
    estimated_value: Option<Amount>,
    /// The currency of that; MXN unless given.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Who looks after it: your own identifier of a person.
    owner_id: Option<String>,
    /// Notes for people.
    notes: Option<String>,
    /// Words to find it by, at most 50.
    tags: Vec<String>,
    /// The deal that it became.
    #[schema(value_type = Option<String>, example = "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7")]
    deal_id: Option<DealId>,
    /// The customer that it became.
    #[schema(value_type = Option<String>, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    customer_id: Option<CustomerId>,
    /// When it was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// A deal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Deal)]
struct DealBody {
    /// Its identifier.
    #[schema(value_type = String, example = "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7")]
    id: DealId,
    /// What it is about; the lead's company or name unless given.
    title: String,
    /// What it may bring; the lead's estimate unless given.
    #[schema(value_type = shapes::Amount)]
    value: Amount,
    /// The currency of that; the lead's unless given.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Where it stands.
    #[schema(value_type = shapes::DealStatus)]
    status: DealStatus,
    /// With whom.
    #[schema(value_type = String, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    customer_id: CustomerId,
    /// The lead that it came from.
    #[schema(value_type = String, example = "lead_01KG8W7V0B4D6F8H1J3K5M7N9P")]
    lead_id: LeadId,
    /// Who looks after it.
    owner_id: Option<String>,
    /// When it was opened.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
}

/// A converted lead with what it became.
#[derive(Serialize, ToSchema)]
#[schema(as = Conversion)]
pub(super) struct ConversionBody {
    /// The lead afterwards.
    lead: LeadBody,
    /// The customer, found or made.
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
            deal_id: lead.deal,
            customer_id: lead.customer,
            created_at: lead.created_at,
            updated_at: lead.updated_at,
            version: lead.version,
        }
    }
}

impl From<Deal> for DealBody {
    fn from(deal: Deal) -> Self {
        Self {
            id: deal.id,
            title: deal.title,
            value: deal.value,
            currency: deal.currency,
            status: deal.status,
            customer_id: deal.customer,
            lead_id: deal.lead,
            owner_id: deal.owner,
            created_at: deal.created_at,
            updated_at: deal.updated_at,
        }
    }
}

impl From<Conversion> for ConversionBody {
    fn from(conversion: Conversion) -> Self {
        let Conversion { lead, customer, deal } = conversion;
        Self { lead: lead.into(), customer: customer.into(), deal: deal.into() }
    }
}
