//! API keys of the panel.

use testkit::{App, DatabaseKind, Reply, on_both};

use super::browser::{Browser, EMAIL, copied};
use crate::keys::assert_refused_soon;

on_both!(
    a_key_is_made_used_rotated_and_revoked,
    a_form_that_is_sent_twice_makes_one_key,
    a_key_needs_a_name_and_a_scope,
    who_has_not_given_the_password_lately_is_asked_for_it,
);

const ORDERS: &[(&str, &str)] =
    &[("name", "Mi tienda"), ("mode", "live"), ("scopes[orders]", "true"), ("ratePerHour", "2000")];

fn called(app: &App, key: &str, path: &str) -> u16 {
    let request =
        app.anonymous().request("GET", path).header("Authorization", format!("Bearer {key}"));
    Reply::to(request).status
}

/// Where the newest key is acted on.
fn place(browser: &Browser, account: &str) -> String {
    let shown = browser.read(&format!("{account}settings/api-keys"));
    let places = shown.split('"').filter_map(|part| part.strip_suffix("/rotate"));
    places.map(str::to_owned).next().unwrap_or_else(|| panic!("{shown}"))
}

fn a_key_is_made_used_rotated_and_revoked(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let page = format!("{account}settings/api-keys/new");
    let made = browser.send(&page, &page, ORDERS);
    assert_eq!(made.status, 200, "{}", made.text);
    let key = copied(&made.text, "key");
    assert!(copied(&made.text, "curl").contains("/api/v1/orders?limit=1"), "{}", made.text);
    assert_eq!(made.header("content-encoding"), None);
    assert_eq!(called(&app, &key, "/orders"), 200);
    assert_eq!(called(&app, &key, "/products"), 403);
    let list = browser.read(&format!("{account}settings/api-keys"));
    assert!(list.contains("Mi tienda") && !list.contains(&key), "{list}");
    assert!(list.contains("2,000 peticiones por hora"), "{list}");
    let place = place(&browser, &account);
    let rotate = format!("{place}/rotate");
    let rotated = browser.send(&rotate, &rotate, &[("overlap", "1h")]);
    assert_eq!(rotated.status, 200, "{}", rotated.text);
    let second = copied(&rotated.text, "key");
    assert_ne!(key, second);
    assert_eq!((called(&app, &key, "/orders"), called(&app, &second, "/orders")), (200, 200));
    let list = browser.read(&format!("{account}settings/api-keys"));
    assert!(list.contains("La clave anterior sirve hasta"), "{list}");
    let revoke = format!("{place}/revoke");
    let wrong = browser.send(&revoke, &revoke, &[("name", "Otra")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    assert_eq!(called(&app, &second, "/orders"), 200);
    let revoked = browser.send(&revoke, &revoke, &[("name", "Mi tienda")]);
    assert_eq!(revoked.status, 303, "{}", revoked.text);
    assert_eq!(called(&app, &second, "/orders"), 401);
    assert_refused_soon(|| called(&app, &key, "/orders"));
    let log = browser.read(&format!("{account}settings/audit"));
    for action in ["api_key.created", "api_key.rotated", "api_key.revoked"] {
        assert!(log.contains(&format!("<code>{action}</code>")), "{action}: {log}");
    }
    assert!(log.contains("Permisos: <del>—</del> → <ins>Pedidos</ins>"), "{log}");
    assert!(!log.contains(&key) && !log.contains(&second));
    let table = browser.read(&format!("{account}settings/audit.csv"));
    assert!(table.contains("Clave de API rotada") && table.contains("sirve 1 hora más"), "{table}");
    assert!(table.contains("api_key.rotated") && !table.contains(&second), "{table}");
    // It is narrowed to somebody by choosing them; what nobody can be narrows nothing.
    for choice in [EMAIL, "Mi tienda", "Una clave de API"] {
        assert!(log.contains(&format!(">{choice}</option>")), "{choice}: {log}");
    }
    for (actor, is_there) in [("user", true), ("operator", false), ("nope", true)] {
        let log = browser.read(&format!("{account}settings/audit?actor={actor}"));
        assert_eq!(log.contains("<code>api_key.created</code>"), is_there, "{actor}: {log}");
    }
}

fn a_form_that_is_sent_twice_makes_one_key(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let page = format!("{account}settings/api-keys/new");
    let csrf = browser.csrf(&page);
    let tokens = [("csrf", csrf.as_str()), ("once", "the-same-form-0123456789abcdefgh")];
    let fields: Vec<_> = tokens.into_iter().chain(ORDERS.iter().copied()).collect();
    let (first, second) = (browser.post(&page, &fields), browser.post(&page, &fields));
    assert_eq!((first.status, second.status), (200, 200), "{}", second.text);
    assert_eq!(copied(&first.text, "key"), copied(&second.text, "key"));
    let list = browser.read(&format!("{account}settings/api-keys"));
    assert_eq!(list.matches("Mi tienda").count(), 1, "{list}");
}

fn a_key_needs_a_name_and_a_scope(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let page = format!("{account}settings/api-keys/new");
    let refused = browser.send(&page, &page, &[("name", " "), ("expiresInDays", "0")]);
    assert_eq!(refused.status, 422, "{}", refused.text);
    for field in ["name", "scopes", "expiresInDays"] {
        assert!(
            refused.text.contains(&format!("id=\"{field}-fault\"")),
            "{field}: {}",
            refused.text
        );
        assert!(refused.text.contains(&format!("href=\"#{field}\"")), "{field}: {}", refused.text);
    }
    // What was filled in stays.
    let kept = browser.send(&page, &page, &[("name", "\"><b>x"), ("ratePerHour", "no")]);
    assert!(
        kept.text.contains("&#34;&#62;&#60;b&#62;x") && !kept.text.contains("<b>x"),
        "{}",
        kept.text
    );
    let preset = browser.read(&format!("{page}?preset=warehouse"));
    assert!(preset.contains("name=\"scopes[warehouses]\" value=\"true\" checked"), "{preset}");
}

fn who_has_not_given_the_password_lately_is_asked_for_it(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let page = format!("{account}settings/api-keys/new");
    let _ = browser.read(&page);
    app.advance_seconds(accounts::session::REAUTHENTICATION_SECONDS + 1);
    let asked = browser.get(&page);
    assert_eq!(asked.status, 303);
    let confirm = asked.header("location").unwrap().to_owned();
    assert!(confirm.starts_with("/panel/me/confirm?to="), "{confirm}");
    let wrong = browser.send(&confirm, &confirm, &[("password", "something else entirely")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    let confirmed = browser.send(&confirm, &confirm, &[("password", super::browser::PASSWORD)]);
    assert_eq!((confirmed.status, confirmed.header("location")), (303, Some(page.as_str())));
    let _ = browser.read(&page);
}
