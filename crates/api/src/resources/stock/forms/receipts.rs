//! What the endpoints of receipts and costs read.

use intake::{
    Fields, Form,
    checks::{Check, currency, line, moment, number, objects, some_units},
    noun,
};
use inventory::{
    CostChangeId, CostQuery, NewCost, NewReceipt, NewReceiptLine, ReceiptId, Revalue,
    ValuationQuery, adjustment::LINES_MAX, cost::CostFilter, ledger::NOTE_CHARS_MAX,
};
use kernel::{Amount, PageRequest, message, quantity::QUANTITY_MAX};

use super::{NEWEST, WHERE, product, read_named, variant};
use crate::{
    page::page_request_of,
    resources::{stock::examples::receipts as examples, warehouses::warehouse},
};

pub(in crate::resources::stock) const RECEIVE: Form<NewReceipt> = Form::body(
    "ReceiveStock",
    noun("a receipt", "una entrada de mercancía"),
    read_receipt,
    examples::RECEIVE,
);
pub(in crate::resources::stock) const LIST: Form<PageRequest> =
    Form::query(|fields| Some(page_request_of(fields, NEWEST, ReceiptId::PREFIX)));
pub(in crate::resources::stock) const REVALUE: Form<Revalue> =
    Form::body("SetStockCosts", noun("the costs", "los costos"), read_costs, examples::REVALUE);
pub(in crate::resources::stock) const CHANGES: Form<CostQuery> = Form::query(read_changes);
pub(in crate::resources::stock) const VALUATION: Form<ValuationQuery> = Form::query(read_valuation);

const UNIT_COST: &str =
    "Unit cost, without taxes that you can credit. The average cost by default.";
const CURRENCY: &str = "Currency of the unit costs, which must be that of each product. That of the product by default.";

const AVERAGE_COST: &str = "Average cost of a unit. Required; `null` clears it, which must be done before the currency of the product can change.";

fn cost() -> impl Check<Value = Amount> {
    number(Some(0), |cost| match cost.is_negative() {
        true => Err(message!("must not be negative", "no debe ser negativo")),
        false => Ok(cost),
    })
}

fn read_receipt(fields: &mut Fields<'_>) -> Option<NewReceipt> {
    let text = |about| line(NOTE_CHARS_MAX).about(about);
    let supplier = fields.optional("supplier", text("Supplier."));
    let reference = text("Reference of your own, e.g. the number of the supplier's invoice.");
    let reference = fields.optional("reference", reference);
    let note = fields.optional("note", line(NOTE_CHARS_MAX));
    let received_at =
        moment().about("When the goods arrived. Only a note: their cost counts from now on.");
    let received_at = fields.optional("receivedAt", received_at);
    let currency = fields.optional("currency", currency().about(CURRENCY));
    let lines = objects(noun("an item", "una partida"), 1..=LINES_MAX, read_line);
    let lines = fields.required("items", lines);
    fields.read_only(&["id", "status", "createdAt", "cancelledAt"]);
    Some(NewReceipt { supplier, reference, note, currency, received_at, lines: lines? })
}

fn read_line(fields: &mut Fields<'_>) -> Option<NewReceiptLine> {
    let named = read_named(fields);
    let warehouse = fields.optional("warehouseId", warehouse().about(WHERE));
    let quantity = fields.required("quantity", some_units(QUANTITY_MAX));
    let unit_cost = fields.optional("unitCost", cost().about(UNIT_COST));
    fields.read_only(&["averageCost", "available", "onHand"]);
    Some(NewReceiptLine { warehouse, named: named?, quantity: quantity?, unit_cost })
}

fn read_costs(fields: &mut Fields<'_>) -> Option<Revalue> {
    let note = fields.optional("note", line(NOTE_CHARS_MAX).about("Why."));
    let reference = line(NOTE_CHARS_MAX).about("Reference of your own.");
    let reference = fields.optional("reference", reference);
    let lines = objects(noun("an item", "una partida"), 1..=LINES_MAX, read_cost);
    let lines = fields.required("items", lines);
    Some(Revalue { note, reference, lines: lines? })
}

fn read_cost(fields: &mut Fields<'_>) -> Option<NewCost> {
    let named = read_named(fields);
    let average = fields.required_or_null("averageCost", cost().about(AVERAGE_COST));
    let own = currency().about("Currency of the cost, which must be that of the product.");
    let currency = fields.optional("currency", own);
    Some(NewCost { named: named?, average: average?, currency })
}

fn read_changes(fields: &mut Fields<'_>) -> Option<CostQuery> {
    let filter = CostFilter {
        product: fields.change("productId", product().about("Filter by product.")),
        variant: fields.change("variantId", variant().about("Filter by variant.")),
    };
    Some(CostQuery { filter, page: page_request_of(fields, NEWEST, CostChangeId::PREFIX) })
}

fn read_valuation(fields: &mut Fields<'_>) -> Option<ValuationQuery> {
    let at = moment().about("A moment in the past; now by default.");
    Some(ValuationQuery {
        at: fields.change("at", at),
        warehouse: fields.change("warehouseId", warehouse().about("This warehouse alone.")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read() {
        let receipt = RECEIVE.read_body(examples::RECEIVE.as_bytes()).unwrap();
        assert_eq!(receipt.lines.len(), 2);
        assert!(receipt.lines[0].unit_cost.is_some() && receipt.lines[1].unit_cost.is_none());
        let costs = REVALUE.read_body(examples::REVALUE.as_bytes()).unwrap();
        assert_eq!(costs.lines.len(), 1);
    }

    #[test]
    fn a_cost_is_set_or_cleared_and_never_left_out() {
        let read = |item: &str| REVALUE.read_body(format!(r#"{{"items": [{item}]}}"#).as_bytes());
        let average = |item: &str| read(item).unwrap().lines[0].average;
        assert_eq!(average(r#"{"sku": "A", "averageCost": null}"#), None);
        assert_eq!(average(r#"{"sku": "A", "averageCost": 0}"#), Some(Amount::ZERO));
        assert!(read(r#"{"sku": "A"}"#).is_err());
        assert!(read(r#"{"sku": "A", "averageCost": -1}"#).is_err());
    }

    #[test]
    fn costs_are_not_negative_and_something_comes() {
        let read = |item: &str| RECEIVE.read_body(format!(r#"{{"items": [{item}]}}"#).as_bytes());
        assert!(read(r#"{"sku": "A", "quantity": 1, "unitCost": 0}"#).is_ok());
        for wrong in [
            r#"{"sku": "A", "quantity": 0}"#,
            r#"{"sku": "A", "quantity": 1, "unitCost": -1}"#,
            r#"{"sku": "A", "quantity": 1, "unitCost": 0.0000001}"#,
            r#"{"quantity": 1}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
