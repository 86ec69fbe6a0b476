//! How the API shows what documents of some trades state beside their items.

mod address;
mod carta_porte;
mod foreign_trade;

use cfdi::{
    complements::{Committee, Complements, Donation, Electoral, Entity, Legend, Process, Scope},
    document::day,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::shapes;
use carta_porte::CartaPorteBody;
use foreign_trade::ForeignTradeBody;

/// Complements of an invoice beside those of payments and local taxes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Complements)]
pub(super) struct ComplementsBody {
    /// Sentences that a tax law prescribes (complement Leyendas fiscales).
    legends: Vec<LegendBody>,
    /// That it is the receipt of a deductible donation (complement Donatarias).
    donation: Option<DonationBody>,
    /// What a political party or candidate spends it on (complement INE).
    electoral: Option<ElectoralBody>,
    /// Goods that leave the country for good (complement Comercio Exterior).
    foreign_trade: Option<ForeignTradeBody>,
    /// Goods that are transported by road (complement Carta Porte).
    carta_porte: Option<CartaPorteBody>,
}

/// A sentence that a tax law prescribes.
#[derive(Serialize, ToSchema)]
#[schema(as = Legend)]
struct LegendBody {
    /// Law or resolution, in capitals without punctuation.
    #[schema(example = "ISR")]
    law: Option<String>,
    /// Number of its article or rule.
    #[schema(example = "27")]
    rule: Option<String>,
    /// The sentence.
    text: String,
}

/// Authorization to receive deductible donations.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Donation)]
struct DonationBody {
    /// Number of SAT's letter that grants or renews it.
    #[schema(example = "600-04-2019-1234")]
    authorization_number: String,
    /// Date of that letter.
    #[schema(value_type = shapes::Day)]
    authorized_on: String,
    /// The sentence that says that it is a donation.
    legend: String,
}

/// Expense of a political party, candidate or aspirant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ElectoralExpense)]
struct ElectoralBody {
    /// Process it belongs to.
    #[schema(value_type = shapes::ElectoralProcess)]
    process: Process,
    /// Committee that spends it, of an ordinary process.
    #[schema(value_type = Option<shapes::PartyCommittee>)]
    committee: Option<Committee>,
    /// Accounting key of a national executive committee.
    accounting_id: Option<u32>,
    /// States and districts it is for.
    entities: Vec<EntityBody>,
}

/// State or electoral district that an expense is for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ElectoralEntity)]
struct EntityBody {
    /// Code of the state (`DIF` is Mexico City), `CR1` to `CR5` for a district, `NAC` for the nation.
    #[schema(example = "JAL")]
    code: String,
    /// Whose election it is, of a campaign or precampaign.
    #[schema(value_type = Option<shapes::ElectionScope>)]
    scope: Option<Scope>,
    /// Accounting keys of aspirants, candidates and those who collect for them.
    accounting_ids: Vec<u32>,
}

impl From<Complements> for ComplementsBody {
    fn from(complements: Complements) -> Self {
        let Complements { legends, donation, electoral, foreign_trade, carta_porte } = complements;
        Self {
            legends: legends.into_iter().map(LegendBody::from).collect(),
            donation: donation.map(DonationBody::from),
            electoral: electoral.map(ElectoralBody::from),
            foreign_trade: foreign_trade.map(|trade| (*trade).into()),
            carta_porte: carta_porte.map(|carta| (*carta).into()),
        }
    }
}

impl From<Legend> for LegendBody {
    fn from(Legend { law, rule, text }: Legend) -> Self {
        Self { law, rule, text }
    }
}

impl From<Donation> for DonationBody {
    fn from(donation: Donation) -> Self {
        let Donation { authorization_number, authorized_on, legend } = donation;
        Self { authorization_number, authorized_on: day::to_text(authorized_on), legend }
    }
}

impl From<Electoral> for ElectoralBody {
    fn from(electoral: Electoral) -> Self {
        let Electoral { process, committee, accounting_id, entities } = electoral;
        let entities = entities.into_iter().map(EntityBody::from).collect();
        Self { process, committee, accounting_id, entities }
    }
}

impl From<Entity> for EntityBody {
    fn from(Entity { code, scope, accounting_ids }: Entity) -> Self {
        Self { code, scope, accounting_ids }
    }
}
