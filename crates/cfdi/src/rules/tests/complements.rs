//! The complements that some trades need.

use time::macros::date;

use super::{
    Row, assert_valid,
    samples::{invoice, text},
};
use crate::{
    complements::{Committee, Complements, Donation, Electoral, Entity, Legend, Process, Scope},
    document::Document,
};

pub(super) const ROWS: &[Row] = &[
    (with_legend, |d| legend(d).text.clear(), "301", "complements.legends[0].text"),
    (with_legend, |d| legend(d).law = text("I|VA"), "301", "complements.legends[0].law"),
    (with_legend, |d| legend(d).rule = text(" 5"), "301", "complements.legends[0].rule"),
    (
        donation,
        |d| given(d).authorization_number.clear(),
        "301",
        "complements.donation.authorizationNumber",
    ),
    (donation, |d| given(d).legend = "x".repeat(2_001), "301", "complements.donation.legend"),
    (
        donation,
        |d| given(d).authorized_on = date!(2026 - 08 - 04),
        "CFDI40999",
        "complements.donation.authorizedOn",
    ),
    (national, |d| party(d).committee = None, "INE180", "complements.electoral.committee"),
    (campaign, |d| party(d).entities.clear(), "INE181", "complements.electoral.entities"),
    (
        campaign,
        |d| party(d).entities[0].scope = None,
        "INE181",
        "complements.electoral.entities[0].scope",
    ),
    (
        campaign,
        |d| party(d).committee = Some(Committee::StateExecutive),
        "INE182",
        "complements.electoral.committee",
    ),
    (
        campaign,
        |d| party(d).accounting_id = Some(1),
        "INE183",
        "complements.electoral.accountingId",
    ),
    (
        national,
        |d| party(d).entities = vec![entity(None)],
        "INE184",
        "complements.electoral.entities",
    ),
    (
        of_a_state,
        |d| party(d).accounting_id = Some(1),
        "INE185",
        "complements.electoral.accountingId",
    ),
    (of_a_state, |d| party(d).entities.clear(), "INE186", "complements.electoral.entities"),
    (
        of_a_state,
        |d| party(d).entities[0].scope = Some(Scope::Local),
        "INE186",
        "complements.electoral.entities[0].scope",
    ),
    (
        campaign,
        |d| party(d).entities.push(entity(Some(Scope::Local))),
        "INE187",
        "complements.electoral.entities[1]",
    ),
    (
        campaign,
        |d| party(d).entities[0].code = "CMX".to_owned(),
        "301",
        "complements.electoral.entities[0].code",
    ),
    (
        campaign,
        |d| party(d).entities[0].accounting_ids.push(1_000_000),
        "301",
        "complements.electoral.entities[0].accountingIds[1]",
    ),
];

/// Documents that INE's matrix lets pass.
#[test]
fn what_ine_allows_passes() {
    for electoral in [
        electoral(Process::Ordinary, Some(Committee::StateDirective), Vec::new()),
        electoral(
            Process::Ordinary,
            Some(Committee::StateDirective),
            vec![entity(Some(Scope::Local))],
        ),
        electoral(Process::Precampaign, None, vec![entity(None), entity(Some(Scope::Federal))]),
    ] {
        assert_valid(&electoral);
    }
}

fn with(complements: Complements) -> Document {
    Document { complements, ..invoice() }
}

fn with_legend() -> Document {
    let legend = Legend { law: text("ISR"), rule: text("27"), text: "Efectos al pago".to_owned() };
    with(Complements { legends: vec![legend], ..Complements::default() })
}

fn donation() -> Document {
    let donation = Donation {
        authorization_number: "600-04-2019-1234".to_owned(),
        authorized_on: date!(2019 - 01 - 31),
        legend: "Este comprobante ampara un donativo".to_owned(),
    };
    with(Complements { donation: Some(donation), ..Complements::default() })
}

fn electoral(process: Process, committee: Option<Committee>, entities: Vec<Entity>) -> Document {
    let electoral = Electoral { process, committee, accounting_id: None, entities };
    with(Complements { electoral: Some(electoral), ..Complements::default() })
}

fn national() -> Document {
    electoral(Process::Ordinary, Some(Committee::NationalExecutive), Vec::new())
}

fn of_a_state() -> Document {
    electoral(Process::Ordinary, Some(Committee::StateExecutive), vec![entity(None)])
}

fn campaign() -> Document {
    electoral(Process::Campaign, None, vec![entity(Some(Scope::Local))])
}

fn entity(scope: Option<Scope>) -> Entity {
    Entity { code: "JAL".to_owned(), scope, accounting_ids: vec![12_345] }
}

fn legend(document: &mut Document) -> &mut Legend {
    &mut document.complements.legends[0]
}

fn given(document: &mut Document) -> &mut Donation {
    document.complements.donation.as_mut().unwrap()
}

fn party(document: &mut Document) -> &mut Electoral {
    document.complements.electoral.as_mut().unwrap()
}
