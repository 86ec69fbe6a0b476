//! The first days of a shop: from the link that the service prints to a key that is revoked, by keyboard alone and without script;
//! then, with script, what goes on by itself and what is kept.

use std::{fs, path::Path};

use accounts::{Accounts, Purpose, UserOffice, session::SESSION_IDLE_SECONDS_MAX};
use imports::{ImportKind, ImportOptions, ImportState, Imports, KeptFile, NewImport};
use kernel::Ctx;
use serde_json::json;
use testkit::{App, Chromium, DatabaseKind, Key, Reply};

use super::{
    super::browser::{EMAIL, PASSWORD},
    hands::Hands,
    look::{ALL, Look, judge},
    signed_in,
};
use crate::keys::assert_refused_soon;

/// Kept once what is filled in has been kept.
const KEPT: &str = "new Promise((kept) => { \
    const look = () => performance.getEntriesByType('resource').some((one) => \
    one.name.includes('/forms?of=') && one.responseEnd > 0) ? kept(true) : setTimeout(look, 100); look(); })";

#[test]
fn a_shop_begins() {
    let Some(chromium) = Chromium::start() else { return };
    let chromium = &chromium;
    let mut look = Look::with(chromium);
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
    an_import_is_watched(&app, chromium, &account);
    keys_lead_everywhere(chromium, &format!("{}{account}", app.origin()));
    a_form_parked_by_the_sessions_end(&app, chromium, &mut look, &account);
    judge(&[look]);
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
