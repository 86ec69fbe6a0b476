//! Filters, orders, pages and cursors of the catalog.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::ALL;
use crate::customers::Desk;

testkit::on_both!(
    filters_find_products,
    lists_are_ordered_as_asked,
    pages_say_what_was_used,
    a_cursor_walks_every_order_and_visits_each_once,
    a_cursor_belongs_to_its_order,
);

const SORTS: &[&str] =
    &["createdAt", "-createdAt", "updatedAt", "-updatedAt", "name", "-name", "price", "-price"];

fn filters_find_products(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let variants = json!([{"name": "Turquesa", "sku": "AZ-1", "ean": "96385074"}]);
    desk.create(ALL, &json!({"name": "Piñata de Ratón", "price": 5, "sku": "PIÑ-1"}));
    desk.create(
        ALL,
        &json!({"name": "Azulejo", "price": 3, "sku": "AZ", "variants": variants,
        "ean": "7501031311309", "status": "archived"}),
    );
    desk.app.advance_seconds(60);
    desk.create(ALL, &json!({"name": "50% de_scuento\\", "price": 4, "sku": "X"}));
    let since = desk.show("/products?sku=X")["data"][0]["createdAt"].as_str().unwrap().to_owned();
    let (pinata, tile, discount) = ("Piñata de Ratón", "Azulejo", "50% de_scuento\\");
    let cases: &[(&str, &[&str])] = &[
        ("", &[discount, tile, pinata]),
        ("search=pinata", &[pinata]),
        ("search=PI%C3%91ATA", &[pinata]),
        ("search=RAT%C3%93N", &[pinata]),
        ("search=pin%CC%83ata", &[pinata]),
        ("search=pin-1", &[pinata]),
        ("search=turquesa", &[tile]),
        ("search=az-1", &[tile]),
        ("search=96385074", &[tile]),
        ("search=750103", &[tile]),
        ("search=de", &[discount, pinata]),
        ("search=50%25", &[discount]),
        ("search=de_s", &[discount]),
        ("search=%5C", &[]),
        ("search=nothing", &[]),
        ("sku=AZ", &[tile]),
        ("sku=AZ-1", &[tile]),
        ("sku=az", &[]),
        ("ean=7501031311309", &[tile]),
        ("ean=96385074", &[tile]),
        ("ean=036000291452", &[]),
        ("status=archived", &[tile]),
        ("status=active", &[discount, pinata]),
        (&format!("updatedSince={since}"), &[discount]),
        ("updatedSince=2999-01-01T00:00:00Z", &[]),
        ("search=a&status=archived&sku=AZ", &[tile]),
        ("sku=AZ&status=active", &[]),
        ("search=d&sort=price", &[discount, pinata]),
    ];
    for (query, names) in cases {
        assert_eq!(desk.names(&format!("{ALL}?{query}")), *names, "{query}");
    }
    let pinata = desk.show("/products?search=pinata")["data"][0].clone();
    desk.app.advance_seconds(60);
    desk.change(&Desk::place(ALL, &pinata), &json!({"name": "Olla"}));
    assert_eq!(desk.names("/products?search=pinata"), [""; 0], "names are found as they are now");
    assert_eq!(desk.names(&format!("{ALL}?updatedSince={since}")).len(), 2);
}

fn lists_are_ordered_as_asked(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let things = [("zorro", 2.0), ("Árbol", 10.0), ("azul", 0.5), ("Ñandú", 2.0), ("nube", 9.99)];
    let mut places = Vec::new();
    for (name, price) in things {
        places.push(Desk::place(ALL, &desk.create(ALL, &json!({"name": name, "price": price}))));
        desk.app.advance_seconds(1);
    }
    desk.change(&places[1], &json!({"inventory": 1}));
    let cases = [
        ("createdAt", ["zorro", "Árbol", "azul", "Ñandú", "nube"]),
        ("updatedAt", ["zorro", "azul", "Ñandú", "nube", "Árbol"]),
        ("name", ["Árbol", "azul", "Ñandú", "nube", "zorro"]),
        ("price", ["azul", "zorro", "Ñandú", "nube", "Árbol"]),
    ];
    for (sort, mut names) in cases {
        assert_eq!(desk.names(&format!("{ALL}?sort={sort}")), names, "{sort}");
        names.reverse();
        assert_eq!(desk.names(&format!("{ALL}?sort=-{sort}")), names, "-{sort}");
    }
    assert_eq!(desk.names(ALL), desk.names("/products?sort=-createdAt"), "unless asked otherwise");
}

/// Adds so many products whose sort keys are often equal.
fn fill(desk: &Desk, count: usize) {
    for index in 0..count {
        let body = json!({"name": format!("n{}", index % 7), "price": index % 5});
        assert_eq!(desk.client.post(ALL, &body).status, 201);
    }
}

fn pages_say_what_was_used(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    fill(&desk, 123);
    for (query, page, limit, rows) in [
        ("", 1, 20, 20),
        ("page=7", 7, 20, 3),
        ("page=8", 8, 20, 0),
        ("limit=100", 1, 100, 100),
        ("limit=101", 1, 100, 100),
        ("limit=4000000000&page=2", 2, 100, 23),
        ("limit=1&page=123", 123, 1, 1),
        ("page=1000000000&limit=100", 1_000_000_000_u32, 100_u64, 0),
        ("limit=50&page=3&sort=price", 3, 50, 23),
        ("search=n&limit=7", 1, 7, 7),
    ] {
        let shown = desk.show(&format!("{ALL}?{query}"));
        let used = (&shown["page"], &shown["limit"], &shown["total"]);
        assert_eq!(used, (&json!(page), &json!(limit), &json!(123)), "{query}");
        assert_eq!(shown["data"].as_array().unwrap().len(), rows, "{query}");
        let more = u64::from(page) * limit < 123;
        assert_eq!(shown["nextCursor"].is_string(), more, "{query}");
    }
    let mut seen = BTreeSet::new();
    for page in 1..=7 {
        let shown = desk.show(&format!("{ALL}?page={page}&sort=name"));
        seen.extend(ids(&shown));
    }
    assert_eq!(seen.len(), 123, "pages neither overlap nor leave gaps where names are equal");
}

fn ids(page: &Value) -> Vec<String> {
    let rows = page["data"].as_array().unwrap().iter();
    rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

/// Walks the list to its end; `between` runs after every page.
fn walk(desk: &Desk, query: &str, between: impl Fn()) -> Vec<String> {
    let mut path = format!("{ALL}?{query}");
    let mut walked = Vec::new();
    loop {
        let page = desk.show(&path);
        walked.extend(ids(&page));
        between();
        match page["nextCursor"].as_str() {
            Some(cursor) => path = format!("{ALL}?{query}&cursor={cursor}"),
            None => return walked,
        }
    }
}

fn a_cursor_walks_every_order_and_visits_each_once(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    fill(&desk, 250);
    for sort in SORTS {
        let query = format!("sort={sort}&limit=60");
        let there: BTreeSet<_> = walk(&desk, &query, || ()).into_iter().collect();
        let walked = walk(&desk, &query, || {
            for (name, price) in [("a", 0), ("n3", 3), ("z", 9)] {
                let late = json!({"name": name, "price": price});
                assert_eq!(desk.client.post(ALL, &late).status, 201);
            }
        });
        let once: BTreeSet<_> = walked.iter().cloned().collect();
        assert_eq!(once.len(), walked.len(), "{sort} visits nothing twice");
        assert!(once.is_superset(&there), "{sort} leaves nothing out");
        assert!(there.len() >= 250);
    }
    // A row that goes away where the cursor stands does not stop it.
    let page = desk.show("/products?sort=price&limit=10");
    let cursor = page["nextCursor"].as_str().unwrap();
    let next = format!("{ALL}?sort=price&limit=10&cursor={cursor}");
    let expected = ids(&desk.show(&next));
    desk.delete(ALL, ids(&page).last().unwrap());
    assert_eq!(ids(&desk.show(&next)), expected);
    let with_page = desk.show(&format!("{next}&page=9"));
    assert_eq!(ids(&with_page), expected, "beside a cursor the page has no effect");
}

fn a_cursor_belongs_to_its_order(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    fill(&desk, 3);
    for sort in SORTS {
        let page = desk.show(&format!("{ALL}?limit=1&sort={sort}"));
        let cursor = page["nextCursor"].as_str().unwrap();
        for other in SORTS.iter().filter(|other| *other != sort) {
            let refused = desk.client.get(&format!("{ALL}?sort={other}&cursor={cursor}"));
            let message = refused.refused(400, "validation_failed");
            assert_eq!(message, "cursor belongs to a list in another order", "{sort} {other}");
        }
        let mut damaged = cursor.to_owned();
        damaged.insert(3, 'A');
        let refused = desk.client.get(&format!("{ALL}?sort={sort}&cursor={damaged}"));
        let message = refused.refused(400, "validation_failed");
        assert!(message.contains("nextCursor of an earlier page"), "{message}");
    }
}
