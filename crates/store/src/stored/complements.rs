//! What documents of some trades state beside their items.

use cfdi::{
    complements::{
        CartaPorte, Committee, Complements, Donation, Electoral, Entity, ForeignTrade, Legend,
        Process, Scope,
    },
    document::day,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use time::Date;

use super::{
    carta_porte::CartaPorteForm,
    foreign_trade::ForeignTradeForm,
    forms::{Boxed, Each, Form, Maybe, forms},
};

forms!(
    CommitteeForm of Committee,
    ComplementsForm of Complements,
    DonationForm of Donation,
    ElectoralForm of Electoral,
    EntityForm of Entity,
    LegendForm of Legend,
    ScopeForm of Scope,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Complements", rename_all = "camelCase", default = "Complements::default")]
pub(super) struct ComplementsForm {
    #[serde(with = "Each::<LegendForm>")]
    legends: Vec<Legend>,
    #[serde(with = "Maybe::<DonationForm>")]
    donation: Option<Donation>,
    #[serde(with = "Maybe::<ElectoralForm>")]
    electoral: Option<Electoral>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<Boxed<ForeignTradeForm>>")]
    foreign_trade: Option<Box<ForeignTrade>>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<Boxed<CartaPorteForm>>")]
    carta_porte: Option<Box<CartaPorte>>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Legend", rename_all = "camelCase")]
struct LegendForm {
    law: Option<String>,
    rule: Option<String>,
    text: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Donation", rename_all = "camelCase")]
struct DonationForm {
    authorization_number: String,
    #[serde(with = "DayForm")]
    authorized_on: Date,
    legend: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Electoral", rename_all = "camelCase")]
struct ElectoralForm {
    #[serde(with = "ProcessForm")]
    process: Process,
    #[serde(default, with = "Maybe::<CommitteeForm>")]
    committee: Option<Committee>,
    accounting_id: Option<u32>,
    #[serde(with = "Each::<EntityForm>")]
    entities: Vec<Entity>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Entity", rename_all = "camelCase")]
struct EntityForm {
    code: String,
    #[serde(default, with = "Maybe::<ScopeForm>")]
    scope: Option<Scope>,
    accounting_ids: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Process", rename_all = "snake_case")]
enum ProcessForm {
    Ordinary,
    Precampaign,
    Campaign,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Committee", rename_all = "snake_case")]
enum CommitteeForm {
    NationalExecutive,
    StateExecutive,
    StateDirective,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Scope", rename_all = "snake_case")]
enum ScopeForm {
    Local,
    Federal,
}

/// Days without a time.
pub(super) struct DayForm;

impl Form for DayForm {
    type Of = Date;

    fn serialize<S: Serializer>(day: &Date, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&day::to_text(*day))
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
        let text = String::deserialize(deserializer)?;
        day::from_text(&text).ok_or_else(|| D::Error::custom("not a day"))
    }
}
