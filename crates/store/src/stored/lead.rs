//! Leads and what they become.

use crm::{Conversion, Customer, CustomerId, Deal, DealId, Lead, LeadId, LeadStatus};
use kernel::{Amount, Currency, Metadata, Timestamp};
use serde::{Deserialize, Serialize};

use super::{customer::CustomerForm, deal::DealForm, forms::forms};

forms!(LeadForm of Lead, ConversionForm of Conversion);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Lead")]
pub(super) struct LeadForm {
    id: LeadId,
    external_id: Option<String>,
    name: String,
    email: Option<String>,
    phone: Option<String>,
    company: Option<String>,
    source: Option<String>,
    #[serde(with = "LeadStatusForm")]
    status: LeadStatus,
    estimated_value: Option<Amount>,
    currency: Currency,
    owner: Option<String>,
    notes: Option<String>,
    tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    metadata: Metadata,
    deal: Option<DealId>,
    customer: Option<CustomerId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    merged_into: Option<LeadId>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LeadStatus", rename_all = "lowercase")]
enum LeadStatusForm {
    New,
    Contacted,
    Qualified,
    Converted,
    Lost,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Conversion")]
pub(super) struct ConversionForm {
    #[serde(with = "LeadForm")]
    lead: Lead,
    #[serde(with = "CustomerForm")]
    customer: Customer,
    #[serde(with = "DealForm")]
    deal: Deal,
}
