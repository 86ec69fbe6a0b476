//! What the endpoints of stock read.

pub(super) mod receipts;

use intake::{
    Check, Fields, Form,
    checks::{flag, id, line, list, moment, objects, one_of, text, units},
    noun,
};
use inventory::{
    AdjustmentId, Allocation, Cause, MovementFilter, MovementId, MovementQuery, NewAdjustment,
    NewLine, ProductId, Reason, Sku, StockFilter, StockQuery, VariantId,
    adjustment::{Change, LINES_MAX, Named},
    ledger::NOTE_CHARS_MAX,
    service::SetStockSettings,
};
use kernel::{
    Measure, PageRequest, ScaleCode, message,
    quantity::QUANTITY_MAX,
    scale::{SCALE_CODE_CHARS, SCALE_CODES_MAX},
};

use super::examples;
use crate::{
    filters,
    page::{begins_with, page_request, page_request_of},
    resources::{
        products::{ean, sku},
        warehouses::warehouse,
    },
};

pub(super) const LIST: Form<StockQuery> = Form::query(read_query);
pub(super) const MOVEMENTS: Form<MovementQuery> = Form::query(read_movements);
pub(super) const ADJUSTMENTS: Form<PageRequest> =
    Form::query(|fields| Some(page_request_of(fields, NEWEST, AdjustmentId::PREFIX)));
pub(super) const SET: Form<SetStockSettings> = Form::body(
    "SetStockSettings",
    noun("the settings", "los ajustes"),
    read_settings,
    examples::SET,
);
pub(super) const ADJUST: Form<NewAdjustment> = Form::body(
    "AdjustStock",
    noun("an adjustment", "un ajuste de existencias"),
    read_adjustment,
    examples::ADJUST,
);

/// Sort order named in the cursors of lists of stock.
const ORDER: &str = "productId";
const NEWEST: &str = "-createdAt";

const ALLOCATION: &str = "Where an order that names no warehouse takes its stock from: `default` (default), the default warehouse alone; `anyAvailable`, \
                          any of kind `store` by its priority, several if need be.";
const DEFAULT: &str = "Default warehouse, of kind `store`; the account's first one by default.";
const SCALE_CODES: &str = "How the scales of the shop write their labels, for `GET /products/lookup`; none by default. No label may fit two of them.";
const DELTA: &str = "By how much what is available changes.";
const COUNTED: &str = "What was counted on the shelf, goods promised to orders included.";
const WHERE: &str = "Warehouse; the default one by default.";

/// Asks whether only what is low is listed.
pub(in crate::resources) fn below_threshold(fields: &mut Fields<'_>) -> Option<bool> {
    let low = flag().about(
        "`true` for only what is below its low-stock threshold, `false` for only what is not.",
    );
    fields.change("belowThreshold", low)
}

fn product() -> impl Check<Value = ProductId> {
    id(noun("a product", "un producto"), ProductId::PREFIX, ProductId::parse)
}

fn variant() -> impl Check<Value = VariantId> {
    id(noun("a variant", "una variante"), VariantId::PREFIX, VariantId::parse)
}

/// Asks for a page of a list of stock, whose places are a product and one of its variants.
pub(in crate::resources) fn page_of_lines(fields: &mut Fields<'_>) -> PageRequest {
    page_request(fields, ORDER, |cursor| begins_with(&cursor.key, ProductId::PREFIX))
}

fn read_query(fields: &mut Fields<'_>) -> Option<StockQuery> {
    let filter = StockFilter {
        product: fields.change("productId", product().about("Filter by product.")),
        variant: fields.change("variantId", variant().about("Filter by variant.")),
        warehouse: fields.change(
            "warehouseId",
            warehouse()
                .about("Only what is or has been in this warehouse, with its stock there alone."),
        ),
        below_threshold: below_threshold(fields),
    };
    Some(StockQuery { filter, page: page_of_lines(fields) })
}

fn read_movements(fields: &mut Fields<'_>) -> Option<MovementQuery> {
    let reason = one_of(Reason::EVERY, Reason::name).about("Filter by reason.");
    let reference = line(NOTE_CHARS_MAX).about(
        "Filter by the cause: by its identifier, e.g. of an order, or by the `reference` of your own that an adjustment, a \
         receipt or a transfer has.",
    );
    let filter = MovementFilter {
        product: fields.change("productId", product().about("Filter by product.")),
        variant: fields.change("variantId", variant().about("Filter by variant.")),
        warehouse: fields.change("warehouseId", warehouse().about("Filter by warehouse.")),
        reason: fields.change("reason", reason),
        reference: fields.change("reference", reference),
        created_from: fields
            .change("createdFrom", moment().about("Only movements at or after this time.")),
        created_to: fields.change("createdTo", moment().about("Only movements before this time.")),
    };
    let created = [("createdFrom", filter.created_from), ("createdTo", filter.created_to)];
    filters::refuse_backwards(fields, created);
    Some(MovementQuery { filter, page: page_request_of(fields, NEWEST, MovementId::PREFIX) })
}

fn read_settings(fields: &mut Fields<'_>) -> Option<SetStockSettings> {
    let allocation = one_of(Allocation::EVERY, Allocation::name).about(ALLOCATION);
    let allocation = fields.optional("allocation", allocation).unwrap_or_default();
    let default_warehouse = fields.optional("defaultWarehouseId", warehouse().about(DEFAULT));
    let pattern = text(ScaleCode::parse)
        .chars(SCALE_CODE_CHARS, SCALE_CODE_CHARS)
        .pattern("^[0-9]+P+(W+|M+)C$")
        .example("20PPPPPWWWWWC");
    let patterns = list(0..=SCALE_CODES_MAX, pattern).about(SCALE_CODES);
    let scale_codes = fields.optional("scaleCodes", patterns).unwrap_or_default();
    Some(SetStockSettings { allocation, default_warehouse, scale_codes })
}

fn read_adjustment(fields: &mut Fields<'_>) -> Option<NewAdjustment> {
    let cause = fields.required("reason", one_of(Cause::EVERY, Cause::name));
    let note = fields.optional("note", line(NOTE_CHARS_MAX));
    let reference = line(NOTE_CHARS_MAX).about("Reference of your own.");
    let reference = fields.optional("reference", reference);
    let lines = objects(noun("an item", "una partida"), 1..=LINES_MAX, read_line);
    let lines = fields.required("items", lines);
    fields.read_only(&["id", "createdAt"]);
    Some(NewAdjustment { cause: cause?, note, reference, lines: lines? })
}

fn read_line(fields: &mut Fields<'_>) -> Option<NewLine> {
    let named = read_named(fields);
    let warehouse = fields.optional("warehouseId", warehouse().about(WHERE));
    let delta = units(-QUANTITY_MAX..=QUANTITY_MAX).about(DELTA);
    let delta = fields.optional("delta", delta);
    let counted = fields.optional("countedQuantity", units(0..=QUANTITY_MAX).about(COUNTED));
    let is_refused = (delta.is_none() && fields.gives("delta"))
        || (counted.is_none() && fields.gives("countedQuantity"));
    fields.read_only(&["available", "onHand"]);
    let change = match (delta, counted) {
        (Some(Measure::ZERO), None) => {
            fields.refuse("delta", message!("must not be 0", "no debe ser 0"))
        }
        (Some(delta), None) => Some(Change::Delta(delta)),
        (None, Some(counted)) => Some(Change::Counted(counted)),
        (None, None) if is_refused => None,
        _ => fields.refuse(
            "",
            message!(
                "must have either delta or countedQuantity",
                "debe llevar delta o countedQuantity, y solo uno de los dos"
            ),
        ),
    };
    Some(NewLine { warehouse, named: named?, change: change? })
}

/// What an item names: `productId` with or without `variantId`, `sku`, or `ean`.
pub(in crate::resources) fn read_named(fields: &mut Fields<'_>) -> Option<Named> {
    let product =
        fields.optional("productId", product().about("Product, instead of `sku` or `ean`."));
    let variant = fields.optional("variantId", variant().about("Variant of the product."));
    let code = fields.optional("sku", sku().about("SKU of the product or variant."));
    let ean = fields.optional("ean", ean().about("Barcode number of the product or variant."));
    let names = ["productId", "sku", "ean"];
    let given = names.iter().filter(|name| fields.gives(name)).count();
    if given != 1 {
        return fields.refuse(
            "",
            message!(
                "must have one of productId, sku and ean",
                "debe llevar productId, sku o ean, y solo uno de ellos"
            ),
        );
    }
    if variant.is_some() && !fields.gives("productId") {
        let problem = message!("goes only with productId", "solo se admite con productId");
        return fields.refuse("variantId", problem);
    }
    let by_id = product.map(|product| Named::Id(Sku::named(product, variant)));
    by_id.or(code.map(Named::Code)).or(ean.map(|ean| Named::Ean(ean.as_str().to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read() {
        let settings = SET.read_body(examples::SET.as_bytes()).unwrap();
        assert_eq!(settings.allocation, Allocation::AnyAvailable);
        assert!(SET.read_body(examples::SETTINGS.as_bytes()).is_ok());
        let adjustment = ADJUST.read_body(examples::ADJUST.as_bytes()).unwrap();
        let changes: Vec<_> = adjustment.lines.iter().map(|line| line.change).collect();
        assert_eq!(
            changes,
            [Change::Delta(Measure::whole(-2)), Change::Counted(Measure::whole(11))]
        );
    }

    #[test]
    fn a_line_names_one_thing_and_one_change() {
        let read = |item: &str| {
            ADJUST.read_body(format!(r#"{{"reason": "other", "items": [{item}]}}"#).as_bytes())
        };
        assert!(read(r#"{"sku": "A", "delta": 1}"#).is_ok());
        for wrong in [
            r#"{"delta": 1}"#,
            r#"{"sku": "A"}"#,
            r#"{"sku": "A", "delta": 0}"#,
            r#"{"sku": "A", "delta": 1, "countedQuantity": 1}"#,
            r#"{"sku": "A", "ean": "7501031311309", "delta": 1}"#,
            r#"{"sku": "A", "variantId": "var_01KG8VZW3K4M9N2P7Q5R6S8T0W", "delta": 1}"#,
            r#"{"sku": "A", "countedQuantity": -1}"#,
            r#"{"ean": "12", "delta": 1}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
