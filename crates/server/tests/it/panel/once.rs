//! Generated over all forms of a shop that has everything: sent however often, each has one effect and leads to one place.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use accounts::TotpSecret;
use panel::{Described, described};
use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Reply, on_both};

use super::{
    browser::{Browser, EMAIL, PASSWORD, copied},
    shop::{made, opened},
    walk::{owned, paths},
};
use crate::openapi::Shop;

on_both!(
    forms_that_are_sent_again_lead_to_where_they_led,
    twenty_at_once_have_one_effect,
    first_issuers_that_are_added_at_once_are_all_kept,
    what_was_deleted_is_deleted_once_on_any_node,
    what_a_user_sends_about_themselves_has_one_effect,
    a_secret_is_made_once_and_shown_again,
);

const TIMES: usize = 20;
/// Stands for the choice of a field that has none yet.
const UNCHOSEN: &str = "\u{1}";

/// What people fill in where a form is empty, or has to have something else; by the declared path that it is sent to.
const FILLED: &[(&str, &[(&str, &str)])] = &[
    ("customers/new", &[("name", "Xóchitl")]),
    ("products/new", &[("name", "Vela"), ("sku", "VELA-1"), ("price", "10")]),
    ("categories/new", &[("name", "Velas")]),
    ("customer-groups/new", &[("name", "Mayoristas")]),
    ("price-lists/new", &[("name", "Mayoreo")]),
    ("price-lists/{id}/prices", &[("items", "PIN-1R;5")]),
    ("customers/{id}/addresses/new", &[("street", "Juárez 10")]),
    ("products/{id}/variants/new", &[("name", "Azul"), ("sku", "PIN-AZUL")]),
    (
        "orders/new",
        &[("customer", "buyer@shop.example"), ("sku[0]", "PIN-1R"), ("quantity[0]", "1")],
    ),
    ("orders/{id}/cancel", &[("reason", "Se arrepintió")]),
    ("orders/{id}/return", &[("quantity[1]", "1"), ("reason", "Rota")]),
    ("warehouses/new", &[("name", "Sur")]),
    ("deals/new", &[("title", "Mudanza")]),
    ("links/new", &[("title", "Anticipo"), ("amount", "100")]),
    ("payments/{id}/refund", &[("amount", "1"), ("reason", "Cortesía")]),
    ("quotes/{id}/accept", &[("name", "Xóchitl")]),
    ("quotes/{id}/reject", &[("reason", "Muy caro")]),
    ("approvals/{id}/reject", &[("comment", "No")]),
    ("approvals/{id}/approve", &[("comment", "Sí")]),
    ("stock/adjust", &[("mode", "delta"), ("items", "PIN-1R 2")]),
    ("stock/costs/new", &[("items", "PIN-1R 7")]),
    ("orders/{id}/edit", &[("address.street", "Madero 1")]),
    ("counts/new", &[("items", "PIN-1")]),
    ("counts/{id}/scan", &[("code", "PIN-1R")]),
    ("counts/{id}/list", &[("items", "PIN-1R 3")]),
    ("receipts/new", &[("items", "PIN-1R 2 7")]),
    ("transfers/{id}/receive", &[("all", "true")]),
    ("settings/invoicing/branches/new", &[("name", "Poniente"), ("placeOfIssue", "42501")]),
    ("settings/team/invite", &[("email", "beto@shop.example")]),
    ("settings/api-keys/new", &[("name", "Web"), ("scopes[orders]", "true")]),
    ("webhooks/{id}/replay", &[("since", "2026-01-01")]),
    ("invoices/{id}/cancel", &[("reason", "02")]),
    ("invoices/new", &[("items[0].description", "Flete"), ("items[0].unitPrice", "10")]),
];
/// What takes away comes last, or there would be nothing left to be changed.
const LAST: &[&str] =
    &["cancel", "delete", "remove", "revoke", "close", "forget", "reject", "disable"];
/// Where effects are counted.
const TABLES: &[&str] = &[
    "api_keys",
    "audit_entries",
    "branches",
    "categories",
    "cost_changes",
    "customer_groups",
    "customers",
    "deals",
    "invitations",
    "invoices",
    "issuer_certificates",
    "issuers",
    "leads",
    "memberships",
    "order_returns",
    "orders",
    "payment_links",
    "payments",
    "price_lists",
    "products",
    "quotes",
    "refunds",
    "replays",
    "shipments",
    "stock_adjustments",
    "stock_counts",
    "stock_movements",
    "stock_receipts",
    "subscriptions",
    "transfers",
    "variants",
    "warehouses",
];

/// A form as a page shows it.
pub(super) struct Form {
    pub(super) action: String,
    /// What would be sent without filling in anything.
    pub(super) fields: Vec<(String, String)>,
    /// Which of them take texts, and are no secrets.
    pub(super) texts: Vec<String>,
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| unescaped(value))
}

fn unescaped(text: &str) -> String {
    let pairs = [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")];
    pairs.into_iter().fold(text.to_owned(), |text, (code, sign)| text.replace(code, sign))
}

/// The forms of a page that are sent with POST to a place that they name.
pub(super) fn forms(html: &str) -> Vec<Form> {
    let parts = html.split("<form ").skip(1).filter_map(|part| part.split_once("</form>"));
    let form = |(part, _): (&str, &str)| {
        let (tag, inner) = part.split_once('>')?;
        let tag = format!(" {tag}");
        let action = attribute(&tag, "action").filter(|_| tag.contains(" method=\"post\""))?;
        Some(Form { action, fields: fields(inner), texts: texts(inner) })
    };
    parts.filter_map(form).collect()
}

fn fields(html: &str) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    for part in html.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        let kind = tag.split(' ').next().unwrap_or_default();
        let name = attribute(tag, "name");
        match (kind, name) {
            ("input", Some(name)) => {
                let kind = attribute(tag, "type").unwrap_or_default();
                let is_left_out = match kind.as_str() {
                    "checkbox" => !tag.contains(" checked"),
                    kind => matches!(kind, "file" | "password"),
                };
                if !is_left_out {
                    fields.push((name, attribute(tag, "value").unwrap_or_default()));
                }
            }
            ("select", Some(name)) => fields.push((name, UNCHOSEN.to_owned())),
            ("textarea", Some(name)) => fields.push((name, unescaped(text.trim()))),
            // The first one is chosen unless another is said to be.
            ("option", None) => {
                let value = attribute(tag, "value").unwrap_or_default();
                if let Some((_, chosen)) = fields.last_mut()
                    && (chosen == UNCHOSEN || tag.contains(" selected"))
                {
                    *chosen = value;
                }
            }
            _ => {}
        }
    }
    fields
}

fn texts(html: &str) -> Vec<String> {
    let text = |part: &str| {
        let (tag, _) = part.split_once('>')?;
        let is_line = tag.starts_with("input ") && tag.contains(" type=\"text\"");
        let is_text = (is_line && !tag.contains(" data-secret")) || tag.starts_with("textarea ");
        attribute(tag, "name").filter(|_| is_text)
    };
    html.split('<').skip(1).filter_map(text).collect()
}

/// What is sent of a form with these fields filled in.
pub(super) fn filled_in<'a>(
    form: &'a Form,
    filled: &'a [(&'a str, &'a str)],
) -> Vec<(&'a str, &'a str)> {
    let is_filled = |name: &str| filled.iter().any(|(known, _)| *known == name);
    let before = form.fields.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    before.filter(|(name, _)| !is_filled(name)).chain(filled.iter().copied()).collect()
}

/// A form of each page that something is sent to, as far as pages that were found show one.
pub(super) fn shown(browser: &Browser, account: &str) -> BTreeMap<&'static str, Form> {
    let mut sent: Vec<Described> = described().into_iter().filter(|page| page.is_post).collect();
    sent.retain(|page| page.right.is_some());
    // `orders/new` is not an order.
    sent.sort_by_key(|page| page.path.matches('{').count());
    let mut all = BTreeMap::new();
    for html in paths::found(browser, account).html.values() {
        for form in forms(html) {
            if let Some(page) = sent.iter().find(|page| paths::is_one(page, account, &form.action))
            {
                all.entry(page.path).or_insert(form);
            }
        }
    }
    all
}

/// What people fill in of the form of a page.
pub(super) fn usual(path: &str) -> &'static [(&'static str, &'static str)] {
    FILLED.iter().find(|(known, _)| *known == path).map_or(&[], |(_, filled)| filled)
}

/// Forms in the order in which they are sent: what takes away comes last.
pub(super) fn in_turn(forms: BTreeMap<&'static str, Form>) -> Vec<(&'static str, Form)> {
    let is_last = |path: &str| LAST.iter().any(|last| path.ends_with(last));
    let (last, first): (Vec<_>, Vec<_>) = forms.into_iter().partition(|(path, _)| is_last(path));
    first.into_iter().chain(last).collect()
}

/// How many rows there are where effects are seen.
fn rows(app: &App) -> Vec<String> {
    let count =
        |table: &&str| format!("SELECT '{table} ' || CAST(COUNT(*) AS TEXT) AS line FROM {table}");
    let counts: Vec<_> = TABLES.iter().map(count).collect();
    let mut rows = app.database.lines(&counts.join(" UNION ALL "));
    rows.sort();
    rows
}

/// Waits until all is done that forms have begun to be done about many.
fn settle(app: &App) {
    // What is stamped may have papers made of what was paid of it before.
    let open = "SELECT kind AS line FROM tasks WHERE state = 'open' \
        AND (kind LIKE '%.bulk' OR kind = 'payments.paper')";
    for _ in 0..600 {
        if app.database.lines(open).is_empty() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("it goes on: {:?}", app.database.lines(open));
}

fn led(reply: &Reply) -> (u16, Option<&str>) {
    (reply.status, reply.header("location"))
}

fn forms_that_are_sent_again_lead_to_where_they_led(kind: DatabaseKind) {
    let app = App::start(kind);
    let _ = Shop::open(&app);
    let browser = Browser::new(&app);
    let account = owned(&app, &browser);
    let (mut taken, mut refused) = (BTreeSet::new(), BTreeMap::new());
    for (path, form) in in_turn(shown(&browser, &account)) {
        let fields = filled_in(&form, usual(path));
        let reply = browser.post(&form.action, &fields);
        assert!(reply.status < 500, "{path}: {}", reply.text);
        if reply.status >= 400 {
            let _ = refused.insert(path, reply.status);
            continue;
        }
        let _ = taken.insert(path);
        settle(&app);
        let after = rows(&app);
        for again in browser.post_at_once(&form.action, &[fields.clone(), fields.clone(), fields]) {
            assert_eq!(led(&again), led(&reply), "{path}: {}", again.text);
        }
        settle(&app);
        assert_eq!(rows(&app), after, "{path}");
    }
    assert!(taken.len() >= 30, "taken {taken:?}, refused {refused:?}");
}

fn twenty_at_once_have_one_effect(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let id =
        |path: &str, body: Value| made(&client, path, &body)["id"].as_str().unwrap().to_owned();
    let warehouse = id("/warehouses", json!({"name": "Norte"}));
    let mug = id("/products", json!({"name": "Taza", "sku": "T-1", "price": 10, "inventory": 90}));
    let buyer = id("/customers", json!({"name": "Eva", "email": "eva@shop.example"}));
    let items = json!([{"productId": mug, "quantity": 1}]);
    let order = id("/orders", json!({"customerId": buyer, "items": items}));
    let cash = id("/payments", json!({"method": "cash", "amount": 200, "currency": "MXN"}));
    let place = |path: &str| format!("{account}{path}");
    let vela: &[(&str, &str)] = &[("name", "Vela"), ("sku", "VELA-1"), ("price", "10")];
    let bought: &[(&str, &str)] =
        &[("customer", "eva@shop.example"), ("sku[0]", "T-1"), ("quantity[0]", "2")];
    let cases = [
        (place("customers/new"), [("name", "Xóchitl")].as_slice(), "customers", 1),
        (place("products/new"), vela, "products", 1),
        (place("warehouses/new"), &[("name", "Sur")], "warehouses", 1),
        (place(&format!("warehouses/{warehouse}")), &[("name", "Poniente")], "warehouses", 0),
        (place("orders/new"), bought, "orders", 1),
        (place(&format!("orders/{order}/pay")), &[("method", "cash")], "payments", 1),
        (place(&format!("payments/{cash}/refund")), &[("amount", "50")], "refunds", 1),
        (place("stock/adjust"), &[("mode", "delta"), ("items", "T-1 2")], "stock_adjustments", 1),
    ];
    for (page, filled, table, added) in cases {
        let shown = forms(&browser.read(&page)).into_iter().find(|form| form.action == page);
        let shown = shown.unwrap();
        let fields = filled_in(&shown, filled);
        let count = || {
            let query = format!("SELECT CAST(COUNT(*) AS TEXT) AS line FROM {table}");
            app.database.lines(&query)[0].parse::<usize>().unwrap()
        };
        let before = count();
        let replies = browser.post_at_once(&page, &vec![fields; TIMES]);
        for reply in &replies {
            assert_eq!(reply.status, 303, "{page}: {}", reply.text);
            assert_eq!(led(reply), led(&replies[0]), "{page}");
        }
        assert_eq!(count(), before + added, "{page}");
    }
}

/// Each of them was the first for whoever added it.
fn first_issuers_that_are_added_at_once_are_all_kept(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let new = format!("{account}settings/invoicing/issuers/new");
    let csrf = browser.csrf(&new);
    let tokens: Vec<_> =
        (0..4).map(|number| (format!("{number:032}"), format!("S{number}"))).collect();
    let form = |(regime, (once, series)): (&'static str, &'_ (String, String))| {
        let shared = [("csrf", csrf.clone()), ("rfc", "EKU9003173C9".to_owned())];
        let named =
            [("legalName", "ESCUELA KEMPER URGATE"), ("taxZip", "42501"), ("taxRegime", regime)];
        let of_series = ["series.income", "series.credit", "series.payment", "series.transfer"];
        let of_series = of_series.into_iter().enumerate();
        let of_series = of_series.map(|(place, name)| (name, format!("{series}{place}")));
        let named = named.map(|(name, text)| (name, text.to_owned()));
        let fields = shared.into_iter().chain(named).chain(of_series);
        fields.chain([("once", once.clone())]).collect::<Vec<_>>()
    };
    let all: Vec<_> = ["601", "603", "620", "622"].into_iter().zip(&tokens).map(form).collect();
    let all: Vec<Vec<_>> = all
        .iter()
        .map(|fields| fields.iter().map(|(name, text)| (*name, text.as_str())).collect())
        .collect();
    for reply in browser.post_at_once(&new, &all) {
        assert_eq!(reply.status, 303, "{}", reply.text);
    }
    let kept = client.get("/invoices/cfdi/issuers").expect(200);
    let kept = kept["data"].as_array().unwrap();
    let regimes: BTreeSet<_> = kept.iter().map(|one| one["taxRegime"].as_str().unwrap()).collect();
    assert_eq!(regimes, BTreeSet::from(["601", "603", "620", "622"]), "{kept:?}");
    assert_eq!(kept.iter().filter(|one| one["isDefault"] == true).count(), 1);
}

fn what_was_deleted_is_deleted_once_on_any_node(kind: DatabaseKind) {
    let app = App::start(kind);
    let _ = Shop::open(&app);
    let browser = Browser::new(&app);
    let account = owned(&app, &browser);
    let branch = [("name", "Poniente"), ("placeOfIssue", "42501")];
    let new = format!("{account}settings/invoicing/branches/new");
    assert_eq!(browser.send(&new, &new, &branch).status, 303);
    let overview = browser.read(&format!("{account}settings/invoicing"));
    let places: BTreeSet<_> = overview
        .split('"')
        .filter(|part| part.contains("/settings/invoicing/branches/") && !part.ends_with("/new"))
        .map(|part| part.trim_end_matches("/delete").to_owned())
        .collect();
    let mut deleted = Vec::new();
    for place in places {
        let delete = format!("{place}/delete");
        let shown = forms(&browser.read(&delete)).into_iter().find(|form| form.action == delete);
        let shown = shown.unwrap();
        let fields = filled_in(&shown, &[]);
        let first = browser.post(&delete, &fields);
        if first.status != 303 {
            continue;
        }
        let after = rows(&app);
        assert_eq!(browser.get(&delete).status, 404, "{delete}");
        for again in browser.post_at_once(&delete, &vec![fields; TIMES]) {
            assert_eq!(led(&again), led(&first), "{delete}: {}", again.text);
        }
        assert_eq!(rows(&app), after, "{delete}");
        deleted.push((shown, first));
    }
    assert!(!deleted.is_empty(), "{overview}");
    // What the node knew it has forgotten; what is on record counts.
    let app = app.restart();
    let browser = browser.at(&app);
    for (form, first) in deleted {
        let again = browser.post(&form.action, &filled_in(&form, &[]));
        assert_eq!(led(&again), led(&first), "{}: {}", form.action, again.text);
    }
}

/// Sends a form of a page several times, one after the other and at once; the answer, which is always the same.
#[track_caller]
fn sent_again(browser: &Browser, html: &str, action: &str, filled: &[(&str, &str)]) -> Reply {
    let form = forms(html).into_iter().find(|form| form.action == action);
    let form = form.unwrap_or_else(|| panic!("{action}: {html}"));
    let fields = filled_in(&form, filled);
    let first = browser.post(action, &fields);
    assert!(first.status < 400, "{action}: {}", first.text);
    for again in browser.post_at_once(action, &vec![fields; 4]) {
        assert_eq!(led(&again), led(&first), "{action}: {}", again.text);
        assert!(again.text == first.text, "{action}: {} {}", again.text, first.text);
    }
    first
}

/// Below `/panel`, in the order in which they are sent.
const PERSONAL: &[&str] = &[
    "me",
    "me/sessions/end-others",
    "me/password",
    "me/totp",
    "me/totp/confirm",
    "me/recovery-codes",
    "me/totp/disable",
];
/// They give another session, or end one.
const OF_SESSIONS: &[&str] = &["me/confirm", "me/sessions/{id}/end"];

fn what_a_user_sends_about_themselves_has_one_effect(kind: DatabaseKind) {
    let app = App::start(kind);
    app.hold_clock();
    let (browser, _) = Browser::of_owner(&app);
    let other = Browser::new(&app);
    let door = "/panel/sign-in";
    let entered = other.send(door, door, &[("email", EMAIL), ("password", PASSWORD)]);
    assert_eq!(entered.status, 303, "{}", entered.text);
    let of_users = |page: &Described| page.is_post && page.is_personal && page.right.is_none();
    let declared = described().into_iter().filter(of_users);
    let declared: BTreeSet<_> = declared.map(|page| page.path).collect();
    assert_eq!(declared, PERSONAL.iter().chain(OF_SESSIONS).copied().collect());
    let codes = |app: &App| {
        app.database.lines("SELECT digest AS line FROM user_recovery_codes ORDER BY digest")
    };
    let me = browser.read("/panel/me");
    let _ = sent_again(&browser, &me, "/panel/me", &[("name", "Ana María")]);
    let _ = sent_again(&browser, &me, "/panel/me/sessions/end-others", &[]);
    assert_eq!(other.get("/panel/me").status, 303);
    let page = browser.read("/panel/me/password");
    let passwords = [("password", PASSWORD), ("newPassword", "ocho gatos en la cochera")];
    let _ = sent_again(&browser, &page, "/panel/me/password", &passwords);
    let set_up = sent_again(&browser, &browser.read("/panel/me/totp"), "/panel/me/totp", &[]);
    let secret = TotpSecret::parse(&copied(&set_up.text, "secret")).unwrap();
    let (confirm, code) = ("/panel/me/totp/confirm", secret.code_at(app.now()));
    let form = forms(&set_up.text).into_iter().find(|form| form.action == confirm).unwrap();
    let shown = sent_again(&browser, &set_up.text, confirm, &[("code", &code)]);
    assert_eq!((shown.status, codes(&app).len()), (200, 10));
    let page = browser.read("/panel/me/recovery-codes");
    let before = codes(&app);
    let renewed = sent_again(&browser, &page, "/panel/me/recovery-codes", &[]);
    assert_ne!(renewed.text, shown.text);
    let after = codes(&app);
    assert!(after.len() == 10 && after.iter().all(|code| !before.contains(code)));
    // Another node does not know what was shown, but that it was done.
    let app = app.restart();
    let browser = browser.at(&app);
    let late = browser.post(confirm, &filled_in(&form, &[("code", &code)]));
    assert_eq!(led(&late), (303, Some("/panel/me")), "{}", late.text);
    assert_eq!(codes(&app), after);
    let page = browser.read("/panel/me/totp/disable");
    let _ = sent_again(&browser, &page, "/panel/me/totp/disable", &[]);
    assert!(codes(&app).is_empty());
}

fn a_secret_is_made_once_and_shown_again(kind: DatabaseKind) {
    let (_app, browser, account, client) = opened(kind);
    let hook = json!({"url": "https://hooks.example.com/a", "events": ["order.paid"]});
    let hook = made(&client, "/webhooks", &hook);
    let rotate = format!("{account}webhooks/{}/rotate", hook["id"].as_str().unwrap());
    let key = format!("{account}settings/api-keys/new");
    let keyed = [("name", "Web"), ("scopes[orders]", "true")];
    for (page, filled, shown) in [(rotate, &[][..], "secret"), (key, &keyed[..], "key")] {
        let reply = sent_again(&browser, &browser.read(&page), &page, filled);
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert!(copied(&reply.text, shown).len() > 20, "{}", reply.text);
    }
}
