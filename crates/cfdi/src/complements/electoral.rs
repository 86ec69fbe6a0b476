//! What a political party or candidate buys: the complement *INE* 1.1.

use serde::{Deserialize, Serialize};

/// The largest key of accounts that INE gives (`totalDigits` 6 of ine11.xsd).
pub const ACCOUNTING_ID_MAX: u32 = 999_999;

/// What an expense of a party, candidate or aspirant is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Electoral {
    /// The process it belongs to.
    pub process: Process,
    /// The committee that spends it, of an ordinary process.
    pub committee: Option<Committee>,
    /// The accounts of a national committee.
    pub accounting_id: Option<u32>,
    /// Where it is spent.
    pub entities: Vec<Entity>,
}

/// A process of INE (`TipoProceso`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Process {
    /// What a party does between elections.
    Ordinary,
    /// Before the candidates are chosen.
    Precampaign,
    /// Before the election.
    Campaign,
}

/// A committee of a party (`TipoComite`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Committee {
    /// Its national executive committee.
    NationalExecutive,
    /// The executive committee of a state.
    StateExecutive,
    /// The directive committee of a state.
    StateDirective,
}

/// A state or electoral district that an expense is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    /// Its code, one of [`ENTITIES`].
    pub code: String,
    /// Whose election it is, of a campaign or precampaign.
    pub scope: Option<Scope>,
    /// The accounts of aspirants, candidates and those who collect for them.
    pub accounting_ids: Vec<u32>,
}

/// Whose election it is (`Ambito`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The state's.
    Local,
    /// The federation's.
    Federal,
}

/// The codes of states, of the five electoral districts (`CR1` to `CR5`) and of the nation (`t_ClaveEntidad`).
pub const ENTITIES: &[&str] = &[
    "AGU", "BCN", "BCS", "CAM", "CHH", "CHP", "COA", "COL", "CR1", "CR2", "CR3", "CR4", "CR5",
    "DIF", "DUR", "GRO", "GUA", "HID", "JAL", "MEX", "MIC", "MOR", "NAC", "NAY", "NLE", "OAX",
    "PUE", "QUE", "ROO", "SIN", "SLP", "SON", "TAB", "TAM", "TLA", "VER", "YUC", "ZAC",
];

impl Process {
    /// Every process.
    pub const EVERY: &'static [Self] = &[Self::Ordinary, Self::Precampaign, Self::Campaign];

    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ordinary => "ordinary",
            Self::Precampaign => "precampaign",
            Self::Campaign => "campaign",
        }
    }

    /// What INE calls it.
    #[must_use]
    pub const fn spanish(self) -> &'static str {
        match self {
            Self::Ordinary => "Ordinario",
            Self::Precampaign => "Precampaña",
            Self::Campaign => "Campaña",
        }
    }
}

impl Committee {
    /// Every committee.
    pub const EVERY: &'static [Self] =
        &[Self::NationalExecutive, Self::StateExecutive, Self::StateDirective];

    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NationalExecutive => "national_executive",
            Self::StateExecutive => "state_executive",
            Self::StateDirective => "state_directive",
        }
    }

    /// What INE calls it.
    #[must_use]
    pub const fn spanish(self) -> &'static str {
        match self {
            Self::NationalExecutive => "Ejecutivo Nacional",
            Self::StateExecutive => "Ejecutivo Estatal",
            Self::StateDirective => "Directivo Estatal",
        }
    }
}

impl Scope {
    /// Both.
    pub const EVERY: &'static [Self] = &[Self::Local, Self::Federal];

    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Federal => "federal",
        }
    }

    /// What INE calls it.
    #[must_use]
    pub const fn spanish(self) -> &'static str {
        match self {
            Self::Local => "Local",
            Self::Federal => "Federal",
        }
    }
}
