//! Identifiers inside bodies and queries: another account's name nothing.

mod audit;
mod catalog;
mod crm;
mod invoices;
mod orders;
mod payments;
mod stock;

use std::collections::BTreeSet;

use kernel::Timestamp;
use serde_json::Value;
use testkit::{App, DatabaseKind, Reply};

use super::id_of_nothing;
use crate::openapi::{Document, EXTERNAL_ID, Shop, Spares, Wares};

testkit::on_both!(foreign_references_are_like_references_to_nothing);

/// A place where a caller can name something, whose identifier goes there, and a body that does.
struct Reference {
    operation: &'static str,
    field: &'static str,
    named: fn(&Shop) -> &str,
    body: fn(&Shop, &str) -> Value,
}

fn references() -> impl Iterator<Item = &'static Reference> {
    let tables = [
        audit::REFERENCES,
        catalog::REFERENCES,
        crm::REFERENCES,
        invoices::REFERENCES,
        orders::REFERENCES,
        payments::REFERENCES,
        stock::REFERENCES,
    ];
    tables.into_iter().flatten()
}

fn foreign_references_are_like_references_to_nothing(kind: DatabaseKind) {
    let app = App::start(kind);
    let known: BTreeSet<_> = references()
        .map(|reference| format!("{} {}", reference.operation, reference.field))
        .collect();
    assert_eq!(documented(&Document::of(&app)), known, "add the missing ones to the table");

    let (theirs, own) = (Shop::open(&app), Shop::open(&app));
    let before = (theirs.snapshot(&app), own.snapshot(&app));
    let days = [-30, 30].map(|days| app.now().plus_seconds(days * 24 * 60 * 60));
    let mut spares = Spares::of(&app);
    for reference in references() {
        let foreign = (reference.named)(&theirs);
        let nothing = id_of_nothing(foreign);
        let outcomes = [foreign, &nothing].map(|id| {
            let reply = send(reference, &own, id, days);
            (reply.status, reply.text.replace(id, "ID"))
        });
        let (status, text) = &outcomes[0];
        assert_eq!(outcomes[0], outcomes[1], "{} {}", reference.operation, reference.field);
        // A preview is of what would be made.
        let lists = reference.operation.starts_with("GET ") && !is_of_one(reference.operation);
        match lists {
            true => {
                // A table of nothing has its heading.
                let is_table = reference.operation.ends_with("/export");
                let is_empty = ["\"total\":0", "\"sums\":[]", "\"totals\":[]"]
                    .iter()
                    .any(|none| text.contains(none))
                    || is_table && text.lines().count() == 1;
                assert!(is_empty, "{text}");
            }
            false => assert!(*status == 400 && text.contains("validation_failed"), "{text}"),
        }
        // The same with its own identifier is accepted, so it is the identifier that is refused; another
        // shop takes the change.
        let ask = |shop: &Shop| send(reference, shop, (reference.named)(shop), days);
        let is_accepted = |reply: &Reply| reply.status < 300;
        let accepted = match reference.operation.starts_with("GET ") {
            true => ask(&own),
            false => spares.answer(Wares::Everything, ask, is_accepted),
        };
        assert!(is_accepted(&accepted), "{}", accepted.text);
    }
    assert_eq!((theirs.snapshot(&app), own.snapshot(&app)), before);
}

/// Whether what is named decides about the whole answer.
fn is_of_one(operation: &str) -> bool {
    ["/preview", "/board"].iter().any(|end| operation.ends_with(end))
}

fn send(reference: &Reference, own: &Shop, id: &str, days: [Timestamp; 2]) -> Reply {
    let (method, path) = reference.operation.split_once(' ').unwrap();
    let path = match reference.field.starts_with("payments") {
        _ if !path.contains("{id}") => path.to_owned(),
        true => path.replace("{id}", &own.invoices().receipt),
        false => path.replace("{id}", own.id_in(path)),
    };
    let path = path.replace("{externalId}", EXTERNAL_ID);
    if method == "GET" {
        let name = reference.field.trim_start_matches('?');
        let range = match path.rsplit('/').next() {
            Some("sums") => format!("&createdFrom={}&createdTo={}", days[0], days[1]),
            // Says which moment it is of.
            Some("valuation") => format!("&at={}", days[0]),
            _ => String::new(),
        };
        return own.client.get(&format!("{path}?{name}={id}{range}"));
    }
    let query = reference.field.strip_prefix('?').map(|name| format!("?{name}={id}"));
    let path = path + &query.unwrap_or_default();
    own.client.send(method, &path, &(reference.body)(own, id))
}

/// Every place in the document that takes an identifier, besides paths.
fn documented(document: &Document) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for operation in document.operations() {
        for (name, parameter) in operation.query_parameters() {
            if is_id(&parameter["schema"]) {
                found.insert(format!("{} ?{name}", operation.name()));
            }
        }
        if let Some(media) = operation.body() {
            let mut fields = Vec::new();
            collect(document, &media["schema"], "", &mut fields);
            found.extend(fields.iter().map(|field| format!("{} {field}", operation.name())));
        }
    }
    found
}

fn collect(document: &Document, schema: &Value, path: &str, found: &mut Vec<String>) {
    let schema = document.resolved(schema);
    if is_id(schema) {
        found.push(path.trim_start_matches('.').to_owned());
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        collect(document, field, &format!("{path}.{name}"), found);
    }
    if schema["items"].is_object() {
        collect(document, &schema["items"], &format!("{path}[]"), found);
    }
    for choice in schema["oneOf"].as_array().into_iter().flatten() {
        collect(document, choice, path, found);
    }
}

fn is_id(schema: &Value) -> bool {
    schema["pattern"]
        .as_str()
        .is_some_and(|pattern| pattern.contains("_[0-7][0-9A-HJKMNP-TV-Z]{25}"))
}
