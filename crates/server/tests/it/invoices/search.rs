//! Invoices found by words: their receiver, their numbers, what was written about them.

use kernel::Amount;
use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, company, id, item};

on_both!(
    invoices_are_found_by_what_is_typed,
    old_invoices_are_found_in_the_index,
    terms_follow_the_draft,
    rows_of_before_and_of_other_releases_are_made_anew,
);

/// Rows that are quick to read one by one are fewer than these.
const MANY: i64 = 12_000;

/// The identifiers that a search finds, with how many there are.
#[track_caller]
fn found(office: &Office, search: &str, more: &str) -> (Vec<String>, Value) {
    let encoded: String = search.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let page = office.client.get(&format!("/invoices?search={encoded}{more}")).expect(200);
    (page["data"].as_array().unwrap().iter().map(id).collect(), page["total"].clone())
}

/// The invoices of a small shop, with the searches that find them; each names what it finds by its place.
fn shop(office: &Office) -> (Vec<String>, Vec<(String, Vec<usize>)>) {
    let customer = office.customer();
    let mug = office.product("TAZA", 19.99, &json!({}));
    let order = office.order(&customer, &[(&mug, 1)]);
    let ordered = office.stamped(&json!({"orderId": order["id"], "paymentForm": "03"}));
    let company = office.stamped(&json!({"receiver": company(), "paymentForm": "03",
        "series": "WEB", "items": [item(58.0)], "notes": "Orden de compra 4500-77, con envío"}));
    let anyone =
        office.stamped(&json!({"receiver": {"rfc": "XAXX010101000", "legalName": "Ana Peña",
        "taxZip": "42501", "taxRegime": "616"}, "paymentForm": "01",
        "items": [item(5.0), {"description": "Olla de barro", "sku": "TZ-9", "quantity": 1, "unitPrice": 5}],
        "paymentTerms": "Contado", "series": "WEB"}));
    let draft = office.draft(&json!({"receiver": {"rfc": "XAXX010101000", "legalName": "ANA RUIZ",
        "taxZip": "42501", "taxRegime": "616"}, "paymentForm": "01", "items": [item(5.0)]}));
    let number = |invoice: &Value, hyphen: &str| {
        let text = |name: &str| invoice[name].as_str().unwrap().to_owned();
        format!("{}{hyphen}{}", text("series"), text("folio"))
    };
    let uuid = anyone["uuid"].as_str().unwrap();
    let searches = [
        ("universidad".to_owned(), vec![1, 0]),
        ("española robótica".to_owned(), vec![1, 0]),
        ("ROBO univ".to_owned(), vec![1, 0]),
        ("ure180429tm6".to_owned(), vec![1, 0]),
        ("ure18".to_owned(), vec![1, 0]),
        ("pena".to_owned(), vec![2]),
        ("ana".to_owned(), vec![3, 2]),
        ("ana universidad".to_owned(), vec![]),
        ("niversidad".to_owned(), vec![]),
        ("envio 4500".to_owned(), vec![1]),
        ("taza".to_owned(), vec![3, 2, 1, 0]),
        ("taza universidad".to_owned(), vec![1, 0]),
        ("tz-9 peña".to_owned(), vec![2]),
        ("olla barro".to_owned(), vec![2]),
        ("barro ruiz".to_owned(), vec![]),
        ("contado".to_owned(), vec![2]),
        (number(&ordered, "-"), vec![0]),
        (number(&ordered, "").to_lowercase(), vec![0]),
        ("web 2".to_owned(), vec![2]),
        ("WEB2".to_owned(), vec![2]),
        ("web-2 ana".to_owned(), vec![2]),
        ("web-2 ruiz".to_owned(), vec![]),
        ("web".to_owned(), vec![2, 1]),
        ("1".to_owned(), vec![1, 0]),
        ("we-1".to_owned(), vec![]),
        (uuid.to_owned(), vec![2]),
        (uuid.to_lowercase().replace('-', ""), vec![2]),
        (uuid[..8].to_owned(), vec![2]),
        (uuid[..13].to_lowercase(), vec![2]),
        (format!("{} ana", &uuid[..6]), vec![2]),
        (format!("{} universidad", &uuid[..6]), vec![]),
        (order["orderNumber"].as_str().unwrap().to_owned(), vec![0]),
        ("ord-1".to_owned(), vec![0]),
        ("ord-2".to_owned(), vec![]),
        (id(&draft), vec![3]),
    ];
    let made = [&ordered, &company, &anyone, &draft].map(id).to_vec();
    (made, searches.into())
}

#[track_caller]
fn check(office: &Office, made: &[String], searches: &[(String, Vec<usize>)], how: &str) {
    for (search, places) in searches {
        let expected: Vec<String> = places.iter().map(|place| made[*place].clone()).collect();
        let total = json!(expected.len());
        assert_eq!(found(office, search, ""), (expected, total), "{search}, {how}");
    }
}

fn invoices_are_found_by_what_is_typed(kind: DatabaseKind) {
    let office = Office::open(kind);
    let (made, searches) = shop(&office);
    check(&office, &made, &searches, "in the rows");
    assert_eq!(found(&office, "ana", "&status=draft").0, [made[3].clone()]);
    assert_eq!(found(&office, "ana", "&sort=createdAt").0, [made[2].clone(), made[3].clone()]);
    let stranger = office.app.client_of(office.app.account(), "*");
    for search in ["ana", "1", &made[0]] {
        let page = stranger.get(&format!("/invoices?search={search}")).expect(200);
        assert_eq!(page["total"], 0, "{search}");
    }
    let refused = office.client.get("/invoices?search=a+b+c+d+e+f+g+h+i+j+k");
    let message = refused.refused(400, "validation_failed");
    assert!(message.contains("search must have at most 10 words"), "{message}");
}

/// Copies a draft into so many that are newer than all others, and that look as if they had been stamped now.
fn copy(office: &Office, draft: &str, copies: i64) {
    let columns = "account_id, status, kind, series, receiver_rfc, total, currency, installments, draft, document, \
        created_at, updated_at, version, facts_version";
    let figures = "account_id, subtotal, discount, transferred_iva, transferred_ieps, withheld_isr, withheld_iva, \
        withheld_ieps, local_charged, local_withheld, search_version";
    let copied = "'inv_7' || substr(CAST(10000000000000000 + i AS TEXT), 2) || '000000000'";
    let numbers = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {copies})"
    );
    let database = &office.app.database;
    database.execute(&format!(
        "{numbers} INSERT INTO invoices (id, stamped_at, {columns}) SELECT {copied}, {}, {columns} FROM invoices, n \
         WHERE id = '{draft}'",
        office.app.now().micros()
    ));
    database.execute(&format!(
        "{numbers} INSERT INTO invoice_facts (id, search_text, {figures}) \
         SELECT {copied}, 'copia n' || i, {figures} FROM invoice_facts, n WHERE id = '{draft}'"
    ));
    for table in ["invoices", "invoice_facts"] {
        database.analyze(table);
    }
}

fn old_invoices_are_found_in_the_index(kind: DatabaseKind) {
    let office = Office::open(kind);
    let (made, searches) = shop(&office);
    let copied = id(&office.draft(&json!({"receiver": company(), "paymentForm": "03",
        "series": "COPIA", "items": [item(1.16)]})));
    copy(&office, &copied, MANY);
    let _ = office.client.delete(&format!("/invoices/{copied}")).expect(200);
    check(&office, &made, &searches, "in the index");
    assert_eq!(found(&office, "ana", "&sort=updatedAt").1, 2);
    let (rows, total) = found(&office, "copia n150", "&limit=2");
    assert_eq!((rows.len(), total), (2, json!(11)), "150, and 1500 to 1509");
    let about = found(&office, "copia", "").1.as_i64().unwrap();
    assert!((about - MANY).abs() < MANY / 50, "{about}");
    // Words of few and of many are summed up alike.
    let (from, to) = (office.app.now().plus_seconds(-3_600), office.app.now().plus_seconds(3_600));
    for (search, count) in [("copia", MANY), ("copia+n150", 11), ("ana", 1), ("nadie", 0)] {
        let query = format!("stampedFrom={from}&stampedTo={to}&search={search}");
        let answer = office.client.get(&format!("/invoices/sums?{query}")).expect(200);
        let sums = answer["sums"].as_array().unwrap();
        let counted: i64 = sums.iter().map(|group| group["count"].as_i64().unwrap()).sum();
        assert_eq!(counted, count, "{search}: {answer}");
        if search.starts_with("copia") {
            let expected = json!({"iva": Amount::from_micros(160_000 * count), "ieps": 0});
            assert_eq!(sums[0]["transferred"], expected);
            assert_eq!(sums[0]["subtotal"], json!(count), "{answer}");
        }
    }
    // Nobody was told of the copies, which the books would show.
    office.app.database.execute("DELETE FROM invoices WHERE id LIKE 'inv_7%'");
}

fn terms_follow_the_draft(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(5.0);
    assert_eq!(found(&office, "universidad", "").0, [draft.as_str()]);
    let _ = office
        .change(
            &draft,
            &json!({"notes": "Urgente", "receiver": {"rfc": "XAXX010101000",
        "legalName": "ANA", "taxZip": "42501", "taxRegime": "616"}}),
        )
        .expect(200);
    assert_eq!(found(&office, "universidad", "").1, 0);
    assert_eq!(found(&office, "urgente ana", "").0, [draft.as_str()]);
    let copy = id(&office.client.act(&format!("/invoices/{draft}/copy")).expect(201));
    assert_eq!(found(&office, "ana", "").0, [copy.clone(), draft.clone()]);
    let _ = office.client.delete(&format!("/invoices/{draft}")).expect(200);
    let _ = office.stamp(&copy).expect(200);
    assert_eq!(found(&office, "ana", "").0, [copy]);
    let kept = office.app.database.lines("SELECT id AS line FROM invoice_facts");
    assert_eq!(kept.len(), 1, "a deleted draft leaves none");
}

/// Nodes of the last release, which may run beside this one for a while, know nothing of terms.
fn rows_of_before_and_of_other_releases_are_made_anew(kind: DatabaseKind) {
    let office = Office::open(kind);
    let stamped = id(&office.stamped_sale(116.0));
    let draft = office.sale(5.0);
    let database = &office.app.database;
    let forget = || {
        database.execute("DELETE FROM invoice_facts");
        database.execute("UPDATE invoices SET facts_version = 0");
        found(&office, "universidad", "").1
    };
    // The service keeps house by itself as well, and may be at it just now.
    assert!((0..10).any(|_| forget() == 0));
    office.app.housekeep();
    assert_eq!(found(&office, "universidad", "").0, [draft.clone(), stamped.clone()]);
    // Such a node changes a draft, and one of this release stamps it before the terms are made anew.
    let version = office.read(&draft)["updatedAt"].clone();
    database.execute(&format!(
        "UPDATE invoices SET draft = replace(draft, 'UNIVERSIDAD ROBOTICA', 'COLEGIO ROBOTICA'), \
         version = version + 1 WHERE id = '{draft}'"
    ));
    assert_eq!(office.read(&draft)["updatedAt"], version);
    let _ = office.stamp(&draft);
    office.app.housekeep();
    assert_eq!(found(&office, "colegio", "").0, [draft]);
    assert_eq!(found(&office, "universidad", "").0, [stamped.as_str()]);
    let outdated = "SELECT id AS line FROM invoices WHERE facts_version <> version";
    assert_eq!(database.lines(outdated), [""; 0]);
    // Terms of older rules are made anew, too.
    let older = || {
        database.execute("UPDATE invoice_facts SET search_text = 'otra', search_version = 0");
        found(&office, "universidad", "").1
    };
    assert!((0..10).any(|_| older() == 0));
    office.app.housekeep();
    assert_eq!(found(&office, "universidad taza", "").0, [stamped]);
    let outdated = "SELECT id AS line FROM invoice_facts WHERE search_version < 1";
    assert_eq!(database.lines(outdated), [""; 0]);
}
