//! What invoices are found by.

use cfdi::document::Global;
use invoices::{Invoice, OrderId, Status};
use kernel::search::Words;

use super::samples::sale;

#[track_caller]
fn is_found(invoice: &Invoice, search: &str) -> bool {
    Words::parse(search).unwrap().match_terms(&invoice.terms().joined())
}

#[test]
fn what_is_sold_is_found_by_description_and_number() {
    let mut invoice = sale(1, Status::Draft);
    invoice.draft.items[0].sku = Some("MOL-500".to_owned());
    for (search, found) in
        [("cafe", true), ("CAFÉ xochilt", true), ("mol-500", true), ("500", true), ("te", false)]
    {
        assert_eq!(is_found(&invoice, search), found, "{search}");
    }
}

#[test]
fn of_a_long_invoice_the_first_items_are_searched() {
    let mut invoice = sale(1, Status::Draft);
    let item = invoice.draft.items[0].clone();
    let many = (0..5_000).map(|number| {
        let mut item = item.clone();
        item.description = format!("Pieza{number} {}", "a-".repeat(400));
        item
    });
    invoice.draft.items = many.collect();
    assert!(is_found(&invoice, "pieza0") && !is_found(&invoice, "pieza4999"));
    // An index of PostgreSQL has room for a megabyte.
    assert!(invoice.terms().joined().len() < 200_000);
}

#[test]
fn tickets_of_orders_are_no_terms_of_a_global_invoice() {
    let mut invoice = sale(1, Status::Draft);
    invoice.draft.items[0].sku = Some("ORD-000123".to_owned());
    let period = Global { periodicity: "01".to_owned(), months: "11".to_owned(), year: 2026 };
    invoice.draft.global = Some(period);
    assert!(is_found(&invoice, "ord-000123"), "of tickets that no order has");
    invoice.draft.orders = vec![OrderId::from_u128(1)];
    assert!(!is_found(&invoice, "ord-000123"));
}
