//! The pages of the document that the service publishes.

#![expect(clippy::unwrap_used, reason = "in tests, a panic is a failure")]

use std::collections::BTreeSet;

use reference::Reference;
use serde_json::Value;

const OPENAPI: &str = include_str!("../../../docs/openapi.json");
const ORIGIN: &str = "https://shop.example";
/// So that a page is read at once on a telephone with a poor connection.
const PAGE_BYTES_MAX: usize = 100 * 1_024;

fn reference() -> Reference {
    Reference::of(OPENAPI).unwrap()
}

/// Every page with its address.
fn pages(reference: &Reference) -> Vec<(String, String)> {
    let chapters = reference
        .slugs()
        .map(|slug| (format!("/docs/{slug}"), reference.chapter(slug, ORIGIN).unwrap()));
    [("/docs".to_owned(), reference.overview(ORIGIN))].into_iter().chain(chapters).collect()
}

/// What stands behind `before` up to the next quotation mark, wherever it does.
fn values<'a>(page: &'a str, before: &str) -> Vec<&'a str> {
    page.split(before).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_operation_and_event_is_on_a_page() {
    let reference = reference();
    let pages = pages(&reference);
    let shown: BTreeSet<&str> = pages
        .iter()
        .flat_map(|(_, page)| values(page, "<section class=\"operation\" id=\""))
        .collect();
    let document: Value = serde_json::from_str(OPENAPI).unwrap();
    let declared = |part: &str| -> Vec<String> {
        let items = document[part].as_object().unwrap().values();
        let operations = items.flat_map(|item| item.as_object().unwrap().values());
        operations.map(|it| it["operationId"].as_str().unwrap().to_owned()).collect()
    };
    let operations = declared("paths");
    assert!(operations.len() > 80);
    assert_eq!(shown, operations.iter().map(String::as_str).collect());
    for event in declared("webhooks") {
        assert!(pages.iter().any(|(_, page)| page.contains(&format!("id=\"{event}\""))), "{event}");
    }
}

#[test]
fn links_within_the_reference_lead_somewhere() {
    let reference = reference();
    let mut pages = pages(&reference);
    pages.push(("/docs/search".to_owned(), reference.search("invoice")));
    for (address, page) in &pages {
        for link in values(page, "href=\"") {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = if path.is_empty() { address } else { path };
            if matches!(path, "data:," | "/docs/reference.css" | "/api/v1/openapi.json") {
                continue;
            }
            let target = pages.iter().find(|(address, _)| address == path);
            let is_there =
                |page: &str| anchor.is_empty() || page.contains(&format!("id=\"{anchor}\""));
            assert!(target.is_some_and(|(_, page)| is_there(page)), "{address} links to {link}");
        }
    }
}

#[test]
fn a_field_with_very_many_fields_has_a_page_of_its_own() {
    let reference = reference();
    let invoices = reference.chapter("invoices", ORIGIN).unwrap();
    let further = "/docs/invoices-complements#createInvoice.complements";
    assert!(
        invoices.contains(&format!("href=\"{further}\""))
            && !invoices.contains("<code>cartaPorte</code>")
    );
    let complements = reference.chapter("invoices-complements", ORIGIN).unwrap();
    assert!(complements.contains("<code>cartaPorte</code>"));
}

#[test]
fn pages_are_small_and_anchors_unique() {
    for (address, page) in pages(&reference()) {
        assert!(page.len() <= PAGE_BYTES_MAX, "{address}: {} bytes", page.len());
        let ids = values(&page, " id=\"");
        let unique: BTreeSet<_> = ids.iter().collect();
        assert_eq!(ids.len(), unique.len(), "{address}: {ids:?}");
        assert!(page.ends_with("</html>"), "{address}");
    }
}

#[test]
fn commands_carry_the_readers_origin_and_examples() {
    let reference = reference();
    let orders = reference.chapter("orders", ORIGIN).unwrap();
    for part in [
        "curl -X POST '<span class=\"origin\">https://shop.example</span>/api/v1/orders'",
        "-H \"Authorization: Bearer $API_KEY\"",
        "/api/v1/orders/ord_01KG8W2X4N7QZ5T3R9B6C1D0EF'",
        "<span class=\"body\">{\n  \"customerId\"",
    ] {
        let part = part.replace('"', "&#34;");
        let page = orders.replace('"', "&#34;");
        assert!(page.contains(&part), "{part}");
    }
    let documents = reference.chapter("invoice-documents", ORIGIN).unwrap();
    assert!(documents.contains("-o document.pdf"));
    assert!(reference.chapter("nothing", ORIGIN).is_none());
}

#[test]
fn words_find_operations_fields_and_codes() {
    let reference = reference();
    for (words, found) in [
        ("rotate secret", "/docs/webhooks#rotateWebhookSecret"),
        ("ORDERS post", "/docs/orders#createOrder"),
        ("createOrder", "/docs/orders#createOrder"),
        ("trackingNumber", "/docs/orders#updateOrder"),
        ("insufficient_stock", "/docs/orders#createOrder"),
        ("inventory.low", "/docs/events#onInventoryLow"),
    ] {
        let page = reference.search(words);
        assert!(page.contains(&format!("href=\"{found}\"")), "{words}: {page}");
    }
    for nothing in ["", "   ", "xylophone order", "<script>"] {
        let page = reference.search(nothing);
        assert!(!page.contains("class=\"found\"") && !page.contains("<script>"), "{nothing}");
    }
}

#[test]
fn a_text_that_is_no_document_is_refused() {
    for text in ["", "{}", "[]", "{\"info\":{}}"] {
        assert!(Reference::of(text).is_err(), "{text}");
    }
}
