//! What documents of some trades state beside their items: SAT's complements, but those of payments and of local
//! taxes, which change what a document adds up to.

mod address;
pub mod carta_porte;
mod donation;
mod electoral;
pub mod foreign_trade;
mod legend;

use serde::{Deserialize, Serialize};

pub use address::Address;
pub use carta_porte::CartaPorte;
pub use donation::Donation;
pub use electoral::{ACCOUNTING_ID_MAX, Committee, ENTITIES, Electoral, Entity, Process, Scope};
pub use foreign_trade::{
    CertificateOfOrigin, ForeignTrade, GoodsDetails, Owner, Recipient, TradeIssuer, TradeReceiver,
    TradedGoods,
};
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
    /// The goods that leave the country for good (*Comercio Exterior* 2.0).
    pub foreign_trade: Option<Box<ForeignTrade>>,
    /// The goods that are transported by road (*Carta Porte* 3.1).
    pub carta_porte: Option<Box<CartaPorte>>,
}

impl Complements {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self { legends, donation, electoral, foreign_trade, carta_porte } = self;
        let is_one = donation.is_some() || electoral.is_some();
        legends.is_empty() && !is_one && foreign_trade.is_none() && carta_porte.is_none()
    }
}
