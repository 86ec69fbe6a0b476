//! The rows of items in the form of an invoice.

/// The names of the fields of an item: those that the API has, so that a finding stands at its field.
pub(super) struct Row {
    pub(super) group: &'static str,
    /// Which item of the draft it is, counted from 1; none of one that is new.
    pub(super) of: &'static str,
    pub(super) sku: &'static str,
    pub(super) description: &'static str,
    pub(super) quantity: &'static str,
    pub(super) unit_price: &'static str,
    pub(super) sat_product_key: &'static str,
    pub(super) sat_unit_key: &'static str,
    pub(super) discount: &'static str,
    pub(super) taxes: &'static str,
    /// Whether the draft is to have it no more.
    pub(super) left_out: &'static str,
}

macro_rules! rows {
    ($($place:literal)+) => {
        &[$(Row {
            group: concat!("items[", $place, "]"),
            of: concat!("items[", $place, "].of"),
            sku: concat!("items[", $place, "].sku"),
            description: concat!("items[", $place, "].description"),
            quantity: concat!("items[", $place, "].quantity"),
            unit_price: concat!("items[", $place, "].unitPrice"),
            sat_product_key: concat!("items[", $place, "].satProductKey"),
            sat_unit_key: concat!("items[", $place, "].satUnitKey"),
            discount: concat!("items[", $place, "].discount"),
            taxes: concat!("items[", $place, "].taxes"),
            left_out: concat!("items[", $place, "].leftOut"),
        }),+]
    };
}

/// As many items as a form takes. Who sells more at once makes an order of it, or calls the API.
pub(super) const ROWS: &[Row] = rows!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
/// Rows of an empty form, and how many more are asked for at a time.
pub(super) const ROWS_FIRST: usize = 1;
pub(super) const ROWS_MORE: usize = 5;
