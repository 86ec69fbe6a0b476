//! Leads that are the same as others: found by their index, made one in one transaction.

use std::collections::BTreeMap;

use ::crm::{
    Duplicate, Lead, LeadError, LeadFilter, LeadId, LeadQuery, MergeLeads,
    merge::{Merged, likeness, merge as merged},
};
use diesel::QueryResult;
use kernel::{
    AccountId, Ctx, FieldFault, PageRequest, Refused, message,
    page::{Count, LIMIT_MAX},
    search::Words,
};

use super::{MERGED, list, locked, save};
use crate::{
    counters,
    crm::{activities, deals},
    db::Db,
    error::Failure,
    tx::Tx,
};

/// The leads that look like one, newest first; of those that share its address or number the newest hundred are looked at.
pub(super) fn duplicates(
    db: &mut Db,
    account: AccountId,
    lead: &Lead,
) -> QueryResult<Vec<Duplicate>> {
    let mut found: BTreeMap<LeadId, Duplicate> = BTreeMap::new();
    let texts = [lead.email.as_deref(), lead.phone.as_deref()];
    for words in texts.into_iter().flatten().filter_map(|text| Words::parse(text).ok()) {
        let filter =
            LeadFilter { search: Some(words), without_merged: true, ..LeadFilter::default() };
        let page =
            PageRequest { limit: LIMIT_MAX, count: Count::Nothing, ..PageRequest::default() };
        let query = LeadQuery { filter, page, ..LeadQuery::default() };
        for other in list::page(db, account, &query)?.items {
            let by = likeness(lead, &other);
            if other.id != lead.id && other.merged_into.is_none() && !by.is_empty() {
                found.insert(other.id, Duplicate { lead: other, by });
            }
        }
    }
    Ok(found.into_values().rev().collect())
}

/// Makes one lead of several.
pub(super) fn merge(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: &MergeLeads,
) -> Result<Lead, Failure<LeadError>> {
    let account = ctx.account;
    refuse_itself(command)?;
    // In one order, so that nobody waits in a circle.
    let mut ids: Vec<LeadId> = command.from.iter().copied().chain([command.into]).collect();
    ids.sort_unstable();
    let mut known: BTreeMap<LeadId, Lead> = BTreeMap::new();
    for id in ids {
        match locked(tx, account, id, None) {
            Ok(lead) => drop(known.insert(id, lead)),
            Err(Failure::Refused(Refused::NotFound)) if id != command.into => {}
            Err(failure) => return Err(failure),
        }
    }
    let into = known.get(&command.into).cloned().ok_or(Refused::NotFound)?;
    let from = named(command, &known)?;
    let Merged { into, from } = merged(&into, &from, ctx.now)?;
    // Those that give up their externalId do so first.
    for lead in from.iter().chain([&into]) {
        save(tx, account, lead)?;
    }
    for lead in &from {
        deals::follow_lead(tx.db, ctx, (lead.id, into.id))?;
        activities::follow_lead(tx.db, ctx, lead.id, Some(into.id))?;
    }
    let many = i64::try_from(from.len()).unwrap_or(i64::MAX);
    counters::add(tx.db, account, MERGED, many)?;
    Ok(into)
}

fn refuse_itself(command: &MergeLeads) -> Result<(), Failure<LeadError>> {
    let mut faults = Vec::new();
    for (place, id) in command.from.iter().enumerate() {
        let mut fault = |problem| faults.push(FieldFault::new(format!("from[{place}]"), problem));
        if *id == command.into {
            fault(message!(
                "must be another lead than the one that stays",
                "debe ser otro prospecto y no el que se conserva"
            ));
        } else if command.from.iter().take(place).any(|other| other == id) {
            fault(message!("is there twice", "está repetido"));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Refused::Invalid(faults).into()) }
}

/// The leads that are named, in that order.
fn named(
    command: &MergeLeads,
    known: &BTreeMap<LeadId, Lead>,
) -> Result<Vec<Lead>, Failure<LeadError>> {
    let mut faults = Vec::new();
    let mut leads = Vec::with_capacity(command.from.len());
    for (place, id) in command.from.iter().enumerate() {
        match known.get(id) {
            Some(lead) => leads.push(lead.clone()),
            None => {
                let problem = message!(
                    "names no lead of this account",
                    "no corresponde a ningún prospecto de esta cuenta"
                );
                faults.push(FieldFault::new(format!("from[{place}]"), problem));
            }
        }
    }
    if faults.is_empty() { Ok(leads) } else { Err(Refused::Invalid(faults).into()) }
}
