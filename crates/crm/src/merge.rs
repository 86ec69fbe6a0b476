//! Leads that are one and the same: finding them, and making one of them.

use kernel::{FieldFault, Refusal, Timestamp, json::METADATA_ENTRIES_MAX, message};

use crate::{
    Lead, LeadError, LeadId, LeadStatus,
    lead::{NOTES_CHARS_MAX, TAGS_MAX},
};

/// The most leads that are merged into one at a time.
pub const MERGED_MAX: usize = 20;

/// By what two leads look alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// The same email address, in whatever case.
    Email,
    /// The same phone number.
    Phone,
}

impl Likeness {
    /// Every one.
    pub const EVERY: &'static [Self] = &[Self::Email, Self::Phone];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Phone => "phone",
        }
    }
}

/// A lead that may be the same as another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The other one.
    pub lead: Lead,
    /// By what it looks so.
    pub by: Vec<Likeness>,
}

/// Leads to be merged into one.
#[derive(Clone, Debug)]
pub struct MergeLeads {
    /// The one that stays.
    pub into: LeadId,
    /// Those that become part of it, 1 to [`MERGED_MAX`].
    pub from: Vec<LeadId>,
}

/// By what two leads look alike; nothing when they do not.
#[must_use]
pub fn likeness(one: &Lead, other: &Lead) -> Vec<Likeness> {
    let email = |lead: &Lead| lead.email.as_ref().map(|email| email.to_lowercase());
    let is_same = |a: Option<String>, b: Option<String>| a.is_some() && a == b;
    let by = [
        (Likeness::Email, is_same(email(one), email(other))),
        (Likeness::Phone, is_same(one.phone.clone(), other.phone.clone())),
    ];
    by.into_iter().filter(|(_, alike)| *alike).map(|(by, _)| by).collect()
}

/// What comes of merging.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The lead that stays, with what the others knew.
    pub into: Lead,
    /// The others, which say what they have become.
    pub from: Vec<Lead>,
}

/// Makes one lead of several: empty fields are filled by the first that knows them, notes are appended, tags united. A
/// conversion of one of the others becomes the lead's own.
///
/// # Errors
/// [`Refusal`].
pub fn merge(into: &Lead, from: &[Lead], now: Timestamp) -> Result<Merged, Refusal<LeadError>> {
    let all = || std::iter::once(into).chain(from);
    if let Some((lead, into)) = all().find_map(|lead| Some((lead.id, lead.merged_into?))) {
        return Err(Refusal::Rule(LeadError::Merged { lead, into }));
    }
    let converted: Vec<LeadId> =
        all().filter(|lead| lead.status == LeadStatus::Converted).map(|lead| lead.id).collect();
    if converted.len() > 1 {
        return Err(Refusal::Rule(LeadError::SeveralConverted { leads: converted }));
    }
    let (mut after, mut others) = (into.clone(), Vec::with_capacity(from.len()));
    for lead in from {
        others.push(absorbed(&mut after, lead, now));
    }
    let faults = too_much(&after);
    if !faults.is_empty() {
        return Err(Refusal::Invalid(faults));
    }
    after.updated_at = now;
    after.version += 1;
    Ok(Merged { into: after, from: others })
}

/// Takes over what another lead knows; gives what that one becomes.
fn absorbed(into: &mut Lead, lead: &Lead, now: Timestamp) -> Lead {
    let mut rest = lead.clone();
    if into.external_id.is_none() {
        into.external_id = rest.external_id.take();
    }
    fill(&mut into.email, &lead.email);
    fill(&mut into.phone, &lead.phone);
    fill(&mut into.company, &lead.company);
    fill(&mut into.source, &lead.source);
    fill(&mut into.owner, &lead.owner);
    if into.estimated_value.is_none() && lead.estimated_value.is_some() {
        into.estimated_value = lead.estimated_value;
        into.currency = lead.currency;
    }
    into.notes = match (into.notes.take(), &lead.notes) {
        (Some(own), Some(more)) => Some(format!("{own}\n\n{more}")),
        (own, more) => own.or_else(|| more.clone()),
    };
    for tag in &lead.tags {
        if !into.tags.contains(tag) {
            into.tags.push(tag.clone());
        }
    }
    into.metadata.add_missing(&lead.metadata);
    if lead.status == LeadStatus::Converted {
        into.status = LeadStatus::Converted;
        into.deal = rest.deal.take();
        into.customer = rest.customer.take();
    }
    rest.merged_into = Some(into.id);
    rest.updated_at = now;
    rest.version += 1;
    rest
}

fn fill<T: Clone>(own: &mut Option<T>, other: &Option<T>) {
    if own.is_none() {
        own.clone_from(other);
    }
}

fn too_much(lead: &Lead) -> Vec<FieldFault> {
    let mut faults = Vec::new();
    if lead.notes.as_ref().is_some_and(|notes| notes.chars().count() > NOTES_CHARS_MAX) {
        let problem = message!(
            "have more than {NOTES_CHARS_MAX} characters of notes together; shorten them first",
            "tienen en conjunto más de {NOTES_CHARS_MAX} caracteres de notas; primero acórtelas"
        );
        faults.push(FieldFault::new("from", problem));
    }
    if lead.tags.len() > TAGS_MAX {
        let problem = message!(
            "have more than {TAGS_MAX} tags together; remove some first",
            "tienen en conjunto más de {TAGS_MAX} etiquetas; primero hay que quitar algunas"
        );
        faults.push(FieldFault::new("from", problem));
    }
    if lead.metadata.len() > METADATA_ENTRIES_MAX {
        let problem = message!(
            "have more than {METADATA_ENTRIES_MAX} entries of metadata together; remove some first",
            "tienen en conjunto más de {METADATA_ENTRIES_MAX} entradas de metadatos; primero hay que quitar algunas"
        );
        faults.push(FieldFault::new("from", problem));
    }
    faults
}

#[cfg(test)]
mod tests {
    use kernel::{Amount, Currency, Metadata};

    use super::*;
    use crate::{CustomerId, DealId, NewLead, lead};

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds)
    }

    fn lead(number: u128) -> Lead {
        let new = NewLead {
            external_id: None,
            name: format!("Lead {number}"),
            email: None,
            phone: None,
            company: None,
            source: None,
            status: LeadStatus::New,
            estimated_value: None,
            currency: Currency::MXN,
            owner: None,
            notes: None,
            tags: Vec::new(),
            metadata: Metadata::default(),
        };
        lead::create(new, LeadId::from_u128(number), at(0)).0
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn empty_fields_are_filled_and_the_rest_is_kept() {
        let own = Lead {
            email: Some("ana@example.com".to_owned()),
            notes: Some("one".to_owned()),
            tags: texts(&["a", "b"]),
            ..lead(1)
        };
        let usd = Currency::parse("USD").unwrap();
        let other = Lead {
            email: Some("rosa@example.com".to_owned()),
            phone: Some("+525512345678".to_owned()),
            external_id: Some("X".to_owned()),
            estimated_value: Some(Amount::from_micros(5)),
            currency: usd,
            notes: Some("two".to_owned()),
            tags: texts(&["b", "c"]),
            ..lead(2)
        };
        let merged = merge(&own, std::slice::from_ref(&other), at(9)).unwrap();
        let into = merged.into;
        assert_eq!((into.email, into.phone), (own.email, other.phone));
        assert_eq!((into.external_id.as_deref(), into.currency), (Some("X"), usd));
        assert_eq!(
            (into.notes.as_deref(), into.tags),
            (Some("one\n\ntwo"), texts(&["a", "b", "c"]))
        );
        assert_eq!((into.version, into.name.as_str()), (2, "Lead 1"));
        let rest = &merged.from[0];
        assert_eq!((rest.merged_into, &rest.external_id), (Some(own.id), &None));
    }

    #[test]
    fn a_conversion_goes_along_but_not_two() {
        let converted = |number| Lead {
            status: LeadStatus::Converted,
            deal: Some(DealId::from_u128(number)),
            customer: Some(CustomerId::from_u128(number)),
            ..lead(number)
        };
        let merged = merge(&lead(1), &[converted(2)], at(9)).unwrap();
        assert_eq!(merged.into.deal, Some(DealId::from_u128(2)));
        assert_eq!((merged.into.status, merged.from[0].deal), (LeadStatus::Converted, None));
        let refused = merge(&converted(3), &[converted(2)], at(9)).unwrap_err();
        let several =
            LeadError::SeveralConverted { leads: vec![LeadId::from_u128(3), LeadId::from_u128(2)] };
        assert_eq!(refused, Refusal::Rule(several));
        let again = merge(&lead(4), &[merged.from[0].clone()], at(9)).unwrap_err();
        assert!(matches!(again, Refusal::Rule(LeadError::Merged { .. })));
    }

    #[test]
    fn too_much_is_refused_rather_than_cut() {
        let long = |number| Lead { notes: Some("x".repeat(3_000)), ..lead(number) };
        let refused = merge(&long(1), &[long(2)], at(9)).unwrap_err();
        assert!(matches!(refused, Refusal::Invalid(faults) if faults[0].field == "from"));
    }

    #[test]
    fn leads_look_alike_by_email_and_phone() {
        let with = |email: Option<&str>, phone: Option<&str>| Lead {
            email: email.map(str::to_owned),
            phone: phone.map(str::to_owned),
            ..lead(1)
        };
        let both = with(Some("Ana@Example.com"), Some("+525512345678"));
        for (other, expected) in [
            (with(Some("ana@example.com"), Some("+525512345678")), vec!["email", "phone"]),
            (with(Some("ana@example.com"), None), vec!["email"]),
            (with(None, Some("+525512345678")), vec!["phone"]),
            (with(None, None), vec![]),
        ] {
            let by: Vec<_> = likeness(&both, &other).into_iter().map(Likeness::name).collect();
            assert_eq!(by, expected);
        }
        assert!(likeness(&with(None, None), &with(None, None)).is_empty());
    }
}
