//! Activities, and leads that are one and the same.

use std::thread;

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply};

use super::{ALL as DEALS, Desk, id_of, opened};

testkit::on_both!(
    an_activity_is_due_and_done,
    an_activity_is_changed_as_it_was_read,
    a_note_is_never_to_be_done,
    filters_find_activities,
    what_is_due_at_no_moment_comes_last_on_every_page,
    activities_go_with_their_deal_and_stay_without_others,
    leads_that_look_alike_are_found,
    leads_are_made_one,
    what_is_part_of_another_is_not_listed,
    what_is_part_of_another_is_not_changed,
    two_conversions_are_not_made_one,
    an_external_id_goes_along,
);

const ALL: &str = "/crm/activities";
const LEADS: &str = "/crm/leads";

fn an_activity_is_due_and_done(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let body = json!({"kind": "call", "subject": "Llamar", "dueAt": "2026-12-01T17:00:00.000Z", "assigneeId": "luis"});
    let made = desk.create(ALL, &body);
    for (name, value) in body.as_object().unwrap() {
        assert_eq!(made[name], *value, "{name}");
    }
    assert_eq!((&made["done"], &made["doneAt"]), (&json!(false), &Value::Null));
    let place = Desk::place(ALL, &made);
    let done = desk.change(&place, &json!({"done": true}));
    assert!(done["doneAt"].is_string());
    assert_eq!(desk.change(&place, &json!({"done": true})), done);
    assert_eq!(desk.change(&place, &json!({"done": false}))["doneAt"], Value::Null);
    desk.delete(ALL, &id_of(&made));
}

fn an_activity_is_changed_as_it_was_read(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &json!({"kind": "task", "subject": "Empacar"}));
    let place = Desk::place(ALL, &made);
    desk.assert_survives_a_round_trip(&place);
    let changes = [&json!({"subject": "A"}), &json!({"subject": "B"})];
    desk.assert_guards_against_lost_updates(&place, changes);
}

fn a_note_is_never_to_be_done(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for (body, field) in [
        (json!({"kind": "note", "subject": "A", "done": true}), "done"),
        (json!({"kind": "note", "subject": "A", "dueAt": "2026-12-01T17:00:00Z"}), "dueAt"),
        (json!({"kind": "sms", "subject": "A"}), "kind"),
        (json!({"kind": "task"}), "subject"),
    ] {
        let refused = desk.client.post(ALL, &body).refused(400, "validation_failed");
        assert!(refused.contains(field), "{refused}");
    }
    let lost = json!({"kind": "note", "subject": "A", "dueAt": "2026-12-01T17:00:00Z",
        "customerId": "cus_01ARZ3NDEKTSV4RRFFQ69G5FAV"});
    let refused = desk.client.post(ALL, &lost).refused(400, "validation_failed");
    assert!(refused.contains("customerId ") && refused.contains("dueAt "), "{refused}");
    let note = desk.create(ALL, &json!({"kind": "note", "subject": "A"}));
    desk.assert_survives_a_round_trip(&Desk::place(ALL, &note));
}

fn filters_find_activities(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let deal = opened(&desk, "Tazas");
    let due = |subject: &str, at: &str| {
        desk.create(ALL, &json!({"kind": "task", "subject": subject, "dueAt": at}));
    };
    due("late", "2026-01-01T00:00:00Z");
    due("soon", "2026-12-31T00:00:00Z");
    desk.create(ALL, &json!({"kind": "note", "subject": "note", "dealId": deal}));
    desk.create(
        ALL,
        &json!({"kind": "call", "subject": "done", "done": true, "assigneeId": "luis"}),
    );
    for (query, expected) in [
        ("", vec!["done", "note", "soon", "late"]),
        ("sort=createdAt", vec!["late", "soon", "note", "done"]),
        ("sort=dueAt", vec!["late", "soon", "note", "done"]),
        ("sort=-dueAt", vec!["soon", "late", "done", "note"]),
        ("sort=-dueAt&dueTo=2027-01-01T00:00:00Z", vec!["soon", "late"]),
        ("done=false", vec!["soon", "late"]),
        ("done=true", vec!["done"]),
        ("done=false&dueTo=2026-06-01T00:00:00Z", vec!["late"]),
        ("dueFrom=2026-06-01T00:00:00Z", vec!["soon"]),
        ("kind=note", vec!["note"]),
        ("assigneeId=luis", vec!["done"]),
        (&format!("dealId={deal}"), vec!["note"]),
    ] {
        let page = desk.show(&format!("{ALL}?{query}"));
        let rows = page["data"].as_array().unwrap().iter();
        let subjects: Vec<_> = rows.map(|row| row["subject"].as_str().unwrap()).collect();
        assert_eq!(subjects, expected, "{query}");
    }
}

fn what_is_due_at_no_moment_comes_last_on_every_page(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for (number, at) in [None, Some(2), Some(1), None, Some(2), None].into_iter().enumerate() {
        let due_at = at.map(|day| format!("2026-12-0{day}T00:00:00Z"));
        let subject = number.to_string();
        desk.create(ALL, &json!({"kind": "task", "subject": subject, "dueAt": due_at}));
    }
    let subjects = |page: &Value| -> Vec<String> {
        let rows = page["data"].as_array().unwrap().iter();
        rows.map(|row| row["subject"].as_str().unwrap().to_owned()).collect()
    };
    for (sort, expected) in
        [("dueAt", ["2", "1", "4", "0", "3", "5"]), ("-dueAt", ["4", "1", "2", "5", "3", "0"])]
    {
        for limit in 1..=6 {
            let ask = |more: &str| desk.show(&format!("{ALL}?sort={sort}&limit={limit}{more}"));
            let (mut by_cursor, mut by_number) = (Vec::new(), Vec::new());
            let mut more = String::new();
            for number in 1..=6 {
                by_number.extend(subjects(&ask(&format!("&page={number}"))));
                let page = ask(&more);
                assert_eq!(page["total"], 6);
                by_cursor.extend(subjects(&page));
                match page["nextCursor"].as_str() {
                    Some(next) => more = format!("&cursor={next}"),
                    None => break,
                }
            }
            assert_eq!(by_cursor, expected, "{sort} {limit}");
            assert_eq!(by_number, expected, "{sort} {limit}");
        }
    }
}

fn activities_go_with_their_deal_and_stay_without_others(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let deal = opened(&desk, "Tazas");
    let lead = id_of(&desk.create(LEADS, &json!({"name": "Rosa"})));
    let customer = id_of(&desk.create("/customers", &json!({"name": "Rosa"})));
    let about = |field: &str, id: &str| {
        desk.create(ALL, &json!({"kind": "note", "subject": field, field: id}))
    };
    let of_deal = Desk::place(ALL, &about("dealId", &deal));
    let of_lead = Desk::place(ALL, &about("leadId", &lead));
    let of_customer = Desk::place(ALL, &about("customerId", &customer));
    let both = json!({"kind": "note", "subject": "both", "dealId": deal, "customerId": customer});
    let of_both = Desk::place(ALL, &desk.create(ALL, &both));
    desk.delete(DEALS, &deal);
    let kept = desk.show(&of_both);
    assert_eq!((&kept["dealId"], &kept["customerId"]), (&Value::Null, &json!(customer)));
    assert_ne!(kept["updatedAt"], kept["createdAt"], "a change that lists show");
    desk.delete(LEADS, &lead);
    desk.delete("/customers", &customer);
    assert!(!desk.client.get(&of_deal).refused(404, "not_found").is_empty());
    assert_eq!(desk.show(&of_lead)["leadId"], Value::Null);
    assert_eq!(desk.show(&of_customer)["customerId"], Value::Null);
}

fn duplicates(desk: &Desk, lead: &Value) -> Vec<(String, Value)> {
    let page = desk.show(&format!("{}/duplicates", Desk::place(LEADS, lead)));
    let rows = page["data"].as_array().unwrap().iter();
    rows.map(|row| (id_of(&row["lead"]), row["matchedBy"].clone())).collect()
}

fn merge(desk: &Desk, into: &Value, from: &[&Value]) -> Value {
    let from: Vec<_> = from.iter().map(|lead| id_of(lead)).collect();
    let path = format!("{}/merge", Desk::place(LEADS, into));
    let merged = desk.client.post(&path, &json!({"from": from})).expect(200);
    assert_eq!(desk.show(&Desk::place(LEADS, into)), merged);
    merged
}

fn leads_that_look_alike_are_found(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lead = |body: Value| desk.create(LEADS, &body);
    let one = lead(json!({"name": "Ana", "email": "ana@example.com", "phone": "+525512345678"}));
    let by_email = lead(json!({"name": "A.", "email": "Ana@Example.COM"}));
    let by_both = lead(json!({"name": "B.", "email": "ana@example.com", "phone": "+525512345678"}));
    lead(json!({"name": "C.", "email": "mariana@example.com", "phone": "+525512345679"}));
    lead(json!({"name": "ana@example.com"}));
    let expected =
        [(id_of(&by_both), json!(["email", "phone"])), (id_of(&by_email), json!(["email"]))];
    assert_eq!(duplicates(&desk, &one), expected);
    let nobody = lead(json!({"name": "D."}));
    assert_eq!(duplicates(&desk, &nobody), []);
}

fn leads_are_made_one(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let into = desk.create(
        LEADS,
        &json!({"name": "Ana", "email": "ana@example.com", "notes": "uno", "tags": ["a"], "metadata": {"feria": "norte"}}),
    );
    let from = desk.create(
        LEADS,
        &json!({"name": "Ana F.", "phone": "+525512345678", "company": "Flores", "notes": "dos", "tags": ["a", "b"],
            "metadata": {"feria": "sur", "stand": 3}, "estimatedValue": 7, "currency": "USD"}),
    );
    let place = Desk::place(LEADS, &from);
    let converted = desk.client.act(&format!("{place}/convert")).expect(200);
    let deal = format!("{DEALS}/{}", id_of(&converted["deal"]));
    let activity = json!({"kind": "call", "subject": "Llamar", "leadId": from["id"]});
    let activity = Desk::place(ALL, &desk.create(ALL, &activity));
    let known = desk.client.get(&activity);
    let merged = merge(&desk, &into, &[&from]);
    let tag = known.header("etag").expect("an entity tag");
    let request = desk.client.request("GET", &activity).header("If-None-Match", tag);
    assert_eq!(Reply::to(request).status, 200, "what was merged is another version");
    let expected = json!({"name": "Ana", "email": "ana@example.com", "phone": "+525512345678", "company": "Flores",
        "notes": "uno\n\ndos", "tags": ["a", "b"], "metadata": {"feria": "norte", "stand": 3}, "estimatedValue": 7, "currency": "USD", "status": "converted",
        "dealId": converted["deal"]["id"], "customerId": converted["customer"]["id"], "mergedInto": null});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(merged[name], *value, "{name}");
    }
    assert_eq!(
        (&desk.show(&deal)["leadId"], &desk.show(&activity)["leadId"]),
        (&into["id"], &into["id"])
    );
    assert_eq!(
        (&desk.show(&place)["mergedInto"], &desk.show(&place)["dealId"]),
        (&into["id"], &Value::Null)
    );
    assert_eq!(duplicates(&desk, &into), []);
    let again = desk.client.act(&format!("{}/convert", Desk::place(LEADS, &into))).expect(200);
    assert_eq!(again["deal"]["id"], converted["deal"]["id"]);
}

fn what_is_part_of_another_is_not_listed(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lead = |name: &str, source: &str| {
        desk.create(LEADS, &json!({"name": name, "source": source, "email": "ana@example.com"}))
    };
    let [into, one, other, last] = [("A", "feria"), ("B", "feria"), ("C", "web"), ("D", "web")]
        .map(|(name, from)| lead(name, from));
    let listed = |query: &str| {
        let page = desk.show(&format!("{LEADS}{query}"));
        let total = usize::try_from(page["total"].as_u64().unwrap()).unwrap();
        let mut names: Vec<String> = page["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|lead| lead["name"].as_str().unwrap().to_owned())
            .collect();
        names.sort_unstable();
        (names.concat(), total)
    };
    assert_eq!(listed(""), ("ABCD".to_owned(), 4));
    merge(&desk, &into, &[&one, &other]);
    let since = "updatedSince=2020-01-01T00:00:00Z";
    let ids = format!("ids={},{}", id_of(&one), id_of(&last));
    for (query, shown) in [
        (String::new(), "AD"),
        ("?sort=updatedAt".to_owned(), "AD"),
        ("?source=feria".to_owned(), "A"),
        ("?source=web&status=new".to_owned(), "D"),
        ("?search=ana".to_owned(), "AD"),
        ("?includeMerged=false".to_owned(), "AD"),
        ("?includeMerged=true".to_owned(), "ABCD"),
        ("?includeMerged=true&source=feria".to_owned(), "AB"),
        // Whoever follows changes, or knows them, sees what they have become.
        (format!("?{since}"), "ABCD"),
        (format!("?{since}&includeMerged=false"), "AD"),
        (format!("?{ids}"), "BD"),
    ] {
        assert_eq!(listed(&query), (shown.to_owned(), shown.len()), "{query}");
    }
    let first = desk.show(&format!("{LEADS}?limit=1"));
    assert_eq!((&first["data"][0]["name"], &first["total"]), (&json!("D"), &json!(2)));
    let cursor = first["nextCursor"].as_str().unwrap();
    let next = desk.show(&format!("{LEADS}?limit=1&cursor={cursor}"));
    assert_eq!((&next["data"][0]["name"], &next["nextCursor"]), (&json!("A"), &Value::Null));
    let _ = desk.client.delete(&Desk::place(LEADS, &one)).expect(200);
    assert_eq!(listed(""), ("AD".to_owned(), 2));
    assert_eq!(listed("?includeMerged=true"), ("ACD".to_owned(), 3));
}

/// Deleted on another node at the same time, it is not there.
#[test]
fn what_is_being_deleted_is_named_by_nothing_new() {
    let desk = Desk::open(DatabaseKind::Postgres);
    let [lead, other] = ["A", "B"].map(|name| id_of(&desk.create(LEADS, &json!({"name": name}))));
    let deal = id_of(&desk.create(DEALS, &json!({"title": "A", "value": 0})));
    let gone = |lead: &str| {
        format!(
            "DELETE FROM leads WHERE id = '{lead}'; \
             UPDATE counters SET value = value - 1 WHERE name = 'leads'"
        )
    };
    let no_deal = format!(
        "DELETE FROM deals WHERE id = '{deal}'; DELETE FROM deal_history WHERE deal_id = '{deal}'; \
         UPDATE deal_sums SET deal_count = 0"
    );
    for (deleting, path, body, field) in [
        (gone(&lead), ALL, json!({"kind": "note", "subject": "A", "leadId": lead}), "leadId"),
        (gone(&other), DEALS, json!({"title": "B", "value": 1, "leadId": other}), "leadId"),
        (no_deal, ALL, json!({"kind": "note", "subject": "A", "dealId": deal}), "dealId"),
    ] {
        let mut held = desk.app.database.hold(&deleting);
        let reply = thread::scope(|scope| {
            let naming = scope.spawn(|| desk.client.post(path, &body));
            held.wait_for(1, || naming.is_finished());
            held.commit();
            naming.join().unwrap()
        });
        let refused = reply.refused(400, "validation_failed");
        assert!(refused.contains(field), "{refused}");
    }
}

fn what_is_part_of_another_is_not_changed(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let [into, from] = ["A", "B"].map(|name| desk.create(LEADS, &json!({"name": name})));
    merge(&desk, &into, &[&from]);
    let place = Desk::place(LEADS, &from);
    let into_id = id_of(&into);
    let refused = desk.client.patch(&place, &json!({"name": "C"})).refused(409, "conflict");
    assert!(refused.contains(&into_id), "{refused}");
    let refused = desk.client.act(&format!("{place}/convert")).refused(409, "conflict");
    assert!(refused.contains(&into_id), "{refused}");
    for (path, body) in [
        (DEALS, json!({"title": "A", "value": 1, "currency": "MXN", "leadId": from["id"]})),
        (ALL, json!({"kind": "note", "subject": "A", "leadId": from["id"]})),
    ] {
        let refused = desk.client.post(path, &body).refused(400, "validation_failed");
        assert!(refused.contains("leadId") && refused.contains(&into_id), "{refused}");
    }
    let path = format!("{}/merge", Desk::place(LEADS, &into));
    assert!(
        !desk
            .client
            .post(&path, &json!({"from": [from["id"]]}))
            .refused(409, "conflict")
            .is_empty()
    );
    for from in [json!([into["id"]]), json!([from["id"], from["id"]]), json!([])] {
        let refused =
            desk.client.post(&path, &json!({"from": from})).refused(400, "validation_failed");
        assert!(refused.contains("from"), "{refused}");
    }
}

fn two_conversions_are_not_made_one(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let leads = ["A", "B"].map(|name| desk.create(LEADS, &json!({"name": name})));
    for lead in &leads {
        let _ = desk.client.act(&format!("{}/convert", Desk::place(LEADS, lead))).expect(200);
    }
    let path = format!("{}/merge", Desk::place(LEADS, &leads[0]));
    let refused = desk.client.post(&path, &json!({"from": [leads[1]["id"]]}));
    assert!(refused.refused(409, "conflict").contains(&id_of(&leads[1])));
}

fn an_external_id_goes_along(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let into = desk.create(LEADS, &json!({"name": "A"}));
    let from = desk.create(LEADS, &json!({"name": "B", "externalId": "SAE-7"}));
    assert_eq!(merge(&desk, &into, &[&from])["externalId"], "SAE-7");
    assert_eq!(desk.show(&Desk::place(LEADS, &from))["externalId"], Value::Null);
    assert_eq!(desk.names(&format!("{LEADS}?externalId=SAE-7")), ["A"]);
}
