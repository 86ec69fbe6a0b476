//! What is offered to whom in the panel: leads, deals and quotes.

use serde_json::json;
use testkit::{DatabaseKind, on_both};

use super::{
    browser::Browser,
    shop::{SCRIPT, made, opened},
};
use crate::orders::shop::id;

on_both!(
    a_lead_is_merged_and_converted_and_its_deal_moves,
    a_board_shows_the_first_deals_of_each_stage,
    a_quote_is_offered_and_accepted,
);

/// The values and labels of a select.
fn options(html: &str, name: &str) -> Vec<(String, String)> {
    let (_, rest) = html
        .split_once(&format!("<select id=\"{name}\""))
        .unwrap_or_else(|| panic!("no {name}: {html}"));
    let (select, _) = rest.split_once("</select>").unwrap();
    let options = select.split("<option value=\"").skip(1);
    let option = |option: &str| {
        let (value, rest) = option.split_once('"').unwrap();
        let label = rest.split_once('>').unwrap().1.split_once('<').unwrap().0;
        (value.to_owned(), label.to_owned())
    };
    options.map(option).collect()
}

/// Sends what a page asks for to itself, which then leads elsewhere.
#[track_caller]
fn done(browser: &Browser, place: &str, fields: &[(&str, &str)]) -> String {
    let reply = browser.send(place, place, fields);
    assert_eq!(reply.status, 303, "{place}: {}", reply.text);
    let shown = browser.read(reply.header("location").unwrap());
    assert!(shown.contains("role=\"status\""), "{shown}");
    shown
}

fn a_lead_is_merged_and_converted_and_its_deal_moves(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let lead = |name: &str| {
        let body = json!({"name": name, "email": "eva@shop.example", "estimatedValue": 1500,
            "notes": SCRIPT});
        id(&made(&client, "/crm/leads", &body))
    };
    let (other, eva) = (lead("E. Ramos"), lead(SCRIPT));
    let list = browser.read(&format!("{account}leads?q=ramos"));
    assert_eq!(list.matches("<th scope=\"row\">").count(), 1, "{list}");
    let place = format!("{account}leads/{eva}");
    let shown = browser.read(&place);
    let merge = format!("{place}/merge?from={other}");
    assert!(shown.contains("E. Ramos") && !shown.contains("<script>"), "{shown}");
    let asked = browser.read(&merge);
    assert!(asked.contains("E. Ramos"), "{asked}");
    let merged = browser.send(&merge, &format!("{place}/merge"), &[("from", &other)]);
    assert_eq!(merged.status, 303, "{}", merged.text);
    let convert = format!("{place}/convert");
    let wrong = browser.send(&convert, &convert, &[("title", "Mudanza"), ("value", "-1")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    assert!(wrong.text.contains("id=\"value-fault\""), "{}", wrong.text);
    let converted = done(&browser, &convert, &[("title", "Mudanza"), ("value", "1200.5")]);
    assert!(!converted.contains(&convert), "{converted}");
    let board = browser.read(&format!("{account}deals"));
    assert!(board.contains("Mudanza") && board.contains("$1,200.50"), "{board}");
    let new = format!("{account}deals/new");
    assert!(board.contains(&new), "{board}");
    let wrong = browser.send(&new, &new, &[("title", "Otra"), ("expectedClose", "mañana")]);
    assert!(wrong.text.contains("id=\"expectedClose-fault\""), "{}", wrong.text);
    let first = options(&browser.read(&new), "stage")[0].0.clone();
    let another = [("title", SCRIPT), ("value", "10"), ("stage", first.as_str())];
    let opened = done(&browser, &new, &another);
    assert!(opened.contains("$10.00") && !opened.contains("<script>alert"), "{opened}");
    let listed = browser.read(&format!("{account}deals/list?status=open"));
    assert!(listed.contains("Mudanza"), "{listed}");
    let deals = client.get("/crm/deals").expect(200);
    let mut deals = deals["data"].as_array().unwrap().iter();
    let deal = deals.find(|deal| deal["title"] == "Mudanza").map(id).unwrap();
    let place = format!("{account}deals/{deal}");
    let go = format!("{place}/move");
    let stages = options(&browser.read(&go), "stage");
    let (next, name) = &stages[1];
    let moved = done(&browser, &go, &[("stage", next)]);
    assert!(moved.contains(name.as_str()), "{moved}");
    let unknown = browser.send(&go, &go, &[("stage", "stage_00000000000000000000000001")]);
    assert_eq!(unknown.status, 422, "{}", unknown.text);
    // Three open ones, that of won deals, and that of lost ones.
    let lost = stages[4].0.as_str();
    let without = browser.send(&go, &go, &[("stage", lost)]);
    assert_eq!(without.status, 422, "{}", without.text);
    let _ = done(&browser, &go, &[("stage", lost), ("reason", "Muy caro")]);
    assert!(browser.read(&place).contains("Muy caro"));
    let taken_up = done(&browser, &format!("{place}/reopen"), &[]);
    assert!(taken_up.contains(name.as_str()), "{taken_up}");
}

fn a_board_shows_the_first_deals_of_each_stage(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let deal = |number: u32| {
        let body = json!({"title": format!("Trato {number}"), "value": number, "ownerId": "eva"});
        made(&client, "/crm/deals", &body)
    };
    let all: Vec<_> = (1..=53).map(deal).collect();
    let won = client.post(&format!("/crm/deals/{}/win", id(&all[52])), &json!({})).expect(200);
    let first = all[0]["stageId"].as_str().unwrap();
    let shown = |stage: &str| {
        let query = format!("/crm/deals?stageId={stage}&sort=rank&limit=50");
        let page = client.get(&query).expect(200);
        let titles = page["data"].as_array().unwrap().iter();
        titles.map(|deal| deal["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let board = browser.read(&format!("{account}deals"));
    let cards = board.split("class=\"card\"").skip(1).map(|card| {
        let (_, rest) = card.split_once("<a href=").unwrap();
        rest.split_once('>').unwrap().1.split_once('<').unwrap().0.to_owned()
    });
    let expected = [shown(first), shown(won["stageId"].as_str().unwrap())].concat();
    assert_eq!((cards.collect::<Vec<_>>(), expected.len()), (expected, 51));
}

fn a_quote_is_offered_and_accepted(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let mug = json!({"name": "Taza", "sku": "T", "price": 100, "inventory": 10});
    let mug = id(&made(&client, "/products", &mug));
    let buyer = id(&made(&client, "/customers", &json!({"name": "Xóchilt"})));
    let items = json!([{"productId": mug, "quantity": 2}]);
    let draft = json!({"customerId": buyer, "title": SCRIPT, "items": items});
    let quote = id(&made(&client, "/crm/quotes", &draft));
    let place = format!("{account}quotes/{quote}");
    let shown = browser.read(&place);
    assert!(shown.contains("$200.00") && !shown.contains("<script>"), "{shown}");
    assert!(!shown.contains("<textarea"), "nobody has the link of a draft: {shown}");
    // What was changed since it was looked at is not offered.
    let page = format!("{place}/send");
    let seen = super::browser::hidden(&browser.read(&page), "version").unwrap();
    let _ = client.patch(&format!("/crm/quotes/{quote}"), &json!({"notes": "Otra"})).expect(200);
    let stale = browser.send(&page, &page, &[("version", &seen)]);
    assert_eq!(stale.status, 422, "{}", stale.text);
    let sent = done(&browser, &page, &[]);
    assert!(super::browser::copied(&sent, "link").contains("/quotes/"), "{sent}");
    // What is offered already stays so.
    let again = done(&browser, &format!("{place}/send"), &[]);
    assert!(again.contains(&format!("{place}/accept")), "{again}");
    let accepted = done(&browser, &format!("{place}/accept"), &[("name", "Xóchilt")]);
    assert!(accepted.contains(&format!("{account}orders/")), "{accepted}");
    let late = browser.send(&format!("{place}/send"), &format!("{place}/send"), &[]);
    assert_eq!(late.status, 422, "{}", late.text);
    let list = browser.read(&format!("{account}quotes?status=ordered"));
    assert!(list.contains("Xóchilt") && list.contains("COT-000001"), "{list}");
}
