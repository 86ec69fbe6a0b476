//! What the endpoints of shipments read.

use intake::{
    Check, Fields, Form,
    checks::{id, line, objects, one_of, some_units, text, whole},
    noun,
};
use kernel::{Message, PageRequest, message, quantity::QUANTITY_MAX};
use orders::{
    NewShipment, ShipmentId, WarehouseId,
    order::{ITEMS_MAX, LINE_CHARS_MAX},
    shipments::{ShipmentChanges, ShipmentLine, ShipmentStatus, URL_CHARS_MAX},
};

use super::examples;
use crate::page::page_request_of;

pub(super) const SHIP: Form<NewShipment> =
    Form::body("ShipItems", noun("a shipment", "un envío"), read_new, examples::SHIP);
pub(super) const REVISE: Form<ShipmentChanges> =
    Form::body("UpdateShipment", noun("a shipment", "un envío"), read_changes, examples::REVISE);
pub(super) const LIST: Form<PageRequest> =
    Form::query(|fields| Some(page_request_of(fields, "createdAt", ShipmentId::PREFIX)));

const WHERE: &str =
    "Warehouse that it leaves; the only one that these items are promised from by default.";
const ITEMS: &str = "What it holds; all that is still to be shipped from there by default.";

fn web_address() -> impl Check<Value = String> {
    text(checked_url).chars(1, URL_CHARS_MAX).format("uri")
}

fn checked_url(text: &str) -> Result<String, Message> {
    let is_web = ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme));
    if is_web && !text.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
        return Ok(text.to_owned());
    }
    Err(message!(
        "must be a web address such as \"https://dhl.example/1Z999\"",
        "debe ser una dirección web como \"https://dhl.example/1Z999\""
    ))
}

fn read_new(fields: &mut Fields<'_>) -> Option<NewShipment> {
    let items = objects(noun("an item", "una partida"), 1..=ITEMS_MAX, read_line).about(ITEMS);
    let lines = fields.optional("items", items).unwrap_or_default();
    let place = id(noun("a warehouse", "un almacén"), WarehouseId::PREFIX, WarehouseId::parse);
    let warehouse = fields.optional("warehouseId", place.about(WHERE));
    let carrier = fields.optional("carrier", line(LINE_CHARS_MAX).about("Carrier."));
    let number = line(LINE_CHARS_MAX).about("Carrier's tracking number.");
    let tracking_number = fields.optional("trackingNumber", number);
    let follow = web_address().about("Where it can be followed.");
    let tracking_url = fields.optional("trackingUrl", follow);
    fields.read_only(&[
        "id",
        "orderId",
        "status",
        "createdAt",
        "updatedAt",
        "deliveredAt",
        "cancelledAt",
    ]);
    Some(NewShipment { lines, warehouse, carrier, tracking_number, tracking_url })
}

fn read_line(fields: &mut Fields<'_>) -> Option<ShipmentLine> {
    let number = whole(1..=ITEMS_MAX as i64).about("Which item of the order, starting at 1.");
    let number = fields.required("line", number);
    let quantity = fields.required("quantity", some_units(QUANTITY_MAX));
    let line = usize::try_from(number?).ok()?.checked_sub(1)?;
    Some(ShipmentLine { line, quantity: quantity? })
}

fn read_changes(fields: &mut Fields<'_>) -> Option<ShipmentChanges> {
    let carrier = fields.patch("carrier", line(LINE_CHARS_MAX).about("Carrier."));
    let number = line(LINE_CHARS_MAX).about("Carrier's tracking number.");
    let tracking_number = fields.patch("trackingNumber", number);
    let follow = web_address().about("Where it can be followed.");
    let tracking_url = fields.patch("trackingUrl", follow);
    let status = one_of(ShipmentStatus::EVERY, ShipmentStatus::name)
        .about("`delivered` once the customer has received it; otherwise its present status.");
    let status = fields.change("status", status);
    fields.read_only(&[
        "id",
        "orderId",
        "warehouseId",
        "items",
        "createdAt",
        "updatedAt",
        "deliveredAt",
        "cancelledAt",
    ]);
    Some(ShipmentChanges { carrier, tracking_number, tracking_url, status })
}

#[cfg(test)]
mod tests {
    use kernel::Measure;

    use super::*;

    #[test]
    fn examples_are_read() {
        let new = SHIP.read_body(examples::SHIP.as_bytes()).unwrap();
        assert_eq!(new.lines, [ShipmentLine { line: 0, quantity: Measure::whole(2) }]);
        assert!(SHIP.read_body(b"{}").unwrap().lines.is_empty());
        let changes = REVISE.read_body(examples::REVISE.as_bytes()).unwrap();
        assert!(
            changes.status == Some(ShipmentStatus::Delivered) && changes.tracking_url.is_none()
        );
        for wrong in [
            r#"{"items": [{"line": 0, "quantity": 1}]}"#,
            r#"{"items": [{"line": 1}]}"#,
            r#"{"trackingUrl": "javascript:alert(1)"}"#,
            r#"{"items": []}"#,
        ] {
            assert!(SHIP.read_body(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
