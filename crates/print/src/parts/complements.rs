//! What documents of some trades state beside their items.

use cfdi::{
    complements::{Complements, Donation, Electoral, Entity, Legend},
    document::day,
};

use crate::{
    block::Block,
    parts::{FULL, Field, fields, heading},
    text::{Align, Style, facts, paragraph},
};

const NAME_WIDTH: f32 = 110.0;

/// The parts of the complements that a document has.
pub(crate) fn complements(complements: &Complements) -> Vec<Block> {
    let legends = &complements.legends;
    let parts = [
        (!legends.is_empty()).then(|| self::legends(legends)),
        complements.donation.as_ref().map(donation),
        complements.electoral.as_ref().map(electoral),
    ];
    parts.into_iter().flatten().map(|part| part.then(Block::space(8.0))).collect()
}

fn legends(legends: &[Legend]) -> Block {
    let line = |legend: &Legend| {
        let source = [legend.law.clone(), legend.rule.clone()];
        let source = facts(&source.into_iter().flatten().collect::<Vec<_>>());
        let text = if source.is_empty() {
            legend.text.clone()
        } else {
            format!("{source}: {}", legend.text)
        };
        paragraph(&text, FULL, Style::TEXT, Align::Left)
    };
    heading("LEYENDAS FISCALES", FULL).then(legends.iter().map(line).collect())
}

fn donation(donation: &Donation) -> Block {
    let list = [
        ("Núm. de autorización", donation.authorization_number.clone()),
        ("Fecha de autorización", day::to_text(donation.authorized_on)),
        ("Leyenda", donation.legend.clone()),
    ];
    heading("DONATIVO", FULL).then(fields(&list, FULL, NAME_WIDTH))
}

fn electoral(electoral: &Electoral) -> Block {
    let mut list: Vec<Field> = vec![("Tipo de proceso", electoral.process.spanish().to_owned())];
    list.extend(electoral.committee.map(|one| ("Tipo de comité", one.spanish().to_owned())));
    list.extend(electoral.accounting_id.map(|id| ("Id. de contabilidad", id.to_string())));
    list.extend(electoral.entities.iter().map(|entity| ("Entidad", self::entity(entity))));
    heading("COMPLEMENTO INE", FULL).then(fields(&list, FULL, NAME_WIDTH))
}

fn entity(entity: &Entity) -> String {
    let scope = entity.scope.map(|scope| format!("ámbito {}", scope.spanish().to_lowercase()));
    let ids: Vec<_> = entity.accounting_ids.iter().map(u32::to_string).collect();
    let ids = (!ids.is_empty()).then(|| format!("contabilidad {}", ids.join(", ")));
    let parts = [Some(entity.code.clone()), scope, ids];
    facts(&parts.into_iter().flatten().collect::<Vec<_>>())
}
