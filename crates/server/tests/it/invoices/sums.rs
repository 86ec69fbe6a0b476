//! What invoices add up to: always what the list shows, added up.

use std::collections::BTreeMap;

use kernel::Amount;
use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, company, id, item, sale, sale_in_parts};

on_both!(
    sums_are_those_of_the_list,
    kinds_and_statuses_are_summed_up_apart,
    sums_of_outdated_rows_are_made_of_their_documents,
    the_days_of_sums_are_bounded,
);

/// Type, status and currency, and the sums by name.
type Groups = BTreeMap<(String, String, String), BTreeMap<String, i128>>;

fn micros(amount: &Value) -> i128 {
    match amount {
        Value::Null => 0,
        amount => Amount::parse(&amount.to_string()).unwrap().micros().into(),
    }
}

fn group(row: &Value) -> (String, String, String) {
    let text = |name: &str| row[name].as_str().unwrap().to_owned();
    (text("type"), text("status"), text("currency"))
}

/// What the list adds up to.
#[track_caller]
fn listed(office: &Office, query: &str) -> Groups {
    let mut groups = Groups::new();
    let page = office.client.get(&format!("/invoices?limit=100&{query}")).expect(200);
    assert_eq!(page["nextCursor"], Value::Null);
    for row in page["data"].as_array().unwrap() {
        let sums = groups.entry(group(row)).or_default();
        let mut add = |name: &str, micros: i128| {
            *sums.entry(name.to_owned()).or_default() += micros;
        };
        add("count", 1);
        for name in ["subtotal", "discount", "total", "balance"] {
            add(name, micros(&row[name]));
        }
        let array = |value: &Value| value.as_array().unwrap().clone();
        let paid: i128 =
            array(&row["payments"]).iter().map(|payment| micros(&payment["amount"])).sum();
        add("paid", paid);
        for tax in ["IVA", "IEPS", "ISR"] {
            for kind in ["transferred", "withheld"] {
                let own = array(&row["taxes"][kind]).into_iter().filter(|it| it["tax"] == tax);
                let sum = own.map(|it| micros(&it["amount"])).sum();
                if (kind, tax) != ("transferred", "ISR") {
                    add(&format!("{kind}.{}", tax.to_lowercase()), sum);
                }
            }
        }
        for (name, is_withheld) in [("local.charged", false), ("local.withheld", true)] {
            let own =
                array(&row["localTaxes"]).into_iter().filter(|it| it["withheld"] == is_withheld);
            add(name, own.map(|it| micros(&it["amount"])).sum());
        }
    }
    groups
}

/// What the sums say.
#[track_caller]
fn summed(office: &Office, query: &str) -> Groups {
    let answer = office.client.get(&format!("/invoices/sums?{query}")).expect(200);
    let mut groups = Groups::new();
    for row in answer["sums"].as_array().unwrap() {
        let mut sums = BTreeMap::new();
        for (name, value) in row.as_object().unwrap() {
            match value {
                Value::Number(_) if name == "count" => {
                    let _ = sums.insert(name.clone(), value.as_i64().unwrap().into());
                }
                Value::Number(_) => {
                    let _ = sums.insert(name.clone(), micros(value));
                }
                Value::Object(parts) => {
                    sums.extend(
                        parts.iter().map(|(part, sum)| (format!("{name}.{part}"), micros(sum))),
                    );
                }
                _ => {}
            }
        }
        assert!(groups.insert(group(row), sums).is_none(), "each group once: {answer}");
    }
    groups
}

/// Numbers that look like random ones and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// An invoice with some of all that changes its sums.
fn any_invoice(dice: &mut Dice) -> Value {
    let taxes = [
        json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.16}]),
        json!([{"tax": "IVA", "factor": "Tasa", "rate": 0}]),
        json!([{"tax": "IVA", "factor": "Exento"}]),
        json!([{"tax": "IEPS", "factor": "Tasa", "rate": 0.08}, {"tax": "IVA", "factor": "Tasa", "rate": 0.16}]),
        json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.16},
            {"tax": "IVA", "factor": "Tasa", "rate": 0.106667, "withheld": true},
            {"tax": "ISR", "factor": "Tasa", "rate": 0.1, "withheld": true}]),
    ];
    let mut body = if dice.below(3) == 0 { sale_in_parts(1.0) } else { sale(1.0) };
    let items = (0..=dice.below(3)).map(|_| {
        let cents = 100 + dice.below(90_000);
        let mut item = item(1.0);
        item["unitPrice"] = json!(cents as f64 / 100.0);
        item["quantity"] = json!(1 + dice.below(4));
        item["taxIncluded"] = json!(dice.below(2) == 0);
        item["taxes"] = taxes[dice.below(taxes.len() as u64) as usize].clone();
        if dice.below(3) == 0 {
            item["discount"] = json!(dice.below(cents) as f64 / 200.0);
        }
        item
    });
    body["items"] = items.collect();
    match dice.below(5) {
        0 => {
            body["currency"] = json!("USD");
            body["exchangeRate"] = json!(18.4523);
        }
        1 => {
            body["localTaxes"] = json!([{"name": "ISH", "rate": 0.03},
                {"name": "5 al millar", "rate": 0.005, "withheld": true}]);
        }
        2 => body["series"] = json!("WEB"),
        3 => {
            body["receiver"] = json!({"rfc": "XAXX010101000", "legalName": "ANA",
                "taxZip": "42501", "taxRegime": "616"});
        }
        _ => {}
    }
    body
}

fn hours_around(office: &Office, name: &str) -> String {
    let (from, to) = (office.app.now().plus_seconds(-3_600), office.app.now().plus_seconds(3_600));
    format!("{name}From={from}&{name}To={to}")
}

fn sums_are_those_of_the_list(kind: DatabaseKind) {
    let office = Office::open(kind);
    let customer = office.customer();
    let mut dice = Dice(19);
    for number in 0..40 {
        let mut body = any_invoice(&mut dice);
        if number % 9 == 0 {
            let _ = body.as_object_mut().unwrap().remove("receiver");
            body["customerId"] = json!(customer);
        }
        let draft = id(&office.draft(&body));
        match dice.below(4) {
            0 => {}
            1 => {
                let _ = office.stamp(&draft).expect(200);
                let _ = office.cancel(&draft, "02").expect(200);
            }
            _ => {
                let _ = office.stamp(&draft).expect(200);
            }
        }
    }
    let (stamped, created) = (hours_around(&office, "stamped"), hours_around(&office, "created"));
    let every = summed(&office, &created);
    assert!(every.len() > 5, "{every:?}");
    for range in [stamped.clone(), created.clone(), format!("{stamped}&{created}")] {
        for filter in [
            "",
            "status=stamped",
            "status=draft",
            "type=I",
            "type=E",
            "series=WEB",
            "rfc=XAXX010101000",
            "cancellationStatus=none",
            "cancellationStatus=accepted&series=WEB",
            "search=universidad",
            "search=ana+web",
            "folio=3",
            &format!("customerId={customer}"),
        ] {
            let query = format!("{range}&{filter}").trim_end_matches('&').to_owned();
            assert_eq!(summed(&office, &query), listed(&office, &query), "{query}");
        }
    }
    let stranger = office.app.client_of(office.app.account(), "*");
    assert_eq!(stranger.get(&format!("/invoices/sums?{created}")).expect(200), json!({"sums": []}));
}

fn kinds_and_statuses_are_summed_up_apart(kind: DatabaseKind) {
    let office = Office::open(kind);
    let owed = office.stamped(&sale_in_parts(116.0));
    let _ = office.stamped_sale(58.0);
    let cancelled = id(&office.stamped_sale(116.0));
    let _ = office.cancel(&cancelled, "02").expect(200);
    let _ = office.stamped(&json!({"type": "P", "payments": [{"paidAt": office.app.now().to_string(),
        "paymentForm": "03", "amount": 16, "documents": [{"invoiceId": owed["id"], "amount": 16}]}]}));
    let _ = office.stamped(
        &json!({"type": "E", "receiver": company(), "paymentForm": "03", "items": [item(11.6)],
        "related": [{"relation": "01", "uuids": [owed["uuid"]]}]}),
    );
    let answer = office
        .client
        .get(&format!("/invoices/sums?{}", hours_around(&office, "stamped")))
        .expect(200);
    let none = json!({"isr": 0, "iva": 0, "ieps": 0});
    let sums = |kind: &str,
                status: &str,
                count: i64,
                (subtotal, iva, total): (Value, Value, Value),
                paid: i64,
                balance: Value| {
        json!({"type": kind, "status": status, "currency": "MXN", "count": count, "subtotal": subtotal,
            "discount": 0, "transferred": {"iva": iva, "ieps": 0}, "withheld": none,
            "local": {"charged": 0, "withheld": 0}, "total": total, "paid": paid, "balance": balance})
    };
    let expected = json!([
        sums("I", "stamped", 2, (json!(150), json!(24), json!(174)), 0, json!(88.4)),
        sums("I", "cancelled", 1, (json!(100), json!(16), json!(116)), 0, json!(0)),
        sums("E", "stamped", 1, (json!(10), json!(1.6), json!(11.6)), 0, json!(0)),
        sums("P", "stamped", 1, (json!(0), json!(0), json!(0)), 16, json!(0)),
    ]);
    assert_eq!(answer["sums"], expected);
    assert_eq!(answer.as_object().unwrap().len(), 1);
}

/// Nodes of the last release know nothing of the figures beside invoices.
fn sums_of_outdated_rows_are_made_of_their_documents(kind: DatabaseKind) {
    let office = Office::open(kind);
    let _ = office.stamped_sale(116.0);
    let stamped = id(&office.stamped_sale(58.0));
    let _ = office.sale(5.0);
    let range = hours_around(&office, "created");
    let expected = listed(&office, &range);
    let database = &office.app.database;
    database.execute(&format!(
        "UPDATE invoice_facts SET subtotal = 1, transferred_iva = 1 WHERE id = '{stamped}'"
    ));
    assert_ne!(summed(&office, &range), expected);
    database.execute(&format!("UPDATE invoices SET facts_version = 0 WHERE id = '{stamped}'"));
    assert_eq!(summed(&office, &range), expected, "of the document");
    assert_eq!(
        summed(&office, &format!("{range}&status=draft")),
        listed(&office, &format!("{range}&status=draft"))
    );
    office.app.housekeep();
    let outdated = database.lines("SELECT id AS line FROM invoices WHERE facts_version <> version");
    assert_eq!(outdated, [""; 0]);
    assert_eq!(summed(&office, &range), expected, "of the figures beside it");
    database.execute("DELETE FROM invoice_facts");
    database.execute("UPDATE invoices SET facts_version = 0");
    assert_eq!(summed(&office, &range), expected, "of all documents");
    office.app.housekeep();
}

fn the_days_of_sums_are_bounded(kind: DatabaseKind) {
    let office = Office::open(kind);
    for (query, problem) in [
        ("", "stampedFrom must be given with stampedTo"),
        ("status=stamped", "stampedFrom must be given with stampedTo"),
        ("stampedFrom=2026-01-01T00:00:00Z", "stampedFrom must be given with stampedTo"),
        (
            "stampedFrom=2025-01-01T00:00:00Z&stampedTo=2026-01-03T00:00:00Z",
            "stampedTo must be at most 366 days after stampedFrom",
        ),
        (
            "createdFrom=2025-01-01T00:00:00Z&createdTo=2026-01-03T00:00:00Z",
            "createdTo must be at most 366 days after createdFrom",
        ),
        ("page=2", "\"page\" is not a parameter"),
        ("sort=createdAt", "\"sort\" is not a parameter"),
        ("folio=x", "folio"),
    ] {
        let refused = office.client.get(&format!("/invoices/sums?{query}"));
        let message = refused.refused(400, "validation_failed");
        assert!(message.contains(problem), "{query}: {message}");
    }
    let key = office.app.client_of(office.account, "orders");
    let _ = key.get("/invoices/sums").refused(403, "insufficient_scope");
}
