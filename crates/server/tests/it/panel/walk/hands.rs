//! Hands that use the keyboard alone.

use serde_json::json;
use testkit::{Chromium, Key};

/// More than there is on any page.
const PRESSES_MAX: usize = 300;

/// Hands on the keyboard of a browser.
pub(super) struct Hands<'a> {
    chromium: &'a Chromium,
}

impl<'a> Hands<'a> {
    /// Before a desk, where the navigation is in sight.
    pub(super) fn on(chromium: &'a Chromium) -> Self {
        chromium.resize(1_280, 900);
        Self { chromium }
    }

    /// The path of the page.
    pub(super) fn path(&self) -> String {
        self.chromium.evaluate("location.pathname").as_str().unwrap_or_default().to_owned()
    }

    /// Goes on to where this is true of the element `e`.
    #[track_caller]
    pub(super) fn reach(&self, is_meant: &str) {
        self.skip_to(is_meant);
        self.unfold(is_meant);
        self.tab_to(is_meant);
    }

    #[track_caller]
    fn tab_to(&self, is_meant: &str) {
        let asked = format!("((e) => {is_meant})(document.activeElement)");
        for _ in 0..PRESSES_MAX {
            if self.chromium.evaluate(&asked) == true {
                return;
            }
            self.chromium.press(Key::Tab);
        }
        panic!("no key leads to {is_meant} at {}", self.path());
    }

    /// Who comes to a page skips what stands around it, unless that is where something is meant.
    #[track_caller]
    fn skip_to(&self, is_meant: &str) {
        let is_within = format!(
            "document.activeElement === document.body
            && [...document.querySelectorAll('#content *')].some((e) => {is_meant})"
        );
        if self.chromium.evaluate(&is_within) != true {
            return;
        }
        self.chromium.press(Key::Tab);
        let link = self.chromium.evaluate("document.activeElement.getAttribute('href')");
        assert_eq!(link, json!("#content"), "nothing to skip by at {}", self.path());
        self.chromium.press(Key::Enter);
        self.chromium.wait_for("document.activeElement.id === 'content'");
    }

    /// Opens the menu that something is behind, if it can be had nowhere else.
    #[track_caller]
    fn unfold(&self, is_meant: &str) {
        let meant = format!("[...document.querySelectorAll('*')].filter((e) => {is_meant})");
        let is_folded = format!(
            "((all) => all.length > 0 && all.every((e) => e.closest('details.more:not([open])')))({meant})"
        );
        if self.chromium.evaluate(&is_folded) == true {
            self.tab_to("e.matches('details.more:not([open]) > summary')");
            self.chromium.press(Key::Enter);
            self.chromium.wait_for("document.querySelector('details.more[open]') !== null");
        }
    }

    /// Goes on to a link of which this is true.
    #[track_caller]
    pub(super) fn reach_link(&self, is_meant: &str) {
        self.reach(&format!("e.tagName === 'A' && {is_meant}"));
    }

    /// Follows the next link to a path that ends so.
    #[track_caller]
    pub(super) fn follow(&self, end: &str) {
        self.reach_link(&format!("e.pathname.endsWith('{end}')"));
        self.chromium.press_through(Key::Enter);
    }

    /// Writes into the next fields of these names.
    #[track_caller]
    pub(super) fn fill(&self, fields: &[(&str, &str)]) {
        for (name, text) in fields {
            self.reach(&format!("e.name === '{name}'"));
            self.chromium.write(text);
        }
    }

    /// Presses the button of a form that is sent to a path that ends so.
    #[track_caller]
    pub(super) fn send(&self, end: &str) {
        self.reach(&format!(
            "e.tagName === 'BUTTON' && e.form !== null && e.form.getAttribute('action').endsWith('{end}')"
        ));
        self.chromium.press_through(Key::Enter);
    }
}
