//! Orders.

diesel::table! {
    orders (account_id, id) {
        account_id -> Text,
        id -> Text,
        number -> BigInt,
        status -> Text,
        fulfillment_status -> Text,
        customer_id -> Text,
        total -> BigInt,
        currency -> Text,
        refund_due -> BigInt,
        carrier -> Nullable<Text>,
        tracking_number -> Nullable<Text>,
        cancel_reason -> Nullable<Text>,
        notes -> Nullable<Text>,
        metadata -> Text,
        external_id -> Nullable<Text>,
        search_text -> Text,
        search_version -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        paid_at -> Nullable<BigInt>,
        shipped_at -> Nullable<BigInt>,
        delivered_at -> Nullable<BigInt>,
        cancelled_at -> Nullable<BigInt>,
        version -> BigInt,
        tax_total -> Nullable<BigInt>,
        terms -> Nullable<Text>,
        amount_paid -> Nullable<BigInt>,
        amount_refunded -> BigInt,
        returned_total -> BigInt,
        commits -> Bool,
        amount_withheld -> Nullable<BigInt>,
    }
}

diesel::table! {
    order_blocks (account_id, id) {
        account_id -> Text,
        id -> Text,
        first_number -> BigInt,
        last_number -> BigInt,
        search_text -> Text,
    }
}

diesel::table! {
    order_items (account_id, order_id, line) {
        account_id -> Text,
        order_id -> Text,
        line -> BigInt,
        product_id -> Text,
        variant_id -> Text,
        name -> Text,
        sku -> Text,
        quantity -> BigInt,
        unit_price -> BigInt,
        terms -> Nullable<Text>,
        returned -> BigInt,
        unit_cost -> Nullable<BigInt>,
        removed -> BigInt,
    }
}

diesel::table! {
    order_returns (account_id, id) {
        account_id -> Text,
        id -> Text,
        order_id -> Text,
        lines -> Text,
        unshipped -> Bool,
        shipping -> BigInt,
        amount -> BigInt,
        refund -> BigInt,
        reason -> Text,
        created_at -> BigInt,
        credit_note_id -> Nullable<Text>,
        credit_note_problem -> Nullable<Text>,
    }
}

diesel::table! {
    shipments (account_id, id) {
        account_id -> Text,
        id -> Text,
        order_id -> Text,
        warehouse_id -> Text,
        status -> Text,
        carrier -> Nullable<Text>,
        tracking_number -> Nullable<Text>,
        tracking_url -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        delivered_at -> Nullable<BigInt>,
        cancelled_at -> Nullable<BigInt>,
        version -> BigInt,
    }
}

diesel::table! {
    shipment_items (account_id, shipment_id, line) {
        account_id -> Text,
        shipment_id -> Text,
        line -> BigInt,
        quantity -> BigInt,
        quantity_decimals -> BigInt,
    }
}
