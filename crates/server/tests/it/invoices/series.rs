//! Series, and where their folios go on.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::office::{Office, id, sale};
use crate::races::at_once;

on_both!(
    a_series_goes_on_where_another_system_has_left_it,
    a_series_never_goes_back,
    the_series_of_the_issuer_are_listed,
    series_are_read_page_by_page,
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

fn series_are_read_page_by_page(kind: DatabaseKind) {
    let office = Office::open(kind);
    let person = json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ",
        "taxRegime": "612", "taxZip": "36257"});
    let other = id(&office.make("/invoices/cfdi/issuers", &person));
    for name in ["b", "B", "a-1", "WEB", "%C3%91", "F2", "~"] {
        let _ = set(&office, name, 5).expect(200);
    }
    for name in ["b", "F", "A"] {
        let path = format!("/invoices/cfdi/series/{name}?issuerId={other}");
        let _ = office.client.send("PUT", &path, &json!({"nextFolio": 3})).expect(200);
    }
    let read = |query: &str| {
        let page = office.client.get(&format!("/invoices/cfdi/series?{query}")).expect(200);
        (page["data"].as_array().unwrap().clone(), page)
    };
    let (all, page) = read("limit=100");
    assert_eq!((&page["total"], all.len()), (&json!(17), 17));
    let place = |row: &Value| (row["issuerId"].to_string(), row["series"].to_string());
    assert!(all.is_sorted_by_key(place), "{all:?}");
    let (mut walked, mut query) = (Vec::new(), "limit=3".to_owned());
    loop {
        let (rows, page) = read(&query);
        walked.extend(rows);
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        query = format!("limit=3&count=false&cursor={cursor}");
    }
    assert_eq!(walked, all);
    let numbered: Vec<Value> =
        (1..=7).flat_map(|page| read(&format!("limit=3&page={page}")).0).collect();
    assert_eq!(numbered, all);
    let (own, page) = read(&format!("limit=100&issuerId={other}"));
    let of_other = |row: &&Value| row["issuerId"] == other.as_str();
    assert_eq!(own, all.iter().filter(of_other).cloned().collect::<Vec<_>>());
    assert_eq!(page["total"], own.len());

    // Any number of them, as whoever names one for each invoice has.
    office.app.database.execute(&format!(
        "WITH RECURSIVE c(n) AS (SELECT 10001 UNION ALL SELECT n + 1 FROM c WHERE n < 15100) \
         INSERT INTO invoice_folios (account_id, series, last) SELECT '{}', 'S' || n, 1 FROM c",
        office.account
    ));
    let (rows, page) = read("limit=100&page=51");
    assert_eq!((&page["total"], rows.len()), (&json!(5_117), 100));
    let names: Vec<&str> = rows.iter().filter_map(|row| row["series"].as_str()).collect();
    assert!(names.contains(&"S15000") && names.is_sorted(), "{names:?}");
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
