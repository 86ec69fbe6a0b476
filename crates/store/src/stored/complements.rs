//! What documents of some trades state beside their items.

use cfdi::{
    complements::{Committee, Complements, Donation, Electoral, Entity, Legend, Process, Scope},
    document::day,
};
use serde::{Deserialize, Serialize};
use time::Date;

use super::forms::{Each, Form, Maybe, forms};

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
    #[serde(with = "days")]
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

mod days {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use time::Date;

    use super::day::{from_text, to_text};

    pub(super) fn serialize<S: Serializer>(day: &Date, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&to_text(*day))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Date, D::Error> {
        let text = String::deserialize(deserializer)?;
        from_text(&text).ok_or_else(|| Error::custom("not a day"))
    }
}
