//! Customers, leads and deals.

diesel::table! {
    customers (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        email -> Nullable<Text>,
        email_key -> Nullable<Text>,
        phone -> Nullable<Text>,
        rfc -> Nullable<Text>,
        legal_name -> Nullable<Text>,
        tax_regime -> Nullable<Text>,
        tax_zip -> Nullable<Text>,
        cfdi_use -> Nullable<Text>,
        addresses -> Text,
        metadata -> Text,
        external_id -> Nullable<Text>,
        search_text -> Text,
        search_version -> BigInt,
        orders_renamed_to -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    leads (account_id, id) {
        account_id -> Text,
        id -> Text,
        name -> Text,
        email -> Nullable<Text>,
        phone -> Nullable<Text>,
        company -> Nullable<Text>,
        source -> Nullable<Text>,
        status -> Text,
        estimated_value -> Nullable<BigInt>,
        currency -> Text,
        owner_id -> Nullable<Text>,
        notes -> Nullable<Text>,
        tags -> Text,
        deal_id -> Nullable<Text>,
        customer_id -> Nullable<Text>,
        external_id -> Nullable<Text>,
        search_text -> Text,
        search_version -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    deals (account_id, id) {
        account_id -> Text,
        id -> Text,
        title -> Text,
        value -> BigInt,
        currency -> Text,
        status -> Text,
        customer_id -> Text,
        lead_id -> Text,
        owner_id -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}
