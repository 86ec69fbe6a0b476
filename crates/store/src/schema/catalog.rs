//! Products and their stock.

diesel::table! {
    products (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        sku -> Text,
        description -> Nullable<Text>,
        ean -> Nullable<Text>,
        price -> BigInt,
        currency -> Text,
        status -> Text,
        low_stock_threshold -> Nullable<BigInt>,
        tax_included -> Bool,
        taxes -> Text,
        sat_product_key -> Nullable<Text>,
        sat_unit_key -> Nullable<Text>,
        metadata -> Text,
        sort_name -> Text,
        external_id -> Nullable<Text>,
        search_text -> Text,
        search_version -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        deleted_at -> Nullable<BigInt>,
        version -> BigInt,
        brand -> Nullable<Text>,
        compare_at_price -> Nullable<BigInt>,
        cost -> Nullable<BigInt>,
        weight -> Nullable<BigInt>,
        images -> Nullable<Text>,
        dimensions -> Nullable<Text>,
        category_ids -> Nullable<Text>,
        unit -> Nullable<Text>,
        quantity_decimals -> BigInt,
    }
}

diesel::table! {
    categories (account_id, id) {
        account_id -> Text,
        id -> Text,
        parent_id -> Nullable<Text>,
        name -> Text,
        folded_name -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    price_lists (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        currency -> Text,
        group_id -> Nullable<Text>,
        priority -> BigInt,
        valid_from -> Nullable<BigInt>,
        valid_until -> Nullable<BigInt>,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
        deleted_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    price_list_items (account_id, product_id, variant_id, list_id, min_quantity) {
        account_id -> Text,
        product_id -> Text,
        variant_id -> Text,
        list_id -> Text,
        min_quantity -> BigInt,
        price -> BigInt,
    }
}

diesel::table! {
    product_categories (account_id, category_id, product_id) {
        account_id -> Text,
        category_id -> Text,
        product_id -> Text,
    }
}

diesel::table! {
    variants (account_id, product_id, id) {
        account_id -> Text,
        product_id -> Text,
        id -> Text,
        position -> BigInt,
        name -> Text,
        sku -> Nullable<Text>,
        ean -> Nullable<Text>,
        price -> Nullable<BigInt>,
    }
}

diesel::table! {
    skus (account_id, sku) {
        account_id -> Text,
        sku -> Text,
        product_id -> Text,
    }
}
