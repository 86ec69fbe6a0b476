//! What is offered to whom in the panel: leads become deals, and quotes orders.

use serde_json::json;
use testkit::{DatabaseKind, on_both};

use super::{
    browser::Browser,
    shop::{SCRIPT, made, opened},
};
use crate::orders::shop::id;

on_both!(
    a_lead_is_merged_and_converted_and_its_deal_moves,
    a_quote_is_drafted_and_changed,
    items_stay_whatever_their_sku_is_by_now,
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
pub(super) fn done(browser: &Browser, place: &str, fields: &[(&str, &str)]) -> String {
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
    let named = |title: &str| {
        let mut deals = deals["data"].as_array().unwrap().iter();
        deals.find(|deal| deal["title"] == title).map(id).unwrap()
    };
    let (deal, other) = (named("Mudanza"), named(SCRIPT));
    let place = format!("{account}deals/{deal}");
    let go = format!("{place}/move");
    let stages = options(&browser.read(&go), "stage");
    let (next, name) = &stages[1];
    // Within its stage, from the board and back to it.
    let up = format!("{account}deals/{other}/move?board=true");
    assert!(board.contains(&format!("{account}deals/{deal}/move?board=true")), "{board}");
    let before = [("stage", first.as_str()), ("before", deal.as_str()), ("board", "true")];
    let shown = done(&browser, &up, &before);
    assert!(shown.contains("class=\"board\""), "{shown}");
    let ranked = client.get(&format!("/crm/deals?stageId={first}&sort=rank")).expect(200);
    assert_eq!(ranked["data"][0]["id"], other.as_str());
    let elsewhere = [("stage", next.as_str()), ("before", deal.as_str())];
    let elsewhere = browser.send(&up, &up, &elsewhere);
    assert_eq!(elsewhere.status, 422, "{}", elsewhere.text);
    assert!(elsewhere.text.contains("id=\"before-fault\""), "{}", elsewhere.text);
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

fn a_quote_is_drafted_and_changed(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let product = |name: &str, sku: &str| {
        made(&client, "/products", &json!({"name": name, "sku": sku, "price": 100}))
    };
    let _ = (product("Taza azul", "T-1"), product("Taza roja", "T-2"), product("Plato", "P"));
    let buyer = id(&made(&client, "/customers", &json!({"name": "Xóchilt"})));
    let deal = json!({"title": SCRIPT, "customerId": buyer});
    let deal = id(&made(&client, "/crm/deals", &deal));
    let new = format!("{account}quotes/new");
    let of_deal = format!("{new}?deal={deal}");
    assert!(browser.read(&format!("{account}deals/{deal}")).contains(&of_deal));
    let form = browser.read(&of_deal);
    assert!(
        form.contains(&format!("value=\"{deal}\" selected")) && !form.contains("<script>alert")
    );
    let wrong = [
        ("customer", "Nadie"),
        ("items[0].sku", "taza"),
        ("items[0].quantity", "2"),
        ("items[1].sku", "NO-HAY"),
        ("items[1].quantity", "1"),
    ];
    let wrong = browser.send(&new, &new, &wrong);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    for field in ["customer", "items[0].sku", "items[1].sku"] {
        assert!(wrong.text.contains(&format!("id=\"{field}-fault\"")), "{field}: {}", wrong.text);
    }
    // Several products have that word, which are told.
    assert!(wrong.text.contains("T-1, T-2") || wrong.text.contains("T-2, T-1"), "{}", wrong.text);
    let linked = [("paymentLink", "true"), ("items[0].sku", "P"), ("items[0].quantity", "1")];
    let linked =
        browser.send(&of_deal, &new, &[&[("dealId", deal.as_str())][..], &linked[..]].concat());
    assert!(linked.text.contains("id=\"paymentLink-fault\""), "{}", linked.text);
    let filled = [
        ("dealId", deal.as_str()),
        ("title", SCRIPT),
        ("items[0].sku", "roja"),
        ("items[0].quantity", "2"),
        ("items[0].discount", "10%"),
        ("items[2].sku", "P"),
        ("items[2].quantity", "1"),
        ("items[2].unitPrice", "50"),
        ("items[2].note", "De barro"),
        ("discount", "30"),
        ("discountReason", "Buen cliente"),
        ("shippingName", "Estafeta"),
        ("shippingAmount", "20"),
        ("notes", "Entrega en 5 días"),
    ];
    let drafted = browser.send(&of_deal, &new, &filled);
    assert_eq!(drafted.status, 303, "{}", drafted.text);
    let place = drafted.header("location").unwrap().split('?').next().unwrap().to_owned();
    let shown = browser.read(&place);
    // 180 and 50, less 30, and 20.
    for part in ["$220.00", "De barro", "$20.00", "Entrega en 5 días"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let table = browser.read(&format!("{account}quotes.csv"));
    assert!(table.contains(",Xóchilt,cus_") && table.contains(",220.00,"), "{table}");
    let quote = format!("/crm/quotes/{}", place.rsplit('/').next().unwrap());
    let before = client.get(&quote).expect(200);
    assert_eq!((&before["customerId"], &before["dealId"]), (&json!(buyer), &json!(deal)));
    // Sent back as it is shown, nothing of it changes.
    let edit = format!("{place}/edit");
    assert!(shown.contains(&edit), "{shown}");
    let form = browser.read(&edit);
    let again = pairs(&form);
    let again: Vec<_> = again.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let _ = done(&browser, &edit, &again);
    let mut after = client.get(&quote).expect(200);
    for field in ["updatedAt", "items"] {
        after[field] = before[field].clone();
    }
    assert_eq!(after, before);
    let kept = client.get(&quote).expect(200)["items"].clone();
    for (item, was) in kept.as_array().unwrap().iter().zip(before["items"].as_array().unwrap()) {
        for field in ["sku", "quantity", "unitPrice", "discount", "note", "total"] {
            assert_eq!(item[field], was[field], "{field}");
        }
    }
    let again = pairs(&browser.read(&edit));
    let again = again.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let emptied: Vec<_> = again.filter(|(name, _)| !name.contains("iscount")).collect();
    let shown = done(&browser, &edit, &emptied);
    assert!(shown.contains("$270.00"), "{shown}");
    // Who has seen an earlier version changes nothing.
    let stale: Vec<_> = emptied
        .iter()
        .map(|(name, text)| if *name == "version" { (*name, "1") } else { (*name, *text) })
        .collect();
    let stale = browser.send(&edit, &edit, &stale);
    assert_eq!(stale.status, 422, "{}", stale.text);
    let pdf = browser.get(&format!("{place}/pdf"));
    assert_eq!((pdf.status, pdf.header("content-type")), (200, Some("application/pdf")));
    let _ = done(&browser, &format!("{place}/send"), &[]);
    assert_eq!(browser.get(&edit).status, 422);
}

fn items_stay_whatever_their_sku_is_by_now(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let mug = json!({"name": "Taza", "sku": "CAF\u{c9}", "price": 100});
    let mug = id(&made(&client, "/products", &mug));
    // As the last release has kept it: with the accent apart.
    for (table, key) in [("products", "id"), ("skus", "product_id")] {
        let apart = format!("UPDATE {table} SET sku = 'CAFE\u{301}' WHERE {key} = '{mug}'");
        app.database.execute(&apart);
    }
    let buyer = id(&made(&client, "/customers", &json!({"name": "Xóchilt"})));
    let draft = json!({"customerId": buyer, "items": [{"productId": mug, "quantity": 2}]});
    let quote = id(&made(&client, "/crm/quotes", &draft));
    let _ = client.patch(&format!("/products/{mug}"), &json!({"sku": "OTRA"})).expect(200);
    let edit = format!("{account}quotes/{quote}/edit");
    let kept = pairs(&browser.read(&edit));
    let kept: Vec<_> = kept.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let _ = done(&browser, &edit, &kept);
    let items = client.get(&format!("/crm/quotes/{quote}")).expect(200)["items"].clone();
    assert_eq!((&items[0]["productId"], &items[0]["quantity"]), (&json!(mug), &json!(2)));
}

/// The names and texts of the fields of a page's form, as a browser sends them.
pub(super) fn pairs(html: &str) -> Vec<(String, String)> {
    let attribute = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        rest.split_once('"').map(|(text, _)| text.to_owned())
    };
    let (_, form) = html.split_once("<form class=\"form\"").unwrap();
    let (form, _) = form.split_once("</form>").unwrap();
    let mut pairs = Vec::new();
    for tag in form.split('<').skip(1) {
        let Some(name) = attribute(tag, "name") else { continue };
        let is_own = ["csrf", "once"].contains(&name.as_str());
        let is_off = tag.contains("type=\"checkbox\"") && !tag.contains(" checked");
        let text = match tag.split_once(' ').map(|(kind, _)| kind) {
            _ if is_own || is_off => continue,
            Some("input") => attribute(tag, "value").unwrap_or_default(),
            Some("textarea") => tag.split_once(">").unwrap().1.trim().to_owned(),
            Some("select") => chosen(form, &name),
            _ => continue,
        };
        pairs.push((name, unescaped(&text)));
    }
    pairs
}

/// What is chosen in a select: the first where nothing is.
fn chosen(html: &str, name: &str) -> String {
    let (_, rest) = html.split_once(&format!("<select id=\"{name}\"")).unwrap();
    let (select, _) = rest.split_once("</select>").unwrap();
    let mut options = select.split("<option value=\"").skip(1);
    let first = options.clone().next().unwrap();
    let option = options.find(|option| option.split('>').next().unwrap().contains(" selected"));
    option.unwrap_or(first).split_once('"').unwrap().0.to_owned()
}

fn unescaped(text: &str) -> String {
    text.replace("&#60;", "<").replace("&#62;", ">").replace("&#34;", "\"").replace("&#38;", "&")
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
    // Drafts are deleted, and nothing else.
    let other = id(&made(&client, "/crm/quotes", &draft));
    let page = format!("{account}quotes/{other}/delete");
    let (form, tokens) = (browser.read(&page), browser.csrf(&page));
    let version = super::browser::hidden(&form, "version").unwrap();
    let fields = [("csrf", tokens.as_str()), ("version", version.as_str())];
    let kept = browser.post(&format!("{place}/delete"), &fields);
    assert_eq!(kept.status, 422, "{}", kept.text);
    assert_eq!(browser.get(&format!("{place}/delete")).status, 303);
    let list = done(&browser, &page, &[("version", &version)]);
    assert!(!list.contains(&other), "{list}");
    let _ = client.get(&format!("/crm/quotes/{other}")).refused(404, "not_found");
    let _ = client.get(&format!("/crm/quotes/{quote}")).expect(200);
    let list = browser.read(&format!("{account}quotes?status=ordered"));
    assert!(list.contains("Xóchilt") && list.contains("COT-000001"), "{list}");
}
