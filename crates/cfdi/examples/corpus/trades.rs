//! What documents of some trades state beside their items.

use cfdi::complements::{
    Committee, Complements, Donation, ENTITIES, Electoral, Entity, Legend, Process, Scope,
};
use time::macros::date;

use crate::{rng::Rng, words};

/// The complements of a document; most have none.
pub(crate) fn complements(rng: &mut Rng) -> Complements {
    Complements {
        legends: if rng.chance(6) { legends(rng) } else { Vec::new() },
        donation: rng.sometimes(3, donation),
        electoral: rng.sometimes(3, electoral),
        foreign_trade: None,
        // Only some types of documents have it: see the module `journeys`.
        carta_porte: None,
    }
}

fn legends(rng: &mut Rng) -> Vec<Legend> {
    let count = rng.between(1, 3);
    let legend = |rng: &mut Rng| Legend {
        law: rng.sometimes(60, |rng| rng.pick(&["ISR", "IVA", "RMF"]).to_owned()),
        rule: rng.sometimes(50, |rng| rng.text("0123456789.-", 6)),
        text: words::description(rng),
    };
    (0..count).map(|_| legend(rng)).collect()
}

fn donation(rng: &mut Rng) -> Donation {
    Donation {
        authorization_number: format!("600-04-{}", rng.between(1_000, 9_999)),
        authorized_on: date!(2019 - 01 - 31),
        legend: words::description(rng),
    }
}

fn electoral(rng: &mut Rng) -> Electoral {
    let process = rng.pick(Process::EVERY);
    let is_ordinary = process == Process::Ordinary;
    let committee = is_ordinary.then(|| rng.pick(Committee::EVERY));
    let is_national = committee == Some(Committee::NationalExecutive);
    let count = if is_national { 0 } else { rng.between(1, 4) };
    Electoral {
        process,
        committee,
        accounting_id: if is_national { rng.sometimes(50, accounting_id) } else { None },
        entities: (0..count).map(|place| entity(rng, place, is_ordinary)).collect(),
    }
}

/// Another one for each place in the list.
fn entity(rng: &mut Rng, place: i64, is_ordinary: bool) -> Entity {
    let codes = ENTITIES.iter().skip(usize::try_from(place).unwrap_or_default()).step_by(4);
    let codes: Vec<&str> = codes.copied().collect();
    let accounts = rng.between(0, 3);
    Entity {
        code: rng.pick(&codes).to_owned(),
        scope: (!is_ordinary).then(|| rng.pick(Scope::EVERY)),
        accounting_ids: (0..accounts).map(|_| accounting_id(rng)).collect(),
    }
}

fn accounting_id(rng: &mut Rng) -> u32 {
    u32::try_from(rng.between(0, 999_999)).unwrap_or_default()
}
