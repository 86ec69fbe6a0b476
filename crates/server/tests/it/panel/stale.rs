//! Generated over all forms of a shop about what has a version: about another one nothing is done. Who comes late sees what was
//! saved meanwhile, keeps what was filled in, and sends it again over that.

use std::collections::{BTreeMap, BTreeSet};

use testkit::{App, DatabaseKind, on_both};

use super::{
    browser::Browser,
    once::{Form, filled_in, forms, in_turn, shown, usual},
    walk::owned,
};
use crate::openapi::Shop;

on_both!(who_comes_late_sees_what_was_saved_meanwhile);

/// What two people fill in at once, by the declared path that it is sent to.
const CHANGED: &[(&str, &str, [&str; 2])] = &[
    ("activities/{id}/edit", "subject", ["Otra", "Propia"]),
    ("approvals/rules/{id}/edit", "name", ["Otra", "Propia"]),
    ("categories/{id}", "name", ["Otra", "Propia"]),
    ("customer-groups/{id}", "name", ["Otro", "Propio"]),
    ("customers/{id}/edit", "name", ["Otra", "Propia"]),
    ("deals/pipelines/{id}/edit", "name", ["Otro", "Propio"]),
    ("deals/{id}/edit", "title", ["Otra", "Propia"]),
    ("invoices/{id}/edit", "notes", ["Otras", "Propias"]),
    ("leads/{id}/edit", "name", ["Otro", "Propio"]),
    ("orders/{id}/edit", "notes", ["Otras", "Propias"]),
    ("orders/{id}/shipments/{shipment}", "trackingNumber", ["OTRO-1", "PROPIO-1"]),
    ("price-lists/{id}/edit", "name", ["Otra", "Propia"]),
    ("products/{id}/edit", "name", ["Otro", "Propio"]),
    ("products/{id}/variants/{variant}", "name", ["Otra", "Propia"]),
    ("quotes/{id}/edit", "title", ["Otra", "Propia"]),
    ("settings/invoicing/branches/{id}", "name", ["Otra", "Propia"]),
    ("settings/invoicing/issuers/{id}", "series.income", ["OTRA", "PROPIA"]),
    ("settings/invoicing/issuers/{id}/pdf", "footer", ["Otra", "Propia"]),
    ("settings/payments/rules", "satPaymentForms[wallet]", ["05", "06"]),
    ("settings/stock", "scaleCodes", ["20PPPPPWWWWWC", "21PPPPPWWWWWC"]),
    ("transfers/{id}/edit", "note", ["Otra", "Propia"]),
    ("warehouses/{id}", "name", ["Otro", "Propio"]),
    ("webhooks/{id}/edit", "description", ["Otro", "Propio"]),
];

fn of<'a>(form: &'a Form, field: &str) -> Option<&'a str> {
    let found = form.fields.iter().find(|(name, _)| name == field);
    found.map(|(_, text)| text.as_str())
}

fn who_comes_late_sees_what_was_saved_meanwhile(kind: DatabaseKind) {
    let app = App::start(kind);
    let _ = Shop::open(&app);
    let browser = Browser::new(&app);
    let account = owned(&app, &browser);
    let (mut seen, mut refused) = (BTreeSet::new(), BTreeMap::new());
    let mut done = BTreeSet::new();
    for (path, form) in in_turn(shown(&browser, &account)) {
        let Some(version) = of(&form, "version") else { continue };
        let other = format!("1000{version}");
        let usual = usual(path).iter().copied().chain([("version", other.as_str())]);
        let usual: Vec<_> = usual.collect();
        if browser.post(&form.action, &filled_in(&form, &usual)).status == 303 {
            let _ = done.insert(path);
        }
        let Some((_, field, [theirs, ours])) = CHANGED.iter().find(|(known, ..)| *known == path)
        else {
            assert!(!path.ends_with("/edit"), "{path} is changed by nobody");
            continue;
        };
        let place = form.action.as_str();
        let of_place = |html: &str| forms(html).into_iter().find(|form| form.action == place);
        let open = || of_place(&browser.read(place)).unwrap();
        let (mine, other) = (open(), open());
        let first = browser.post(place, &filled_in(&other, &[(*field, *theirs)]));
        if first.status != 303 {
            let _ = refused.insert(path, first.status);
            continue;
        }
        let late = browser.post(place, &filled_in(&mine, &[(*field, *ours)]));
        assert_eq!(late.status, 422, "{path}: {}", late.text);
        let beside = format!("<p class=\"theirs\" id=\"{field}-theirs\">");
        let (_, told) = late.text.split_once(&beside).unwrap_or_else(|| panic!("{}", late.text));
        let (told, _) = told.split_once("</p>").unwrap();
        assert!(told.contains(*theirs), "{path}: {told}");
        assert_eq!(late.text.matches("class=\"theirs\"").count(), 1, "{path}: {}", late.text);
        let again = of_place(&late.text).unwrap();
        assert_eq!(of(&again, field), Some(*ours), "{path}");
        let saved = browser.post(place, &filled_in(&again, &[]));
        assert_eq!(saved.status, 303, "{path}: {}", saved.text);
        assert_eq!(of(&open(), field), Some(*ours), "{path}");
        let _ = seen.insert(path);
    }
    assert!(done.is_empty(), "done about another version: {done:?}");
    assert!(seen.len() >= 12, "seen {seen:?}, refused {refused:?}");
}
