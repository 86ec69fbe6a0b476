//! Reading what documents of some trades state beside their items.

mod address;
mod carta_porte;
mod foreign_trade;

use cfdi::{
    complements::{
        ACCOUNTING_ID_MAX, Committee, Complements, Donation, ENTITIES, Electoral, Entity, Legend,
        Process, Scope,
    },
    document::local_time::{self, LocalTime},
};
use intake::{
    Check, Fields,
    checks::{line, list, number, object, objects, one_of, text, whole},
    noun,
};
use invoices::complements::{ACCOUNTS_MAX, ENTITIES_MAX, LEGENDS_MAX};
use kernel::{Amount, message};

use crate::resources::fiscal::day;
use carta_porte::read_carta_porte;
use foreign_trade::read_foreign_trade;

/// Maximum characters of a sentence. SAT knows no limit.
const LEGEND_CHARS_MAX: usize = 2_000;
/// Maximum characters of a law, a rule or the number of a letter. SAT knows no limit.
const REFERENCE_CHARS_MAX: usize = 100;

/// Maximum characters of any text of trade or transport; the rules know the limit of each.
const CHARS_MAX: usize = 1_000;

/// Something that can be seen, and no control characters but those that are white space.
const PHRASE_PATTERN: &str = r"^[^\u0000-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F]*[^\s\u0000-\u001F\u007F-\u009F][^\u0000-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F]*$";

/// One line of text, in which white space is collapsed as SAT's schemas do with it.
fn phrase(chars_max: usize) -> impl Check<Value = String> {
    let check = text(move |text| kernel::text::line(&kernel::text::collapsed(text), chars_max));
    check.chars(1, chars_max).pattern(PHRASE_PATTERN)
}

/// A number of zero or more.
fn not_negative() -> impl Check<Value = Amount> {
    number(Some(0), |amount| {
        if !amount.is_negative() {
            return Ok(amount);
        }
        Err(message!("must be 0 or more", "debe ser 0 o más"))
    })
}

/// A local time, without a zone.
fn local_moment() -> impl Check<Value = LocalTime> {
    text(|text| {
        local_time::from_text(text).ok_or_else(|| {
            message!(
                "must be a local time such as \"2026-01-31T12:30:00\"",
                "debe ser una hora local, como \"2026-01-31T12:30:00\""
            )
        })
    })
    .pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$")
    .example("2026-01-31T12:30:00")
}

pub(super) fn complements() -> impl Check<Value = Complements> {
    object(noun("complements", "complementos"), read_complements)
}

fn read_complements(fields: &mut Fields<'_>) -> Option<Complements> {
    let legends = objects(noun("a legend", "una leyenda"), 0..=LEGENDS_MAX, read_legend)
        .about("Sentences that a tax law prescribes (complement Leyendas fiscales).");
    let donation = object(noun("a donation", "un donativo"), read_donation)
        .about("Makes it the receipt of a deductible donation (complement Donatarias).");
    let electoral = object(noun("an electoral expense", "un gasto electoral"), read_electoral)
        .about("What a political party or candidate spends it on (complement INE).");
    let trade = object(noun("foreign trade", "el comercio exterior"), read_foreign_trade).about(
        "Goods that leave the country for good, with `export` 02 (complement Comercio Exterior).",
    );
    let carta = object(noun("a Carta Porte", "una Carta Porte"), read_carta_porte)
        .about("Goods that are transported by road, sea, air or rail (complement Carta Porte).");
    Some(Complements {
        legends: fields.optional("legends", legends).unwrap_or_default(),
        donation: fields.optional("donation", donation),
        electoral: fields.optional("electoral", electoral),
        foreign_trade: fields.optional("foreignTrade", trade).map(Box::new),
        carta_porte: fields.optional("cartaPorte", carta).map(Box::new),
    })
}

fn read_legend(fields: &mut Fields<'_>) -> Option<Legend> {
    let law = line(REFERENCE_CHARS_MAX)
        .about("Law or resolution, in capitals without punctuation, such as `ISR`.");
    let law = fields.optional("law", law);
    let rule = line(REFERENCE_CHARS_MAX).about("Number of its article or rule.");
    let rule = fields.optional("rule", rule);
    let text = fields.required("text", line(LEGEND_CHARS_MAX).about("The sentence."));
    Some(Legend { law, rule, text: text? })
}

fn read_donation(fields: &mut Fields<'_>) -> Option<Donation> {
    let number = line(REFERENCE_CHARS_MAX)
        .about("Number of SAT's letter that grants or renews the authorization.");
    let authorization_number = fields.required("authorizationNumber", number);
    let authorized_on = fields.required("authorizedOn", day().about("Date of that letter."));
    let legend = line(LEGEND_CHARS_MAX)
        .about("The sentence that says that it is a donation, as the law has it.");
    let legend = fields.required("legend", legend);
    Some(Donation {
        authorization_number: authorization_number?,
        authorized_on: authorized_on?,
        legend: legend?,
    })
}

fn read_electoral(fields: &mut Fields<'_>) -> Option<Electoral> {
    let process = fields.required("process", one_of(Process::EVERY, Process::name));
    let committee = one_of(Committee::EVERY, Committee::name)
        .about("Committee that spends it; only of an ordinary process.");
    let committee = fields.optional("committee", committee);
    let id = accounting_id().about("Accounting key of a national executive committee.");
    let accounting_id = fields.optional("accountingId", id);
    let entities = objects(noun("an entity", "una entidad"), 0..=ENTITIES_MAX, read_entity)
        .about("States and districts it is for.");
    let entities = fields.optional("entities", entities).unwrap_or_default();
    Some(Electoral {
        process: process?,
        committee,
        accounting_id: accounting_id.and_then(|id| u32::try_from(id).ok()),
        entities,
    })
}

fn read_entity(fields: &mut Fields<'_>) -> Option<Entity> {
    let code = one_of(ENTITIES, |code| code).about(
        "Code of the state (`DIF` is Mexico City), `CR1` to `CR5` for a district, `NAC` for the nation.",
    );
    let code = fields.required("code", code);
    let scope = one_of(Scope::EVERY, Scope::name)
        .about("Whose election it is; only of a campaign or precampaign.");
    let scope = fields.optional("scope", scope);
    let ids = list(0..=ACCOUNTS_MAX, accounting_id())
        .about("Accounting keys of aspirants, candidates and those who collect for them.");
    let ids = fields.optional("accountingIds", ids).unwrap_or_default();
    let accounting_ids = ids.into_iter().filter_map(|id| u32::try_from(id).ok()).collect();
    Some(Entity { code: code?.to_owned(), scope, accounting_ids })
}

fn accounting_id() -> impl Check<Value = i64> {
    whole(0..=i64::from(ACCOUNTING_ID_MAX))
}
