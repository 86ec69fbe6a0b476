//! Folios: each series counts its stamped invoices, without twins or gaps.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, id, sale};
use crate::races::at_once;

on_both!(
    every_series_counts_for_itself,
    folios_have_neither_twins_nor_gaps,
    a_refused_draft_keeps_no_folio,
    a_folio_stays_with_its_draft,
);

fn in_series(series: &str) -> Value {
    let mut body = sale(116.0);
    body["series"] = json!(series);
    body
}

fn every_series_counts_for_itself(kind: DatabaseKind) {
    let office = Office::open(kind);
    let folio = |series: &str| office.stamped(&in_series(series))["folio"].clone();
    assert_eq!(
        [folio("F"), folio("WEB"), folio("F"), folio("web"), folio("F")],
        ["1", "1", "2", "1", "3"]
    );
    let other = Office::of(office.app);
    assert_eq!(other.stamped(&in_series("F"))["folio"], "1", "accounts count for themselves");
}

fn folios_have_neither_twins_nor_gaps(kind: DatabaseKind) {
    const COUNT: usize = 20;
    let office = Office::open(kind);
    let drafts: Vec<String> = (0..COUNT).map(|_| office.sale(116.0)).collect();
    let replies = at_once(COUNT, |number| office.stamp(&drafts[number]));
    let mut folios: Vec<usize> = replies
        .into_iter()
        .map(|reply| reply.expect(200)["folio"].as_str().unwrap().parse().unwrap())
        .collect();
    folios.sort_unstable();
    assert_eq!(folios, (1..=COUNT).collect::<Vec<_>>());
    assert_eq!(office.credits(), (1_000 - 10 * i64::try_from(COUNT).unwrap(), 0));
}

fn a_refused_draft_keeps_no_folio(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut bad = sale(116.0);
    bad["receiver"]["taxZip"] = json!("00001");
    let bad = id(&office.draft(&bad));
    let _ = office.stamp(&bad).refused(409, "invoice_invalid");
    assert_eq!(office.read(&bad)["folio"], json!(null));
    // Neither does one that nobody can pay for.
    let poor = office.app.account();
    office.app.can_invoice(poor);
    let poor = Office { account: poor, client: office.app.client_of(poor, "*"), app: office.app };
    let draft = poor.sale(116.0);
    let _ = poor.stamp(&draft).refused(402, "insufficient_credits");
    assert_eq!(poor.read(&draft)["folio"], json!(null));
    poor.app.grant(poor.account, 20);
    assert_eq!(poor.stamped_sale(1.0)["folio"], "1");
    assert_eq!(poor.stamp(&draft).expect(200)["folio"], "2");
}

fn a_folio_stays_with_its_draft(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.simulate("unavailable", "accept");
    let first = office.sale(116.0);
    let _ = office.stamp(&first).refused(502, "provider_error");
    assert_eq!(office.read(&first)["folio"], "1");
    office.simulate("normal", "accept");
    assert_eq!(office.stamped_sale(58.0)["folio"], "2");
    assert_eq!(office.stamp(&first).expect(200)["folio"], "1");
}
