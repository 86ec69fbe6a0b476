//! Stock: where it lies, its ledger, and what people do with it.

diesel::table! {
    warehouses (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        address -> Nullable<Text>,
        kind -> Text,
        priority -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    stock_levels (account_id, product_id, variant_id, warehouse_id) {
        account_id -> Text,
        product_id -> Text,
        variant_id -> Text,
        warehouse_id -> Text,
        quantity -> BigInt,
        committed -> BigInt,
        sellable -> Bool,
        elsewhere -> BigInt,
        average_cost -> Nullable<BigInt>,
        changes -> BigInt,
        corrections -> BigInt,
        low_below -> Nullable<BigInt>,
        is_low -> Bool,
    }
}

diesel::table! {
    stock_movements (account_id, id) {
        account_id -> Text,
        id -> Text,
        product_id -> Text,
        variant_id -> Text,
        warehouse_id -> Text,
        delta -> BigInt,
        quantity_after -> BigInt,
        reason -> Text,
        reference -> Text,
        created_at -> BigInt,
        committed_delta -> BigInt,
        unit_cost -> Nullable<BigInt>,
        note -> Nullable<Text>,
    }
}

diesel::table! {
    stock_adjustments (account_id, id) {
        account_id -> Text,
        id -> Text,
        reason -> Text,
        note -> Nullable<Text>,
        reference -> Nullable<Text>,
        lines -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    order_allocations (account_id, order_id, line, warehouse_id) {
        account_id -> Text,
        order_id -> Text,
        line -> BigInt,
        warehouse_id -> Text,
        quantity -> BigInt,
    }
}

diesel::table! {
    stock_receipts (account_id, id) {
        account_id -> Text,
        id -> Text,
        status -> Text,
        supplier -> Nullable<Text>,
        reference -> Nullable<Text>,
        note -> Nullable<Text>,
        received_at -> Nullable<BigInt>,
        lines -> Text,
        units -> BigInt,
        created_at -> BigInt,
        cancelled_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    cost_changes (account_id, id) {
        account_id -> Text,
        id -> Text,
        product_id -> Text,
        variant_id -> Text,
        reason -> Text,
        reference -> Nullable<Text>,
        on_hand -> BigInt,
        cost_before -> Nullable<BigInt>,
        cost_after -> Nullable<BigInt>,
        currency -> Text,
        note -> Nullable<Text>,
        created_at -> BigInt,
    }
}

diesel::table! {
    transfers (account_id, id) {
        account_id -> Text,
        id -> Text,
        status -> Text,
        from_id -> Text,
        to_id -> Text,
        quarantine_id -> Nullable<Text>,
        reference -> Nullable<Text>,
        note -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        dispatched_at -> Nullable<BigInt>,
        received_at -> Nullable<BigInt>,
        cancelled_at -> Nullable<BigInt>,
        version -> BigInt,
    }
}

diesel::table! {
    transfer_lines (account_id, transfer_id, line) {
        account_id -> Text,
        transfer_id -> Text,
        line -> BigInt,
        product_id -> Text,
        variant_id -> Text,
        to_id -> Text,
        quantity -> BigInt,
        received -> BigInt,
        damaged -> BigInt,
        lost -> BigInt,
        found -> BigInt,
        returned -> BigInt,
        in_transit -> BigInt,
        quantity_decimals -> BigInt,
    }
}

diesel::table! {
    transfer_arrivals (account_id, transfer_id, id) {
        account_id -> Text,
        transfer_id -> Text,
        id -> Text,
        is_final -> Bool,
        lines -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    stock_counts (account_id, id) {
        account_id -> Text,
        id -> Text,
        status -> Text,
        warehouse_id -> Text,
        uncounted -> Text,
        note -> Nullable<Text>,
        line_count -> BigInt,
        counted_count -> BigInt,
        posted_count -> BigInt,
        left_out_count -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        posted_at -> Nullable<BigInt>,
        cancelled_at -> Nullable<BigInt>,
        version -> BigInt,
    }
}

diesel::table! {
    count_lines (account_id, count_id, id) {
        account_id -> Text,
        count_id -> Text,
        id -> Text,
        product_id -> Text,
        variant_id -> Text,
        snapshot -> BigInt,
        counted -> Nullable<BigInt>,
        on_hand_then -> Nullable<BigInt>,
        changes_then -> Nullable<BigInt>,
        corrections_then -> Nullable<BigInt>,
        counted_by -> Nullable<Text>,
        counted_at -> Nullable<BigInt>,
        posted -> Nullable<BigInt>,
        quantity_decimals -> BigInt,
    }
}
