//! Lists of withholdings: filters, pages, orders.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::desk::Desk;
use crate::invoices::office::id;

on_both!(filters_find_withholdings, pages_and_cursors_lead_through_all, wrong_filters_are_named);

/// The identifiers that a list shows.
#[track_caller]
fn listed(desk: &Desk, query: &str) -> Vec<String> {
    let page = desk.office.client.get(&format!("/withholdings?{query}")).expect(200);
    page["data"].as_array().unwrap().iter().map(id).collect()
}

fn filters_find_withholdings(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let customer = desk.office.customer();
    let first = desk.draft(&json!({"code": "25", "description": "Cinco al millar", "customerId": customer,
        "period": {"firstMonth": 1, "lastMonth": 12, "year": desk.year() - 1}, "totals": {"taxed": 1}}));
    // Identifiers are made of the machine's own time.
    let pause = || std::thread::sleep(std::time::Duration::from_millis(20));
    pause();
    let moment = desk.office.app.now().to_string();
    let stamped = desk.stamped(&desk.fees());
    let second = id(&stamped);
    let gone = id(&desk.stamped(&desk.fees()));
    let _ = desk.cancel(&gone, &json!({"reason": "02"})).expect(200);
    let _ = desk.change(&first, &json!({"folio": "R1"})).expect(200);
    let (year, before) = (desk.year(), desk.year() - 1);
    let uuid = stamped["uuid"].as_str().unwrap().to_lowercase();
    let issuer = stamped["issuerId"].as_str().unwrap();
    for (query, expected) in [
        (String::new(), vec![&gone, &second, &first]),
        ("sort=createdAt".to_owned(), vec![&first, &second, &gone]),
        ("sort=-updatedAt".to_owned(), vec![&first, &gone, &second]),
        ("status=draft".to_owned(), vec![&first]),
        ("status=stamped".to_owned(), vec![&second]),
        ("status=cancelled&code=01".to_owned(), vec![&gone]),
        ("code=25".to_owned(), vec![&first]),
        (format!("year={year}"), vec![&gone, &second]),
        (format!("year={before}"), vec![&first]),
        (format!("issuerId={issuer}"), vec![&gone, &second, &first]),
        (format!("customerId={customer}"), vec![&first]),
        (format!("uuid={uuid}"), vec![&second]),
        ("rfc=CACX7605101P8".to_owned(), vec![&gone, &second]),
        (format!("createdFrom={moment}"), vec![&gone, &second]),
        (format!("createdTo={moment}"), vec![&first]),
        (format!("ids={first},{second}"), vec![&second, &first]),
        (format!("updatedSince={moment}"), vec![&gone, &second, &first]),
    ] {
        assert_eq!(listed(&desk, &query).iter().collect::<Vec<_>>(), expected, "{query}");
    }
    let page = desk.office.client.get("/withholdings?fields=id,status&status=draft").expect(200);
    assert_eq!(page["data"], json!([{"id": first, "status": "draft"}]));
}

fn pages_and_cursors_lead_through_all(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made: Vec<String> = (0..5).map(|_| desk.draft(&desk.fees())).collect();
    let newest: Vec<String> = made.into_iter().rev().collect();
    assert_eq!(listed(&desk, "page=2&limit=2"), newest[2..4]);
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let query = format!("/withholdings?limit=2{cursor}");
        let page = desk.office.client.get(&query).expect(200);
        seen.extend(page["data"].as_array().unwrap().iter().map(id));
        match &page["nextCursor"] {
            Value::String(next) => cursor = format!("&cursor={next}"),
            _ => break,
        }
    }
    assert_eq!(seen, newest);
}

fn wrong_filters_are_named(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for (query, problem) in [
        ("status=open", "status must be one of draft, stamping, stamped, cancelled"),
        ("year=26", "year must be"),
        ("code=1", "code must be a code of 2 digits"),
        ("uuid=7", "uuid must be a fiscal folio"),
        ("series=A", "series"),
    ] {
        let message = desk.office.client.get(&format!("/withholdings?{query}"));
        let message = message.refused(400, "validation_failed");
        assert!(message.contains(problem), "{message}");
    }
}
