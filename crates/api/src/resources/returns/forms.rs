//! What the endpoints of returns read.

use intake::{
    Check, Fields, Form,
    checks::{flag, id, line, number, objects, whole},
    noun,
};
use kernel::quantity::QUANTITY_MAX;
use orders::{
    NewReturn, ReturnLine, WarehouseId,
    order::{ITEMS_MAX, LINE_CHARS_MAX},
};

use super::examples;

pub(super) const TAKE_BACK: Form<NewReturn> =
    Form::body("ReturnItems", noun("a return", "una devolución"), read, examples::TAKE_BACK);

fn read(fields: &mut Fields<'_>) -> Option<NewReturn> {
    let lines = objects(noun("an item", "una partida"), 1..=ITEMS_MAX, read_line);
    let lines = fields.required("items", lines);
    let shipping = fields.optional(
        "shipping",
        number(Some(0), Ok)
            .about("What of the shipping is given back, at most what is left of it."),
    );
    let reason = fields.required("reason", line(LINE_CHARS_MAX));
    let refunds = fields.optional(
        "refund",
        flag().about("Whether what came back is refunded, as far as it was paid. Default `false`."),
    );
    let unshipped = flag().about(
        "Of an order of which a part is on its way: whether these items will never be shipped, rather than have come back. Default \
         `false`.",
    );
    let is_unshipped = fields.optional("unshipped", unshipped).unwrap_or_default();
    fields.read_only(&["id", "orderId", "amount", "refundAmount", "createdAt"]);
    Some(NewReturn {
        is_unshipped,
        lines: lines?,
        shipping,
        reason: reason?,
        refunds: refunds.unwrap_or_default(),
    })
}

fn read_line(fields: &mut Fields<'_>) -> Option<ReturnLine> {
    let line = whole(1..=ITEMS_MAX as i64).about("Which item of the order, starting at 1.");
    let line = fields.required("line", line);
    let quantity = fields.required("quantity", whole(1..=QUANTITY_MAX));
    let is_restocked = fields.optional(
        "restock",
        flag().about("Whether it is for sale again. Default `false`: it is damaged or lost."),
    );
    let place = id(noun("a warehouse", "un almacén"), WarehouseId::PREFIX, WarehouseId::parse);
    let warehouse = fields.optional(
        "warehouseId",
        place.about("Warehouse that it goes to; by default the one that it came from."),
    );
    fields.read_only(&["amount"]);
    Some(ReturnLine {
        line: usize::try_from(line?).ok()?,
        quantity: quantity?,
        is_restocked: is_restocked.unwrap_or_default(),
        warehouse,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_read() {
        let read = TAKE_BACK.read_body(examples::TAKE_BACK.as_bytes()).unwrap();
        assert!(read.refunds && read.lines.iter().all(|line| line.is_restocked));
    }
}
