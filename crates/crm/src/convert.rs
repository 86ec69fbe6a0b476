//! Turning a lead into a customer and a deal.

use kernel::{Amount, Currency, Metadata, NewEvent, Timestamp};

use crate::{
    Customer, CustomerId, Deal, DealId, DealPlace, Lead, LeadError, LeadId, LeadStatus,
    NewCustomer, NewDeal, customer, deal, events,
};

/// A lead to be converted.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ConvertLead {
    pub id: LeadId,
    /// Customer to link; if absent, the one with the lead's email address, otherwise a new one.
    pub customer: Option<CustomerId>,
    /// Defaults to the lead's company or name.
    pub title: Option<String>,
    /// Defaults to the lead's estimated value.
    pub value: Option<Amount>,
    /// Currency of the value.
    pub currency: Option<Currency>,
}

/// A converted lead with what it became.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Conversion {
    pub lead: Lead,
    /// An existing or a new customer.
    pub customer: Customer,
    pub deal: Deal,
}

/// What comes of converting: all of it is recorded together, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Converted {
    /// The lead with its customer and deal.
    pub conversion: Conversion,
    /// Whether the customer is new.
    pub customer_is_new: bool,
    pub events: Vec<NewEvent>,
}

/// Converts a lead that has not been converted yet. `known` is the customer to link, if there is one;
/// otherwise one is made of the lead under `new_customer`. The deal is opened at `place`.
///
/// # Errors
/// [`LeadError::InvalidTransition`] for a lost lead, which must be taken up again first; [`LeadError::Merged`] for one that is
/// part of another.
pub fn convert(
    lead: &Lead,
    command: &ConvertLead,
    known: Option<Customer>,
    (new_customer, deal): (CustomerId, DealId),
    place: DealPlace,
    now: Timestamp,
) -> Result<Converted, LeadError> {
    if let Some(into) = lead.merged_into {
        return Err(LeadError::Merged { lead: lead.id, into });
    }
    if matches!(lead.status, LeadStatus::Lost | LeadStatus::Converted) {
        return Err(LeadError::InvalidTransition { from: lead.status, to: LeadStatus::Converted });
    }
    let customer_is_new = known.is_none();
    let (customer, contact_created) = match known {
        Some(customer) => (customer, None),
        None => {
            let (customer, event) = customer::create(as_customer(lead), new_customer, now);
            (customer, Some(event))
        }
    };
    let title =
        command.title.clone().or_else(|| lead.company.clone()).unwrap_or_else(|| lead.name.clone());
    let opened = NewDeal {
        title,
        value: command.value.or(lead.estimated_value).unwrap_or(Amount::ZERO),
        currency: command.currency.unwrap_or(lead.currency),
        pipeline: None,
        stage: None,
        customer: Some(customer.id),
        lead: Some(lead.id),
        owner: lead.owner.clone(),
        expected_close: None,
    };
    let deal = deal::create(opened, deal, place, now);
    let mut after = lead.clone();
    after.status = LeadStatus::Converted;
    after.customer = Some(customer.id);
    after.deal = Some(deal.id);
    after.updated_at = now;
    after.version += 1;
    let events =
        contact_created.into_iter().chain([events::lead_converted(lead.id, deal.id)]).collect();
    Ok(Converted {
        conversion: Conversion { lead: after, customer, deal },
        customer_is_new,
        events,
    })
}

fn as_customer(lead: &Lead) -> NewCustomer {
    NewCustomer {
        external_id: None,
        name: lead.name.clone(),
        email: lead.email.clone(),
        phone: lead.phone.clone(),
        rfc: None,
        legal_name: None,
        tax_regime: None,
        tax_zip: None,
        cfdi_use: None,
        tax_residence: None,
        foreign_tax_id: None,
        group: None,
        addresses: Vec::new(),
        metadata: Metadata::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NewLead, PipelineId, Rank, StageId, lead};

    fn lead(status: LeadStatus) -> Lead {
        let command = NewLead {
            external_id: None,
            name: "Ana".to_owned(),
            email: Some("ana@example.com".to_owned()),
            phone: None,
            company: Some("Flores SA".to_owned()),
            source: Some("web".to_owned()),
            status,
            estimated_value: Some(Amount::from_micros(5_000_000)),
            currency: Currency::MXN,
            owner: None,
            notes: None,
            tags: Vec::new(),
            metadata: Metadata::default(),
        };
        lead::create(command, LeadId::from_u128(1), Timestamp::from_micros(0)).0
    }

    fn converted(lead: &Lead, known: Option<Customer>) -> Result<Converted, LeadError> {
        let place = DealPlace {
            pipeline: PipelineId::from_u128(4),
            stage: StageId::from_u128(5),
            rank: Rank::parse("a0").unwrap(),
        };
        let command =
            ConvertLead { id: lead.id, customer: None, title: None, value: None, currency: None };
        convert(
            lead,
            &command,
            known,
            (CustomerId::from_u128(2), DealId::from_u128(3)),
            place,
            Timestamp::from_micros(1),
        )
    }

    #[test]
    fn a_new_customer_is_told_before_the_conversion() {
        let done = converted(&lead(LeadStatus::Qualified), None).unwrap();
        let names: Vec<_> = done.events.iter().map(|event| event.name).collect();
        assert_eq!(names, ["contact.created", "lead.converted"]);
        assert_eq!(done.conversion.deal.title, "Flores SA");
        assert_eq!(done.conversion.deal.value.to_string(), "5");
        assert_eq!(done.conversion.lead.deal, Some(done.conversion.deal.id));
    }

    #[test]
    fn a_known_customer_is_linked() {
        let known = converted(&lead(LeadStatus::New), None).unwrap().conversion.customer;
        let done = converted(&lead(LeadStatus::New), Some(known.clone())).unwrap();
        assert_eq!((done.customer_is_new, done.conversion.deal.customer), (false, Some(known.id)));
        assert_eq!(done.events.len(), 1);
    }

    #[test]
    fn a_lost_lead_is_not_converted() {
        assert!(converted(&lead(LeadStatus::Lost), None).is_err());
    }
}
