//! What customers and leads tell subscribers, with exactly the payload fields of the event catalog.

use kernel::{Amount, NewEvent};
use serde::Serialize;

use crate::{Customer, CustomerId, Deal, DealId, Lead, LeadId};

/// `contact.created`; the e-mail address is empty when none is known.
#[must_use]
pub fn contact_created(customer: &Customer) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        id: CustomerId,
        email: &'a str,
    }
    let data = Data { id: customer.id, email: customer.email.as_deref().unwrap_or_default() };
    NewEvent::new("contact.created", customer.id, &data)
}

/// `contact.tax_data_submitted`; RFC and e-mail address are empty when none is known.
#[must_use]
pub fn tax_data_submitted(customer: &Customer) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        id: CustomerId,
        rfc: &'a str,
        email: &'a str,
    }
    let data = Data {
        id: customer.id,
        rfc: customer.rfc.as_deref().unwrap_or_default(),
        email: customer.email.as_deref().unwrap_or_default(),
    };
    NewEvent::new("contact.tax_data_submitted", customer.id, &data)
}

/// `lead.created`; e-mail address and source are empty when none is known.
#[must_use]
pub fn lead_created(lead: &Lead) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        id: LeadId,
        email: &'a str,
        source: &'a str,
    }
    let data = Data {
        id: lead.id,
        email: lead.email.as_deref().unwrap_or_default(),
        source: lead.source.as_deref().unwrap_or_default(),
    };
    NewEvent::new("lead.created", lead.id, &data)
}

/// `lead.converted`.
#[must_use]
pub fn lead_converted(lead: LeadId, deal: DealId) -> NewEvent {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Data {
        lead_id: LeadId,
        deal_id: DealId,
    }
    NewEvent::new("lead.converted", lead, &Data { lead_id: lead, deal_id: deal })
}

/// `deal.won`.
#[must_use]
pub fn deal_won(deal: &Deal) -> NewEvent {
    #[derive(Serialize)]
    struct Data {
        id: DealId,
        value: Amount,
    }
    NewEvent::new("deal.won", deal.id, &Data { id: deal.id, value: deal.value })
}

/// `deal.lost`.
#[must_use]
pub fn deal_lost(deal: &Deal) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        id: DealId,
        reason: &'a str,
    }
    let reason = deal.lost_reason.as_deref().unwrap_or_default();
    NewEvent::new("deal.lost", deal.id, &Data { id: deal.id, reason })
}
