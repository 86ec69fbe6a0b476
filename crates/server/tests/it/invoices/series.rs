//! Series, and where their folios go on.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::office::{Office, id, sale};
use crate::races::at_once;

on_both!(
    a_series_goes_on_where_another_system_has_left_it,
    a_series_never_goes_back,
    the_series_of_the_issuer_are_listed,
    folios_are_unique_while_a_series_is_continued,
);

fn set(office: &Office, series: &str, next: u64) -> Reply {
    let path = format!("/invoices/cfdi/series/{series}");
    office.client.send("PUT", &path, &json!({"nextFolio": next}))
}

fn in_series(series: &str) -> Value {
    let mut sale = sale(116.0);
    sale["series"] = json!(series);
    sale
}

fn listed(office: &Office) -> Vec<(String, u64)> {
    let page = office.client.get("/invoices/cfdi/series?limit=100").expect(200);
    let row = |row: &Value| {
        (row["series"].as_str().unwrap().to_owned(), row["nextFolio"].as_u64().unwrap())
    };
    page["data"].as_array().unwrap().iter().map(row).collect()
}

fn a_series_goes_on_where_another_system_has_left_it(kind: DatabaseKind) {
    let office = Office::open(kind);
    let shown = set(&office, "F", 12_345).expect(200);
    assert_eq!((&shown["series"], &shown["nextFolio"]), (&json!("F"), &json!(12_345)));
    assert_eq!(office.stamped_sale(116.0)["folio"], "12345");
    assert_eq!(office.stamped_sale(116.0)["folio"], "12346");
    let _ = set(&office, "SUCURSAL%20NORTE", 7).expect(200);
    assert_eq!(office.stamped(&in_series("SUCURSAL NORTE"))["folio"], "7");
    assert!(listed(&office).contains(&("SUCURSAL NORTE".to_owned(), 8)));
}

fn a_series_never_goes_back(kind: DatabaseKind) {
    let office = Office::open(kind);
    let first = office.stamped_sale(116.0);
    assert_eq!(first["folio"], "1");
    let message = set(&office, "F", 1).refused(409, "conflict");
    assert!(message.contains("nextFolio to 2"), "{message}");
    let _ = set(&office, "F", 2).expect(200);
    let _ = set(&office, "F", 0).refused(400, "validation_failed");
    let _ = set(&office, "F%7C", 5).refused(404, "not_found");
    let _ = set(&office, &"F".repeat(26), 5).refused(404, "not_found");
    assert_eq!(office.stamped_sale(116.0)["folio"], "2");
}

fn the_series_of_the_issuer_are_listed(kind: DatabaseKind) {
    let office = Office::open(kind);
    let named = |name: &str, next| (name.to_owned(), next);
    let usual = [named("F", 1), named("NC", 1), named("P", 1), named("T", 1)];
    assert_eq!(listed(&office), usual);
    let _ = office.stamped(&in_series("WEB"));
    assert_eq!(listed(&office).last(), Some(&named("WEB", 2)));
}

fn folios_are_unique_while_a_series_is_continued(kind: DatabaseKind) {
    let office = Office::open(kind);
    let drafts: Vec<String> = (0..12).map(|_| id(&office.draft(&in_series("N")))).collect();
    let _ = at_once(drafts.len() + 3, |which| match drafts.get(which) {
        Some(draft) => office.stamp(draft).status,
        None => set(&office, "N", 100 * which as u64).status,
    });
    let mut folios: Vec<String> = Vec::new();
    for draft in &drafts {
        let stamped = office.stamp(draft).expect(200);
        folios.push(stamped["folio"].as_str().unwrap().to_owned());
    }
    folios.sort();
    folios.dedup();
    assert_eq!(folios.len(), drafts.len());
}
