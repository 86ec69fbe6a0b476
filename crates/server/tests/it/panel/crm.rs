//! Leads, deals with their activities, and pipelines, as they are added, changed and deleted in the panel.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{
    sales::{done, pairs},
    shop::{SCRIPT, made, opened},
};
use crate::orders::shop::id;

on_both!(
    a_lead_is_added_changed_and_deleted,
    a_deal_is_changed_and_deleted_with_its_activities,
    a_pipeline_is_added_changed_and_deleted,
);

fn a_lead_is_added_changed_and_deleted(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let new = format!("{account}leads/new");
    assert!(browser.read(&format!("{account}leads")).contains(&new));
    let wrong = [("name", "Eva"), ("email", "eva"), ("estimatedValue", "-1"), ("phone", "x")];
    let wrong = browser.send(&new, &new, &wrong);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    for field in ["email", "estimatedValue", "phone"] {
        assert!(wrong.text.contains(&format!("id=\"{field}-fault\"")), "{field}: {}", wrong.text);
    }
    let eva = [
        ("name", SCRIPT),
        ("email", "eva@shop.example"),
        ("phone", "+525512345678"),
        ("status", "contacted"),
        ("estimatedValue", "1500.5"),
        ("tags", "boda, Navidad"),
        ("notes", "Por la tarde"),
    ];
    let shown = done(&browser, &new, &eva);
    assert!(shown.contains("boda, Navidad") && !shown.contains("<script>alert"), "{shown}");
    let listed = client.get("/crm/leads").expect(200);
    let of_api = format!("/crm/leads/{}", id(&listed["data"][0]));
    let before = client.get(&of_api).expect(200);
    assert_eq!(
        (&before["status"], &before["tags"]),
        (&json!("contacted"), &json!(["boda", "Navidad"]))
    );
    let place = format!("{account}leads/{}", id(&before));
    let edit = format!("{place}/edit");
    // Sent back as it is shown, nothing of it changes.
    let again = pairs(&browser.read(&edit));
    let again: Vec<_> = again.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let _ = done(&browser, &edit, &again);
    assert_eq!(client.get(&of_api).expect(200), before);
    let lost: Vec<_> = again
        .iter()
        .filter(|(name, _)| *name != "tags")
        .map(|(name, text)| if *name == "status" { (*name, "lost") } else { (*name, *text) })
        .collect();
    let _ = done(&browser, &edit, &lost);
    let after = client.get(&of_api).expect(200);
    assert_eq!((&after["status"], &after["tags"]), (&json!("lost"), &json!([])));
    let stale = browser.send(&edit, &edit, &again);
    assert_eq!(stale.status, 422, "{}", stale.text);
    let _ = done(&browser, &format!("{place}/delete"), &[]);
    let _ = client.get(&of_api).refused(404, "not_found");
}

fn a_deal_is_changed_and_deleted_with_its_activities(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let buyer = id(&made(&client, "/customers", &json!({"name": "Xóchilt"})));
    let deal = id(&made(&client, "/crm/deals", &json!({"title": "Tazas", "value": 10})));
    let place = format!("{account}deals/{deal}");
    let edit = format!("{place}/edit");
    let kept = pairs(&browser.read(&edit));
    let changed = |name: &'static str, text: &'static str| {
        let pair = kept.iter().map(move |(known, was)| {
            (known.as_str(), if known.as_str() == name { text } else { was.as_str() })
        });
        pair.collect::<Vec<_>>()
    };
    let nobody = browser.send(&edit, &edit, &changed("customer", "Nadie"));
    assert!(nobody.text.contains("id=\"customer-fault\""), "{}", nobody.text);
    let _ = done(&browser, &edit, &changed("customer", "xochilt"));
    let known = client.get(&format!("/crm/deals/{deal}")).expect(200);
    assert_eq!((&known["customerId"], &known["value"]), (&json!(buyer), &json!(10)));
    let stale = browser.send(&edit, &edit, &changed("title", "Otra"));
    assert_eq!(stale.status, 422, "{}", stale.text);
    // Whoever it is for is kept by a form that leaves the words alone.
    let again = pairs(&browser.read(&edit));
    let again: Vec<_> = again.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let _ = done(&browser, &edit, &again);
    assert_eq!(client.get(&format!("/crm/deals/{deal}")).expect(200)["customerId"], json!(buyer));
    let new = format!("{account}activities/new?deal={deal}");
    assert!(browser.read(&place).contains(&new));
    let wrong = [
        ("kind", "note"),
        ("subject", "x"),
        ("deal", deal.as_str()),
        ("dueAt", "2026-12-01T17:00"),
    ];
    let wrong = browser.send(&new, &new, &wrong);
    assert!(wrong.text.contains("id=\"dueAt-fault\""), "{}", wrong.text);
    let call = [
        ("kind", "call"),
        ("subject", SCRIPT),
        ("deal", deal.as_str()),
        ("dueAt", "2020-12-01T17:00"),
        ("assigneeId", "Luis"),
    ];
    let shown = done(&browser, &new, &call);
    assert!(shown.contains("1 dic 2020, 17:00") && !shown.contains("<script>alert"), "{shown}");
    let listed = client.get("/crm/activities").expect(200);
    let activity = listed["data"][0].clone();
    // By the clocks of most of the country.
    assert_eq!(activity["dueAt"], "2020-12-01T23:00:00.000Z");
    let late = browser.read(&format!("{account}activities?state=overdue&assignee=Luis"));
    let place_of = format!("{account}activities/{}", id(&activity));
    assert!(late.contains(&place_of), "{late}");
    let as_table = |query: &str| browser.get(&format!("{account}activities.csv?{query}")).text;
    for (query, lines) in [("state=overdue&assignee=Luis", 2), ("state=done", 1), ("kind=note", 1)]
    {
        assert_eq!(as_table(query).lines().count(), lines, "{query}");
    }
    let csrf = browser.csrf(&account);
    let turned = browser.post(&format!("{place_of}/done?list=true"), &[("csrf", &csrf)]);
    assert_eq!(turned.status, 303, "{}", turned.text);
    let late = browser.read(&format!("{account}activities?state=overdue"));
    assert!(!late.contains(&place_of), "{late}");
    let edit = format!("{place_of}/edit");
    let kept = pairs(&browser.read(&edit));
    let kept: Vec<_> = kept.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let _ = done(&browser, &edit, &kept);
    let after = client.get(&format!("/crm/activities/{}", id(&activity))).expect(200);
    assert_eq!((&after["dueAt"], &after["subject"]), (&activity["dueAt"], &json!(SCRIPT)));
    assert!(after["doneAt"].is_string(), "{after}");
    let delete = format!("{place_of}/delete");
    let _ = done(&browser, &delete, &[]);
    let _ = client.get(&format!("/crm/activities/{}", id(&activity))).refused(404, "not_found");
    let delete = format!("{place}/delete");
    let _ = done(&browser, &delete, &[]);
    let _ = client.get(&format!("/crm/deals/{deal}")).refused(404, "not_found");
}

fn a_pipeline_is_added_changed_and_deleted(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let list = format!("{account}deals/pipelines");
    assert!(browser.read(&format!("{account}deals")).contains(&list));
    let new = format!("{list}/new");
    let without = [("name", "Mayoreo"), ("stages[0].name", "Contacto"), ("stages[0].kind", "open")];
    let without = browser.send(&new, &new, &without);
    assert_eq!(without.status, 422, "{}", without.text);
    assert!(without.text.contains("id=\"stages[0].probability-fault\""), "{}", without.text);
    let mut filled = pairs(&browser.read(&new));
    for (name, text) in [
        ("name", SCRIPT),
        ("stages[0].name", "Contacto"),
        ("stages[0].probability", "20"),
        ("stages[3].name", "Cotizado"),
        ("stages[3].probability", "60"),
        ("stages[3].order", "1"),
    ] {
        filled.retain(|(known, _)| known != name);
        filled.push((name.to_owned(), text.to_owned()));
    }
    let filled: Vec<_> = filled.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let shown = done(&browser, &new, &filled);
    assert!(shown.contains("Contacto 20%") && !shown.contains("<script>alert"), "{shown}");
    let of_api = || {
        let all = client.get("/crm/pipelines").expect(200);
        all["data"].as_array().unwrap().iter().find(|one| one["name"] == SCRIPT).cloned()
    };
    let names = |pipeline: &Value| {
        let stages = pipeline["stages"].as_array().unwrap().iter();
        stages.map(|stage| stage["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let before = of_api().unwrap();
    assert_eq!(names(&before)[..2], ["Contacto", "Cotizado"]);
    let edit = format!("{list}/{}/edit", id(&before));
    let again = pairs(&browser.read(&edit));
    let again: Vec<_> = again.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let _ = done(&browser, &edit, &again);
    assert_eq!(of_api().unwrap(), before);
    // A deal keeps its stage; another one goes without its name.
    let stage = &before["stages"][1]["id"];
    let deal = json!({"title": "Tazas", "stageId": stage});
    let deal = id(&made(&client, "/crm/deals", &deal));
    let nameless = |place: usize| {
        let name = format!("stages[{place}].name");
        again.iter().filter(|(known, _)| *known != name).copied().collect::<Vec<_>>()
    };
    let kept = browser.send(&edit, &edit, &nameless(1));
    assert_eq!(kept.status, 422, "{}", kept.text);
    let _ = done(&browser, &edit, &nameless(0));
    assert_eq!(names(&of_api().unwrap()).first().map(String::as_str), Some("Cotizado"));
    let delete = format!("{list}/{}/delete", id(&before));
    assert_eq!(browser.send(&delete, &delete, &[]).status, 422);
    let _ = client.delete(&format!("/crm/deals/{deal}")).expect(200);
    let _ = done(&browser, &delete, &[]);
    assert!(of_api().is_none());
}
