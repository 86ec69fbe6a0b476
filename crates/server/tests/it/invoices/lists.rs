//! Lists of invoices: filters, pages, cursors.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, id, item, sale, sale_in_parts};

on_both!(
    filters_find_invoices,
    what_release_0_1_0_stamps_is_found_by_its_moment,
    pages_and_cursors_lead_through_all,
    wrong_filters_are_named,
);

/// The identifiers that a list shows.
#[track_caller]
fn listed(office: &Office, query: &str) -> Vec<String> {
    let page = office.client.get(&format!("/invoices?{query}")).expect(200);
    let rows = page["data"].as_array().unwrap();
    if !query.contains("cursor") && !query.contains("page") && !query.contains("limit") {
        assert_eq!(page["total"], rows.len(), "{query}");
    }
    rows.iter().map(id).collect()
}

fn filters_find_invoices(kind: DatabaseKind) {
    let office = Office::open(kind);
    let customer = office.customer();
    let mug = office.product("TAZA", 19.99, &json!({}));
    let order = office.order(&customer, &[(&mug, 1)]);

    let draft = office.sale(116.0);
    // Identifiers are made of the machine's own time.
    let pause = || std::thread::sleep(std::time::Duration::from_millis(20));
    pause();
    let second_moment = office.app.now().to_string();
    let ordered = office.stamped(&json!({"orderId": order["id"], "paymentForm": "03"}));
    let owed = office.stamped(&sale_in_parts(116.0));
    pause();
    let third_moment = office.app.now().to_string();
    let mut web = sale(58.0);
    web["series"] = json!("WEB");
    web["receiver"] = json!({"rfc": "XAXX010101000", "legalName": "ANA", "taxZip": "42501",
        "taxRegime": "616"});
    let web = office.stamped(&web);
    let cancelled = office.stamped_sale(116.0);
    let _ = office.cancel(&id(&cancelled), "02").expect(200);
    let receipt = office.stamped(&json!({"type": "P", "payments": [{"paidAt": third_moment,
        "paymentForm": "03", "amount": 16, "documents": [{"invoiceId": owed["id"], "amount": 16}]}]}));
    let note =
        id(&office.draft(&json!({"type": "E", "customerId": customer, "items": [item(1.0)]})));

    let (ordered_id, owed_id, web_id) = (id(&ordered), id(&owed), id(&web));
    let (cancelled_id, receipt_id) = (id(&cancelled), id(&receipt));
    let all = [&note, &receipt_id, &cancelled_id, &web_id, &owed_id, &ordered_id, &draft];
    let uuid = |invoice: &Value| invoice["uuid"].as_str().unwrap().to_owned();
    let (customer_query, order_query) =
        (format!("customerId={customer}"), format!("orderId={}", id(&order)));
    let cases: Vec<(String, Vec<&String>)> = vec![
        (String::new(), all.to_vec()),
        ("status=draft".to_owned(), vec![&note, &draft]),
        ("folio=1".to_owned(), vec![&receipt_id, &web_id, &ordered_id]),
        ("folio=1&series=WEB".to_owned(), vec![&web_id]),
        ("folio=99".to_owned(), vec![]),
        ("cancellationStatus=accepted".to_owned(), vec![&cancelled_id]),
        ("cancellationStatus=requested".to_owned(), vec![]),
        (
            "cancellationStatus=none&status=stamped".to_owned(),
            vec![&receipt_id, &web_id, &owed_id, &ordered_id],
        ),
        (format!("stampedFrom={third_moment}"), vec![&receipt_id, &cancelled_id, &web_id]),
        (format!("stampedTo={third_moment}"), vec![&owed_id, &ordered_id]),
        (
            format!("stampedFrom={second_moment}&stampedTo={third_moment}"),
            vec![&owed_id, &ordered_id],
        ),
        ("status=stamping".to_owned(), vec![]),
        ("status=stamped".to_owned(), vec![&receipt_id, &web_id, &owed_id, &ordered_id]),
        ("status=cancelled".to_owned(), vec![&cancelled_id]),
        ("type=I".to_owned(), vec![&cancelled_id, &web_id, &owed_id, &ordered_id, &draft]),
        ("type=E".to_owned(), vec![&note]),
        ("type=P".to_owned(), vec![&receipt_id]),
        ("type=T".to_owned(), vec![]),
        (customer_query.clone(), vec![&note, &ordered_id]),
        (format!("{customer_query}&status=draft"), vec![&note]),
        (order_query, vec![&ordered_id]),
        (format!("uuid={}", uuid(&web)), vec![&web_id]),
        (format!("uuid={}", uuid(&web).to_lowercase()), vec![&web_id]),
        ("series=WEB".to_owned(), vec![&web_id]),
        ("series=web".to_owned(), vec![]),
        ("rfc=XAXX010101000".to_owned(), vec![&web_id]),
        ("rfc=xaxx010101000".to_owned(), vec![&web_id]),
        (format!("createdFrom={third_moment}"), vec![&note, &receipt_id, &cancelled_id, &web_id]),
        (format!("createdTo={second_moment}"), vec![&draft]),
        (
            format!("createdFrom={second_moment}&createdTo={third_moment}"),
            vec![&owed_id, &ordered_id],
        ),
        (format!("createdFrom={second_moment}&status=draft&type=E"), vec![&note]),
    ];
    for (query, expected) in cases {
        let found = listed(&office, &query);
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{query}");
    }
    // A row is the invoice itself.
    let page = office.client.get("/invoices?type=P").expect(200);
    assert_eq!(page["data"][0], office.read(&receipt_id));
}

/// Its nodes, which may run beside this release for a while, do not record the moment where lists look for it.
fn what_release_0_1_0_stamps_is_found_by_its_moment(kind: DatabaseKind) {
    let office = Office::open(kind);
    let stamped = id(&office.stamped_sale(116.0));
    let cancelled = office.stamped_sale(58.0);
    let _ = office.cancel(&id(&cancelled), "02").expect(200);
    let draft = office.sale(5.0);
    let moments = || {
        office
            .app
            .database
            .lines("SELECT id || ' ' || COALESCE(stamped_at, 0) AS line FROM invoices ORDER BY id")
    };
    let before = moments();
    office.app.database.execute("UPDATE invoices SET stamped_at = NULL");
    let since = format!("stampedFrom={}", office.app.now().plus_seconds(-3_600));
    assert_eq!(listed(&office, &since), Vec::<String>::new());
    office.app.housekeep();
    assert_eq!(listed(&office, &since), [id(&cancelled), stamped]);
    let milliseconds = |lines: Vec<String>| -> Vec<String> {
        lines.iter().map(|line| line[..line.len().saturating_sub(3)].to_owned()).collect()
    };
    assert_eq!(milliseconds(moments()), milliseconds(before));
    assert_eq!(office.read(&draft)["status"], "draft");
}

fn pages_and_cursors_lead_through_all(kind: DatabaseKind) {
    let office = Office::open(kind);
    let made: Vec<String> = (0..7).map(|number| office.sale(f64::from(number + 1))).collect();
    let newest_first: Vec<_> = made.iter().rev().cloned().collect();
    assert_eq!(listed(&office, ""), newest_first);
    assert_eq!(listed(&office, "page=2&limit=3"), newest_first[3..6]);
    assert_eq!(listed(&office, "page=4&limit=3"), [] as [String; 0]);
    let (mut walked, mut query) = (Vec::new(), "limit=2".to_owned());
    loop {
        let page = office.client.get(&format!("/invoices?{query}")).expect(200);
        walked.extend(page["data"].as_array().unwrap().iter().map(id));
        // What is made meanwhile does not move the walk.
        let _ = office.sale(1.0);
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        query = format!("limit=2&cursor={cursor}");
    }
    assert_eq!(walked, newest_first);
}

fn wrong_filters_are_named(kind: DatabaseKind) {
    let office = Office::open(kind);
    for query in [
        "status=paid",
        "type=N",
        "type=i",
        "customerId=1",
        "orderId=inv_1",
        "uuid=1",
        "rfc=X",
        "createdFrom=yesterday",
        "createdTo=2026",
        "page=0",
        "limit=0",
        "cursor=x",
        "folio=0",
        "folio=F1",
        "cancellationStatus=open",
        "stampedFrom=yesterday",
        "folioo=1",
    ] {
        let refused = office.client.get(&format!("/invoices?{query}"));
        let message = refused.refused(400, "validation_failed");
        assert!(message.contains(query.split('=').next().unwrap()), "{query}: {message}");
    }
}
