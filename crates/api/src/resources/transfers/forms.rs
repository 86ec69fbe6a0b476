//! What the endpoints of transfers read.

use intake::{
    Check, Fields, Form,
    checks::{flag, line, objects, one_of, some_units, units, whole},
    noun,
};
use inventory::{
    TransferId,
    adjustment::LINES_MAX,
    ledger::NOTE_CHARS_MAX,
    transfer::{
        ArrivedLine, Arriving, NewTransfer, NewTransferLine, TransferFilter, TransferQuery,
        TransferStatus, TransferTerms, goes_nowhere,
    },
};
use kernel::{Measure, quantity::QUANTITY_MAX};

use super::examples;
use crate::{
    page::page_request_of,
    resources::{stock::read_named, warehouses::warehouse},
};

pub(super) const LIST: Form<TransferQuery> = Form::query(read_query);
pub(super) const PLAN: Form<NewTransfer> =
    Form::body("PlanTransfer", noun("a transfer", "un traspaso"), read_transfer, examples::PLAN);
pub(super) const RECEIVE: Form<Arriving> = Form::body(
    "ReceiveTransfer",
    noun("what arrived", "lo que llegó"),
    read_arriving,
    examples::RECEIVE,
);

const NEWEST: &str = "-createdAt";
const QUARANTINE: &str = "Warehouse of kind `quarantine` that damaged goods are put into. They are written off by default.";
const REASON: &str =
    "Why it differs from what was sent; required where something is damaged, lost or found.";

fn read_query(fields: &mut Fields<'_>) -> Option<TransferQuery> {
    let status = one_of(TransferStatus::EVERY, TransferStatus::name).about("Filter by status.");
    let filter = TransferFilter {
        status: fields.change("status", status),
        warehouse: fields
            .change("warehouseId", warehouse().about("Only those from or to this warehouse.")),
    };
    Some(TransferQuery { filter, page: page_request_of(fields, NEWEST, TransferId::PREFIX) })
}

fn read_transfer(fields: &mut Fields<'_>) -> Option<NewTransfer> {
    let from = warehouse().about("Warehouse that the goods leave.");
    let from = fields.required("fromWarehouseId", from);
    let to = fields.required("toWarehouseId", warehouse().about("Warehouse that they go to."));
    let quarantine = fields.optional("quarantineId", warehouse().about(QUARANTINE));
    let reference = line(NOTE_CHARS_MAX).about("Reference of your own.");
    let reference = fields.optional("reference", reference);
    let note = fields.optional("note", line(NOTE_CHARS_MAX));
    let lines = objects(noun("an item", "una partida"), 1..=LINES_MAX, read_line);
    let lines = fields.required("items", lines);
    fields.read_only(&[
        "id",
        "status",
        "createdAt",
        "updatedAt",
        "dispatchedAt",
        "receivedAt",
        "cancelledAt",
    ]);
    if let Some(fault) = from.zip(to).and_then(|(from, to)| goes_nowhere(from, to)) {
        return fields.refuse(&fault.field, fault.problem);
    }
    let terms = TransferTerms { from: from?, to: to?, quarantine, reference, note };
    Some(NewTransfer { terms, lines: lines? })
}

fn read_line(fields: &mut Fields<'_>) -> Option<NewTransferLine> {
    let named = read_named(fields);
    let quantity = fields.required("quantity", some_units(QUANTITY_MAX));
    fields.read_only(&["received", "damaged", "lost", "found", "returned", "inTransit"]);
    Some(NewTransferLine { named: named?, quantity: quantity? })
}

fn read_arriving(fields: &mut Fields<'_>) -> Option<Arriving> {
    let lines = objects(noun("an item", "una partida"), 0..=LINES_MAX, read_part);
    let lines = fields.optional("items", lines);
    let is_refused = lines.is_none() && fields.gives("items");
    let last = flag().about(
        "Whether nothing else will come: what is still in transit afterwards is lost. Default `false`.",
    );
    let is_final = fields.optional("final", last).unwrap_or_default();
    let lines = lines.unwrap_or_default();
    if lines.is_empty() && !is_final && !is_refused {
        return fields.refuse(
            "items",
            kernel::message!("is required without final", "es obligatorio si no se indica final"),
        );
    }
    Some(Arriving { lines, is_final })
}

fn read_part(fields: &mut Fields<'_>) -> Option<ArrivedLine> {
    let number = whole(1..=LINES_MAX as i64).about("Which item of the transfer, starting at 1.");
    let number = fields.required("line", number);
    let mut count = |name, about| -> Measure {
        fields.optional(name, units(0..=QUANTITY_MAX).about(about)).unwrap_or_default()
    };
    let received = count("received", "How many arrived in order. Default 0.");
    let damaged = count("damaged", "How many arrived damaged. Default 0.");
    let lost = count("lost", "How many will not arrive. Default 0.");
    let found = count("found", "How many arrived that were not sent. Default 0.");
    let reason = fields.optional("reason", line(NOTE_CHARS_MAX).about(REASON));
    let line = usize::try_from(number?).ok()?.checked_sub(1)?;
    Some(ArrivedLine { line, received, damaged, lost, found, reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read() {
        let transfer = PLAN.read_body(examples::PLAN.as_bytes()).unwrap();
        assert_eq!((transfer.lines.len(), transfer.terms.quarantine.is_some()), (1, true));
        let arriving = RECEIVE.read_body(examples::RECEIVE.as_bytes()).unwrap();
        assert_eq!((arriving.lines[0].line, arriving.is_final), (0, true));
    }

    #[test]
    fn something_arrives_or_nothing_will() {
        let read = |body: &str| RECEIVE.read_body(body.as_bytes());
        assert!(read(r#"{"final": true}"#).is_ok());
        for wrong in [
            "{}",
            r#"{"items": []}"#,
            r#"{"items": [{"received": 1}]}"#,
            r#"{"items": [{"line": 0, "received": 1}]}"#,
            r#"{"items": [{"line": 1, "received": -1}]}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
