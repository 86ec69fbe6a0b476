//! What the endpoints of returns read.

use intake::{
    Check, Fields, Form,
    checks::{flag, id, line, number, objects, some_units, whole},
    noun,
};
use kernel::{PageRequest, quantity::QUANTITY_MAX};
use orders::{
    NewReturn, ReturnId, ReturnLine, WarehouseId,
    order::{ITEMS_MAX, LINE_CHARS_MAX},
};

use super::examples;
use crate::page::page_request_of;

pub(super) const TAKE_BACK: Form<NewReturn> =
    Form::body("ReturnItems", noun("a return", "una devolución"), read, examples::TAKE_BACK);

pub(super) const LIST: Form<PageRequest> =
    Form::query(|fields| Some(page_request_of(fields, "createdAt", ReturnId::PREFIX)));

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
        "Whether these items were not shipped and never will be, rather than have come back. Default `false`.",
    );
    let is_unshipped = fields.optional("unshipped", unshipped).unwrap_or_default();
    // What never left still lies on the shelf.
    let line = |(line, restock): (ReturnLine, Option<bool>)| ReturnLine {
        is_restocked: restock.unwrap_or(is_unshipped),
        ..line
    };
    fields.read_only(&["id", "orderId", "amount", "refundAmount", "createdAt"]);
    Some(NewReturn {
        is_unshipped,
        lines: lines?.into_iter().map(line).collect(),
        shipping,
        reason: reason?,
        refunds: refunds.unwrap_or_default(),
    })
}

/// A line, and whether it is said to be for sale again.
fn read_line(fields: &mut Fields<'_>) -> Option<(ReturnLine, Option<bool>)> {
    let line = whole(1..=ITEMS_MAX as i64).about("Which item of the order, starting at 1.");
    let line = fields.required("line", line);
    let quantity = fields.required("quantity", some_units(QUANTITY_MAX));
    let restock = flag().about(
        "Whether it is for sale again. Default `false`: it is damaged or lost; with `unshipped`, default `true`: it is still \
         on the shelf.",
    );
    let restock = fields.optional("restock", restock);
    let place = id(noun("a warehouse", "un almacén"), WarehouseId::PREFIX, WarehouseId::parse);
    let warehouse = fields.optional(
        "warehouseId",
        place.about("Warehouse that it goes to; by default the one that it came from."),
    );
    fields.read_only(&["amount"]);
    let line = usize::try_from(line?).ok()?;
    let line = ReturnLine { line, quantity: quantity?, is_restocked: false, warehouse };
    Some((line, restock))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_read() {
        let read = TAKE_BACK.read_body(examples::TAKE_BACK.as_bytes()).unwrap();
        assert!(read.refunds && read.lines.iter().all(|line| line.is_restocked));
    }

    #[test]
    fn what_never_left_is_for_sale_again_unless_it_is_said_not_to_be() {
        for (unshipped, restock, is_restocked) in [
            ("", "", false),
            ("", r#","restock":true"#, true),
            (r#","unshipped":true"#, "", true),
            (r#","unshipped":true"#, r#","restock":false"#, false),
        ] {
            let item = format!(r#"{{"line":1,"quantity":1{restock}}}"#);
            let body = format!(r#"{{"items":[{item}],"reason":"x"{unshipped}}}"#);
            let read = TAKE_BACK.read_body(body.as_bytes()).unwrap();
            assert_eq!(read.lines[0].is_restocked, is_restocked, "{body}");
        }
    }
}
