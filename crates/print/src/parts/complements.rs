//! What documents of some trades state beside their items.

mod address;
mod carta_porte;
mod foreign_trade;

use cfdi::{
    complements::{Complements, Donation, Electoral, Entity, Legend},
    document::day,
    stamp::Stamp,
};
use kernel::Language;

use crate::{
    block::Block,
    parts::{FULL, Field, fields, heading, stated},
    text::{Align, Style, facts, paragraph},
    texts,
};

const NAME_WIDTH: f32 = 110.0;

/// The parts of the complements that a document has.
pub(crate) fn complements(
    complements: &Complements,
    stamp: Option<&Stamp>,
    language: Language,
) -> Vec<Block> {
    let legends = &complements.legends;
    let parts = [
        (!legends.is_empty()).then(|| self::legends(legends, language)),
        complements.donation.as_ref().map(|donation| self::donation(donation, language)),
        complements.electoral.as_ref().map(|electoral| self::electoral(electoral, language)),
    ];
    let own = parts.into_iter().flatten().map(|part| part.then(Block::space(8.0)));
    let trade = complements.foreign_trade.iter().map(|it| foreign_trade::parts(it, language));
    let carta = complements.carta_porte.iter().map(|it| carta_porte::parts(it, stamp, language));
    let more = trade.chain(carta).flat_map(|mut parts| {
        parts.push(Block::space(8.0));
        parts
    });
    own.chain(more).collect()
}

/// A label and what it says.
type Line = Field;

/// Lines below each other.
fn block(lines: &[Line], language: Language) -> Block {
    fields(lines, FULL, NAME_WIDTH, language)
}

fn legends(legends: &[Legend], language: Language) -> Block {
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
    heading(texts::FISCAL_LEGENDS.text(language), FULL).then(legends.iter().map(line).collect())
}

fn donation(donation: &Donation, language: Language) -> Block {
    let list = [
        (texts::AUTHORIZATION, donation.authorization_number.clone()),
        (texts::AUTHORIZED_ON, day::to_text(donation.authorized_on)),
        (texts::DONATION_LEGEND, donation.legend.clone()),
    ];
    heading(texts::DONATION.text(language), FULL).then(fields(&list, FULL, NAME_WIDTH, language))
}

fn electoral(electoral: &Electoral, language: Language) -> Block {
    let mut list: Vec<Field> =
        vec![(texts::ELECTORAL_PROCESS, electoral.process.spanish().to_owned())];
    list.extend(
        electoral.committee.map(|one| (texts::ELECTORAL_COMMITTEE, one.spanish().to_owned())),
    );
    list.extend(electoral.accounting_id.map(|id| (texts::ACCOUNTING_ID, id.to_string())));
    list.extend(
        electoral
            .entities
            .iter()
            .map(|entity| (texts::ELECTORAL_ENTITY, self::entity(entity, language))),
    );
    heading(texts::ELECTORAL.text(language), FULL).then(fields(&list, FULL, NAME_WIDTH, language))
}

fn entity(entity: &Entity, language: Language) -> String {
    let scope = entity.scope.map(|scope| scope.spanish().to_lowercase());
    let scope = scope.map(|scope| texts::ELECTORAL_SCOPE.with(language, &[&scope]));
    let ids: Vec<_> = entity.accounting_ids.iter().map(u32::to_string).collect();
    let ids = (!ids.is_empty()).then(|| texts::ACCOUNTING_IDS.with(language, &[&ids.join(", ")]));
    let parts = [Some(entity.code.clone()), scope, ids];
    facts(&parts.into_iter().flatten().collect::<Vec<_>>())
}
