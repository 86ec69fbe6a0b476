//! The panel in a browser: every page that is declared, with and without data, looked at by axe-core on a desk and on a phone, by
//! turns in the light and in the dark; whether it fits in both languages where there is little room; and what matters most by
//! keyboard alone, without script.
//!
//! It is on SQLite: what a page shows of either database is tested beside this.

mod acts;
mod beginning;
mod board;
mod hands;
mod look;
pub(super) mod paths;
mod shape;

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use accounts::{Accounts, NewUser, Password, Purpose, Role, UserOffice};
use imports::ImportKind;
use kernel::{AccountId, Actor, Ctx, Language};
use serde_json::{Value, json};
use testkit::{App, Chromium, Client, DatabaseKind};

use super::{
    browser::{Browser, EMAIL, PASSWORD},
    bulk::begun,
};
use crate::openapi::{Shop, certificate};
use look::{Judged, Look, Part, Sight, by_turns, judge, one_by_turns};
use paths::Found;
use shape::shape;

/// How many look at once.
const BROWSERS: usize = 2;
/// Of so many pages all is judged of one, of the others what is not the same on each.
const WHOLE_EVERY: usize = 7;
/// Forms of each kind, all of which are refused as they are shown: plain ones, with boxes, with lines, with files, judged while they
/// are filled in, and with a layout of their own.
const REFUSED: [&str; 9] = [
    "customers/new",
    "invoices/new",
    "orders/new",
    "products/new",
    "settings/api-keys/new",
    "settings/invoicing/certificates/new",
    "settings/team/invite",
    "stock/adjust",
    "webhooks/new",
];
/// Lists of which something is done with many rows.
const TICKED: [&str; 2] = ["invoices", "orders"];
/// Reads the panel in English.
const ENGLISH_EMAIL: &str = "inga@shop.example";

/// Who somebody is who looks at pages: where, and by which cookies that is known.
type Visitor = (String, BTreeMap<String, String>);
/// Each of them, by its place among those of a browser.
const OWNER: usize = 0;
const COLLEAGUE: usize = 1;
const STRANGER: usize = 2;
const NEWCOMER: usize = 3;

#[test]
fn every_page_is_for_everybody() {
    let browsers = (0..BROWSERS).map(|_| Chromium::start()).collect::<Option<Vec<_>>>();
    let Some(browsers) = browsers else { return };
    let (full, new) = (App::start(DatabaseKind::Sqlite), App::start(DatabaseKind::Sqlite));
    let (mut sights, found) = sights_of_a_shop_with_everything(&full);
    sights.extend(sights_of_a_new_shop(&new, &found));
    // Each has sessions of its own, of which each may ask for so much a minute.
    let known = |app: &App, browser: &Browser| -> Visitor { (app.origin(), browser.cookies()) };
    let visitors = browsers.iter().map(|_| {
        let (owner, stranger) = (signed_in(&full), Browser::new(&full));
        let (colleague, newcomer) = (signed_in_as(&full, ENGLISH_EMAIL), signed_in(&new));
        let of_full = [owner, colleague, stranger].map(|browser| known(&full, &browser));
        let [owner, colleague, stranger] = of_full;
        [owner, colleague, stranger, known(&new, &newcomer)]
    });
    let visitors: Vec<_> = visitors.collect();
    let (sights, next) = (&sights, &AtomicUsize::new(0));
    let looks: Vec<_> = thread::scope(|scope| {
        let looking = browsers.iter().zip(&visitors);
        let looking = looking.map(|(chromium, visitors)| {
            scope.spawn(move || looked(chromium, visitors, sights, next))
        });
        let looking: Vec<_> = looking.collect();
        looking.into_iter().map(|one| one.join().unwrap()).collect()
    });
    judge(&looks);
}

/// Looks at one sight after the other, as far as nobody else does.
fn looked<'a>(
    chromium: &'a Chromium,
    visitors: &[Visitor],
    sights: &[Sight],
    next: &AtomicUsize,
) -> Look<'a> {
    let mut look = Look::with(chromium);
    let mut before = None;
    while let Some(sight) = sights.get(next.fetch_add(1, Ordering::Relaxed)) {
        if before.replace(sight.visitor) != Some(sight.visitor) {
            let (origin, cookies) = &visitors[sight.visitor];
            chromium.be_known(origin, cookies);
        }
        look.see(sight);
    }
    look
}

/// The pages of a shop that has nothing yet, as far as they are not what they are with everything.
fn sights_of_a_new_shop(app: &App, full: &Found) -> Vec<Sight> {
    let (browser, account) = Browser::of_owner(app);
    let found = paths::found(&browser, &account);
    let made_of = |found: &Found, page: &str| found.html.get(page).map(|html| shape(html));
    let is_other = |page: &str| made_of(&found, page) != made_of(full, page);
    let shown = found.shown.iter().filter(|(page, _)| is_other(page)).enumerate();
    let sight = |(turn, (page, path)): (usize, &(&str, String))| Sight {
        name: format!("empty {page}"),
        url: format!("{}{path}", app.origin()),
        visitor: NEWCOMER,
        judged: Judged::Shown(one_by_turns(turn), part(turn)),
    };
    shown.map(sight).collect()
}

fn part(turn: usize) -> Part {
    if turn.is_multiple_of(WHOLE_EVERY) { Part::Whole } else { Part::Content }
}

/// The pages of a shop that has one of everything that the API makes.
fn sights_of_a_shop_with_everything(app: &App) -> (Vec<Sight>, Found) {
    let shop = Shop::open(app);
    let bought = json!({"customerId": shop.buyer,
        "items": [{"productId": shop.product, "quantity": 1}]});
    let hook = json!({"url": "https://hooks.example.com/all", "events": ["*"]});
    let _ = made(&shop.client, "/webhooks", &hook);
    let order = made(&shop.client, "/orders", &bought);
    let lives = json!({"addresses": [{"street": "Juárez 10"}]});
    let _ = shop.client.patch(&format!("/customers/{}", shop.buyer), &lives).expect(200);
    // One that does not seal, because another does.
    let _ = made(&shop.client, "/invoices/cfdi/issuer/certificates", &certificate(&shop));
    let browser = Browser::new(app);
    let account = owned(app, &browser);
    a_colleague_comes(app, shop.account, "carla@shop.example", Role::Sales);
    a_colleague_comes(app, shop.account, ENGLISH_EMAIL, Role::Owner);
    let ticked = format!("{account}orders/bulk/pay?which=selected&id%5B{order}%5D=true");
    let job = begun(&browser, &ticked, &[("method", "cash")]);
    assert_eq!(shop.client.ended(&job)["status"], "succeeded");
    // Mail is kept where there is no server to send it.
    for kind in ImportKind::EVERY {
        let new = format!("{account}imports/{}/new", kind.name());
        let sent = browser.send_files(&new, &new, &[], &[("file", b"SKU,Correo,Notas\n1,2,3\n")]);
        assert_eq!(sent.status, 303, "{}", sent.text);
    }
    let links = links_of_people(app, &browser, &account);
    let _ = a_view_is_saved(&browser, &account);
    // What was asked just now is listed for sure: older lines of the log may be on their way to the disk.
    let wrong =
        shop.client.patch(&format!("/products/{}", shop.product), &json!({"price": "dear"}));
    let _ = wrong.refused(400, "validation_failed");
    let found = paths::found(&browser, &account);
    assert!(found.missing.is_empty(), "nothing of the panel leads to {:?}", found.missing);
    let sight = |name: String, path: &str, visitor: usize, judged: Judged| Sight {
        name,
        url: format!("{}{path}", app.origin()),
        visitor,
        judged,
    };
    let mut sights = Vec::new();
    for (turn, (page, path)) in found.shown.iter().enumerate() {
        let judged = Judged::Shown(by_turns(turn), part(turn));
        sights.push(sight((*page).to_owned(), path, OWNER, judged));
    }
    let forms = found.shown.iter().filter(|(page, _)| REFUSED.contains(page));
    for (turn, (page, path)) in forms.enumerate() {
        let judged = Judged::Refused(one_by_turns(turn));
        sights.push(sight(format!("refused {page}"), path, OWNER, judged));
    }
    for (turn, (page, path)) in
        found.shown.iter().filter(|(page, _)| TICKED.contains(page)).enumerate()
    {
        let judged = Judged::Ticked(by_turns(turn));
        sights.push(sight(format!("ticked {page}"), path, OWNER, judged));
    }
    let colleague = signed_in_as(app, ENGLISH_EMAIL);
    let own_view = a_view_is_saved(&colleague, &account);
    for (page, path) in &found.shown {
        let path = match *page {
            // Who is about to give a code is not known yet: the page is in the browser's language.
            "sign-in/code" => continue,
            // Views are everybody's own.
            "views/{id}" => &own_view,
            _ => path,
        };
        sights.push(sight(format!("{page}, in English"), path, COLLEAGUE, Judged::InEnglish));
    }
    for (page, path) in links {
        let judged = Judged::Shown(by_turns(0), Part::Whole);
        sights.push(sight(page.to_owned(), &path, STRANGER, judged));
    }
    (sights, found)
}

/// A browser with a session of its own, of which each may ask for so much a minute.
fn signed_in(app: &App) -> Browser {
    signed_in_as(app, EMAIL)
}

fn signed_in_as(app: &App, email: &str) -> Browser {
    let (browser, door) = (Browser::new(app), "/panel/sign-in");
    let entered = browser.send(door, door, &[("email", email), ("password", PASSWORD)]);
    assert_eq!(entered.status, 303, "{}", entered.text);
    browser
}

fn made(client: &Client, path: &str, body: &Value) -> String {
    let made = client.post(path, body).expect(201);
    made["id"].as_str().unwrap().to_owned()
}

/// The path of its page.
fn a_view_is_saved(browser: &Browser, account: &str) -> String {
    let (page, place) = (format!("{account}orders?status=paid"), format!("{account}views"));
    let view = [("name", "Pagados"), ("list", "orders"), ("query", "status=paid")];
    let saved = browser.send(&page, &place, &view);
    assert_eq!(saved.status, 303, "{}", saved.text);
    let list = browser.read(&page);
    let own = paths::links(&list).into_iter().find(|link| link.contains("/views/viw_"));
    own.unwrap_or_else(|| panic!("{list}"))
}

/// The path of the test account, once the browser is its owner's.
pub(super) fn owned(app: &App, browser: &Browser) -> String {
    let link = app.store().issue_link(Purpose::SetUp, app.now());
    let token = link.wait().unwrap().unwrap().value.token;
    let page = format!("/panel/setup/{}", token.reveal());
    let person = [("name", "Ana"), ("email", EMAIL), ("password", PASSWORD)];
    let entered = browser.send(&page, &page, &person);
    assert_eq!(entered.status, 303, "{}", entered.text);
    let chosen = browser.read("/panel");
    let homes = paths::links(&chosen).into_iter();
    let mut homes = homes.filter(|link| link.starts_with("/panel/") && link.ends_with('/'));
    let of_tests = |home: &String| browser.read(home).contains("SANDBOX");
    homes.find(of_tests).unwrap_or_else(|| panic!("no test account: {chosen}"))
}

/// A member of the live account of a test account, who has chosen English.
fn a_colleague_comes(app: &App, test: AccountId, email: &str, role: Role) {
    let accounts = app.store().list_accounts().wait().unwrap().unwrap();
    let live = accounts.iter().find(|account| account.id == test).unwrap().test_of.unwrap();
    let user = NewUser {
        name: "Carla".to_owned(),
        email: email.to_owned(),
        password: Password::new(PASSWORD),
        language: Some(Language::English),
        account_name: None,
    };
    let ctx = Ctx::system(live, app.now()).by(Actor::Operator("test".into()));
    let _ = app.store().add_user(ctx, user, role).wait().unwrap().unwrap();
}

/// Pages that links lead to which are sent to people, each with its path.
fn links_of_people(app: &App, browser: &Browser, account: &str) -> Vec<(&'static str, String)> {
    let page = format!("{account}settings/team/invite");
    let invited = browser.send(&page, &page, &[("email", "beto@shop.example"), ("role", "sales")]);
    assert_eq!(invited.status, 200, "{}", invited.text);
    let invitation = super::browser::copied(&invited.text, "link").replace(&app.origin(), "");
    let accounts = app.store().list_accounts().wait().unwrap().unwrap();
    let for_account = Purpose::SetUpAccount(accounts[0].id);
    let issued = app.store().issue_link(for_account, app.now()).wait().unwrap().unwrap().value;
    let set_up = format!("{}{}", for_account.path(), issued.token.reveal());
    vec![("invite", invitation), ("setup of an account", set_up)]
}
