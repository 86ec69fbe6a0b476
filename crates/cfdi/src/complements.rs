//! What documents of some trades state beside their items: SAT's complements, but those of payments and of local
//! taxes, which change what a document adds up to.

mod donation;
mod electoral;
mod legend;

use serde::{Deserialize, Serialize};

pub use donation::Donation;
pub use electoral::{ACCOUNTING_ID_MAX, Committee, ENTITIES, Electoral, Entity, Process, Scope};
pub use legend::Legend;

/// The complements of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Complements {
    /// Sentences that a tax law prescribes (*Leyendas fiscales* 1.0).
    pub legends: Vec<Legend>,
    /// That it is the receipt of a donation (*Donatarias* 1.1).
    pub donation: Option<Donation>,
    /// What a party or candidate spends it on (*INE* 1.1).
    pub electoral: Option<Electoral>,
}

impl Complements {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self { legends, donation, electoral } = self;
        legends.is_empty() && donation.is_none() && electoral.is_none()
    }
}
