//! Leads over HTTP, and what they become.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use crate::customers::Desk;

testkit::on_both!(
    a_lead_needs_a_name_only,
    a_lead_keeps_everything_it_is_given,
    a_patch_merges_and_null_clears,
    what_was_read_can_be_sent_back,
    stale_changes_are_refused,
    a_lead_moves_freely_until_it_is_converted,
    filters_find_leads,
    a_new_customer_is_made_of_a_lead,
    a_lead_is_linked_to_the_customer_with_its_email,
    a_lead_is_linked_to_the_customer_that_is_named,
    what_the_caller_says_of_the_deal_counts,
    a_second_conversion_answers_the_same_deal_and_tells_nothing,
    a_conversion_repeated_with_its_key_is_replayed,
    a_conversion_whose_customer_is_gone_says_so,
    a_lost_lead_is_not_converted,
    a_deleted_lead_leaves_its_deal,
);

const ALL: &str = "/crm/leads";

fn everything() -> Value {
    json!({
        "name": "Rosa Peña", "email": "rosa@example.com", "phone": "+525512345678",
        "company": "Peña y Hermanos", "source": "web", "status": "contacted",
        "estimatedValue": 25000.5, "currency": "USD", "ownerId": "luis",
        "notes": "Llamar\nel martes", "tags": ["mayoreo", "feria"],
        "metadata": {"feria": "Expo 2026", "stand": 12},
    })
}

fn convert(desk: &Desk, lead: &Value, body: &Value) -> Value {
    desk.client.post(&conversion_of(lead), body).expect(200)
}

fn conversion_of(lead: &Value) -> String {
    format!("{}/convert", Desk::place(ALL, lead))
}

fn id_of(resource: &Value) -> String {
    resource["id"].as_str().unwrap().to_owned()
}

/// How many deals there are.
fn deals(desk: &Desk) -> usize {
    desk.app.database.lines("SELECT id AS line FROM deals").len()
}

fn a_lead_needs_a_name_only(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &json!({"name": "Rosa"}));
    let expected = json!({
        "id": made["id"], "externalId": null, "name": "Rosa", "email": null, "phone": null, "company": null,
        "source": null, "status": "new", "estimatedValue": null, "currency": "MXN",
        "ownerId": null, "notes": null, "tags": [], "metadata": {}, "dealId": null, "customerId": null, "mergedInto": null,
        "createdAt": made["createdAt"], "updatedAt": made["createdAt"],
    });
    assert_eq!(made, expected);
    let told = json!({"id": made["id"], "email": "", "source": ""});
    assert_eq!(desk.events("lead.created"), [told]);
}

fn a_lead_keeps_everything_it_is_given(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    for (name, value) in everything().as_object().unwrap() {
        assert_eq!(made[name], *value, "{name}");
    }
    let told = json!({"id": made["id"], "email": "rosa@example.com", "source": "web"});
    assert_eq!(desk.events("lead.created"), [told]);
    desk.create(ALL, &everything());
    assert_eq!(desk.show(ALL)["total"], 2, "two leads may share an address");
}

fn a_patch_merges_and_null_clears(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    let place = Desk::place(ALL, &made);
    let changed = desk.change(&place, &json!({"estimatedValue": 0.01, "tags": []}));
    let mut expected = made;
    expected["estimatedValue"] = json!(0.01);
    expected["tags"] = json!([]);
    expected["updatedAt"] = changed["updatedAt"].clone();
    assert_eq!(changed, expected);
    // Each tag once, where it comes first.
    let again = desk.change(&place, &json!({"tags": ["feria", "web", "feria", "Web", "web"]}));
    assert_eq!(again["tags"], json!(["feria", "web", "Web"]));
    let twice = json!({"name": "Luz", "tags": ["a", "b", "a"]});
    assert_eq!(desk.create(ALL, &twice)["tags"], json!(["a", "b"]));
    let optional = ["email", "phone", "company", "source", "estimatedValue", "ownerId", "notes"];
    let nulls: Value = optional.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
    let cleared = desk.change(&place, &nulls);
    assert!(optional.iter().all(|name| cleared[name].is_null()), "{cleared}");
    for field in ["name", "status", "currency", "tags"] {
        let refused = desk.client.patch(&place, &json!({field: null}));
        let message = refused.refused(400, "validation_failed");
        assert_eq!(message, format!("{field} must not be null"));
    }
}

fn what_was_read_can_be_sent_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    desk.assert_survives_a_round_trip(&Desk::place(ALL, &made));
    convert(&desk, &made, &json!({}));
    desk.assert_survives_a_round_trip(&Desk::place(ALL, &made));
}

fn stale_changes_are_refused(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    let changes = [json!({"notes": "A"}), json!({"notes": "B"})];
    let place = Desk::place(ALL, &made);
    desk.assert_guards_against_lost_updates(&place, [&changes[0], &changes[1]]);
}

fn a_lead_moves_freely_until_it_is_converted(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lead = desk.create(ALL, &everything());
    let place = Desk::place(ALL, &lead);
    for status in ["new", "contacted", "qualified", "lost", "new", "qualified"] {
        assert_eq!(desk.change(&place, &json!({"status": status}))["status"], status);
    }
    let refused = desk.client.patch(&place, &json!({"status": "converted"}));
    assert!(refused.refused(409, "invalid_transition").contains("/convert"));
    convert(&desk, &lead, &json!({}));
    for status in ["new", "contacted", "qualified", "lost"] {
        let refused = desk.client.patch(&place, &json!({"status": status, "notes": "changed"}));
        let message = refused.refused(409, "invalid_transition");
        assert!(message.contains("stays converted"), "{message}");
    }
    let after = desk.change(&place, &json!({"status": "converted", "notes": "paid already"}));
    assert_eq!((&after["status"], &after["notes"]), (&json!("converted"), &json!("paid already")));
    assert_eq!(desk.event_names(), ["lead.created", "contact.created", "lead.converted"]);
}

fn filters_find_leads(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.create(ALL, &everything());
    desk.app.advance_seconds(60);
    desk.create(ALL, &json!({"name": "Íñigo", "source": "feria", "status": "lost"}));
    let since = desk.show(ALL)["data"][0]["createdAt"].as_str().unwrap().to_owned();
    let cases: &[(&str, &[&str])] = &[
        ("", &["Íñigo", "Rosa Peña"]),
        ("search=pena", &["Rosa Peña"]),
        ("search=INIGO", &["Íñigo"]),
        ("search=hermanos", &["Rosa Peña"]),
        ("search=rosa@", &["Rosa Peña"]),
        ("search=5512", &["Rosa Peña"]),
        ("status=contacted", &["Rosa Peña"]),
        ("status=lost", &["Íñigo"]),
        ("status=new", &[]),
        ("source=web", &["Rosa Peña"]),
        ("source=WEB", &[]),
        ("ownerId=luis", &["Rosa Peña"]),
        ("ownerId=ana", &[]),
        (&format!("updatedSince={since}"), &["Íñigo"]),
        ("limit=1", &["Íñigo"]),
        ("limit=1&page=2", &["Rosa Peña"]),
        ("source=web&status=lost", &[]),
    ];
    for (query, names) in cases {
        assert_eq!(desk.names(&format!("{ALL}?{query}")), *names, "{query}");
    }
    let cursor = desk.show("/crm/leads?limit=1")["nextCursor"].as_str().unwrap().to_owned();
    desk.create(ALL, &json!({"name": "late"}));
    assert_eq!(desk.names(&format!("{ALL}?cursor={cursor}")), ["Rosa Peña"]);
}

fn a_new_customer_is_made_of_a_lead(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lead = desk.create(ALL, &everything());
    let done = convert(&desk, &lead, &json!({}));
    assert_eq!(done["lead"]["status"], "converted");
    assert_eq!(done["lead"], desk.show(&Desk::place(ALL, &lead)));
    assert_eq!(done["customer"], desk.show(&Desk::place("/customers", &done["customer"])));
    for field in ["name", "email", "phone"] {
        assert_eq!(done["customer"][field], lead[field], "{field}");
    }
    let deal = &done["deal"];
    let expected = json!({
        "id": done["lead"]["dealId"], "title": "Peña y Hermanos", "value": 25000.5,
        "currency": "USD", "status": "open", "customerId": done["lead"]["customerId"],
        "leadId": lead["id"], "ownerId": "luis", "createdAt": deal["createdAt"],
        "updatedAt": deal["createdAt"], "pipelineId": deal["pipelineId"], "stageId": deal["stageId"],
        "lostReason": null, "expectedCloseDate": null, "wonAt": null, "lostAt": null,
    });
    assert_eq!(*deal, expected);
    assert!(deal["stageId"].is_string());
    assert_eq!(deal["customerId"], done["customer"]["id"]);
    assert_eq!(desk.event_names(), ["lead.created", "contact.created", "lead.converted"]);
    let contact = json!({"id": deal["customerId"], "email": "rosa@example.com"});
    assert_eq!(desk.events("contact.created"), [contact]);
    let converted = json!({"leadId": lead["id"], "dealId": deal["id"]});
    assert_eq!(desk.events("lead.converted"), [converted]);
    assert_eq!(desk.show("/customers")["total"], 1);
}

fn a_lead_is_linked_to_the_customer_with_its_email(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let customer = json!({"name": "Rosa (known)", "email": "ROSA@Example.com"});
    let customer = desk.create("/customers", &customer);
    let lead = desk.create(ALL, &everything());
    let done = convert(&desk, &lead, &json!({}));
    assert_eq!(done["customer"], customer, "linked, not changed");
    assert_eq!(desk.event_names(), ["contact.created", "lead.created", "lead.converted"]);
    assert_eq!(desk.show("/customers")["total"], 1);
}

fn a_lead_is_linked_to_the_customer_that_is_named(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let rosa = json!({"name": "Rosa", "email": "rosa@example.com"});
    desk.create("/customers", &rosa);
    let other = desk.create("/customers", &json!({"name": "Peña y Hermanos"}));
    let lead = desk.create(ALL, &everything());
    let nobody = json!({"customerId": "cus_01ARZ3NDEKTSV4RRFFQ69G5FAV"});
    let refused = desk.client.post(&conversion_of(&lead), &nobody);
    let message = refused.refused(400, "validation_failed");
    assert_eq!(message, "customerId names no customer of this account");
    assert_eq!(desk.show(&Desk::place(ALL, &lead)), lead, "nothing came of it");
    let done = convert(&desk, &lead, &json!({"customerId": other["id"]}));
    assert_eq!(done["customer"], other);
    assert_eq!(deals(&desk), 1);
}

fn what_the_caller_says_of_the_deal_counts(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lead = desk.create(ALL, &everything());
    let body = br#"{"title": "Tazas", "value": 12345678901.123456, "currency": "MXN"}"#;
    let reply = desk.client.send_raw("POST", &conversion_of(&lead), body.to_vec());
    assert!(reply.text.contains("\"value\":12345678901.123456,"), "exactly: {}", reply.text);
    let deal = reply.expect(200)["deal"].clone();
    assert_eq!((&deal["title"], &deal["currency"]), (&json!("Tazas"), &json!("MXN")));

    let bare = desk.create(ALL, &json!({"name": "Beto"}));
    let done = desk.client.send_raw("POST", &conversion_of(&bare), Vec::new()).expect(200);
    assert_eq!((&done["deal"]["title"], &done["deal"]["value"]), (&json!("Beto"), &json!(0)));
    let other = desk.create(ALL, &json!({"name": "Carla"}));
    let reply = testkit::Reply::to(desk.client.request("POST", &conversion_of(&other)));
    assert_eq!(reply.status, 200, "a body is not needed: {}", reply.text);
    assert_eq!(desk.show("/customers")["total"], 3, "without an address each is a new customer");
}

fn a_second_conversion_answers_the_same_deal_and_tells_nothing(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lead = desk.create(ALL, &everything());
    let other = desk.create("/customers", &json!({"name": "Other"}));
    let first = convert(&desk, &lead, &json!({}));
    let events = desk.event_names();
    for body in [json!({}), json!({"title": "Another"}), json!({"customerId": other["id"]})] {
        assert_eq!(convert(&desk, &lead, &body), first, "{body}");
    }
    assert_eq!((desk.event_names(), deals(&desk)), (events, 1));
}

fn a_conversion_repeated_with_its_key_is_replayed(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (lead, other) = (desk.create(ALL, &everything()), desk.create(ALL, &everything()));
    let (place, body) = (conversion_of(&lead), json!({"value": 7}));
    let first = desk.client.post_once(&place, "k-1", &body);
    assert_eq!((first.status, first.header("idempotent-replayed")), (200, None));
    let again = desk.client.post_once(&place, "k-1", &body);
    assert_eq!((again.status, again.header("idempotent-replayed")), (200, Some("true")));
    assert_eq!(again.text, first.text);
    let changed = desk.client.post_once(&place, "k-1", &json!({"value": 8}));
    assert!(!changed.refused(422, "idempotency_key_reused").is_empty());
    let elsewhere = desk.client.post_once(&conversion_of(&other), "k-1", &body);
    assert_eq!(elsewhere.header("idempotent-replayed"), None, "another path is another request");
    assert_eq!((elsewhere.status, deals(&desk)), (200, 2));
    assert_eq!(desk.events("lead.converted").len(), 2);
    assert_eq!(desk.events("contact.created").len(), 1);
}

/// Earlier versions let a customer go at the moment of the conversion.
fn a_conversion_whose_customer_is_gone_says_so(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lead = desk.create(ALL, &json!({"name": "Rosa"}));
    let customer = id_of(&convert(&desk, &lead, &json!({}))["customer"]);
    let database = &desk.app.database;
    let _ = database
        .lines(&format!("DELETE FROM customers WHERE id = '{customer}' RETURNING id AS line"));
    let _ = database.lines(
        "UPDATE counters SET value = 0 WHERE name = 'customers' RETURNING account_id AS line",
    );
    let again = desk.client.post(&conversion_of(&lead), &json!({}));
    let message = again.refused(409, "conflict");
    assert!(message.contains(&customer), "{message}");
}

fn a_lost_lead_is_not_converted(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lead = desk.create(ALL, &json!({"name": "Rosa", "status": "lost"}));
    let refused = desk.client.post(&conversion_of(&lead), &json!({}));
    assert!(refused.refused(409, "invalid_transition").contains("qualified"));
    assert_eq!((desk.show("/customers")["total"].clone(), deals(&desk)), (json!(0), 0));
    desk.change(&Desk::place(ALL, &lead), &json!({"status": "qualified"}));
    convert(&desk, &lead, &json!({}));
}

fn a_deleted_lead_leaves_its_deal(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lead = desk.create(ALL, &everything());
    convert(&desk, &lead, &json!({}));
    desk.delete(ALL, lead["id"].as_str().unwrap());
    let refused = desk.client.post(&conversion_of(&lead), &json!({}));
    assert!(!refused.refused(404, "not_found").is_empty());
    assert_eq!((deals(&desk), desk.show("/customers")["total"].clone()), (1, json!(1)));
    let names = ["lead.created", "contact.created", "lead.converted"];
    assert_eq!(desk.event_names(), names, "the catalog has no event for a deletion");
}
