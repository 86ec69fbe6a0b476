//! What the endpoints of stock counts read.

use intake::{
    Check, Fields, Form,
    checks::{flag, line, objects, one_of, some_units, units},
    noun,
};
use inventory::{
    CountId,
    adjustment::Named,
    count::{
        CountFilter, CountLineId, CountLineQuery, CountQuery, CountStatus, NAMED_MAX, NewCount,
        PERSON_CHARS_MAX, Scan, Tallied, Tallies, Tally, Uncounted,
    },
    ledger::NOTE_CHARS_MAX,
};
use kernel::quantity::QUANTITY_MAX;

use super::examples;
use crate::{
    page::page_request_of,
    resources::{stock::read_named, warehouses::warehouse},
};

/// The lines that are to be posted; all of them when `None`.
pub(super) type Wanted = Option<Vec<Named>>;

pub(super) const LIST: Form<CountQuery> = Form::query(read_query);
pub(super) const LINES: Form<CountLineQuery> = Form::query(read_lines);
pub(super) const OPEN: Form<NewCount> =
    Form::body("OpenStockCount", noun("a count", "un conteo"), read_count, examples::OPEN);
pub(super) const TALLY: Form<Tallies> = Form::body(
    "SetStockCountLines",
    noun("what was counted", "lo contado"),
    read_tallies,
    examples::TALLY,
);
pub(super) const SCAN: Form<Scan> =
    Form::body("ScanStockCount", noun("a scan", "una lectura"), read_scan, examples::SCAN);
pub(super) const POST: Form<Wanted> = Form::body(
    "PostStockCount",
    noun("what is posted", "lo que se aplica"),
    read_wanted,
    examples::POST,
);

const NEWEST: &str = "-createdAt";
const UNCOUNTED: &str = "What becomes of lines that nobody has counted: `leave` (default) leaves them as they are; with `zero` there are none of them.";
const ITEMS: &str = "What is to be counted; all that is on hand there by default.";
const RESTART: &str =
    "Whether to begin anew: what was counted of it so far does not count. Default `false`.";
const MORE: &str = "How many more there are. Default 1 of what is sold by the piece, and what the label of a scale says; required of what else is sold by weight or length.";
const COUNTED: &str = "How many there are on the shelf, with what is promised to orders; `null` if it was not counted after all.";

fn read_query(fields: &mut Fields<'_>) -> Option<CountQuery> {
    let status = one_of(CountStatus::EVERY, CountStatus::name).about("Filter by status.");
    let filter = CountFilter {
        status: fields.change("status", status),
        warehouse: fields.change("warehouseId", warehouse().about("Filter by warehouse.")),
    };
    Some(CountQuery { filter, page: page_request_of(fields, NEWEST, CountId::PREFIX) })
}

fn read_lines(fields: &mut Fields<'_>) -> Option<CountLineQuery> {
    let counted = flag().about("`true` for only what was counted, `false` for only what was not.");
    Some(CountLineQuery {
        counted: fields.change("counted", counted),
        page: page_request_of(fields, NEWEST, CountLineId::PREFIX),
    })
}

fn read_count(fields: &mut Fields<'_>) -> Option<NewCount> {
    let place = warehouse().about("Warehouse; the default one by default.");
    let warehouse = fields.optional("warehouseId", place);
    let uncounted = one_of(Uncounted::EVERY, Uncounted::name).about(UNCOUNTED);
    let uncounted = fields.optional("uncounted", uncounted).unwrap_or_default();
    let note = fields.optional("note", line(NOTE_CHARS_MAX));
    let items = objects(noun("an item", "una partida"), 1..=NAMED_MAX, read_named).about(ITEMS);
    let named = fields.optional("items", items).unwrap_or_default();
    fields.read_only(&["id", "status", "createdAt", "updatedAt", "postedAt", "cancelledAt"]);
    Some(NewCount { warehouse, uncounted, note, named })
}

fn read_tallies(fields: &mut Fields<'_>) -> Option<Tallies> {
    let by = fields.optional("by", line(PERSON_CHARS_MAX).about("Who counted."));
    let lines = objects(noun("an item", "una partida"), 1..=NAMED_MAX, read_tallied);
    let lines = fields.required("items", lines);
    Some(Tallies { lines: lines?, by })
}

fn read_tallied(fields: &mut Fields<'_>) -> Option<Tallied> {
    let named = read_named(fields);
    let counted = units(0..=QUANTITY_MAX).about(COUNTED);
    let counted = fields.required_or_null("countedQuantity", counted);
    let tally = counted.map(|quantity| quantity.map_or(Tally::Clear, Tally::Set));
    Some(Tallied { named: named?, tally: tally? })
}

fn read_scan(fields: &mut Fields<'_>) -> Option<Scan> {
    let code = line(NOTE_CHARS_MAX)
        .about("SKU or barcode number of the product or variant, or the label of a scale.");
    let code = fields.required("code", code);
    let quantity = some_units(QUANTITY_MAX).about(MORE);
    let quantity = fields.optional("quantity", quantity);
    let restarts = fields.optional("restart", flag().about(RESTART)).unwrap_or_default();
    let by = fields.optional("by", line(PERSON_CHARS_MAX).about("Who counted."));
    Some(Scan { code: code?, quantity, restarts, by })
}

fn read_wanted(fields: &mut Fields<'_>) -> Option<Wanted> {
    let items = objects(noun("an item", "una partida"), 1..=NAMED_MAX, read_named)
        .about("These lines alone; the count stays open. All of them by default.");
    // Not `null`: all of them are not posted by mistake.
    Some(fields.change("items", items))
}

#[cfg(test)]
mod tests {
    use kernel::Measure;

    use super::*;

    #[test]
    fn examples_are_read() {
        let count = OPEN.read_body(examples::OPEN.as_bytes()).unwrap();
        assert_eq!((count.named.len(), count.uncounted), (1, Uncounted::Zero));
        let tallies = TALLY.read_body(examples::TALLY.as_bytes()).unwrap();
        let tallies: Vec<_> = tallies.lines.iter().map(|line| line.tally).collect();
        assert_eq!(tallies, [Tally::Set(Measure::whole(12)), Tally::Clear]);
        let scanned = SCAN.read_body(examples::SCAN.as_bytes()).unwrap();
        assert_eq!((scanned.code.as_str(), scanned.quantity), ("7501031311309", None));
        let anew = SCAN.read_body(br#"{"code": "A", "quantity": 2, "restart": true}"#).unwrap();
        assert_eq!((anew.quantity, anew.restarts), (Some(Measure::whole(2)), true));
        assert!(POST.read_body(examples::POST.as_bytes()).unwrap().is_some());
        assert!(POST.read_body(b"{}").unwrap().is_none());
        assert!(TALLY.read_body(br#"{"items": [{"sku": "A"}]}"#).is_err());
    }
}
