//! Queries that ask for what there is not.

use serde_json::json;
use testkit::{App, DatabaseKind, Reply};

use crate::openapi::{Document, Operation, Shop, call};

testkit::on_both!(
    queries_are_checked_on_every_list,
    a_cursor_of_another_list_is_refused,
    a_cursor_of_the_last_release_is_taken,
    parameters_that_nobody_reads_are_refused_by_name,
    filters_are_checked,
    a_time_that_ends_before_it_begins_is_refused,
    every_fault_is_named
);

fn parameters_that_nobody_reads_are_refused_by_name(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let shop = Shop::open(&app);
    let before = shop.snapshot(&app);
    for operation in document.operations() {
        let path = call(&operation, &shop).path;
        if path.contains('?') || !operation.query_parameters().is_empty() {
            continue;
        }
        let asked = shop.client.request(&operation.method, &format!("{path}?colour=red"));
        let named = Reply::to(asked).refused(400, "validation_failed");
        assert!(named.contains("colour"), "{}: {named}", operation.name());
    }
    assert_eq!(shop.snapshot(&app), before, "what was refused changed something");
}

fn queries_are_checked_on_every_list(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let shop = Shop::open(&app);
    let long = format!("search={}", "a".repeat(201));
    let many: String = (0..60).map(|i| format!("a{i}=1&")).collect();
    let cases = [
        ("page=0", "page must be a whole number"),
        ("page=-1", "page must be"),
        ("page=9223372036854775808", "page must be"),
        ("page=1e400", "page must be"),
        ("page=1.5", "page must be"),
        ("page=abc", "page must be"),
        ("page=", "page must be"),
        ("page", "page must be"),
        ("page=%31%00", "page must be"),
        ("page=1&page=2", "page is given more than once"),
        ("page[]=1", "\"page[]\" is not a parameter of this request"),
        ("limit=0", "limit must be a whole number"),
        ("limit=-1", "limit must be"),
        ("limit=99999999999999999999", "limit must be"),
        ("limit=ten", "limit must be"),
        ("limit=1&limit=1", "limit is given more than once"),
        ("count=1", "count must be"),
        ("count=", "count must be"),
        ("count=true&count=false", "count is given more than once"),
        ("cursor=", "cursor must be the nextCursor of an earlier page"),
        ("cursor=x", "cursor must be"),
        ("cursor=AAAAAAAAAAAAAAAA", "cursor must be"),
        ("cursor=%00", "cursor must be"),
        ("cursor=..%2F..%2Fetc", "cursor must be"),
        ("pgae=1", "\"pgae\" is not a parameter of this request (did you mean \"page\"?)"),
        ("Limit=1", "\"Limit\" is not a parameter of this request (did you mean \"limit\"?)"),
        ("=1", "\"\" is not a parameter of this request"),
        ("search=", "search must not be empty"),
        ("search=%20", "search must not be empty"),
        ("search=a%00b", "search must be one line without control characters"),
        ("search=a%0Ab", "search must be one line"),
        (&long, "search must have at most 200 characters"),
        ("search=%FF", "the query must be percent-encoded UTF-8"),
        ("search=%ED%A0%80", "the query must be percent-encoded UTF-8"),
        ("search=%4", "the query must be percent-encoded UTF-8"),
        ("search=%zz", "the query must be percent-encoded UTF-8"),
        ("%FF=1", "the query must be percent-encoded UTF-8"),
        (&many, "the query must have at most 50 parameters"),
    ];
    for operation in document.operations().iter().filter(|operation| operation.is_list()) {
        let searches = operation.query_parameters().iter().any(|(name, _)| *name == "search");
        let place = call(operation, &shop).path;
        let illegible = |problem: &str| problem.starts_with("the query");
        // A list without a search has no such parameter, which is another fault.
        let asked = |query: &str, problem: &str| {
            searches || !query.starts_with("search") || illegible(problem)
        };
        for (query, problem) in cases.into_iter().filter(|(query, problem)| asked(query, problem)) {
            let path = format!("{place}?{query}");
            let message = shop.client.get(&path).refused(400, "validation_failed");
            assert!(message.contains(problem), "{path}: {message}");
        }
        for query in ["", "&&&", "page=1000000000&limit=100", "page=1.0&limit=2e0", "limit=101"] {
            let page = shop.client.get(&format!("{place}?{query}")).expect(200);
            assert!(page["limit"].as_u64().unwrap() <= 100, "{query}: {page}");
        }
        let counted = shop.client.get(&format!("{place}?limit=1&count=true")).expect(200);
        assert_eq!(counted["totalIsExact"], json!(true), "{place}");
        let uncounted = shop.client.get(&format!("{place}?limit=1&count=false")).expect(200);
        let shown = uncounted.as_object().unwrap();
        assert!(!shown.contains_key("total") && !shown.contains_key("totalIsExact"), "{place}");
        let found = counted["total"].as_u64().unwrap().min(1) as usize;
        assert_eq!(uncounted["data"].as_array().unwrap().len(), found, "{place}");
        // SAT's catalogs have rows with a quotation mark, and pick words out of others.
        if !searches || operation.path.starts_with("/invoices/cfdi/") {
            continue;
        }
        for search in
            ["%25", "_", "%5C", "'", "%22", "%F0%9F%98%80", "a%2525b", "--", "%27%20OR%201"]
        {
            let found = shop.client.get(&format!("{place}?search={search}")).expect(200);
            assert!(found["total"].as_u64().unwrap() <= 1, "{search} is a wildcard: {found}");
        }
    }
}

/// There is nothing in a list behind what is in another.
fn a_cursor_of_another_list_is_refused(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let shop = Shop::open(&app);
    let prices = format!("/price-lists/{}/items", shop.price_list);
    let both = json!({"items": [{"sku": "PIN-1", "price": 5}, {"sku": "PIN-1R", "price": 6}]});
    let _ = shop.client.send("PUT", &prices, &both).expect(200);
    let operations = document.operations();
    let import = operations.iter().find(|one| one.name() == "POST /products/imports").unwrap();
    assert_eq!(call(import, &shop).send(&shop.client).status, 202);
    let is_paged = |operation: &&Operation<'_>| {
        let asked = operation.query_parameters();
        operation.method == "GET" && asked.iter().any(|(name, _)| *name == "cursor")
    };
    let lists: Vec<_> = operations
        .iter()
        .filter(is_paged)
        .map(|operation| (operation.path, call(operation, &shop).path))
        .collect();
    let first_of = |place: &str| {
        let page = shop.client.get(place).expect(200);
        page["nextCursor"].as_str().map(str::to_owned)
    };
    for (list, place) in &lists {
        if let Some(cursor) = first_of(&format!("{place}?limit=1")) {
            let next = shop.client.get(&format!("{place}?limit=1&cursor={cursor}"));
            assert_eq!(next.status, 200, "{list} refuses its own cursor: {}", next.text);
        }
    }
    // Each order that several lists have, and lists of the same things.
    let cases: [(&str, &str); 8] = [
        ("/customers", "/customers?limit=1"),
        ("/customers", "/customers?limit=1&sort=createdAt"),
        ("/stock", "/stock?limit=1"),
        ("/price-lists/{id}/items", &format!("{prices}?limit=1")),
        ("/products/imports", "/products/imports?limit=1"),
        ("/events", "/events?limit=1"),
        ("/invoices/cfdi/claves-unidad", "/invoices/cfdi/claves-unidad?limit=1"),
        ("/invoices/cfdi/claves-prod-serv", "/invoices/cfdi/claves-prod-serv?limit=1"),
    ];
    for (own, from) in cases {
        let cursor = first_of(from).unwrap_or_else(|| panic!("{from} is the whole list"));
        for (list, place) in lists.iter().filter(|(list, _)| *list != own) {
            let path = format!("{place}?cursor={cursor}");
            let message = shop.client.get(&path).refused(400, "validation_failed");
            assert_eq!(message, "cursor belongs to another list", "{list} behind {from}");
        }
    }
}

/// Cursors of release 0.1.0 do not name their list.
fn a_cursor_of_the_last_release_is_taken(kind: DatabaseKind) {
    const OF_ORDERS: &str = "LWNyZWF0ZWRBdAAAb3JkXzAxTThBSFJIMEhLVzY2QVdQUFY4OEg0Rk5C8Y_BgQ";
    let app = App::start(kind);
    let client = app.client();
    let page = client.get(&format!("/orders?cursor={OF_ORDERS}")).expect(200);
    assert_eq!(page["data"], json!([]));
    let message = client.get(&format!("/customers?cursor={OF_ORDERS}"));
    let message = message.refused(400, "validation_failed");
    assert_eq!(message, "cursor belongs to another list");
    let message = client.get(&format!("/orders?sort=updatedAt&cursor={OF_ORDERS}"));
    let message = message.refused(400, "validation_failed");
    assert_eq!(message, "cursor belongs to a list in another order");
}

fn filters_are_checked(kind: DatabaseKind) {
    let app = App::start(kind);
    let shop = Shop::open(&app);
    let cases = [
        ("/products?ean=7501031311308", "ean has the check digit 8 where 9 is right"),
        ("/products?ean=123", "ean must be"),
        ("/products?sku=", "sku must not be empty"),
        ("/products?status=gone", "status must be one of active, archived"),
        ("/products?status=active&status=archived", "status is given more than once"),
        ("/products?sort=color", "sort must be one of"),
        ("/products?sort=--name", "sort must be one of"),
        ("/products?sort=name,price", "sort must be one of"),
        ("/products?updatedSince=yesterday", "updatedSince must be an RFC 3339 time"),
        ("/products?updatedSince=2026-01-31", "updatedSince must be"),
        ("/products?updatedSince=2026-02-30T00:00:00Z", "updatedSince must be"),
        ("/products?updatedSince=99999-01-01T00:00:00Z", "updatedSince must be"),
        ("/orders?status=open", "status must be one of pending, paid"),
        ("/orders?customerId=7", "customerId must be the id of a customer"),
        ("/orders?createdFrom=1", "createdFrom must be"),
        ("/orders?createdTo=now", "createdTo must be"),
        ("/customers?email=ana", "email must be an e-mail address"),
        ("/customers?phone=5512345678", "phone must be in international form"),
        ("/customers?rfc=XAXX", "rfc must be an RFC"),
        ("/customers?updatedSince=", "updatedSince must be"),
        ("/crm/leads?status=hot", "status must be one of new, contacted"),
        ("/crm/leads?ownerId=", "ownerId must not be empty"),
        ("/crm/leads?source=%01", "source must be one line"),
    ];
    for (path, problem) in cases {
        let message = shop.client.get(path).refused(400, "validation_failed");
        assert!(message.starts_with(problem), "{path}: {message}");
    }
    // A moment is one moment however its offset is written, the plus sign encoded or not.
    for moment in [
        "2020-01-01T00:00:00-06:00",
        "2020-01-01T00:00:00%2B06:00",
        "2020-01-01t00:00:00z",
        "2020-01-01T00:00:00+06:00",
        "0001-01-01T00:00:00Z",
        "1969-12-31T23:59:59.999999999Z",
    ] {
        let found = shop.client.get(&format!("/products?updatedSince={moment}")).expect(200);
        assert_eq!(found["total"], 1, "{moment}");
    }
}

fn a_time_that_ends_before_it_begins_is_refused(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let shop = Shop::open(&app);
    let mut times = 0;
    for operation in document.operations() {
        let asked = operation.query_parameters();
        let call = call(&operation, &shop).path;
        let path = call.split('?').next().unwrap();
        for kind in ["created", "stamped", "due"] {
            let (from, to) = (format!("{kind}From"), format!("{kind}To"));
            if !asked.iter().any(|(name, _)| *name == from) {
                continue;
            }
            let query = format!("{from}=2026-12-01T00:00:00Z&{to}=2026-01-01T00:00:00Z");
            let message = shop.client.get(&format!("{path}?{query}"));
            let message = message.refused(400, "validation_failed");
            assert_eq!(message, format!("{to} must not be before {from}"), "{path}");
            times += 1;
        }
    }
    assert!(times >= 13, "{times}");
}

fn every_fault_is_named(kind: DatabaseKind) {
    let app = App::start(kind);
    let message = app.client().get("/products?page=0&limit=x&ean=1&sort=z&statsu=a");
    let message = message.refused(400, "validation_failed");
    for fault in ["page must", "limit must", "ean must", "sort must", "\"statsu\" is not"] {
        assert!(message.contains(fault), "{fault}: {message}");
    }
}
