//! Quotes and what is asked about them.

diesel::table! {
    quotes (account_id, id) {
        account_id -> Text,
        id -> Text,
        root_id -> Text,
        number -> BigInt,
        revision -> BigInt,
        status -> Text,
        customer_id -> Text,
        deal_id -> Nullable<Text>,
        order_id -> Nullable<Text>,
        payment_link_id -> Nullable<Text>,
        valid_until -> Text,
        expires_at -> BigInt,
        details -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    quote_questions (account_id, root_id, id) {
        account_id -> Text,
        root_id -> Text,
        id -> Text,
        quote_id -> Text,
        name -> Nullable<Text>,
        email -> Nullable<Text>,
        question -> Text,
        asked_at -> BigInt,
    }
}
