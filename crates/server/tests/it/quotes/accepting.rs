//! What comes of an acceptance: the order, the deal and the payment link, together.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{ALL, Counter, id, page_of};
use crate::{quotes::Shop, races::at_once};

testkit::on_both!(
    an_acceptance_makes_the_order_and_wins_the_deal,
    a_deal_is_worth_what_is_accepted,
    of_many_acceptances_one_makes_the_order,
    an_acceptance_stands_where_stock_is_short,
    an_acceptance_stands_where_something_is_not_for_sale,
    an_acceptance_without_an_order_can_be_given_up,
    an_acceptance_opens_a_payment_link,
    a_payment_link_that_nobody_could_pay_by_is_refused,
    revisions_cannot_both_be_accepted,
    a_repeated_acceptance_is_replayed,
);

fn an_acceptance_makes_the_order_and_wins_the_deal(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let deal = id(&counter.shop.make("/crm/deals", &json!({"title": "A", "value": 9})));
    let mut offer = counter.offer();
    offer["dealId"] = json!(deal);
    offer["metadata"] = json!({"origen": "feria"});
    let sent = counter.sent(&offer);
    let accepted = counter.act(&sent, "accept", &json!({"name": "Ana Flores"})).expect(200);
    assert_eq!(
        (&accepted["status"], &accepted["acceptedName"], &accepted["problem"]),
        (&json!("ordered"), &json!("Ana Flores"), &Value::Null)
    );
    let order = counter.shop.read(accepted["orderId"].as_str().unwrap()).json();
    assert_eq!(
        (&order["totalAmount"], &order["metadata"]),
        (&json!(1134), &json!({"origen": "feria"}))
    );
    assert_eq!(counter.shop.stock(&counter.mug), 90);
    let won = counter.shop.client.get(&format!("/crm/deals/{deal}")).expect(200);
    assert_eq!(won["status"], "won");
    for name in ["quote.accepted", "order.created", "deal.won"] {
        assert_eq!(counter.shop.told(name).len(), 1, "{name}");
    }
    assert_eq!(counter.act(&sent, "accept", &json!({})).expect(200), accepted);
    assert_eq!(counter.act(&sent, "order", &json!({})).expect(200), accepted);
    let found = counter.shop.client.get(&format!("{ALL}?orderId={}", id(&order))).expect(200);
    assert_eq!(found["data"][0]["id"], sent["id"]);
    for counted in
        ["quotes_created", "quotes_sent", "quotes_accepted", "deals_created", "deals_won"]
    {
        assert_eq!(counter.shop.app.metric(&format!("{counted}_total")), 1.0, "{counted}");
    }
}

fn a_deal_is_worth_what_is_accepted(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let deal = id(&counter.shop.make("/crm/deals", &json!({"title": "A", "value": 9})));
    let path = format!("/crm/deals/{deal}");
    let mut offer = counter.offer();
    offer["dealId"] = json!(deal);
    let mut other = json!({"customerId": counter.shop.customer, "dealId": deal});
    other["items"] = json!([{"productId": counter.plate, "quantity": 1}]);
    let (first, second) = (counter.sent(&offer), counter.sent(&other));
    let _ = counter.act(&first, "accept", &json!({})).expect(200);
    let won = counter.shop.client.get(&path).expect(200);
    assert_eq!((&won["status"], &won["value"]), (&json!("won"), &json!(1134)));
    assert_eq!(counter.shop.told("deal.won"), [json!({"id": deal, "value": 1134})]);
    let history =
        || counter.shop.client.get(&format!("{path}/history")).expect(200)["data"].clone();
    assert_eq!((&history()[0]["event"], &history()[0]["value"]), (&json!("won"), &json!(1134)));
    // What its customer accepts besides is worth something, too.
    let _ = counter.act(&second, "accept", &json!({})).expect(200);
    assert_eq!(counter.shop.client.get(&path).expect(200)["value"], 1192);
    assert_eq!((&history()[0]["event"], &history()[0]["value"]), (&json!("updated"), &json!(1192)));
    assert_eq!(counter.shop.told("deal.won").len(), 1);
    let board = counter.shop.client.get("/crm/deals/board").expect(200);
    assert!(board.to_string().contains("1192"), "{board}");
}

fn of_many_acceptances_one_makes_the_order(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let deal = id(&counter.shop.make("/crm/deals", &json!({"title": "A"})));
    let mut offer = counter.offer();
    offer["dealId"] = json!(deal);
    let sent = counter.sent(&offer);
    let second = (kind == DatabaseKind::Postgres).then(|| counter.shop.app.again().start());
    let one = counter.shop.client.clone();
    let other = second.as_ref().map_or_else(|| one.clone(), |app| one.at(app));
    let path = format!("{ALL}/{}/accept", id(&sent));
    let replies = at_once(32, |number| [&one, &other][number % 2].act(&path));
    for reply in &replies {
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert_eq!(reply.json()["orderId"], replies[0].json()["orderId"]);
    }
    assert_eq!((counter.shop.orders(), counter.shop.stock(&counter.mug)), (1, 90));
    for name in ["quote.accepted", "order.created", "deal.won"] {
        assert_eq!(counter.shop.told(name).len(), 1, "{name}");
    }
}

fn an_acceptance_stands_where_stock_is_short(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    let place = format!("/products/{}", counter.mug);
    let _ = counter.shop.client.patch(&place, &json!({"inventory": 3})).expect(200);
    let accepted = counter.act(&sent, "accept", &json!({})).expect(200);
    assert_eq!((&accepted["status"], &accepted["orderId"]), (&json!("accepted"), &Value::Null));
    assert_eq!(accepted["problem"]["code"], "insufficient_stock");
    assert!(accepted["problem"]["message"].as_str().unwrap().contains("TAZA"), "{accepted}");
    assert_eq!((counter.shop.stock(&counter.plate), counter.shop.orders()), (100, 0));
    let short = counter.act(&sent, "order", &json!({})).refused(409, "insufficient_stock");
    assert!(short.contains("TAZA"), "{short}");
    let _ = counter.shop.client.patch(&place, &json!({"inventory": 10})).expect(200);
    let ordered = counter.act(&sent, "order", &json!({})).expect(200);
    assert_eq!((&ordered["status"], &ordered["problem"]), (&json!("ordered"), &Value::Null));
    assert_eq!((counter.shop.stock(&counter.mug), counter.shop.orders()), (0, 1));
    assert_eq!(counter.shop.told("quote.accepted").len(), 1);
}

fn an_acceptance_stands_where_something_is_not_for_sale(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    let place = format!("/products/{}", counter.mug);
    let _ = counter.shop.client.patch(&place, &json!({"status": "archived"})).expect(200);
    let accepted = counter.act(&sent, "accept", &json!({})).expect(200);
    assert_eq!(
        (&accepted["status"], &accepted["problem"]["code"]),
        (&json!("accepted"), &json!("not_for_sale"))
    );
    let refused = counter.act(&sent, "order", &json!({})).refused(400, "validation_failed");
    assert!(refused.contains("items[0]"), "{refused}");
    let _ = counter.shop.client.patch(&place, &json!({"status": "active"})).expect(200);
    assert_eq!(counter.act(&sent, "order", &json!({})).expect(200)["status"], "ordered");
}

fn an_acceptance_without_an_order_can_be_given_up(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    let _ = counter.shop.client.delete(&format!("/products/{}", counter.mug)).expect(200);
    assert_eq!(counter.act(&sent, "accept", &json!({})).expect(200)["status"], "accepted");
    let given_up = counter.act(&sent, "reject", &json!({"reason": "Agotado"})).expect(200);
    assert_eq!((&given_up["status"], &given_up["problem"]), (&json!("rejected"), &Value::Null));
    let next = counter.act(&sent, "revise", &json!({})).expect(201);
    let items = json!({"items": [{"productId": counter.plate, "quantity": 2}]});
    let _ = counter.shop.client.patch(&format!("{ALL}/{}", id(&next)), &items).expect(200);
    let _ = counter.act(&next, "send", &json!({})).expect(200);
    assert_eq!(counter.act(&next, "accept", &json!({})).expect(200)["status"], "ordered");
    let ordered = counter.act(&next, "reject", &json!({}));
    assert!(!ordered.refused(409, "invalid_transition").is_empty());
}

fn an_acceptance_opens_a_payment_link(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let mut offer = counter.offer();
    offer["paymentLink"] = json!(true);
    let sent = counter.sent(&offer);
    let accepted = counter.act(&sent, "accept", &json!({})).expect(200);
    let link = accepted["paymentLinkId"].as_str().expect("a link");
    let link = counter.shop.client.get(&format!("/payment-links/{link}")).expect(200);
    assert_eq!((&link["orderId"], &link["status"]), (&accepted["orderId"], &json!("active")));
    assert_eq!(link["title"], "Tazas");
    let page = counter.shop.client.with_key("").get(&page_of(&sent)).text;
    let pay = link["url"].as_str().unwrap().rsplit_once("/pay/").unwrap().1;
    assert!(page.contains(&format!("href=\"/pay/{pay}\"")), "{page}");
}

fn a_payment_link_that_nobody_could_pay_by_is_refused(kind: DatabaseKind) {
    // A test account always has the sandbox.
    let mut shop = Shop::open(kind);
    shop.account = shop.app.live_account();
    shop.client = shop.app.client_of(shop.account, "*");
    shop.customer = id(&shop.make("/customers", &json!({"name": "Ana"})));
    let counter = Counter::of(shop);
    let mut offer = counter.offer();
    offer["paymentLink"] = json!(true);
    let refused = counter.shop.client.post(ALL, &offer).refused(409, "provider_not_configured");
    assert!(refused.contains("paymentLink"), "{refused}");
    let mut free = offer.clone();
    free["discount"] = json!({"percent": 100});
    assert_eq!(counter.draft(&free)["totalAmount"], 0, "for what is free nobody pays");
    let draft = counter.draft(&counter.offer());
    let place = format!("{ALL}/{}", id(&draft));
    let changed = counter.shop.client.patch(&place, &json!({"paymentLink": true}));
    assert!(!changed.refused(409, "provider_not_configured").is_empty());
    assert_eq!(counter.read(&draft)["paymentLink"], false);
}

fn revisions_cannot_both_be_accepted(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let first = counter.sent(&counter.offer());
    let second = counter.act(&first, "revise", &json!({})).expect(201);
    let _ = counter.act(&first, "accept", &json!({})).expect(200);
    let late = counter.act(&second, "send", &json!({})).refused(409, "conflict");
    assert!(late.contains(&id(&first)), "{late}");
    let _ = counter.shop.client.delete(&format!("{ALL}/{}", id(&second))).expect(200);
    assert_eq!(counter.shop.orders(), 1);
}

fn a_repeated_acceptance_is_replayed(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    let path = format!("{ALL}/{}/accept", id(&sent));
    let replies = [(); 2].map(|()| counter.shop.client.post_once(&path, "k", &json!({})));
    assert_eq!(replies[0].text, replies[1].text);
    assert_eq!(replies[1].header("idempotent-replayed"), Some("true"));
    assert_eq!(counter.shop.orders(), 1);
}
