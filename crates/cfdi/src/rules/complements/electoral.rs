//! The expenses of parties and candidates (matrix of errors of the complement INE 1.1).

use std::collections::HashSet;

use crate::{
    complements::{ACCOUNTING_ID_MAX, Committee, ENTITIES, Electoral, Entity, Process},
    rules::finding::{At, Findings, Shown},
};

pub(super) fn check(electoral: &Electoral, at: &At<'_>, found: &mut Findings) {
    match electoral.process {
        Process::Ordinary => ordinary(electoral, at, found),
        Process::Precampaign | Process::Campaign => campaign(electoral, at, found),
    }
    accounting_id(electoral.accounting_id, &at.field("accountingId"), found);
    entities(&electoral.entities, &at.field("entities"), found);
}

/// A committee spends (INE180), a national one without states (INE184), the executive one of a state with states, the
/// accounts there (INE185) and no scope (INE186).
fn ordinary(electoral: &Electoral, at: &At<'_>, found: &mut Findings) {
    let entities = at.field("entities");
    match electoral.committee {
        None => found.add(
            "INE180",
            &at.field("committee"),
            format_args!("is missing: an ordinary process names the committee that spends"),
            format_args!("falta: en un proceso ordinario se indica el comité que realiza el gasto"),
        ),
        Some(Committee::NationalExecutive) if !electoral.entities.is_empty() => found.add(
            "INE184",
            &entities,
            format_args!("must be empty: a national executive committee spends in no single state"),
            format_args!("debe estar vacío: el Comité Ejecutivo Nacional no registra entidades"),
        ),
        Some(Committee::StateExecutive) => state_executive(electoral, at, found),
        Some(Committee::NationalExecutive | Committee::StateDirective) => {}
    }
}

fn state_executive(electoral: &Electoral, at: &At<'_>, found: &mut Findings) {
    let entities = at.field("entities");
    if electoral.accounting_id.is_some() {
        found.add(
            "INE185",
            &at.field("accountingId"),
            format_args!("must be omitted: give it in accountingIds of the entity"),
            format_args!("debe omitirse: indicarlo en accountingIds de la entidad"),
        );
    }
    if electoral.entities.is_empty() {
        found.add(
            "INE186",
            &entities,
            format_args!("is empty: name the state whose committee spends"),
            format_args!("está vacío: indicar la entidad del comité que realiza el gasto"),
        );
    }
    let scoped = electoral.entities.iter().enumerate().filter(|(_, entity)| entity.scope.is_some());
    for (index, _) in scoped {
        found.add(
            "INE186",
            &entities.index(index).field("scope"),
            format_args!("must be omitted: only campaigns and precampaigns have a scope"),
            format_args!("debe omitirse: solo las campañas y precampañas llevan ámbito"),
        );
    }
}

/// With a scope in one state at least (INE181), and of no committee (INE182) or accounts of one (INE183).
fn campaign(electoral: &Electoral, at: &At<'_>, found: &mut Findings) {
    let entities = at.field("entities");
    if electoral.entities.is_empty() {
        found.add(
            "INE181",
            &entities,
            format_args!("is empty: name the states or districts of the campaign"),
            format_args!("está vacío: indicar las entidades o circunscripciones de la campaña"),
        );
    } else if electoral.entities.iter().all(|entity| entity.scope.is_none()) {
        found.add(
            "INE181",
            &entities.index(0).field("scope"),
            format_args!("is missing: set local or federal on one entity at least"),
            format_args!("falta: indicar local o federal en al menos una entidad"),
        );
    }
    if electoral.committee.is_some() {
        found.add(
            "INE182",
            &at.field("committee"),
            format_args!("must be omitted: only an ordinary process has a committee"),
            format_args!("debe omitirse: solo el proceso ordinario lleva comité"),
        );
    }
    if electoral.accounting_id.is_some() {
        found.add(
            "INE183",
            &at.field("accountingId"),
            format_args!("must be omitted: give it in accountingIds of the entity"),
            format_args!("debe omitirse: indicarlo en accountingIds de la entidad"),
        );
    }
}

/// In the list of the schema (301), no pair of code and scope twice (INE187).
fn entities(entities: &[Entity], at: &At<'_>, found: &mut Findings) {
    let mut seen = HashSet::new();
    for (index, entity) in entities.iter().enumerate() {
        let at = at.index(index);
        let code = Shown(&entity.code);
        if !ENTITIES.contains(&entity.code.as_str()) {
            found.add(
                "301",
                &at.field("code"),
                format_args!("is {code}, which is not one of INE's: choose a state (DIF is Mexico City), CR1 to CR5 or NAC"),
                format_args!("es {code}, que no está en el catálogo del INE: elegir una entidad (DIF es la Ciudad de México), CR1 a CR5 o NAC"),
            );
        }
        if !seen.insert((&entity.code, entity.scope.map(|scope| scope.name()))) {
            found.add(
                "INE187",
                &at,
                format_args!(
                    "repeats {code} with the same scope: give all its accountingIds at once"
                ),
                format_args!(
                    "repite {code} con el mismo ámbito: reunir ahí todos sus accountingIds"
                ),
            );
        }
        for (position, id) in entity.accounting_ids.iter().enumerate() {
            accounting_id(Some(*id), &at.field("accountingIds").index(position), found);
        }
    }
}

/// Of six digits at most (301).
fn accounting_id(id: Option<u32>, at: &At<'_>, found: &mut Findings) {
    if let Some(id) = id.filter(|id| *id > ACCOUNTING_ID_MAX) {
        found.add(
            "301",
            at,
            format_args!("is {id}, but has 6 digits at most"),
            format_args!("es {id}, pero tiene 6 dígitos como máximo"),
        );
    }
}
