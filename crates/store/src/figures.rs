//! Figures of what the shop does, for monitoring: each is counted once, by the commit of its use case.

/// The name of a counter, what it means, and its figure.
type Counter = (&'static str, &'static str, &'static str);

macro_rules! counted {
    ($($figure:ident = $name:literal $meaning:literal;)+) => {
        $(#[doc = $meaning] pub(crate) const $figure: &str = $name;)+

        /// Counters: name, meaning, figure.
        pub(crate) const COUNTERS: &[Counter] = &[$(($name, $meaning, $figure),)+];
    };
}

counted! {
    SHIPMENTS_CREATED = "shipments_created_total" "Shipments that have left since the start";
    SHIPMENTS_DELIVERED = "shipments_delivered_total" "Shipments that were received by customers";
    SHIPMENTS_CANCELLED = "shipments_cancelled_total" "Shipments that did not leave after all";
    DEALS_CREATED = "deals_created_total" "Deals made since the start";
    DEALS_WON = "deals_won_total" "Deals that were won";
    DEALS_LOST = "deals_lost_total" "Deals that were lost";
    QUOTES_CREATED = "quotes_created_total" "Quotes drafted since the start, revisions among them";
    QUOTES_SENT = "quotes_sent_total" "Quotes that were offered to their customers";
    QUOTES_ACCEPTED = "quotes_accepted_total" "Quotes that were accepted";
    QUOTES_REJECTED = "quotes_rejected_total" "Quotes that were refused";
    QUOTES_EXPIRED = "quotes_expired_total" "Quotes that nobody accepted in time";
    STOCK_ADJUSTED = "stock_adjustments_total" "Corrections of stock since the start";
    STOCK_RECEIVED = "stock_receipts_total" "Receipts of goods";
    STOCK_SENT = "stock_transfers_sent_total" "Transfers that have left";
    STOCK_ARRIVED = "stock_transfer_arrivals_total" "Arrivals of transfers, whole or in parts";
    STOCK_COUNTED = "stock_counts_completed_total" "Stock counts that were completed";
    IMPORTS_COMPLETED = "imports_completed_total" "Imports that came to their end, with or without refused rows";
    IMPORTS_FAILED = "imports_failed_total" "Imports that failed as a whole";
    IMPORTS_CANCELED = "imports_canceled_total" "Imports that were called off";
    IMPORT_ROWS = "import_rows_total" "Rows of imports that were worked off, those of dry runs among them";
    IMPORT_ROWS_REFUSED = "import_rows_refused_total" "Rows of imports that were refused";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn counters_have_names_of_their_own() {
        let names: BTreeSet<_> = COUNTERS.iter().map(|(name, ..)| *name).collect();
        assert_eq!(names.len(), COUNTERS.len());
        assert!(names.iter().all(|name| name.ends_with("_total")), "{names:?}");
    }
}
