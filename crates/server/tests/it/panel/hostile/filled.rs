//! What people fill in, in every form that takes texts: refused or taken, it is text wherever it is shown.

use std::collections::BTreeSet;

use testkit::{App, DatabaseKind};

use super::{
    super::{
        browser::Browser,
        once::{Form, filled_in, in_turn, shown, usual},
        walk::{owned, paths},
    },
    TEXTS, assert_files_are_inert, assert_inert, showing,
};
use crate::openapi::Shop;

/// How often a form is sent, each time without what it has not taken.
const ROUNDS: usize = 5;
/// Say whose services are called.
const LEFT_OUT: [&str; 2] =
    ["settings/invoicing/provider", "settings/payments/providers/{provider}"];

/// What a page shows of either database is tested beside this.
#[test]
fn what_is_filled_in_is_text_on_every_page() {
    let app = App::start(DatabaseKind::Sqlite);
    let _ = Shop::open(&app);
    let browser = Browser::new(&app);
    let account = owned(&app, &browser);
    let (mut taken, mut refused) = (BTreeSet::new(), BTreeSet::new());
    for (path, form) in in_turn(shown(&browser, &account)) {
        if !form.texts.is_empty() && !LEFT_OUT.contains(&path) {
            let outcome = if is_taken(&browser, path, &form) { &mut taken } else { &mut refused };
            let _ = outcome.insert(path);
        }
    }
    assert!(taken.len() >= 20, "taken {taken:?}, refused {refused:?}");
    let found = paths::found(&browser, &account);
    let showing = showing(&found);
    assert!(showing >= 20, "{showing} of {} pages show texts", found.shown.len());
    assert_files_are_inert(&browser, &account, &found);
}

/// Sends a form with hostile texts in all fields that take them; whether any does, and the form is taken.
fn is_taken(browser: &Browser, path: &str, form: &Form) -> bool {
    // Rows want more than texts: one is enough.
    let is_first = |name: &&str| !name.contains('[') || name.contains("[0]");
    let mut hostile: Vec<&str> = form.texts.iter().map(String::as_str).filter(is_first).collect();
    for _ in 0..ROUNDS {
        if hostile.is_empty() {
            return false;
        }
        let texts = hostile.iter().copied().zip(TEXTS.into_iter().cycle());
        let others = usual(path).iter().copied().filter(|(name, _)| !hostile.contains(name));
        let filled: Vec<_> = texts.chain(others).collect();
        let reply = browser.post(&form.action, &filled_in(form, &filled));
        assert!(reply.status < 500, "{path}: {}", reply.text);
        assert_inert(path, &reply.text);
        if reply.status < 400 {
            return true;
        }
        let before = hostile.len();
        hostile.retain(|name| !reply.text.contains(&format!("id=\"{name}-fault\"")));
        if hostile.len() == before {
            return false;
        }
    }
    false
}
