//! What is one account's is out of every other's reach, and every operation asks for its scope.
//!
//! The tests walk the OpenAPI document: an operation, a list filter or a reference that they do not know
//! makes them fail.

mod references;

use std::{cell::RefCell, collections::BTreeMap};

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Reply};

use crate::openapi::{Document, Operation, Shop, Spares, Wares, call, call_on, posting};

testkit::on_both!(
    foreign_ids_are_like_ids_that_never_existed,
    no_list_shows_what_is_another_accounts,
    no_feed_shows_what_is_another_accounts,
    a_cursor_leads_into_the_own_account_only,
    every_operation_wants_a_key,
    every_operation_wants_its_scope,
);

/// The identifier of nothing, of the same kind as `id`.
fn id_of_nothing(id: &str) -> String {
    let (kind, _) = id.split_once('_').unwrap();
    format!("{kind}_01ARZ3NDEKTSV4RRFFQ69G5FAV")
}

fn foreign_ids_are_like_ids_that_never_existed(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let (theirs, own) = (Shop::open(&app), Shop::open(&app));
    let (before, own_before) = (theirs.snapshot(&app), own.snapshot(&app));
    for operation in document.operations() {
        if !operation.names_one() {
            continue;
        }
        let name = operation.name();
        let foreign = theirs.id_in(operation.path);
        let nothing = id_of_nothing(foreign);
        let ask = |id: &str| call_on(&operation, &own, id).send(&own.client);
        let (foreign, nothing) = (ask(foreign), ask(&nothing));
        assert_eq!(foreign.refused(404, "not_found"), nothing.refused(404, "not_found"), "{name}");
        assert_eq!(foreign.text, nothing.text, "{name}");
        assert_eq!(foreign.header("etag"), None, "{name}");

        // Neither do conditions tell one from the other.
        let id = theirs.id_in(operation.path);
        for (header, tag) in [("If-Match", "\"1\""), ("If-Match", "\"99\""), ("If-None-Match", "*")]
        {
            let call = call_on(&operation, &own, id);
            let request = own.client.request(call.method, &call.path).header(header, tag);
            let request = request.header("Content-Type", "application/json");
            let body = call.body.map(|body| body.to_string()).unwrap_or_default();
            let conditional = Reply::to(request.body(body));
            assert_eq!(conditional.text, nothing.text, "{name} {header}: {tag}");
        }
        if operation.method == "GET" {
            let call = call_on(&operation, &own, id);
            assert_eq!(Reply::to(own.client.request("HEAD", &call.path)).status, 404, "{name}");
        }
    }
    assert_eq!(theirs.snapshot(&app), before);
    assert_eq!(own.snapshot(&app), own_before);
}

/// A value of each filter that finds something in `shop`.
fn filter(parameter: &str, path: &str, shop: &Shop) -> Option<String> {
    let value = match (parameter, path) {
        ("productId", _) => &shop.product,
        ("variantId", _) => &shop.variant,
        ("warehouseId", _) => &shop.shelf,
        ("categoryId" | "parentId", _) => &shop.category,
        ("priceListId", _) => &shop.price_list,
        ("groupId", _) => &shop.group,
        ("belowThreshold", _) => "false",
        ("reason", "/stock/movements") => "initial",
        ("reference", _) => &shop.order,
        ("fields", "/stock" | "/warehouses/{id}/stock") => "productId",
        ("search", "/products") => "pinata",
        ("search", "/orders") => "ring",
        ("search", "/customers") => "buyer",
        ("search", "/crm/leads") => "rosa",
        ("sku", _) => "PIN-1",
        ("ean", _) => "7501031311309",
        ("status", "/products") => "active",
        ("status", "/products/imports" | "/customers/imports" | "/stock/imports") => {
            "completed_with_errors"
        }
        ("status", "/orders") => "pending",
        ("status", "/transfers") => "in_transit",
        ("status", "/stock/counts") => "counting",
        ("counted", _) => "true",
        ("status", "/crm/leads") => "new",
        ("status", "/crm/deals") => "open",
        ("pipelineId", _) => &shop.sales.default_pipeline,
        ("stageId", _) => &shop.sales.stage,
        ("leadId", _) => &shop.lead,
        ("dealId", "/crm/quotes") => &shop.sales.second,
        ("dealId", _) => &shop.sales.deal,
        ("status", "/crm/quotes") => "sent",
        ("orderId", "/crm/quotes") => &shop.sales.quoted_order,
        ("quoteNumber", _) => "COT-000001",
        ("kind", "/crm/activities") => "call",
        ("done", _) => "false",
        ("assigneeId", _) => "luis",
        ("dueFrom", _) => "2020-01-01T00:00:00Z",
        ("dueTo", _) => "2999-01-01T00:00:00Z",
        ("sort", "/crm/activities") => "dueAt",
        ("status", "/invoices" | "/withholdings") => "stamped",
        ("status", "/payments") => "authorized",
        ("status", "/refunds") => "succeeded",
        ("provider", "/payments") => "sandbox",
        ("method", "/payments") => "spei",
        ("flag", "/payments") => "conflict",
        ("paymentId", _) => &shop.payments().paid,
        ("code", "/withholdings") => "01",
        ("year", "/withholdings") => return Some(shop.year()),
        ("uuid", "/withholdings") => &shop.invoices().withholding_uuid,
        ("withholdingId", _) => &shop.invoices().stamped_withholding,
        ("status", "/approvals") => "pending",
        ("mode", "/api-keys") => "test",
        ("active", "/api-keys") => "true",
        ("actor", "/audit") => "operator",
        ("action", "/audit") => "api_key.created",
        ("resource", "/audit") => &shop.api_key,
        ("method", "/requests") => "POST",
        ("route", "/requests") => "/products",
        ("status", "/requests") => "201",
        ("entityType", _) => "order_discount",
        ("entityId", _) => &shop.order,
        ("status", "/jobs") => "running",
        ("kind", "/jobs") => "invoices.email",
        ("subject", "/jobs") => &shop.invoices().stamped,
        ("type", _) => "I",
        ("series", _) => "F",
        ("folio", _) => "1",
        ("cancellationStatus", _) => "accepted",
        ("receiptDue", _) => "false",
        ("includeMerged", _) => "true",
        ("stampedFrom", _) => "2020-01-01T00:00:00Z",
        ("stampedTo", _) => "2999-01-01T00:00:00Z",
        ("kind", _) => "reserve",
        ("uuid", _) => &shop.invoices().uuid,
        ("orderId", _) => &shop.order,
        ("invoiceId", _) => &shop.invoices().stamped,
        ("issuerId", _) => &shop.invoices().default_issuer,
        ("branchId", _) => &shop.invoices().branch,
        ("customerId", _) => &shop.buyer,
        ("email", _) => "buyer@shop.example",
        ("phone", _) => "%2B525550001111",
        ("rfc", _) => "XAXX010101000",
        ("source", _) => "web",
        ("ownerId", _) => "luis",
        ("updatedSince" | "createdFrom", _) => "2020-01-01T00:00:00Z",
        ("createdTo", _) => "2999-01-01T00:00:00Z",
        ("sort", "/products") => "name",
        ("sort", _) => "-updatedAt",
        ("fields", "/jobs") => "kind",
        ("fields", _) => "id",
        ("expand", "/orders") => "customer,items.product,items.allocations",
        ("externalId", "/products") => "SAE-0042",
        ("externalId", _) => return None,
        ("ids", _) => shop.id_in(&format!("{path}/{{id}}")),
        // Nobody answers there, and the last attempt is hours away.
        ("state", _) => "attempting",
        ("event", _) => "webhook.test",
        ("eventId", _) => &shop.event,
        ("events", "/events") => "order.created",
        ("since", "/events") => "2020-01-01T00:00:00Z",
        ("page", _) => "1",
        ("limit", _) => "100",
        ("count", _) => "true",
        // Has a test of its own.
        ("cursor" | "metadata", _) => return None,
        _ => panic!("the filter {parameter} of {path} has no value here: add one"),
    };
    Some(value.to_owned())
}

/// Whether it lists what belongs to somebody: SAT's catalogs do not.
fn is_own_list(operation: &Operation<'_>) -> bool {
    operation.is_list() && !operation.path.starts_with("/invoices/cfdi/claves-")
}

fn no_list_shows_what_is_another_accounts(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let theirs = Shop::open(&app);
    let own = app.client();
    let rows = |reply: Reply| {
        let page = reply.expect(200);
        (page["data"].as_array().unwrap().len(), page["total"].as_u64().unwrap())
    };
    for operation in document.operations() {
        if !is_own_list(&operation) {
            continue;
        }
        let filters = operation.query_parameters().into_iter();
        let filters = filters.filter_map(|(name, _)| {
            Some(format!("{name}={}", filter(name, operation.path, &theirs)?))
        });
        for query in filters.chain([String::new()]) {
            let path = format!("{}?{query}", call(&operation, &theirs).path);
            let (shown, total) = rows(theirs.client.get(&path));
            assert!(shown > 0 && total > 0, "{path} finds nothing where it should");
            // What lies beneath one resource is out of reach with it.
            match operation.names_one() {
                true => drop(own.get(&path).refused(404, "not_found")),
                // Every account has a pipeline of its own.
                false if operation.path == "/crm/pipelines" => {
                    let found = own.get(&path).expect(200)["data"].to_string();
                    assert!(!found.contains(&theirs.sales.default_pipeline), "{path}: {found}");
                }
                // Who asks has a key, and that it was made is on record, as is what it asked for in vain.
                false if ["/api-keys", "/audit", "/requests"].contains(&operation.path) => {
                    let found = own.get(&path).expect(200)["data"].to_string();
                    assert!(!found.contains(&theirs.api_key), "{path}: {found}");
                }
                // Every account has a warehouse.
                false if operation.path == "/warehouses" => {
                    assert_eq!(rows(own.get(&path)), (1, 1), "{path}");
                }
                false => assert_eq!(rows(own.get(&path)), (0, 0), "{path}"),
            }
        }
    }
}

fn no_feed_shows_what_is_another_accounts(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let theirs = Shop::open(&app);
    let own = app.client();
    let operations = document.operations();
    let feeds: Vec<_> = operations.iter().filter(|operation| operation.is_feed()).collect();
    assert_eq!(feeds.len(), 1, "a feed that this test does not know");
    for operation in feeds {
        let filters = operation.query_parameters().into_iter().filter_map(|(name, _)| {
            // A feed has no total and no pages, but a list's limit and cursor.
            Some(format!("{name}={}", filter(name, operation.path, &theirs)?))
        });
        let first = theirs.client.get(&format!("{}?limit=1", operation.path)).expect(200);
        let cursor = first["nextCursor"].as_str().expect("a place to read on from");
        for query in filters.chain([String::new(), format!("cursor={cursor}")]) {
            let path = format!("{}?{query}", operation.path);
            let shown = theirs.client.get(&path).expect(200);
            let events = shown["data"].as_array().unwrap();
            assert!(!events.is_empty(), "{path} finds nothing where it should");
            let hidden = own.get(&path).expect(200);
            assert_eq!(
                (&hidden["data"], &hidden["hasMore"]),
                (&json!([]), &json!(false)),
                "{path}"
            );
        }
    }
}

fn a_cursor_leads_into_the_own_account_only(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let own = Shop::open(&app);
    let theirs = Shop::open(&app);
    for operation in document.operations() {
        if !is_own_list(&operation) {
            continue;
        }
        let create = match operation.path {
            "/webhooks/{id}/deliveries" => "POST /webhooks/{id}/test".to_owned(),
            "/credits/ledger" | "/jobs" => "POST /invoices/{id}/timbrar".to_owned(),
            "/audit" => "POST /api-keys".to_owned(),
            "/requests" => "POST /products".to_owned(),
            "/crm/quotes/{id}/questions" => "GET /crm/quotes/{id}".to_owned(),
            "/crm/deals/{id}/history" => "PATCH /crm/deals/{id}".to_owned(),
            "/crm/leads/{id}/duplicates" => "POST /crm/leads".to_owned(),
            path if path.ends_with("/imports/{id}/errors") => {
                format!("POST {}", path.replacen("errors", "cancel", 1))
            }
            "/refunds" => "POST /payments/{id}/refunds".to_owned(),
            "/payments/notifications" => "POST /payments".to_owned(),
            "/stock" => "POST /products".to_owned(),
            "/price-lists/{id}/items" => format!("PUT {}", operation.path),
            "/stock/counts/{id}/lines" => "POST /stock/counts/{id}/scan".to_owned(),
            "/stock/movements" | "/warehouses/{id}/stock" => "POST /stock/adjustments".to_owned(),
            "/payments/providers" => "PUT /payments/providers/{provider}".to_owned(),
            "/invoices/cfdi/series" => "PUT /invoices/cfdi/series/{series}".to_owned(),
            path => format!("POST {path}"),
        };
        let operations = document.operations();
        let create = operations.iter().find(|one| one.name() == create).unwrap();
        assert_eq!(call(create, &theirs).send(&theirs.client).status, create.success().0);
        let first = format!("{}?limit=1", call(&operation, &theirs).path);
        let page = theirs.client.get(&first).expect(200);
        let cursor = page["nextCursor"].as_str();
        let cursor = cursor.unwrap_or_else(|| panic!("{first} has a single row: {page}"));
        let path = call(&operation, &own).path;
        let seen = own.client.get(&format!("{path}?cursor={cursor}"));
        // What lies beneath one resource is another list than what lies beneath the next.
        if operation.names_one() {
            let message = seen.refused(400, "validation_failed");
            assert_eq!(message, "cursor belongs to another list", "{path}");
            continue;
        }
        let own_rows = own.client.get(&path).expect(200);
        let own_rows = own_rows["data"].as_array().unwrap();
        for row in seen.expect(200)["data"].as_array().unwrap() {
            // A job may have gone on meanwhile.
            let is_own =
                |own: &Value| own == row || (row["id"].is_string() && own["id"] == row["id"]);
            assert!(own_rows.iter().any(is_own), "{path}: {row}");
        }
    }
}

/// The contract's scope of each part of the API.
fn scope_of(path: &str) -> &'static str {
    let scopes = [
        ("/products", "products"),
        ("/categories", "products"),
        ("/price-lists", "products"),
        ("/customer-groups", "customers"),
        ("/warehouses", "warehouses"),
        ("/stock", "warehouses"),
        ("/transfers", "warehouses"),
        ("/orders", "orders"),
        ("/payments", "payments"),
        ("/returns", "orders"),
        ("/shipments", "orders"),
        ("/refunds", "payments"),
        ("/payment-links", "payments"),
        ("/payment-methods", "payments"),
        ("/customers", "customers"),
        ("/crm/leads", "leads"),
        ("/crm", "deals"),
        ("/webhooks", "webhooks"),
        ("/events", "webhooks"),
        ("/invoices", "invoices"),
        ("/withholdings", "invoices"),
        ("/credits", "invoices"),
        // Of what the approvals of the shop are about.
        ("/approval", "orders"),
        // Of what the jobs of the shop do.
        ("/jobs", "invoices"),
        // Of keys that may do everything.
        ("/api-keys", "*"),
        ("/audit", "*"),
        ("/requests", "*"),
    ];
    let found = scopes.iter().find(|(root, _)| path.starts_with(root));
    found.unwrap_or_else(|| panic!("the contract has no scope for {path}: add it")).1
}

const SCOPES: &[&str] = &[
    "products",
    "orders",
    "customers",
    "leads",
    "deals",
    "invoices",
    "inbox",
    "campaigns",
    "payments",
    "webhooks",
    "analytics",
    "warehouses",
];

fn every_operation_wants_a_key(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let shop = Shop::open(&app);
    let before = shop.snapshot(&app);
    let unknown =
        accounts::NewApiKey::from_random("service", kernel::Mode::Live, &[7; 64]).unwrap().text;
    let known = app.key(shop.account, "*").0;
    let keys = [
        unknown.as_str(),
        "",
        "x",
        "service_",
        &known.to_uppercase(),
        &known[..known.len() - 1],
        &known.replace("service_", "other_"),
    ];
    for operation in document.operations() {
        let call = call(&operation, &shop);
        let absent = call.send(&app.anonymous());
        assert!(!absent.refused(401, "unauthorized").is_empty());
        let challenge = absent.header("www-authenticate").unwrap();
        assert_eq!(challenge, "Bearer realm=\"service\"", "{}", operation.name());
        for key in keys {
            let wrong = call.send(&shop.client.with_key(key));
            assert!(!wrong.refused(401, "unauthorized").is_empty());
            let challenge = wrong.header("www-authenticate").unwrap();
            assert!(challenge.contains("error=\"invalid_token\""), "{key}: {challenge}");
        }
    }
    assert_eq!(shop.snapshot(&app), before);
}

fn every_operation_wants_its_scope(kind: DatabaseKind) {
    let (app, _smtp) = posting(kind);
    let document = Document::of(&app);
    // Whose jobs and approvals all belong to one scope each.
    let office = Shop::open_with(&app, Wares::Invoices);
    let standing = Shop::open(&app);
    let snapshots = || [office.snapshot(&app), standing.snapshot(&app)];
    let before = snapshots();
    let is_approval = |path: &str| path.starts_with("/approval");
    let is_for_any_key = |path: &str| path.starts_with("/jobs") || is_approval(path);
    let shop_of = |path: &str| if is_for_any_key(path) { &office } else { &standing };
    let keys = RefCell::new(BTreeMap::new());
    let with_scopes = |shop: &Shop, scopes: &str| {
        let mut keys = keys.borrow_mut();
        let of = (shop.account.to_string(), scopes.to_owned());
        let key = keys.entry(of).or_insert_with(|| app.key(shop.account, scopes).0);
        shop.client.with_key(key)
    };
    for operation in document.operations() {
        let (name, scope) = (operation.name(), scope_of(operation.path));
        let is_for_any_key = is_for_any_key(operation.path);
        assert_eq!(operation.scope(), if is_for_any_key { "" } else { scope }, "{name}");
        let shop = shop_of(operation.path);
        let call = call(&operation, shop);
        let others: Vec<_> = SCOPES.iter().copied().filter(|other| *other != scope).collect();
        for scopes in [String::new(), others.join(",")] {
            let refused = call.send(&with_scopes(shop, &scopes));
            if is_for_any_key && operation.is_list() {
                assert_eq!(refused.expect(200)["data"], json!([]), "{name}");
                continue;
            }
            let message = refused.refused(403, "insufficient_scope");
            assert!(message.contains(&format!("\"{scope}\"")), "{name}: {message}");
            let challenge = refused.header("www-authenticate").unwrap();
            assert!(challenge.contains("error=\"insufficient_scope\""), "{challenge}");
        }
    }
    assert_eq!(snapshots(), before);

    let mut spares = Spares::of(&app);
    for operation in document.operations_in_turn() {
        let (name, scope) = (operation.name(), scope_of(operation.path));
        let ask = |shop: &Shop| {
            let call = call(&operation, shop);
            // Approvals are for those whom they name.
            match is_approval(operation.path) {
                true => call.send(&shop.client),
                false => call.send(&with_scopes(shop, scope)),
            }
        };
        let status = operation.success().0;
        let allowed = match operation.changes() {
            true => spares.answer(Wares::of(operation.path), ask, |reply| reply.status == status),
            false => ask(shop_of(operation.path)),
        };
        assert_eq!(allowed.status, status, "{name}: {}", allowed.text);
    }
    let known: Vec<_> = accounts::Scope::EVERY.iter().map(|scope| scope.name()).collect();
    assert_eq!(known, SCOPES, "the scopes of the contract");
}
