//! The panel in a browser: every page that is declared, with and without data, looked at by axe-core on a desk and on a phone, by
//! turns in the light and in the dark; whether it fits in both languages where there is little room; and what matters most by
//! keyboard alone, without script.
//!
//! One browser for all of it, because starting one takes long. It is on SQLite: what a page shows of either database is tested
//! beside this.

mod board;
mod hands;
mod look;
pub(super) mod paths;

use std::{fs, path::Path};

use accounts::{
    Accounts, NewUser, Password, Purpose, Role, UserOffice, session::SESSION_IDLE_SECONDS_MAX,
};
use imports::{ImportKind, ImportOptions, ImportState, Imports, KeptFile, NewImport};
use kernel::{AccountId, Actor, Ctx, Language};
use serde_json::{Value, json};
use testkit::{App, Chromium, Client, DatabaseKind, Key, Reply};

use super::browser::{Browser, EMAIL, PASSWORD};
use crate::{
    invoices::office::sale,
    keys::assert_refused_soon,
    openapi::{Shop, certificate},
};
use hands::Hands;
use look::{ALL, Look, by_turns};

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
/// Reads the panel in English.
const ENGLISH_EMAIL: &str = "inga@shop.example";

/// Kept once what is filled in has been kept.
const KEPT: &str = "new Promise((kept) => { \
    const look = () => performance.getEntriesByType('resource').some((one) => \
    one.name.includes('/forms?of=') && one.responseEnd > 0) ? kept(true) : setTimeout(look, 100); look(); })";

#[test]
fn every_page_is_for_everybody() {
    let Some(chromium) = Chromium::start() else { return };
    let look = &mut Look::with(&chromium);
    a_shop_begins(&chromium, look);
    board::a_deal_is_dragged_and_moved_without_script(&chromium);
    a_shop_with_everything(&chromium, look);
    look.judge();
}

/// From the link that the service prints to a key that is revoked; on the way, the pages of a shop that has nothing yet.
fn a_shop_begins(chromium: &Chromium, look: &mut Look<'_>) {
    let app = App::start(DatabaseKind::Sqlite);
    let link = app.store().issue_link(Purpose::SetUp, app.now());
    let token = link.wait().unwrap().unwrap().value.token;
    let set_up = format!("{}/panel/setup/{}", app.origin(), token.reveal());
    look.at("setup", &set_up, &ALL);
    look.at("sign-in", &format!("{}/panel/sign-in", app.origin()), &ALL);
    let hands = Hands::on(chromium);
    chromium.let_script_run(false);
    chromium.open(&set_up);
    hands.fill(&[("accountName", "Flores del Sur"), ("name", "Ana")]);
    hands.fill(&[("email", EMAIL), ("password", PASSWORD)]);
    chromium.press_through(Key::Enter);
    let account = hands.path();
    assert!(account.starts_with("/panel/flores"), "{account}");
    a_key_is_made_used_and_revoked(&app, chromium, &account);
    who_signs_out_signs_in_again(chromium, &account);
    chromium.let_script_run(true);
    chromium.be_known(&app.origin(), &signed_in(&app).cookies());
    let found = paths::found(&signed_in(&app), &account);
    for (turn, (page, path)) in found.shown.into_iter().enumerate() {
        let view = &ALL[turn % ALL.len()..][..1];
        look.at(&format!("empty {page}"), &format!("{}{path}", app.origin()), view);
    }
    an_import_is_watched(&app, chromium, &account);
    keys_lead_everywhere(chromium, &format!("{}{account}", app.origin()));
    a_form_parked_by_the_sessions_end(&app, chromium, look, &account);
}

/// With script: what keys there are, and the palette.
fn keys_lead_everywhere(chromium: &Chromium, home: &str) {
    let press = |key: &str| {
        let event = format!("new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}})");
        let _ = chromium.evaluate(&format!("document.body.dispatchEvent({event})"));
    };
    let once = |is_so: &str| {
        let waiting =
            "(done) => { const look = () => is_so() ? done(true) : setTimeout(look, 20); look(); }";
        let promise = format!("((is_so) => new Promise({waiting}))(() => {is_so})");
        assert_eq!(chromium.evaluate(&promise), json!(true), "{is_so}");
    };
    chromium.open(home);
    press("?");
    once(
        "[...document.querySelectorAll('dialog[open] kbd')].some((key) => key.textContent.startsWith('g '))",
    );
    let _ = chromium.evaluate("document.querySelector('dialog').close()");
    once("!document.querySelector('dialog')");
    press("/");
    once("document.activeElement.getAttribute('role') === 'combobox'");
    chromium.write("nueva fact");
    once(
        "document.querySelector('[role=option][aria-selected=true]')?.textContent.includes('Nueva factura')",
    );
    chromium.press_through(Key::Enter);
    let path = chromium.evaluate("location.pathname");
    assert!(path.as_str().is_some_and(|path| path.ends_with("/invoices/new")), "{path}");
}

/// With script a page goes on by itself, from the file that is chosen to the end of its import.
fn an_import_is_watched(app: &App, chromium: &Chromium, account: &str) {
    let accounts = app.store().list_accounts().wait().unwrap().unwrap();
    let own = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
    let ctx = || Ctx::system(own, app.now());
    // One whose file is nowhere keeps the other waiting for as long as somebody looks.
    let file = KeptFile { name: "nowhere".to_owned(), size: 1, digest: "0".repeat(64) };
    let (kind, options) = (ImportKind::Products, ImportOptions::default());
    let before = NewImport { kind, options, file };
    let before = Imports::open(&**app.store(), ctx(), before).wait().unwrap().unwrap().value.id;
    let is_running = || {
        let import = Imports::get(&**app.store(), own, kind, before).wait().unwrap().unwrap();
        import.unwrap().state == ImportState::Running
    };
    while !is_running() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let catalog = Path::new(env!("CARGO_TARGET_TMPDIR")).join("catalogo.csv");
    fs::write(&catalog, "Clave;Artículo;Precio\nT-1;Taza;19,90\nT-2;Plato;caro\n").unwrap();
    let hands = Hands::on(chromium);
    chromium.open(&format!("{}{account}imports/products/new", app.origin()));
    chromium.choose_file("input[type=file]", &catalog);
    hands.send("imports/products/new");
    assert!(hands.path().contains("/imports/products/files/fil_"), "{}", hands.path());
    hands.reach("e.name === 'write'");
    chromium.press_through(Key::Enter);
    assert!(hands.path().contains("/imports/products/imp_"), "{}", hands.path());
    let moves = "globalThis.isSame = true, document.querySelector('[data-poll] progress') !== null";
    assert_eq!(chromium.evaluate(moves), json!(true));
    let _ = Imports::cancel(&**app.store(), ctx(), kind, before).wait().unwrap().unwrap();
    let ended = chromium.evaluate(
        "new Promise((ended) => {
            const look = () => document.querySelector('[data-poll]') ? setTimeout(look, 50)
                : ended([globalThis.isSame, document.querySelector('progress').value,
                    document.querySelectorAll('a[href$=\"/errors.csv\"]').length]);
            look();
        })",
    );
    assert_eq!(ended, json!([true, 2, 1]));
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

fn a_key_is_made_used_and_revoked(app: &App, chromium: &Chromium, account: &str) {
    let hands = Hands::on(chromium);
    hands.follow("settings/api-keys");
    hands.follow("settings/api-keys/new");
    hands.fill(&[("name", "Mi tienda")]);
    hands.reach("e.name === 'scopes[orders]'");
    chromium.press(Key::Space);
    hands.send("settings/api-keys/new");
    let key = chromium.evaluate("document.getElementById('key').value");
    let key = key.as_str().unwrap_or_else(|| panic!("no key at {}", hands.path())).to_owned();
    let called = || {
        let request = app.anonymous().request("GET", "/orders");
        Reply::to(request.header("Authorization", format!("Bearer {key}"))).status
    };
    assert_eq!(called(), 200);
    hands.follow("settings/api-keys");
    hands.follow("/revoke");
    hands.fill(&[("name", "Mi tienda")]);
    chromium.press_through(Key::Enter);
    assert_eq!(hands.path(), format!("{account}settings/api-keys"));
    assert_refused_soon(called);
}

fn who_signs_out_signs_in_again(chromium: &Chromium, account: &str) {
    let hands = Hands::on(chromium);
    hands.send("/panel/sign-out");
    assert_eq!(hands.path(), "/panel/sign-in");
    hands.fill(&[("email", EMAIL), ("password", "siete perros en la azotea")]);
    chromium.press_through(Key::Enter);
    // What is wrong is told first, and has the keyboard's attention.
    assert_eq!(chromium.evaluate("document.querySelectorAll('[role=alert]').length"), json!(1));
    hands.fill(&[("password", PASSWORD)]);
    chromium.press_through(Key::Enter);
    assert_eq!(hands.path(), account);
}

/// What is filled in is kept by script, offered again, kept once more by a session that has ended, and sent by hand.
fn a_form_parked_by_the_sessions_end(
    app: &App,
    chromium: &Chromium,
    look: &mut Look<'_>,
    account: &str,
) {
    let hands = Hands::on(chromium);
    let new = format!("{}{account}customers/new", app.origin());
    let shown = || chromium.evaluate("document.querySelector('[name=name]').value");
    let offered = || chromium.evaluate("document.querySelectorAll('.unsent').length");
    chromium.open(&new);
    assert_eq!(offered(), json!(0));
    hands.fill(&[("name", "Xóchitl")]);
    assert_eq!(chromium.evaluate(KEPT), json!(true));
    look.at("unsent form", &new, &ALL);
    assert_eq!((shown(), offered()), (json!(""), json!(1)));
    let hands = Hands::on(chromium);
    hands.reach_link("e.search.includes('restore=')");
    chromium.press_through(Key::Enter);
    assert_eq!((shown(), offered()), (json!("Xóchitl"), json!(1)));
    hands.reach("e.name === 'email'");
    chromium.write("x@shop.example");
    app.advance_seconds(SESSION_IDLE_SECONDS_MAX + 1);
    chromium.press_through(Key::Enter);
    assert_eq!(hands.path(), "/panel/sign-in");
    assert_eq!(chromium.evaluate("document.querySelectorAll('[role=status]').length"), json!(1));
    hands.fill(&[("email", EMAIL), ("password", PASSWORD)]);
    chromium.press_through(Key::Enter);
    assert_eq!(hands.path(), format!("{account}customers/new"));
    let email = chromium.evaluate("document.querySelector('[name=email]').value");
    assert_eq!((shown(), email), (json!("Xóchitl"), json!("x@shop.example")));
    hands.reach("e.name === 'email'");
    chromium.press_through(Key::Enter);
    let customer = hands.path();
    assert!(customer.starts_with(&format!("{account}customers/cus_")), "{customer}");
    chromium.open(&new);
    assert_eq!((shown(), offered()), (json!(""), json!(0)));
}

/// The pages of a shop that has one of everything that the API makes.
fn a_shop_with_everything(chromium: &Chromium, look: &mut Look<'_>) {
    let app = App::start(DatabaseKind::Sqlite);
    let shop = Shop::open(&app);
    let bought = json!({"customerId": shop.buyer,
        "items": [{"productId": shop.product, "quantity": 1}]});
    let hook = json!({"url": "https://hooks.example.com/all", "events": ["*"]});
    let hook = made(&shop.client, "/webhooks", &hook);
    let _ = made(&shop.client, "/orders", &bought);
    let lives = json!({"addresses": [{"street": "Juárez 10"}]});
    let _ = shop.client.patch(&format!("/customers/{}", shop.buyer), &lives).expect(200);
    // One that does not seal, because another does.
    let _ = made(&shop.client, "/invoices/cfdi/issuer/certificates", &certificate(&shop));
    let browser = Browser::new(&app);
    let account = owned(&app, &browser);
    a_colleague_comes(&app, shop.account, "carla@shop.example", Role::Sales);
    let origin = app.origin();
    chromium.be_known(&origin, &signed_in(&app).cookies());
    a_delivery_is_sent_again(chromium, &format!("{origin}{account}"), &hook);
    a_bulk_action(chromium, &origin, &account);
    an_invoice_is_stamped_and_cancelled(chromium, &format!("{origin}{account}"), &shop.client);
    // Mail is kept where there is no server to send it.
    for kind in ImportKind::EVERY {
        let new = format!("{account}imports/{}/new", kind.name());
        let sent = browser.send_files(&new, &new, &[], &[("file", b"SKU,Correo,Notas\n1,2,3\n")]);
        assert_eq!(sent.status, 303, "{}", sent.text);
    }
    let links = links_of_people(&app, &browser, &account);
    a_view_is_saved(&browser, &account);
    let found = paths::found(&browser, &account);
    assert!(found.missing.is_empty(), "nothing of the panel leads to {:?}", found.missing);
    for (turn, (page, path)) in found.shown.iter().enumerate() {
        look.at(page, &format!("{origin}{path}"), by_turns(turn));
    }
    let forms = found.shown.iter().filter(|(page, _)| REFUSED.contains(page));
    for (turn, (page, path)) in forms.enumerate() {
        a_form_is_refused(chromium, look, page, &format!("{origin}{path}"), turn);
    }
    a_colleague_comes(&app, shop.account, ENGLISH_EMAIL, Role::Owner);
    chromium.be_known(&origin, &signed_in_as(&app, ENGLISH_EMAIL).cookies());
    // Who is about to give a code is not known yet: the page is in the browser's language.
    for (page, path) in found.shown.iter().filter(|(page, _)| *page != "sign-in/code") {
        look.in_english(page, &format!("{origin}{path}"));
    }
    chromium.be_known(&origin, &Browser::new(&app).cookies());
    for (page, path) in links {
        look.at(page, &format!("{origin}{path}"), by_turns(0));
    }
}

fn made(client: &Client, path: &str, body: &Value) -> String {
    let made = client.post(path, body).expect(201);
    made["id"].as_str().unwrap().to_owned()
}

fn a_view_is_saved(browser: &Browser, account: &str) {
    let (page, place) = (format!("{account}orders?status=paid"), format!("{account}views"));
    let view = [("name", "Pagados"), ("list", "orders"), ("query", "status=paid")];
    let saved = browser.send(&page, &place, &view);
    assert_eq!(saved.status, 303, "{}", saved.text);
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

/// What is sent as it is shown comes back with what is wrong with it.
fn a_form_is_refused(chromium: &Chromium, look: &mut Look<'_>, page: &str, url: &str, turn: usize) {
    chromium.open(url);
    let button = "document.querySelector('#content form.form .actions button')";
    let _ = chromium.evaluate(&format!("{button}.focus()"));
    chromium.press_through(Key::Enter);
    let told = chromium.evaluate("document.querySelectorAll('[role=alert]').length");
    if told != json!(1) {
        look.wrong(format!("{page}: is not refused, but leads to {}", Hands::on(chromium).path()));
    }
    look.seen(&format!("refused {page}"), &ALL[turn % ALL.len()..][..1]);
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

fn a_delivery_is_sent_again(chromium: &Chromium, account: &str, webhook: &str) {
    chromium.let_script_run(false);
    chromium.open(&format!("{account}webhooks"));
    let hands = Hands::on(chromium);
    hands.follow(&format!("webhooks/{webhook}"));
    hands.reach_link("e.pathname.includes('/deliveries/')");
    chromium.press_through(Key::Enter);
    hands.send("/retry");
    let told = chromium.evaluate("document.querySelectorAll('[role=status]').length");
    assert_eq!(told, json!(1), "{}", hands.path());
    chromium.let_script_run(true);
}

/// With script, what is going to happen is told in a dialog; the page of what happens looks again by itself.
fn a_bulk_action(chromium: &Chromium, origin: &str, account: &str) {
    chromium.open(&format!("{origin}{account}orders"));
    let hands = Hands::on(chromium);
    let _ = chromium.evaluate("document.querySelector('td.box input').click()");
    hands.reach("e.tagName === 'BUTTON' && e.formAction.endsWith('orders/bulk/pay')");
    chromium.press(Key::Enter);
    chromium.wait_for("document.querySelector('dialog[open] form') !== null");
    assert_eq!(hands.path(), format!("{account}orders"));
    hands.reach("e.tagName === 'BUTTON' && e.closest('dialog') !== null");
    chromium.press_through(Key::Enter);
    assert!(hands.path().starts_with(&format!("{account}bulk/")), "{}", hands.path());
    chromium.wait_for("document.querySelector('[data-poll]') === null");
    let acted = chromium.evaluate("document.querySelectorAll('.rows .pill.ok').length");
    assert_eq!(acted, json!(1), "{}", hands.path());
}

fn an_invoice_is_stamped_and_cancelled(chromium: &Chromium, account: &str, client: &Client) {
    let id = made(client, "/invoices", &sale(116.0));
    let status = || client.get(&format!("/invoices/{id}")).expect(200)["status"].clone();
    chromium.let_script_run(false);
    chromium.open(&format!("{account}invoices/{id}"));
    let hands = Hands::on(chromium);
    hands.send("/stamp");
    assert_eq!(status(), "stamped", "{}", hands.path());
    hands.follow(&format!("{id}/cancel"));
    // What a list offers is chosen by keys of the browser's own.
    chromium.open(&format!("{account}invoices/{id}/cancel?reason=02"));
    hands.send(&format!("{id}/cancel"));
    assert_eq!(status(), "cancelled", "{}", hands.path());
    chromium.let_script_run(true);
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
