//! Rules in the panel: who is named decides, and who stands in for somebody who has left.

use std::thread;

use accounts::{Accounts, Role, Team};
use kernel::{Actor, Ctx, UserId};
use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

use super::{
    browser::{Browser, hidden},
    shop::{SCRIPT, made, opened},
};
use crate::orders::shop::id;

on_both!(
    a_rule_names_people_and_owners_stand_in_for_who_has_left,
    what_is_decided_meanwhile_is_looked_at_again,
);

/// The shop, with somebody of a role in it.
struct Shop {
    app: App,
    client: Client,
    account: kernel::AccountId,
}

impl Shop {
    fn member(&self, role: Role) -> UserId {
        let members = self.app.store().members(self.account).wait().unwrap().unwrap();
        members.iter().find(|member| member.role == role).unwrap().user.id
    }

    /// Asks for an order with a discount; the approval that it waits for.
    fn asked(&self, cart: &Value) -> String {
        let reply = self.client.post("/orders", cart).expect(202);
        reply["approvalId"].as_str().unwrap().to_owned()
    }

    fn state(&self, approval: &str) -> (Value, Value) {
        let shown = self.client.get(&format!("/approvals/{approval}")).expect(200);
        (shown["status"].clone(), shown["effect"].clone())
    }
}

fn a_rule_names_people_and_owners_stand_in_for_who_has_left(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let admin = Browser::of_member(&app, Role::Admin);
    let accounts = app.store().list_accounts().wait().unwrap().unwrap();
    let own = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
    let shop = Shop { app, client, account: own };
    let (admin_id, owner_id) = (shop.member(Role::Admin), shop.member(Role::Owner));
    let mug = json!({"name": "Taza", "sku": "T", "price": 100, "inventory": 10});
    let mug = id(&made(&shop.client, "/products", &mug));
    let buyer = id(&made(&shop.client, "/customers", &json!({"name": "Xóchilt"})));
    let cart = json!({"customerId": buyer, "items": [{"productId": mug, "quantity": 1}],
        "discount": {"percent": 20}});
    let rules = format!("{account}approvals/rules");
    let new = format!("{rules}/new");
    assert!(browser.read(&new).contains("entity=order_discount"));
    let page = format!("{new}?entity=order_discount");
    let ticked = format!("levels[0].approvers[{admin_id}]");
    assert!(browser.read(&page).contains(&format!("name=\"{ticked}\"")));
    let rule = [
        ("entityType", "order_discount"),
        ("name", SCRIPT),
        ("conditions[1].field", "discountPct"),
        ("conditions[1].op", "gt"),
        ("conditions[1].value", "15"),
        (ticked.as_str(), "true"),
    ];
    let wrong: Vec<_> = rule
        .iter()
        .map(|(name, text)| if *text == "15" { (*name, "mucho") } else { (*name, *text) })
        .take(5)
        .collect();
    let wrong = browser.send(&page, &new, &wrong);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    for field in ["conditions[1].value", "levels[0].approvers"] {
        assert!(wrong.text.contains(&format!("id=\"{field}-fault\"")), "{field}: {}", wrong.text);
    }
    assert_eq!(browser.send(&page, &new, &rule).status, 303);
    let listed = browser.read(&rules);
    assert!(listed.contains("admin") && !listed.contains("<script>alert"), "{listed}");
    let approve = |who: &Browser, approval: &str| {
        let place = format!("{account}approvals/{approval}/approve");
        who.send(&place, &place, &[]).status
    };
    let first = shop.asked(&cart);
    assert_eq!(approve(&browser, &first), 422, "others are named");
    assert_eq!(approve(&admin, &first), 303);
    assert_eq!(shop.state(&first), (json!("approved"), json!("applied")));
    let decided = browser.read(&format!("{account}approvals/{first}"));
    assert!(decided.contains("<span class=\"hint\">admin</span>"), "{decided}");
    let operator = Ctx::system(own, shop.app.now()).by(Actor::Operator("test".into()));
    let _ = shop.app.store().remove_member(operator, admin_id).wait().unwrap().unwrap();
    let second = shop.asked(&cart);
    let named = shop.client.get(&format!("/approvals/{second}")).expect(200);
    assert_eq!(
        named["requirements"][0]["levels"][0]["approvers"],
        json!([{"type": "user", "id": owner_id.to_string()}])
    );
    assert_eq!(approve(&browser, &second), 303);
    assert_eq!(shop.state(&second), (json!("approved"), json!("applied")));
    a_rule_is_changed_and_deleted(&browser, &shop, (&rules, &ticked));
}

/// Who has left stays named until somebody else is.
fn a_rule_is_changed_and_deleted(browser: &Browser, shop: &Shop, (rules, ticked): (&str, &str)) {
    let listed = shop.client.get("/approval-rules").expect(200);
    let place = format!("{rules}/{}", id(&listed["data"][0]));
    let edit = format!("{place}/edit");
    let form = browser.read(&edit);
    assert!(form.contains(&format!("name=\"{ticked}\" value=\"true\" checked")), "{form}");
    let version = hidden(&form, "version").unwrap();
    let kept = [
        ("entityType", "order_discount"),
        ("name", "Descuentos"),
        ("version", version.as_str()),
        (ticked, "true"),
    ];
    assert_eq!(browser.send(&edit, &edit, &kept).status, 303);
    let changed = shop.client.get("/approval-rules").expect(200)["data"][0].clone();
    assert_eq!((&changed["name"], &changed["conditions"]), (&json!("Descuentos"), &json!([])));
    assert_eq!(changed["levels"], listed["data"][0]["levels"]);
    let two = [("levels[0].minApprovals", "2"), ("entityType", "order_discount"), (ticked, "true")];
    let refused = browser.send(&edit, &edit, &two);
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("id=\"levels[0].minApprovals-fault\""), "{}", refused.text);
    let delete = format!("{place}/delete");
    assert_eq!(browser.send(&delete, &delete, &[]).status, 303);
    assert_eq!(shop.client.get("/approval-rules").expect(200)["data"], json!([]));
}

fn what_is_decided_meanwhile_is_looked_at_again(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let [admin, accountant] =
        [Role::Admin, Role::Accountant].map(|role| Browser::of_member(&app, role));
    let accounts = app.store().list_accounts().wait().unwrap().unwrap();
    let own = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
    let (key, _) = app.approving_key(own, "*");
    let shop = Shop { app, client, account: own };
    let level = |role| {
        let approver = json!({"type": "user", "id": shop.member(role).to_string()});
        json!({"approvers": [approver], "minApprovals": 1})
    };
    let levels = [level(Role::Admin), level(Role::Accountant)];
    let rule = json!({"entityType": "refund", "conditions": [], "levels": levels});
    let _ = made(&shop.client.with_key(&key), "/approval-rules", &rule);
    let payment = json!({"method": "cash", "amount": 200, "currency": "MXN"});
    let payment = id(&made(&shop.client, "/payments", &payment));
    let refund = format!("{account}payments/{payment}/refund");
    let asked = browser.send(&refund, &refund, &[("amount", "50"), ("reason", "Rota")]);
    assert_eq!(asked.status, 303, "{}", asked.text);
    let approval = id(&shop.client.get("/approvals").expect(200)["data"][0]);
    let page = format!("{account}approvals/{approval}");
    let (approve, cancel) = (format!("{page}/approve"), format!("{page}/cancel"));
    let version = |who: &Browser, page: &str| hidden(&who.read(page), "version").unwrap();
    let (seen, late) = (version(&browser, &page), version(&accountant, &approve));
    // One of two has agreed by the time that who has asked thinks better of it, and that the other agrees, too.
    let agreed = [("version", seen.as_str())];
    assert_eq!(admin.send(&approve, &approve, &agreed).status, 303);
    let stale = browser.send(&page, &cancel, &[("version", &seen)]);
    assert_eq!(stale.status, 422, "{}", stale.text);
    let stale = accountant.send(&approve, &approve, &[("version", &late)]);
    assert_eq!(stale.status, 422, "{}", stale.text);
    assert_eq!(shop.state(&approval), (json!("pending"), json!("none")));
    let seen = version(&browser, &page);
    assert_eq!(browser.send(&page, &cancel, &[("version", &seen)]).status, 303);
    assert_eq!(shop.state(&approval), (json!("canceled"), json!("none")));
}

/// Under rules as well, whether they ask somebody about it or not.
#[test]
fn an_order_that_is_changed_in_between_is_not_cancelled() {
    let (app, browser, account, client) = opened(DatabaseKind::Postgres);
    let admin = Browser::of_member(&app, Role::Admin);
    let accounts = app.store().list_accounts().wait().unwrap().unwrap();
    let own = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
    let (key, _) = app.approving_key(own, "*");
    let shop = Shop { app, client, account: own };
    let approver = json!({"type": "user", "id": shop.member(Role::Admin).to_string()});
    let levels = json!([{"approvers": [approver], "minApprovals": 1}]);
    let rule = json!({"entityType": "order_cancellation", "conditions": [], "levels": levels});
    let _ = made(&shop.client.with_key(&key), "/approval-rules", &rule);
    let mug = json!({"name": "Taza", "sku": "T", "price": 100, "inventory": 10});
    let mug = id(&made(&shop.client, "/products", &mug));
    let buyer = id(&made(&shop.client, "/customers", &json!({"name": "Xóchilt"})));
    let cart = json!({"customerId": buyer, "items": [{"productId": mug, "quantity": 1}]});
    let asked = || shop.client.get("/approvals").expect(200)["data"].as_array().unwrap().len();
    for is_paid in [false, true] {
        let order = id(&made(&shop.client, "/orders", &cart));
        if is_paid {
            let payment = json!({"orderId": order, "method": "cash"});
            let _ = made(&shop.client, "/payments", &payment);
        }
        let (path, place) = (format!("/orders/{order}"), format!("{account}orders/{order}/cancel"));
        let form = browser.read(&place);
        let [csrf, once, version] =
            ["csrf", "once", "version"].map(|name| hidden(&form, name).unwrap());
        let mut fields = vec![("reason", "Ya no la quiere"), ("version", version.as_str())];
        fields.extend(is_paid.then_some(("refund", "true")));
        let mut first = fields.clone();
        first.extend([("csrf", csrf.as_str()), ("once", once.as_str())]);
        let lock = format!("SELECT FROM orders WHERE id = '{order}' FOR UPDATE");
        let mut held = shop.app.database.hold(&lock);
        let reply = thread::scope(|scope| {
            // It has been read as it was seen when somebody else is first.
            let other = scope.spawn(move || {
                held.wait_for(1, || false);
                let change = "UPDATE orders SET version = version + 1";
                held.go_on(&format!("{change} WHERE id = '{order}'"));
                held.commit();
            });
            let reply = browser.post(&place, &first);
            other.join().unwrap();
            reply
        });
        assert_eq!((reply.status, asked()), (422, 0), "{is_paid}: {}", reply.text);
        assert_ne!(shop.client.get(&path).expect(200)["status"], "cancelled");
        // Whoever looks again may cancel it, or ask for it.
        let version = hidden(&browser.read(&place), "version").unwrap();
        fields[1].1 = &version;
        assert_eq!(browser.send(&place, &place, &fields).status, 303);
        if is_paid {
            let approval = id(&shop.client.get("/approvals").expect(200)["data"][0]);
            // Notes are nothing that was agreed to.
            let _ = shop.client.patch(&path, &json!({"notes": "Una más"})).expect(200);
            let approve = format!("{account}approvals/{approval}/approve");
            assert_eq!(admin.send(&approve, &approve, &[]).status, 303);
            assert_eq!(shop.state(&approval), (json!("approved"), json!("applied")));
        }
        assert_eq!(shop.client.get(&path).expect(200)["status"], "cancelled");
    }
}
