//! Generated over all pages: who may not is refused, as declared.

use accounts::{Accounts, Role};
use panel::{Described, described};
use testkit::{App, DatabaseKind, on_both};

use super::{browser::Browser, walk::paths};

on_both!(
    without_a_session_every_page_leads_to_the_door,
    the_pages_of_other_accounts_are_not_there,
    a_form_of_another_page_is_refused,
    each_role_opens_what_it_may,
    numbers_of_cards_are_refused,
    every_link_of_a_new_account_leads_to_a_page,
);

/// Fields or headers, each with its value.
type Pairs<'a> = &'a [(&'a str, &'a str)];

/// A path of a page, with something in the place of each name.
fn path(page: &Described, account: &str) -> String {
    let base = if page.right.is_some() { account } else { "/panel/" };
    let parts = page.path.split('/').map(|part| if part.starts_with('{') { "x" } else { part });
    format!("{base}{}", parts.collect::<Vec<_>>().join("/"))
}

fn asked(browser: &Browser, page: &Described, account: &str, csrf: &str) -> u16 {
    let path = path(page, account);
    match page.is_post {
        true => browser.post(&path, &[("csrf", csrf)]).status,
        false => browser.get(&path).status,
    }
}

fn every_link_of_a_new_account_leads_to_a_page(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let mut pages = described();
    pages.retain(|page| page.right.is_some() && !page.is_post);
    for page in pages.iter().filter(|page| !page.path.contains('{')) {
        let html = browser.get(&path(page, &account)).text;
        for link in paths::links(&html).iter().filter(|link| link.starts_with(&account)) {
            let is_there = pages.iter().any(|page| paths::is_one(page, &account, link));
            assert!(is_there, "{link}, as {page:?} has it");
        }
    }
}

fn without_a_session_every_page_leads_to_the_door(kind: DatabaseKind) {
    let app = App::start(kind);
    let (_, account) = Browser::of_owner(&app);
    let stranger = Browser::new(&app);
    let csrf = stranger.csrf("/panel/sign-in");
    for page in described().iter().filter(|page| page.is_personal) {
        let path = path(page, &account);
        let reply = match page.is_post {
            true => stranger.post(&path, &[("csrf", &csrf)]),
            false => stranger.get(&path),
        };
        assert_eq!(reply.status, 303, "{page:?}");
        assert!(reply.header("location").unwrap().starts_with("/panel/sign-in?to="), "{page:?}");
    }
}

fn the_pages_of_other_accounts_are_not_there(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let csrf = browser.csrf(&account);
    let other = app.store().create_account("Otra".to_owned(), 5, app.now());
    let _ = other.wait().unwrap().unwrap();
    for page in described().iter().filter(|page| page.right.is_some()) {
        for slug in ["/panel/otra/", "/panel/nobody/"] {
            assert_eq!(asked(&browser, page, slug, &csrf), 404, "{page:?} {slug}");
        }
    }
}

fn a_form_of_another_page_is_refused(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let csrf = browser.csrf(&account);
    let other = Browser::new(&app).csrf("/panel/sign-in");
    let origin = app.origin();
    for page in described().iter().filter(|page| page.is_post) {
        let path = path(page, &account);
        let (own, foreign) = (("Origin", origin.as_str()), ("Origin", "https://evil.example"));
        let cross = ("Sec-Fetch-Site", "cross-site");
        let cases: [(Pairs<'_>, Pairs<'_>); 6] = [
            (&[], &[own]),
            (&[("csrf", "")], &[own]),
            (&[("csrf", &other)], &[own]),
            (&[("csrf", &csrf)], &[foreign]),
            (&[("csrf", &csrf)], &[own, cross]),
            (&[("csrf", &csrf)], &[]),
        ];
        for (fields, headers) in cases {
            let reply = browser.post_with(&path, fields, headers);
            assert_eq!(reply.status, 403, "{page:?} {headers:?}: {}", reply.text);
        }
    }
}

fn each_role_opens_what_it_may(kind: DatabaseKind) {
    let app = App::start(kind);
    let (_, account) = Browser::of_owner(&app);
    for role in Role::EVERY {
        let browser = Browser::of_member(&app, *role);
        let csrf = browser.csrf(&account);
        for page in described() {
            let Some(right) = page.right else { continue };
            let status = asked(&browser, &page, &account, &csrf);
            assert_eq!(status == 403, !role.allows(right), "{role:?} {page:?} {status}");
            assert!(status < 500, "{role:?} {page:?} {status}");
        }
    }
}

fn numbers_of_cards_are_refused(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let csrf = browser.csrf(&account);
    for page in described().iter().filter(|page| page.is_card_free) {
        let path = path(page, &account);
        let fields = [
            [("csrf", csrf.as_str()), ("reason", "Tarjeta 4111-1111 1111 1111, mañana")],
            [("csrf", csrf.as_str()), ("4111111111111111", "x")],
        ];
        for fields in fields {
            let reply = browser.post(&path, &fields);
            assert_eq!(reply.status, 422, "{page:?}: {}", reply.text);
            let is_told =
                reply.text.contains("número de una tarjeta") && !reply.text.contains("1111");
            assert!(is_told, "{page:?}: {}", reply.text);
        }
        let harmless = browser.post(&path, &[("csrf", &csrf), ("reason", "Taza 4111")]);
        assert!(!harmless.text.contains("número de una tarjeta"), "{page:?}: {}", harmless.text);
    }
}
